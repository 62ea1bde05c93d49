//! What a run says while it works, what it leaves behind, and how it is cancelled.
//! Must not print; `batch` writes lines from these, `tui` turns them into events.

use crate::{
    summary::discussion::{Discussion, Usage},
    task::{
        phase::{Phase, PhaseStatus},
        state::TaskReport,
    },
};
use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// One thing that happened. Reports arrive in order, on the thread that called `driver::run`.
#[derive(Debug, Clone)]
pub enum Report {
    /// The root is known; `run` is none when no run is allocated.
    Began {
        root: PathBuf,
        run: Option<String>,
    },
    Phase {
        phase: Phase,
        status: PhaseStatus,
    },
    /// Which operation the report belongs to, and where the task stands.
    Task {
        op: Op,
        task: Box<TaskReport>,
    },
    /// The summary is on disk.
    Summary(Arc<Discussion>),
    /// Something the person should know: a damaged artifact kept aside, work attached to.
    Notice(String),
}

/// What a progress line calls the operation (`op="…"`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Op {
    /// The work starts, goes on or ends here.
    Run,
    /// An earlier artifact was verified and taken.
    Load,
    /// Another process does the work; this one shows its progress.
    Attach,
}

impl Op {
    /// The value of the `op` field.
    pub fn name(self) -> &'static str {
        match self {
            Self::Run => "run_llm_task",
            Self::Load => "load_llm_task",
            Self::Attach => "attach_llm_task",
        }
    }
}

/// What a run leaves behind. A failed one still says how far it came.
#[derive(Debug)]
pub struct Outcome {
    /// The artifact root; empty when it could not even be named.
    pub root: PathBuf,
    pub run: Option<String>,
    /// Every phase up to the last one asked for, in order.
    pub phases: Vec<(Phase, PhaseStatus)>,
    pub tasks: Vec<TaskReport>,
    pub discussion: Option<Arc<Discussion>>,
    pub usage: Usage,
    pub error: Option<DriverError>,
}

/// Why a run ended early. The text says what happened, to what, and what to do next.
#[derive(Debug, thiserror::Error)]
pub enum DriverError {
    /// An artifact could not be written or read: exit code 74.
    #[error("{0}")]
    Disk(String),
    /// The ledger could not be opened or written: exit code 74.
    #[error("{0}")]
    Ledger(String),
    /// The named engine cannot be used: exit code 3.
    #[error("{0}")]
    Engine(String),
    /// The target cannot be worked on (for example, no run of that name): exit code 2.
    #[error("{0}")]
    Usage(String),
    /// The document does not decode: exit code 65.
    #[error("{0}")]
    Input(String),
    /// A blocking task failed, or the summary with `on_summary_failure = "fail"`: exit code 7.
    #[error("{0}")]
    Task(String),
    /// More bytes or calls were needed than allowed: exit code 7.
    #[error("{0}")]
    OverBudget(String),
    /// Somebody asked to stop: the run is resumable.
    #[error("cancelled; run the same command again to go on")]
    Cancelled,
}

/// A flag that asks a run to stop between steps. Cloned freely; all clones are one flag.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Asks the run to stop at its next step. Safe to call from a signal thread.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Whether somebody asked.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}
