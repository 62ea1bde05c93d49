//! What a screen is made of: blocks of lines of toned spans. Tones mean something; `tui` and its
//! theme decide how they look. Must not hold a colour.

/// A finished screen: blocks painted in order, later ones over earlier ones.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Screen {
    pub blocks: Vec<Block>,
    /// Where the text cursor stands while a person types.
    pub cursor: Option<(u16, u16)>,
}

/// A rectangle and the lines in it, top down. What does not fit is clipped; missing lines are
/// blank in the block's own tone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Block {
    pub area: Area,
    pub lines: Vec<Line>,
    /// Tone of the cells no line covers.
    pub fill: Tone,
}

/// A rectangle of cells, from the top left corner.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Area {
    pub x: u16,
    pub y: u16,
    pub width: u16,
    pub height: u16,
}

/// One terminal line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Line {
    pub spans: Vec<Span>,
    /// Tone of the rest of the line (the background of an added line, the cursor bar…). `Cursor`,
    /// `CursorDim` and `Selection` also lie under the spans: their background wins, the spans
    /// keep their foreground. So a view draws a row the same way with the cursor on it or not.
    pub fill: Tone,
}

/// A run of text in one tone. The text has passed `domain::text` already.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Span {
    pub text: String,
    pub tone: Tone,
    /// Set when the text is code of the diff, so that syntax colours may lie over the tone.
    pub code: Option<CodeRef>,
}

/// Which code a span shows. Columns count characters of the displayed line, tabs expanded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CodeRef {
    /// Index into `Diff::files`.
    pub file: u32,
    /// Index into `FileDiff::lines`.
    pub line: u32,
    /// First displayed character of the line that this span shows.
    pub column: u32,
}

/// Writes the enum and the list of all its tones from one table, so that neither can miss one.
macro_rules! tones {
    ($($(#[$about:meta])* $name:ident,)*) => {
        /// What a piece of text means. Foreground and background are separate meanings: a tone names
        /// both, and the theme gives each its look.
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Tone {
            $($(#[$about])* $name,)*
        }

        impl Tone {
            /// Every tone, in order; `tone as usize` is its index here. Themes must know each one.
            pub const ALL: &[Self] = &[$(Self::$name,)*];
        }
    };
}

tones! {
    #[default]
    Text,
    /// Secondary text: ages, counts, hints.
    Muted,
    /// Emphasis: titles, the focused pane's name.
    Strong,
    Border,
    BorderFocused,
    Title,
    Header,
    Footer,
    /// A key in the footer or in help.
    Key,
    /// The row under the cursor.
    Cursor,
    /// The row under the cursor in a pane that has no focus.
    CursorDim,
    /// A range a person selects.
    Selection,
    /// A search hit, and the current one.
    Match,
    MatchCurrent,
    /// Diff lines and their gutter.
    Gutter,
    Context,
    Added,
    AddedGutter,
    /// How many lines were added, wherever it is said.
    CountAdded,
    /// The changed words inside an added line.
    AddedWord,
    Removed,
    RemovedGutter,
    CountRemoved,
    RemovedWord,
    HunkHeader,
    FileHeader,
    /// Threads and summaries.
    Unresolved,
    Settled,
    Noted,
    Outdated,
    ThreadBar,
    Author,
    Bot,
    Quote,
    CodeInline,
    CodeBlock,
    Link,
    /// A comment the sentence under the cursor cites; one that nothing cites.
    Cited,
    Uncited,
    Check,
    /// Task states.
    Running,
    Done,
    Failed,
    Waiting,
    /// Notices.
    Warning,
    Error,
    /// A mark that stands for a hidden or control character.
    Hidden,
}
