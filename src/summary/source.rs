//! Digests of what a summary rests on. Must not cover anything that moves with a push (lines,
//! commits, the outdated flag), times or urls: those change without a word being said.

use crate::domain::text::outside::OutsideOption as _;
use crate::{
    domain::{
        actor::{Actor, Identity},
        capture::{Capture, Comment, Thread},
        digest::{Digest, Fields},
    },
    summary::discussion::Anchor,
};

/// The digest of everything one thread's summary rests on: all comments but our own verified
/// posts (noise included), the resolved flag, and the anchor's identity.
pub fn source_digest(thread: &Thread, us: &Identity) -> Digest {
    let fields = Fields::default()
        .text("thread", &thread.id.to_string())
        .maybe("resolved", thread.is_resolved)
        .text("path", thread.path.raw())
        .maybe("side", thread.side.as_deref())
        .maybe("original_line", thread.original_line)
        .maybe("original_start_line", thread.original_start_line)
        .maybe("subject_type", thread.subject_type.as_deref());
    said(fields, &thread.comments, us).finish()
}

/// The digest of the whole raw discussion: top-level comments and threads, in capture order.
pub fn discussion_digest(capture: &Capture, us: &Identity) -> Digest {
    let top = said(Fields::default(), &capture.issue_comments, us).finish();
    let fields = Fields::default().text("top-level", top.as_str());
    let threads = capture.review_threads.iter();
    threads
        .fold(fields, |it, thread| it.text("thread", source_digest(thread, us).as_str()))
        .finish()
}

fn said(fields: Fields, comments: &[Comment], us: &Identity) -> Fields {
    let others = comments.iter().filter(|it| Actor::of(it, us) != Actor::Own);
    others.fold(fields, |fields, it| {
        fields
            .maybe("id", it.id.as_ref())
            .maybe("node", it.node_id.as_deref())
            .maybe("author", it.author.raw())
            .maybe("body", it.body.raw())
            .text("minimized", if it.is_minimized == Some(true) { "yes" } else { "no" })
    })
}

/// How many comments a thread has: those of the export, or more when the forge says so.
pub fn total(thread: &Thread) -> u64 {
    thread.comments_total.unwrap_or(0).max(thread.comments.len() as u64)
}

/// The anchor of a thread, word for word from the capture.
pub fn anchor(thread: &Thread) -> Anchor {
    Anchor {
        path: thread.path.clone(),
        side: thread.side.clone(),
        line: thread.line,
        start_line: thread.start_line,
        start_side: thread.start_side.clone(),
        original_line: thread.original_line,
        original_start_line: thread.original_start_line,
        original_commit: thread.original_commit_id.clone(),
        subject_type: thread.subject_type.clone(),
        is_resolved: thread.is_resolved,
        resolved_by: thread.resolved_by.clone(),
        is_outdated: thread.is_outdated,
        viewer_can_reply: thread.viewer_can_reply,
        viewer_can_resolve: thread.viewer_can_resolve,
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        domain::{
            actor::Identity,
            capture::{Id, Thread},
        },
        summary::{
            fixture::{said, thread},
            source::source_digest,
        },
    };

    #[test]
    fn the_digest_follows_words_and_not_positions() {
        let us = Identity { id: Some(Id::Number(9)) };
        let base = thread("T", &[("ann", "Why?"), ("author", "So.")]);
        let digest = |change: &dyn Fn(&mut Thread)| {
            let mut it = base.clone();
            change(&mut it);
            source_digest(&it, &us)
        };
        let same: [&dyn Fn(&mut Thread); 5] = [
            &|it| it.line = None,
            &|it| it.is_outdated = Some(true),
            &|it| it.commit_id = Some("abc".into()),
            &|it| it.comments[0].created_at = Some("2026".into()),
            &|it| {
                let mut own = said(3, "bot", "<!-- casefile:v1:action=a:mac=m -->\nPosted");
                own.author_id = Some(Id::Number(9));
                it.comments.push(own);
            },
        ];
        for change in same {
            assert_eq!(digest(change), source_digest(&base, &us));
        }
        let other: [&dyn Fn(&mut Thread); 7] = [
            &|it| it.comments[0].body = Some("Why not?".into()),
            &|it| it.comments[0].author = None,
            &|it| it.comments[1].is_minimized = Some(true),
            &|it| it.comments.push(said(2, "codecov[bot]", "91 %")),
            &|it| it.is_resolved = Some(true),
            &|it| it.side = Some("LEFT".into()),
            &|it| it.original_line = Some(3),
        ];
        for change in other {
            assert_ne!(digest(change), source_digest(&base, &us));
        }
    }
}
