//! The model drawn as lines of toned text. Must not know colours, terminals or time.

pub mod line;
