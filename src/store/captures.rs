//! Captures as they were taken, and the raw artifacts cut out of the newest one: exact slices of
//! the document, so that fields we do not know survive. Must not interpret what a slice says.

use crate::{
    domain::{
        capture::{Capture, Comment, PullRequest, Thread},
        digest::Digest,
    },
    store::{error::StoreError, folder::Folder, root::Root, time},
};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::value::RawValue;
use std::collections::BTreeMap;

pub const PULL_REQUEST: &str = "pull-request.json";
pub const CHANGED_FILES: &str = "changed-files.json";
pub const TOP_LEVEL: &str = "top-level-comments.json";
pub const INLINE_THREADS: &str = "inline-threads.json";

/// The digests of the raw artifacts, by their file names.
pub type RawDigests = BTreeMap<&'static str, Digest>;

/// A capture that was kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptCapture {
    /// `captures/<utc>-<digest>.json`, relative to the root.
    pub path: String,
    /// Of the document, byte for byte.
    pub digest: Digest,
}

/// Keeps a capture document, byte for byte. The same document is kept once, however often it is
/// given. The time in the name is when it was taken, or now when it does not say.
pub fn keep(root: &Root, document: &[u8], capture: &Capture) -> Result<KeptCapture, StoreError> {
    let folder = root.captures()?;
    let _writing = folder.lock()?;
    folder.sweep()?;
    let digest = Digest::of(document);
    let ending = format!("-{digest}.json");
    let there = folder.names()?.into_iter().find(|it| it.ends_with(&ending));
    let name = there.unwrap_or_else(|| {
        let taken = capture.captured_at.as_deref().and_then(time::compact);
        let now = || time::compact(&time::now()).expect("our own times have our own form");
        format!("{}{ending}", taken.unwrap_or_else(now))
    });
    folder.update(&name, document)?;
    Ok(KeptCapture { path: format!("captures/{name}"), digest })
}

/// The newest capture's file name and bytes.
pub fn newest(root: &Root) -> Result<Option<(String, Vec<u8>)>, StoreError> {
    let Some(folder) = root.sub("captures")? else { return Ok(None) };
    for name in folder.names()?.into_iter().rev() {
        if name.as_bytes().ends_with(b".json")
            && let Some(bytes) = folder.read(&name)?
        {
            return Ok(Some((name, bytes)));
        }
    }
    Ok(None)
}

/// The newest capture that `fits`, by its bytes.
pub fn newest_that(
    root: &Root,
    fits: impl Fn(&[u8]) -> bool,
) -> Result<Option<Vec<u8>>, StoreError> {
    let Some(folder) = root.sub("captures")? else { return Ok(None) };
    for name in folder.names()?.into_iter().rev().filter(|it| it.as_bytes().ends_with(b".json")) {
        if let Some(bytes) = folder.read(&name)?.filter(|it| fits(it)) {
            return Ok(Some(bytes));
        }
    }
    Ok(None)
}

/// Writes `raw/` from a capture document; files that hold the same bytes already are left alone.
/// The digest of each, by its name.
pub fn write_raw(dossier: &Folder, document: &[u8]) -> Result<RawDigests, StoreError> {
    let raw = dossier.make("raw")?;
    raw.sweep()?;
    let slices: Slices<'_> = serde_json::from_slice(document).map_err(|error| {
        StoreError::Unreadable { path: raw.path().to_owned(), why: error.to_string() }
    })?;
    let parts = [
        (PULL_REQUEST, slices.pull_request),
        (CHANGED_FILES, slices.files),
        (TOP_LEVEL, slices.issue_comments),
        (INLINE_THREADS, slices.review_threads),
    ];
    let mut digests = RawDigests::new();
    for (name, slice) in parts {
        let bytes = slice.map_or("null", RawValue::get).as_bytes();
        raw.update(name, bytes)?;
        digests.insert(name, Digest::of(bytes));
    }
    Ok(digests)
}

/// Reads `raw/` back as a capture that has nothing else: no reviews and so no approval state.
/// `header` gives the repository and the forge, and the files: they were cut from the document it
/// was decoded from, and their patches are too long to be held twice.
pub fn read_raw(dossier: &Folder, header: &Capture) -> Result<Capture, StoreError> {
    let raw = dossier.make("raw")?;
    Ok(Capture {
        format: header.format.clone(),
        version: header.version,
        captured_at: header.captured_at.clone(),
        forge: header.forge.clone(),
        repository: header.repository.clone(),
        pull_request: decode::<PullRequest>(&raw, PULL_REQUEST)?.unwrap_or_default(),
        files: header.files.clone(),
        issue_comments: decode::<Vec<Comment>>(&raw, TOP_LEVEL)?.unwrap_or_default(),
        review_threads: decode::<Vec<Thread>>(&raw, INLINE_THREADS)?.unwrap_or_default(),
        reviews: Vec::new(),
        completeness: header.completeness.clone(),
        viewer: header.viewer.clone(),
    })
}

fn decode<T: DeserializeOwned>(raw: &Folder, name: &str) -> Result<Option<T>, StoreError> {
    let unreadable = |why: String| StoreError::Unreadable { path: raw.path().join(name), why };
    let bytes = raw.read(name)?.ok_or_else(|| unreadable("it is missing".into()))?;
    serde_json::from_slice(&bytes).map_err(|error| unreadable(error.to_string()))
}

/// The parts of a document that are kept on their own.
#[derive(Deserialize)]
struct Slices<'a> {
    #[serde(borrow)]
    pull_request: Option<&'a RawValue>,
    #[serde(borrow)]
    files: Option<&'a RawValue>,
    #[serde(borrow)]
    issue_comments: Option<&'a RawValue>,
    #[serde(borrow)]
    review_threads: Option<&'a RawValue>,
}

#[cfg(test)]
mod tests {
    use crate::{
        domain::capture::Capture,
        store::{
            captures::{keep, newest, read_raw, write_raw},
            root::Root,
        },
    };

    const DOCUMENT: &str = r#"{ "format":"casefile-capture","version" : 1, "repository":"a/b",
        "pull_request":{"number":1, "unknown" : [1, 2.50e1]},"files":null,
        "review_threads":[ {"id":"t","path":"x","comments":[{"id":1,"body":"\u0061","new":{}}]} ],
        "reviews":[{"state":"APPROVED"}], "captured_at":"2025-11-30T17:17:02Z"}"#;

    fn setup() -> (tempfile::TempDir, Root, Capture) {
        let temp = tempfile::tempdir().expect("a temporary folder");
        let root = Root::create(temp.path(), &["root".to_owned()]).expect("made");
        (temp, root, serde_json::from_str(DOCUMENT).expect("a capture"))
    }

    #[test]
    fn a_capture_is_kept_once_byte_for_byte() {
        let (_temp, root, capture) = setup();
        let kept = keep(&root, DOCUMENT.as_bytes(), &capture).expect("kept");
        assert_eq!(keep(&root, DOCUMENT.as_bytes(), &capture).expect("kept"), kept);
        assert!(kept.path.starts_with("captures/20251130T171702Z-"), "{}", kept.path);
        let older = DOCUMENT.replace("2025-11-30", "2024-01-01");
        let older_capture = serde_json::from_str(&older).expect("a capture");
        keep(&root, older.as_bytes(), &older_capture).expect("kept");
        let (name, bytes) = newest(&root).expect("read").expect("there");
        assert_eq!(format!("captures/{name}"), kept.path);
        assert_eq!(bytes, DOCUMENT.as_bytes());
    }

    #[test]
    fn raw_artifacts_are_exact_slices_and_read_back_without_reviews() {
        let (_temp, root, capture) = setup();
        let dossier = root.dossier().expect("made");
        write_raw(&dossier, DOCUMENT.as_bytes()).expect("written");
        let text = |name: &str| {
            let raw = dossier.sub("raw").expect("read").expect("there");
            String::from_utf8(raw.read(name).expect("read").expect("there")).expect("text")
        };
        assert_eq!(text("pull-request.json"), r#"{"number":1, "unknown" : [1, 2.50e1]}"#);
        assert_eq!(text("changed-files.json"), "null");
        assert_eq!(text("top-level-comments.json"), "null");
        assert_eq!(
            text("inline-threads.json"),
            r#"[ {"id":"t","path":"x","comments":[{"id":1,"body":"\u0061","new":{}}]} ]"#
        );
        let read = read_raw(&dossier, &capture).expect("read");
        assert_eq!(read.review_threads, capture.review_threads);
        assert_eq!(read.files, None);
        assert!(read.reviews.is_empty() && !capture.reviews.is_empty());
    }
}
