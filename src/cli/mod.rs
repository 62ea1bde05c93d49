//! The command line: flags in, one command run, an exit code out.
//! Must not review, summarise or draw; it hands over to `batch`, `tui` and `driver`.

pub mod access;
pub mod again;
pub mod args;
pub mod capture;
pub mod doctor;
pub mod lists;
pub mod export;
pub mod report;
pub mod settings;
pub mod since;
pub mod setup;
pub mod status;
pub mod targets;
pub mod workbench;

use crate::app::model::First;
use crate::batch::{self, Request};
use crate::cli::args::{Args, Command};
use crate::driver;
use crate::failure::{Failure, Kind};
use crate::telemetry::{self, Wanted};
use clap::Parser as _;
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    process::ExitCode,
};

/// Runs the command the process was started with.
pub fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => return report::usage(&error),
    };
    report::watch_panics();
    match catch_unwind(AssertUnwindSafe(|| run(&args))) {
        Ok(Ok(code)) => ExitCode::from(code),
        Ok(Err(failure)) => report::failure(&failure, args.common.json),
        Err(_) => report::failure(&batch::work::fault(), args.common.json),
    }
}

fn run(args: &Args) -> Result<u8, Failure> {
    let headless =
        args.batch.batch || args.command.as_ref().is_some_and(|it| !matches!(it, Command::Demo));
    telemetry::start(&Wanted {
        file: args.common.log_file.clone(),
        stderr: headless && args.common.verbose > 0,
        verbosity: args.common.verbose,
    })
    .map_err(|error| Failure::new(Kind::Disk, error.to_string()))?;
    match &args.command {
        Some(Command::Capture { target, output }) => capture::save(target, output, args),
        Some(Command::Status { target }) => status::print(target.as_deref(), args),
        Some(Command::Export { target, format, output }) => {
            export::write(target, *format, output.as_deref(), args)
        }
        Some(Command::Doctor) => doctor::print(args),
        Some(Command::Themes) => setup::themes(args),
        Some(Command::Completions { shell }) => setup::completions(*shell),
        Some(Command::Man) => setup::man(),
        Some(Command::Config(what)) => setup::config(what, args),
        None if args.batch.batch => run_batch(args),
        Some(Command::Demo) => workbench::open(First::Demo, args),
        None => workbench::open(workbench::first(&args.targets)?, args),
    }
}

fn run_batch(args: &Args) -> Result<u8, Failure> {
    let mut targets = targets::expand(&args.targets)?;
    let config = settings::load(args)?;
    let mut settings = settings::driver(args, &config, targets.len() > 1)?;
    let mut ready = None;
    if let (true, Some(run)) = (targets.is_empty(), &args.common.work.resume) {
        let (target, asked) = driver::resume(run, &settings)?;
        targets = vec![target.label.clone()];
        (ready, settings) = (Some(target), asked);
    }
    batch::run(&Request {
        targets,
        ready,
        settings,
        source: access::source(args, &config)?,
        json: args.common.json,
        quiet: args.common.quiet,
        events: args.batch.events.clone(),
        side_by_side: config.batch.side_by_side as usize,
    })
}
