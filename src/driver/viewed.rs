//! Which files of a review a person has viewed, kept between sessions in `home/viewed`.
//! Must not fail a session: what cannot be read counts as not viewed.

use crate::{domain::digest::Digest, driver::report::DriverError, store::folder::Folder};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Version of the file's form.
const VERSION: u32 = 1;

/// Below the data dir.
const FOLDER: &str = "viewed";

#[derive(Serialize, Deserialize)]
struct Kept {
    version: u32,
    /// What the review was called.
    label: String,
    paths: Vec<String>,
}

/// The paths viewed when the review of this label was last left.
pub fn load(home: &Path, label: &str) -> Vec<String> {
    let folder = Folder::open(home).ok().flatten();
    let folder = folder.and_then(|it| it.sub(FOLDER).ok().flatten());
    let bytes = folder.and_then(|it| it.read(&name(label)).ok().flatten());
    let kept = bytes.and_then(|it| serde_json::from_slice::<Kept>(&it).ok());
    let kept = kept.filter(|it| it.version == VERSION && it.label == label);
    kept.map_or_else(Vec::new, |it| it.paths)
}

/// Remembers them.
pub fn save(home: &Path, label: &str, paths: Vec<String>) -> Result<(), DriverError> {
    let failed = |cause: &dyn std::fmt::Display| DriverError::Disk(cause.to_string());
    let kept = Kept { version: VERSION, label: label.to_owned(), paths };
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

    #[test]
    fn what_was_viewed_is_remembered_by_label() {
        let home = tempfile::tempdir().unwrap();
        assert!(load(home.path(), "a#1").is_empty());
        let paths = vec!["src/a.rs".to_owned(), "../../x".to_owned()];
        save(home.path(), "a#1", paths.clone()).unwrap();
        save(home.path(), "a#2", Vec::new()).unwrap();
        assert_eq!(load(home.path(), "a#1"), paths);
        assert!(load(home.path(), "a#2").is_empty());
    }
}
