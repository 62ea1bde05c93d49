//! Drives `driver::run` on capture documents and collects what it reported.

use casefile::{
    domain::capture::Capture,
    driver::{
        self,
        report::{Cancel, Op, Outcome, Report},
        settings::{Artifacts, Settings, Target},
    },
    summary::discussion::Discussion,
    task::state::{State, TaskReport},
};
use std::{
    path::Path,
    sync::{Arc, Mutex},
};

/// What one run did.
pub(crate) struct Drive {
    pub(crate) outcome: Outcome,
    pub(crate) tasks: Vec<(Op, TaskReport)>,
    pub(crate) notices: Vec<String>,
}

/// A target from the bytes of a capture file.
pub(crate) fn target(document: &[u8]) -> Target {
    let capture: Capture = serde_json::from_slice(document).expect("a capture");
    Target {
        label: "test".into(),
        document: Arc::new(document.to_vec()),
        capture: Arc::new(capture),
    }
}

/// Settings with a caller-owned root below `folder` and no run.
pub(crate) fn owned(folder: &Path) -> Settings {
    let mut settings = Settings::new(folder.join("home"));
    settings.artifacts = Some(Artifacts { dir: folder.join("root"), several: false });
    settings.until = Some(casefile::task::phase::Phase::Dossier);
    settings
}

/// Runs the phases.
pub(crate) fn drive(target: &Target, settings: &Settings) -> Drive {
    drive_until(target, settings, &Cancel::default(), |_| ())
}

/// Runs the phases; `watch` sees every report.
pub(crate) fn drive_until(
    target: &Target,
    settings: &Settings,
    cancel: &Cancel,
    watch: impl Fn(&Report) + Sync,
) -> Drive {
    let reports = Mutex::new(Vec::new());
    let outcome = driver::run(
        target,
        settings,
        &|it| {
            watch(&it);
            reports.lock().expect("no report panics").push(it);
        },
        cancel,
    );
    let (mut tasks, mut notices) = (Vec::new(), Vec::new());
    for report in reports.into_inner().expect("no report panics") {
        match report {
            Report::Task { op, task } => tasks.push((op, *task)),
            Report::Notice(text) => notices.push(text),
            _ => (),
        }
    }
    Drive { outcome, tasks, notices }
}

impl Drive {
    /// Whether the summary was made, or taken from an earlier run; panics when the run failed.
    pub(crate) fn ran(&self) -> bool {
        let error = &self.outcome.error;
        assert!(error.is_none(), "the run failed: {error:?}");
        let (op, task) = self.tasks.last().expect("a task was reported");
        match op {
            Op::Run => assert_eq!(task.state, State::Succeeded),
            _ => assert_eq!(task.state, State::Loaded),
        }
        *op == Op::Run
    }

    pub(crate) fn discussion(&self) -> &Discussion {
        self.outcome.discussion.as_ref().expect("a summary")
    }
}

/// The bytes of a file below a root.
pub(crate) fn bytes(folder: &Path, path: &str) -> Vec<u8> {
    let path = folder.join("root").join(path);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
