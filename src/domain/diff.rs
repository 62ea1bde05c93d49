//! The diff model: files, hunks and lines over one shared text, indexed once.
//! Must not parse (`patch` does) and must not know about threads (`anchor` does).
//!
//! A line is 20 bytes beside the text it points into, so 100,000 changed lines cost their own
//! bytes and little more. Line numbers are 1-based; `0` means "not on this side".

use crate::domain::text::outside::Outside;
use std::{borrow::Cow, ops::Range, sync::Arc};

/// A whole change.
#[derive(Debug, Clone, Default)]
pub struct Diff {
    pub files: Vec<FileDiff>,
}

/// One file of a change. Two entries may share a path (a file that became a symbolic link), so
/// a file is addressed by its index, never by its path alone.
#[derive(Debug, Clone)]
pub struct FileDiff {
    /// Path after the change (before it, for a removed file), decoded for people.
    pub path: Outside,
    /// The exact bytes of `path` when they are not UTF-8.
    pub path_bytes: Option<Vec<u8>>,
    pub previous_path: Option<Outside>,
    pub change: Change,
    /// `(old, new)` file modes, octal digits as git writes them, when the diff names them.
    pub old_mode: Option<u32>,
    pub new_mode: Option<u32>,
    pub body: Body,
    pub additions: u32,
    pub deletions: u32,
    /// Every shown line ends in `\r\n`, so a mark on each would say nothing: see `shown`.
    pub crlf: bool,
    /// What else there is to say: where a cut hunk ends, the commits under a submodule's log
    /// form, one a line. For people, and untrusted.
    pub note: Option<Outside>,
    /// The text all hunks of this file point into (shared with its neighbours in a `.diff` file).
    pub text: Arc<[u8]>,
    pub hunks: Vec<Hunk>,
    pub lines: Vec<DiffLine>,
}

/// What happened to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    Added,
    Removed,
    Modified,
    /// Similarity in percent, where the diff says it.
    Renamed(Option<u8>),
    Copied(Option<u8>),
    /// A file that became a link, or the reverse.
    TypeChanged,
    /// Only the mode moved.
    ModeChanged,
}

/// What a file shows in the diff.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    /// Hunks to read.
    Text,
    Binary,
    /// A pinned commit that moved; `None` on the side where there is no submodule. The one-line
    /// hunks that say so stay in `hunks`, since threads may stand on them.
    Submodule {
        old: Option<String>,
        new: Option<String>,
    },
    /// Added or removed with no content.
    Empty,
    /// A pure rename, copy or mode change.
    NoContentChange,
    /// The content exists but is not here; the reason is for people.
    NotLoaded(String),
}

/// A run of changed lines with their surroundings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk {
    pub old_start: u32,
    pub old_count: u32,
    pub new_start: u32,
    pub new_count: u32,
    /// What stands after the second `@@`, as a range of `FileDiff::text`.
    pub section: Range<u32>,
    /// Indices into `FileDiff::lines`.
    pub lines: Range<u32>,
}

/// One line of a hunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiffLine {
    /// Offset of the content (after the `+`, `-` or blank) in `FileDiff::text`.
    pub at: u32,
    /// Length of the content in bytes, without the line's end (`\n` only; a `\r` is content).
    pub len: u32,
    /// 1-based line on the old side, `0` for an added line.
    pub old: u32,
    /// 1-based line on the new side, `0` for a removed line.
    pub new: u32,
    pub kind: LineKind,
    /// `\ No newline at end of file` stood after this line.
    pub no_newline: bool,
}

/// Which side a line is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LineKind {
    Context,
    Added,
    Removed,
}

/// A side of the diff: `Left` is before, `Right` is after.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    Left,
    Right,
}

impl FileDiff {
    /// A file with nothing in it yet; the parser fills it.
    pub fn named(path: Outside, change: Change) -> Self {
        Self {
            path,
            path_bytes: None,
            previous_path: None,
            change,
            old_mode: None,
            new_mode: None,
            body: Body::Text,
            additions: 0,
            deletions: 0,
            crlf: false,
            note: None,
            text: Arc::from(&b""[..]),
            hunks: Vec::new(),
            lines: Vec::new(),
        }
    }

    /// The content of a line as it stands, which may hold a `\r`, tabs and control bytes.
    pub fn raw_bytes(&self, line: &DiffLine) -> &[u8] {
        let from = line.at as usize;
        &self.text[from..from + line.len as usize]
    }

    /// The content of a line as text; bytes that are not UTF-8 become `U+FFFD`.
    /// The result is untrusted: only `text::display` may turn it into cells.
    pub fn content(&self, line: &DiffLine) -> Outside<Cow<'_, str>> {
        Outside::new(String::from_utf8_lossy(self.raw_bytes(line)))
    }

    /// The content of a line for people: without the `\r` of its end when all lines have one.
    /// Untrusted like `content`.
    pub fn shown(&self, line: &DiffLine) -> Outside<Cow<'_, str>> {
        let bytes = self.raw_bytes(line);
        let cut = if self.crlf { bytes.strip_suffix(b"\r") } else { None };
        Outside::new(String::from_utf8_lossy(cut.unwrap_or(bytes)))
    }

    /// What stands after a hunk's second `@@`.
    pub fn section(&self, hunk: &Hunk) -> Outside<Cow<'_, str>> {
        let range = hunk.section.start as usize..hunk.section.end as usize;
        Outside::new(String::from_utf8_lossy(&self.text[range]))
    }

    /// The index of the line that carries `number` on `side`, by binary search over the hunks
    /// and over the hunk's lines.
    pub fn find(&self, side: Side, number: u32) -> Option<u32> {
        let at = self.hunks.partition_point(|it| it.end(side) <= number);
        let hunk = self.hunks.get(at).filter(|it| it.covers(side, number))?;
        let (mut low, mut high) = (hunk.lines.start, hunk.lines.end);
        while low < high {
            let middle = low + (high - low) / 2;
            // Lines of the other side alone carry no number here: look past them.
            let numbered = |at: &u32| self.lines[*at as usize].number(side).is_some();
            let Some(probe) = (middle..high).find(numbered) else {
                high = middle;
                continue;
            };
            match self.lines[probe as usize].number(side).cmp(&Some(number)) {
                std::cmp::Ordering::Equal => return Some(probe),
                std::cmp::Ordering::Less => low = probe + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// The hunk a line belongs to.
    pub fn hunk_of(&self, line: u32) -> Option<usize> {
        let at = self.hunks.partition_point(|it| it.lines.end <= line);
        self.hunks.get(at).filter(|it| it.lines.contains(&line)).map(|_| at)
    }
}

impl Hunk {
    /// First line and number of lines on a side, as the header says.
    pub fn span(&self, side: Side) -> (u32, u32) {
        match side {
            Side::Left => (self.old_start, self.old_count),
            Side::Right => (self.new_start, self.new_count),
        }
    }

    fn end(&self, side: Side) -> u32 {
        let (start, count) = self.span(side);
        start.saturating_add(count)
    }

    fn covers(&self, side: Side, number: u32) -> bool {
        number >= self.span(side).0 && number < self.end(side)
    }
}

impl DiffLine {
    /// The line's number on a side, if it is on that side.
    pub fn number(&self, side: Side) -> Option<u32> {
        let it = match side {
            Side::Left => self.old,
            Side::Right => self.new,
        };
        (it > 0).then_some(it)
    }
}
