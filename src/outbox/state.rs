//! The states of one action and the one function that moves it between them, live and on replay.
//! Must not know when a move is due: `pass` decides, people and policies ask.

use crate::domain::{digest::Digest, text::outside::Outside};
use crate::outbox::{
    action::{Action, Payload, Premises},
    outcome::{Class, Receipt},
    premise::Change,
};
use serde::{Deserialize, Serialize};

/// Where an action stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum State {
    /// Waits for a person or a policy.
    Planned,
    /// Planned by a dry run: shown, never sent.
    PlannedOnly,
    Rejected,
    Approved,
    /// Written before the request leaves. A process that finds it so after a crash does not know
    /// whether it left.
    Sending,
    Posted {
        receipt: Receipt,
    },
    Unknown {
        why: String,
        /// It was looked for until GitHub must have shown it; a person decides.
        needs_check: bool,
    },
    Held {
        changes: Vec<Change>,
        /// How things stood when it was held: what a release is for.
        #[serde(default)]
        now: Premises,
    },
    Failed {
        class: Class,
        says: Outside,
    },
    /// A later plan, or what happened meanwhile, made it needless.
    Superseded {
        why: String,
    },
}

/// Who decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "by", content = "rule", rename_all = "snake_case")]
pub enum By {
    /// By key, in the workbench.
    Person,
    /// A file of decisions.
    File,
    /// The command line's `--select`.
    Selection(String),
    /// A rule of the configuration.
    Policy(String),
}

/// Something that happened to an action.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// For exactly these bytes and premises.
    Approved {
        by: By,
        digest: Digest,
    },
    Rejected {
        by: By,
    },
    /// New words or a new place; whatever was approved is so no longer.
    Edited {
        payload: Payload,
        premises: Premises,
    },
    /// The request is about to leave. Attempts count from 1 without a gap.
    Sending {
        attempt: u32,
    },
    Landed {
        receipt: Receipt,
    },
    Refused {
        class: Class,
        says: Outside,
    },
    /// It did not leave, or a limit turned it back: as before.
    PutOff {
        why: String,
    },
    /// The answer was lost.
    Lost {
        why: String,
    },
    /// A look saw it on the pull request.
    Found {
        receipt: Receipt,
    },
    /// Looked for as long as GitHub may take to show it, and not seen.
    NotFound,
    /// Not seen, and doing it again changes nothing.
    Repeatable,
    /// A premise changed.
    Held {
        changes: Vec<Change>,
        #[serde(default)]
        now: Premises,
    },
    /// A person goes on with what changed; the new premises are what is approved now.
    Released {
        by: By,
        premises: Premises,
        digest: Digest,
    },
    /// A failed one is tried again.
    Retried {
        by: By,
    },
    /// An unknown one is sent again: a person saw that it is not there.
    SentAgain {
        by: By,
    },
    /// An unknown one is given up.
    Dropped {
        by: By,
    },
    Superseded {
        why: String,
    },
}

/// An action, where it stands, and how often it was sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    pub action: Action,
    pub state: State,
    /// Requests so far.
    pub attempt: u32,
    /// A request may have landed without a trace so far. Cleared when GitHub refused it.
    pub doubt: bool,
    /// The digest that was approved, and by whom.
    pub approval: Option<(By, Digest)>,
}

/// A move the table does not allow.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("an action that is {} cannot be {event}", .state.name())]
pub struct IllegalMove {
    pub state: State,
    pub event: &'static str,
}

impl Standing {
    /// A new action. A dry run's stays what it is.
    pub fn new(action: Action, dry_run: bool) -> Self {
        let state = if dry_run { State::PlannedOnly } else { State::Planned };
        Self { action, state, attempt: 0, doubt: false, approval: None }
    }

    /// Moves it, or says that the move is not allowed and changes nothing.
    pub fn step(&mut self, event: &Event) -> Result<(), IllegalMove> {
        let Some(next) = self.next(event) else {
            return Err(IllegalMove { state: self.state.clone(), event: event.name() });
        };
        match event {
            Event::Approved { by, digest } | Event::Released { by, digest, .. } => {
                self.approval = Some((by.clone(), digest.clone()));
            }
            Event::Edited { .. } | Event::Held { .. } | Event::Rejected { .. } => {
                self.approval = None;
            }
            Event::Sending { attempt } => {
                self.attempt = *attempt;
                self.doubt = true;
            }
            Event::Refused { .. } | Event::PutOff { .. } | Event::Repeatable => self.doubt = false,
            _ => {}
        }
        if let Event::Edited { payload, premises } = event {
            self.action.payload = payload.clone();
            self.action.premises = premises.clone();
        }
        if let Event::Released { premises, .. } = event {
            self.action.premises = premises.clone();
        }
        self.state = next;
        Ok(())
    }

    /// The state after an event, if the move is allowed from here.
    fn next(&self, event: &Event) -> Option<State> {
        use State as S;
        let next = match (&self.state, event) {
            (S::Planned, Event::Approved { digest, .. }) if *digest == self.action.digest() => {
                S::Approved
            }
            (S::Held { .. }, Event::Released { digest, premises, .. })
                if *digest == self.with(premises).digest() =>
            {
                S::Approved
            }
            (
                S::Planned | S::Approved | S::Held { .. } | S::Failed { .. },
                Event::Rejected { .. },
            ) => S::Rejected,
            (
                S::Planned | S::Approved | S::Held { .. } | S::Failed { .. } | S::Rejected,
                Event::Edited { payload, .. },
            ) if !self.doubt
                && (payload.kind() == self.action.payload.kind() || becomes(self, payload)) =>
            {
                S::Planned
            }
            (S::Approved, Event::Sending { attempt }) if *attempt == self.attempt + 1 => {
                if !self.is_approved() {
                    return None;
                }
                S::Sending
            }
            (S::Approved, Event::Held { changes, now }) if !changes.is_empty() => {
                S::Held { changes: changes.clone(), now: now.clone() }
            }
            (S::Approved | S::Sending, Event::Refused { class, says }) => {
                S::Failed { class: *class, says: says.clone() }
            }
            (S::Failed { .. }, Event::Retried { .. }) if self.is_approved() => S::Approved,
            (S::Failed { .. }, Event::Retried { .. }) => S::Planned,
            (state, Event::Superseded { why }) if !state.is_final() && *state != S::Sending => {
                S::Superseded { why: why.clone() }
            }
            _ => return self.after_sending(event),
        };
        Some(next)
    }

    /// The moves of what was sent, or may have been.
    fn after_sending(&self, event: &Event) -> Option<State> {
        use State as S;
        Some(match (&self.state, event) {
            (S::Sending, Event::Landed { receipt }) => S::Posted { receipt: receipt.clone() },
            (S::Sending, Event::PutOff { .. }) | (S::Unknown { .. }, Event::Repeatable) => {
                S::Approved
            }
            (S::Sending, Event::Lost { why }) => {
                S::Unknown { why: why.clone(), needs_check: false }
            }
            // Whatever we believed: what stands on the pull request is posted. Only what was never
            // sent cannot be there.
            (state, Event::Found { receipt }) if self.attempt > 0 && !state.is_posted() => {
                S::Posted { receipt: receipt.clone() }
            }
            (S::Unknown { why, .. }, Event::NotFound) => {
                S::Unknown { why: why.clone(), needs_check: true }
            }
            (S::Unknown { needs_check: true, .. }, Event::SentAgain { .. }) => S::Approved,
            (S::Unknown { .. }, Event::Dropped { .. }) => S::Rejected,
            _ => return None,
        })
    }

    /// Whether what is approved is what stands here.
    pub fn is_approved(&self) -> bool {
        self.approval.as_ref().is_some_and(|it| it.1 == self.action.digest())
    }

    fn with(&self, premises: &Premises) -> Action {
        Action { premises: premises.clone(), ..self.action.clone() }
    }
}

/// Whether an edit moves words to another kind of post: a comment on a line that GitHub will not
/// take becomes one on the file, or a part of the review.
fn becomes(standing: &Standing, payload: &Payload) -> bool {
    let free = |it: &Payload| {
        matches!(
            it,
            Payload::InlineComment { .. }
                | Payload::IssueComment { .. }
                | Payload::SubmitReview { .. }
        )
    };
    free(&standing.action.payload) && free(payload)
}

impl State {
    /// The name in the ledger and in reports.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Planned => "planned",
            Self::PlannedOnly => "planned_only",
            Self::Rejected => "rejected",
            Self::Approved => "approved",
            Self::Sending => "sending",
            Self::Posted { .. } => "posted",
            Self::Unknown { .. } => "unknown",
            Self::Held { .. } => "held",
            Self::Failed { .. } => "failed",
            Self::Superseded { .. } => "superseded",
        }
    }

    pub fn is_posted(&self) -> bool {
        matches!(self, Self::Posted { .. })
    }

    /// Whether nothing more can happen to it.
    pub fn is_final(&self) -> bool {
        matches!(self, Self::Posted { .. } | Self::Superseded { .. } | Self::PlannedOnly)
    }
}

impl Event {
    /// As a participle: an action cannot be *approved*.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Approved { .. } => "approved",
            Self::Rejected { .. } => "rejected",
            Self::Edited { .. } => "edited",
            Self::Sending { .. } => "sent",
            Self::Landed { .. } => "landed",
            Self::Refused { .. } => "refused",
            Self::PutOff { .. } => "put off",
            Self::Lost { .. } => "lost",
            Self::Found { .. } => "found",
            Self::NotFound => "given up looking for",
            Self::Repeatable => "made ready again",
            Self::Held { .. } => "held",
            Self::Released { .. } => "released",
            Self::Retried { .. } => "tried again",
            Self::SentAgain { .. } => "sent again",
            Self::Dropped { .. } => "dropped",
            Self::Superseded { .. } => "superseded",
        }
    }
}
