//! Which files of a review a person has viewed, kept between sessions in `home/viewed`.
//! Must not fail a session: what cannot be read counts as not viewed.

use crate::{domain::digest::Digest, driver::report::DriverError, store::folder::Folder};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Version of the file's form. Version 1 held `paths` alone.
const VERSION: u32 = 2;

/// Below the data dir.
const FOLDER: &str = "viewed";

#[derive(Serialize, Deserialize)]
struct Kept {
    version: u32,
    /// What the review was called.
    label: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    paths: Vec<String>,
    #[serde(default)]
    files: Vec<ViewedFile>,
}

/// A file that was viewed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ViewedFile {
    pub path: String,
    /// The digest of its patch as it was viewed; `None` in files of version 1.
    #[serde(default)]
    pub patch: Option<Digest>,
}

/// The files viewed when the review of this label was last left.
pub fn load(home: &Path, label: &str) -> Vec<ViewedFile> {
    let folder = Folder::open(home).ok().flatten();
    let folder = folder.and_then(|it| it.sub(FOLDER).ok().flatten());
    let bytes = folder.and_then(|it| it.read(&name(label)).ok().flatten());
    let kept = bytes.and_then(|it| serde_json::from_slice::<Kept>(&it).ok());
    let Some(kept) = kept.filter(|it| it.version <= VERSION && it.label == label) else {
        return Vec::new();
    };
    let older = kept.paths.into_iter().map(|path| ViewedFile { path, patch: None });
    kept.files.into_iter().chain(older).collect()
}

/// Remembers them.
pub fn save(home: &Path, label: &str, files: Vec<ViewedFile>) -> Result<(), DriverError> {
    let failed = |cause: &dyn std::fmt::Display| DriverError::Disk(cause.to_string());
    let kept = Kept { version: VERSION, label: label.to_owned(), paths: Vec::new(), files };
    let bytes = serde_json::to_vec_pretty(&kept).map_err(|it| failed(&it))?;
    let folder = Folder::create(home).and_then(|it| it.make(FOLDER)).map_err(|it| failed(&it))?;
    folder.write(&name(label), &bytes).map_err(|it| failed(&it))
}

/// A label is a text of others, so the file is named by its digest.
fn name(label: &str) -> String {
    format!("{}.json", Digest::of(label))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, patch: Option<&str>) -> ViewedFile {
        ViewedFile { path: path.to_owned(), patch: patch.map(Digest::of) }
    }

    #[test]
    fn what_was_viewed_is_remembered_by_label() {
        let home = tempfile::tempdir().expect("a temporary folder");
        assert!(load(home.path(), "a#1").is_empty());
        let files = vec![file("src/a.rs", Some("+x")), file("../../x", None)];
        save(home.path(), "a#1", files.clone()).expect("saved");
        save(home.path(), "a#2", Vec::new()).expect("saved");
        assert_eq!(load(home.path(), "a#1"), files);
        assert!(load(home.path(), "a#2").is_empty());
    }

    #[test]
    fn marks_of_version_1_are_read() {
        let home = tempfile::tempdir().expect("a temporary folder");
        save(home.path(), "a#1", Vec::new()).expect("saved");
        let path = home.path().join(FOLDER).join(name("a#1"));
        std::fs::write(path, r#"{"version": 1, "label": "a#1", "paths": ["src/a.rs"]}"#)
            .expect("written");
        assert_eq!(load(home.path(), "a#1"), [file("src/a.rs", None)]);
    }
}
