//! Files whose patch comes without headers: a capture's files, and the hunk of a comment.
//! Must not hide a file that has no patch; it says why.

use crate::domain::text::outside::{Outside, OutsideOption as _};
use crate::domain::{
    capture::ChangedFile,
    diff::{Body, Change, DiffLine, FileDiff, Hunk, LineKind},
    patch::{hunks, lines::Lines, submodule},
};
use std::sync::Arc;

/// One file of a capture.
pub(crate) fn of_changed(from: &ChangedFile) -> FileDiff {
    let path = from.path.raw().or(from.previous_path.raw()).unwrap_or("(no path)");
    let mut file = FileDiff::named(path.into(), change(from));
    file.previous_path = from.previous_path.clone().filter(|it| it != path);
    read(&mut file, &from.patch.clone().map(Outside::into_raw).unwrap_or_default().into());
    file.body = body(from, &file);
    if file.hunks.is_empty() {
        file.additions = count(from.additions);
        file.deletions = count(from.deletions);
        if file.body == Body::NoContentChange && file.change == Change::Modified {
            file.change = Change::ModeChanged;
        }
    }
    file
}

fn read(file: &mut FileDiff, text: &Arc<[u8]>) {
    file.text = Arc::clone(text);
    // Room once: growing by and by costs more than reading.
    file.lines.reserve_exact(memchr::memchr_iter(b'\n', text).count() + 1);
    let mut lines = Lines::new(text);
    hunks::read(&mut lines, file);
    if lines.at < text.len() && file.note.is_none() {
        file.note =
            Some(format!("{} bytes of its patch could not be read", text.len() - lines.at).into());
    }
}

fn count(from: Option<u64>) -> u32 {
    from.unwrap_or(0).try_into().unwrap_or(u32::MAX)
}

fn change(from: &ChangedFile) -> Change {
    match from.status.raw() {
        Some("added") => Change::Added,
        Some("removed" | "deleted") => Change::Removed,
        Some("renamed") => Change::Renamed(None),
        Some("copied") => Change::Copied(None),
        None if from.previous_path.is_some() && from.previous_path != from.path => {
            Change::Renamed(None)
        }
        _ => Change::Modified,
    }
}

/// What a file shows. The forge gives no patch for binary files, pure renames, empty files and
/// large changes alike; its counts and flags tell some of them apart.
fn body(from: &ChangedFile, file: &FileDiff) -> Body {
    if !file.hunks.is_empty() {
        return submodule::of_hunks(file).unwrap_or(Body::Text);
    }
    if from.binary == Some(true) {
        return Body::Binary;
    }
    let sum = from.additions.unwrap_or(0) + from.deletions.unwrap_or(0);
    let changes = from.changes.unwrap_or(sum);
    if changes > 0 {
        let s = if changes == 1 { "" } else { "s" };
        return Body::NotLoaded(format!("GitHub left this patch out ({changes} change{s})"));
    }
    let counted = from.changes.or(from.additions).or(from.deletions).is_some();
    if from.patch.raw().is_some_and(|it| !it.is_empty()) {
        return Body::NotLoaded("its patch holds no hunk that can be read".to_owned());
    }
    match (file.change, counted && from.patch_omitted != Some(true)) {
        (_, false) => Body::NotLoaded("the capture holds no patch for it".to_owned()),
        (Change::Renamed(_) | Change::Copied(_), true) => Body::NoContentChange,
        (Change::Added | Change::Removed, true) if from.binary == Some(false) => Body::Empty,
        (Change::Added | Change::Removed, true) => {
            Body::NotLoaded("an empty or a binary file: it has no changed lines".to_owned())
        }
        (_, true) if from.binary == Some(false) => Body::NoContentChange,
        (_, true) => {
            Body::NotLoaded("a binary file or a change of mode: it has no changed lines".to_owned())
        }
    }
}

/// See `patch::of_hunk`.
pub(crate) fn of_hunk(path: &str, hunk: &str, keep: usize) -> FileDiff {
    let mut file = FileDiff::named(path.into(), Change::Modified);
    read(&mut file, &Arc::from(hunk.as_bytes()));
    file.note = None;
    if file.hunks.is_empty() {
        bare_lines(&mut file);
    }
    let cut = file.lines.len().saturating_sub(keep) as u32;
    file.lines.drain(..cut as usize);
    file.hunks.retain(|it| it.lines.end > cut || cut == 0);
    for hunk in &mut file.hunks {
        hunk.lines = hunk.lines.start.saturating_sub(cut)..hunk.lines.end - cut;
        fit_to_lines(hunk, &file.lines[hunk.lines.start as usize..hunk.lines.end as usize]);
    }
    file
}

/// Makes a hunk's header true for the lines that are there.
fn fit_to_lines(hunk: &mut Hunk, lines: &[DiffLine]) {
    let olds = lines.iter().filter(|it| it.old > 0);
    let news = lines.iter().filter(|it| it.new > 0);
    if let Some(first) = olds.clone().next() {
        hunk.old_start = first.old;
    }
    if let Some(first) = news.clone().next() {
        hunk.new_start = first.new;
    }
    (hunk.old_count, hunk.new_count) = (olds.count() as u32, news.count() as u32);
}

/// A hunk that came without its `@@` line: its lines, unnumbered.
fn bare_lines(file: &mut FileDiff) {
    let text = Arc::clone(&file.text);
    let mut lines = Lines::new(&text);
    while let Some(range) = lines.take() {
        let (kind, prefix) = match text.get(range.start) {
            Some(b'+') => (LineKind::Added, 1),
            Some(b'-') => (LineKind::Removed, 1),
            Some(b' ') => (LineKind::Context, 1),
            _ => (LineKind::Context, 0),
        };
        let at = (range.start + prefix).min(range.end);
        let len = (range.end - at) as u32;
        let (old, new, no_newline) = (0, 0, false);
        file.lines.push(DiffLine { at: at as u32, len, old, new, kind, no_newline });
    }
    let lines = 0..file.lines.len() as u32;
    if !lines.is_empty() {
        let (old_start, old_count, new_start, new_count) = (0, 0, 0, 0);
        file.hunks.push(Hunk { old_start, old_count, new_start, new_count, section: 0..0, lines });
    }
}
