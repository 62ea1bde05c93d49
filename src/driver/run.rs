//! The phases of a run, in order, on one target. Must not print or decide what a task does.

use crate::{
    driver::{
        attach, dossier, engines,
        journal::Journal,
        report::{Cancel, DriverError, Outcome, Report},
        settings::{Settings, Target},
        tasks::Desk,
    },
    store::{
        captures::{self, KeptCapture},
        error::StoreError,
        root::{self, Root},
    },
    summary::discussion::Usage,
    task::{
        phase::{Phase, PhaseStatus},
        state::State,
    },
};
use std::path::PathBuf;

/// One run on its way.
struct Run<'a> {
    target: &'a Target,
    settings: &'a Settings,
    report: &'a (dyn Fn(Report) + Sync),
    cancel: &'a Cancel,
    outcome: Outcome,
}

/// Runs the phases up to the last one asked for.
pub fn run(
    target: &Target,
    settings: &Settings,
    report: &(dyn Fn(Report) + Sync),
    cancel: &Cancel,
) -> Outcome {
    let outcome = Outcome {
        root: PathBuf::new(),
        run: None,
        phases: Vec::new(),
        tasks: Vec::new(),
        discussion: None,
        usage: Usage::default(),
        error: None,
    };
    let mut run = Run { target, settings, report, cancel, outcome };
    if let Err(error) = run.phases() {
        run.fail(error);
    }
    run.outcome
}

impl Run<'_> {
    fn phases(&mut self) -> Result<(), DriverError> {
        let until = self.settings.until.unwrap_or(Phase::Dossier);
        let all = Phase::ALL.into_iter().filter(|it| *it <= until);
        self.outcome.phases = all.map(|it| (it, PhaseStatus::Waiting)).collect();
        engines::check(&self.settings.engine)?;
        self.enter(Phase::Capture);
        let (root, kept) = self.capture()?;
        self.leave(Phase::Capture, PhaseStatus::Done);
        if until >= Phase::Gate {
            self.step()?;
            // The gate looks for reviews of ours, which nobody posts yet.
            let reason = "nothing to post".to_owned();
            self.leave(Phase::Gate, PhaseStatus::Skipped { reason });
        }
        if until >= Phase::Dossier {
            self.step()?;
            self.enter(Phase::Dossier);
            self.dossier(&root, &kept)?;
        }
        Ok(())
    }

    /// The capture is kept, and the root known.
    fn capture(&mut self) -> Result<(Root, KeptCapture), DriverError> {
        let root = open_root(self.target, self.settings)?;
        root.path().clone_into(&mut self.outcome.root);
        if !self.settings.has_run() {
            self.began(&root, None);
        }
        let kept = captures::keep(&root, &self.target.document, &self.target.capture)?;
        Ok((root, kept))
    }

    /// The dossier's lock, then the run, then the phase; the run's end is taken down whatever it is.
    fn dossier(&mut self, root: &Root, kept: &KeptCapture) -> Result<(), DriverError> {
        let folder = root.dossier()?;
        let Some(_lock) = attach::lock(&folder, root, self.settings, self.report, self.cancel)?
        else {
            return Err(DriverError::Cancelled);
        };
        let journal = self.allocate(root, kept)?;
        let done = self.dossier_in(root, kept, journal.as_ref());
        let Some(journal) = journal else { return done };
        let ended = journal.end(match &done {
            Ok(()) => "done",
            Err(DriverError::Cancelled) => "cancelled",
            Err(_) => "failed",
        });
        // What stopped the run matters more than that it could not be taken down.
        done.and(ended.map_err(DriverError::from))
    }

    fn allocate(
        &mut self,
        root: &Root,
        kept: &KeptCapture,
    ) -> Result<Option<Journal>, DriverError> {
        if !self.settings.has_run() {
            return Ok(None);
        }
        let (journal, notices) = Journal::open(root, kept, self.target, self.settings)?;
        for notice in notices {
            (self.report)(Report::Notice(notice));
        }
        self.began(root, Some(journal.run()));
        self.outcome.run = Some(journal.run().to_owned());
        Ok(Some(journal))
    }

    fn began(&self, root: &Root, run: Option<&str>) {
        (self.report)(Report::Began { root: root.path().to_owned(), run: run.map(Into::into) });
    }

    fn dossier_in(
        &mut self,
        root: &Root,
        kept: &KeptCapture,
        journal: Option<&Journal>,
    ) -> Result<(), DriverError> {
        let desk = Desk { report: self.report, cancel: self.cancel, journal };
        let made = dossier::run(root, kept, self.target, self.settings, &desk)?;
        if let Some(task) = made.task {
            // What was loaded cost nothing now.
            let ran = made.discussion.as_ref().filter(|_| task.state != State::Loaded);
            self.outcome.usage = ran.map_or_else(Usage::default, |it| it.provenance.usage);
            self.outcome.tasks.push(task);
        }
        self.outcome.discussion = made.discussion;
        self.leave(Phase::Dossier, made.status);
        made.error.map_or(Ok(()), Err)
    }

    fn step(&self) -> Result<(), DriverError> {
        if self.cancel.is_cancelled() { Err(DriverError::Cancelled) } else { Ok(()) }
    }

    fn enter(&mut self, phase: Phase) {
        self.leave(phase, PhaseStatus::Running { done: 0, total: 0 });
    }

    fn leave(&mut self, phase: Phase, status: PhaseStatus) {
        if let Some(it) = self.outcome.phases.iter_mut().find(|it| it.0 == phase) {
            it.1 = status.clone();
        }
        (self.report)(Report::Phase { phase, status });
    }

    /// The phase that was running, or the next one, carries the blame.
    fn fail(&mut self, error: DriverError) {
        let open = |it: &&(Phase, PhaseStatus)| {
            matches!(it.1, PhaseStatus::Running { .. } | PhaseStatus::Waiting)
        };
        if let Some((phase, _)) = self.outcome.phases.iter().find(open) {
            let status = match error {
                DriverError::Cancelled => PhaseStatus::Interrupted,
                _ => PhaseStatus::Failed { reason: error.to_string() },
            };
            self.leave(*phase, status);
        }
        self.outcome.error = Some(error);
    }
}

/// The root of a target, made when missing: below the data dir, or where the caller wants it.
pub fn open_root(target: &Target, settings: &Settings) -> Result<Root, StoreError> {
    match &settings.artifacts {
        Some(it) if it.several => Root::create(&it.dir, &root::place(&target.capture)),
        Some(it) => Root::create(&it.dir, &[]),
        None => {
            let parts = [vec!["dossiers".to_owned()], root::place(&target.capture)].concat();
            Root::create(&settings.home, &parts)
        }
    }
}

impl From<StoreError> for DriverError {
    fn from(error: StoreError) -> Self {
        let text = error.to_string();
        if error.is_ledger() { Self::Ledger(text) } else { Self::Disk(text) }
    }
}
