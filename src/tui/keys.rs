//! Bytes from the terminal as keys, pastes and mouse events. Must not read; it is fed, in pieces
//! of any size.
//!
//! The library that draws can read as well, but it loses input when a key and a change of size
//! arrive together, spins on a terminal that is gone, and blocks in the middle of a sequence.

use crate::app::{
    event::Event,
    key::{Chord, Key, Mouse, MouseKind},
};

/// What has arrived and is not understood yet.
#[derive(Debug, Default)]
pub struct Keys {
    bytes: Vec<u8>,
    /// Inside a bracketed paste: everything up to its end is text.
    pasting: bool,
}

/// A paste beyond this is cut into several, in bytes.
const LONGEST_PASTE: usize = 8 << 20;
/// A sequence beyond this is none; its introducer is dropped.
const LONGEST_SEQUENCE: usize = 64;
const PASTE_END: &[u8] = b"\x1b[201~";

/// One step of understanding.
enum Step {
    /// So many bytes mean this.
    Took(usize, Option<Event>),
    /// More bytes are needed.
    Incomplete,
}

impl Keys {
    /// Takes bytes and gives what they mean.
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<Event> {
        self.bytes.extend_from_slice(bytes);
        self.parse(false)
    }

    /// Whether bytes wait for more: a lone Esc may be the key or the start of a sequence.
    pub fn is_waiting(&self) -> bool {
        !self.pasting && !self.bytes.is_empty()
    }

    /// No more bytes came: what waits is taken as it stands.
    pub fn flush(&mut self) -> Vec<Event> {
        self.parse(true)
    }

    fn parse(&mut self, last: bool) -> Vec<Event> {
        let mut events = Vec::new();
        let mut at = 0;
        while at < self.bytes.len() {
            let rest = &self.bytes[at..];
            let step = if self.pasting { paste(rest) } else { one(rest) };
            match step {
                Step::Took(length, event) => {
                    // A paste ends or is cut; a cut one goes on.
                    if self.pasting {
                        self.pasting = !rest[..length].ends_with(PASTE_END);
                    } else if rest[..length] == *b"\x1b[200~" {
                        self.pasting = true;
                    }
                    at += length;
                    events.extend(event);
                }
                Step::Incomplete if last && !self.pasting => {
                    // The first byte stands for itself: Esc, or nothing that can be read.
                    let alone = (rest[0] == 0x1b).then_some(Event::Key(Chord::plain(Key::Esc)));
                    at += 1;
                    events.extend(alone);
                }
                Step::Incomplete => break,
            }
        }
        self.bytes.drain(..at);
        events
    }
}

fn paste(bytes: &[u8]) -> Step {
    let end = memchr::memmem::find(bytes, PASTE_END);
    let length = match end {
        Some(end) => end + PASTE_END.len(),
        None if bytes.len() > LONGEST_PASTE => bytes.len(),
        None => return Step::Incomplete,
    };
    // Terminals send the Return key for a line's end.
    let text = String::from_utf8_lossy(&bytes[..end.unwrap_or(length)]);
    Step::Took(length, Some(Event::Paste(text.replace("\r\n", "\n").replace('\r', "\n"))))
}

/// The first key or sequence of `bytes`, which are not empty.
fn one(bytes: &[u8]) -> Step {
    match bytes {
        [0x1b] | [0x1b, b'O'] => Step::Incomplete,
        [0x1b, b'[', rest @ ..] => csi(rest),
        [0x1b, b'O', it, ..] => {
            let key = letter_key(*it).map(|it| Event::Key(Chord::plain(it)));
            if key.is_some() { Step::Took(3, key) } else { alt(bytes) }
        }
        [0x1b, 0x1b, ..] => Step::Took(1, Some(Event::Key(Chord::plain(Key::Esc)))),
        [0x1b, ..] => alt(bytes),
        _ => typed(bytes),
    }
}

/// Esc before a key is Alt.
fn alt(bytes: &[u8]) -> Step {
    match typed(&bytes[1..]) {
        Step::Took(length, Some(Event::Key(key))) => {
            Step::Took(length + 1, Some(Event::Key(Chord { alt: true, ..key })))
        }
        Step::Took(length, other) => Step::Took(length + 1, other),
        Step::Incomplete => Step::Incomplete,
    }
}

/// A character or a control key.
fn typed(bytes: &[u8]) -> Step {
    let key = |it| Step::Took(1, Some(Event::Key(it)));
    match bytes[0] {
        b'\r' => key(Chord::plain(Key::Enter)),
        b'\t' => key(Chord::plain(Key::Tab)),
        0x7f => key(Chord::plain(Key::Backspace)),
        0 => key(Chord::ctrl(' ')),
        it @ 1..=0x1a => key(Chord::ctrl(char::from(it - 1 + b'a'))),
        it @ 0x1c..=0x1f => key(Chord::ctrl(char::from(it - 0x1c + b'4'))),
        it @ b' '..=b'~' => key(Chord::char(char::from(it))),
        first => {
            let length = match first {
                0xc2..=0xdf => 2,
                0xe0..=0xef => 3,
                0xf0..=0xf4 => 4,
                // No character begins so; it is dropped.
                _ => return Step::Took(1, None),
            };
            let Some(whole) = bytes.get(..length) else {
                let broken = bytes[1..].iter().any(|it| it & 0xc0 != 0x80);
                return if broken { Step::Took(1, None) } else { Step::Incomplete };
            };
            match std::str::from_utf8(whole).ok().and_then(|it| it.chars().next()) {
                Some(it) => Step::Took(length, Some(Event::Key(Chord::char(it)))),
                None => Step::Took(1, None),
            }
        }
    }
}

/// A control sequence, from behind its introducer.
fn csi(rest: &[u8]) -> Step {
    // The Linux console sends F1 to F5 with a second bracket.
    if let [b'[', rest @ ..] = rest {
        return match rest {
            [] => Step::Incomplete,
            [it @ b'A'..=b'E', ..] => {
                Step::Took(4, Some(Event::Key(Chord::plain(Key::F(it - b'A' + 1)))))
            }
            _ => Step::Took(3, None),
        };
    }
    let Some(end) = rest.iter().position(|it| !matches!(it, b' '..=b'?')) else {
        let hopeless = rest.len() > LONGEST_SEQUENCE;
        return if hopeless { Step::Took(2, None) } else { Step::Incomplete };
    };
    if !matches!(rest[end], b'@'..=b'~') {
        return Step::Took(2 + end, None);
    }
    let parameters = String::from_utf8_lossy(&rest[..end]);
    Step::Took(2 + end + 1, meaning(&parameters, rest[end]))
}

fn meaning(parameters: &str, last: u8) -> Option<Event> {
    if let Some(mouse) = parameters.strip_prefix('<') {
        return pointer(mouse, last);
    }
    let mut numbers = parameters.split(';').map(|it| {
        // `number:alternative` as the kitty protocol sends it.
        it.split(':').next().and_then(|it| it.parse::<u32>().ok())
    });
    let (first, second) = (numbers.next().flatten(), numbers.next().flatten());
    let modifiers = second.unwrap_or(1).saturating_sub(1);
    let key = match last {
        b'~' => numbered_key(first?)?,
        b'u' => unicode_key(first?)?,
        b'Z' => {
            return Some(Event::Key(Chord { shift: true, ..Chord::plain(Key::Tab) }));
        }
        it => letter_key(it)?,
    };
    let shift = modifiers & 1 != 0 && !matches!(key, Key::Char(_));
    let (alt, ctrl) = (modifiers & 2 != 0, modifiers & 4 != 0);
    Some(Event::Key(Chord { key, ctrl, alt, shift }))
}

fn letter_key(it: u8) -> Option<Key> {
    Some(match it {
        b'A' => Key::Up,
        b'B' => Key::Down,
        b'C' => Key::Right,
        b'D' => Key::Left,
        b'F' => Key::End,
        b'H' => Key::Home,
        b'M' => Key::Enter,
        b'P'..=b'S' => Key::F(it - b'P' + 1),
        _ => return None,
    })
}

fn numbered_key(it: u32) -> Option<Key> {
    Some(match it {
        1 | 7 => Key::Home,
        3 => Key::Delete,
        4 | 8 => Key::End,
        5 => Key::PageUp,
        6 => Key::PageDown,
        // The numbers skip one here and there, as the first terminals did.
        11..=15 => Key::F((it - 10) as u8),
        17..=21 => Key::F((it - 11) as u8),
        23..=26 => Key::F((it - 12) as u8),
        28..=29 => Key::F((it - 13) as u8),
        31..=34 => Key::F((it - 14) as u8),
        _ => return None,
    })
}

fn unicode_key(it: u32) -> Option<Key> {
    Some(match it {
        13 => Key::Enter,
        27 => Key::Esc,
        9 => Key::Tab,
        127 => Key::Backspace,
        _ => Key::Char(char::from_u32(it).filter(|it| !it.is_control())?),
    })
}

/// A mouse report: button, column and row from one on. Releases and drags mean nothing here.
fn pointer(report: &str, last: u8) -> Option<Event> {
    const MODIFIERS: u16 = 4 | 8 | 16;
    let mut numbers = report.split(';').map(str::parse::<u16>);
    let mut next = || numbers.next()?.ok();
    let (button, column, row) = (next()?, next()?, next()?);
    let kind = match (button & !MODIFIERS, last) {
        (0, b'M') => MouseKind::Click,
        (64, b'M') => MouseKind::WheelUp,
        (65, b'M') => MouseKind::WheelDown,
        _ => return None,
    };
    let (column, row) = (column.checked_sub(1)?, row.checked_sub(1)?);
    Some(Event::Mouse(Mouse { kind, column, row }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Events as words.
    fn words(events: &[Event]) -> String {
        let word = |it: &Event| match it {
            Event::Key(it) => it.to_string(),
            Event::Paste(it) => format!("paste:{it:?}"),
            Event::Mouse(it) => format!("{:?}@{},{}", it.kind, it.column, it.row),
            it => format!("{it:?}"),
        };
        events.iter().map(word).collect::<Vec<_>>().join(" ")
    }

    fn understood(bytes: &[u8]) -> String {
        let mut keys = Keys::default();
        let mut events = keys.feed(bytes);
        events.extend(keys.flush());
        words(&events)
    }

    const CASES: &[(&str, &str)] = &[
        ("jG é漢🙂", "j G Space é 漢 🙂"),
        ("\r\t\x7f\x04\x00\x1a\x1d", "Enter Tab Backspace Ctrl-d Ctrl-Space Ctrl-z Ctrl-5"),
        ("\x1b[A\x1b[B\x1bOC\x1b[D\x1b[H\x1bOF", "Up Down Right Left Home End"),
        ("\x1b[1;5A\x1b[1;2P\x1b[1;3F", "Ctrl-Up Shift-F1 Alt-End"),
        ("\x1b[3~\x1b[5~\x1b[6~\x1b[1~\x1b[4~\x1b[5;5~", "Delete PgUp PgDn Home End Ctrl-PgUp"),
        ("\x1bOP\x1b[[C\x1b[15~\x1b[17~\x1b[21~\x1b[23~\x1b[24~", "F1 F3 F5 F6 F10 F11 F12"),
        ("\x1b[Z\x1bx\x1bé", "Shift-Tab Alt-x Alt-é"),
        ("\x1b[106;5u\x1b[13u", "Ctrl-j Enter"),
        ("\x1b\x1b[A", "Esc Up"),
        (
            "\x1b[<0;3;4M\x1b[<0;3;4m\x1b[<64;1;1M\x1b[<69;9;8M",
            "Click@2,3 WheelUp@0,0 WheelDown@8,7",
        ),
        ("\x1b[<35;5;5M\x1b[<0;0;0M\x1b[<;M", ""),
        ("\x1b[200~q:\x1b[A\rx\r\n\x1b[201~j", "paste:\"q:\\u{1b}[A\\nx\\n\" j"),
        ("\x1b[I\x1b[?1;2c\x1b[99~j", "j"),
        ("\x1b[12\rj", "Enter j"),
    ];

    #[test]
    fn bytes_become_events() {
        for (bytes, expected) in CASES {
            assert_eq!(understood(bytes.as_bytes()), *expected, "{bytes:?}");
        }
        assert_eq!(understood(b"\x1b"), "Esc");
        assert_eq!(understood(b"\x1b[1"), "Esc [ 1");
        assert_eq!(understood(b"\xff\xc3j\xe2\x82"), "j");
    }

    #[test]
    fn it_does_not_matter_where_the_bytes_are_cut() {
        for (bytes, expected) in CASES {
            let mut keys = Keys::default();
            let mut events = Vec::new();
            bytes.as_bytes().iter().for_each(|it| events.extend(keys.feed(&[*it])));
            events.extend(keys.flush());
            assert_eq!(words(&events), *expected, "{bytes:?}");
        }
    }

    proptest! {
        #[test]
        fn no_bytes_panic_or_stay(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let mut keys = Keys::default();
            keys.feed(&bytes);
            keys.flush();
            prop_assert!(keys.pasting || keys.bytes.is_empty());
        }
    }
}
