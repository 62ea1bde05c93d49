//! A planned action: what would be written where, what it rests on, and whose idea it was.
//! Must not hold its state (`state` does) or the markers of a post (`body` writes them).

use crate::domain::{
    capture::{Capture, Id},
    diff::Side,
    digest::{Digest, Fields},
    host,
    text::outside::Outside,
};
use crate::outbox::kind::Kind;
use serde::{Deserialize, Serialize};

/// The pull request an action is for.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Target {
    pub host: String,
    pub owner: String,
    pub repository: String,
    pub number: u64,
}

/// An action's name in the ledger and in its marker: `a` and hex digits, nothing a marker could be
/// broken by.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ActionId(String);

/// Something that would be written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Action {
    pub id: ActionId,
    pub target: Target,
    pub payload: Payload,
    pub premises: Premises,
    pub origin: Origin,
    /// Why it was planned, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<Outside>,
    /// The action that must be posted before this one: a resolve waits for its reply, a dismissal
    /// for the approval it takes back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<ActionId>,
    /// The run it came from, for the mark that other tools read. Nothing that would break a mark.
    #[serde(default)]
    pub run: String,
}

/// What is written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Payload {
    ThreadReply {
        thread: Id,
        /// The REST id of the thread's first comment, where it is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        root: Option<Id>,
        body: Outside,
        /// The pending review it is added to, by the person's choice.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        joins: Option<Id>,
    },
    ResolveThread {
        thread: Id,
    },
    UnresolveThread {
        thread: Id,
    },
    InlineComment {
        spot: Spot,
        body: Outside,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        joins: Option<Id>,
    },
    /// A top-level comment.
    IssueComment {
        body: Outside,
    },
    SubmitReview {
        event: Verdict,
        body: Outside,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        joins: Option<Id>,
    },
    /// Our own pending review that a crash left behind, with nothing in it.
    DeletePendingReview {
        review: Id,
    },
    /// A second copy of something we posted.
    DeleteOwnComment {
        comment: Id,
        /// Whether it stands in a thread.
        inline: bool,
    },
    /// Takes back an approval that landed on a head nobody approved. Approved together with it.
    DismissOwnReview {
        message: Outside,
    },
}

/// What a review says of the whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Verdict {
    Comment,
    Approve,
    RequestChanges,
}

/// Where in the diff a comment goes.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Spot {
    pub path: Outside,
    /// `None`: the file as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<Lines>,
}

/// One line of a side, or a range that ends there. Lines count from 1 in the file of their side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Lines {
    pub side: At,
    pub line: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Start>,
}

/// The first line of a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Start {
    pub side: At,
    pub line: u64,
}

/// A side as GitHub spells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum At {
    Left,
    Right,
}

/// What must still be so when an action is sent. Part of what is approved.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Premises {
    #[serde(default)]
    pub head: Option<String>,
    #[serde(default)]
    pub base: Option<String>,
    /// For what is said or done in a thread.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread: Option<ThreadPremise>,
}

/// A thread as it was read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThreadPremise {
    pub resolved: Option<bool>,
    /// Its last comment. What comes after it was not read, unless it is a verified post of ours.
    pub last_comment: Option<Id>,
}

/// Whose words they are. What a model wrote is made harmless before it is posted, what a person
/// typed stays as typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    Person,
    Model,
    /// casefile itself, to mend something.
    Repair,
}

impl Target {
    /// The pull request a capture is of.
    pub fn of(capture: &Capture) -> Option<Self> {
        let (owner, repository) = capture.repository.split_once('/')?;
        Some(Self {
            host: host::normal(capture.host()),
            owner: owner.to_owned(),
            repository: repository.to_owned(),
            number: capture.pull_request.number,
        })
    }

    /// Its one name in the ledger: `host/owner/repository#number`, in small letters, since GitHub
    /// does not tell cases apart.
    pub fn key(&self) -> String {
        let name = format!("{}/{}/{}", self.host, self.owner, self.repository).to_lowercase();
        format!("{name}#{}", self.number)
    }
}

impl ActionId {
    /// An id from any text that tells it from others: its digest's first digits.
    pub fn from_seed(seed: &str) -> Self {
        let digest = Digest::of(seed);
        Self(format!("a{}", digest.as_str().get(..15).unwrap_or_default()))
    }

    /// A name as it stands in a marker or a file, if it can be one of ours.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('a')?;
        let fits = digits.len() == 15 && digits.bytes().all(|it| it.is_ascii_hexdigit());
        (fits && text == text.to_ascii_lowercase()).then(|| Self(text.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for ActionId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl Payload {
    pub fn kind(&self) -> Kind {
        match self {
            Self::ThreadReply { .. } => Kind::ThreadReply,
            Self::ResolveThread { .. } => Kind::ResolveThread,
            Self::UnresolveThread { .. } => Kind::UnresolveThread,
            Self::InlineComment { .. } => Kind::InlineComment,
            Self::IssueComment { .. } => Kind::IssueComment,
            Self::SubmitReview { .. } => Kind::SubmitReview,
            Self::DeletePendingReview { .. } => Kind::DeletePendingReview,
            Self::DeleteOwnComment { .. } => Kind::DeleteOwnComment,
            Self::DismissOwnReview { .. } => Kind::DismissOwnReview,
        }
    }

    /// The thread it is about.
    pub fn thread(&self) -> Option<&Id> {
        match self {
            Self::ThreadReply { thread, .. }
            | Self::ResolveThread { thread }
            | Self::UnresolveThread { thread } => Some(thread),
            _ => None,
        }
    }

    /// What it says, before markers and cuts.
    pub fn body(&self) -> Option<&Outside> {
        match self {
            Self::ThreadReply { body, .. }
            | Self::InlineComment { body, .. }
            | Self::IssueComment { body }
            | Self::SubmitReview { body, .. } => Some(body),
            Self::DismissOwnReview { message } => Some(message),
            _ => None,
        }
    }

    /// The same with other words. Kinds without words stay as they are.
    #[must_use]
    pub fn with_body(mut self, words: Outside) -> Self {
        if let Self::ThreadReply { body, .. }
        | Self::InlineComment { body, .. }
        | Self::IssueComment { body }
        | Self::SubmitReview { body, .. }
        | Self::DismissOwnReview { message: body } = &mut self
        {
            *body = words;
        }
        self
    }

    /// The pending review it is added to.
    pub fn joins(&self) -> Option<&Id> {
        match self {
            Self::ThreadReply { joins, .. }
            | Self::InlineComment { joins, .. }
            | Self::SubmitReview { joins, .. } => joins.as_ref(),
            _ => None,
        }
    }

    /// Where in the diff it goes.
    pub fn spot(&self) -> Option<&Spot> {
        match self {
            Self::InlineComment { spot, .. } => Some(spot),
            _ => None,
        }
    }
}

impl Verdict {
    /// As GitHub spells it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Comment => "COMMENT",
            Self::Approve => "APPROVE",
            Self::RequestChanges => "REQUEST_CHANGES",
        }
    }

    /// The state a submitted review of it is in.
    pub fn state(self) -> &'static str {
        match self {
            Self::Comment => "COMMENTED",
            Self::Approve => "APPROVED",
            Self::RequestChanges => "CHANGES_REQUESTED",
        }
    }
}

impl At {
    /// As GitHub spells it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Left => "LEFT",
            Self::Right => "RIGHT",
        }
    }
}

impl From<Side> for At {
    fn from(side: Side) -> Self {
        match side {
            Side::Left => Self::Left,
            Side::Right => Self::Right,
        }
    }
}

impl From<At> for Side {
    fn from(at: At) -> Self {
        match at {
            At::Left => Self::Left,
            At::Right => Self::Right,
        }
    }
}

impl Action {
    /// The digest of what would be written and where. The marker's MAC covers it.
    pub fn payload_digest(&self) -> Digest {
        Fields::default()
            .text("target", &self.target.key())
            .text("payload", &json(&self.payload))
            .text("origin", &json(&self.origin))
            .finish()
    }

    /// The digest an approval is for: exactly these words, there, resting on this.
    pub fn digest(&self) -> Digest {
        Fields::default()
            .text("payload", self.payload_digest().as_str())
            .text("premises", &json(&self.premises))
            .maybe("after", self.after.as_ref().map(ActionId::as_str))
            .finish()
    }
}

/// Field order is the declaration's, so the same value always gives the same text.
fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("plain values become JSON")
}
