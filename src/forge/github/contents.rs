//! What files hold at two commits, for a diff GitHub does not offer: between two heads of a pull
//! request. Must not compare anything but those files, and must not take an address from a path.

use crate::domain::{
    capture::ChangedFile,
    text::outside::{Outside, OutsideOption as _},
};
use crate::forge::{
    github::{
        read::{News, Reader},
        trouble::Why,
    },
    target::PullRequestName,
};
use std::fmt::Write as _;

/// The bytes of a file instead of a description of it.
const RAW: &str = "application/vnd.github.raw";
/// Files that are asked for side by side.
const WIDTH: usize = 4;
/// Longer texts are not compared: nobody reads such a diff, and it takes long.
const LONGEST: usize = 2 << 20;

/// A file of the change: its path at the newer commit, and before it where that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    pub path: String,
    pub before: Option<String>,
}

/// The two commits, older first.
#[derive(Debug, Clone, Copy)]
pub struct Ends<'a> {
    pub old: &'a str,
    pub new: &'a str,
}

/// Whether GitHub still has a commit: after a force push it forgets the old one some day.
pub fn has_commit(reader: &Reader<'_>, name: &PullRequestName, commit: &str) -> Result<bool, Why> {
    let PullRequestName { owner, repository, .. } = name;
    let path = format!("/repos/{owner}/{repository}/git/commits/{commit}");
    match reader.get(&path, None) {
        Ok(_) => Ok(true),
        Err(Why::Missing | Why::Invalid(_)) => Ok(false),
        Err(why) => Err(why),
    }
}

/// The files that differ, each with its patch.
pub fn changed(
    reader: &Reader<'_>,
    name: &PullRequestName,
    ends: Ends<'_>,
    files: &[Wanted],
) -> Result<Vec<ChangedFile>, Why> {
    let mut found = Vec::new();
    for (at, batch) in files.chunks(WIDTH).enumerate() {
        for file in side_by_side(reader, name, ends, batch) {
            found.extend(file?);
        }
        let here = (at * WIDTH + batch.len()) as u64;
        (reader.watch.tell)(News::Read { list: "files", here, total: Some(files.len() as u64) });
    }
    Ok(found)
}

fn side_by_side(
    reader: &Reader<'_>,
    name: &PullRequestName,
    ends: Ends<'_>,
    batch: &[Wanted],
) -> Vec<Result<Option<ChangedFile>, Why>> {
    std::thread::scope(|scope| {
        let asked: Vec<_> =
            batch.iter().map(|it| scope.spawn(move || one(reader, name, ends, it))).collect();
        let fault = || Err(Why::Invalid(Some("a fault of ours".to_owned())));
        asked.into_iter().map(|it| it.join().unwrap_or_else(|_| fault())).collect()
    })
}

fn one(
    reader: &Reader<'_>,
    name: &PullRequestName,
    ends: Ends<'_>,
    file: &Wanted,
) -> Result<Option<ChangedFile>, Why> {
    let new = content(reader, name, &file.path, ends.new)?;
    let mut before = file.before.as_deref().unwrap_or(&file.path);
    let mut old = content(reader, name, before, ends.old)?;
    if old.is_none() && before != file.path {
        before = &file.path;
        old = content(reader, name, before, ends.old)?;
    }
    Ok(compare(file, before, old.as_deref(), new.as_deref()))
}

/// What a path holds at a commit; `None` when there is no such file.
fn content(
    reader: &Reader<'_>,
    name: &PullRequestName,
    path: &str,
    commit: &str,
) -> Result<Option<Vec<u8>>, Why> {
    let Some(path) = encoded(path) else { return Ok(None) };
    let PullRequestName { owner, repository, .. } = name;
    let path = format!("/repos/{owner}/{repository}/contents/{path}?ref={commit}");
    match reader.get(&path, Some(RAW)) {
        Ok(answer) => Ok(Some(answer.body)),
        Err(Why::Missing) => Ok(None),
        Err(why) => Err(why),
    }
}

/// A path as part of an address. One that could lead elsewhere is no path of a file.
fn encoded(path: &str) -> Option<String> {
    if path.split('/').any(|it| matches!(it, "" | "." | "..")) {
        return None;
    }
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'/' | b'-' | b'_' | b'.' | b'~' => out.push(char::from(byte)),
            it if it.is_ascii_alphanumeric() => out.push(char::from(it)),
            it => _ = write!(out, "%{it:02X}"),
        }
    }
    Some(out)
}

/// A file and its patch between two contents; `None` when they are the same.
fn compare(
    file: &Wanted,
    before: &str,
    old: Option<&[u8]>,
    new: Option<&[u8]>,
) -> Option<ChangedFile> {
    if old == new {
        return None;
    }
    let renamed = before != file.path && old.is_some();
    let status = match (old, new) {
        (None, _) => "added",
        (_, None) => "removed",
        _ if renamed => "renamed",
        _ => "modified",
    };
    let mut changed = ChangedFile {
        path: Some(file.path.clone().into()),
        previous_path: renamed.then(|| before.to_owned().into()),
        status: Some(status.into()),
        binary: Some(false),
        ..ChangedFile::default()
    };
    let (old, new) = (old.unwrap_or_default(), new.unwrap_or_default());
    let texts = [old, new].map(std::str::from_utf8);
    let [Ok(old_text), Ok(new_text)] = texts else {
        changed.binary = Some(true);
        return Some(changed);
    };
    if old.contains(&0) || new.contains(&0) {
        changed.binary = Some(true);
    } else if old.len().max(new.len()) > LONGEST {
        (changed.changes, changed.patch_omitted) = (Some(1), Some(true));
    } else {
        changed.patch = Some(patch(old_text, new_text));
    }
    Some(changed)
}

/// The hunks between two texts, as GitHub writes them.
fn patch(old: &str, new: &str) -> Outside<std::sync::Arc<str>> {
    let diff = similar::TextDiff::from_lines(old, new);
    let text = diff.unified_diff().context_radius(3).to_string();
    Outside::new(text.trim_end_matches('\n').into())
}

/// The files of two captures of a pull request whose patch is another in the newer one, in its
/// order, then those that are no longer part of it.
pub fn differing(old: &[ChangedFile], new: &[ChangedFile]) -> Vec<Wanted> {
    let path = |it: &ChangedFile| it.path.raw().map(str::to_owned);
    let mut before: std::collections::HashMap<String, &ChangedFile> =
        old.iter().filter_map(|it| Some((path(it)?, it))).collect();
    let mut found = Vec::new();
    for file in new {
        let Some(path) = path(file) else { continue };
        let was = before.remove(&path);
        if was.is_none_or(|it| !same_patch(it, file)) {
            let before = file.previous_path.raw().map(str::to_owned);
            found.push(Wanted { path, before });
        }
    }
    let gone = old.iter().filter_map(path).filter(|it| before.contains_key(it));
    found.extend(gone.map(|path| Wanted { path, before: None }));
    found
}

/// Whether two patches change the same lines. Where they stand moves with the base; a patch that is
/// missing may be anything.
fn same_patch(a: &ChangedFile, b: &ChangedFile) -> bool {
    let lines = |it: &ChangedFile| -> Option<Vec<String>> {
        let lines = it.patch.raw()?.lines().filter(|it| !it.starts_with("@@"));
        Some(lines.map(str::to_owned).collect())
    };
    (&a.status, &a.previous_path) == (&b.status, &b.previous_path)
        && lines(a).is_some_and(|it| Some(it) == lines(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::patch::of_files;

    fn wanted(path: &str) -> Wanted {
        Wanted { path: path.to_owned(), before: None }
    }

    #[test]
    fn contents_become_patches() {
        let check = |old: Option<&str>, new: Option<&str>, expected: &str| {
            let bytes = |it: Option<&str>| it.map(|it| it.as_bytes().to_vec());
            let (old, new) = (bytes(old), bytes(new));
            let got = compare(&wanted("x"), "x", old.as_deref(), new.as_deref());
            let got = got.map(|it| {
                let patch = it.patch.as_ref().map(|it| it.raw().to_string()).unwrap_or_default();
                format!("{} {patch}", it.status.raw().unwrap_or_default())
            });
            assert_eq!(got.unwrap_or_default(), expected);
        };
        check(Some("a\nb\n"), Some("a\nc\n"), "modified @@ -1,2 +1,2 @@\n a\n-b\n+c");
        check(None, Some("a\n"), "added @@ -0,0 +1 @@\n+a");
        check(Some("a\n"), None, "removed @@ -1 +0,0 @@\n-a");
        check(Some("a\n"), Some("a\n"), "");
        check(Some("a\n"), Some("b\0"), "modified ");
    }

    #[test]
    fn a_made_patch_is_read_as_one_of_github_s() {
        let file = compare(&wanted("x"), "x", Some(b"a\nb\n"), Some(b"a\nb\nc")).expect("differs");
        let diff = of_files([&file]);
        assert_eq!((diff.files[0].additions, diff.files[0].deletions), (1, 0));
        assert!(diff.files[0].lines.last().expect("a line").no_newline);
    }

    #[test]
    fn a_path_leads_nowhere_else() {
        let check = |path, expected: Option<&str>| assert_eq!(encoded(path).as_deref(), expected);
        check("src/a b#c?.rs", Some("src/a%20b%23c%3F.rs"));
        check("é", Some("%C3%A9"));
        check("../../user", None);
        check("a/./b", None);
        check("/a", None);
    }

    #[test]
    fn only_files_whose_lines_differ_are_looked_at() {
        let file = |path: &str, patch: &str| ChangedFile {
            path: Some(path.to_owned().into()),
            patch: Some(Outside::new(patch.into())),
            ..ChangedFile::default()
        };
        let old =
            [file("a", "@@ -1 +1 @@\n-x\n+y"), file("b", "@@ -1 +1 @@\n-x\n+y"), file("c", "")];
        let new =
            [file("a", "@@ -9 +9 @@\n-x\n+y"), file("b", "@@ -1 +1 @@\n-x\n+z"), file("d", "")];
        assert_eq!(differing(&old, &new), [wanted("b"), wanted("d"), wanted("c")]);
    }
}
