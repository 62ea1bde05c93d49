//! The engine without a model: reads whole threads and picks deciding and asking sentences.
//! Must not invent words about the matter: what it says about it stands in the thread.

use crate::domain::text::outside::OutsideOption as _;
use crate::{
    domain::{
        actor::{Actor, Identity},
        capture::{Capture, Comment, Thread},
    },
    summary::{
        compose,
        discussion::{CommentSummary, NextActor, Origin, Participants, Status, ThreadSummary},
        gist::{self, Lens},
        source,
        talk::{self, Role, Talk},
        verdict::{self, Verdict},
    },
};
use std::collections::BTreeSet;

/// Longest text of a top-level comment, in characters.
const COMMENT: usize = 300;

/// Reads one capture's threads; what it must know of the whole capture is found once.
pub struct Extractor<'a> {
    capture: &'a Capture,
    us: &'a Identity,
    owner: Option<String>,
}

impl<'a> Extractor<'a> {
    /// Finds who answers for the pull request.
    pub fn of(capture: &'a Capture, us: &'a Identity) -> Self {
        Self { capture, us, owner: talk::owner(capture) }
    }

    /// A thread as talk.
    pub fn talk(&self, thread: &'a Thread) -> Talk<'a> {
        talk::read(thread, self.owner.as_deref(), self.us)
    }

    /// The summary of one thread of the capture.
    pub fn thread(&self, thread: &'a Thread) -> ThreadSummary {
        let talk = self.talk(thread);
        let mut it = facts(thread, self.us);
        if let Some(verdict) = verdict::of(&talk) {
            let words = compose::words(&talk, &verdict);
            it.status = verdict.status;
            it.next_actor = verdict.next;
            it.cites = cites(&talk, &verdict, &words.shown);
            it.text = words.text.into();
            it.decision = words.decision.map(Into::into);
            it.open_question = words.open_question.map(Into::into);
            it.positions = words.positions;
        }
        it
    }

    /// What stands for the top-level comments that count, in capture order.
    pub fn comments(&self) -> Vec<CommentSummary> {
        let all = self.capture.issue_comments.iter().enumerate();
        let kept = all.filter(|(_, it)| talk::counts(it, self.us));
        kept.map(|(at, it)| self.comment(at, it)).collect()
    }

    fn comment(&self, at: usize, comment: &Comment) -> CommentSummary {
        let turn = talk::turn(at, comment, Role::Reviewer, self.us);
        let reference = format!("m{}", at + 1);
        CommentSummary {
            kind: turn.actor.name().to_owned(),
            author: comment.author.clone(),
            url: comment.url.clone(),
            text: gist::of(&turn, Lens::Request, COMMENT, &BTreeSet::new()).into(),
            cites: vec![reference.clone()],
            reference,
        }
    }
}

/// The summary of every thread of a capture, in capture order.
pub fn extract(capture: &Capture, us: &Identity) -> Vec<ThreadSummary> {
    let reader = Extractor::of(capture, us);
    capture.review_threads.iter().map(|it| reader.thread(it)).collect()
}

/// The summaries of some threads (indices into `review_threads`).
pub fn some(capture: &Capture, threads: &[usize], us: &Identity) -> Vec<ThreadSummary> {
    let reader = Extractor::of(capture, us);
    let threads = threads.iter().filter_map(|at| capture.review_threads.get(*at));
    threads.map(|it| reader.thread(it)).collect()
}

/// The comment that settled it first, then a word of assent, then what it answers; what is open
/// first, when it is not settled.
fn cites(talk: &Talk<'_>, verdict: &Verdict, shown: &[usize]) -> Vec<String> {
    let order = [verdict.deciding, verdict.assent, Some(verdict.asked), Some(0)];
    let limit = if shown.is_empty() { 3 } else { shown.len().max(3) };
    let mut out: Vec<String> = Vec::new();
    for at in order.into_iter().flatten().chain(shown.iter().copied()) {
        let cite = talk.turns[at].cite();
        if !out.contains(&cite) && out.len() < limit {
            out.push(cite);
        }
    }
    out
}

/// An entry with everything the capture says and nothing said about the talk: a thread in which
/// no comment counts.
pub fn facts(thread: &Thread, us: &Identity) -> ThreadSummary {
    let heard = thread.comments.iter().filter(|it| talk::counts(it, us)).count() as u64;
    ThreadSummary {
        thread_id: thread.id.clone(),
        anchor: source::anchor(thread),
        resolved: thread.is_resolved,
        status: Status::Noted,
        text: "Noted: every comment here is hidden, a draft, or process chatter of bots.".into(),
        decision: None,
        open_question: None,
        positions: Vec::new(),
        next_actor: NextActor::None,
        cites: Vec::new(),
        participants: participants(thread, us),
        comments_total: source::total(thread),
        comments_omitted: source::total(thread) - heard,
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
        same.map(|it| it.author.raw()).collect::<BTreeSet<_>>().len() as u64
    };
    Participants { humans: of(false), bots: of(true) }
}
