//! JSON on its way out: readable, and with nothing in it that a terminal would obey.
//! Must not change what the document says: escapes only, for the same characters.

use crate::domain::text::hidden;
use serde_json::Value;
use std::fmt::Write as _;

/// A document for standard output, over several lines.
pub fn of(value: &Value) -> String {
    escaped(&format!("{value:#}\n"))
}

/// JSON with every control character, bidi control and character without width as an escape.
/// JSON itself demands that of the characters below U+0020 only.
pub fn escaped(json: &str) -> String {
    if json.is_ascii() && !json.contains('\u{7f}') {
        return json.to_owned();
    }
    let mut text = String::with_capacity(json.len() + 64);
    for c in json.chars() {
        // Outside strings JSON is printable ASCII, so what is met here stands inside one.
        if c == '\u{7f}' || (!c.is_ascii() && is_unseen(c)) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(text, "\\u{unit:04x}").expect("text takes all");
            }
        } else {
            text.push(c);
        }
    }
    text
}

fn is_unseen(c: char) -> bool {
    c.is_control() || hidden(c.encode_utf8(&mut [0; 4])) > 0
}

#[cfg(test)]
mod tests {
    use crate::batch::document;
    use serde_json::{Value, json};

    #[test]
    fn escapes_change_no_meaning() {
        let odd = "a\u{1b}\u{7f}\u{9b}\u{202e}\u{200b}\u{e0041}ä漢👩\u{200d}🚀\"\\";
        let value = json!({ "it": odd, odd: 1 });
        let text = document::of(&value);
        assert_eq!(serde_json::from_str::<Value>(&text).expect("JSON"), value);
        assert!(
            !text.contains(|c: char| c != '\n' && (c.is_control() || c == '\u{202e}')),
            "{text}"
        );
        assert!(text.contains("ä漢👩") && text.contains("\\udb40\\udc41"), "{text}");
    }
}
