//! The prompt of one summary call. Must not read files: the template is compiled in.

use crate::{domain::digest::Digest, summary::project::Projection};

/// Raised when the template or the reply's shape changes meaning.
pub const PROMPT_VERSION: &str = "discussion-summary-1";

const TEMPLATE: &str = include_str!("../../assets/prompts/discussion-summary.md");

/// The digest of the template.
pub fn digest() -> Digest {
    Digest::of(TEMPLATE)
}

/// The prompt of one part of a projection.
pub fn render(projection: &Projection, part: usize) -> String {
    let _ = (projection, part);
    TEMPLATE.to_owned()
}
