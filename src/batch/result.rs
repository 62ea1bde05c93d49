//! What came of the targets, and the JSON document of it.
//! Must not print. Field names are the contract of `docs/CLI.md`.

use crate::batch::document;
use crate::domain::capture::{Capture, Extent};
use crate::driver::{report::Outcome, settings::Target};
use crate::failure::{Failure, Kind};
use crate::summary::discussion::{Discussion, Status, Usage};
use crate::task::{
    phase::{Phase, PhaseStatus},
    state::{State, TaskReport},
};
use crate::telemetry::scrub::without_credentials;
use serde::Serialize;
use serde_json::{Value, json};
use std::{path::PathBuf, sync::Arc};

/// What came of one target.
#[derive(Debug)]
pub struct TargetResult {
    /// As the person named it.
    pub target: String,
    pub capture: Option<Arc<Capture>>,
    pub root: Option<PathBuf>,
    pub run: Option<String>,
    pub phases: Vec<(Phase, PhaseStatus)>,
    pub tasks: Vec<TaskReport>,
    pub discussion: Option<Arc<Discussion>>,
    pub usage: Usage,
    pub failure: Option<Failure>,
}

/// Threads of a target by the status of their summaries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Threads {
    pub total: u64,
    pub settled: u64,
    pub unresolved: u64,
    pub noted: u64,
    /// Beyond a budget or left out on purpose.
    pub omitted: u64,
}

impl TargetResult {
    /// A target that never reached the driver.
    pub fn failed(name: &str, failure: Failure) -> Self {
        Self {
            target: name.to_owned(),
            capture: None,
            root: None,
            run: None,
            phases: Vec::new(),
            tasks: Vec::new(),
            discussion: None,
            usage: Usage::default(),
            failure: Some(failure),
        }
    }

    /// What the driver left behind.
    pub fn of(target: &Target, outcome: Outcome) -> Self {
        let failed = outcome.error.map(Failure::from).or_else(|| failed_work(&outcome.tasks));
        Self {
            target: target.label.clone(),
            capture: Some(target.capture.clone()),
            root: Some(outcome.root).filter(|it| !it.as_os_str().is_empty()),
            run: outcome.run,
            phases: outcome.phases,
            tasks: outcome.tasks,
            discussion: outcome.discussion,
            usage: outcome.usage,
            failure: failed,
        }
    }

    /// Why the target does not count as done.
    pub fn kind(&self) -> Option<Kind> {
        self.failure.as_ref().map(|it| it.kind)
    }

    /// Counts of its threads.
    pub fn threads(&self) -> Threads {
        let total = self.capture.as_ref().map_or(0, |it| it.review_threads.len() as u64);
        let Some(discussion) = &self.discussion else {
            return Threads { total, ..Threads::default() };
        };
        let count = |status: Status| {
            discussion.threads.iter().filter(|it| it.status == status).count() as u64
        };
        let omitted = if discussion.pinned { total } else { discussion.omitted.threads_omitted };
        Threads {
            total,
            settled: count(Status::Settled),
            unresolved: count(Status::Unresolved),
            noted: count(Status::Noted),
            omitted,
        }
    }

    fn json(&self) -> Value {
        let mut value = json!({
            "target": self.target,
            "root": self.root.as_ref().map(|it| it.to_string_lossy()),
            "run": self.run,
            "phases": self.phases.iter().map(|(phase, status)| phase_json(*phase, status)).collect::<Vec<_>>(),
            "threads": self.threads(),
            "actions": { "planned": 0, "approved": 0, "posted": 0, "held": 0, "unknown": 0, "failed": 0 },
            "findings": [],
            "completeness": self.capture.as_deref().map(completeness),
            "usage": self.usage,
        });
        if let Some(failure) = &self.failure {
            value["error"] = without_credentials(&failure.cause).into();
            value["hints"] = failure.hints.clone().into();
            value["exit"] = failure.kind.exit_code().into();
        }
        value
    }
}

/// A task that failed without ending the run still makes the command fail.
fn failed_work(tasks: &[TaskReport]) -> Option<Failure> {
    tasks.iter().find_map(|task| match &task.state {
        State::FailedIsolated { error }
        | State::FailedBlocking { error }
        | State::OverBudget { error } => {
            Some(Failure::new(Kind::Failed, format!("{}: {error}", task.task_id)))
        }
        _ => None,
    })
}

/// A phase as JSON: its name, its status, and the reason where there is one.
pub fn phase_json(phase: Phase, status: &PhaseStatus) -> Value {
    let mut value = json!({ "phase": phase.name(), "status": status.word() });
    if let Some(reason) = reason(status) {
        value["reason"] = reason.into();
    }
    value
}

/// Why a phase stands where it stands, if its status says so.
pub fn reason(status: &PhaseStatus) -> Option<&str> {
    match status {
        PhaseStatus::Skipped { reason }
        | PhaseStatus::Held { reason }
        | PhaseStatus::Failed { reason } => Some(reason),
        _ => None,
    }
}

/// How much of each list the export holds.
fn completeness(capture: &Capture) -> Value {
    let lists = &capture.completeness;
    json!({
        "files": extent(&lists.files, capture.files.as_ref().map(Vec::len)),
        "issue_comments": extent(&lists.issue_comments, Some(capture.issue_comments.len())),
        "review_threads": extent(&lists.review_threads, Some(capture.review_threads.len())),
        "reviews": extent(&lists.reviews, Some(capture.reviews.len())),
    })
}

fn extent(said: &Extent, here: Option<usize>) -> Value {
    let fetched = here.map(|it| it as u64).or(said.fetched);
    let total = said.total.or(fetched);
    json!({ "fetched": fetched, "total": total, "truncated": fetched < total })
}

/// The document of the whole command.
pub fn document(code: u8, results: &[TargetResult]) -> String {
    let targets: Vec<Value> = results.iter().map(TargetResult::json).collect();
    let document = json!({ "ok": code == 0, "exit": code, "targets": targets });
    document::of(&document)
}

/// The document of a command that a signal stopped before it had results.
pub fn stopped(code: u8) -> String {
    let error = "stopped by a signal; run the same command again to go on";
    let document = json!({ "ok": false, "exit": code, "error": error, "targets": [] });
    document::of(&document)
}

/// The document of a command that could not start.
pub fn refusal(failure: &Failure) -> String {
    let document = json!({
        "ok": false,
        "exit": failure.kind.exit_code(),
        "error": without_credentials(&failure.cause),
        "hints": failure.hints,
        "targets": [],
    });
    document::of(&document)
}
