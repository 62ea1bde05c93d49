//! What a person, a file or a rule decides about an action, and which event that is.
//! Must not take a decision for other bytes than the ones that were decided on.

use crate::domain::digest::Digest;
use crate::outbox::{
    action::{Payload, Premises},
    premise::Change,
    state::{By, Event, Standing, State},
};
use serde::{Deserialize, Serialize};

/// A decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    Approve,
    Reject,
    /// A held one goes on in spite of what changed.
    Release,
    /// A failed one is tried again.
    Retry,
    /// An unknown one is sent again: somebody saw that it is not there.
    SendAgain,
    /// An unknown one is given up.
    Drop,
    /// Other words or another place; it needs approval again.
    Edit {
        payload: Payload,
        premises: Premises,
    },
}

impl Decision {
    /// Every decision that is one word.
    pub const WORDS: [Self; 6] =
        [Self::Approve, Self::Reject, Self::Release, Self::Retry, Self::SendAgain, Self::Drop];

    /// The name in files of decisions.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Approve => "approve",
            Self::Reject => "reject",
            Self::Release => "release",
            Self::Retry => "retry",
            Self::SendAgain => "send_again",
            Self::Drop => "drop",
            Self::Edit { .. } => "edit",
        }
    }

    /// The event it is for an action as it stands, or why it makes no sense there.
    pub fn event(&self, standing: &Standing, by: By) -> Result<Event, String> {
        let event = match self {
            Self::Approve => Event::Approved { by, digest: standing.action.digest() },
            Self::Reject => Event::Rejected { by },
            Self::Release => return release(standing, by),
            Self::Retry => Event::Retried { by },
            Self::SendAgain => Event::SentAgain { by },
            Self::Drop => Event::Dropped { by },
            Self::Edit { payload, premises } => {
                if standing.doubt {
                    return Err("a request with the old words may have landed; look first, then \
                                plan the new words as an action of their own"
                        .to_owned());
                }
                Event::Edited { payload: payload.clone(), premises: premises.clone() }
            }
        };
        standing.clone().step(&event).map_err(|it| it.to_string())?;
        Ok(event)
    }

    /// What makes sense for an action as it stands, in the order of usefulness.
    pub fn of(standing: &Standing) -> Vec<Self> {
        let fits = |it: &Self| it.event(standing, By::Person).is_ok();
        Self::WORDS.into_iter().filter(fits).collect()
    }
}

fn release(standing: &Standing, by: By) -> Result<Event, String> {
    let State::Held { changes, now } = &standing.state else {
        return Err(format!("it is {}, not held", standing.state.name()));
    };
    if let Some(firm) = changes.iter().find(|it| !it.can_be_released()) {
        return Err(format!("{}: going on would be refused", firm.words()));
    }
    let moved = changes.iter().any(|it| matches!(it, Change::HeadMoved { .. }));
    if moved && standing.action.payload.spot().is_some_and(|it| it.lines.is_some()) {
        return Err(
            "the head moved and its line may be another one now; refresh and move it with \
                    an edit"
                .to_owned(),
        );
    }
    let digest = digest_with(standing, now);
    Ok(Event::Released { by, premises: now.clone(), digest })
}

/// The digest of an action as it stands, but for its premises.
fn digest_with(standing: &Standing, premises: &Premises) -> Digest {
    let mut action = standing.action.clone();
    action.premises = premises.clone();
    action.digest()
}
