//! Captures for this room's tests. Must not be used outside tests.

use crate::domain::capture::{Capture, Comment, Id, PullRequest, Thread};

/// A pull request by `author` with the given threads.
pub fn capture(threads: Vec<Thread>) -> Capture {
    let pull_request = PullRequest {
        number: 7,
        title: Some("Cache the parsed table".into()),
        author: Some("author".into()),
        ..PullRequest::default()
    };
    let mut it: Capture = serde_json::from_str(
        r#"{"format":"casefile-capture","version":1,"repository":"acme/table","pull_request":{"number":7}}"#,
    )
    .expect("the smallest capture decodes");
    it.pull_request = pull_request;
    it.review_threads = threads;
    it
}

/// A thread at `src/table.rs:12`, its comments as `(login, body)`.
pub fn thread(id: &str, comments: &[(&str, &str)]) -> Thread {
    let mut it: Thread =
        serde_json::from_str(r#"{"id":"","path":"src/table.rs","line":12,"side":"RIGHT"}"#)
            .expect("the smallest thread decodes");
    it.id = Id::Text(id.to_owned());
    it.comments =
        comments.iter().enumerate().map(|(at, (who, body))| said(at, who, body)).collect();
    it
}

/// One comment.
pub fn said(at: usize, who: &str, body: &str) -> Comment {
    Comment {
        id: Some(Id::Number(at as u64 + 1)),
        author: (!who.is_empty()).then(|| who.into()),
        author_is_bot: Some(who.ends_with("[bot]")),
        body: Some(body.into()),
        ..Comment::default()
    }
}
