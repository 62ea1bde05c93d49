//! Keys and the mouse as data, free of any terminal library.
//! Must not know what a key means; the keymap does.

use std::{fmt, str::FromStr};

/// One key press with its modifiers. For a character the shift is in the character itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Chord {
    pub key: Key,
    pub ctrl: bool,
    pub alt: bool,
    /// Only for keys that are no characters.
    pub shift: bool,
}

/// A key of the keyboard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Key {
    Char(char),
    Enter,
    Esc,
    Tab,
    Backspace,
    Delete,
    Up,
    Down,
    Left,
    Right,
    Home,
    End,
    PageUp,
    PageDown,
    F(u8),
}

/// What the mouse did, and where, in cells from the top left corner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mouse {
    pub kind: MouseKind,
    pub column: u16,
    pub row: u16,
}

/// The mouse gestures that mean something here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MouseKind {
    Click,
    WheelUp,
    WheelDown,
}

impl Chord {
    /// A key without modifiers.
    pub const fn plain(key: Key) -> Self {
        Self { key, ctrl: false, alt: false, shift: false }
    }

    /// A character without modifiers.
    pub const fn char(it: char) -> Self {
        Self::plain(Key::Char(it))
    }

    /// A character with Ctrl.
    pub const fn ctrl(it: char) -> Self {
        Self { key: Key::Char(it), ctrl: true, alt: false, shift: false }
    }

    /// The text this key types, if it types any.
    pub fn typed(&self) -> Option<char> {
        match self.key {
            Key::Char(it) if !self.ctrl && !self.alt => Some(it),
            _ => None,
        }
    }

    /// The same key on a Latin layout, when another is on: letters by their place.
    pub fn latin(self) -> Option<Self> {
        let Key::Char(it) = self.key else { return None };
        let lower = it.to_lowercase().next()?;
        let place = |(own, _): &(&str, &str)| own.chars().position(|letter| letter == lower);
        let (at, latin) = LAYOUTS.iter().find_map(|it| Some((place(it)?, it.1)))?;
        let latin = latin.chars().nth(at)?;
        let key = if it == lower { latin } else { shifted(latin) };
        Some(Self { key: Key::Char(key), ..self })
    }
}

/// Layouts row by row, and the Latin keys in the same places: Russian, what Ukrainian and
/// Belarusian have besides, Greek, Hebrew.
const LAYOUTS: [(&str, &str); 4] = [
    ("йцукенгшщзхъфывапролджэячсмитьбюё", "qwertyuiop[]asdfghjkl;'zxcvbnm,.`"),
    ("іїєґў", "s]'`o"),
    ("ςερτυθιοπασδφγηξκλζχψωβνμ", "wertyuiopasdfghjklzxcvbnm"),
    ("קראטוןםפשדגכעיחלךזסבהנמצ", "ertyuiopasdfghjklzxcvbnm"),
];

fn shifted(latin: char) -> char {
    match latin {
        '[' => '{',
        ']' => '}',
        ';' => ':',
        '\'' => '"',
        ',' => '<',
        '.' => '>',
        '`' => '~',
        it => it.to_ascii_uppercase(),
    }
}

const NAMED: &[(&str, Key)] = &[
    ("Enter", Key::Enter),
    ("Esc", Key::Esc),
    ("Tab", Key::Tab),
    ("Backspace", Key::Backspace),
    ("Delete", Key::Delete),
    ("Up", Key::Up),
    ("Down", Key::Down),
    ("Left", Key::Left),
    ("Right", Key::Right),
    ("Home", Key::Home),
    ("End", Key::End),
    ("PgUp", Key::PageUp),
    ("PgDn", Key::PageDown),
    ("Space", Key::Char(' ')),
];

impl fmt::Display for Chord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (on, name) in [(self.ctrl, "Ctrl-"), (self.alt, "Alt-"), (self.shift, "Shift-")] {
            if on {
                f.write_str(name)?;
            }
        }
        match NAMED.iter().find(|(_, key)| *key == self.key) {
            Some((name, _)) => f.write_str(name),
            None => match self.key {
                Key::Char(it) => write!(f, "{it}"),
                Key::F(n) => write!(f, "F{n}"),
                _ => Ok(()),
            },
        }
    }
}

impl FromStr for Chord {
    type Err = String;

    /// Reads `j`, `Ctrl-d`, `Shift-Tab`, `F3`, `Enter`, as they are written in the keymap.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut chord = Self::plain(Key::Esc);
        let mut rest = text;
        loop {
            if let Some(it) = rest.strip_prefix("Ctrl-").filter(|it| !it.is_empty()) {
                (chord.ctrl, rest) = (true, it);
            } else if let Some(it) = rest.strip_prefix("Alt-").filter(|it| !it.is_empty()) {
                (chord.alt, rest) = (true, it);
            } else if let Some(it) = rest.strip_prefix("Shift-").filter(|it| !it.is_empty()) {
                (chord.shift, rest) = (true, it);
            } else {
                break;
            }
        }
        chord.key = key_named(rest).ok_or_else(|| format!("`{text}` names no key"))?;
        Ok(chord)
    }
}

fn key_named(text: &str) -> Option<Key> {
    let mut letters = text.chars();
    if let (Some(it), None) = (letters.next(), letters.next()) {
        return Some(Key::Char(it));
    }
    if let Some((_, key)) = NAMED.iter().find(|(name, _)| name.eq_ignore_ascii_case(text)) {
        return Some(*key);
    }
    let number = text.strip_prefix('F')?.parse().ok()?;
    (1..=24).contains(&number).then_some(Key::F(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_read_as_they_are_written() {
        for text in ["j", "Ctrl-d", "Shift-Tab", "F3", "Enter", "PgDn", "Space", "-", "Alt-x"] {
            assert_eq!(text.parse::<Chord>().map(|it| it.to_string()).as_deref(), Ok(text));
        }
        for text in ["", "Ctrl-", "Hyper-x", "F0", "F99", "jj"] {
            assert!(text.parse::<Chord>().is_err(), "{text}");
        }
    }

    #[test]
    fn other_layouts_reach_the_same_keys() {
        assert!(LAYOUTS.iter().all(|it| it.0.chars().count() == it.1.chars().count()));
        let check = |typed, expected| {
            assert_eq!(Chord::char(typed).latin(), Some(Chord::char(expected)), "{typed}");
        };
        check('о', 'j');
        check('л', 'k');
        check('П', 'G');
        check('Ъ', '}');
        check('і', 's');
        check('ξ', 'j');
        check('Γ', 'G');
        check('ח', 'j');
        assert_eq!(Chord::ctrl('в').latin(), Some(Chord::ctrl('d')));
        assert_eq!(Chord::char('j').latin(), None);
    }
}
