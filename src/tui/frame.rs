//! A finished screen as terminal cells: clipped, toned, with syntax colours over code, and swept.
//! Must not write to the terminal (`canvas` does) and must not trust that text was made harmless.

use crate::{
    domain::text,
    tui::{
        highlight::colours::{Colours, Run},
        theme::Theme,
    },
    view::line::{Area, Block, CodeRef, Line, Screen, Span, Tone},
};
use ratatui::{
    buffer::Buffer,
    layout::Rect,
    style::{Modifier, Style},
};
use unicode_segmentation::UnicodeSegmentation as _;

/// Stands in a cell for what must not reach the terminal.
const REPLACEMENT: &str = "\u{FFFD}";

/// Draws the whole screen into the buffer, whatever was there before.
pub fn paint(screen: &Screen, theme: &Theme, colours: &Colours, buffer: &mut Buffer) {
    let mut painter = Painter { theme, colours, buffer };
    painter.fill(painter.buffer.area, theme.canvas);
    for block in &screen.blocks {
        painter.block(block);
    }
    sweep(buffer);
}

/// The code the screen shows, file and line, each once and in order of appearance.
pub fn code_shown(screen: &Screen) -> impl Iterator<Item = CodeRef> {
    let lines = screen.blocks.iter().flat_map(|it| &it.lines);
    let mut last = None;
    lines.flat_map(|it| &it.spans).filter_map(|it| it.code).filter(move |it| {
        let this = Some((it.file, it.line));
        std::mem::replace(&mut last, this) != this
    })
}

struct Painter<'a> {
    theme: &'a Theme,
    colours: &'a Colours,
    buffer: &'a mut Buffer,
}

/// Where the next cell of a line goes, and where the line ends.
struct Pen {
    x: u16,
    y: u16,
    end: u16,
}

impl Painter<'_> {
    fn block(&mut self, block: &Block) {
        let area = rect(block.area).intersection(self.buffer.area);
        if area.is_empty() {
            return;
        }
        self.cut_wide(area);
        self.fill(area, self.theme.canvas.patch(self.theme.tone(block.fill)));
        // Lines above or left of the screen cannot be: areas start at its corner.
        for (line, y) in block.lines.iter().zip(area.top()..area.bottom()) {
            self.line(line, Rect { y, height: 1, ..area });
        }
    }

    /// A wide character whose right half the area covers would swallow the area's first cell.
    fn cut_wide(&mut self, area: Rect) {
        let Some(x) = area.x.checked_sub(1) else { return };
        for y in area.top()..area.bottom() {
            let cell = &mut self.buffer[(x, y)];
            if !cell.symbol().is_ascii() && text::width(cell.symbol()) > 1 {
                cell.set_symbol(" ");
            }
        }
    }

    fn fill(&mut self, area: Rect, style: Style) {
        for y in area.top()..area.bottom() {
            for x in area.left()..area.right() {
                let cell = &mut self.buffer[(x, y)];
                cell.reset();
                cell.set_style(style);
            }
        }
    }

    fn line(&mut self, line: &Line, area: Rect) {
        if line.fill != Tone::Text {
            let style = self.theme.tone(line.fill);
            (area.left()..area.right()).for_each(|x| {
                self.buffer[(x, area.y)].set_style(style);
            });
        }
        let mut pen = Pen { x: area.left(), y: area.y, end: area.right() };
        for span in &line.spans {
            self.span(&mut pen, line.fill, span);
        }
    }

    fn span(&mut self, pen: &mut Pen, fill: Tone, span: &Span) {
        let style = self.theme.span(fill, span.tone);
        let runs = span.code.and_then(|it| self.colours.of(it.file, it.line));
        let mut overlay = Overlay::new(runs.unwrap_or(&[]), span.code.map_or(0, |it| it.column));
        if span.text.bytes().all(|it| matches!(it, b' '..=b'~')) {
            for at in 0..span.text.len() {
                let style = overlay.next(1, self.theme, style);
                self.put(pen, &span.text[at..=at], 1, style);
            }
            return;
        }
        for grapheme in span.text.graphemes(true) {
            let style = overlay.next(grapheme.chars().count() as u32, self.theme, style);
            self.put(pen, grapheme, text::width(grapheme) as u16, style);
        }
    }

    /// Writes one grapheme; one that does not fit whole leaves blanks.
    fn put(&mut self, pen: &mut Pen, symbol: &str, width: u16, style: Style) {
        let (symbol, width) = if width == 0 { (REPLACEMENT, 1) } else { (symbol, width) };
        let whole = width <= pen.end - pen.x;
        for at in 0..width.min(pen.end - pen.x) {
            let cell = &mut self.buffer[(pen.x + at, pen.y)];
            cell.set_symbol(if at == 0 && whole { symbol } else { " " });
            cell.set_style(style);
        }
        pen.x += width.min(pen.end - pen.x);
    }
}

/// Walks the syntax runs of a line beside the characters that are drawn.
struct Overlay<'a> {
    runs: &'a [Run],
    column: u32,
}

impl<'a> Overlay<'a> {
    fn new(runs: &'a [Run], column: u32) -> Self {
        Self { runs, column }
    }

    /// The style of the next `characters` characters.
    fn next(&mut self, characters: u32, theme: &Theme, under: Style) -> Style {
        while self.runs.first().is_some_and(|it| u32::from(it.end) <= self.column) {
            self.runs = &self.runs[1..];
        }
        self.column += characters;
        let class = self.runs.first().and_then(|it| it.class);
        class.map_or(under, |it| under.patch(theme.syntax(it)))
    }
}

/// The last gate: no cell may hold what a terminal acts on or a reader cannot see.
fn sweep(buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        if harmful(cell.symbol()) {
            cell.set_symbol(REPLACEMENT);
            cell.modifier |= Modifier::REVERSED;
        }
    }
}

fn harmful(symbol: &str) -> bool {
    let plain = symbol.bytes().all(|it| matches!(it, b' '..=b'~'));
    !plain && (text::hidden(symbol) > 0 || symbol.chars().any(char::is_control))
}

fn rect(area: Area) -> Rect {
    // Saturating, as an area may stand beyond the screen after a resize.
    let width = area.width.min(u16::MAX - area.x);
    let height = area.height.min(u16::MAX - area.y);
    Rect { x: area.x, y: area.y, width, height }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::theme::{Syntax, colour::Depth};
    use ratatui::{buffer::Cell, style::Color};

    fn theme() -> Theme {
        Theme::built_in("dark", Depth::Exact).unwrap()
    }

    fn span(text: &str) -> Span {
        Span { text: text.into(), ..Span::default() }
    }

    fn block(x: u16, y: u16, width: u16, height: u16, lines: &[&str]) -> Block {
        let line = |it: &&str| Line { spans: vec![span(it)], ..Line::default() };
        let lines = lines.iter().map(line).collect();
        Block { area: Area { x, y, width, height }, lines, fill: Tone::Text }
    }

    fn painted(width: u16, height: u16, blocks: Vec<Block>, colours: &Colours) -> Buffer {
        let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
        paint(&Screen { blocks, cursor: None }, &theme(), colours, &mut buffer);
        buffer
    }

    fn rows(buffer: &Buffer) -> Vec<String> {
        let row = |it: &[Cell]| it.iter().map(Cell::symbol).collect();
        buffer.content.chunks(buffer.area.width as usize).map(row).collect()
    }

    #[test]
    fn everything_is_clipped_to_its_area() {
        let check = |blocks: Vec<Block>, expected: &[&str]| {
            assert_eq!(rows(&painted(6, 2, blocks, &Colours::default())), expected);
        };
        check(vec![block(0, 0, 3, 1, &["abcdef", "xyz"])], &["abc   ", "      "]);
        check(vec![block(4, 1, 9, 9, &["abcdef", "xyz"])], &["      ", "    ab"]);
        check(vec![block(60, 1, 9, 9, &["abc"])], &["      ", "      "]);
        check(vec![block(6, 2, u16::MAX, u16::MAX, &["abc"])], &["      ", "      "]);
        check(vec![block(0, 0, 6, 1, &["abcd"]), block(1, 0, 2, 1, &["X"])], &["aX d  ", "      "]);
    }

    #[test]
    fn wide_characters_are_never_halved() {
        let check = |blocks: Vec<Block>, expected: &str| {
            assert_eq!(rows(&painted(6, 1, blocks, &Colours::default()))[0], expected);
        };
        check(vec![block(0, 0, 6, 1, &["漢字x"])], "漢 字 x ");
        check(vec![block(0, 0, 3, 1, &["漢字x"])], "漢     ");
        check(vec![block(0, 0, 6, 1, &["漢字"]), block(1, 0, 1, 1, &["|"])], " |字   ");
        check(vec![block(0, 0, 6, 1, &["漢字"]), block(2, 0, 1, 1, &["|"])], "漢 |   ");
    }

    #[test]
    fn nothing_a_terminal_obeys_stays_in_a_cell() {
        let hostile = [
            "a\u{1b}[31mb",
            "\u{9b}2J",
            "\u{202e}x\u{2066}",
            "a\u{200b}b",
            "\t\r\n\u{7f}\0",
            "\u{e0041}\u{feff}\u{ad}",
        ];
        let buffer = painted(40, 6, vec![block(0, 0, 40, 6, &hostile)], &Colours::default());
        for cell in &buffer.content {
            assert!(!harmful(cell.symbol()), "{:?}", cell.symbol());
        }
        assert!(rows(&buffer)[0].starts_with("a\u{fffd}[31mb"));
    }

    #[test]
    fn syntax_lies_over_the_tone_by_column() {
        let mut colours = Colours::default();
        let run = |end, class| Run { end, class };
        colours.insert(0, 7, Box::from([run(3, Some(Syntax::Keyword)), run(9, None)]));
        let code = |column| Some(CodeRef { file: 0, line: 7, column });
        let line = Line {
            spans: vec![
                Span { text: "12 ".into(), tone: Tone::Gutter, code: None },
                Span { text: "le".into(), tone: Tone::Added, code: code(0) },
                Span { text: "t x".into(), tone: Tone::AddedWord, code: code(2) },
            ],
            fill: Tone::Added,
        };
        let area = Area { x: 0, y: 0, width: 12, height: 1 };
        let screen = vec![Block { area, lines: vec![line], fill: Tone::Text }];
        let buffer = painted(12, 1, screen, &colours);
        let theme = theme();
        let (keyword, added) = (theme.syntax(Syntax::Keyword), theme.tone(Tone::Added));
        let word = theme.tone(Tone::AddedWord);
        let look = |x: u16| (Some(buffer[(x, 0)].fg), Some(buffer[(x, 0)].bg));
        assert_eq!(look(0), (theme.tone(Tone::Gutter).fg, added.bg), "the fill lies under");
        assert_eq!(look(3), (keyword.fg, added.bg));
        assert_eq!(look(5), (keyword.fg, word.bg), "a run goes on over spans");
        assert_eq!(look(6), (word.fg, word.bg));
        assert_eq!(look(11), (Some(theme.canvas.fg.unwrap()), added.bg), "the rest is filled");
    }

    #[test]
    fn a_cursor_bar_lies_under_every_span() {
        let added = Span { text: "x".into(), tone: Tone::Added, code: None };
        let line = Line { spans: vec![span("a"), added], fill: Tone::Cursor };
        let area = Area { x: 0, y: 0, width: 4, height: 1 };
        let screen = vec![Block { area, lines: vec![line], fill: Tone::Text }];
        let buffer = painted(4, 1, screen, &Colours::default());
        let ground = theme().canvas.bg.unwrap_or(Color::Reset);
        assert!(buffer.content.iter().all(|it| it.bg != ground));
        assert_eq!(buffer[(0, 0)].bg, buffer[(3, 0)].bg);
        assert_ne!(buffer[(0, 0)].bg, buffer[(1, 0)].bg, "the change shows through");
    }

    #[test]
    fn code_is_named_once_a_line() {
        let code =
            |line, column| Span { code: Some(CodeRef { file: 1, line, column }), ..span("x") };
        let line = |spans| Line { spans, ..Line::default() };
        let lines = vec![line(vec![code(4, 0), code(4, 1)]), line(vec![code(5, 0)])];
        let screen = Screen { blocks: vec![Block { lines, ..Block::default() }], cursor: None };
        let shown: Vec<_> = code_shown(&screen).map(|it| it.line).collect();
        assert_eq!(shown, [4, 5]);
    }
}
