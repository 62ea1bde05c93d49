//! Markdown, one line at a time. The shared grammar for it takes 80 ms for a line of many code
//! spans, so this one does not use it. Must not carry more from line to line than an open fence.

use crate::tui::{highlight::colours::Run, theme::Syntax};
use pulldown_cmark::{Event, Parser, Tag, TagEnd};

/// The code fence a line stands in, as the text that would close it begins.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Fence {
    open: Option<(u8, usize)>,
}

impl Fence {
    /// The state a hunk begins in: inside, when its first fence is a bare one that closes.
    pub fn at_start<'a>(lines: impl Iterator<Item = &'a str>) -> Self {
        let (mut state, mut first) = (Self::default(), None);
        for line in lines {
            if let Some((mark, length, info)) = fence(line) {
                first = first.or(Some((mark, length, info)));
                state.step(mark, length, info);
            }
        }
        // One is left open, and the first could be an end: so it is one.
        let inside = state.open.is_some() && first.is_some_and(|it| it.2.is_empty());
        Self { open: first.filter(|_| inside).map(|it| (it.0, it.1)) }
    }

    /// The runs of the next line.
    pub fn line(&mut self, line: &str) -> Box<[Run]> {
        if let Some((mark, length, info)) = fence(line)
            && self.step(mark, length, info)
        {
            return whole(line, Syntax::Punctuation);
        }
        if self.open.is_some() { whole(line, Syntax::Raw) } else { block(line) }
    }

    /// Meets a line that looks like a fence. False when it is text inside another one.
    fn step(&mut self, mark: u8, length: usize, info: &str) -> bool {
        match self.open {
            None => self.open = Some((mark, length)),
            Some(open) if open.0 == mark && length >= open.1 && info.is_empty() => self.open = None,
            Some(_) => return false,
        }
        true
    }
}

/// The mark, its length, and what stands after it, of a line that opens or closes a fence.
fn fence(line: &str) -> Option<(u8, usize, &str)> {
    let line = line.trim();
    let mark = *line.as_bytes().first().filter(|it| matches!(it, b'`' | b'~'))?;
    let length = line.bytes().take_while(|it| *it == mark).count();
    let rest = &line[length..];
    (length >= 3 && !(mark == b'`' && rest.contains('`'))).then_some((mark, length, rest))
}

fn whole(line: &str, class: Syntax) -> Box<[Run]> {
    Box::from([Run { end: column(line, line.len()), class: Some(class) }])
}

/// A line outside any fence: headings whole, markers and inline marks.
fn block(line: &str) -> Box<[Run]> {
    let trimmed = line.trim_start();
    let hashes = trimmed.bytes().take_while(|it| *it == b'#').count();
    if (1..=6).contains(&hashes) && trimmed[hashes..].starts_with(' ') {
        return whole(line, Syntax::Heading);
    }
    if line.starts_with("    ") && !is_list(trimmed) {
        return Box::from([]);
    }
    let marker = line.len() - trimmed.len() + marker(trimmed);
    let mut runs = Vec::new();
    if marker > line.len() - trimmed.len() {
        runs.push(Run { end: column(line, marker), class: Some(Syntax::Punctuation) });
    }
    inline(line, marker, &mut runs);
    runs.into()
}

fn is_list(trimmed: &str) -> bool {
    marker(trimmed) > 0
}

/// Bytes of a quote's or a list's marker at the start, without the blank after it.
fn marker(trimmed: &str) -> usize {
    let digits = trimmed.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &trimmed[digits..];
    match rest.as_bytes() {
        [b'>', ..] | [b'-' | b'*' | b'+', b' ', ..] if digits == 0 => 1,
        [b'.' | b')', b' ', ..] if digits > 0 => digits + 1,
        _ => 0,
    }
}

/// Emphasis, code and links from byte `from` on.
fn inline(line: &str, from: usize, runs: &mut Vec<Run>) {
    // The blank and the letter keep block syntax out: what follows is a paragraph.
    let text = line[from..].trim_start();
    let skipped = line.len() - text.len();
    let mut open: Vec<Syntax> = Vec::new();
    let mut at = from;
    let mut push = |to: usize, class: Option<Syntax>| {
        if to > at {
            runs.push(Run { end: column(line, to), class });
            at = to;
        }
    };
    for (event, range) in Parser::new(text).into_offset_iter() {
        let (start, end) = (skipped + range.start, skipped + range.end);
        match event {
            Event::Start(tag) => {
                if let Some(class) = class_of(&tag) {
                    push(start, open.last().copied());
                    open.push(class);
                }
            }
            Event::End(TagEnd::Emphasis | TagEnd::Strong | TagEnd::Link | TagEnd::Image) => {
                push(end, open.pop());
            }
            Event::Code(_) => {
                push(start, open.last().copied());
                push(end, Some(Syntax::Raw));
            }
            _ => {}
        }
    }
    push(line.len(), None);
}

fn class_of(tag: &Tag<'_>) -> Option<Syntax> {
    match tag {
        Tag::Emphasis => Some(Syntax::Emphasis),
        Tag::Strong => Some(Syntax::Bold),
        Tag::Link { .. } | Tag::Image { .. } => Some(Syntax::Link),
        _ => None,
    }
}

/// The displayed column of a byte of the line.
fn column(line: &str, byte: usize) -> u16 {
    line[..byte].chars().count().min(usize::from(u16::MAX)) as u16
}

#[cfg(test)]
mod tests {
    use super::*;
    use Syntax::{Bold, Emphasis, Heading, Link, Punctuation, Raw};

    fn runs(text: &str) -> Vec<Vec<(u16, Option<Syntax>)>> {
        let mut fence = Fence::at_start(text.lines());
        let lines = text.lines().map(|it| fence.line(it));
        lines.map(|it| it.iter().map(|it| (it.end, it.class)).collect()).collect()
    }

    #[test]
    fn lines_are_coloured_by_what_stands_in_them() {
        let check = |line: &str, expected: &[(u16, Option<Syntax>)]| {
            assert_eq!(runs(line), [expected], "{line}");
        };
        check("# Title", &[(7, Some(Heading))]);
        check("#hash", &[(5, None)]);
        check("a `b` c", &[(2, None), (5, Some(Raw)), (7, None)]);
        check("*a* **b**", &[(3, Some(Emphasis)), (4, None), (9, Some(Bold))]);
        check("- é [x](y)", &[(1, Some(Punctuation)), (4, None), (10, Some(Link))]);
        check("12. x", &[(3, Some(Punctuation)), (5, None)]);
        check("> q", &[(1, Some(Punctuation)), (3, None)]);
        assert_eq!(runs("\n")[0], []);
    }

    #[test]
    fn fences_open_and_close() {
        let class = |text: &str| -> Vec<_> {
            runs(text).iter().map(|it| it.first().and_then(|it| it.1)).collect()
        };
        assert_eq!(
            class("```rust\n# x\n```\n# y"),
            [Some(Punctuation), Some(Raw), Some(Punctuation), Some(Heading)]
        );
        assert_eq!(class("# x\n```\n# y"), [Some(Raw), Some(Punctuation), Some(Heading)]);
        assert_eq!(class("````\n```\n````"), [Some(Punctuation), Some(Raw), Some(Punctuation)]);
    }
}
