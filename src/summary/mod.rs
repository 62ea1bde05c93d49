//! Discussion to summary: bounded projection, prompt, reply check, the extractive engine, checks,
//! and the final text. Must not read files, call models or know how results are stored.

pub mod discussion;
