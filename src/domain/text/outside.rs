//! Text that somebody else wrote, as a type: a pull request's, a model's, git's. It can be shown
//! and it can be worked with, but it cannot be printed by accident.
//! Must not implement `Display`, `Deref` or `AsRef<str>`, nor show a raw character in `Debug`.
//!
//! `show` and `display` are for people. `raw` is for joins, rules and JSON; the rooms that may call
//! it are listed in `tests/it/architecture.rs`, each with its reason.

use crate::domain::text::{self, Surface};
use serde::{Deserialize, Serialize};
use std::{
    borrow::{Borrow, Cow},
    fmt,
    sync::Arc,
};

/// Text from outside, kept byte for byte. In JSON it is the text alone.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Outside<T = String>(T);

impl<T> Outside<T> {
    pub fn new(text: T) -> Self {
        Self(text)
    }

    /// Takes the wrapping off. As raw as `raw`.
    pub fn into_raw(self) -> T {
        self.0
    }
}

impl<T: Borrow<str>> Outside<T> {
    /// The text as it was written: for joins, rules, digests and JSON, never for people.
    pub fn raw(&self) -> &str {
        self.0.borrow()
    }

    /// The text for people.
    pub fn display(&self, surface: Surface) -> Cow<'_, str> {
        text::display(self.raw(), surface)
    }

    /// The text for people as one line.
    pub fn inline(&self) -> Cow<'_, str> {
        self.display(Surface::Inline)
    }

    /// The text for people, and where its marks stand.
    pub fn show(&self, surface: Surface) -> text::Shown<'_> {
        text::show(self.raw(), surface)
    }

    /// How many of its characters a reader would miss.
    pub fn hidden(&self) -> usize {
        text::hidden(self.raw())
    }

    /// Its lines, each as far from being shown as the whole.
    pub fn lines(&self) -> impl Iterator<Item = Outside<&str>> {
        self.raw().lines().map(Outside)
    }

    /// A copy that stands alone.
    pub fn to_owned(&self) -> Outside {
        Outside(self.raw().to_owned())
    }

    /// Whether there is nothing in it. Says nothing of what it holds, so anybody may ask.
    pub fn is_empty(&self) -> bool {
        self.raw().is_empty()
    }

    /// Bytes of the text.
    pub fn len(&self) -> usize {
        self.raw().len()
    }
}

/// What a reader may see of it: the marks, never the characters they stand for.
impl<T: Borrow<str>> fmt::Debug for Outside<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let surface = Surface::Code { tab_width: 4 };
        write!(f, "\"{}\"", self.display(surface).replace('"', "\\\""))
    }
}

/// An optional text from outside.
pub trait OutsideOption {
    /// `Outside::raw` of the text, if there is one.
    fn raw(&self) -> Option<&str>;
}

impl<T: Borrow<str>> OutsideOption for Option<Outside<T>> {
    fn raw(&self) -> Option<&str> {
        self.as_ref().map(Outside::raw)
    }
}

impl<T: Borrow<str>> OutsideOption for Option<&Outside<T>> {
    fn raw(&self) -> Option<&str> {
        self.map(Outside::raw)
    }
}

impl From<&str> for Outside {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl From<String> for Outside {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<&str> for Outside<Arc<str>> {
    fn from(text: &str) -> Self {
        Self(Arc::from(text))
    }
}

impl From<String> for Outside<Arc<str>> {
    fn from(text: String) -> Self {
        Self(Arc::from(text))
    }
}

impl<T: Borrow<str>> PartialEq<str> for Outside<T> {
    fn eq(&self, other: &str) -> bool {
        self.raw() == other
    }
}

impl<T: Borrow<str>> PartialEq<&str> for Outside<T> {
    fn eq(&self, other: &&str) -> bool {
        self.raw() == *other
    }
}

/// In a schema it is a string.
impl schemars::JsonSchema for Outside {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        String::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        String::json_schema(generator)
    }
}

#[cfg(test)]
mod tests {
    use crate::domain::text::outside::Outside;

    #[test]
    fn it_is_its_text_in_json_and_its_marks_in_debug() {
        let text = "a\u{1b}[31m\u{202e}\"b\"\n";
        let outside: Outside = text.into();
        let json = serde_json::to_string(&outside).expect("a string");
        assert_eq!(json, serde_json::to_string(text).expect("a string"));
        assert_eq!(serde_json::from_str::<Outside>(&json).expect("a string"), outside);
        assert_eq!(format!("{outside:?}"), "\"a␛[31m<U+202E>\\\"b\\\"␊\"");
        assert_eq!(outside.raw(), text);
    }
}
