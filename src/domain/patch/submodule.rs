//! Submodules, in both forms git writes: the pinned commits as one-line hunks, and the log form
//! `Submodule path a..b:`. Must not take such a change for a text edit.

use crate::domain::text::outside::Outside;
use crate::domain::{
    diff::{Body, Change, FileDiff, LineKind},
    patch::{lines::Lines, section::lossy},
};

/// Directory entries of this mode are pinned commits.
const MODE: u32 = 0o160_000;

/// The submodule body, when the hunks of `file` are pinned commits. The hunks stay: threads may
/// stand on them.
pub(crate) fn of_hunks(file: &FileDiff) -> Option<Body> {
    let by_mode = file.old_mode == Some(MODE) || file.new_mode == Some(MODE);
    let mut pins = (None, None);
    if file.lines.len() > 2 || (file.lines.is_empty() && !by_mode) {
        return None;
    }
    for line in &file.lines {
        let pin = lossy(file.raw_bytes(line).strip_prefix(b"Subproject commit ")?);
        let commit = pin.trim_end().trim_end_matches("-dirty");
        let whole =
            matches!(commit.len(), 40 | 64) && commit.bytes().all(|it| it.is_ascii_hexdigit());
        let side = match line.kind {
            LineKind::Removed => &mut pins.0,
            LineKind::Added => &mut pins.1,
            LineKind::Context => return None,
        };
        if !(whole || by_mode) || side.replace(pin.clone()).is_some() {
            return None;
        }
    }
    Some(Body::Submodule { old: pins.0, new: pins.1 })
}

/// The log form, when `line` is its first line: `Submodule path a..b:`, `a...b (rewind):`,
/// `a...b (new submodule)`. The commits listed under it become the file's note.
pub(crate) fn of_log(lines: &mut Lines<'_>, line: &[u8]) -> Option<FileDiff> {
    let text = std::str::from_utf8(line.strip_prefix(b"Submodule ")?).ok()?;
    let mut file = FileDiff::named(Outside::default(), Change::Modified);
    if let Some(path) = text.strip_suffix(" contains modified content") {
        return Some(dirty(file, path, "modified content"));
    }
    if let Some(path) = text.strip_suffix(" contains untracked content") {
        return Some(dirty(file, path, "untracked content"));
    }
    let (head, note) = match text.split_once(" (") {
        Some((head, note)) => (head, Some(note.trim_end_matches([')', ':']).to_owned())),
        None => (text.strip_suffix(':')?, None),
    };
    let (path, range) = head.rsplit_once(' ')?;
    let (old, new) = range.split_once("...").or_else(|| range.split_once(".."))?;
    let pin = |it: &str| (!it.bytes().all(|it| it == b'0')).then(|| it.to_owned());
    if [old, new].iter().any(|it| it.is_empty() || !it.bytes().all(|it| it.is_ascii_hexdigit())) {
        return None;
    }
    file.path = path.into();
    file.body = Body::Submodule { old: pin(old), new: pin(new) };
    file.change = match (pin(old), pin(new)) {
        (None, Some(_)) => Change::Added,
        (Some(_), None) => Change::Removed,
        _ => Change::Modified,
    };
    let mut notes: Vec<String> = note.into_iter().collect();
    while let Some(line) = lines.peek().filter(|it| it.starts_with(b"  ")) {
        notes.push(lossy(line.trim_ascii_start()));
        lines.skip();
    }
    file.note = (!notes.is_empty()).then(|| notes.join("\n").into());
    Some(file)
}

fn dirty(mut file: FileDiff, path: &str, what: &str) -> FileDiff {
    file.path = path.into();
    file.body = Body::Submodule { old: None, new: None };
    file.note = Some(what.into());
    file
}
