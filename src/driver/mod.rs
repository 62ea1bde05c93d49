//! The driver: runs phases, keeps tasks durable, and answers what is on disk.
//! Must not print, know the interface, or be called from a thread that draws; every function blocks.

pub mod ask;
pub mod attach;
pub mod correct;
pub mod dossier;
pub mod engines;
pub mod hand_over;
pub mod journal;
pub mod live;
pub mod report;
pub mod resume;
pub mod run;
pub mod seen;
pub mod settings;
pub mod since;
pub mod shelf;
pub mod status;
pub mod summarise;
pub mod tasks;
pub mod viewed;

use crate::{
    driver::{
        report::{Cancel, DriverError, Outcome, Report},
        settings::{Settings, Target},
    },
    store::ledger::reader::Reader,
    summary::discussion::Discussion,
    task::dossier::{DossierEntry, DossierStatus},
};
use std::path::{Path, PathBuf};

/// A dossier as it stands on disk.
#[derive(Debug)]
pub struct OpenDossier {
    pub root: PathBuf,
    /// The newest capture, byte for byte.
    pub document: Vec<u8>,
    pub discussion: Option<Discussion>,
}

/// Runs the phases on one target and blocks until they end. Never panics on bad input; the outcome
/// says what failed. `report` is called on this thread.
pub fn run(
    target: &Target,
    settings: &Settings,
    report: &(dyn Fn(Report) + Sync),
    cancel: &Cancel,
) -> Outcome {
    run::run(target, settings, report, cancel)
}

/// The dossiers below a data dir, the newest capture first. A folder that cannot be read is left
/// out; a missing data dir gives an empty list and is not created.
pub fn dossiers(home: &Path) -> Vec<DossierEntry> {
    shelf::dossiers(home)
}

/// What would happen if the target were run now: loads, runs again and why, and at what cost.
/// Reads only.
pub fn status(target: &Target, settings: &Settings) -> Result<DossierStatus, DriverError> {
    status::status(target, settings)
}

/// The newest capture and summary below an artifact root.
pub fn open_dossier(root: &Path) -> Result<OpenDossier, DriverError> {
    shelf::open(root)
}

/// The target of a run the ledger knows, and the settings it was made with, for `--resume RUN`
/// without a target.
pub fn resume(run: &str, settings: &Settings) -> Result<(Target, Settings), DriverError> {
    resume::resume(run, settings)
}

/// What the full check of the ledger complains about, if there is a ledger and it complains.
pub fn ledger_fault(settings: &Settings) -> Result<Option<String>, DriverError> {
    match Reader::open(&journal::ledger_path(settings))? {
        Some(reader) => Ok(reader.integrity()?),
        None => Ok(None),
    }
}

/// Hands a run over to a detached `program --batch --resume RUN`. Call it before cancelling: the
/// other process waits until this one lets go.
pub fn hand_over(program: &Path, run: &str, settings: &Settings) -> Result<(), DriverError> {
    hand_over::hand_over(program, run, settings)
}
