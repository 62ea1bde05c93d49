//! A dossier as a document: Markdown, JSON, and one HTML page that needs nothing else.
//! Must not read, write or judge: it joins a review with its summary and lays them out.
//!
//! ```text
//! Review ─┐                       ┌▶ markdown   for a pull request, a wiki, a mail
//!         ├▶ join::Dossier ───────┼▶ json       docs/dossier.schema.json
//! Discussion ─┘   └▶ excerpt ─────┴▶ html       threads beside summaries, at their diff lines
//! ```

pub mod excerpt;
pub mod html;
pub mod join;
pub mod json;
pub mod markdown;
pub mod notices;

use crate::{domain::review::Review, export::join::Dossier, summary::discussion::Discussion};

/// One HTML page: no script, no request, readable on paper, dark where the reader's system is.
pub fn html(review: &Review, discussion: &Discussion) -> String {
    html::page::page(&Dossier::join(review, discussion))
}

/// Markdown whose untrusted parts are inert: raw comments stand in fences, summaries are escaped.
pub fn markdown(review: &Review, discussion: &Discussion) -> String {
    markdown::document(&Dossier::join(review, discussion))
}

/// JSON of the form `docs/dossier.schema.json` describes. Raw text stays as the forge sent it.
pub fn json(review: &Review, discussion: &Discussion) -> String {
    json::document(&Dossier::join(review, discussion))
}
