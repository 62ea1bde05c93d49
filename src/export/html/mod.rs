//! The dossier as one HTML page. Must not let a byte of outside text become markup: only
//! `writer::Html` touches the page, and it takes markup from string literals alone.

pub mod card;
pub mod comment;
pub mod file;
pub mod page;
pub mod prose;
pub mod summary;
pub mod tags;
pub mod writer;
