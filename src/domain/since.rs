//! What one capture says that an older one of the same pull request did not: new and edited
//! comments, what is gone, and how the pull request itself stands now. Must not judge or place.

use crate::domain::capture::{Capture, Comment, Id, PullRequest, Thread};
use crate::domain::text::outside::OutsideOption as _;
use std::collections::HashMap;

/// How a comment differs from what was there before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fresh {
    Edited,
    New,
}

/// By what a comment is known again: its id on the forge, else who said it when.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key(String);

impl Key {
    /// The key of a comment.
    pub fn of(comment: &Comment) -> Self {
        let id = comment.node_id.clone().or_else(|| comment.id.as_ref().map(Id::to_string));
        Self(id.unwrap_or_else(|| {
            let when = comment.created_at.as_deref().unwrap_or_default();
            format!("{when} {}", comment.author.raw().unwrap_or_default())
        }))
    }
}

/// The differences.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    /// New and edited comments, those on the whole pull request too.
    pub comments: Vec<(Key, Fresh)>,
    /// Threads that are not as they were, new ones among them, whatever it is that differs.
    pub threads: Vec<Id>,
    /// Comments that are no longer there.
    pub gone: usize,
    /// Threads resolved, and opened again, since.
    pub resolved: usize,
    pub reopened: usize,
    /// What happened to the pull request itself, a few words each: `merged`, `locked`.
    pub events: Vec<String>,
    /// Its head is another commit.
    pub head_moved: bool,
}

impl Changes {
    /// How many comments are new, and how many edited.
    pub fn counts(&self) -> (usize, usize) {
        let new = self.comments.iter().filter(|it| it.1 == Fresh::New).count();
        (new, self.comments.len() - new)
    }
}

/// What is different in `new`.
pub fn between(old: &Capture, new: &Capture) -> Changes {
    let mut changes = Changes {
        events: events(&old.pull_request, &new.pull_request),
        head_moved: old.head_sha() != new.head_sha(),
        ..Changes::default()
    };
    let before: HashMap<&Id, &Thread> = old.review_threads.iter().map(|it| (&it.id, it)).collect();
    for thread in &new.review_threads {
        let was = before.get(&thread.id).copied();
        if was == Some(thread) {
            continue;
        }
        changes.threads.push(thread.id.clone());
        match (was.and_then(|it| it.is_resolved), thread.is_resolved) {
            (Some(false), Some(true)) => changes.resolved += 1,
            (Some(true), Some(false)) => changes.reopened += 1,
            _ => {}
        }
    }
    // Exports without ids may hold several that cannot be told apart.
    let mut said: HashMap<Key, Vec<&Comment>> = HashMap::new();
    for comment in all(old) {
        said.entry(Key::of(comment)).or_default().push(comment);
    }
    for comment in all(new) {
        let key = Key::of(comment);
        let Some(alike) = said.get_mut(&key).filter(|it| !it.is_empty()) else {
            changes.comments.push((key, Fresh::New));
            continue;
        };
        if let Some(at) = alike.iter().position(|it| it.body == comment.body) {
            alike.swap_remove(at);
        } else {
            alike.pop();
            changes.comments.push((key, Fresh::Edited));
        }
    }
    // A list that was cut short says nothing about what is behind its end.
    let whole = new.partial_lists().is_empty() && new.review_threads.iter().all(is_whole);
    changes.gone = if whole { said.values().map(Vec::len).sum() } else { 0 };
    changes
}

fn is_whole(thread: &Thread) -> bool {
    thread.comments_total.is_none_or(|it| it <= thread.comments.len() as u64)
}

fn all(capture: &Capture) -> impl Iterator<Item = &Comment> {
    let inline = capture.review_threads.iter().flat_map(|it| &it.comments);
    inline.chain(&capture.issue_comments)
}

fn events(old: &PullRequest, new: &PullRequest) -> Vec<String> {
    let mut events = Vec::new();
    let state = |it: &PullRequest| it.state.raw().map(str::to_lowercase);
    if let (Some(was), Some(now)) = (state(old), state(new))
        && was != now
    {
        let word = if now == "open" { "opened again".to_owned() } else { now };
        // The forge's own word, and so outside text.
        events.push(crate::domain::text::outside::Outside::new(word).inline().into_owned());
    }
    let mut turned = |was: Option<bool>, now: Option<bool>, on: &str, off: &str| match (
        was.unwrap_or(false),
        now.unwrap_or(false),
    ) {
        (false, true) => events.push(on.to_owned()),
        (true, false) => events.push(off.to_owned()),
        _ => {}
    };
    turned(old.draft, new.draft, "made a draft", "ready for review");
    turned(old.locked, new.locked, "locked", "unlocked");
    if old.title != new.title {
        events.push("renamed".to_owned());
    }
    events
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn capture(change: impl FnOnce(&mut Value)) -> Capture {
        let mut it = json!({
            "format": "casefile-capture", "version": 1, "repository": "a/b",
            "pull_request": {"number": 1, "state": "open", "draft": true, "head": {"sha": "aa"}},
            "issue_comments": [{"id": 9, "body": "hello"}],
            "review_threads": [
                {"id": "t1", "path": "x", "is_resolved": false,
                 "comments": [{"id": 1, "body": "why?"}, {"id": 2, "body": "so"}]},
                {"id": "t2", "path": "x", "comments": [{"id": 3, "body": "ok"}]}
            ]
        });
        change(&mut it);
        serde_json::from_value(it).expect("a capture")
    }

    fn changes(change: impl FnOnce(&mut Value)) -> Changes {
        between(&capture(|_| ()), &capture(change))
    }

    #[test]
    fn the_same_capture_has_no_changes() {
        assert_eq!(changes(|_| ()), Changes::default());
    }

    #[test]
    fn new_edited_and_gone_comments_are_told_apart() {
        let it = changes(|it| {
            let thread = &mut it["review_threads"][0];
            thread["comments"][0]["body"] = json!("why not?");
            thread["comments"][1] = json!({"id": 4, "body": "because"});
            thread["is_resolved"] = json!(true);
            it["issue_comments"].as_array_mut().expect("a list").push(json!({"id": 10}));
        });
        let key = |it: &str| Key(it.to_owned());
        let expected = [(key("1"), Fresh::Edited), (key("4"), Fresh::New), (key("10"), Fresh::New)];
        assert_eq!(it.comments, expected);
        assert_eq!((it.gone, it.resolved, it.counts()), (1, 1, (2, 1)));
        assert_eq!(it.threads, [Id::Text("t1".into())]);
    }

    #[test]
    fn nothing_is_gone_that_was_only_not_fetched() {
        let it = changes(|it| {
            it["review_threads"].as_array_mut().expect("a list").pop();
            it["completeness"] = json!({"review_threads": {"fetched": 1, "total": 2}});
        });
        assert_eq!(it.gone, 0);
    }

    #[test]
    fn the_pull_request_s_own_state_is_told() {
        let it = changes(|it| {
            it["pull_request"]["state"] = json!("MERGED");
            it["pull_request"]["draft"] = json!(false);
            it["pull_request"]["locked"] = json!(true);
            it["pull_request"]["head"]["sha"] = json!("bb");
        });
        assert_eq!(it.events, ["merged", "ready for review", "locked"]);
        assert!(it.head_moved);
    }
}
