//! As of when a person last looked at the pull requests of their lists, kept in `home/seen`.
//! Must not fail a session: what cannot be read counts as never looked at.

use crate::{driver::report::DriverError, store::folder::Folder};
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

/// Version of the file's form.
const VERSION: u32 = 1;
/// Below the data dir.
const FOLDER: &str = "seen";
const FILE: &str = "seen.json";
/// Pull requests remembered; those updated longest ago go first.
const MOST: usize = 4_000;

/// What was looked at.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    version: u32,
    /// Hosts whose lists were read before: what is new on them is news.
    hosts: BTreeSet<String>,
    /// By the address of its page: when it was last updated, as it stood then (RFC 3339).
    pages: BTreeMap<String, String>,
}

impl Seen {
    /// The last update that was looked at; `None` for a pull request that never was.
    pub fn of(&self, page: &str) -> Option<&str> {
        self.pages.get(page).map(String::as_str)
    }

    /// Whether the lists of a host were read before.
    pub fn knows(&self, host: &str) -> bool {
        self.hosts.contains(host)
    }
}

/// What was looked at, as it is kept.
pub fn load(home: &Path) -> Seen {
    let folder = Folder::open(home).ok().flatten();
    let folder = folder.and_then(|it| it.sub(FOLDER).ok().flatten());
    let bytes = folder.and_then(|it| it.read(FILE).ok().flatten());
    let seen = bytes.and_then(|it| serde_json::from_slice::<Seen>(&it).ok());
    seen.filter(|it| it.version == VERSION).unwrap_or_default()
}

/// Remembers that a pull request was looked at.
pub fn save(home: &Path, page: &str, updated_at: &str) -> Result<(), DriverError> {
    let mut seen = load(home);
    seen.pages.insert(page.to_owned(), updated_at.to_owned());
    write(home, seen)
}

/// The first look at the lists of a host: what stands there is known from now on.
pub fn begin<'a>(
    home: &Path,
    host: &str,
    rows: impl Iterator<Item = (&'a str, &'a str)>,
) -> Result<Seen, DriverError> {
    let mut seen = load(home);
    seen.hosts.insert(host.to_owned());
    seen.pages.extend(rows.map(|(page, at)| (page.to_owned(), at.to_owned())));
    write(home, seen.clone())?;
    Ok(seen)
}

fn write(home: &Path, mut seen: Seen) -> Result<(), DriverError> {
    let failed = |cause: &dyn std::fmt::Display| DriverError::Disk(cause.to_string());
    seen.version = VERSION;
    while seen.pages.len() > MOST {
        let oldest = seen.pages.iter().min_by_key(|it| it.1).map(|it| it.0.clone());
        let Some(oldest) = oldest else { break };
        seen.pages.remove(&oldest);
    }
    let bytes = serde_json::to_vec_pretty(&seen).map_err(|it| failed(&it))?;
    let folder = Folder::create(home).and_then(|it| it.make(FOLDER)).map_err(|it| failed(&it))?;
    folder.write(FILE, &bytes).map_err(|it| failed(&it))
}

#[cfg(test)]
mod tests {
    use crate::driver::seen::{begin, load, save};

    #[test]
    fn what_was_looked_at_is_remembered() {
        let home = tempfile::tempdir().expect("a folder");
        assert!(!load(home.path()).knows("github.com"));
        let rows = [("https://github.com/a/b/pull/1", "2026-01-01T00:00:00Z")];
        let seen = begin(home.path(), "github.com", rows.into_iter()).expect("kept");
        assert!(seen.knows("github.com") && !seen.knows("git.example.org"));
        save(home.path(), "https://github.com/a/b/pull/2", "2026-01-02T00:00:00Z").expect("kept");
        let seen = load(home.path());
        assert_eq!(seen.of("https://github.com/a/b/pull/1"), Some("2026-01-01T00:00:00Z"));
        assert_eq!(seen.of("https://github.com/a/b/pull/2"), Some("2026-01-02T00:00:00Z"));
        assert_eq!(seen.of("https://github.com/a/b/pull/3"), None);
    }
}
