//! Answers of a forge, kept so that it can be asked "has it changed since?": in `cache/` below the
//! data dir, private, and never more than so much. Must not be needed: what is lost is asked again.

use crate::{
    domain::digest::Digest,
    store::{error::StoreError, folder::Folder},
};
use serde::{Deserialize, Serialize};
use std::{
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
};

/// Below the data dir.
const FOLDER: &str = "cache";
/// All kept answers together. The least recently written go first.
const MOST: u64 = 96 << 20;
/// One answer: a page of the forge.
const LONGEST: u64 = 20 << 20;

/// What stands before an answer in its file, on one line.
#[derive(Serialize, Deserialize)]
struct Head {
    version: u32,
    /// The whole key: two keys of one digest would be a fault, and is not taken for an answer.
    key: String,
    etag: String,
}

/// The kept answers of one data dir.
#[derive(Debug, Clone)]
pub struct Pantry {
    home: PathBuf,
}

impl Pantry {
    pub fn new(home: &Path) -> Self {
        Self { home: home.to_owned() }
    }

    /// The etag and the body kept under a key. What is damaged is not there.
    pub fn get(&self, key: &str) -> Option<(String, Vec<u8>)> {
        let folder = Folder::open(&self.home).ok()??.sub(FOLDER).ok()??;
        let bytes = folder.read_at_most(&name(key), LONGEST + (64 << 10)).ok()??;
        let end = bytes.iter().position(|it| *it == b'\n')?;
        let head: Head = serde_json::from_slice(&bytes[..end]).ok()?;
        (head.version == 1 && head.key == key).then(|| (head.etag, bytes[end + 1..].to_vec()))
    }

    /// Keeps a body. One that is too long is not kept.
    pub fn keep(&self, key: &str, etag: &str, body: &[u8]) -> Result<(), StoreError> {
        if body.len() as u64 > LONGEST {
            return Ok(());
        }
        let head = Head { version: 1, key: key.to_owned(), etag: etag.to_owned() };
        let mut bytes = serde_json::to_vec(&head).expect("texts always serialise");
        bytes.push(b'\n');
        bytes.extend_from_slice(body);
        let folder = Folder::create(&self.home)?.make(FOLDER)?;
        folder.write(&name(key), &bytes)?;
        prune(&folder, MOST)
    }
}

fn name(key: &str) -> String {
    Digest::of(key).to_string()
}

/// Removes the oldest answers until the rest is small enough.
fn prune(folder: &Folder, most: u64) -> Result<(), StoreError> {
    let look = |name: String| {
        let meta = folder.path().join(&name).symlink_metadata().ok()?;
        Some((meta.mtime(), meta.mtime_nsec(), meta.len(), name))
    };
    let mut kept: Vec<_> = folder.names()?.into_iter().filter_map(look).collect();
    let mut total: u64 = kept.iter().map(|it| it.2).sum();
    if total <= most {
        return Ok(());
    }
    kept.sort_unstable();
    for (_, _, size, name) in kept {
        if total <= most {
            break;
        }
        folder.remove(&name)?;
        total -= size;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::store::{
        folder::Folder,
        pantry::{Pantry, prune},
    };

    #[test]
    fn an_answer_is_kept_under_its_whole_key() {
        let home = tempfile::tempdir().expect("a folder");
        let pantry = Pantry::new(&home.path().join("data"));
        assert_eq!(pantry.get("/a?page=1"), None);
        pantry.keep("/a?page=1", "\"x\"", b"one\ntwo").expect("kept");
        pantry.keep("/a?page=2", "\"y\"", b"").expect("kept");
        assert_eq!(pantry.get("/a?page=1"), Some(("\"x\"".to_owned(), b"one\ntwo".to_vec())));
        assert_eq!(pantry.get("/a?page=2"), Some(("\"y\"".to_owned(), Vec::new())));
        assert_eq!(pantry.get("/a"), None);
    }

    #[test]
    fn the_oldest_go_first() {
        let home = tempfile::tempdir().expect("a folder");
        let folder = Folder::create(home.path()).expect("made");
        for name in ["a", "b", "c"] {
            folder.write(name, &[0; 100]).expect("written");
        }
        prune(&folder, 250).expect("pruned");
        assert_eq!(folder.names().expect("listed"), ["b", "c"]);
        prune(&folder, 300).expect("pruned");
        assert_eq!(folder.names().expect("listed"), ["b", "c"]);
    }
}
