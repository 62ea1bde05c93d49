//! One row of the diff document: exactly one terminal line, whoever asks.
//! Must not hold text; a row points at what it shows.

/// No line on this side of a side-by-side row.
pub const NO_LINE: u32 = u32::MAX;

/// What one terminal line of the diff shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Row {
    Blank,
    /// Path, change and counts of a file.
    File {
        file: u32,
    },
    /// A word about the file that stands for missing or special content.
    Note {
        file: u32,
        note: Note,
    },
    Hunk {
        file: u32,
        hunk: u32,
    },
    /// A line of the unified form; `part` counts its wrapped rows.
    Code {
        file: u32,
        line: u32,
        part: u16,
    },
    /// A row of the side-by-side form. [`NO_LINE`] leaves a side empty.
    Pair {
        file: u32,
        left: u32,
        right: u32,
        part: u16,
    },
    /// Lines that differ in whitespace only and are hidden.
    Hidden {
        file: u32,
        line: u32,
        count: u32,
    },
    /// The heading of threads that stand at no line.
    List {
        file: u32,
        list: List,
    },
    /// A line of the conversation on the whole pull request; entry 0 is its description.
    Said {
        entry: u16,
        line: u16,
    },
    /// A line of a thread: an index into its block.
    Thread {
        thread: u32,
        line: u16,
    },
}

/// Why a file has no lines, or what else it says about itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Note {
    Body,
    Mode,
    /// A line of `FileDiff::note`.
    Said(u16),
    /// The document holds no file at all.
    NoFiles,
}

/// What stands under a heading that folds: threads at no line of the diff, and the talk on the whole
/// pull request, which is folded at first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum List {
    Description,
    Conversation,
    Unknown,
    Outdated,
    Elsewhere,
}

/// Where a row is: a piece of the document, and the row within it. Stays true while heights
/// elsewhere become known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Spot {
    pub piece: u32,
    pub row: u32,
}
