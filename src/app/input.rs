//! One line of typed text with a cursor. Must not know what the text is for.

use crate::app::key::{Chord, Key};

/// Text longer than this is cut: nobody types it, and a paste must not stall a frame.
const MOST: usize = 4_096;

/// The line and where the cursor stands, in characters.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Input {
    pub text: String,
    pub cursor: usize,
}

impl Input {
    pub fn of(text: &str) -> Self {
        Self { text: text.to_owned(), cursor: text.chars().count() }
    }

    /// Applies a key; says whether the text changed.
    pub fn key(&mut self, chord: Chord) -> bool {
        let before = self.text.len();
        match chord.key {
            Key::Char('w') if chord.ctrl => self.delete_word(),
            Key::Char('u') if chord.ctrl => {
                self.text = self.text.split_off(self.byte(self.cursor));
                self.cursor = 0;
            }
            Key::Char('a') if chord.ctrl => self.cursor = 0,
            Key::Char('e') if chord.ctrl => self.cursor = self.len(),
            Key::Char(_) => {
                if let Some(it) = chord.typed() {
                    self.insert(&it.to_string());
                }
            }
            Key::Backspace if self.cursor > 0 => {
                self.cursor -= 1;
                self.text.remove(self.byte(self.cursor));
            }
            Key::Delete if self.cursor < self.len() => {
                self.text.remove(self.byte(self.cursor));
            }
            Key::Left => self.cursor = self.cursor.saturating_sub(1),
            Key::Right => self.cursor = self.len().min(self.cursor + 1),
            Key::Home => self.cursor = 0,
            Key::End => self.cursor = self.len(),
            _ => {}
        }
        self.text.len() != before
    }

    /// Inserts text at the cursor; line ends become blanks.
    pub fn insert(&mut self, text: &str) {
        let room = MOST.saturating_sub(self.text.len());
        let clean = |it: char| if it.is_control() { ' ' } else { it };
        let mut taken = String::new();
        for letter in text.chars().map(clean) {
            if taken.len() + letter.len_utf8() > room {
                break;
            }
            taken.push(letter);
        }
        self.text.insert_str(self.byte(self.cursor), &taken);
        self.cursor += taken.chars().count();
    }

    fn delete_word(&mut self) {
        let end = self.byte(self.cursor);
        let head = self.text[..end].trim_end();
        let start = head.rfind(' ').map_or(0, |it| it + 1);
        self.text.replace_range(start..end, "");
        self.cursor = self.text[..start].chars().count();
    }

    fn len(&self) -> usize {
        self.text.chars().count()
    }

    fn byte(&self, cursor: usize) -> usize {
        self.text.char_indices().nth(cursor).map_or(self.text.len(), |it| it.0)
    }
}

#[cfg(test)]
mod tests {
    use crate::app::{
        input::Input,
        key::{Chord, Key},
    };

    #[test]
    fn typing_and_deleting() {
        let mut input = Input::of("за bc");
        input.key(Chord::ctrl('w'));
        assert_eq!(input.text, "за ");
        input.key(Chord::plain(Key::Home));
        input.key(Chord::plain(Key::Delete));
        input.insert("x\ny");
        assert_eq!((input.text.as_str(), input.cursor), ("x yа ", 3));
        input.key(Chord::ctrl('u'));
        assert_eq!((input.text.as_str(), input.cursor), ("а ", 0));
    }
}
