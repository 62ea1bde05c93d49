//! One integration binary: fewer links, one place to look. A topic is a module below.

mod shared;
mod architecture;
mod demo;

mod evaluation;
mod drive;
mod timeline;
