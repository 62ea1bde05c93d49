//! The one question put to the terminal: what its background is (OSC 11), so that a light one gets
//! a light theme. Must not make anything wait for the answer, and must not trust it.
//!
//! A second question whose answer every terminal knows (its attributes, DA1) goes after the first.
//! Terminals answer in order, so once that answer is here the other will not come any more.

use crate::tui::{
    keys::{Heard, Keys},
    terminal,
};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::time::{Duration, Instant};

/// Ended by BEL: an old rxvt garbles its answer to the other form.
const QUESTION: &str = "\x1b]11;?\x07\x1b[c";

/// An answer later than this changes nothing on the screen: a person reads by now.
const IN_TIME: Duration = Duration::from_secs(1);
/// How long after the question an answer is waited for before somebody else gets the terminal.
const ON_ITS_WAY: Duration = Duration::from_millis(250);

/// What a terminal says of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reply {
    /// Its background, red, green and blue.
    Background([u8; 3]),
    /// Its attributes, whatever they are: nothing asked before comes after this.
    Attributes,
}

/// The question and what has been heard.
#[derive(Debug, Clone, Default)]
pub struct Question {
    asked: Option<Instant>,
    /// Nobody has chosen a theme since.
    follows: bool,
}

impl Question {
    /// Asks now. The terminal must be in raw mode, or it would show the answer as typed.
    pub fn ask() -> Self {
        // A terminal that cannot be written to is found out by the first frame.
        let asked = terminal::write(QUESTION).is_ok().then(Instant::now);
        Self { asked, follows: true }
    }

    /// A person chose a theme: the answer decides no more.
    pub fn chosen(&mut self) {
        self.follows = false;
    }

    /// Takes an answer, and gives the background to paint for: when it came in time and nobody
    /// chose otherwise.
    pub fn hear(&mut self, answer: Reply) -> Option<[u8; 3]> {
        let asked = self.asked?;
        match answer {
            Reply::Attributes => {
                self.asked = None;
                None
            }
            Reply::Background(it) => (self.follows && asked.elapsed() < IN_TIME).then_some(it),
        }
    }

    /// How much longer an answer may be on its way. None when there is nothing to wait for.
    pub fn left(&self) -> Option<Duration> {
        ON_ITS_WAY.checked_sub(self.asked?.elapsed())
    }

    /// Whether bytes that look like half an answer may well be one.
    pub fn is_open(&self) -> bool {
        self.asked.is_some_and(|it| it.elapsed() < IN_TIME)
    }
}

/// Asks and waits for the answer, for those who draw nothing. None when the terminal does not say
/// in time. The terminal must be nobody else's meanwhile.
pub fn ask_and_wait() -> Option<[u8; 3]> {
    let tty = terminal::tty().ok()?;
    let _raw = terminal::raw().ok()?;
    let mut question = Question::ask();
    let (mut keys, mut found) = (Keys::default(), None);
    while let Some(left) = question.left() {
        let limit = Timespec { tv_sec: 0, tv_nsec: i64::from(left.subsec_nanos()) };
        let mut bytes = [0; 256];
        match poll(&mut [PollFd::new(&tty, PollFlags::IN)], Some(&limit)) {
            Ok(1..) => {}
            Err(rustix::io::Errno::INTR) => continue,
            Ok(0) | Err(_) => break,
        }
        let Ok(count @ 1..) = rustix::io::read(&tty, &mut bytes) else { break };
        for heard in keys.feed(&bytes[..count]) {
            if let Heard::Reply(answer) = heard {
                found = question.hear(answer).or(found);
            }
        }
    }
    found
}

/// The background in the body of an OSC answer: `11;rgb:RR/GG/BB` with one to four hexadecimal
/// digits each, `11;rgba:RR/GG/BB/AA`, or `11;#RRGGBB`.
pub fn background(body: &[u8]) -> Option<[u8; 3]> {
    let value = std::str::from_utf8(body).ok()?.strip_prefix("11;")?;
    if let Some(hex) = value.strip_prefix('#') {
        let digits = hex.len() / 3;
        let even = hex.is_ascii() && hex.len() == digits * 3;
        let channel = |at: usize| even.then(|| scaled(&hex[at * digits..(at + 1) * digits]))?;
        return Some([channel(0)?, channel(1)?, channel(2)?]);
    }
    let (channels, count) = match value.strip_prefix("rgba:") {
        Some(it) => (it, 4),
        None => (value.strip_prefix("rgb:")?, 3),
    };
    let scaled: Option<Vec<u8>> = channels.split('/').map(scaled).collect();
    let scaled = scaled.filter(|it| it.len() == count)?;
    Some([scaled[0], scaled[1], scaled[2]])
}

/// One to four hexadecimal digits as a byte: `f`, `ff`, `fff` and `ffff` are all the brightest.
fn scaled(digits: &str) -> Option<u8> {
    let plain = (1..=4).contains(&digits.len()) && digits.bytes().all(|it| it.is_ascii_hexdigit());
    let value = u32::from_str_radix(digits, 16).ok().filter(|_| plain)?;
    let most = (1 << (4 * digits.len())) - 1;
    Some((value * 255 / most) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backgrounds_are_read_in_every_form_terminals_send() {
        let check = |body: &str, expected: Option<[u8; 3]>| {
            assert_eq!(background(body.as_bytes()), expected, "{body:?}");
        };
        check("11;rgb:ffff/ffff/ffff", Some([255; 3]));
        check("11;rgb:0000/8080/ffff", Some([0, 128, 255]));
        check("11;rgb:1e/2a/ff", Some([0x1e, 0x2a, 0xff]));
        check("11;rgb:f/0/8", Some([255, 0, 136]));
        check("11;rgb:fff/000/800", Some([255, 0, 127]));
        check("11;rgba:fdfd/f6f6/e3e3/ffff", Some([0xfd, 0xf6, 0xe3]));
        check("11;#1e1e2e", Some([0x1e, 0x1e, 0x2e]));
        check("11;#fff", Some([255; 3]));
        check("11;#ffffe0e00000", Some([0xff, 0xe0, 0]));
        for garbage in [
            "",
            "11;",
            "11;?",
            "10;rgb:ff/ff/ff",
            "11;rgb:ff/ff",
            "11;rgb:ff/ff/ff/ff",
            "11;rgba:ff/ff/ff",
            "11;rgb:fffff/0/0",
            "11;rgb:+f/0/0",
            "11;rgb://",
            "11;rgb:ff/ff/fg",
            "11;#",
            "11;#ffff",
            "11;#fé",
            "11;rgb:ff/ff/ff\n:quit",
        ] {
            check(garbage, None);
        }
    }

    #[test]
    fn an_answer_counts_until_a_person_chose() {
        let asked = || Question { asked: Some(Instant::now()), follows: true };
        let mut question = asked();
        assert!(question.left().is_some());
        assert_eq!(question.hear(Reply::Background([255; 3])), Some([255; 3]));
        assert_eq!(question.hear(Reply::Attributes), None);
        assert!(question.left().is_none() && !question.is_open(), "the fence ends it");
        assert_eq!(question.hear(Reply::Background([255; 3])), None, "behind the fence");
        let mut question = asked();
        question.chosen();
        assert_eq!(question.hear(Reply::Background([255; 3])), None);
        let long_ago = Instant::now().checked_sub(IN_TIME).expect("the clock runs for a while");
        let mut late = Question { asked: Some(long_ago), follows: true };
        assert_eq!(late.hear(Reply::Background([255; 3])), None);
        assert!(late.left().is_none());
        assert_eq!(Question::default().hear(Reply::Background([255; 3])), None, "never asked");
    }
}
