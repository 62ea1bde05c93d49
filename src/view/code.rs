//! One line of code as spans: a window of its cells, changed words, search hits, marks for what hides.
//! Must not process more of a line than it shows.

use crate::{
    app::{code, needle::Needle},
    domain::{
        diff::{DiffLine, FileDiff, LineKind},
        text::{self, Surface},
    },
    view::{
        line::{CodeRef, Tone},
        paint::{Pen, thousands},
    },
};
use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation as _;

/// What one piece of a code line is drawn from.
pub struct Window<'a> {
    pub file: &'a FileDiff,
    pub file_index: u32,
    pub line: u32,
    /// First cell shown.
    pub from: usize,
    /// Cells to show.
    pub cells: usize,
    pub tab: u8,
    /// Changed words, in bytes of the displayed line.
    pub words: &'a [Range<usize>],
    pub needle: &'a Needle,
    /// The line is the current search hit.
    pub current: bool,
    /// Rows of this line follow or came before: no marks at the edges.
    pub wraps: bool,
}

/// The tone of a code line's text.
pub fn tone(kind: LineKind) -> Tone {
    match kind {
        LineKind::Context => Tone::Context,
        LineKind::Added => Tone::Added,
        LineKind::Removed => Tone::Removed,
    }
}

/// Writes the window and fills its cells.
pub fn draw(pen: &mut Pen, window: &Window<'_>) {
    let line = &window.file.lines[window.line as usize];
    let base = tone(line.kind);
    let end = pen.used() + window.cells;
    let (shown, cut) = code::shown(window.file, line, window.from + window.cells, window.tab);
    let left = !window.wraps && window.from > 0 && !shown.is_empty();
    let right_mark = mark_right(window, line, &shown, cut);
    let from = window.from + usize::from(left);
    let cells = window.cells.saturating_sub(usize::from(left) + text::width(&right_mark));
    if left {
        pen.write("«", Tone::Muted);
    }
    let (range, blank) = if window.wraps && !shown.is_ascii() {
        (part_of(&shown, window.from, window.cells), 0)
    } else {
        bytes_of(&shown, from, cells)
    };
    if blank > 0 {
        pen.code(&" ".repeat(blank), blank, base, None);
    }
    let column = if shown.is_ascii() { range.start } else { shown[..range.start].chars().count() };
    let ink = trailing(&shown, line, cut).clamp(range.start, range.end);
    spans(pen, window, &shown, range.start..ink, (base, column as u32));
    pen.write(&"·".repeat(range.end - ink), Tone::Hidden);
    if !right_mark.is_empty() {
        pen.pad_to(end - text::width(&right_mark), base);
        pen.write(&right_mark, Tone::Muted);
    } else if line.no_newline && pen.used() + 2 < end {
        pen.write(" ", base);
        let room = end - pen.used();
        pen.write(&text::clip("⊘ no newline at end of file", room), Tone::Muted);
    }
    pen.pad_to(end, base);
}

/// Where the blanks at the end of an added line begin: they are made visible.
fn trailing(shown: &str, line: &DiffLine, cut: bool) -> usize {
    let visible = line.kind == LineKind::Added && !cut;
    if visible { shown.trim_end_matches(' ').len() } else { shown.len() }
}

/// `»` where more follows, with the true length when it is far more.
fn mark_right(window: &Window<'_>, line: &DiffLine, shown: &str, cut: bool) -> String {
    let last = window.from + window.cells;
    if !cut && (window.wraps || text::width(shown) <= last) {
        return String::new();
    }
    if cut && line.len > 2_000 && window.cells > 24 {
        return format!("» {} bytes", thousands(u64::from(line.len)));
    }
    if window.wraps { String::new() } else { "»".to_owned() }
}

/// The bytes whose graphemes begin in the cells `from..from + cells` and fit; and blanks for a
/// wide one that began before.
fn bytes_of(shown: &str, from: usize, cells: usize) -> (Range<usize>, usize) {
    if shown.is_ascii() {
        let start = from.min(shown.len());
        return (start..(start + cells).min(shown.len()), 0);
    }
    let (mut at, mut start, mut blank) = (0, None, 0);
    for (byte, grapheme) in shown.grapheme_indices(true) {
        let width = text::width(grapheme);
        if at >= from && start.is_none() {
            start = Some(byte);
            blank = at - from;
        }
        if at + width > from + cells {
            return (start.unwrap_or(byte)..byte, blank);
        }
        at += width;
    }
    (start.unwrap_or(shown.len())..shown.len(), blank)
}

/// The bytes of a wrapped part, cut where the layout cut it.
fn part_of(shown: &str, from: usize, cells: usize) -> Range<usize> {
    let cells = cells.max(1);
    let parts = text::chop(shown, cells);
    let at = (from / cells).min(parts.len());
    let start: usize = parts[..at].iter().map(String::len).sum();
    let end = start + parts.get(at).map_or(0, String::len);
    if shown.get(start..end).is_some() { start..end } else { shown.len()..shown.len() }
}

/// Writes the bytes of a range in spans of one tone.
fn spans(
    pen: &mut Pen,
    window: &Window<'_>,
    shown: &str,
    range: Range<usize>,
    (base, column): (Tone, u32),
) {
    let hits = hits(window.needle, shown, &range);
    let marks =
        if shown.contains('<') || !shown.is_ascii() { marks(window, shown) } else { Vec::new() };
    let word = if base == Tone::Added { Tone::AddedWord } else { Tone::RemovedWord };
    let hit = if window.current { Tone::MatchCurrent } else { Tone::Match };
    let layers: [(&[Range<usize>], Tone); 3] =
        [(&hits, hit), (&marks, Tone::Hidden), (window.words, word)];
    let mut at = range.start;
    let mut column = column;
    while at < range.end {
        let (tone, end) = layer(&layers, at, range.end, base);
        let piece = &shown[at..end];
        let code = CodeRef { file: window.file_index, line: window.line, column };
        let plain = piece.is_ascii();
        let cells = if plain { piece.len() } else { text::width(piece) };
        pen.code(piece, cells, tone, Some(code));
        column += if plain { piece.len() } else { piece.chars().count() } as u32;
        at = end;
    }
}

/// The tone at a byte, and where it ends.
fn layer(layers: &[(&[Range<usize>], Tone)], at: usize, end: usize, base: Tone) -> (Tone, usize) {
    let mut stop = end;
    for (ranges, tone) in layers {
        for range in ranges.iter().filter(|it| it.end <= end || it.start < end) {
            if range.contains(&at) {
                return (*tone, stop.min(range.end));
            }
            if range.start > at {
                stop = stop.min(range.start);
            }
        }
    }
    (base, stop)
}

/// Occurrences of the searched text that touch the range.
pub fn hits(needle: &Needle, shown: &str, range: &Range<usize>) -> Vec<Range<usize>> {
    let mut hits = Vec::new();
    if needle.is_empty() {
        return hits;
    }
    let mut from = range.start.saturating_sub(needle.text().len());
    while !shown.is_char_boundary(from) {
        from -= 1;
    }
    while let Some(hit) = needle.find(shown, from) {
        if hit.start >= range.end {
            break;
        }
        from = hit.end;
        hits.push(hit);
    }
    hits
}

/// Where the display put marks for hidden and control characters.
fn marks(window: &Window<'_>, shown: &str) -> Vec<Range<usize>> {
    let line = &window.file.lines[window.line as usize];
    if line.len > 4_000 {
        return Vec::new();
    }
    let raw = window.file.shown(line);
    let marks = raw.show(Surface::Code { tab_width: window.tab }).marks;
    marks.into_iter().filter(|it| shown.get(it.clone()).is_some()).collect()
}
