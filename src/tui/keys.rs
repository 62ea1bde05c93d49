//! Bytes from the terminal as keys, pastes and mouse events. Must not read; it is fed, in pieces
//! of any size.
//!
//! The library that draws can read as well, but it loses input when a key and a change of size
//! arrive together, spins on a terminal that is gone, and blocks in the middle of a sequence.

use crate::{
    app::{
        event::Event,
        key::{Chord, Key, Mouse, MouseKind},
    },
    tui::{
        question::Reply,
        replies::{is_no_key, is_private, is_string, reply, reply_tail, sequence_tail},
    },
};
use std::time::Duration;

/// What has arrived and is not understood yet.
#[derive(Debug, Default)]
pub struct Keys {
    bytes: Vec<u8>,
    inside: Inside,
}

/// What the next bytes belong to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Inside {
    #[default]
    Nothing,
    /// A bracketed paste: everything up to its end is text.
    Paste,
    /// A string of the terminal that is too long to be an answer: dropped up to its end.
    Reply,
    /// A sequence that is too long to be one: dropped up to its end.
    Sequence,
}

/// What was understood.
#[derive(Debug, Clone)]
pub enum Heard {
    Event(Event),
    Reply(Reply),
}

/// After a lone Esc: if nothing follows in this time, it was the key. Terminals send the bytes of
/// a sequence together; a slow line may part them.
const ESCAPE: Duration = Duration::from_millis(25);
/// The same while an answer may be on its way: rather a late Esc than an answer taken for keys.
const ESCAPE_OR_ANSWER: Duration = Duration::from_millis(100);
/// What cannot be a key waits so long for its rest, and is dropped then.
const REST: Duration = Duration::from_secs(1);

/// A paste beyond this is cut into several, in bytes.
const LONGEST_PASTE: usize = 8 << 20;
/// A sequence beyond this is none, in bytes.
const LONGEST_SEQUENCE: usize = 64;
const PASTE_END: &[u8] = b"\x1b[201~";

/// One step of understanding.
pub(crate) enum Step {
    /// So many bytes mean this.
    Took(usize, Option<Event>),
    /// So many bytes are something the terminal says.
    Said(usize, Option<Reply>),
    /// So many bytes are nothing, nor are those up to the end of what they began.
    Drop(usize, Inside),
    /// More bytes are needed.
    Incomplete,
}

impl Keys {
    /// Takes bytes and gives what they mean.
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<Heard> {
        self.bytes.extend_from_slice(bytes);
        self.parse(false)
    }

    /// How long to wait for more bytes before `flush`; none when nothing waits for them. A lone
    /// Esc may be the key or the start of a sequence; `answers` says that one may be an answer's.
    pub fn patience(&self, answers: bool) -> Option<Duration> {
        match self.inside {
            Inside::Paste => None,
            Inside::Reply | Inside::Sequence => Some(REST),
            Inside::Nothing if self.bytes.is_empty() => None,
            Inside::Nothing if is_no_key(&self.bytes) => Some(REST),
            Inside::Nothing => Some(if answers { ESCAPE_OR_ANSWER } else { ESCAPE }),
        }
    }

    /// No more bytes came: what waits is taken as it stands, but for what cannot be a key.
    pub fn flush(&mut self) -> Vec<Heard> {
        if self.inside != Inside::Paste
            && (self.inside != Inside::Nothing || is_no_key(&self.bytes))
        {
            self.bytes.clear();
            self.inside = Inside::Nothing;
        }
        self.parse(true)
    }

    fn parse(&mut self, last: bool) -> Vec<Heard> {
        let mut heard = Vec::new();
        let mut at = 0;
        while at < self.bytes.len() {
            let rest = &self.bytes[at..];
            let step = match self.inside {
                Inside::Nothing => one(rest),
                Inside::Paste => paste(rest),
                Inside::Reply => reply_tail(rest),
                Inside::Sequence => sequence_tail(rest),
            };
            let length = match step {
                Step::Took(length, event) => {
                    self.inside = after(self.inside, &rest[..length]);
                    heard.extend(event.map(Heard::Event));
                    length
                }
                Step::Said(length, answer) => {
                    self.inside = Inside::Nothing;
                    heard.extend(answer.map(Heard::Reply));
                    length
                }
                Step::Drop(length, inside) => {
                    self.inside = inside;
                    length
                }
                Step::Incomplete if last && self.inside == Inside::Nothing => {
                    let (length, key) = alone(rest);
                    heard.extend(key.map(Event::Key).map(Heard::Event));
                    length
                }
                Step::Incomplete => break,
            };
            at += length;
        }
        self.bytes.drain(..at);
        heard
    }
}

/// Where the bytes behind these belong.
fn after(inside: Inside, taken: &[u8]) -> Inside {
    match inside {
        Inside::Nothing if taken == b"\x1b[200~" => Inside::Paste,
        // A paste ends or is cut; a cut one goes on.
        Inside::Paste if !taken.ends_with(PASTE_END) => Inside::Paste,
        _ => Inside::Nothing,
    }
}

/// The first of bytes that nothing follows, as a key: Esc, Esc and a character, or nothing.
fn alone(bytes: &[u8]) -> (usize, Option<Chord>) {
    match bytes {
        [0x1b, it] if is_string(*it) => {
            (2, Some(Chord { alt: true, ..Chord::char(char::from(*it)) }))
        }
        [0x1b, ..] => (1, Some(Chord::plain(Key::Esc))),
        _ => (1, None),
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
        [0x1b, it, ..] if is_string(*it) => reply(bytes),
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
        it => it,
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
        let all = Step::Drop(2 + rest.len(), Inside::Sequence);
        return if hopeless { all } else { Step::Incomplete };
    };
    if !matches!(rest[end], b'@'..=b'~') {
        return Step::Took(2 + end, None);
    }
    if is_private(rest[0]) {
        let attributes = rest[0] == b'?' && rest[end] == b'c';
        return Step::Said(2 + end + 1, attributes.then_some(Reply::Attributes));
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
    use crate::tui::replies::LONGEST_REPLY;
    use proptest::prelude::*;

    /// Events as words.
    fn words(heard: &[Heard]) -> String {
        let word = |it: &Heard| match it {
            Heard::Event(Event::Key(it)) => it.to_string(),
            Heard::Event(Event::Paste(it)) => format!("paste:{it:?}"),
            Heard::Event(Event::Mouse(it)) => format!("{:?}@{},{}", it.kind, it.column, it.row),
            Heard::Reply(Reply::Background([r, g, b])) => format!("ground:{r},{g},{b}"),
            Heard::Reply(Reply::Attributes) => "fence".to_owned(),
            it @ Heard::Event(_) => format!("{it:?}"),
        };
        heard.iter().map(word).collect::<Vec<_>>().join(" ")
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
        ("\x1b[I\x1b[?1;2c\x1b[99~j", "fence j"),
        ("j\x1b]11;rgb:ffff/ffff/ffff\x07\x1b[?62;4ck", "j ground:255,255,255 fence k"),
        ("\x1b]11;rgb:00/80/ff\x1b\\\x1b[?1ck", "ground:0,128,255 fence k"),
        ("\x1b]11;rgb:00/00/00\x1b\x1b[?1;2ck", "ground:0,0,0 fence k"),
        ("\x1b]11;rgb:00/00/00\x1b[?1;2ck", "ground:0,0,0 fence k"),
        // Whatever else it says is nobody's keys.
        ("\x1b]11;q\r:quit\r\x07j", "j"),
        ("\x1b]52;c;cQ==\x07\x1bP1$r0m\x1b\\\x1b_q\x1b\\\x1b^q\x07\x1bXq\x18j", "j"),
        ("\x1b]10;rgb:ff/ff/ff\x07\x1b[>0;276;0c\x1b[?997;1n\x1b[?1;2A\x1b[=1uj", "j"),
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

    /// What was typed is told apart from what was said even when half of it is missing.
    #[test]
    fn half_an_answer_is_never_keys() {
        let check =
            |bytes: &str, expected: &str| assert_eq!(understood(bytes.as_bytes()), expected);
        check("\x1b]11;rgb:ffff/q", "");
        check("\x1b[?62;4", "");
        check("\x1bP", "Alt-P");
        check("\x1b]", "Alt-]");
        let mut keys = Keys::default();
        for (bytes, patience) in [
            ("\x1b", ESCAPE_OR_ANSWER),
            ("]", ESCAPE_OR_ANSWER),
            ("1", REST),
            ("1;rgb:ffff/q", REST),
        ] {
            assert!(keys.feed(bytes.as_bytes()).is_empty());
            assert_eq!(keys.patience(true), Some(patience), "{bytes}");
        }
        assert_eq!(words(&keys.feed(b"/1\x07j")), "j", "a bad answer that came in three parts");
        assert_eq!(keys.patience(true), None);
        keys.feed(b"\x1b");
        assert_eq!(keys.patience(false), Some(ESCAPE));
    }

    #[test]
    fn endless_answers_are_dropped_to_their_end() {
        for (start, end) in [
            ("\x1b]11;", "\x07"),
            ("\x1bP", "\x1b\\"),
            ("\x1b]", "\x18"),
            ("\x1b[", "m"),
            ("\x1b[?", "c"),
        ] {
            let filler = if start.contains('[') { "1;" } else { "q\r:quit\r" };
            let bytes = format!("{start}{}{end}j", filler.repeat(20_000));
            let mut keys = Keys::default();
            let heard: Vec<_> =
                bytes.as_bytes().chunks(4096).flat_map(|it| keys.feed(it)).collect();
            assert_eq!(words(&heard), "j", "{start:?}");
            let (mut keys, endless) = (Keys::default(), &bytes[..bytes.len() - end.len() - 1]);
            let heard: Vec<_> = endless.as_bytes().chunks(7).flat_map(|it| keys.feed(it)).collect();
            assert!(heard.is_empty() && keys.flush().is_empty(), "{start:?}");
            assert!(keys.bytes.len() <= LONGEST_REPLY);
            assert_eq!(words(&keys.feed(b"j")), "j", "the keyboard is free again");
        }
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
            prop_assert!(keys.inside == Inside::Paste || keys.bytes.is_empty());
        }
    }
}
