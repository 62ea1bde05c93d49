//! Code lines as they are shown: bounded, expanded, cut to a window; and the runs of changes they
//! stand in. Must not process more of a line than a screen can show: lines of 400 kB exist.

use crate::{
    app::layout::row::NO_LINE,
    domain::{
        diff::{DiffLine, FileDiff, LineKind},
        text::{self, Surface},
    },
};
use std::{borrow::Cow, ops::Range};

/// Rows a single line may wrap to; the rest is marked, not shown.
pub const PARTS: u16 = 48;

/// Lines of one kind of change: removed lines, then the added ones that replace them; or one
/// line of context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    pub removed: Range<u32>,
    pub added: Range<u32>,
    pub context: bool,
}

impl Run {
    /// The line after the run.
    pub fn end(&self) -> u32 {
        self.added.end.max(self.removed.end)
    }

    /// Left and right lines of the rows it takes side by side.
    pub fn pairs(&self) -> impl Iterator<Item = (u32, u32)> + use<> {
        let (removed, added, context) = (self.removed.clone(), self.added.clone(), self.context);
        (0..removed.len().max(added.len())).map(move |at| {
            let side = |range: &Range<u32>| range.clone().nth(at).unwrap_or(NO_LINE);
            if context { (removed.start, removed.start) } else { (side(&removed), side(&added)) }
        })
    }
}

/// The run that begins at `line`, within `bounds`.
pub fn run_at(file: &FileDiff, line: u32, bounds: Range<u32>) -> Run {
    let kind = |at: u32| file.lines[at as usize].kind;
    if kind(line) == LineKind::Context {
        return Run { removed: line..line + 1, added: line..line + 1, context: true };
    }
    let mut middle = line;
    while middle < bounds.end && kind(middle) == LineKind::Removed {
        middle += 1;
    }
    let mut end = middle;
    while end < bounds.end && kind(end) == LineKind::Added {
        end += 1;
    }
    Run { removed: line..middle, added: middle..end, context: false }
}

/// The line a changed line replaces or is replaced by, when both stand in one run; looks at most
/// 256 lines far.
pub fn partner(file: &FileDiff, line: u32) -> Option<u32> {
    const FAR: u32 = 256;
    let bounds = file.hunks.get(file.hunk_of(line)?)?.lines.clone();
    let kind = |at: u32| file.lines[at as usize].kind;
    let first = |from: u32, of: LineKind| {
        let mut at = from;
        while at > bounds.start && from - at < FAR && kind(at - 1) == of {
            at -= 1;
        }
        at
    };
    let last = |from: u32, of: LineKind| {
        let mut at = from;
        while at < bounds.end && at - from < FAR && kind(at) == of {
            at += 1;
        }
        at
    };
    let (removed, added) = match kind(line) {
        LineKind::Context => return None,
        LineKind::Removed => {
            let (start, middle) = (first(line, LineKind::Removed), last(line, LineKind::Removed));
            (start..middle, middle..last(middle, LineKind::Added))
        }
        LineKind::Added => {
            let middle = first(line, LineKind::Added);
            (first(middle, LineKind::Removed)..middle, middle..last(line, LineKind::Added))
        }
    };
    let (mine, other) =
        if kind(line) == LineKind::Removed { (removed, added) } else { (added, removed) };
    (mine.contains(&line) && mine.len() == other.len()).then(|| other.start + (line - mine.start))
}

/// Whether a run changes nothing but blanks, tabs and line ends.
pub fn only_whitespace(file: &FileDiff, run: &Run) -> bool {
    if run.context || run.removed.is_empty() && run.added.is_empty() {
        return false;
    }
    let ink = |range: &Range<u32>| {
        let lines = range.clone().map(|at| file.lines[at as usize]);
        lines
            .flat_map(|line| file.raw_bytes(&line).iter().copied())
            .filter(|byte| !byte.is_ascii_whitespace())
    };
    ink(&run.removed).eq(ink(&run.added))
}

/// The beginning of a line as it is shown, enough for `cells`, and whether bytes were left out.
/// A `\r` at the end is part of the line end when all lines of the file have one.
pub fn shown<'a>(
    file: &'a FileDiff,
    line: &DiffLine,
    cells: usize,
    tab: u8,
) -> (Cow<'a, str>, bool) {
    let bytes = file.raw_bytes(line);
    let cut = if file.crlf { bytes.strip_suffix(b"\r") } else { None };
    let bytes = cut.unwrap_or(bytes);
    let most = cells.saturating_mul(4).saturating_add(64);
    let whole = bytes.len() <= most;
    let text = if whole { String::from_utf8_lossy(bytes) } else { prefix(bytes, most) };
    let surface = Surface::Code { tab_width: tab };
    let shown = match text {
        Cow::Borrowed(text) => text::display(text, surface),
        Cow::Owned(text) => Cow::Owned(text::display(&text, surface).into_owned()),
    };
    (shown, !whole)
}

fn prefix(bytes: &[u8], most: usize) -> Cow<'_, str> {
    let mut end = most;
    while end > 0 && bytes[end] & 0b1100_0000 == 0b1000_0000 {
        end -= 1;
    }
    String::from_utf8_lossy(&bytes[..end])
}

/// Rows a line takes when it wraps at `room` cells.
pub fn parts(file: &FileDiff, line: u32, room: usize, tab: u8) -> u16 {
    let line = &file.lines[line as usize];
    if (line.len as usize) < room / usize::from(tab.max(1)).max(8) {
        return 1;
    }
    let (shown, _) = shown(file, line, room.max(1) * usize::from(PARTS), tab);
    if shown.is_ascii() {
        return shown.len().div_ceil(room.max(1)).clamp(1, usize::from(PARTS)) as u16;
    }
    text::chop(&shown, room.max(1)).len().clamp(1, usize::from(PARTS)) as u16
}
