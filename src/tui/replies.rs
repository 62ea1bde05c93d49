//! What a terminal says by itself: strings (OSC, DCS, APC, PM, SOS) and private sequences, told
//! apart from what is typed. Must not take any of it for keys, however long or broken it is.

use crate::tui::{
    keys::{Inside, Step},
    question::{self, Reply},
};

/// A string of the terminal beyond this is no answer, in bytes.
pub(crate) const LONGEST_REPLY: usize = 1 << 10;

/// The bytes that begin a string of the terminal behind an Esc: OSC, DCS, APC, PM, SOS.
pub(crate) fn is_string(it: u8) -> bool {
    matches!(it, b']' | b'P' | b'_' | b'^' | b'X')
}

/// Whether bytes without their end begin what only a terminal says and nobody types.
pub(crate) fn is_no_key(bytes: &[u8]) -> bool {
    match bytes {
        [0x1b, b'[', it, ..] => is_private(*it),
        [0x1b, it, _, ..] => is_string(*it),
        _ => false,
    }
}

/// The marks of a private sequence: in what a terminal sends, always an answer.
pub(crate) fn is_private(it: u8) -> bool {
    matches!(it, b'?' | b'>' | b'=')
}

/// A string of the terminal, from its Esc on.
pub(crate) fn reply(bytes: &[u8]) -> Step {
    let body = &bytes[2..];
    let answer = |body: &[u8]| (bytes[1] == b']').then(|| question::background(body))?;
    let Some(end) = body.iter().position(|it| ends_string(*it)) else {
        let too_long = bytes.len() > LONGEST_REPLY;
        return if too_long { Step::Drop(bytes.len(), Inside::Reply) } else { Step::Incomplete };
    };
    let answer = answer(&body[..end]).map(Reply::Background);
    match body[end..] {
        [0x1b] => Step::Incomplete,
        [0x1b, b'\\', ..] => Step::Said(end + 4, answer),
        // An old rxvt ends its answer with a bare Esc.
        [0x07, ..] | [0x1b, 0x1b, ..] => Step::Said(end + 3, answer),
        // Cut short by the next one.
        [0x1b, ..] => Step::Said(end + 2, answer),
        _ => Step::Said(end + 3, None),
    }
}

/// BEL, the Esc of `Esc \`, and the two that call a string off.
fn ends_string(it: u8) -> bool {
    matches!(it, 0x07 | 0x1b | 0x18 | 0x1a)
}

/// More of a string that was given up.
pub(crate) fn reply_tail(bytes: &[u8]) -> Step {
    match bytes.iter().position(|it| ends_string(*it)) {
        None => Step::Drop(bytes.len(), Inside::Reply),
        Some(end) => match bytes[end..] {
            [0x1b] if end == 0 => Step::Incomplete,
            [0x1b] => Step::Drop(end, Inside::Reply),
            [0x1b, b'\\', ..] => Step::Said(end + 2, None),
            [0x1b, ..] => Step::Said(end, None),
            _ => Step::Said(end + 1, None),
        },
    }
}

/// More of a control sequence that was given up.
pub(crate) fn sequence_tail(bytes: &[u8]) -> Step {
    match bytes.iter().position(|it| !matches!(it, b' '..=b'?')) {
        None => Step::Drop(bytes.len(), Inside::Sequence),
        Some(end) => Step::Said(end + usize::from(matches!(bytes[end], b'@'..=b'~')), None),
    }
}
