//! Placement: which line of the diff each thread stands at, or why it stands at none.
//! Must not drop a thread: every one has exactly one place.

use crate::domain::{
    capture::Capture,
    diff::{Diff, Side},
};

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
    let absence = if diff.files.is_empty() { Absence::NoFiles } else { Absence::PathNotInDiff };
    Placement { places: capture.review_threads.iter().map(|_| Place::Elsewhere(absence)).collect() }
}
