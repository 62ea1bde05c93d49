//! Failures as a person reads them on standard error.
//! Must not choose what a failure says, only how it looks.

use crate::failure::Failure;
use std::{io::Write as _, process::ExitCode};

/// Prints what clap has to say (help and version too) and answers its exit code.
pub fn usage(error: &clap::Error) -> ExitCode {
    // A closed pipe while help is printed is nothing to complain about.
    let _ = error.print();
    ExitCode::from(if error.use_stderr() { 2 } else { 0 })
}

/// Prints a failure: the cause on one line, then what to do.
pub fn failure(failure: &Failure) -> ExitCode {
    let mut text = format!("casefile: {}\n", failure.cause);
    for hint in &failure.hints {
        text.push_str("  ");
        text.push_str(hint);
        text.push('\n');
    }
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
    ExitCode::from(failure.kind.exit_code())
}
