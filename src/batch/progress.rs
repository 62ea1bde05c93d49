//! Progress: a line an event on standard error, a bar where there is a terminal, a file of events.
//! Must not fail the work: a reader that went away is not told any more.

use crate::batch::{Request, event::Event, result::TargetResult};
use crate::driver::report::Report;
use crate::failure::{Failure, Kind};
use crate::task::{phase::PhaseStatus, state::State};
use crate::telemetry::{PROGRESS, clean};
use std::{
    fs::{File, OpenOptions},
    io::{self, IsTerminal as _, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

/// Cells of the bar.
const BAR: usize = 24;

/// Where progress of all targets goes.
pub struct Progress {
    quiet: bool,
    terminal: bool,
    state: Mutex<Sinks>,
}

struct Sinks {
    events: Option<(PathBuf, File)>,
    /// Why events were lost.
    lost: Option<io::Error>,
    total: usize,
    ended: usize,
    /// How far the task that spoke last is: `34/169`.
    step: String,
}

/// Hears the reports of one target.
pub struct Listener<'a> {
    progress: &'a Progress,
    target: &'a str,
    heard: Mutex<Heard>,
}

/// What a listener remembers of its target.
#[derive(Default)]
struct Heard {
    run: Option<String>,
    /// Task and attempt whose start was told; what follows while it runs are steps.
    started: Option<(String, u32)>,
}

impl Progress {
    /// Opens what was asked for; nothing has been done yet when that fails.
    pub fn start(request: &Request) -> Result<Self, Failure> {
        let events = request.events.as_deref().map(create).transpose()?;
        let total = request.targets.len();
        Ok(Self {
            quiet: request.quiet,
            terminal: io::stderr().is_terminal(),
            state: Mutex::new(Sinks { events, lost: None, total, ended: 0, step: String::new() }),
        })
    }

    /// A listener for a target of that name.
    pub fn of<'a>(&'a self, target: &'a str) -> Listener<'a> {
        Listener { progress: self, target, heard: Mutex::default() }
    }

    /// A target is over.
    pub fn ended(&self, result: &TargetResult) {
        let code = result.kind().map_or(0, Kind::exit_code);
        let error = result.failure.as_ref().map(|it| it.cause.as_str());
        self.sinks().ended += 1;
        self.tell(&Event::ended(&result.target, code, error), result.run.as_deref());
    }

    /// Takes the bar away. Says whether events were lost on the way.
    pub fn finish(self) -> Option<Kind> {
        if self.terminal && !self.quiet {
            say("\r\u{1b}[K");
        }
        let sinks = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        let (Some(error), Some((path, _))) = (sinks.lost, sinks.events) else { return None };
        let what = format!("casefile: events could not be written to {}: {error}", path.display());
        say(&format!("{}\n", clean(&what)));
        Some(Kind::Disk)
    }

    fn sinks(&self) -> MutexGuard<'_, Sinks> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, event: &Event, run: Option<&str>) {
        let line = event.line();
        tracing::info!(target: PROGRESS, "{line}");
        let mut sinks = self.sinks();
        sinks.keep(event, run);
        if self.quiet {
            return;
        }
        let text = if event.is_step { String::new() } else { format!("{line}\n") };
        if self.terminal {
            sinks.step = event.step().unwrap_or_default();
            let bar = bar(sinks.ended, sinks.total, &sinks.step);
            say(&format!("\r\u{1b}[K{text}{bar}"));
        } else {
            say(&text);
        }
    }
}

impl Sinks {
    fn keep(&mut self, event: &Event, run: Option<&str>) {
        let Some((_, file)) = &mut self.events else { return };
        let at = format!("{:.3}", jiff::Timestamp::now());
        if let Err(error) = file.write_all(event.object(&at, run).as_bytes()) {
            self.lost.get_or_insert(error);
        }
    }
}

impl Listener<'_> {
    /// Passes a report on.
    pub fn hear(&self, report: &Report) {
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        if let Report::Began { run, .. } = report {
            heard.run.clone_from(run);
        }
        let is_step = heard.is_step(report);
        if let Some(mut event) = Event::of(report, self.target) {
            event.is_step = is_step;
            self.progress.tell(&event, heard.run.as_deref());
        }
    }
}

impl Heard {
    /// Whether a report only says how far something is that was told to have started.
    fn is_step(&mut self, report: &Report) -> bool {
        match report {
            Report::Task { task, .. } if matches!(task.state, State::Running { .. }) => {
                let now = Some((task.task_id.clone(), task.attempt));
                std::mem::replace(&mut self.started, now.clone()) == now
            }
            Report::Phase { status: PhaseStatus::Running { done, .. }, .. } => *done > 0,
            _ => false,
        }
    }
}

fn create(path: &Path) -> Result<(PathBuf, File), Failure> {
    let mut how = OpenOptions::new();
    let file = how.write(true).create(true).truncate(true).mode(0o600).open(path);
    file.map(|it| (path.to_owned(), it)).map_err(|error| {
        let cause = format!("the events file {} could not be opened: {error}", path.display());
        Failure::new(Kind::Disk, cause)
    })
}

/// `[####....] 1/2 targets 34/169`.
fn bar(ended: usize, total: usize, step: &str) -> String {
    let full = (ended * BAR).checked_div(total).unwrap_or(BAR);
    format!("[{}{}] {ended}/{total} targets {step}", "#".repeat(full), ".".repeat(BAR - full))
}

/// One write, so that lines of several threads never mix.
fn say(text: &str) {
    // Nobody is left to be told when standard error is closed.
    let _ = io::stderr().lock().write_all(text.as_bytes());
}
