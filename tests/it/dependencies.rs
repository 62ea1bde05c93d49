//! What we believe of our dependencies, held against them: a change of theirs fails here and not
//! at a reader's terminal (promise D8, hazard F11).

use casefile::domain::text::{Surface, display};
use ratatui::{
    buffer::Buffer,
    layout::Rect,
    text::{Line, Span},
    widgets::{Block, List, Paragraph, Row, Table, Widget as _},
};

/// What no cell may hold: escapes and the other control characters.
const CONTROLS: [&str; 9] = [
    "\u{1b}[2J",
    "\u{1b}]52;c;aGk=\u{7}",
    "\u{1b}]0;t\u{7}",
    "\r",
    "\u{8}",
    "\u{7f}",
    "\u{9b}31m",
    "\u{90}q",
    "\0",
];

/// Draws a text by each way our screens could use.
fn drawn(text: &str) -> Vec<(&'static str, String)> {
    let area = Rect::new(0, 0, 40, 3);
    let draw = |how: &dyn Fn(&mut Buffer)| {
        let mut buffer = Buffer::empty(area);
        how(&mut buffer);
        buffer.content().iter().map(|it| it.symbol().to_owned()).collect::<String>()
    };
    vec![
        ("Paragraph", draw(&|it| Paragraph::new(text).render(area, it))),
        ("Line", draw(&|it| Line::from(text).render(area, it))),
        ("Span", draw(&|it| Span::raw(text).render(area, it))),
        ("List", draw(&|it| ratatui::widgets::Widget::render(List::new([text]), area, it))),
        (
            "Table",
            draw(&|it| {
                let table = Table::new([Row::new([text])], [40]);
                ratatui::widgets::Widget::render(table, area, it);
            }),
        ),
        ("Block", draw(&|it| Block::bordered().title(text).render(area, it))),
        (
            "set_stringn",
            draw(&|it| {
                it.set_stringn(0, 0, text, 40, ratatui::style::Style::default());
            }),
        ),
    ]
}

/// ratatui drops control characters on each way that takes text: our marks stand before that, and
/// this is the second gate.
#[test]
fn ratatui_drops_control_characters_from_text() {
    for text in CONTROLS {
        for (way, cells) in drawn(&format!("a{text}b")) {
            assert!(!cells.contains(char::is_control), "{way} lets {text:?} through: {cells:?}");
        }
    }
}

/// It does not on a cell's symbol, and it keeps characters that no reader sees. While that is so,
/// the painter's sweep and the boundary's marks are needed; when this fails, read hazard F11 anew.
#[test]
fn ratatui_lets_through_what_our_own_gates_must_stop() {
    let mut buffer = Buffer::empty(Rect::new(0, 0, 1, 1));
    buffer[(0, 0)].set_symbol("\u{1b}[2J");
    assert_eq!(buffer[(0, 0)].symbol(), "\u{1b}[2J", "a cell takes anything");
    let unseen = ["\u{202e}", "\u{e0041}"];
    for text in unseen {
        let hidden = format!("a{text}b");
        let kept = drawn(&hidden).into_iter().filter(|it| it.1.contains(text)).count();
        assert!(kept > 0, "ratatui keeps {text:?} nowhere any more");
        let shown = display(&hidden, Surface::Code { tab_width: 4 }).into_owned();
        for (way, cells) in drawn(&shown) {
            assert!(!cells.contains(text), "{way}: our own mark for {text:?} is lost");
        }
    }
}

/// The width library counts a control character as one cell although nothing is drawn for it: the
/// reason why no text is measured before the boundary.
#[test]
fn the_width_library_counts_what_is_not_drawn() {
    use unicode_width::UnicodeWidthStr as _;
    for text in ["\u{1b}", "\t", "\u{9b}"] {
        assert_eq!(text.width(), 1, "{text:?}");
        assert!(drawn(text).iter().all(|it| !it.1.contains(text)));
    }
}

/// Parsers of nested text give up by themselves, far from the end of any stack.
#[test]
fn parsers_refuse_deep_nesting() {
    let deep = format!("{}1{}", "[".repeat(200), "]".repeat(200));
    assert!(serde_json::from_str::<serde_json::Value>(&deep).is_err(), "serde_json goes deeper");
    assert!(toml::from_str::<toml::Table>(&format!("x = {deep}")).is_err(), "toml goes deeper");
}
