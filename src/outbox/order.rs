//! What may be sent: the only value the forge's writing client takes, and nobody but the outbox
//! makes one. Must not be made anywhere else: it stands for an approved action that was just looked
//! for and recorded as `sending`.

use crate::domain::{capture::Id, text::outside::Outside};
use crate::outbox::action::{ActionId, Spot, Target, Verdict};

/// One request, ready to leave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    target: Target,
    /// The actions it carries out, each with the number of this attempt.
    actions: Vec<(ActionId, u32)>,
    call: Call,
}

/// What the request does. Bodies are final: marks, cuts and all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Call {
    /// `root` is the REST id of the thread's first comment, for hosts where GraphQL is away.
    Reply {
        thread: Id,
        root: Option<Id>,
        body: Outside,
        joins: Option<Id>,
    },
    Resolve {
        thread: Id,
    },
    Unresolve {
        thread: Id,
    },
    Remark {
        body: Outside,
    },
    /// One review with all its comments; `event` is `Comment` with an empty body where only
    /// comments were planned.
    Review {
        commit: Option<String>,
        event: Verdict,
        body: Outside,
        comments: Vec<(Spot, Outside)>,
    },
    /// A comment on a file as a whole: reviews do not take those.
    OnFile {
        commit: Option<String>,
        path: Outside,
        body: Outside,
    },
    /// A comment added to the person's open review.
    Draft {
        review: Id,
        spot: Spot,
        body: Outside,
    },
    /// Submits the person's open review.
    Submit {
        review: Id,
        event: Verdict,
        body: Outside,
    },
    DeleteReview {
        review: Id,
    },
    DeleteComment {
        comment: Id,
        inline: bool,
    },
    Dismiss {
        review: Id,
        message: Outside,
    },
}

impl Order {
    /// Only for the outbox.
    pub(in crate::outbox) fn new(
        target: Target,
        actions: Vec<(ActionId, u32)>,
        call: Call,
    ) -> Self {
        Self { target, actions, call }
    }

    pub fn target(&self) -> &Target {
        &self.target
    }

    pub fn actions(&self) -> &[(ActionId, u32)] {
        &self.actions
    }

    pub fn call(&self) -> &Call {
        &self.call
    }

    /// A name for the attempt, for logs and for whoever counts requests: the first action's id and
    /// the attempt's number.
    pub fn attempt(&self) -> String {
        self.actions.first().map_or_else(String::new, |(id, attempt)| format!("{id}.{attempt}"))
    }
}
