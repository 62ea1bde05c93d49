//! Cells as the bytes a terminal understands: cursor moves, colours and marks, each sent only
//! when it changes. Must not decide which cells are sent.
//!
//! Of the sixteen colours the short old codes are sent, which every terminal with colours knows;
//! the rest take the indexed or the exact form.

use ratatui::{
    buffer::Cell,
    style::{Color, Modifier},
};

/// Marks and the codes that set them.
const MARKS: [(Modifier, u8); 6] = [
    (Modifier::BOLD, 1),
    (Modifier::DIM, 2),
    (Modifier::ITALIC, 3),
    (Modifier::UNDERLINED, 4),
    (Modifier::REVERSED, 7),
    (Modifier::CROSSED_OUT, 9),
];

/// What the terminal's pen is set to.
struct Pen {
    fg: Color,
    bg: Color,
    marks: Modifier,
    /// Where the next character would land, once that is known.
    at: Option<(u16, u16)>,
}

/// Appends what draws these cells, whatever the pen was before. Cells come row by row from left
/// to right; `width` says how many columns a symbol takes. Terminals agree on that for single
/// characters; after a cluster of several the next cell is always gone to by its number.
pub fn cells<'a>(
    out: &mut Vec<u8>,
    cells: impl Iterator<Item = (u16, u16, &'a Cell)>,
    width: impl Fn(&str) -> u16,
) {
    out.extend_from_slice(b"\x1b[0m");
    let mut pen = Pen { fg: Color::Reset, bg: Color::Reset, marks: Modifier::empty(), at: None };
    for (x, y, cell) in cells {
        if pen.at != Some((x, y)) {
            move_to(out, x, y);
        }
        pen.turn_to(out, cell);
        let (symbol, cells) = (cell.symbol(), width(cell.symbol()));
        let disputed = symbol.chars().nth(1).is_some();
        if disputed && cells > 1 {
            // A terminal that gives it fewer cells must not keep what stood in the others.
            out.extend(std::iter::repeat_n(b' ', usize::from(cells)));
            move_to(out, x, y);
        }
        out.extend_from_slice(symbol.as_bytes());
        pen.at = (!disputed).then_some((x + cells, y));
    }
}

/// Appends a cursor move; cells count from zero here and from one there.
pub fn move_to(out: &mut Vec<u8>, x: u16, y: u16) {
    out.extend_from_slice(b"\x1b[");
    number(out, y.saturating_add(1));
    out.push(b';');
    number(out, x.saturating_add(1));
    out.push(b'H');
}

impl Pen {
    fn turn_to(&mut self, out: &mut Vec<u8>, cell: &Cell) {
        if (self.fg, self.bg, self.marks) == (cell.fg, cell.bg, cell.modifier) {
            return;
        }
        out.extend_from_slice(b"\x1b[");
        let mut first = true;
        let mut separate = |out: &mut Vec<u8>| {
            if !std::mem::take(&mut first) {
                out.push(b';');
            }
        };
        if !cell.modifier.contains(self.marks) {
            // Terminals differ in what takes one mark away; all agree on a reset.
            separate(out);
            out.push(b'0');
            (self.fg, self.bg, self.marks) = (Color::Reset, Color::Reset, Modifier::empty());
        }
        for (mark, code) in MARKS {
            if cell.modifier.contains(mark) && !self.marks.contains(mark) {
                separate(out);
                number(out, u16::from(code));
            }
        }
        if self.fg != cell.fg {
            separate(out);
            colour(out, cell.fg, 30);
        }
        if self.bg != cell.bg {
            separate(out);
            colour(out, cell.bg, 40);
        }
        out.push(b'm');
        (self.fg, self.bg, self.marks) = (cell.fg, cell.bg, cell.modifier);
    }
}

/// `base` is 30 for the foreground and 40 for the background.
fn colour(out: &mut Vec<u8>, colour: Color, base: u16) {
    match colour {
        Color::Rgb(r, g, b) => {
            number(out, base + 8);
            out.extend_from_slice(b";2");
            for it in [r, g, b] {
                out.push(b';');
                number(out, u16::from(it));
            }
        }
        Color::Indexed(it @ 0..=7) => number(out, base + u16::from(it)),
        Color::Indexed(it @ 8..=15) => number(out, base + 52 + u16::from(it)),
        Color::Indexed(it) => {
            number(out, base + 8);
            out.extend_from_slice(b";5;");
            number(out, u16::from(it));
        }
        // Themes name the sixteen by number; a name from elsewhere is the terminal's own.
        _ => number(out, base + 9),
    }
}

fn number(out: &mut Vec<u8>, mut it: u16) {
    let mut digits = [0; 5];
    let mut from = digits.len();
    loop {
        from -= 1;
        digits[from] = b'0' + (it % 10) as u8;
        it /= 10;
        if it == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[from..]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::text;

    fn encoded(row: &[Cell]) -> String {
        let mut out = Vec::new();
        let row = row.iter().enumerate().map(|(x, it)| (x as u16, 0, it));
        cells(&mut out, row, |it| text::width(it) as u16);
        String::from_utf8(out).expect("UTF-8").replace('\x1b', "E")
    }

    fn cell(symbol: &'static str, fg: Color, bg: Color, marks: Modifier) -> Cell {
        let mut cell = Cell::new(symbol);
        (cell.fg, cell.bg, cell.modifier) = (fg, bg, marks);
        cell
    }

    #[test]
    fn only_changes_are_sent() {
        use Color::{Indexed, Reset, Rgb};
        let none = Modifier::empty();
        let check = |row: &[Cell], expected: &str| assert_eq!(encoded(row), expected);
        check(&[cell("a", Reset, Reset, none), cell("b", Reset, Reset, none)], "E[0mE[1;1Hab");
        check(
            &[
                cell("a", Rgb(1, 22, 255), Reset, none),
                cell("b", Rgb(1, 22, 255), Indexed(3), none),
                cell("c", Indexed(12), Indexed(200), none),
            ],
            "E[0mE[1;1HE[38;2;1;22;255maE[43mbE[94;48;5;200mc",
        );
        check(
            &[
                cell("a", Reset, Reset, Modifier::BOLD | Modifier::REVERSED),
                cell("b", Indexed(1), Reset, Modifier::BOLD),
                cell("c", Indexed(1), Reset, Modifier::BOLD | Modifier::UNDERLINED),
            ],
            "E[0mE[1;1HE[1;7maE[0;1;31mbE[4mc",
        );
    }

    #[test]
    fn gaps_are_jumped_over() {
        let (a, wide) = (Cell::new("a"), Cell::new("漢"));
        let mut out = Vec::new();
        let row = [(0, 2, &a), (1, 2, &wide), (3, 2, &a), (9, 2, &a), (0, 3, &a)];
        cells(&mut out, row.into_iter(), |it| text::width(it) as u16);
        let text = String::from_utf8(out).expect("UTF-8").replace('\x1b', "E");
        assert_eq!(text, "E[0mE[3;1Ha漢aE[3;10HaE[4;1Ha");
    }
}
