//! `final/discussion.md`, from the discussion summary alone. Must not see a capture: approval
//! state, chatter and bookkeeping cannot reach the text because they are not in its input.

use crate::summary::discussion::Discussion;

/// The Markdown of a discussion.
pub fn markdown(discussion: &Discussion) -> String {
    let _ = discussion;
    "# Discussion\n".into()
}
