//! `dossier/corrections.jsonl`: summaries a person wrote, one a line, appended and never rewritten.
//! Must not decide which of them still hold; `summary` does.

use crate::{
    store::{error::StoreError, folder::Folder},
    summary::assemble::Correction,
};
use serde_json::Value;

pub const FILE: &str = "corrections.jsonl";

/// All corrections, oldest first. A line that is no JSON is a write that was cut: it was never
/// confirmed to the person and is left out. JSON that is no correction is an error.
pub fn read(dossier: &Folder) -> Result<Vec<Correction>, StoreError> {
    let Some(bytes) = dossier.read(FILE)? else { return Ok(Vec::new()) };
    let lines = bytes.split(|it| *it == b'\n').enumerate();
    let values = lines.filter_map(|(at, it)| Some((at, serde_json::from_slice::<Value>(it).ok()?)));
    let decoded = values.map(|(at, value)| {
        serde_json::from_value(value).map_err(|error| StoreError::Unreadable {
            path: dossier.path().join(FILE),
            why: format!("line {}: {error}", at + 1),
        })
    });
    decoded.collect()
}

/// Adds a correction, synced. Does not need the dossier's lock: a person never waits for a run.
pub fn add(dossier: &Folder, correction: &Correction) -> Result<(), StoreError> {
    let mut line = serde_json::to_vec(correction).expect("our own shapes serialise");
    line.push(b'\n');
    dossier.append_line(FILE, &line)
}

#[cfg(test)]
mod tests {
    use crate::{
        domain::{capture::Id, digest::Digest},
        store::{
            corrections::{FILE, add, read},
            folder::Folder,
        },
        summary::{assemble::Correction, discussion::Status},
    };
    use std::io::Write;

    #[test]
    fn a_cut_line_is_left_out_and_does_not_spoil_the_next() {
        let temp = tempfile::tempdir().expect("a temporary folder");
        let folder = Folder::create(&temp.path().join("dossier")).expect("made");
        let correction = |text: &str| Correction {
            thread_id: Id::Number(1),
            source_digest: Digest::of("x"),
            comments_total: 2,
            status: Status::Settled,
            text: text.into(),
            author: "me".into(),
            at: "2026-01-01T00:00:00Z".into(),
        };
        assert!(read(&folder).expect("read").is_empty());
        add(&folder, &correction("one")).expect("added");
        let path = temp.path().join("dossier").join(FILE);
        let mut file = std::fs::OpenOptions::new().append(true).open(path).expect("there");
        file.write_all(b"{\"thread_id\": 1, \"te").expect("written");
        assert_eq!(read(&folder).expect("read"), [correction("one")]);
        add(&folder, &correction("two")).expect("added");
        assert_eq!(read(&folder).expect("read"), [correction("one"), correction("two")]);
    }
}
