//! A capture document for a target that has none: a `.diff` file or a git range.
//! Must not be on the way to the first frame; it writes the whole diff out again.

use crate::domain::{
    capture::{Capture, ChangedFile},
    diff::{Body, Change, Diff, FileDiff, Hunk, LineKind},
};
use std::fmt::Write as _;

/// The capture with the files of the diff, unless it names some itself.
pub fn capture(capture: &Capture, diff: Option<&Diff>) -> Capture {
    let mut capture = capture.clone();
    if let (None, Some(diff)) = (&capture.files, diff) {
        capture.files = Some(diff.files.iter().map(changed_file).collect());
    }
    capture
}

/// The capture as JSON.
pub fn document(capture: &Capture) -> Vec<u8> {
    let patch = |it: &ChangedFile| it.patch.as_ref().map_or(0, |it| it.raw().len());
    let patches: usize = capture.files.iter().flatten().map(patch).sum();
    // Room once: a document that grows by doubling holds itself three times over.
    let mut bytes = Vec::with_capacity(patches + patches / 16 + (64 << 10));
    serde_json::to_writer(&mut bytes, capture)
        .expect("a capture has text keys only, so it always serialises");
    bytes
}

/// A file as the files list of a forge has it.
pub fn changed_file(file: &FileDiff) -> ChangedFile {
    let (additions, deletions) = (u64::from(file.additions), u64::from(file.deletions));
    ChangedFile {
        path: Some(file.path.clone()),
        previous_path: file.previous_path.clone(),
        status: Some(status(file.change).into()),
        additions: Some(additions),
        deletions: Some(deletions),
        changes: Some(additions + deletions),
        binary: Some(file.body == Body::Binary),
        patch: (!file.hunks.is_empty()).then(|| patch(file).into()),
        patch_omitted: Some(matches!(file.body, Body::NotLoaded(_))),
    }
}

fn status(change: Change) -> &'static str {
    match change {
        Change::Added => "added",
        Change::Removed => "removed",
        Change::Modified => "modified",
        Change::Renamed(_) => "renamed",
        Change::Copied(_) => "copied",
        Change::TypeChanged | Change::ModeChanged => "changed",
    }
}

/// The hunks as a forge would send them, from the first `@@` on.
pub fn patch(file: &FileDiff) -> String {
    let mut text = String::new();
    for hunk in &file.hunks {
        header(&mut text, file, hunk);
        for line in &file.lines[hunk.lines.start as usize..hunk.lines.end as usize] {
            text.push(match line.kind {
                LineKind::Context => ' ',
                LineKind::Added => '+',
                LineKind::Removed => '-',
            });
            text.push_str(file.content(line).raw());
            text.push('\n');
            if line.no_newline {
                text.push_str("\\ No newline at end of file\n");
            }
        }
    }
    text.pop();
    text
}

fn header(text: &mut String, file: &FileDiff, hunk: &Hunk) {
    let Hunk { old_start, old_count, new_start, new_count, .. } = hunk;
    write!(text, "@@ -{old_start},{old_count} +{new_start},{new_count} @@")
        .expect("text takes all");
    let section = file.section(hunk);
    if !section.is_empty() && !section.raw().starts_with(' ') {
        text.push(' ');
    }
    text.push_str(section.raw());
    text.push('\n');
}
