//! A run handed over to a process of its own, so that closing the window does not stop it. Must not
//! wait for that process, and must not share a terminal with it.

use crate::driver::{report::DriverError, settings::Settings};
use std::{
    os::unix::process::CommandExt,
    path::Path,
    process::{Command, Stdio},
};

/// Starts `program --batch --resume RUN` apart from this process. It waits for the dossier's lock, so
/// it may be started while this process still works; cancel the run then, and it goes on there.
pub fn hand_over(program: &Path, run: &str, settings: &Settings) -> Result<(), DriverError> {
    let mut command = Command::new(program);
    command.args(["--batch", "--resume", run]).env("CASEFILE_HOME", &settings.home);
    if let Some(ledger) = &settings.ledger {
        command.arg("--ledger").arg(ledger);
    }
    // A group of its own: a hang-up or Ctrl-C of our terminal does not reach it.
    command.process_group(0);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let started = command.spawn().map_err(|error| {
        DriverError::Disk(format!(
            "run {run} could not be handed over to {}: {error}; it can be resumed with \
             `casefile --batch --resume {run}`",
            program.display()
        ))
    });
    // It outlives us; when we live on, nobody needs to know how it ended but the ledger.
    started.map(drop)
}
