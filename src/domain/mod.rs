//! Review data and the functions over it: captures, diffs, anchors, untrusted text.
//! Must not act: no file, network, clock, randomness or environment; time and ids arrive as data.

pub mod digest;
pub mod host;
pub mod text;
pub mod capture;
pub mod actor;
pub mod diff;
pub mod patch;
pub mod anchor;
pub mod review;
pub mod since;
pub mod words;
