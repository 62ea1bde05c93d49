//! `dossier/corrections.jsonl`: summaries a person wrote, one a line, appended and never rewritten.
//! Must not decide which of them still hold; `summary` does.
//!
//! What a person saved is synced before anybody says so. A write that a crash cut leaves a last
//! line without its end: it was never confirmed, a reader leaves it out and the next append mends
//! it. A line that does not decode for another reason stays where it is and is told.

use crate::{
    store::{error::StoreError, fail, folder::Folder},
    summary::correction::{self, Correction},
};
use rustix::fs::FlockOperation;
use std::{
    fs::File,
    io::{self, Read, Seek, Write},
};

pub const FILE: &str = "corrections.jsonl";

/// Far more than a person writes on one pull request.
const LARGEST: u64 = 32 << 20;

/// What the file holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Kept {
    /// Oldest first.
    pub corrections: Vec<Correction>,
    /// Lines that cannot be used, and why; a sentence each.
    pub faults: Vec<String>,
}

/// All corrections.
pub fn read(dossier: &Folder) -> Result<Kept, StoreError> {
    let bytes = dossier.read_at_most(FILE, LARGEST)?.unwrap_or_default();
    let mut kept = Kept::default();
    let end = whole(&bytes);
    let lines = bytes[..end].split(|it| *it == b'\n').enumerate();
    for (at, line) in lines.filter(|it| !it.1.trim_ascii().is_empty()) {
        match decode(line) {
            Ok(it) => kept.corrections.push(it),
            Err(why) => kept.faults.push(format!(
                "line {} of {} is left out: {why}",
                at + 1,
                dossier.path().join(FILE).display()
            )),
        }
    }
    Ok(kept)
}

/// Adds a correction: when this returns, it is on the disk.
pub fn add(dossier: &Folder, correction: &Correction) -> Result<(), StoreError> {
    let mut line = serde_json::to_vec(correction).expect("our own shapes serialise");
    line.push(b'\n');
    let file = dossier.open_for_append(FILE)?;
    let path = dossier.path().join(FILE);
    if file.metadata().is_ok_and(|it| it.len() > LARGEST) {
        return Err(StoreError::TooLarge { path, most: LARGEST });
    }
    append(file, &line).map_err(|source| StoreError::Disk { doing: "write", path, source })?;
    dossier.sync()
}

fn append(mut file: File, line: &[u8]) -> io::Result<()> {
    fail::point(FILE, "before")?;
    // Two casefiles may save at once. The lock goes with the file.
    rustix::fs::flock(&file, FlockOperation::LockExclusive)?;
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    let end = whole(&bytes);
    if end < bytes.len() {
        file.set_len(end as u64)?;
    }
    if end > 0 && bytes[end - 1] != b'\n' {
        file.write_all(b"\n")?;
    }
    let half = line.len() / 2;
    file.write_all(&line[..half])?;
    fail::point(FILE, "half")?;
    file.write_all(&line[half..])?;
    file.sync_all()?;
    fail::point(FILE, "synced")
}

/// Where the last whole line ends. A last line that lacks nothing but its end is whole: an editor
/// may have left it so.
fn whole(bytes: &[u8]) -> usize {
    let end = bytes.iter().rposition(|it| *it == b'\n').map_or(0, |it| it + 1);
    if serde_json::from_slice::<Correction>(&bytes[end..]).is_ok() { bytes.len() } else { end }
}

fn decode(line: &[u8]) -> Result<Correction, String> {
    let it: Correction = serde_json::from_slice(line).map_err(|it| it.to_string())?;
    match correction::flaw(&it) {
        Some(flaw) => Err(flaw),
        None => Ok(it),
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        domain::{capture::Id, digest::Digest},
        store::{
            corrections::{FILE, Kept, add, read},
            error::StoreError,
            folder::Folder,
        },
        summary::{
            correction::{Correction, VERSION},
            discussion::Status,
        },
    };
    use std::os::unix::fs::MetadataExt;

    fn folder() -> (tempfile::TempDir, Folder) {
        let temp = tempfile::tempdir().expect("a temporary folder");
        let folder = Folder::create(&temp.path().join("dossier")).expect("made");
        (temp, folder)
    }

    fn record(thread: &str, text: &str) -> Correction {
        Correction {
            version: VERSION,
            thread_id: Id::Text(thread.into()),
            source_digest: Digest::of("x"),
            status: Status::Noted,
            text: format!("Noted: {text}"),
            decision: None,
            open_question: None,
            cites: Vec::new(),
            comments_total: 2,
            withdraws: false,
            author: "ann".into(),
            at: "2026-01-01T00:00:00Z".into(),
        }
    }

    fn whole(folder: &Folder) -> Vec<Correction> {
        let Kept { corrections, faults } = read(folder).expect("read");
        assert_eq!(faults, Vec::<String>::new());
        corrections
    }

    #[test]
    fn what_is_added_reads_back_in_order_and_is_private() {
        let (_temp, folder) = folder();
        assert_eq!(whole(&folder), []);
        let all = [record("a", "one"), record("b", "two ж"), record("a", "\u{2028}three \" \\ {")];
        for it in &all {
            add(&folder, it).expect("added");
        }
        assert_eq!(whole(&folder), all);
        let mode = folder.path().join(FILE).metadata().expect("there").mode() & 0o777;
        assert_eq!(mode, 0o600);
    }

    #[test]
    fn a_line_cut_anywhere_is_left_out_and_mended() {
        let (_temp, folder) = folder();
        add(&folder, &record("a", "one")).expect("added");
        let path = folder.path().join(FILE);
        let first = std::fs::read(&path).expect("there");
        let line = [serde_json::to_vec(&record("b", "two ж")).expect("json")].concat();
        for cut in 0..=line.len() {
            std::fs::write(&path, [&first[..], &line[..cut]].concat()).expect("written");
            let before = whole(&folder);
            let complete = cut == line.len();
            assert_eq!(before.len(), if complete { 2 } else { 1 }, "cut at {cut}");
            add(&folder, &record("c", "three")).expect("added");
            let after = whole(&folder);
            assert_eq!(after.len(), before.len() + 1, "cut at {cut}");
            assert_eq!(
                (&after[..before.len()], after.last()),
                (&before[..], Some(&record("c", "three")))
            );
        }
    }

    #[test]
    fn a_line_that_makes_no_sense_is_told_kept_and_stops_nothing() {
        let (_temp, folder) = folder();
        let path = folder.path().join(FILE);
        let json = |it: &Correction| serde_json::to_string(it).expect("json");
        let newer = json(&Correction { version: 9, ..record("a", "x") });
        let hostile = json(&record("a", "\u{1b}]52;c;aGk=\u{7}"));
        let marker = json(&record("a", "<!-- casefile:v1 -->"));
        let good = json(&record("a", "fine"));
        let text = format!("{newer}\n{hostile}\n\nnonsense\n{marker}\n{good}\n");
        std::fs::write(&path, &text).expect("written");
        let Kept { corrections, faults } = read(&folder).expect("read");
        assert_eq!(corrections, [record("a", "fine")]);
        assert_eq!(faults.len(), 4);
        for (fault, line) in faults.iter().zip(["line 1 ", "line 2 ", "line 4 ", "line 5 "]) {
            assert!(fault.starts_with(line), "{fault}");
            assert!(!fault.contains('\u{1b}'), "{fault}");
        }
        add(&folder, &record("b", "more")).expect("added");
        let now = std::fs::read_to_string(&path).expect("there");
        assert!(now.starts_with(&text), "nothing before is rewritten");
    }

    #[test]
    fn a_planted_link_is_not_followed() {
        let (temp, folder) = folder();
        let theirs = temp.path().join("theirs");
        std::fs::write(&theirs, "x").expect("written");
        std::os::unix::fs::symlink(&theirs, folder.path().join(FILE)).expect("planted");
        let refused = add(&folder, &record("a", "one"));
        assert!(matches!(refused, Err(StoreError::NotPlain { .. })), "{refused:?}");
        assert_eq!(std::fs::read(&theirs).expect("there"), b"x");
    }

    #[test]
    fn two_who_save_at_once_both_keep_their_lines() {
        let (_temp, folder) = folder();
        std::thread::scope(|scope| {
            for writer in ["a", "b", "c", "d"] {
                let folder = &folder;
                scope.spawn(move || {
                    for at in 0..10 {
                        add(folder, &record(writer, &at.to_string())).expect("added");
                    }
                });
            }
        });
        let all = whole(&folder);
        assert_eq!(all.len(), 40);
        let texts = |thread: &str| {
            let own = all.iter().filter(|it| it.thread_id == Id::Text(thread.into()));
            own.map(|it| it.text.clone()).collect::<Vec<_>>()
        };
        let expected: Vec<_> = (0..10).map(|it| format!("Noted: {it}")).collect();
        assert_eq!(texts("c"), expected);
    }
}
