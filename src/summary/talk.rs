//! A thread as talk: who spoke in which role, and what each comment does. Must not decide what
//! came of it; `verdict` does.

use crate::domain::text::outside::{Outside, OutsideOption as _};
use crate::{
    domain::{
        actor::{self, Actor, Identity},
        capture::{Capture, Comment, Thread},
        text::{self, Surface},
    },
    summary::{
        acts::{self, Acts},
        prose::{self, Spoken},
    },
};
use std::collections::BTreeMap;

/// One thread, read.
pub struct Talk<'a> {
    pub thread: &'a Thread,
    /// The comments that count, in order: not ours, not process noise, not hidden by the forge.
    pub turns: Vec<Turn<'a>>,
}

/// One comment that counts.
pub struct Turn<'a> {
    /// Place in the thread, from 0; the ref is `c{at + 1}`.
    pub at: usize,
    pub comment: &'a Comment,
    /// The writer's login, `ghost` for a deleted account.
    pub who: String,
    pub actor: Actor,
    pub role: Role,
    pub spoken: Spoken,
    pub acts: Acts,
    /// The acts of each sentence of `spoken`.
    pub each: Vec<Acts>,
}

/// Who has to act on what a reviewer says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Wrote the pull request, or answers for it.
    Author,
    Reviewer,
}

impl Turn<'_> {
    /// The comment's ref, `c1`, `c2`….
    pub fn cite(&self) -> String {
        format!("c{}", self.at + 1)
    }

    /// The writer's login, safe to show.
    pub fn who(&self) -> &str {
        &self.who
    }
}

/// A writer's login, safe to show; `ghost` for a deleted account.
pub fn name(comment: &Comment) -> String {
    let login = comment.author.raw().filter(|it| !it.is_empty()).unwrap_or("ghost");
    text::display(login, Surface::Inline).into_owned()
}

/// Whether a comment counts for a summary: not ours, not chatter, not hidden by the forge, and not
/// a draft that only its writer sees.
pub fn counts(comment: &Comment, us: &Identity) -> bool {
    Actor::of(comment, us) != Actor::Own
        && comment.is_minimized != Some(true)
        && comment.state.raw() != Some("PENDING")
        && !actor::is_process_noise(comment)
}

/// Reads a thread. `owner` is the login that answers for the pull request.
pub fn read<'a>(thread: &'a Thread, owner: Option<&str>, us: &Identity) -> Talk<'a> {
    let starter = thread.comments.iter().find(|it| counts(it, us)).map(|it| it.author.raw());
    let turns: Vec<Turn<'a>> = thread
        .comments
        .iter()
        .enumerate()
        .filter(|(_, it)| counts(it, us))
        .map(|(at, comment)| {
            let login = comment.author.raw();
            let answers = match owner {
                Some(owner) => login == Some(owner),
                None => Some(login) != starter,
            };
            turn(at, comment, if answers { Role::Author } else { Role::Reviewer }, us)
        })
        .collect();
    Talk { thread, turns }
}

/// Reads one comment.
pub fn turn<'a>(at: usize, comment: &'a Comment, role: Role, us: &Identity) -> Turn<'a> {
    let spoken = prose::read(comment.body.raw().unwrap_or_default());
    let each = acts::each(&spoken);
    let acts = acts::of(&spoken, &each);
    let (who, actor) = (name(comment), Actor::of(comment, us));
    Turn { at, comment, who, actor, role, spoken, acts, each }
}

/// The login that answers for the pull request: its author, or, when the export does not say,
/// whoever reports most often in replies that work was done.
pub fn owner(capture: &Capture) -> Option<String> {
    let named = capture.pull_request.author.clone().filter(|it| !it.is_empty());
    named.map(Outside::into_raw).or_else(|| busiest(capture))
}

/// Fewer reports of work than this do not make an owner.
const REPORTS: usize = 3;

fn busiest(capture: &Capture) -> Option<String> {
    let mut reports: BTreeMap<&str, usize> = BTreeMap::new();
    for thread in &capture.review_threads {
        for comment in thread.comments.iter().skip(1) {
            let spoken = prose::read(comment.body.raw().unwrap_or_default());
            if let (Some(login), true) =
                (&comment.author, acts::of(&spoken, &acts::each(&spoken)).done >= 2)
            {
                *reports.entry(login.raw()).or_default() += 1;
            }
        }
    }
    let (login, count) = reports.into_iter().max_by_key(|it| it.1)?;
    (count >= REPORTS).then(|| login.to_owned())
}
