//! Runs without a screen: several targets, progress on standard error, one result on standard
//! output. Must not post anything that nobody approved, and must not mix progress into results.

pub mod document;
pub mod event;
pub mod lanes;
pub mod progress;
pub mod readable;
pub mod result;
pub mod signals;
pub mod work;

use crate::batch::{progress::Progress, result::TargetResult, signals::Signals};
use crate::driver::{
    live::Source,
    settings::{Settings, Target},
};
use crate::failure::{Failure, Kind, exit_code};
use std::{
    io::{self, Write},
    path::PathBuf,
};

/// What to do, and how to tell.
#[derive(Debug, Clone)]
pub struct Request {
    /// As named on the command line, in that order.
    pub targets: Vec<String>,
    /// The one target, when it needs no reading any more (`--resume RUN`).
    pub ready: Option<Target>,
    pub settings: Settings,
    /// Where live pull requests come from.
    pub source: Source,
    pub json: bool,
    /// No progress on standard error.
    pub quiet: bool,
    /// `--events FILE`.
    pub events: Option<PathBuf>,
    /// How many targets are worked on at the same time.
    pub side_by_side: usize,
}

/// Works on all targets and prints the result. Answers the exit code; a failure is returned only
/// when nothing could be started.
pub fn run(request: &Request) -> Result<u8, Failure> {
    if request.targets.is_empty() {
        return Err(Failure::new(Kind::Usage, "--batch needs at least one target")
            .hint("name capture files, or `@-` to read names from standard input"));
    }
    let json = request.json;
    let signals = Signals::watch(move |code| stopped(json, code));
    let progress = Progress::start(request)?;
    let results = lanes::run(request, &progress, &signals);
    let lost = progress.finish();
    if !signals.tell() {
        // A signal is telling the result and ends the process.
        loop {
            std::thread::park();
        }
    }
    let mut code = exit_code(results.iter().filter_map(TargetResult::kind).chain(lost));
    if let Some(signal) = signals.received() {
        code = signals::exit_code(signal);
    }
    print(&rendered(request.json, code, &results))?;
    Ok(code)
}

fn rendered(json: bool, code: u8, results: &[TargetResult]) -> String {
    if json { result::document(code, results) } else { readable::report(results) }
}

/// The result of a command that a signal stopped while it was still reading its targets.
fn stopped(json: bool, code: u8) {
    if json {
        // The exit code says it even when nobody reads the document.
        let _ = print(&result::stopped(code));
    }
}

/// Writes a result to standard output. A reader that went away has read enough.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::new(
            Kind::Disk,
            format!("the result could not be written to standard output: {error}"),
        )),
        _ => Ok(()),
    }
}
