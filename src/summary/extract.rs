//! The engine without a model: reads whole threads and picks deciding and asking sentences.
//! Must not invent words about the matter: what it says about it stands in the thread.

use crate::{
    domain::{
        actor::{Actor, Identity},
        capture::{Capture, Thread},
    },
    summary::{
        compose,
        discussion::{NextActor, Origin, Participants, Status, ThreadSummary},
        source,
        talk::{self, Talk},
        verdict::{self, Verdict},
    },
};
use std::collections::BTreeSet;

/// The summary of every thread of a capture, in capture order.
pub fn extract(capture: &Capture, us: &Identity) -> Vec<ThreadSummary> {
    let owner = talk::owner(capture);
    capture.review_threads.iter().map(|it| summarise(it, owner.as_deref(), us)).collect()
}

/// The summaries of some threads (indices into `review_threads`).
pub fn some(capture: &Capture, threads: &[usize], us: &Identity) -> Vec<ThreadSummary> {
    let owner = talk::owner(capture);
    let threads = threads.iter().filter_map(|at| capture.review_threads.get(*at));
    threads.map(|it| summarise(it, owner.as_deref(), us)).collect()
}

fn summarise(thread: &Thread, owner: Option<&str>, us: &Identity) -> ThreadSummary {
    let talk = talk::read(thread, owner, us);
    let mut it = facts(thread, us);
    it.comments_omitted = talk.left_out as u64;
    let Some(verdict) = verdict::of(&talk) else {
        return it;
    };
    let words = compose::words(&talk, &verdict);
    it.status = verdict.status;
    it.next_actor = verdict.next;
    it.cites = cites(&talk, &verdict);
    it.text = words.text;
    it.decision = words.decision;
    it.open_question = words.open_question;
    it.positions = words.positions;
    it
}

/// The comment that settled it first, then a word of assent, then what it answers; what is open
/// first, when it is not settled.
fn cites(talk: &Talk<'_>, verdict: &Verdict) -> Vec<String> {
    let order = [verdict.deciding, verdict.assent, Some(verdict.asked), Some(0)];
    let mut out: Vec<String> = Vec::new();
    for at in order.into_iter().flatten() {
        let cite = talk.turns[at].cite();
        if !out.contains(&cite) && out.len() < 3 {
            out.push(cite);
        }
    }
    out
}

/// An entry with everything the capture says and nothing said about the talk: a thread in which
/// no comment counts.
fn facts(thread: &Thread, us: &Identity) -> ThreadSummary {
    ThreadSummary {
        thread_id: thread.id.clone(),
        anchor: source::anchor(thread),
        resolved: thread.is_resolved,
        status: Status::Noted,
        text: "Noted: no comment here is part of the discussion.".into(),
        decision: None,
        open_question: None,
        positions: Vec::new(),
        next_actor: NextActor::None,
        cites: Vec::new(),
        participants: participants(thread, us),
        comments_total: thread.comments.len() as u64,
        comments_omitted: 0,
        source_digest: source::source_digest(thread, us),
        origin: Origin::Extractive,
        carried: false,
        checks: Vec::new(),
    }
}

fn participants(thread: &Thread, us: &Identity) -> Participants {
    let of = |bot: bool| {
        let heard = thread.comments.iter().filter(|it| talk::counts(it, us));
        let same = heard.filter(|it| (Actor::of(it, us) == Actor::Bot) == bot);
        same.map(|it| it.author.as_deref()).collect::<BTreeSet<_>>().len() as u64
    };
    Participants { humans: of(false), bots: of(true) }
}
