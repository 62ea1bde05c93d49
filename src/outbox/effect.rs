//! What goes into a posting pass and what comes out of it, as data.
//! Must not decide anything: `pass` does.

use crate::outbox::{
    action::ActionId,
    order::Order,
    outcome::{Class, Outcome},
    sight::Sight,
    state::{Event, Standing},
};

/// What the driver tells.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    Begin,
    Looked(Box<Sight>),
    /// A limit turned the look back; the pause that was named, ms.
    LookLimited {
        pause: Option<u64>,
    },
    /// No look, and none to hope for: sign-in, or the pull request is gone.
    LookRefused {
        class: Class,
        says: String,
    },
    LookFailed {
        why: String,
    },
    /// Every move of the last `Record` stands, on disk.
    Recorded,
    /// Somebody else moved these meanwhile: nothing of the last `Record` stands.
    Moved(Vec<Standing>),
    /// The ledger would not take it. Nothing may leave.
    NotRecorded {
        why: String,
    },
    Answered(Outcome),
    Woke,
    /// A person, a signal, or patience at its end.
    Cancelled,
}

/// What the driver does, and then tells.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    Look,
    /// All in one transaction, each only if the action still stands as it says.
    Record(Vec<Move>),
    Send(Order),
    /// Until this time, Unix ms. `limit`: GitHub asked for it, and nothing may be asked meanwhile.
    Wait {
        until: i64,
        limit: bool,
    },
    Done(Stop),
}

/// A move to record, and where the action must stand for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Move {
    pub id: ActionId,
    pub from: &'static str,
    pub attempt: u32,
    pub event: Event,
}

/// Why a pass ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// Nothing more can be done without a person.
    Finished,
    Cancelled,
    SignIn {
        says: String,
    },
    Unreachable {
        why: String,
    },
    /// The ledger.
    Disk {
        why: String,
    },
}
