//! A text of several lines with a cursor, broken softly at a width. Must not know what it is for.

use crate::{
    app::key::{Chord, Key},
    domain::text::{self, Surface},
};
use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation as _;

/// Bytes of a text; what a paste holds beyond it is cut, so that no frame stalls.
pub const MOST: usize = 4_096;

/// The text and where the cursor stands in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Area {
    text: String,
    /// A byte between two graphemes.
    cursor: usize,
    /// The column that moves up and down keep to.
    goal: Option<usize>,
}

impl Area {
    /// A text, the cursor at its end.
    pub fn of(text: &str) -> Self {
        let mut area = Self::default();
        area.insert(text);
        area
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// Inserts text at the cursor. Tabs become blanks and other control characters but line ends
    /// are left out. Gives the bytes for which there was no room.
    pub fn insert(&mut self, text: &str) -> usize {
        let clean: String = text
            .replace("\r\n", "\n")
            .chars()
            .map(|it| match it {
                '\r' => '\n',
                '\t' => ' ',
                it => it,
            })
            .filter(|it| *it == '\n' || !it.is_control())
            .collect();
        let room = MOST.saturating_sub(self.text.len());
        let mut end = clean.len().min(room);
        while !clean.is_char_boundary(end) {
            end -= 1;
        }
        self.text.insert_str(self.cursor, &clean[..end]);
        self.move_to(self.cursor + end);
        clean.len() - end
    }

    /// Applies a key in an area of `width` cells.
    pub fn key(&mut self, chord: Chord, width: usize) {
        let goal = self.goal.take();
        match chord.key {
            Key::Char('w') if chord.ctrl => self.delete(self.word_start()..self.cursor),
            Key::Char('u') if chord.ctrl => self.delete(self.line_start()..self.cursor),
            Key::Char('k') if chord.ctrl => self.delete(self.cursor..self.line_end()),
            Key::Char(_) => {
                if let Some(it) = chord.typed() {
                    self.insert(it.encode_utf8(&mut [0; 4]));
                }
            }
            Key::Enter => {
                self.insert("\n");
            }
            Key::Backspace => self.delete(self.before()..self.cursor),
            Key::Delete => self.delete(self.cursor..self.after()),
            Key::Left if chord.ctrl => self.move_to(self.word_start()),
            Key::Right if chord.ctrl => self.move_to(self.word_end()),
            Key::Left => self.move_to(self.before()),
            Key::Right => self.move_to(self.after()),
            Key::Up => self.step(-1, goal, width),
            Key::Down => self.step(1, goal, width),
            Key::PageUp => self.move_to(0),
            Key::PageDown => self.move_to(self.text.len()),
            Key::Home => self.move_to(self.row(width).start),
            Key::End => self.move_to(self.row_end(&self.row(width))),
            _ => {}
        }
    }

    /// The rows of the text as they are drawn: ranges of its bytes.
    pub fn rows(&self, width: usize) -> Vec<Range<usize>> {
        rows(&self.text, width.max(2))
    }

    /// The row and the column of the cursor.
    pub fn caret(&self, width: usize) -> (usize, usize) {
        let rows = self.rows(width);
        let row = rows.iter().rposition(|it| it.start <= self.cursor).unwrap_or(0);
        (row, cells(&self.text[rows[row].start..self.cursor]))
    }

    fn row(&self, width: usize) -> Range<usize> {
        let (row, _) = self.caret(width);
        self.rows(width).swap_remove(row)
    }

    /// The last place of the cursor in a row; the end of a row broken softly is the next one's.
    fn row_end(&self, row: &Range<usize>) -> usize {
        let soft = row.end < self.text.len() && self.text.as_bytes()[row.end] != b'\n';
        let last = self.text[row.clone()].grapheme_indices(true).next_back();
        if soft { row.start + last.map_or(0, |it| it.0) } else { row.end }
    }

    fn step(&mut self, by: i64, goal: Option<usize>, width: usize) {
        let (row, column) = self.caret(width);
        let goal = goal.unwrap_or(column);
        let rows = self.rows(width);
        let Some(row) = row.checked_add_signed(by as isize).and_then(|it| rows.get(it)) else {
            self.move_to(if by < 0 { 0 } else { self.text.len() });
            return;
        };
        let (mut used, mut at, end) = (0, row.start, self.row_end(row));
        for grapheme in self.text[row.start..end].graphemes(true) {
            used += cells(grapheme);
            if used > goal {
                break;
            }
            at += grapheme.len();
        }
        (self.cursor, self.goal) = (at, Some(goal));
    }

    fn move_to(&mut self, at: usize) {
        // What was inserted may join what stands after it.
        let whole = |it: &usize| *it >= at;
        let ends = self.text.grapheme_indices(true).map(|it| it.0);
        self.cursor = ends.chain([self.text.len()]).find(whole).unwrap_or(self.text.len());
    }

    fn delete(&mut self, range: Range<usize>) {
        let start = range.start;
        self.text.replace_range(range, "");
        self.move_to(start);
    }

    fn before(&self) -> usize {
        let last = self.text[..self.cursor].grapheme_indices(true).next_back();
        last.map_or(0, |it| it.0)
    }

    fn after(&self) -> usize {
        let next = self.text[self.cursor..].graphemes(true).next();
        self.cursor + next.map_or(0, str::len)
    }

    fn word_start(&self) -> usize {
        let head = self.text[..self.cursor].trim_end();
        head.rfind(char::is_whitespace)
            .map_or(0, |it| it + head[it..].chars().next().map_or(0, char::len_utf8))
    }

    fn word_end(&self) -> usize {
        let tail = &self.text[self.cursor..];
        let word = tail.len() - tail.trim_start().len();
        tail[word..].find(char::is_whitespace).map_or(self.text.len(), |it| self.cursor + word + it)
    }

    fn line_start(&self) -> usize {
        self.text[..self.cursor].rfind('\n').map_or(0, |it| it + 1)
    }

    fn line_end(&self) -> usize {
        self.text[self.cursor..].find('\n').map_or(self.text.len(), |it| self.cursor + it)
    }
}

/// Cells of a part of the text as it is shown, each grapheme for itself.
pub fn cells(part: &str) -> usize {
    part.graphemes(true).map(|it| text::width(&shown(it))).sum()
}

/// A part of one row as visible text.
pub fn shown(part: &str) -> String {
    part.graphemes(true).map(|it| text::display(it, Surface::Inline)).collect()
}

/// Rows broken at blanks. The blank at a break hangs over the edge rather than begin a row.
fn rows(text: &str, width: usize) -> Vec<Range<usize>> {
    let mut rows = Vec::new();
    let (mut start, mut used) = (0, 0);
    // Where the row can be broken: after its last blank.
    let mut blank: Option<usize> = None;
    for (at, grapheme) in text.grapheme_indices(true) {
        if grapheme == "\n" {
            rows.push(start..at);
            (start, used, blank) = (at + 1, 0, None);
            continue;
        }
        let need = cells(grapheme);
        while used + need > width && at > start && grapheme != " " {
            let end = blank.take().unwrap_or(at);
            rows.push(start..end);
            (start, used) = (end, cells(&text[end..at]));
        }
        used += need;
        if grapheme == " " {
            blank = Some(at + 1);
        }
    }
    rows.push(start..text.len());
    rows
}

#[cfg(test)]
mod tests {
    use crate::app::{
        correct::area::{Area, MOST},
        key::{Chord, Key},
    };
    use proptest::prelude::*;

    fn press(area: &mut Area, keys: &str) {
        for key in keys.split(' ') {
            area.key(key.parse().expect("a key"), 10);
        }
    }

    fn rows(area: &Area) -> Vec<&str> {
        area.rows(10).into_iter().map(|it| &area.text()[it]).collect()
    }

    #[test]
    fn rows_break_at_blanks_and_inside_long_words() {
        let check = |text: &str, expected: &[&str]| assert_eq!(rows(&Area::of(text)), expected);
        check("", &[""]);
        check("one two three", &["one two ", "three"]);
        check("0123456789 x", &["0123456789 ", "x"]);
        check("0123456789abc", &["0123456789", "abc"]);
        check("a\n\nb", &["a", "", "b"]);
        check("漢字漢字漢字", &["漢字漢字漢", "字"]);
        check("ab\u{202e}c", &["ab\u{202e}", "c"]);
    }

    #[test]
    fn the_cursor_moves_by_graphemes_words_and_rows() {
        let mut area = Area::of("one two three");
        assert_eq!(area.caret(10), (1, 5));
        press(&mut area, "Up");
        assert_eq!(area.caret(10), (0, 5));
        press(&mut area, "End");
        assert_eq!(area.caret(10), (0, 7));
        press(&mut area, "Right");
        assert_eq!(area.caret(10), (1, 0));
        press(&mut area, "Up Up");
        assert_eq!(area.caret(10), (0, 0));
        press(&mut area, "Ctrl-Right x");
        assert_eq!(area.text(), "onex two three");
        let mut area = Area::of("e\u{301}👩‍👩‍👧");
        press(&mut area, "Backspace");
        assert_eq!(area.text(), "e\u{301}");
        press(&mut area, "Left Delete");
        assert_eq!(area.text(), "");
    }

    #[test]
    fn up_and_down_keep_the_column() {
        let mut area = Area::of("abcdef\nx\nabcdef");
        press(&mut area, "Up");
        assert_eq!(area.caret(10), (1, 1));
        press(&mut area, "Up");
        assert_eq!(area.caret(10), (0, 6));
    }

    #[test]
    fn words_and_lines_are_deleted() {
        let mut area = Area::of("one\u{a0}two three\nfour five");
        press(&mut area, "Ctrl-w");
        assert_eq!(area.text(), "one\u{a0}two three\nfour ");
        press(&mut area, "Ctrl-u Up Home Ctrl-k");
        assert_eq!(area.text(), "one\u{a0}two \n");
    }

    #[test]
    fn what_is_pasted_is_clean_and_has_an_end() {
        let mut area = Area::default();
        assert_eq!(area.insert("a\r\nb\tc\u{1b}[31m\u{7}\rd"), 0);
        assert_eq!(area.text(), "a\nb c[31m\nd");
        assert_eq!(Area::default().insert(&"ж".repeat(MOST)), MOST);
    }

    proptest! {
        #[test]
        fn no_key_breaks_the_text(
            text in "[a-z \n漢é\u{301}\u{200d}👩\u{202e}]{0,40}",
            keys in proptest::collection::vec(0..14_usize, 0..30),
            width in 1..30_usize,
        ) {
            let all = [
                Key::Left, Key::Right, Key::Up, Key::Down, Key::Home, Key::End, Key::PageUp,
                Key::Backspace, Key::Delete, Key::Enter, Key::Char('x'), Key::Char('\u{301}'),
            ];
            let mut area = Area::of(&text);
            for key in keys {
                let chord = match key {
                    12 => Chord::ctrl('w'),
                    13 => Chord::plain(Key::PageDown),
                    at => Chord::plain(all[at]),
                };
                area.key(chord, width);
                let rows = area.rows(width);
                let (row, _) = area.caret(width);
                prop_assert!(row < rows.len());
                let mut at = 0;
                for row in &rows {
                    prop_assert!(row.start == at || area.text().as_bytes()[at] == b'\n');
                    at = row.end;
                }
                prop_assert_eq!(at, area.text().len());
            }
        }
    }
}
