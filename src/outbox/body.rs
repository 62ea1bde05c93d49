//! The final text of a post: our mark, the mark other tools read, and the words.
//! Must not change what a person typed, but for the names of marks.

use crate::domain::text::outside::Outside;
use crate::outbox::{
    action::{Action, Payload, Verdict},
    marker::Key,
};

/// The most characters GitHub takes, marks included.
pub const LIMIT: usize = 65_536;

/// What is sent for an action's words, or nothing for a kind without words.
pub fn post(action: &Action, key: &Key) -> Option<Outside> {
    let words = action.payload.body()?;
    let marks = format!("{}\n{}", key.mark(action), compatible(action));
    let words = words.raw().trim_end();
    Some(if words.is_empty() { marks.into() } else { format!("{marks}\n\n{words}").into() })
}

/// The mark that `cr` and its like read.
fn compatible(action: &Action) -> String {
    let sha = |it: &Option<String>| it.clone().unwrap_or_default();
    let outcome = match &action.payload {
        Payload::SubmitReview { event: Verdict::Approve, .. } => ":outcome=approve",
        Payload::SubmitReview { event: Verdict::RequestChanges, .. } => ":outcome=request_changes",
        _ => "",
    };
    format!(
        "<!-- codereview:run-id={}:action={}:kind={}:sha={}:base={}{outcome} -->",
        action.run,
        action.id,
        action.payload.kind().name(),
        sha(&action.premises.head),
        sha(&action.premises.base),
    )
}
