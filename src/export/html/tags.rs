//! The raw HTML that people and bots put into Markdown, cut into tags, comments and text.
//! Must not let a tag through: it names what it saw, and `prose` writes tags of its own.

/// A piece of raw HTML.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Bit<'a> {
    Text(&'a str),
    /// `<!-- … -->`, its inside.
    Comment(&'a str),
    /// `<name …>`: lower-case name, and everything after it.
    Open(String, &'a str),
    /// `</name>`.
    Close(String),
}

/// The pieces of a run of raw HTML, in order. What is no whole tag is text.
pub fn bits(html: &str) -> Vec<Bit<'_>> {
    let mut out = Vec::new();
    let mut rest = html;
    while !rest.is_empty() {
        let start = rest.find('<').unwrap_or(rest.len());
        if start > 0 {
            out.push(Bit::Text(&rest[..start]));
            rest = &rest[start..];
            continue;
        }
        let (bit, used) = bit(rest).unwrap_or((Bit::Text(&rest[..1]), 1));
        out.push(bit);
        rest = &rest[used..];
    }
    out
}

fn bit(text: &str) -> Option<(Bit<'_>, usize)> {
    if let Some(inside) = text.strip_prefix("<!--") {
        let end = inside.find("-->");
        let used = end.map_or(text.len(), |it| it + 7);
        return Some((Bit::Comment(&inside[..end.unwrap_or(inside.len())]), used));
    }
    let end = tag_end(text)?;
    let inside = &text[1..end];
    if let Some(name) = inside.strip_prefix('/') {
        return Some((Bit::Close(name_of(name)?), end + 1));
    }
    let name = name_of(inside)?;
    let attributes = &inside[name.len()..];
    Some((Bit::Open(name, attributes), end + 1))
}

/// The `>` that ends a tag, quoted ones not counted.
fn tag_end(text: &str) -> Option<usize> {
    let mut quote = None;
    for (at, byte) in text.bytes().enumerate() {
        match (quote, byte) {
            (None, b'>') => return Some(at),
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), _) if open == byte => quote = None,
            _ => {}
        }
    }
    None
}

fn name_of(text: &str) -> Option<String> {
    let end = text.find(|it: char| !it.is_ascii_alphanumeric()).unwrap_or(text.len());
    let name = &text[..end];
    let starts = name.bytes().next().is_some_and(|it| it.is_ascii_alphabetic());
    starts.then(|| name.to_ascii_lowercase())
}

/// The value of an attribute, as written.
pub fn attribute<'a>(attributes: &'a str, wanted: &str) -> Option<&'a str> {
    let mut rest = attributes;
    while let Some(equals) = rest.find('=') {
        let name = rest[..equals].trim().rsplit([' ', '\t', '\n', '/']).next().unwrap_or("");
        let value = rest[equals + 1..].trim_start();
        let quote = value.chars().next().filter(|it| matches!(it, '"' | '\''));
        let (value, after) = if let Some(quote) = quote {
            let inside = &value[1..];
            inside.split_once(quote).unwrap_or((inside, ""))
        } else {
            let end = value.find(char::is_whitespace).unwrap_or(value.len());
            value.split_at(end)
        };
        if name.eq_ignore_ascii_case(wanted) {
            return Some(value);
        }
        rest = after;
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::export::html::tags::{Bit, attribute, bits};

    #[test]
    fn cuts_tags_comments_and_text() {
        let open = |name: &str, rest| Bit::Open(name.into(), rest);
        let close = |name: &str| Bit::Close(name.into());
        for (html, expected) in [
            ("a<br>b", vec![Bit::Text("a"), open("br", ""), Bit::Text("b")]),
            ("<DETAILS open></details >", vec![open("details", " open"), close("details")]),
            ("<!-- x > y --><b>", vec![Bit::Comment(" x > y "), open("b", "")]),
            ("<!-- never closed", vec![Bit::Comment(" never closed")]),
            ("<a href=\"x>y\">", vec![open("a", " href=\"x>y\"")]),
            ("1 < 2", vec![Bit::Text("1 "), Bit::Text("<"), Bit::Text(" 2")]),
            ("<3 é>", vec![Bit::Text("<"), Bit::Text("3 é>")]),
        ] {
            assert_eq!(bits(html), expected, "{html}");
        }
    }

    #[test]
    fn reads_attributes() {
        for (attributes, name, expected) in [
            (" href=\"https://a.example\" title=x", "href", Some("https://a.example")),
            (" href='a b' alt=c", "alt", Some("c")),
            (" src=x alt=\"open", "alt", Some("open")),
            (" data-href=\"no\"", "href", None),
            ("", "href", None),
        ] {
            assert_eq!(attribute(attributes, name), expected, "{attributes}");
        }
    }
}
