//! `dossier/corrections.jsonl`: summaries a person wrote, one a line, appended and never rewritten.
//! Must not decide which of them still hold; `summary` does.

use crate::{
    store::{error::StoreError, folder::Folder},
    summary::assemble::Correction,
};

pub const FILE: &str = "corrections.jsonl";

/// All corrections, oldest first. A last line without its end is a write that was cut: it was never
/// confirmed to the person and is left out.
pub fn read(dossier: &Folder) -> Result<Vec<Correction>, StoreError> {
    let Some(bytes) = dossier.read(FILE)? else { return Ok(Vec::new()) };
    let whole = bytes.iter().rposition(|it| *it == b'\n').map_or(0, |it| it + 1);
    let lines = bytes[..whole].split(|it| *it == b'\n').filter(|it| !it.is_empty());
    let decoded = lines.enumerate().map(|(at, line)| {
        serde_json::from_slice(line).map_err(|error| StoreError::Unreadable {
            path: dossier.path().join(FILE),
            why: format!("line {}: {error}", at + 1),
        })
    });
    decoded.collect()
}

/// Adds a correction. The whole file is written anew, so that a reader never sees half a line.
pub fn add(dossier: &Folder, correction: &Correction) -> Result<(), StoreError> {
    let mut bytes = dossier.read(FILE)?.unwrap_or_default();
    bytes.truncate(bytes.iter().rposition(|it| *it == b'\n').map_or(0, |it| it + 1));
    serde_json::to_writer(&mut bytes, correction).expect("our own shapes serialise");
    bytes.push(b'\n');
    dossier.write(FILE, &bytes)
}
