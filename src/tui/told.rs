//! What the driver tells, as the interface takes it. Must only read.

use crate::{
    app::event::{Dossier, Event, Phase, PhaseStatus, Request, RunReport},
    driver::{self, report::Report},
};
use std::path::Path;

/// The dossiers below a data dir. No action of any kind is planned by this version, so none waits.
pub fn dossiers(home: &Path) -> Vec<Dossier> {
    let entries = driver::dossiers(home).into_iter().map(|it| Dossier {
        target: it.capture.display().to_string(),
        label: it.label(),
        page: it.page(),
        title: it.title,
        author: it.author,
        additions: it.additions,
        deletions: it.deletions,
        state: it.state,
        unresolved: it.threads.open(),
        settled: it.threads.total.saturating_sub(it.threads.open()),
        outdated: it.threads.outdated,
        waiting: 0,
        phases: phases(
            it.phases.iter().map(|it| (it.0.name(), it.1.word(), it.1.reason(), it.1.progress())),
        ),
        captured_at: it.captured_at,
        problem: None,
    });
    entries.collect()
}

/// News of a run; what only a log wants is none.
pub fn event(request: Request, report: Report) -> Option<Event> {
    let report = match report {
        Report::Began { .. } => return None,
        Report::Phase { phase: it, status } => {
            let (word, reason) = (status.word(), status.reason());
            RunReport::Phase(phase((it.name(), word, reason, status.progress())))
        }
        Report::Task { task, .. } => RunReport::Task(task),
        Report::Summary(it) => RunReport::Summary(it),
        Report::Notice(it) => return Some(Event::Notice(it)),
    };
    Some(Event::Run { request, report })
}

/// A phase as the driver tells it: name, word of its status, reason, progress.
type Told<'a> = (&'a str, &'a str, Option<&'a str>, Option<(u64, u64)>);

fn phases<'a>(told: impl Iterator<Item = Told<'a>>) -> Vec<Phase> {
    told.map(phase).collect()
}

fn phase((name, word, reason, progress): Told<'_>) -> Phase {
    let status = match word {
        "running" => PhaseStatus::Running,
        "done" => PhaseStatus::Done,
        "loaded" => PhaseStatus::Loaded,
        "skipped" | "held" => PhaseStatus::Skipped,
        "failed" => PhaseStatus::Failed,
        "interrupted" => PhaseStatus::Interrupted,
        _ => PhaseStatus::Pending,
    };
    Phase { name: name.into(), status, reason: reason.map(Into::into), progress }
}
