//! Failures as a person, or with `--json` a script, reads them.
//! Must not choose what a failure says, only how it looks.

use crate::batch::{self, result};
use crate::failure::{Failure, Kind};
use crate::telemetry::clean;
use std::{io::Write as _, process::ExitCode};

/// Prints what clap has to say (help and version too) and answers its exit code.
pub fn usage(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        // A closed pipe while help is printed is nothing to complain about.
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    // The complaint repeats what was typed, or what a script passed on.
    let said = error.render().to_string();
    if std::env::args_os().any(|it| it == "--json") {
        let cause = said.lines().next().unwrap_or_default().trim_start_matches("error: ");
        let _ = batch::print(&result::refusal(&Failure::new(Kind::Usage, clean(cause))));
    }
    for line in said.lines() {
        write(&format!("{}\n", clean(line)));
    }
    ExitCode::from(Kind::Usage.exit_code())
}

/// Prints a failure: the cause on one line, then what to do; with `json` also as a document.
pub fn failure(failure: &Failure, json: bool) -> ExitCode {
    if json {
        // The exit code below says it even when nobody reads the document.
        let _ = batch::print(&result::refusal(failure));
    }
    say(&failure.cause);
    for hint in &failure.hints {
        write(&format!("  {}\n", clean(hint)));
    }
    ExitCode::from(failure.kind.exit_code())
}

/// Makes a panic one line that cannot drive a terminal: its text may hold what a pull request
/// said.
pub fn watch_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map_or_else(String::new, |it| format!(" at {it}"));
        let payload = panic.payload();
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no words");
        say(&format!("fault{place}: {text}"));
        tracing::error!("fault{place}");
    }));
}

/// One line of ours on standard error.
pub fn say(text: &str) {
    write(&format!("casefile: {}\n", clean(text)));
}

fn write(text: &str) {
    // Nobody is left to be told when standard error is closed.
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}
