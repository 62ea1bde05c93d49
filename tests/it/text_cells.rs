//! The widths of `domain::text` are those of the library that draws, and of a terminal.

use casefile::domain::text::{Surface, clip, display, width};
use proptest::prelude::{Strategy, any, prop_assert_eq, prop_oneof, proptest};
use ratatui::{buffer::Buffer, layout::Rect, style::Style};
use std::num::NonZero;

/// Where ratatui stands after drawing `text` on a line of 400 cells.
fn drawn(text: &str) -> usize {
    let mut buffer = Buffer::empty(Rect::new(0, 0, 400, 1));
    usize::from(buffer.set_stringn(0, 0, text, 400, Style::default()).0)
}

fn hostile() -> impl Strategy<Value = String> {
    let odd: Vec<char> = "\t\r\u{1b}\u{9b}\u{200d}\u{200b}\u{202e}\u{fe0f}\u{301}\u{20e3}\u{ff9e}\u{ff9f}\u{1f469}\u{1f3fb}\u{1f1ef}\u{915}\u{94d}\u{937}\u{1112}\u{1161}\u{e0041}漢ｶ1☺\u{644}\u{627}".chars().collect();
    let one = prop_oneof![2 => proptest::sample::select(odd), 1 => any::<char>()];
    proptest::collection::vec(one, 0..20).prop_map(|it| it.into_iter().collect())
}

proptest! {
    #[test]
    fn ratatui_draws_what_was_measured(text in hostile(), cells in 0..20_usize) {
        for surface in [Surface::Code { tab_width: 8 }, Surface::Prose, Surface::Inline] {
            let shown = display(&text, surface);
            for line in shown.split('\n') {
                prop_assert_eq!(drawn(line), width(line), "{:?}", line);
                let cut = clip(line, cells);
                prop_assert_eq!(drawn(&cut), width(&cut), "{:?}", cut);
            }
        }
    }
}

fn cells(it: u16) -> NonZero<u16> {
    NonZero::new(it).expect("a size")
}

#[test]
fn a_terminal_stands_where_was_measured() {
    for text in [
        "plain",
        "全角テスト",
        "한글",
        "ｶﾞﾊﾟ",
        "e\u{301}\u{302}",
        "naïve",
        "a\u{202e}b",
        "\tx\u{1b}",
        "क्ष",
    ] {
        let shown = display(text, Surface::Code { tab_width: 4 });
        let mut terminal = vt100::Parser::new(cells(2), cells(80), 0);
        terminal.process(shown.as_bytes());
        assert_eq!(usize::from(terminal.screen().cursor_position().1), width(&shown), "{shown:?}");
    }
}
