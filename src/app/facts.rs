//! What every screen needs to know of each thread: its status, who spoke, what is special.
//! Must not place threads (the layout does) and must not guess: the summary's status wins, as in
//! every report and on the home screen; without one the forge's flag; a thread nobody judged is open.

use crate::domain::text::outside::OutsideOption as _;
use crate::{
    domain::{
        actor::{Actor, Identity},
        anchor::Place,
        capture::{Comment, Thread},
        review::Review,
        since::Fresh,
    },
    summary::discussion::{Discussion, Status, ThreadSummary},
};
use std::collections::HashMap;

/// Where a thread stands, as its mark says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Standing {
    /// ⚑: it asks for something.
    Open,
    /// ✓: settled by what was said, or without a summary by the forge's flag.
    Settled,
    /// ✓ too: there is nothing to decide.
    Noted,
}

/// One thread at a glance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    pub standing: Standing,
    pub outdated: bool,
    /// All its comments are hidden on the forge, for this reason.
    pub minimized: Option<String>,
    /// A draft only its author sees.
    pub pending: bool,
    pub bots_only: bool,
    /// The forge named no side, this one was found.
    pub side_guessed: bool,
    /// Index of its summary in `Discussion::threads`.
    pub summary: Option<usize>,
    /// It holds a comment nobody here has been on yet; see `app::fresh`.
    pub fresh: Option<Fresh>,
}

/// How many threads stand where. `open + settled + noted` is all of them; `outdated` counts across.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    pub open: usize,
    pub settled: usize,
    pub noted: usize,
    pub outdated: usize,
    /// Threads with something new or edited in them.
    pub fresh: usize,
}

impl Fact {
    /// Whether a thread still asks for something.
    pub fn is_open(&self) -> bool {
        self.standing == Standing::Open
    }

    /// Folded unless a person opens it: what is done, gone or hidden.
    pub fn folded_at_first(&self) -> bool {
        self.standing == Standing::Settled || self.outdated || self.minimized.is_some()
    }
}

impl Tally {
    /// Threads that ask for nothing: what `✓` stands for where there is no room for two numbers.
    pub fn closed(&self) -> usize {
        self.settled + self.noted
    }

    /// Counts one more thread.
    pub fn add(&mut self, fact: &Fact) {
        match fact.standing {
            Standing::Open => self.open += 1,
            Standing::Settled => self.settled += 1,
            Standing::Noted => self.noted += 1,
        }
        self.outdated += usize::from(fact.outdated);
        self.fresh += usize::from(fact.fresh.is_some());
    }
}

/// The facts of all threads, in capture order.
pub fn facts(review: &Review, discussion: Option<&Discussion>) -> Vec<Fact> {
    let summaries = summaries(discussion);
    let threads = review.capture.review_threads.iter().zip(&review.placement.places);
    threads
        .map(|(thread, place)| {
            let summary = summaries.get(&thread.id).copied();
            let status = summary.and_then(|at| current_status(&discussion?.threads[at]));
            fact(thread, place, summary, status)
        })
        .collect()
}

/// What a summary says of its thread; a stale one says nothing, since it has not read the newest
/// comments.
fn current_status(summary: &ThreadSummary) -> Option<Status> {
    let stale = summary.checks.iter().any(|it| it.starts_with("stale"));
    (!stale).then_some(summary.status)
}

fn summaries(discussion: Option<&Discussion>) -> HashMap<&crate::domain::capture::Id, usize> {
    let threads = discussion.map(|it| it.threads.as_slice()).unwrap_or_default();
    threads.iter().enumerate().map(|(at, it)| (&it.thread_id, at)).collect()
}

fn fact(thread: &Thread, place: &Place, summary: Option<usize>, status: Option<Status>) -> Fact {
    let standing = match (status, thread.is_resolved) {
        (Some(Status::Settled), _) | (None, Some(true)) => Standing::Settled,
        (Some(Status::Noted), _) => Standing::Noted,
        (Some(Status::Unresolved) | None, _) => Standing::Open,
    };
    let nobody = Identity::default();
    let hidden = |it: &Comment| it.is_minimized == Some(true);
    let all_hidden = !thread.comments.is_empty() && thread.comments.iter().all(hidden);
    Fact {
        standing,
        outdated: thread.is_outdated == Some(true) || matches!(place, Place::Outdated { .. }),
        minimized: all_hidden.then(|| reason(&thread.comments[0])),
        pending: thread.comments.first().is_some_and(pending),
        bots_only: thread.comments.iter().all(|it| Actor::of(it, &nobody) == Actor::Bot),
        side_guessed: matches!(place, Place::Line { side_guessed: true, .. }),
        summary,
        fresh: None,
    }
}

/// Whether a comment is a draft only its author sees.
pub fn pending(comment: &Comment) -> bool {
    comment.state.raw().is_some_and(|it| it.eq_ignore_ascii_case("pending"))
}

/// Why the forge hides a comment, in words: `off-topic`, `outdated`, `spam`…
pub fn reason(comment: &Comment) -> String {
    let reason = comment.minimized_reason.raw().filter(|it| !it.is_empty());
    reason.unwrap_or("minimized").to_lowercase().replace('_', "-")
}

#[cfg(test)]
mod tests {
    use crate::{
        app::{
            facts::{Standing, facts},
            fixture,
        },
        domain::review::Review,
        summary::discussion::Status,
    };
    use std::sync::Arc;

    #[test]
    fn the_summary_wins_unless_it_is_stale_then_the_flag() {
        let check = |resolved, status, stale: bool, expected| {
            let mut capture = fixture::capture(&fixture::threads());
            capture.review_threads[0].is_resolved = resolved;
            let review = Review::of(Arc::new(capture));
            let mut discussion = fixture::discussion(&review);
            discussion.threads[0].status = status;
            if stale {
                discussion.threads[0].checks = vec!["stale: 1 new comments".to_owned()];
            }
            let standing = facts(&review, Some(&discussion))[0].standing;
            assert_eq!(standing, expected, "{resolved:?} {status:?} {stale}");
        };
        check(Some(false), Status::Settled, false, Standing::Settled);
        check(Some(true), Status::Unresolved, false, Standing::Open);
        check(Some(true), Status::Unresolved, true, Standing::Settled);
        check(Some(true), Status::Noted, false, Standing::Noted);
        check(None, Status::Settled, false, Standing::Settled);
        check(None, Status::Noted, false, Standing::Noted);
        check(None, Status::Settled, true, Standing::Open);
        check(None, Status::Unresolved, false, Standing::Open);
    }
}
