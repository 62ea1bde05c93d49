//! `dossier/index.json`: the digest of every final file and of what it was made from, so that
//! anybody can check a dossier without this program. Must not hold a path that leaves the root.

use crate::{
    domain::digest::Digest,
    store::{captures::KeptCapture, error::StoreError, folder::Folder},
};
use serde::{Deserialize, Serialize};

pub const FILE: &str = "index.json";
const SCHEMA_VERSION: u32 = 1;

/// The table of contents of a dossier. Paths are relative to the root, with `/`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Index {
    pub schema_version: u32,
    /// The capture all of it was made from.
    pub capture: Entry,
    pub files: Vec<FinalFile>,
}

/// One file and its digest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    pub path: String,
    pub sha256: Digest,
}

/// One final file and what it was made from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FinalFile {
    pub path: String,
    pub sha256: Digest,
    pub made_from: Vec<Entry>,
}

impl Index {
    /// An empty index over a capture.
    pub fn of(capture: &KeptCapture) -> Self {
        let capture = Entry { path: capture.path.clone(), sha256: capture.digest.clone() };
        Self { schema_version: SCHEMA_VERSION, capture, files: Vec::new() }
    }

    /// Adds a final file with the files it was made from.
    pub fn add(&mut self, path: &str, bytes: &[u8], made_from: Vec<Entry>) {
        self.files.push(FinalFile { path: path.into(), sha256: Digest::of(bytes), made_from });
    }

    /// Writes the index if it changed; it is the last file of a dossier to be written.
    pub fn write(&self, dossier: &Folder) -> Result<bool, StoreError> {
        dossier.update(FILE, &pretty(self))
    }
}

/// The index of a dossier, when there is one that decodes.
pub fn read(dossier: &Folder) -> Result<Option<Index>, StoreError> {
    let bytes = dossier.read(FILE)?;
    Ok(bytes.and_then(|it| serde_json::from_slice(&it).ok()))
}

/// Indented JSON with a newline at the end, as people and diffs like it.
pub fn pretty(value: &impl Serialize) -> Vec<u8> {
    let mut bytes = serde_json::to_vec_pretty(value).expect("our own shapes serialise");
    bytes.push(b'\n');
    bytes
}
