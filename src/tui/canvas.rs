//! Two buffers and the difference between them, written to the terminal as one synchronized
//! update. Must not know what is drawn.

use crate::{domain::text, tui::encode};
use ratatui::{
    buffer::{Buffer, Cell},
    layout::Rect,
};
use std::io::{self, Write};

/// Around a frame, so that a terminal shows it whole (DEC private mode 2026).
const BEGIN: &[u8] = b"\x1b[?2026h";
const END: &[u8] = b"\x1b[?2026l";
const SHOW_CURSOR: &[u8] = b"\x1b[?25h";
const HIDE_CURSOR: &[u8] = b"\x1b[?25l";

/// What the terminal shows and what it shall show next.
pub struct Canvas<W: Write> {
    terminal: W,
    shown: Buffer,
    next: Buffer,
    /// The bytes of a frame, kept for their room.
    bytes: Vec<u8>,
    /// The terminal's cells are unknown: everything has to be sent.
    stale: bool,
    cursor: Option<(u16, u16)>,
}

impl<W: Write> Canvas<W> {
    /// A canvas of `width` × `height` cells over a terminal nobody has drawn on.
    pub fn new(terminal: W, width: u16, height: u16) -> Self {
        let shown = Buffer::empty(Rect::new(0, 0, width.max(1), height.max(1)));
        let (next, bytes) = (shown.clone(), Vec::new());
        Self { terminal, shown, next, bytes, stale: true, cursor: None }
    }

    /// The terminal has another size; all cells are sent again. Zero is taken as one.
    pub fn resize(&mut self, width: u16, height: u16) {
        let area = Rect::new(0, 0, width.max(1), height.max(1));
        if self.next.area != area {
            self.next = Buffer::empty(area);
            self.shown = Buffer::empty(area);
        }
        self.stale = true;
    }

    /// Cells of the terminal are not what this canvas last sent.
    pub fn forget(&mut self) {
        self.stale = true;
    }

    /// Draws one frame: `paint` fills the buffer, and what differs is sent in one write. Nothing
    /// is sent when nothing differs. The cursor shows where a person types, else not at all.
    pub fn draw(
        &mut self,
        cursor: Option<(u16, u16)>,
        paint: impl FnOnce(&mut Buffer),
    ) -> io::Result<()> {
        paint(&mut self.next);
        let area = self.next.area;
        let cursor = cursor.filter(|(x, y)| area.contains((*x, *y).into()));
        let mut changes = changes(&self.shown, &self.next, self.stale).peekable();
        if changes.peek().is_none() && cursor == self.cursor {
            return Ok(());
        }
        self.bytes.clear();
        self.bytes.extend_from_slice(BEGIN);
        encode::cells(&mut self.bytes, changes, width);
        match cursor {
            Some((x, y)) => {
                encode::move_to(&mut self.bytes, x, y);
                self.bytes.extend_from_slice(SHOW_CURSOR);
            }
            None if self.stale || self.cursor.is_some() => {
                self.bytes.extend_from_slice(HIDE_CURSOR);
            }
            None => {}
        }
        self.bytes.extend_from_slice(END);
        self.terminal.write_all(&self.bytes)?;
        self.terminal.flush()?;
        std::mem::swap(&mut self.shown, &mut self.next);
        (self.stale, self.cursor) = (false, cursor);
        Ok(())
    }

    /// Writes bytes of our own vocabulary between two frames.
    pub fn write(&mut self, bytes: &str) -> io::Result<()> {
        self.terminal.write_all(bytes.as_bytes())?;
        self.terminal.flush()
    }
}

/// The cells to send, row by row: those that differ, or all of them. The covered half of a wide
/// character is never sent; what a wide character covered before is sent whatever it holds.
fn changes<'a>(
    shown: &'a Buffer,
    next: &'a Buffer,
    all: bool,
) -> impl Iterator<Item = (u16, u16, &'a Cell)> {
    let columns = usize::from(next.area.width.max(1));
    let rows = next.content.chunks(columns).zip(shown.content.chunks(columns));
    rows.enumerate().flat_map(move |(y, (new, old))| {
        // Cells before `covered` are under a wide character of the new frame; those before
        // `exposed` were under or beside one of the old frame that has been broken.
        let (mut covered, mut exposed) = (0, 0);
        new.iter().zip(old).enumerate().filter_map(move |(x, (new, old))| {
            // Most cells are as they were and have nothing wide about them.
            let plain =
                matches!((new.symbol().as_bytes(), old.symbol().as_bytes()), ([a], [b]) if a == b);
            if plain && !all && x >= covered && x >= exposed && same_look(new, old) {
                return None;
            }
            let was = x + usize::from(width(old.symbol()));
            if x < covered {
                exposed = exposed.max(was);
                return None;
            }
            covered = x + usize::from(width(new.symbol()));
            let changed = all || x < exposed || !same(new, old);
            if changed {
                exposed = exposed.max(was);
            }
            changed.then_some((x as u16, y as u16, new))
        })
    })
}

fn same(one: &Cell, other: &Cell) -> bool {
    one.symbol() == other.symbol() && same_look(one, other)
}

fn same_look(one: &Cell, other: &Cell) -> bool {
    one.fg == other.fg && one.bg == other.bg && one.modifier == other.modifier
}

fn width(symbol: &str) -> u16 {
    if symbol.len() == 1 { 1 } else { text::width(symbol) as u16 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::num::NonZero;

    /// What was written, through a VT parser.
    fn screen(bytes: &[u8]) -> vt100::Parser {
        let mut parser = vt100::Parser::new(
            NonZero::new(2).expect("not zero"),
            NonZero::new(6).expect("not zero"),
            0,
        );
        parser.process(bytes);
        parser
    }

    fn text(text: &str) -> impl FnOnce(&mut Buffer) {
        move |buffer| {
            buffer.reset();
            buffer.set_string(0, 0, text, ratatui::style::Style::new());
        }
    }

    #[test]
    fn only_what_changed_is_sent() {
        let mut log = Vec::new();
        let mut canvas = Canvas::new(&mut log, 6, 2);
        canvas.draw(None, text("abc")).expect("memory takes bytes");
        canvas.draw(None, text("abc")).expect("memory takes bytes");
        canvas.draw(None, text("aXc")).expect("memory takes bytes");
        drop(canvas);
        let text = String::from_utf8(log.clone()).expect("UTF-8");
        assert_eq!(text.matches("\x1b[?2026h").count(), 2, "an unchanged frame sends nothing");
        assert!(text.rsplit_once("\x1b[?2026h").expect("a frame").1.contains("\x1b[1;2HX"));
        assert_eq!(screen(&log).screen().contents().trim_end(), "aXc");
    }

    #[test]
    fn a_stale_terminal_gets_every_cell() {
        let mut log = b"old content".to_vec();
        let mut canvas = Canvas::new(&mut log, 6, 2);
        canvas.draw(None, text("漢x")).expect("memory takes bytes");
        canvas.forget();
        canvas.draw(Some((1, 1)), text("漢x")).expect("memory takes bytes");
        drop(canvas);
        let parser = screen(&log);
        assert_eq!(parser.screen().contents().trim_end(), "漢x");
        assert_eq!(parser.screen().cursor_position(), (1, 1));
        assert!(!parser.screen().hide_cursor());
    }

    #[test]
    fn wide_characters_come_and_go_whole() {
        let frames =
            ["abcdef", "漢cdef", "a漢def", "漢字ef", "a漢字f", "abcdef", "漢字漢", "abcdef"];
        let mut log = Vec::new();
        let mut canvas = Canvas::new(Vec::new(), 6, 2);
        for frame in frames {
            canvas.draw(None, |buffer| text(frame)(buffer)).expect("memory takes bytes");
            log.append(&mut canvas.terminal);
            assert_eq!(screen(&log).screen().contents().trim_end(), frame);
        }
    }

    #[test]
    fn a_size_of_nothing_is_one_cell() {
        let mut log = Vec::new();
        let mut canvas = Canvas::new(&mut log, 6, 2);
        for (width, height) in [(0, 0), (1, 1), (500, 200), (3, 0)] {
            canvas.resize(width, height);
            canvas.draw(Some((9, 9)), Buffer::reset).expect("memory takes bytes");
        }
    }
}
