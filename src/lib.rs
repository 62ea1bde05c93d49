//! casefile: a terminal workbench for reviewing pull requests.

pub mod domain;
pub mod summary;
pub mod task;
pub mod outbox;
pub mod export;
pub mod forge;
pub mod llm;
pub mod store;
pub mod driver;
pub mod app;
pub mod view;
pub mod tui;
pub mod failure;
pub mod telemetry;
pub mod config;
pub mod batch;
pub mod cli;
