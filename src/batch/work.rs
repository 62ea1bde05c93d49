//! One target: opened, handed to the driver, and what came of it.
//! Must not know about the other targets or about how results are printed.

use crate::batch::{progress::Progress, result::TargetResult, signals::Signals};
use crate::domain::capture::Capture;
use crate::driver::{
    self,
    live::{self, Source, Watch},
    report::{Cancel, DriverError},
    settings::{Settings, Target},
};
use crate::failure::{Failure, Kind};
use crate::forge::{
    self, Class, Document, ForgeError, Opened,
    github::{read::News, trouble},
    target::TargetSpec,
};
use std::{sync::Arc, time::Instant};

/// Reads a target by the name a person gave it. `tell` takes a sentence at a time: what is waited
/// for, and what is odd about what was read.
pub fn open(
    name: &str,
    source: &Source,
    tell: &(dyn Fn(String) + Sync),
    cancel: &Cancel,
) -> Result<Target, Failure> {
    let start = Instant::now();
    let opened = read(name, source, tell, cancel)?;
    let target = target(name, &opened)?;
    tracing::debug!(
        target = name,
        label = opened.label,
        bytes = target.document.len(),
        threads = target.capture.review_threads.len(),
        elapsed_ms = start.elapsed().as_millis() as u64,
        "opened"
    );
    Ok(target)
}

/// The same, before the driver's form is made of it.
pub fn read(
    name: &str,
    source: &Source,
    tell: &(dyn Fn(String) + Sync),
    cancel: &Cancel,
) -> Result<Opened, Failure> {
    let spec = TargetSpec::parse_at(name, &source.host);
    let TargetSpec::PullRequest(pull) = &spec else { return Ok(forge::open(&spec)?) };
    let hear = |news| {
        if let News::Waiting { pause, why } = news {
            tell(format!("{why}; waiting {}", trouble::shown(pause)));
        }
    };
    let cancelled = || cancel.is_cancelled();
    let watch = Watch { part: &|_, _| (), tell: &hear, cancelled: &cancelled };
    let read = live::open(pull, source, &watch)?;
    read.notices.into_iter().for_each(tell);
    Ok(read.opened)
}

/// What the driver takes, of a target that has been read.
pub fn target(name: &str, opened: &Opened) -> Result<Target, ForgeError> {
    let document = opened.document();
    // A diff has its files in the document only, and reports want all of them.
    let capture = match opened.document {
        Document::Derived => Arc::new(forge::capture_file::decode(name, &document)?),
        Document::Kept(_) => Arc::clone(&opened.capture),
    };
    Ok(Target { label: name.to_owned(), document, capture })
}

/// The same for the workbench, which has the diff already: a run asks of a patch only whether there
/// is one.
pub fn outline(opened: &Opened) -> Target {
    let (document, capture) = (opened.document(), opened.outline());
    Target { label: opened.label.clone(), document, capture }
}

/// What tells whether two targets are the same pull request: no two of them run side by side.
pub fn pull_request(target: &Target) -> String {
    let Capture { repository, pull_request, .. } = target.capture.as_ref();
    format!("{}/{}#{}", target.capture.host(), repository, pull_request.number).to_lowercase()
}

/// Runs the phases.
pub fn on(
    target: &Target,
    settings: &Settings,
    progress: &Progress,
    signals: &Signals,
) -> TargetResult {
    let listener = progress.of(&target.label);
    let hear = |report| listener.hear(&report);
    let outcome = signals.working(|cancel| driver::run(target, settings, &hear, cancel));
    TargetResult::of(target, outcome)
}

/// What is said of a fault of our own.
pub fn fault() -> Failure {
    Failure::new(Kind::Bug, "casefile ran into a fault of its own")
        .hint("please report it, with the target if you can share it; run it again with -v")
}

/// What stands for a target that was not reached before somebody stopped the command.
pub fn cancelled(name: &str) -> TargetResult {
    TargetResult::failed(name, DriverError::Cancelled.into())
}

impl From<ForgeError> for Failure {
    fn from(error: ForgeError) -> Self {
        let kind = match error.class() {
            Class::Input => Kind::Input,
            Class::Config => Kind::Config,
            Class::Unreachable => Kind::Unreachable,
            Class::Disk => Kind::Disk,
        };
        let failure = Self::new(kind, error.to_string());
        match error.hint() {
            Some(hint) => failure.hint(hint),
            None => failure,
        }
    }
}

impl From<DriverError> for Failure {
    fn from(error: DriverError) -> Self {
        let kind = match &error {
            DriverError::Disk(_) | DriverError::Ledger(_) => Kind::Disk,
            DriverError::Engine(_) => Kind::Config,
            DriverError::Usage(_) => Kind::Usage,
            DriverError::Input(_) => Kind::Input,
            DriverError::Task(_) | DriverError::OverBudget(_) | DriverError::Cancelled => {
                Kind::Failed
            }
        };
        Self::new(kind, error.to_string())
    }
}
