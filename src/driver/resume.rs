//! From a run's name to its target and settings, for `--resume RUN`. Must only read.

use crate::{
    domain::capture::Capture,
    driver::{
        journal::{Asked, ledger_path},
        report::DriverError,
        settings::{Artifacts, Settings, Target},
    },
    store::{
        folder::Folder,
        ledger::{reader::Reader, root_path},
    },
};
use std::{path::Path, sync::Arc};

/// Finds a run, its capture and what it was asked to do. Where the artifacts lie and which ledger
/// is meant stay as given.
pub fn resume(run: &str, settings: &Settings) -> Result<(Target, Settings), DriverError> {
    let ledger = ledger_path(settings);
    let unknown =
        || DriverError::Usage(format!("there is no run `{run}` in {} to resume", ledger.display()));
    let row = Reader::open(&ledger)?.ok_or_else(unknown)?.run(run)?.ok_or_else(unknown)?;
    let asked: Asked = serde_json::from_str(&row.work.settings).map_err(|error| {
        DriverError::Ledger(format!("run `{run}` was made with settings unknown here: {error}"))
    })?;
    let root = root_path(&ledger, &row.work.root);
    let document = document(&root, &row.work.capture)?;
    let capture: Capture = serde_json::from_slice(&document).map_err(|error| {
        DriverError::Input(format!("{}: {error}", root.join(&row.work.capture).display()))
    })?;
    let at_home = root.starts_with(settings.home.join("dossiers"));
    let artifacts = (!at_home).then_some(Artifacts { dir: root, several: false });
    let target =
        Target { label: row.work.label, document: Arc::new(document), capture: Arc::new(capture) };
    let settings = Settings {
        artifacts,
        engine: asked.engine,
        pin: asked.pin,
        until: None,
        resume: Some(run.to_owned()),
        ..settings.clone()
    };
    Ok((target, settings))
}

fn document(root: &Path, capture: &str) -> Result<Vec<u8>, DriverError> {
    let gone = || DriverError::Input(format!("{} is gone", root.join(capture).display()));
    let (folder, name) = capture.split_once('/').ok_or_else(gone)?;
    let root = Folder::open(root)?.ok_or_else(gone)?;
    root.sub(folder)?.ok_or_else(gone)?.read(name)?.ok_or_else(gone)
}
