//! Placement: which line of the diff each thread stands at, or why it stands at none.
//! Must not drop a thread: every one has exactly one place.

use crate::domain::text::outside::OutsideOption as _;
use crate::domain::{
    capture::{Capture, Thread},
    diff::{Change, Diff, FileDiff, Side},
    patch,
};
use std::collections::HashMap;

/// Where one thread is drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// Under a line of the diff.
    Line {
        file: u32,
        /// Index into `FileDiff::lines`.
        line: u32,
        side: Side,
        /// First line of a range, index into `FileDiff::lines`, when the thread covers several.
        /// Never behind `line`; a range that begins outside its hunk begins at the hunk's first
        /// line here.
        start: Option<u32>,
        /// The forge named no side; this one was found.
        side_guessed: bool,
    },
    /// Under the file, in the outdated list, with the hunk it was written on.
    Outdated { file: u32 },
    /// Under the file header: a comment on the whole file.
    File { file: u32 },
    /// Under the file header, as `position unknown`.
    Unknown { file: u32 },
    /// In the list after the last file, with the reason.
    Elsewhere(Absence),
}

/// Why a thread has no place in this diff.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Absence {
    /// The capture holds no files at all.
    NoFiles,
    /// No file of the diff has this path, under any name.
    PathNotInDiff,
    /// The file is here, the line is not shown by any hunk.
    LineNotShown,
}

/// All threads of a capture and where they stand. `places[i]` belongs to `review_threads[i]`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Placement {
    pub places: Vec<Place>,
}

/// How many threads stand at each kind of place.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    pub line: usize,
    pub outdated: usize,
    pub file: usize,
    pub unknown: usize,
    pub elsewhere: usize,
}

impl Counts {
    /// All threads.
    pub fn total(&self) -> usize {
        self.line + self.outdated + self.file + self.unknown + self.elsewhere
    }
}

impl Place {
    /// The file it stands in, an index into `Diff::files`.
    pub fn file(&self) -> Option<u32> {
        match self {
            Self::Line { file, .. }
            | Self::Outdated { file }
            | Self::File { file }
            | Self::Unknown { file } => Some(*file),
            Self::Elsewhere(_) => None,
        }
    }
}

impl Absence {
    /// The reason, for people.
    pub fn reason(self) -> &'static str {
        match self {
            Self::NoFiles => "the capture holds no files",
            Self::PathNotInDiff => "its file is not in this diff",
            Self::LineNotShown => "no hunk shows its line",
        }
    }
}

impl Placement {
    /// How many threads stand at each kind of place; together they are all of them.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for place in &self.places {
            *match place {
                Place::Line { .. } => &mut counts.line,
                Place::Outdated { .. } => &mut counts.outdated,
                Place::File { .. } => &mut counts.file,
                Place::Unknown { .. } => &mut counts.unknown,
                Place::Elsewhere(_) => &mut counts.elsewhere,
            } += 1;
        }
        counts
    }
}

/// Where every thread of `capture` stands in `diff`, by the placement rules.
pub fn place(capture: &Capture, diff: &Diff) -> Placement {
    let paths = Paths::of(diff);
    let places = capture.review_threads.iter().map(|it| place_one(it, diff, &paths)).collect();
    Placement { places }
}

/// Where every thread stands in a diff between two heads of the pull request, whose left side is the
/// older head `old` and not the base: a thread on the base's side has no line there, and one that was
/// written on that head and outlived its line stands where it was said.
pub fn place_between(capture: &Capture, diff: &Diff, old: &str) -> Placement {
    let paths = Paths::of(diff);
    let is_left = |it: &Thread| side(it.side.as_deref()) == Some(Side::Left);
    let one = |thread: &Thread| {
        let place = place_one(thread, diff, &paths);
        match place {
            Place::Line { .. } if is_left(thread) => Place::Elsewhere(Absence::LineNotShown),
            Place::Line { side: Side::Left, .. } => Place::Elsewhere(Absence::LineNotShown),
            Place::Outdated { .. } | Place::Unknown { .. } if !is_left(thread) => {
                said_on(thread, old, diff, &paths).unwrap_or(place)
            }
            place => place,
        }
    };
    Placement { places: capture.review_threads.iter().map(one).collect() }
}

/// The line a thread was written on, when that was on the commit `old`, the left side here.
fn said_on(thread: &Thread, old: &str, diff: &Diff, paths: &Paths<'_>) -> Option<Place> {
    let commit = thread.original_commit_id.as_deref().filter(|it| !it.is_empty())?;
    let number = u32::try_from(thread.original_line?).ok().filter(|_| commit == old)?;
    let file = *paths.files(thread.path.raw()).first()?;
    let line = diff.files[file as usize].find(Side::Left, number)?;
    Some(Place::Line { file, line, side: Side::Left, start: None, side_guessed: false })
}

/// The hunk a thread was written on, as a file of its own, cut to its last `keep` lines: the
/// commented line is the last. `None` when no comment of the thread carries one.
pub fn own_hunk(thread: &Thread, keep: usize) -> Option<FileDiff> {
    let hunk = hunk_text(thread)?;
    Some(patch::of_hunk(thread.path.raw(), hunk, keep))
}

fn hunk_text(thread: &Thread) -> Option<&str> {
    let hunks = thread.comments.iter().filter_map(|it| it.diff_hunk.raw());
    hunks.into_iter().find(|it| !it.trim().is_empty())
}

/// Which files a path names.
struct Paths<'a> {
    now: HashMap<&'a str, Vec<u32>>,
    /// Names that files had before a rename. A copy's source is another file, so it is no name.
    before: HashMap<&'a str, Vec<u32>>,
}

impl<'a> Paths<'a> {
    fn of(diff: &'a Diff) -> Self {
        let mut paths = Self { now: HashMap::new(), before: HashMap::new() };
        for (file, at) in diff.files.iter().zip(0..) {
            paths.now.entry(file.path.raw()).or_default().push(at);
            let before = file.previous_path.raw();
            if let Some(before) = before.filter(|_| !matches!(file.change, Change::Copied(_))) {
                paths.before.entry(before).or_default().push(at);
            }
        }
        paths
    }

    /// The files of a path, under its present name if there is one. Two files may share it.
    fn files(&self, path: &str) -> &[u32] {
        self.now.get(path).or_else(|| self.before.get(path)).map_or(&[], Vec::as_slice)
    }
}

fn place_one(thread: &Thread, diff: &Diff, paths: &Paths<'_>) -> Place {
    if diff.files.is_empty() {
        return Place::Elsewhere(Absence::NoFiles);
    }
    let files = paths.files(thread.path.raw());
    let Some(&file) = files.first() else { return Place::Elsewhere(Absence::PathNotInDiff) };
    let whole_file =
        thread.subject_type.as_deref().is_some_and(|it| it.eq_ignore_ascii_case("file"));
    match thread.line {
        _ if whole_file => Place::File { file },
        Some(line) => at_line(thread, line, diff, files),
        None if hunk_text(thread).is_some() => Place::Outdated { file },
        None => Place::Unknown { file },
    }
}

fn at_line(thread: &Thread, number: u64, diff: &Diff, files: &[u32]) -> Place {
    let named = side(thread.side.as_deref());
    let sides: &[Side] = match &named {
        Some(it) => std::slice::from_ref(it),
        None => &[Side::Right, Side::Left],
    };
    let Ok(number) = u32::try_from(number) else { return Place::Elsewhere(Absence::LineNotShown) };
    for &side in sides {
        for &at in files {
            let file = &diff.files[at as usize];
            if let Some(line) = file.find(side, number) {
                let start = start(thread, file, line, side);
                return Place::Line { file: at, line, side, start, side_guessed: named.is_none() };
            }
        }
    }
    Place::Elsewhere(Absence::LineNotShown)
}

/// The first line of a thread's range, if it covers more than `line`. Ranges go from `LEFT` to
/// `RIGHT` too, also with equal numbers.
fn start(thread: &Thread, file: &FileDiff, line: u32, end_side: Side) -> Option<u32> {
    let number = u32::try_from(thread.start_line?).ok()?;
    let side = side(thread.start_side.as_deref()).unwrap_or(end_side);
    let found = file.find(side, number).or_else(|| {
        let hunk = &file.hunks[file.hunk_of(line)?];
        (number < hunk.span(side).0).then_some(hunk.lines.start)
    });
    found.filter(|it| *it < line)
}

fn side(name: Option<&str>) -> Option<Side> {
    let name = name?;
    if name.eq_ignore_ascii_case("LEFT") {
        Some(Side::Left)
    } else {
        name.eq_ignore_ascii_case("RIGHT").then_some(Side::Right)
    }
}

#[cfg(test)]
mod tests;
