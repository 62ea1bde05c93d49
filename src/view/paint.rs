//! The pen every screen writes lines with: clipped, padded, toned. Must not know what it writes.

use crate::{
    app::geometry::Rect,
    domain::text,
    view::line::{Area, Block, CodeRef, Line, Span, Tone},
};

/// A line being written, at most so many cells wide.
#[derive(Debug, Clone)]
pub struct Pen {
    spans: Vec<Span>,
    used: usize,
    width: usize,
}

impl Pen {
    pub fn new(width: usize) -> Self {
        Self { spans: Vec::new(), used: 0, width }
    }

    /// Cells left.
    pub fn room(&self) -> usize {
        self.width.saturating_sub(self.used)
    }

    /// Cells written.
    pub fn used(&self) -> usize {
        self.used
    }

    /// Writes displayed text; what does not fit is cut with `…`.
    #[must_use]
    pub fn put(mut self, text: &str, tone: Tone) -> Self {
        self.write(text, tone);
        self
    }

    /// `put` on a pen that is kept.
    pub fn write(&mut self, text: &str, tone: Tone) {
        let cells = text::width(text);
        if cells <= self.room() {
            self.push(text.to_owned(), cells, tone, None);
        } else if self.room() > 0 {
            let cut = text::clip(text, self.room());
            let cells = text::width(&cut);
            self.push(cut, cells, tone, None);
        }
    }

    /// Writes code that fits by the caller's word.
    pub fn code(&mut self, text: &str, cells: usize, tone: Tone, code: Option<CodeRef>) {
        if cells <= self.room() {
            self.push(text.to_owned(), cells, tone, code);
        }
    }

    /// Blanks up to a column.
    pub fn pad_to(&mut self, column: usize, tone: Tone) {
        let cells = column.min(self.width).saturating_sub(self.used);
        if cells > 0 {
            self.push(" ".repeat(cells), cells, tone, None);
        }
    }

    /// Writes spans at the right edge, if they fit behind what is written.
    #[must_use]
    pub fn right(mut self, spans: &[(String, Tone)], fill: Tone) -> Self {
        let cells: usize = spans.iter().map(|it| text::width(&it.0)).sum();
        if cells < self.room() {
            self.pad_to(self.width - cells, fill);
            for (text, tone) in spans {
                self.write(text, *tone);
            }
        }
        self
    }

    fn push(&mut self, text: String, cells: usize, tone: Tone, code: Option<CodeRef>) {
        if !text.is_empty() {
            self.used += cells;
            self.spans.push(Span { text, tone, code });
        }
    }

    /// The line, its rest in `fill`.
    pub fn line(self, fill: Tone) -> Line {
        Line { spans: self.spans, fill }
    }
}

/// A line in one tone.
pub fn plain(text: &str, tone: Tone, width: usize) -> Line {
    Pen::new(width).put(text, tone).line(Tone::Text)
}

/// The area of a rectangle.
pub fn area(rect: Rect) -> Area {
    Area { x: rect.x, y: rect.y, width: rect.width, height: rect.height }
}

/// A block of lines in a rectangle.
pub fn block(rect: Rect, lines: Vec<Line>, fill: Tone) -> Block {
    Block { area: area(rect), lines, fill }
}

/// A pane's border with a title on each side of its top.
pub struct Border<'a> {
    pub left: &'a [(String, Tone)],
    pub right: &'a [(String, Tone)],
    pub focused: bool,
}

impl Border<'_> {
    /// The border's block; the inside is blank.
    pub fn draw(&self, rect: Rect) -> Block {
        let tone = if self.focused { Tone::BorderFocused } else { Tone::Border };
        let width = usize::from(rect.width);
        let height = usize::from(rect.height);
        let mut lines = Vec::with_capacity(height);
        lines.push(self.top(width, tone));
        for _ in 2..height {
            let mut pen = Pen::new(width).put("│", tone);
            pen.pad_to(width.saturating_sub(1), Tone::Text);
            lines.push(pen.put("│", tone).line(Tone::Text));
        }
        let rule = format!("└{}┘", "─".repeat(width.saturating_sub(2)));
        lines.push(plain(&rule, tone, width));
        block(rect, lines, Tone::Text)
    }

    fn top(&self, width: usize, tone: Tone) -> Line {
        let mut pen = Pen::new(width.saturating_sub(1)).put("┌", tone);
        let right: usize = self.right.iter().map(|it| text::width(&it.0)).sum();
        let mut title = Pen::new(width.saturating_sub(right + 4));
        for (text, tone) in self.left {
            title.write(text, *tone);
        }
        if title.used() > 0 {
            pen.write(" ", tone);
            for span in title.spans {
                let cells = text::width(&span.text);
                pen.push(span.text, cells, span.tone, None);
            }
            pen.write(" ", tone);
        }
        if right > 0 && right + 3 < pen.room() {
            let rule = pen.room() - right - 2;
            pen.write(&"─".repeat(rule), tone);
            pen.write(" ", tone);
            for (text, tone) in self.right {
                pen.write(text, *tone);
            }
            pen.write(" ", tone);
        } else {
            let rule = pen.room();
            pen.write(&"─".repeat(rule), tone);
        }
        pen.width += 1;
        pen.put("┐", tone).line(tone)
    }
}

/// A number with thousands apart: `69,835`.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 comment`, `2 comments`.
pub fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
