//! The outbox: everything that will be written to a pull request, from the plan to the receipt.
//! Must not act: time, what stands on the pull request and what came back arrive as data, and what
//! to do next leaves as data.
//!
//! ```text
//! planned ─approve→ approved ─→ sending ─→ posted
//!    │  └reject→ rejected          ├→ unknown (the answer was lost) ─look→ posted | approved | needs a check
//!    └edit (approval is withdrawn) ├→ held {reasons} ─release→ approved
//!                                  └→ failed {class} ─retry→ approved
//! ```

pub mod action;
pub mod body;
pub mod decision;
pub mod effect;
pub mod kind;
pub mod manners;
pub mod marker;
pub mod order;
pub mod outcome;
pub mod pass;
pub mod premise;
pub mod proposal;
pub mod sight;
pub mod state;
pub mod unit;
