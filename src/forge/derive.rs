//! A capture document for a target that has none: a `.diff` file or a git range.
//! Must not be on the way to the first frame; it writes the whole diff out again.

use crate::domain::{
    capture::{Capture, ChangedFile},
    diff::{Body, Change, Diff, FileDiff, Hunk, LineKind},
};
use std::fmt::Write as _;

/// What stands in a document for files that are not there.
const NO_FILES: &[u8] = b"\"files\":null";

/// The capture as JSON, with the files of the diff unless it names some itself. Each patch is made
/// and written by itself: all of them are as long as the diff.
pub fn document(capture: &Capture, diff: Option<&Diff>) -> Vec<u8> {
    const PLAIN: &str = "a capture has text keys only, so it always serialises";
    let head = serde_json::to_vec(capture).expect(PLAIN);
    let (None, Some(diff)) = (&capture.files, diff) else { return head };
    // Quotes inside a text are escaped, so no text holds these bytes.
    let at = memchr::memmem::find(&head, NO_FILES).expect("a capture without files says so");
    let text: usize =
        diff.files.iter().flat_map(|it| &it.lines).map(|it| it.len as usize + 4).sum();
    // Room once: a document that grows by doubling holds itself three times over.
    let mut bytes = Vec::with_capacity(head.len() + text + diff.files.len() * 400);
    bytes.extend_from_slice(&head[..at]);
    bytes.extend_from_slice(b"\"files\":[");
    for (at, file) in diff.files.iter().enumerate() {
        if at > 0 {
            bytes.push(b',');
        }
        serde_json::to_writer(&mut bytes, &changed_file(file)).expect(PLAIN);
    }
    bytes.push(b']');
    bytes.extend_from_slice(&head[at + NO_FILES.len()..]);
    bytes
}

/// The capture a document of `document` holds, but for the patches: where there is one, it is an
/// empty text here.
pub fn outline(capture: &Capture, diff: Option<&Diff>) -> Capture {
    let mut capture = capture.clone();
    if let (None, Some(diff)) = (&capture.files, diff) {
        let file = |it| {
            let patch = |it: &FileDiff| (!it.hunks.is_empty()).then(|| String::new().into());
            ChangedFile { patch: patch(it), ..about(it) }
        };
        capture.files = Some(diff.files.iter().map(file).collect());
    }
    capture
}

/// A file as the files list of a forge has it.
pub fn changed_file(file: &FileDiff) -> ChangedFile {
    ChangedFile { patch: (!file.hunks.is_empty()).then(|| patch(file).into()), ..about(file) }
}

/// All but the patch.
fn about(file: &FileDiff) -> ChangedFile {
    let (additions, deletions) = (u64::from(file.additions), u64::from(file.deletions));
    ChangedFile {
        path: Some(file.path.clone()),
        previous_path: file.previous_path.clone(),
        status: Some(status(file.change).into()),
        additions: Some(additions),
        deletions: Some(deletions),
        changes: Some(additions + deletions),
        binary: Some(file.body == Body::Binary),
        patch: None,
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
