//! Whether what an action rests on is still so. Must not decide what follows: a changed premise
//! holds the action and says what changed.

use crate::domain::capture::Id;
use crate::outbox::{
    action::{Action, Payload, Premises, ThreadPremise},
    kind::Kind,
    sight::{Sight, Talk},
};
use serde::{Deserialize, Serialize};

/// Something that is not as it was when the action was approved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum Change {
    /// The approval is for other bytes than stand here.
    Edited,
    HeadMoved {
        from: Option<String>,
        to: Option<String>,
    },
    BaseMoved {
        from: Option<String>,
        to: Option<String>,
    },
    /// Closed or merged meanwhile, for what only an open pull request takes.
    Closed {
        state: String,
    },
    Locked,
    ThreadGone,
    ThreadResolved,
    ThreadReopened,
    /// Comments nobody had read when it was approved.
    NewComments {
        count: usize,
    },
    /// The last comment that was read is there no more.
    CommentGone,
    /// A review of this account is open. `empty`: with nothing in it, which a crash leaves behind.
    PendingReview {
        id: Id,
        empty: bool,
    },
    /// The thread may not be written to by this account.
    NotAllowed {
        what: String,
    },
    /// Approving, or asking for changes, on one's own pull request.
    OwnPullRequest,
    /// What had to be posted first never will be.
    FirstIsGone,
}

/// What changed since an action was planned, as seen now. Empty: it may be sent.
pub fn changes(action: &Action, sight: &Sight) -> Vec<Change> {
    let mut changes = Vec::new();
    let differs = |was: &Option<String>, is: &Option<String>| was.is_some() && was != is;
    let premises = &action.premises;
    if rests_on_code(action) {
        if differs(&premises.head, &sight.head) {
            changes.push(Change::HeadMoved { from: premises.head.clone(), to: sight.head.clone() });
        }
        if differs(&premises.base, &sight.base) {
            changes.push(Change::BaseMoved { from: premises.base.clone(), to: sight.base.clone() });
        }
    }
    if let Some(thread) = action.payload.thread() {
        of_thread(action, sight.talks.iter().find(|it| it.id == *thread), &mut changes);
    }
    rights(action, sight, &mut changes);
    changes
}

/// The premises as they are now: what an approval would rest on from here on.
pub fn now(action: &Action, sight: &Sight) -> Premises {
    let was = &action.premises;
    let talk = action.payload.thread().and_then(|id| sight.talks.iter().find(|it| it.id == *id));
    let last = |it: &Talk| it.said.last().and_then(|it| it.id.clone());
    let thread = was.thread.as_ref().map(|was| match talk {
        Some(it) => ThreadPremise { resolved: it.resolved, last_comment: last(it) },
        None => was.clone(),
    });
    Premises {
        head: was.head.as_ref().and(sight.head.clone()),
        base: was.base.as_ref().and(sight.base.clone()),
        thread,
    }
}

/// Taking back and deleting mend what is there, wherever the head went.
fn rests_on_code(action: &Action) -> bool {
    !matches!(
        action.payload.kind(),
        Kind::DeletePendingReview | Kind::DeleteOwnComment | Kind::DismissOwnReview
    )
}

fn of_thread(action: &Action, talk: Option<&Talk>, changes: &mut Vec<Change>) {
    let Some(talk) = talk else {
        changes.push(Change::ThreadGone);
        return;
    };
    let Some(premise) = &action.premises.thread else { return };
    // To resolve what is resolved, and to open what is open, is done already: no change to tell.
    let aims = match action.payload {
        Payload::ResolveThread { .. } => Some(true),
        Payload::UnresolveThread { .. } => Some(false),
        _ => None,
    };
    if let (Some(was), Some(is)) = (premise.resolved, talk.resolved)
        && was != is
        && aims != Some(is)
    {
        changes.push(if is { Change::ThreadResolved } else { Change::ThreadReopened });
    }
    let Some(last) = &premise.last_comment else { return };
    match talk.said.iter().position(|it| it.id.as_ref() == Some(last)) {
        None => changes.push(Change::CommentGone),
        Some(at) => {
            let count = talk.said[at + 1..].iter().filter(|it| it.ours.is_none()).count();
            if count > 0 {
                changes.push(Change::NewComments { count });
            }
        }
    }
}

fn rights(action: &Action, sight: &Sight, changes: &mut Vec<Change>) {
    let kind = action.payload.kind();
    let talk = action.payload.thread().and_then(|id| sight.talks.iter().find(|it| it.id == *id));
    let refused = |allowed: Option<bool>| allowed == Some(false);
    let not = |what: &str| Change::NotAllowed { what: what.to_owned() };
    match kind {
        Kind::ThreadReply if talk.is_some_and(|it| refused(it.can_reply)) => {
            changes.push(if sight.locked { Change::Locked } else { not("reply") });
        }
        Kind::ResolveThread if talk.is_some_and(|it| refused(it.can_resolve)) => {
            changes.push(not("resolve"));
        }
        Kind::UnresolveThread if talk.is_some_and(|it| refused(it.can_unresolve)) => {
            changes.push(not("reopen"));
        }
        Kind::SubmitReview if sight.is_own() && is_verdict(&action.payload) => {
            changes.push(Change::OwnPullRequest);
        }
        _ => {}
    }
    // Another review of the same account stops every post that would make one.
    let makes_review = matches!(kind, Kind::ThreadReply | Kind::InlineComment | Kind::SubmitReview);
    if let Some(pending) = &sight.pending
        && makes_review
        && action.payload.joins() != Some(&pending.id)
    {
        changes.push(Change::PendingReview { id: pending.id.clone(), empty: pending.empty });
    }
}

/// Approving and asking for changes judge; a comment does not.
fn is_verdict(payload: &Payload) -> bool {
    use crate::outbox::action::Verdict;
    matches!(payload, Payload::SubmitReview { event, .. } if *event != Verdict::Comment)
}

impl Change {
    /// In words, for people.
    pub fn words(&self) -> String {
        let short = |it: &Option<String>| {
            it.as_deref().map_or_else(|| "?".to_owned(), |it| it.chars().take(7).collect())
        };
        match self {
            Self::Edited => "it was edited after it was approved".into(),
            Self::HeadMoved { from, to } => {
                format!("the head moved from {} to {}", short(from), short(to))
            }
            Self::BaseMoved { from, to } => {
                format!("the base moved from {} to {}", short(from), short(to))
            }
            Self::Closed { state } => format!("the pull request is {state}"),
            Self::Locked => "the conversation is locked".into(),
            Self::ThreadGone => "the thread is gone".into(),
            Self::ThreadResolved => "the thread was resolved".into(),
            Self::ThreadReopened => "the thread was opened again".into(),
            Self::NewComments { count: 1 } => "there is 1 new comment".into(),
            Self::NewComments { count } => format!("there are {count} new comments"),
            Self::CommentGone => "the last comment that was read is gone".into(),
            Self::PendingReview { empty: true, .. } => {
                "an empty draft review of this account is open".into()
            }
            Self::PendingReview { .. } => "a draft review of this account is open".into(),
            Self::NotAllowed { what } => format!("this account may not {what} here"),
            Self::FirstIsGone => "what had to be posted first will not be".into(),
            Self::OwnPullRequest => "one's own pull request can only be commented on".into(),
        }
    }

    /// Whether going on in spite of it can work. GitHub refuses the others whatever we wish.
    pub fn can_be_released(&self) -> bool {
        matches!(
            self,
            Self::Edited
                | Self::HeadMoved { .. }
                | Self::BaseMoved { .. }
                | Self::ThreadResolved
                | Self::ThreadReopened
                | Self::NewComments { .. }
                | Self::CommentGone
        )
    }
}
