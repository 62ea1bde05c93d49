//! The engine without a model: reads whole threads and picks deciding and asking sentences.
//! Must not invent words about the matter: what it says about it stands in the thread.

use crate::{
    domain::{
        actor::Identity,
        capture::{Capture, Thread},
    },
    summary::{
        discussion::{NextActor, Origin, Participants, Status, ThreadSummary},
        source,
    },
};

/// The summary of every thread of a capture, in capture order.
pub fn extract(capture: &Capture, us: &Identity) -> Vec<ThreadSummary> {
    capture.review_threads.iter().map(|it| one(capture, it, us)).collect()
}

/// The summary of one thread.
pub fn one(capture: &Capture, thread: &Thread, us: &Identity) -> ThreadSummary {
    let _ = capture;
    ThreadSummary {
        thread_id: thread.id.clone(),
        anchor: source::anchor(thread),
        resolved: thread.is_resolved,
        status: Status::Unresolved,
        text: "Unresolved: not read yet".into(),
        decision: None,
        open_question: None,
        positions: Vec::new(),
        next_actor: NextActor::Author,
        cites: Vec::new(),
        participants: Participants::default(),
        comments_total: thread.comments.len() as u64,
        comments_omitted: 0,
        source_digest: source::source_digest(thread, us),
        origin: Origin::Extractive,
        carried: false,
        checks: Vec::new(),
    }
}
