//! What is searched for, with smart case: a capital letter makes the case count.
//! Must not know where it is searched.

use std::ops::Range;

/// A searched text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Needle {
    text: String,
    exact: bool,
}

impl Needle {
    /// A needle; the empty one is nowhere.
    pub fn of(text: &str) -> Self {
        let exact = text.chars().any(char::is_uppercase);
        Self { text: text.to_owned(), exact }
    }

    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// How much dearer than plain bytes a search is: letters beyond ASCII fold one by one.
    pub fn cost(&self) -> usize {
        if self.exact || self.text.is_ascii() { 1 } else { 8 }
    }

    /// Whether it occurs.
    pub fn is_in(&self, hay: &[u8]) -> bool {
        if self.text.is_empty() || hay.len() < self.text.len() / 2 {
            return false;
        }
        if self.exact {
            return memchr::memmem::find(hay, self.text.as_bytes()).is_some();
        }
        if self.text.is_ascii() {
            return self.find_ascii(hay, 0).is_some();
        }
        self.find(&String::from_utf8_lossy(hay), 0).is_some()
    }

    fn find_ascii(&self, hay: &[u8], from: usize) -> Option<usize> {
        let needle = self.text.as_bytes();
        let first = *needle.first()?;
        let (low, high) = (first.to_ascii_lowercase(), first.to_ascii_uppercase());
        let mut at = from;
        while at + needle.len() <= hay.len() {
            at += memchr::memchr2(low, high, &hay[at..=hay.len() - needle.len()])?;
            if hay[at..at + needle.len()].eq_ignore_ascii_case(needle) {
                return Some(at);
            }
            at += 1;
        }
        None
    }

    /// The first occurrence at or after a byte of displayed text.
    pub fn find(&self, hay: &str, from: usize) -> Option<Range<usize>> {
        let rest = hay.get(from..).filter(|_| !self.text.is_empty())?;
        if self.exact {
            let at = from + rest.find(&self.text)?;
            return Some(at..at + self.text.len());
        }
        if self.text.is_ascii() {
            let at = self.find_ascii(hay.as_bytes(), from)?;
            return Some(at..at + self.text.len());
        }
        rest.char_indices().find_map(|(at, _)| {
            let mut end = from + at;
            let mut letters = hay[end..].chars();
            for wanted in self.text.chars() {
                let letter = letters.next()?;
                if !letter.to_lowercase().eq(wanted.to_lowercase()) {
                    return None;
                }
                end += letter.len_utf8();
            }
            Some(from + at..end)
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::app::needle::Needle;

    #[test]
    fn smart_case() {
        let check = |needle: &str, hay: &str, expected: Option<&str>| {
            let needle = Needle::of(needle);
            let found = needle.find(hay, 0).map(|it| &hay[it]);
            assert_eq!(found, expected, "{needle:?} in {hay}");
            assert_eq!(needle.is_in(hay.as_bytes()), expected.is_some(), "{needle:?} in {hay}");
        };
        check("retry", "let RETRY = 1", Some("RETRY"));
        check("Retry", "let RETRY = 1", None);
        check("Retry", "a Retry", Some("Retry"));
        check("привет", "о ПРИВЕТ", Some("ПРИВЕТ"));
        check("", "x", None);
        check("long needle", "x", None);
        check("aab", "aaab", Some("aab"));
    }
}
