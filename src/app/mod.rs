//! The interface as a state machine: events in, a changed `Model` and effects as data out.
//! Must not act, read a clock or know colours; `tui` performs the effects, `view` draws the model.

pub mod action;
pub mod age;
pub mod code;
pub mod conversation;
pub mod correct;
pub mod desk;
pub mod event;
pub mod facts;
pub mod files;
#[cfg(test)]
pub(crate) mod fixture;
pub mod fresh;
pub mod fuzzy;
pub mod geometry;
pub mod hidden;
pub mod home;
pub mod input;
pub mod inspector;
pub mod key;
pub mod keymap;
pub mod layout;
pub mod listed;
pub mod look;
pub mod model;
pub mod needle;
pub mod prompt;
pub mod prose;
pub mod quotes;
pub mod reader;
pub mod search;
pub mod sheet;
pub mod since;
pub mod threads;
pub mod update;
pub mod viewed;
pub mod work;

#[cfg(test)]
pub(crate) mod tests;
