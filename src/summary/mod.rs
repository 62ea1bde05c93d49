//! Discussion to summary: bounded projection, prompt, reply check, the extractive engine, checks,
//! and the final text. Must not read files, call models or know how results are stored.
//!
//! ```text
//! Capture ─ reuse::plan ─▶ threads to do again ─▶ extract::some            (no model)
//!                                               └▶ project::project ─ prompt::render ─▶ engine
//!                                                    reply::decode ◀─ reply::check ◀─────┘
//! entries ─ assemble::assemble ─▶ Discussion ─ final_text::markdown ─▶ final/discussion.md
//! ```

pub mod acts;
pub mod assemble;
pub mod budget;
pub mod checks;
pub mod compose;
pub mod correction;
pub mod cues;
pub mod discussion;
pub mod extract;
pub mod final_text;
#[cfg(test)]
pub mod fixture;
pub mod gist;
pub mod maker;
pub mod markdown;
pub mod overview;
pub mod project;
pub mod prompt;
pub mod prose;
pub mod reply;
pub mod reuse;
pub mod source;
pub mod talk;
pub mod terms;
pub mod verdict;
pub mod voice;
pub mod work;
