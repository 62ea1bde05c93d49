//! The ledger: runs, their tasks, every event, and who is at work. One thread writes; readers have
//! connections of their own. Must not decide a move: `task::moves` does, live and on recovery.
//!
//! Rules and where they come from: `docs/llm-task-artifacts.md`, "The ledger".

pub mod actions;
pub mod disk;
pub mod file;
pub mod lease;
pub mod migrate;
pub mod pragma;
pub mod reader;
pub mod runs;
pub mod schema;
pub mod tasks;
pub mod writer;

use crate::store::{
    error::StoreError,
    ledger::{lease::Owner, writer::Writer},
};
use std::{
    os::fd::OwnedFd,
    path::{Path, PathBuf},
};

/// An open ledger. Calls block until the write is on disk.
#[derive(Debug)]
pub struct Ledger {
    path: PathBuf,
    owner: Owner,
    writer: Writer,
    _presence: OwnedFd,
}

impl Ledger {
    /// Opens or makes a ledger. Also gives what the person should know: a ledger that was migrated,
    /// or damaged and set aside.
    pub fn open(path: &Path) -> Result<(Self, Vec<String>), StoreError> {
        let opened = file::open(path)?;
        let owner = Owner::this_process();
        let turn = file::lock_file(&file::beside(path, "-turn"))?;
        let writer = Writer::start(opened.connection, turn, path, owner.clone());
        let ledger = Self { path: path.to_owned(), owner, writer, _presence: opened.presence };
        Ok((ledger, opened.notices))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A root as the ledger names it: relative to the ledger's folder where it lies inside.
    pub fn root_name(&self, root: &Path) -> String {
        root_name(&self.path, root)
    }
}

/// A root as a ledger names it.
pub fn root_name(ledger: &Path, root: &Path) -> String {
    let folder = ledger.parent().unwrap_or(Path::new(""));
    let whole = |it: &Path| it.canonicalize().unwrap_or_else(|_| it.to_owned());
    let (folder, root) = (whole(folder), whole(root));
    root.strip_prefix(&folder).unwrap_or(&root).to_string_lossy().into_owned()
}

/// The folder behind a root's name.
pub fn root_path(ledger: &Path, name: &str) -> PathBuf {
    ledger.parent().unwrap_or(Path::new("")).join(name)
}
