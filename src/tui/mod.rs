//! The terminal: one loop, one queue. Must not decide what a key means (`app` does) or what a
//! screen says (`view` does).

pub mod canvas;
pub mod frame;
pub mod highlight;
pub mod theme;
