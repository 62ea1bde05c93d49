//! States of a task and the one function that says which moves are legal, live and on recovery.
//! Must not decide what to run next; the driver asks, the store records.

use serde::{Deserialize, Serialize};

/// Where a task stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum State {
    Queued,
    /// The attempt, counted from 1.
    Running {
        attempt: u32,
    },
    Succeeded,
    /// The same work was done before and its artifact verified.
    Loaded,
    FailedIsolated {
        error: String,
    },
    FailedBlocking {
        error: String,
    },
    Cancelled,
    /// Its process died; the next run takes it over.
    Interrupted,
    Skipped {
        reason: String,
    },
    OverBudget {
        error: String,
    },
}

impl State {
    /// The word used on screens, in progress lines and in JSON.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running { .. } => "running",
            Self::Succeeded => "succeeded",
            Self::Loaded => "loaded",
            Self::FailedIsolated { .. } => "failed_isolated",
            Self::FailedBlocking { .. } => "failed_blocking",
            Self::Cancelled => "cancelled",
            Self::Interrupted => "interrupted",
            Self::Skipped { .. } => "skipped",
            Self::OverBudget { .. } => "over_budget",
        }
    }

    /// Why, where there is a why.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::FailedIsolated { error }
            | Self::FailedBlocking { error }
            | Self::OverBudget { error } => Some(error),
            Self::Skipped { reason } => Some(reason),
            _ => None,
        }
    }
}

/// What screens and progress lines show of one task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TaskReport {
    pub task_id: String,
    pub phase: String,
    pub run: Option<String>,
    pub state: State,
    pub fingerprint: String,
    pub attempt: u32,
    /// Why the work runs or did not need to: `execute`, `reuse` or `resume`.
    pub source: Option<String>,
    pub engine: String,
    pub model: Option<String>,
    pub tokens_in: u64,
    pub tokens_out: u64,
    pub tokens_cached: u64,
    pub cost_usd: Option<f64>,
    pub elapsed_ms: u64,
    /// Done and all steps (threads), while running.
    pub progress: Option<(u64, u64)>,
    /// Which digest changed since the last finished artifact.
    pub stale: Option<String>,
    /// RFC 3339, UTC, when it started.
    pub started_at: Option<String>,
}
