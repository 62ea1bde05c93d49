//! The interface as a state machine: events in, a changed `Model` and effects as data out.
//! Must not act, read a clock or know colours; `tui` performs the effects, `view` draws the model.

pub mod action;
pub mod event;
pub mod key;
pub mod keymap;
pub mod model;
pub mod update;
