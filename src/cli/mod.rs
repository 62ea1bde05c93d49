//! The command line: flags in, one command run, an exit code out.
//! Must not review, summarise or draw; it hands over to `batch`, `tui` and `driver`.

pub mod args;
pub mod report;

use crate::cli::args::Args;
use crate::failure::{Failure, Kind};
use clap::Parser as _;
use std::process::ExitCode;

/// Runs the command the process was started with.
pub fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => return report::usage(&error),
    };
    match run(&args) {
        Ok(code) => ExitCode::from(code),
        Err(failure) => report::failure(&failure),
    }
}

fn run(args: &Args) -> Result<u8, Failure> {
    let _ = args;
    Err(Failure::new(Kind::Usage, "nothing to do yet").hint("casefile --help"))
}
