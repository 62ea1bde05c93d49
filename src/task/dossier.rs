//! What the list of dossiers shows of one, and what `status` says about it.
//! Must not read anything; `driver` fills these, screens and `status` print them.

use crate::domain::text::outside::Outside;
use crate::task::{
    phase::{Phase, PhaseStatus},
    state::TaskReport,
};
use std::path::PathBuf;

/// One row of the home screen.
#[derive(Debug, Clone, PartialEq)]
pub struct DossierEntry {
    /// The artifact root.
    pub root: PathBuf,
    /// The newest capture in it, to open.
    pub capture: PathBuf,
    /// The forge's host; `None` for what came from no forge.
    pub host: Option<String>,
    /// `owner/name`, or the name of the local repository.
    pub repository: String,
    pub number: u64,
    pub title: Outside,
    pub author: Option<Outside>,
    /// As the forge says it: `OPEN`, `MERGED`…
    pub state: Option<Outside>,
    pub additions: u64,
    pub deletions: u64,
    /// RFC 3339, UTC: when the newest capture was taken, or was stored when it does not say.
    pub captured_at: Option<String>,
    pub threads: ThreadCounts,
    pub phases: Vec<(Phase, PhaseStatus)>,
}

/// Threads by the status of their summaries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ThreadCounts {
    pub total: u64,
    pub unresolved: u64,
    pub settled: u64,
    pub noted: u64,
    /// Threads without a summary yet.
    pub unsummarised: u64,
    /// Those of them the forge calls resolved.
    pub unsummarised_resolved: u64,
    /// Threads of any status the forge calls outdated.
    pub outdated: u64,
}

impl DossierEntry {
    /// The address of the pull request's page.
    pub fn page(&self) -> Option<String> {
        let host = self.host.as_deref().filter(|_| self.number > 0)?;
        Some(format!("https://{host}/{}/pull/{}", self.repository, self.number))
    }

    /// `owner/name#12`; a diff or a range of commits has no number.
    pub fn label(&self) -> String {
        match self.number {
            0 => self.repository.clone(),
            number => format!("{}#{number}", self.repository),
        }
    }
}

impl ThreadCounts {
    /// Threads that ask for something: by their summaries, and without one by the forge's flag, as
    /// the workbench counts them.
    pub fn open(&self) -> u64 {
        self.unresolved + self.unsummarised.saturating_sub(self.unsummarised_resolved)
    }
}

/// What `status` says about one dossier.
#[derive(Debug, Clone, PartialEq)]
pub struct DossierStatus {
    pub entry: DossierEntry,
    pub tasks: Vec<TaskStatus>,
}

/// What would happen to one task if the dossier were run now.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskStatus {
    /// How it last ended, or that it never ran.
    pub last: Option<TaskReport>,
    pub task_id: String,
    pub verdict: Verdict,
    /// Threads that would be summarised again, and all threads.
    pub threads: (u64, u64),
    /// Calls to an engine that costs money; 0 for the extractive engine.
    pub calls: u64,
    /// Upper bound of the tokens those calls would send.
    pub tokens: u64,
}

/// Whether the artifact still stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Same fingerprint, verified output: the next run loads it.
    Fresh,
    /// No artifact yet.
    Missing,
    /// Which digest changed, in words.
    Stale(String),
    /// Which file is damaged, and how.
    Damaged(String),
    /// The review is pinned: it would be skipped.
    Pinned,
}
