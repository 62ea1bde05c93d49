//! What stands on a pull request at one moment, as far as posting needs to know.
//! Must not believe a marker: what counts as ours was verified by `marker`.

use crate::domain::capture::{Capture, Comment, Id, Review, Thread};
use crate::domain::text::outside::OutsideOption as _;
use crate::outbox::{
    action::{ActionId, Payload},
    kind::Kind,
    marker::{Place, Verifier},
    outcome::Receipt,
    state::Standing,
};

/// A pull request as the account that posts sees it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sight {
    pub head: Option<String>,
    pub base: Option<String>,
    /// `open`, `closed`, `merged`.
    pub state: Option<String>,
    pub locked: bool,
    /// Who posts, and who wrote the pull request: numeric ids.
    pub us: Option<Id>,
    pub author: Option<Id>,
    pub talks: Vec<Talk>,
    pub remarks: Vec<Said>,
    pub verdicts: Vec<Given>,
    /// The review this account has open.
    pub pending: Option<Pending>,
    /// Some list could not be read to its end: what is not seen may be there all the same.
    pub partial: bool,
}

/// A thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Talk {
    pub id: Id,
    pub resolved: Option<bool>,
    pub can_reply: Option<bool>,
    pub can_resolve: Option<bool>,
    pub can_unresolve: Option<bool>,
    pub said: Vec<Said>,
}

/// A comment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Said {
    pub id: Option<Id>,
    pub url: Option<String>,
    /// The action of this ledger that wrote it, verified.
    pub ours: Option<ActionId>,
    /// Written by the account that posts, by hand or not.
    pub mine: bool,
}

/// A review that was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    pub id: Option<Id>,
    /// As the forge spells it: `APPROVED`, `DISMISSED`, …
    pub state: String,
    pub commit: Option<String>,
    pub ours: Option<ActionId>,
}

/// A review that is open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pending {
    pub id: Id,
    /// No words in it, and no comments as far as was seen.
    pub empty: bool,
}

impl Sight {
    /// What a capture shows to the account that took it. Marks are verified.
    pub fn of(capture: &Capture, verifier: &Verifier<'_>) -> Self {
        let us = capture.viewer.as_ref().and_then(|it| it.id.clone());
        let eyes = Eyes { us: us.as_ref(), verifier };
        let pull = &capture.pull_request;
        let talks: Vec<Talk> = capture.review_threads.iter().map(|it| eyes.talk(it)).collect();
        Self {
            head: capture.head_sha().map(str::to_owned),
            base: capture.base_sha().map(str::to_owned),
            state: pull.state.raw().map(str::to_owned),
            locked: pull.locked == Some(true),
            author: pull.author_id.clone(),
            remarks: capture.issue_comments.iter().map(|it| eyes.said(it, Place::Remark)).collect(),
            verdicts: capture.reviews.iter().map(|it| eyes.given(it)).collect(),
            pending: pending(capture),
            partial: is_partial(capture),
            us,
            talks,
        }
    }

    /// Whether the account that posts wrote the pull request. A deleted account is nobody's.
    pub fn is_own(&self) -> bool {
        self.us.is_some() && self.us == self.author
    }

    /// Where what an action wants stands already: every copy of a post, or the state it aims at.
    pub fn found(&self, standing: &Standing) -> Vec<Receipt> {
        let payload = &standing.action.payload;
        let talk = |id: &Id| self.talks.iter().find(|it| it.id == *id);
        let is_so = |so: bool| if so { vec![Receipt::default()] } else { Vec::new() };
        match payload {
            Payload::ResolveThread { thread } => {
                let resolved = talk(thread).and_then(|it| it.resolved);
                let receipt = Receipt { resolved, ..Receipt::default() };
                if resolved == Some(true) { vec![receipt] } else { Vec::new() }
            }
            Payload::UnresolveThread { thread } => {
                is_so(talk(thread).is_some_and(|it| it.resolved == Some(false)))
            }
            Payload::DeletePendingReview { review } => {
                is_so(!self.partial && self.pending.as_ref().is_none_or(|it| it.id != *review))
            }
            Payload::DeleteOwnComment { comment, .. } => {
                is_so(!self.partial && self.comments().all(|it| it.id.as_ref() != Some(comment)))
            }
            Payload::DismissOwnReview { .. } => {
                let of = standing.action.after.as_ref();
                let given = self.verdicts.iter().find(|it| of.is_some() && it.ours.as_ref() == of);
                is_so(given.is_some_and(|it| it.state == "DISMISSED"))
            }
            _ => self.copies(&standing.action.id),
        }
    }

    /// Every post that carries an action's verified marker.
    pub fn copies(&self, id: &ActionId) -> Vec<Receipt> {
        let receipt = |id: Option<&Id>, url: Option<&String>| Receipt {
            id: id.cloned(),
            url: url.cloned(),
            resolved: None,
        };
        let comments = self.comments().filter(|it| it.ours.as_ref() == Some(id));
        let verdicts = self.verdicts.iter().filter(|it| it.ours.as_ref() == Some(id));
        comments
            .map(|it| receipt(it.id.as_ref(), it.url.as_ref()))
            .chain(verdicts.map(|it| receipt(it.id.as_ref(), None)))
            .collect()
    }

    /// The review an action gave.
    pub fn review_of(&self, id: &ActionId) -> Option<&Given> {
        self.verdicts.iter().find(|it| it.ours.as_ref() == Some(id))
    }

    fn comments(&self) -> impl Iterator<Item = &Said> {
        self.talks.iter().flat_map(|it| &it.said).chain(&self.remarks)
    }
}

impl Kind {
    /// Whether a marker in its body tells that it landed. The others show in the state of things.
    pub fn is_marked(self) -> bool {
        !self.is_repeatable()
    }
}

/// Who looks.
struct Eyes<'a> {
    us: Option<&'a Id>,
    verifier: &'a Verifier<'a>,
}

impl Eyes<'_> {
    fn mine(&self, author: Option<&Id>) -> bool {
        self.us.is_some() && author == self.us
    }

    fn talk(&self, thread: &Thread) -> Talk {
        let said = thread.comments.iter().enumerate();
        Talk {
            id: thread.id.clone(),
            resolved: thread.is_resolved,
            can_reply: thread.viewer_can_reply,
            can_resolve: thread.viewer_can_resolve,
            can_unresolve: thread.viewer_can_unresolve,
            said: said
                .map(|(nth, it)| self.said(it, Place::Thread { thread, first: nth == 0 }))
                .collect(),
        }
    }

    fn said(&self, comment: &Comment, place: Place<'_>) -> Said {
        let mine = self.mine(comment.author_id.as_ref());
        let body = comment.body.raw().filter(|_| mine);
        Said {
            id: comment.id.clone(),
            url: comment.url.clone(),
            ours: body.and_then(|it| self.verifier.verified(it, place)),
            mine,
        }
    }

    fn given(&self, review: &Review) -> Given {
        let body = review.body.raw().filter(|_| self.mine(review.author_id.as_ref()));
        Given {
            id: review.id.clone(),
            state: review.state.raw().unwrap_or_default().to_owned(),
            commit: review.commit_id.clone(),
            ours: body.and_then(|it| self.verifier.verified(it, Place::Review)),
        }
    }
}

/// GitHub lists an open review to its author only, so one that is listed is this account's.
fn pending(capture: &Capture) -> Option<Pending> {
    let open = capture.reviews.iter().find(|it| it.state.raw() == Some("PENDING"))?;
    let drafts = capture.review_threads.iter().flat_map(|it| &it.comments);
    let drafts = drafts.filter(|it| it.state.raw() == Some("PENDING")).count();
    let silent = open.body.raw().unwrap_or_default().trim().is_empty();
    Some(Pending { id: open.id.clone()?, empty: silent && drafts == 0 })
}

/// Whether a list of the discussion is shorter than the forge says.
fn is_partial(capture: &Capture) -> bool {
    let lists = capture.partial_lists();
    let cut = |it: &Thread| it.comments_total.is_some_and(|all| all > it.comments.len() as u64);
    lists.iter().any(|it| it.0 != "files") || capture.review_threads.iter().any(cut)
}
