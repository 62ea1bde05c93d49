//! What came of one request that writes: landed, refused, put off, never sent, or unknown.
//! Must not classify answers itself; `forge` knows what GitHub means.

use crate::domain::{capture::Id, text::outside::Outside};
use serde::{Deserialize, Serialize};

/// The end of one attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It is there.
    Landed(Receipt),
    /// It is not there, and GitHub said why.
    Refused { class: Class, says: Outside },
    /// It is not there: a limit. Nothing is sent before the pause (ms) is over; none was named
    /// when it is `None`.
    Limited { pause: Option<u64> },
    /// It never left: no connection could be made.
    NotSent { why: String },
    /// Nobody knows: the answer was late, lost, cut, unreadable, or a 5xx.
    Unknown { why: String },
}

/// What GitHub gave back for something that landed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
    /// The comment, review or thread, as REST numbers it where it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Id>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// For a resolve: whether the thread is resolved now. An OK may come with a thread that is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolved: Option<bool>,
}

/// Why something was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// 401: nothing more is tried with this token.
    Auth,
    /// 403: this account may not do this.
    Permission,
    /// 422 and its like: these words, there, will never be taken.
    Invalid,
    /// Not permitted, and nothing is lost by it: an app that may not resolve.
    Advisory,
}

impl Class {
    pub fn name(self) -> &'static str {
        match self {
            Self::Auth => "auth",
            Self::Permission => "permission",
            Self::Invalid => "invalid",
            Self::Advisory => "advisory",
        }
    }
}
