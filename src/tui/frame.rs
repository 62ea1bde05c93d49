//! A finished screen as terminal cells: clipped, toned, with syntax colours over code, and swept.
//! Must not write to the terminal (`canvas` does) and must not trust that text was made harmless.
//!
//! A frame is thousands of cells on every key, so each cell of a block is written once, and what
//! a run of characters shares (its colours) is worked out once a run.

use crate::{
    domain::text,
    tui::{
        highlight::colours::{Colours, Run},
        theme::Theme,
    },
    view::line::{Area, Block, CodeRef, Line, Screen, Span, Tone},
};
use ratatui::{
    buffer::{Buffer, Cell},
    layout::Rect,
    style::{Color, Modifier, Style},
};
use unicode_segmentation::UnicodeSegmentation as _;

/// Stands in a cell for what must not reach the terminal.
const REPLACEMENT: &str = "\u{FFFD}";

/// Draws the whole screen into the buffer, whatever was there before.
pub fn paint(screen: &Screen, theme: &Theme, colours: &Colours, buffer: &mut Buffer) {
    buffer.content.fill(blank(theme.canvas));
    let mut painter = Painter { theme, colours, buffer };
    for block in &screen.blocks {
        painter.block(block);
    }
    sweep(buffer);
}

/// For a terminal that shows ASCII alone: any other character would stand there as several wrong
/// ones and move the rest of the line. Each of its cells becomes a marked `?`.
pub fn ascii_only(buffer: &mut Buffer) {
    let columns = usize::from(buffer.area.width.max(1));
    for at in 0..buffer.content.len() {
        let symbol = buffer.content[at].symbol();
        if symbol.is_ascii() {
            continue;
        }
        let room = columns - at % columns;
        let cells = text::width(symbol).clamp(1, room);
        for cell in &mut buffer.content[at..at + cells] {
            cell.set_symbol("?");
            cell.modifier |= Modifier::UNDERLINED;
        }
    }
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

/// An empty cell that looks so.
fn blank(style: Style) -> Cell {
    let mut cell = Cell::EMPTY;
    cell.fg = style.fg.unwrap_or(Color::Reset);
    cell.bg = style.bg.unwrap_or(Color::Reset);
    cell.modifier = style.add_modifier;
    cell
}

struct Painter<'a> {
    theme: &'a Theme,
    colours: &'a Colours,
    buffer: &'a mut Buffer,
}

impl Painter<'_> {
    fn block(&mut self, block: &Block) {
        let area = rect(block.area).intersection(self.buffer.area);
        if area.is_empty() {
            return;
        }
        self.cut_wide(area);
        let ground = self.theme.canvas.patch(self.theme.tone(block.fill));
        let empty = Line::default();
        let lines = block.lines.iter().chain(std::iter::repeat(&empty));
        for (y, line) in (area.top()..area.bottom()).zip(lines) {
            let under = match line.fill {
                Tone::Text => ground,
                fill => ground.patch(self.theme.tone(fill)),
            };
            let from = self.buffer.index_of(area.x, y);
            let row = &mut self.buffer.content[from..from + usize::from(area.width)];
            let mut pen = Pen { row, under, at: 0, ready: None };
            for span in &line.spans {
                pen.span(self.theme, self.colours, line.fill, span);
            }
            pen.row[pen.at..].fill(blank(under));
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
}

/// Writes one row of a block from left to right.
struct Pen<'a> {
    row: &'a mut [Cell],
    /// What lies under the spans.
    under: Style,
    /// The next cell.
    at: usize,
    /// The empty cell of the run that is being written.
    ready: Option<Cell>,
}

impl Pen<'_> {
    fn span(&mut self, theme: &Theme, colours: &Colours, fill: Tone, span: &Span) {
        let style = self.under.patch(theme.span(fill, span.tone));
        let runs = span.code.and_then(|it| colours.of(it.file, it.line)).unwrap_or(&[]);
        let column = span.code.map_or(0, |it| it.column);
        self.ready = None;
        let mut overlay = Overlay { runs, column, turn: true };
        let mut look = |pen: &mut Self, characters: u32| {
            if overlay.step(characters) || pen.ready.is_none() {
                let class = overlay.runs.first().and_then(|it| it.class);
                let style = class.map_or(style, |it| style.patch(theme.syntax(it)));
                pen.ready = Some(blank(one_bar(pen.under, style)));
            }
        };
        if span.text.chars().all(is_simple) {
            for it in span.text.chars().take(self.row.len() - self.at) {
                look(self, 1);
                self.put_one(it);
            }
        } else {
            for grapheme in span.text.graphemes(true) {
                look(self, grapheme.chars().count() as u32);
                self.put(grapheme, text::width(grapheme));
            }
        }
    }

    /// Writes a character of one cell, field by field: most of a screen is made of these.
    fn put_one(&mut self, it: char) {
        let Some(ready) = &self.ready else { return };
        let cell = &mut self.row[self.at];
        if it == ' ' {
            cell.clone_from(ready);
        } else {
            cell.set_char(it);
            (cell.fg, cell.bg, cell.modifier) = (ready.fg, ready.bg, ready.modifier);
        }
        self.at += 1;
    }

    /// Writes one grapheme; one that does not fit whole leaves blanks.
    fn put(&mut self, symbol: &str, width: usize) {
        let (symbol, width) = if width == 0 { (REPLACEMENT, 1) } else { (symbol, width) };
        let (Some(ready), room) = (&self.ready, self.row.len() - self.at) else { return };
        for at in 0..width.min(room) {
            let cell = &mut self.row[self.at + at];
            cell.clone_from(ready);
            if at == 0 && width <= room && symbol != " " {
                cell.set_symbol(symbol);
            }
        }
        self.at += width.min(room);
    }
}

/// On a reversed line the foreground is what one sees as the ground: colours of their own would
/// tear the bar into chips, so the line's own stays.
fn one_bar(under: Style, mut style: Style) -> Style {
    if under.add_modifier.contains(Modifier::REVERSED) {
        style.fg = under.fg;
    }
    style
}

/// Characters of one cell each that never join: printable ASCII, lines and blocks.
fn is_simple(it: char) -> bool {
    matches!(it, ' '..='~' | '\u{2500}'..='\u{259F}')
}

/// Walks the syntax runs of a line beside the characters that are drawn.
struct Overlay<'a> {
    runs: &'a [Run],
    column: u32,
    /// The next character is the first of its run.
    turn: bool,
}

impl Overlay<'_> {
    /// Goes on by so many characters; true when they begin another run.
    fn step(&mut self, characters: u32) -> bool {
        while self.runs.first().is_some_and(|it| u32::from(it.end) <= self.column) {
            self.runs = &self.runs[1..];
            self.turn = true;
        }
        self.column += characters;
        std::mem::take(&mut self.turn)
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
    let plain = match symbol.as_bytes() {
        [one] => matches!(one, b' '..=b'~'),
        _ => symbol.chars().all(is_simple),
    };
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

    fn theme() -> Theme {
        Theme::built_in("dark", Depth::Exact).expect("a built-in theme")
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
    fn an_ascii_terminal_gets_nothing_else_and_every_column_stays() {
        let rows_of = |text: &str| {
            let block = block(0, 0, 10, 1, &[text]);
            let mut buffer = painted(10, 1, vec![block], &Colours::default());
            ascii_only(&mut buffer);
            rows(&buffer).concat()
        };
        assert_eq!(rows_of("a漢b|"), "a??b|     ");
        assert_eq!(rows_of("é|e\u{301}|🙂|"), "?|?|??|   ");
        assert_eq!(rows_of("\u{1b}x\u{202e}y"), "?x?y      ");
        assert_eq!(rows_of("123456789漢"), "123456789 ");
    }

    #[test]
    fn a_reversed_line_is_one_bar() {
        let theme = Theme::built_in("sixteen", Depth::Sixteen).expect("a built-in theme");
        for fill in [Tone::Cursor, Tone::Header, Tone::Selection] {
            let tones = [Tone::Unresolved, Tone::Author, Tone::Settled, Tone::Outdated];
            let spans = tones.map(|tone| Span { text: "ab".into(), tone, code: None }).to_vec();
            let area = Area { x: 0, y: 0, width: 12, height: 1 };
            let blocks = vec![Block { area, lines: vec![Line { spans, fill }], fill: Tone::Text }];
            let mut buffer = Buffer::empty(Rect::new(0, 0, 12, 1));
            let colours = Colours::default();
            paint(&Screen { blocks, cursor: None }, &theme, &colours, &mut buffer);
            let first = &buffer.content[0];
            assert!(first.modifier.contains(Modifier::REVERSED), "{fill:?}");
            assert!(buffer.content.iter().all(|it| it.fg == first.fg), "{fill:?}");
        }
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
        assert_eq!(
            look(11),
            (Some(theme.canvas.fg.expect("a colour")), added.bg),
            "the rest is filled"
        );
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
