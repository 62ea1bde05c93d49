//! A cursor over the lines of one text. Must not know what the lines mean.

use std::ops::Range;

/// Walks `\n`-ended lines; a last line without an end counts too.
pub(crate) struct Lines<'a> {
    pub(crate) text: &'a [u8],
    /// Where the next line begins.
    pub(crate) at: usize,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(text: &'a [u8]) -> Self {
        Self { text, at: 0 }
    }

    /// The next line, as a range without its `\n`.
    pub(crate) fn take(&mut self) -> Option<Range<usize>> {
        let from = self.at;
        if from >= self.text.len() {
            return None;
        }
        let end = memchr::memchr(b'\n', &self.text[from..]).map_or(self.text.len(), |it| from + it);
        self.at = end + 1;
        Some(from..end)
    }

    /// The next line without moving, and without a `\r` before its end: a header, never content.
    pub(crate) fn peek(&self) -> Option<&'a [u8]> {
        let mut ahead = Lines { text: self.text, at: self.at };
        let range = ahead.take()?;
        Some(header(&self.text[range]))
    }

    /// The line after the next one, read like `peek`.
    pub(crate) fn peek_second(&self) -> Option<&'a [u8]> {
        let mut ahead = Lines { text: self.text, at: self.at };
        ahead.take()?;
        ahead.peek()
    }

    pub(crate) fn skip(&mut self) {
        self.take();
    }
}

/// A line as a header: diffs that travelled through mail may end their lines in `\r\n`.
fn header(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}
