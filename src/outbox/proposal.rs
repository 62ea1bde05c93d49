//! From what somebody wants to write to planned actions: premises are taken from the capture they
//! looked at, and what must come along comes along.
//! Must not approve anything.

use crate::domain::{
    capture::{Capture, Id, Thread},
    digest::Fields,
    text::outside::Outside,
};
use crate::outbox::{
    action::{Action, ActionId, Origin, Payload, Premises, Target, ThreadPremise, Verdict},
    kind::Kind,
};
use serde::{Deserialize, Serialize};

/// What is wanted, as a file of proposals or a composer says it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposal {
    #[serde(flatten)]
    pub payload: Payload,
    /// By which others of the same file name it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The name of the one that must be posted first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// Whose words. Words of unknown origin are a model's: links in them are made harmless.
    #[serde(default = "model")]
    pub origin: Origin,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<Outside>,
}

/// Why a proposal cannot be planned.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unplanned {
    #[error("the capture names no repository an action could be for")]
    NoTarget,
    #[error("there is no thread {0} in this pull request")]
    NoThread(Id),
    #[error("it should follow `{0}`, which comes neither before it nor among the planned ones")]
    NoFirst(String),
    #[error("two of them have the name `{0}`")]
    TwiceNamed(String),
    #[error("dismiss_own_review is planned with an approval, never alone")]
    Alone,
}

fn model() -> Origin {
    Origin::Model
}

impl Proposal {
    pub fn new(payload: Payload, origin: Origin) -> Self {
        Self { payload, name: None, after: None, origin, why: None }
    }
}

/// The actions for proposals, in their order. `seed` tells the same words apart that are said twice
/// on purpose; with an empty one, proposing the same again is the same action.
pub fn plan(
    proposals: &[Proposal],
    capture: &Capture,
    seed: &str,
) -> Result<Vec<Action>, (usize, Unplanned)> {
    let target = Target::of(capture).ok_or((0, Unplanned::NoTarget))?;
    let mut actions: Vec<Action> = Vec::new();
    let mut named: Vec<(&str, ActionId)> = Vec::new();
    for (at, proposal) in proposals.iter().enumerate() {
        let said = |why| (at, why);
        let mut action = one(proposal, &target, capture, seed).map_err(said)?;
        if let Some(first) = &proposal.after {
            let found = named.iter().find(|it| it.0 == first);
            let found = found.ok_or_else(|| said(Unplanned::NoFirst(first.clone())))?;
            action.after = Some(found.1.clone());
        }
        if let Some(name) = &proposal.name {
            if named.iter().any(|it| it.0 == name) {
                return Err(said(Unplanned::TwiceNamed(name.clone())));
            }
            named.push((name, action.id.clone()));
        }
        let undoing = undoing(&action);
        actions.push(action);
        actions.extend(undoing);
    }
    Ok(actions)
}

fn one(
    proposal: &Proposal,
    target: &Target,
    capture: &Capture,
    seed: &str,
) -> Result<Action, Unplanned> {
    let mut payload = proposal.payload.clone();
    if payload.kind() == Kind::DismissOwnReview {
        return Err(Unplanned::Alone);
    }
    let premises = premises(&payload, capture)?;
    if let Payload::ThreadReply { thread, root, .. } = &mut payload {
        *root = find(capture, thread).and_then(|it| it.comments.first()?.id.clone());
    }
    let said = serde_json::to_string(&payload).expect("plain values become JSON");
    let seed = Fields::default()
        .text("target", &target.key())
        .text("payload", &said)
        .text("head", premises.head.as_deref().unwrap_or_default())
        .text("seed", seed)
        .finish();
    Ok(Action {
        id: ActionId::from_seed(seed.as_str()),
        target: target.clone(),
        payload,
        premises,
        origin: proposal.origin,
        why: proposal.why.clone(),
        after: None,
        run: String::new(),
    })
}

/// What an action rests on, as a capture shows it.
pub fn premises(payload: &Payload, capture: &Capture) -> Result<Premises, Unplanned> {
    let thread = match payload.thread() {
        None => None,
        Some(id) => {
            let thread = find(capture, id).ok_or_else(|| Unplanned::NoThread(id.clone()))?;
            Some(ThreadPremise {
                resolved: thread.is_resolved,
                last_comment: thread.comments.last().and_then(|it| it.id.clone()),
            })
        }
    };
    let sha = |it: Option<&str>| it.map(str::to_owned);
    Ok(Premises { head: sha(capture.head_sha()), base: sha(capture.base_sha()), thread })
}

fn find<'a>(capture: &'a Capture, id: &Id) -> Option<&'a Thread> {
    capture.review_threads.iter().find(|it| it.id == *id)
}

/// An approval brings what takes it back, should it land on a head nobody approved.
fn undoing(action: &Action) -> Option<Action> {
    let Payload::SubmitReview { event: Verdict::Approve, .. } = action.payload else {
        return None;
    };
    let message = "The head moved while this approval was on its way; it is for the head before.";
    Some(Action {
        id: ActionId::from_seed(&format!("takes back {}", action.id)),
        payload: Payload::DismissOwnReview { message: Outside::from(message) },
        origin: Origin::Repair,
        why: Some(Outside::from("goes out only if the head moves while the approval is sent")),
        after: Some(action.id.clone()),
        ..action.clone()
    })
}
