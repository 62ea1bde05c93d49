//! Durable tasks as data: identity, fingerprint, states, legal moves, and the report of one task.
//! Must not run anything, read a clock or know where tasks are kept.

pub mod dossier;
pub mod fingerprint;
pub mod id;
pub mod moves;
pub mod phase;
pub mod state;
