//! Comments as they read: Markdown laid out to lines of marked runs, at a width.
//! Must not know colours, and must not lose text: what is folded says so, what has no picture here
//! (an image, a tag) leaves its words.

pub mod details;
pub mod html;
pub mod parse;
pub mod suggest;
pub mod table;
pub mod wrap;

/// A piece of text and what it means. The text has passed `domain::text`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Run {
    pub text: String,
    pub mark: Mark,
}

/// What a run means.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Mark {
    #[default]
    Plain,
    Muted,
    Strong,
    Emphasis,
    Heading,
    Code,
    Block,
    Quote,
    Link,
    Added,
    Removed,
    Warning,
}

/// One terminal line of a comment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Line {
    pub runs: Vec<Run>,
    /// The `<details>` this line heads, counted within its comment: Enter folds and opens it.
    pub details: Option<u16>,
}

/// What a comment's layout depends on beside its text.
#[derive(Debug, Clone, Copy)]
pub struct Setting<'a> {
    pub width: usize,
    /// The code lines the thread covers, which suggestions are drawn against; `None` when the
    /// thread stands at no line.
    pub covered: Option<&'a [String]>,
    /// The `<details>` that are open.
    pub open: &'a [u16],
}

impl Run {
    pub fn new(text: impl Into<String>, mark: Mark) -> Self {
        Self { text: text.into(), mark }
    }
}

impl Line {
    pub fn of(runs: Vec<Run>) -> Self {
        Self { runs, details: None }
    }

    /// The words alone.
    pub fn text(&self) -> String {
        self.runs.iter().map(|it| it.text.as_str()).collect()
    }
}

/// Lays a comment out. A body of blanks gives no line.
pub fn lay(body: &str, setting: Setting<'_>) -> Vec<Line> {
    parse::lay(body, setting)
}

#[cfg(test)]
mod tests;
