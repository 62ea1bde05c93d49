//! What was said on the pull request as a whole: its description, then comments and the words of
//! reviews in order of time. Must not judge or leave anything out.

use crate::domain::capture::{Capture, Comment, Review};
use crate::domain::text::outside::OutsideOption as _;

/// Stands for the thread of all this, where a thread is asked for.
pub const SAID: u32 = u32::MAX;

/// Everything said on the whole. Entry 0 is the description, empty when there is none.
pub fn of(capture: &Capture) -> Vec<Comment> {
    let request = &capture.pull_request;
    let description = Comment {
        author: request.author.clone(),
        author_is_bot: request.author_is_bot,
        body: request.body.clone(),
        created_at: request.created_at.clone(),
        url: request.url.clone(),
        ..Comment::default()
    };
    let spoken = |it: &&Review| it.body.raw().is_some_and(|it| !it.trim().is_empty());
    let reviews = capture.reviews.iter().filter(spoken).map(|it| Comment {
        author: it.author.clone(),
        author_is_bot: it.author_is_bot,
        body: it.body.clone(),
        created_at: it.submitted_at.clone(),
        state: it.state.clone(),
        ..Comment::default()
    });
    let mut talk: Vec<Comment> = capture.issue_comments.iter().cloned().chain(reviews).collect();
    talk.sort_by(|a, b| a.created_at.cmp(&b.created_at));
    talk.insert(0, description);
    talk
}

/// Whether there is a description.
pub fn has_description(said: &[Comment]) -> bool {
    said.first().and_then(|it| it.body.raw()).is_some_and(|it| !it.trim().is_empty())
}

/// Whether there is anything to show.
pub fn is_any(said: &[Comment]) -> bool {
    said.len() > 1 || has_description(said)
}
