//! Unified diffs to files, hunks and lines, by the counts of each `@@` and never by a prefix.
//! Must not refuse: what cannot be read stays visible with its reason.

use crate::domain::{
    capture::{Capture, ChangedFile},
    diff::{Change, Diff, FileDiff},
    patch::lines::Lines,
};
use std::sync::Arc;

mod files;
pub mod growing;
mod hunks;
mod lines;
mod name;
mod section;
mod submodule;

/// A whole unified diff, as git or `diff -u` writes it, with any mail or commit text around it.
/// Reads the first 4 GiB; whoever reads the file holds it far below.
pub fn parse(bytes: &[u8]) -> Diff {
    let bytes = &bytes[..bytes.len().min(u32::MAX as usize)];
    let text: Arc<[u8]> = Arc::from(bytes);
    let mut lines = Lines::new(&text);
    let mut files = Vec::new();
    while let Some(line) = lines.peek() {
        if line.starts_with(b"--- ") && section::plain_follows(&lines) {
            files.push(section::plain(&mut lines, &text));
            continue;
        }
        lines.skip();
        if let Some(names) = line.strip_prefix(b"diff --git ") {
            files.push(section::git(&mut lines, &text, names));
        } else if let Some(names) =
            line.strip_prefix(b"diff --cc ").or_else(|| line.strip_prefix(b"diff --combined "))
        {
            files.push(section::combined(&mut lines, names));
        } else if let Some(names) = line.strip_prefix(b"Binary files ") {
            files.extend(section::plain_binary(names));
        } else {
            files.extend(submodule::of_log(&mut lines, line));
        }
    }
    join_type_changes(&mut files);
    Diff { files }
}

/// The files of a capture. Each has at most one patch, which begins at its first `@@`; a file
/// without one stays, with the reason.
pub fn of_capture(capture: &Capture) -> Diff {
    of_files(capture.files.iter().flatten())
}

/// The same of files that are in no capture.
pub fn of_files<'a>(changed: impl IntoIterator<Item = &'a ChangedFile>) -> Diff {
    let mut files: Vec<_> = changed.into_iter().map(files::of_changed).collect();
    join_type_changes(&mut files);
    Diff { files }
}

/// The hunk a thread was written on, as a file of its own: `diff_hunk` ends at the commented
/// line, so its counts promise more than it holds. Of its lines the last `keep` stay.
pub fn of_hunk(path: &str, hunk: &str, keep: usize) -> FileDiff {
    files::of_hunk(path, hunk, keep)
}

/// A file that became a link (or a submodule, or the reverse) comes as two sections with one
/// path, removed and added.
pub(crate) fn join_type_changes(files: &mut [FileDiff]) {
    for at in 1..files.len() {
        let (before, after) = (&files[at - 1], &files[at]);
        let pair = before.change == Change::Removed && after.change == Change::Added;
        if pair && before.path == after.path && before.path_bytes == after.path_bytes {
            for file in &mut files[at - 1..=at] {
                file.change = Change::TypeChanged;
            }
        }
    }
}

#[cfg(test)]
mod tests;
