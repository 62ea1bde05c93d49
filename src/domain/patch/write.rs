//! A parsed file written back as a capture's file. Must not add what the diff did not say.

use crate::domain::{
    capture::ChangedFile,
    diff::{Body, Change, FileDiff, Hunk, LineKind},
};
use std::fmt::Write as _;

/// A file in the capture's shape.
pub(crate) fn changed_file(file: &FileDiff) -> ChangedFile {
    let status = match file.change {
        Change::Added => "added",
        Change::Removed => "removed",
        Change::Modified => "modified",
        Change::Renamed(_) => "renamed",
        Change::Copied(_) => "copied",
        Change::TypeChanged | Change::ModeChanged => "changed",
    };
    let left_out = matches!(file.body, Body::NotLoaded(_));
    ChangedFile {
        path: Some(file.path.clone()),
        previous_path: file.previous_path.clone(),
        status: Some(status.to_owned()),
        additions: Some(file.additions.into()),
        deletions: Some(file.deletions.into()),
        changes: Some(u64::from(file.additions) + u64::from(file.deletions)),
        binary: Some(file.body == Body::Binary),
        patch: (!file.hunks.is_empty()).then(|| patch(file)),
        patch_omitted: left_out.then_some(true),
    }
}

fn patch(file: &FileDiff) -> String {
    let bytes: usize = file.lines.iter().map(|it| it.len as usize + 2).sum();
    let mut out = String::with_capacity(bytes + 40 * file.hunks.len());
    for hunk in &file.hunks {
        write_hunk(&mut out, file, hunk);
    }
    out.pop();
    out
}

fn write_hunk(out: &mut String, file: &FileDiff, hunk: &Hunk) {
    let Hunk { old_start, old_count, new_start, new_count, .. } = hunk;
    write!(out, "@@ -{old_start},{old_count} +{new_start},{new_count} @@")
        .expect("writing to a String cannot fail");
    let section = file.section(hunk);
    if !section.is_empty() {
        out.push(' ');
        out.push_str(&section);
    }
    out.push('\n');
    for line in &file.lines[hunk.lines.start as usize..hunk.lines.end as usize] {
        out.push(match line.kind {
            LineKind::Context => ' ',
            LineKind::Added => '+',
            LineKind::Removed => '-',
        });
        out.push_str(&file.content(line));
        out.push('\n');
        if line.no_newline {
            out.push_str("\\ No newline at end of file\n");
        }
    }
}
