//! The little HTML that comments use, read tag by tag: words stay, tags go, `<details>` folds.
//! Must not interpret anything else: no scripts, styles, pictures or links to load.

/// What a scrap of HTML means here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Bit<'a> {
    Text(&'a str),
    DetailsOpen,
    DetailsClose,
    SummaryOpen,
    SummaryClose,
    Break,
    /// Words for a picture.
    Image(String),
    /// A comment begins; what follows is hidden on the forge's page too.
    CommentOpen,
    CommentClose,
}

/// Splits a scrap of HTML. `in_comment` says whether an earlier scrap left a comment open.
pub fn bits(scrap: &str, mut in_comment: bool) -> Vec<Bit<'_>> {
    let mut bits = Vec::new();
    let mut rest = scrap;
    while !rest.is_empty() {
        if in_comment {
            let (inside, after) = rest.split_once("-->").unwrap_or((rest, ""));
            bits.push(Bit::Text(inside));
            if inside.len() < rest.len() {
                bits.push(Bit::CommentClose);
                in_comment = false;
            }
            rest = after;
        } else if let Some(after) = rest.strip_prefix("<!--") {
            bits.push(Bit::CommentOpen);
            (in_comment, rest) = (true, after);
        } else if let Some(end) = tag_end(rest) {
            bits.extend(tag(&rest[..end]));
            rest = &rest[end..];
        } else {
            let skip = rest.chars().next().map_or(1, char::len_utf8);
            let end = rest[skip..].find('<').map_or(rest.len(), |it| it + skip);
            bits.push(Bit::Text(&rest[..end]));
            rest = &rest[end..];
        }
    }
    bits
}

/// Where the tag at the start of `text` ends, if one stands there.
fn tag_end(text: &str) -> Option<usize> {
    let after = text.strip_prefix('<')?;
    after.starts_with(|it: char| it.is_ascii_alphabetic() || it == '/').then_some(())?;
    text.find('>').map(|it| it + 1)
}

fn tag(tag: &str) -> Option<Bit<'static>> {
    let name: String = tag[1..]
        .chars()
        .take_while(|it| it.is_ascii_alphanumeric() || *it == '/')
        .collect::<String>()
        .to_ascii_lowercase();
    match name.trim_end_matches('/') {
        "details" => Some(Bit::DetailsOpen),
        "/details" => Some(Bit::DetailsClose),
        "summary" => Some(Bit::SummaryOpen),
        "/summary" => Some(Bit::SummaryClose),
        "br" | "/p" | "/li" | "/tr" | "/div" => Some(Bit::Break),
        "td" | "th" | "li" => Some(Bit::Text(" ")),
        "img" => Some(Bit::Image(attribute(tag, "alt"))),
        _ => None,
    }
}

fn attribute(tag: &str, name: &str) -> String {
    let find = || {
        let after = tag.split_once(&format!("{name}="))?.1;
        let quote = after.chars().next().filter(|it| matches!(it, '"' | '\''))?;
        after[1..].split_once(quote).map(|it| it.0.to_owned())
    };
    find().unwrap_or_default()
}

/// The few entities that scraps of HTML hold.
pub fn unescape(text: &str) -> String {
    [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&nbsp;", " "),
        ("&amp;", "&"),
    ]
    .iter()
    .fold(text.to_owned(), |text, (name, it)| text.replace(name, it))
}
