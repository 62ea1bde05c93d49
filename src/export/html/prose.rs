//! A comment's Markdown as HTML of a fixed vocabulary: no raw HTML, no image, no foreign attribute.
//! Must not fetch or run anything, and must not let a comment leave its box: one stack holds what
//! Markdown and raw HTML opened, so every element closes in order and none closes another's.

use crate::export::html::{
    tags::{Bit, attribute, bits},
    writer::Html,
};
use pulldown_cmark::{Alignment, CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use std::borrow::Cow;

/// What a suggestion in the comment would replace; `None` where the lines are not known.
pub type Covered<'a> = Option<Vec<Cow<'a, str>>>;

/// Raw HTML elements that keep their meaning, with what is written for them.
const KEPT: [(&str, &str, &str); 13] = [
    ("details", "<details>", "</details>"),
    ("summary", "<summary>", "</summary>"),
    ("sub", "<sub>", "</sub>"),
    ("sup", "<sup>", "</sup>"),
    ("kbd", "<kbd>", "</kbd>"),
    ("b", "<b>", "</b>"),
    ("strong", "<b>", "</b>"),
    ("i", "<em>", "</em>"),
    ("em", "<em>", "</em>"),
    ("code", "<code>", "</code>"),
    ("del", "<del>", "</del>"),
    ("ins", "<ins>", "</ins>"),
    ("blockquote", "<blockquote>", "</blockquote>"),
];

/// Raw HTML elements that only lay out: dropped, what they hold stays.
const DROPPED: [&str; 23] = [
    "a", "center", "div", "font", "h1", "h2", "h3", "h4", "li", "ol", "p", "picture", "pre",
    "source", "span", "table", "tbody", "td", "th", "thead", "tr", "u", "ul",
];

/// Deeper nesting is shown without its elements: browsers and readers both give up on it.
const DEPTH: usize = 60;

/// Writes a comment's Markdown.
pub fn markdown(html: &mut Html, body: &str, covered: &Covered<'_>) {
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut writer =
        Writer { html, covered, open: Vec::new(), code: None, raw: None, row: Row::default() };
    for event in Parser::new_ext(body, options) {
        writer.event(event);
    }
    writer.close_all();
}

struct Writer<'a> {
    html: &'a mut Html,
    covered: &'a Covered<'a>,
    /// Innermost last.
    open: Vec<Open>,
    /// The fence being read: its language and its text so far.
    code: Option<(String, String)>,
    /// The block of raw HTML being read.
    raw: Option<String>,
    row: Row,
}

/// An element waiting for its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    Markdown(&'static str),
    Raw(&'static str, &'static str),
}

/// Where in a table the writer stands.
#[derive(Debug, Default)]
struct Row {
    aligned: Vec<Alignment>,
    cell: usize,
    head: bool,
}

impl Writer<'_> {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                self.text(&text);
            }
            Event::Code(text) => {
                self.html.raw("<code>").code(&text).raw("</code>");
            }
            Event::Html(text) => match &mut self.raw {
                Some(raw) => raw.push_str(&text),
                None => self.raw_html(&text),
            },
            Event::InlineHtml(text) => self.raw_html(&text),
            Event::FootnoteReference(text) => {
                self.html.raw("[").inline(&text).raw("]");
            }
            // Forges keep line ends inside a paragraph.
            Event::SoftBreak | Event::HardBreak => {
                self.html.raw("<br>");
            }
            Event::Rule => {
                self.html.raw("<hr>");
            }
            Event::TaskListMarker(done) => {
                self.html.raw(if done { "☑ " } else { "☐ " });
            }
        }
    }

    fn text(&mut self, text: &str) {
        match &mut self.code {
            Some((_, code)) => code.push_str(text),
            None => {
                self.html.prose(text);
            }
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::CodeBlock(kind) => {
                let language = match kind {
                    CodeBlockKind::Fenced(info) => info.trim().to_owned(),
                    CodeBlockKind::Indented => String::new(),
                };
                self.code = Some((language, String::new()));
            }
            Tag::HtmlBlock => self.raw = Some(String::new()),
            Tag::Image { dest_url, .. } => self.image(&dest_url),
            Tag::Link { dest_url, .. } => self.link(&dest_url),
            Tag::List(first) => self.list(first),
            Tag::Table(aligned) => {
                self.row = Row { aligned, ..Row::default() };
                self.push("<table>", "</table>");
            }
            Tag::TableHead => self.row_starts(true),
            Tag::TableRow => self.row_starts(false),
            Tag::TableCell => self.cell(),
            tag => {
                let (start, end) = plain(&tag);
                self.push(start, end);
            }
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::CodeBlock => {
                if let Some((language, code)) = self.code.take() {
                    self.fence(&language, &code);
                }
            }
            TagEnd::HtmlBlock => {
                if let Some(raw) = self.raw.take() {
                    self.raw_html(&raw);
                }
            }
            _ => self.pop_markdown(),
        }
    }

    fn list(&mut self, first: Option<u64>) {
        match first {
            Some(1) => self.push("<ol>", "</ol>"),
            Some(first) => {
                self.html.raw("<ol start=\"").number(first).raw("\">");
                self.open.push(Open::Markdown("</ol>"));
            }
            None => self.push("<ul>", "</ul>"),
        }
    }

    /// An image is never fetched: what it says stands for it, and a link says where it is.
    fn image(&mut self, url: &str) {
        self.html.raw("<span class=\"image\">🖼 ");
        let linked = !self.in_link() && self.html.open_link(url);
        let end = if linked { "</a></span>" } else { "</span>" };
        self.open.push(Open::Markdown(end));
    }

    fn link(&mut self, url: &str) {
        if !self.in_link() && self.html.open_link(url) {
            self.open.push(Open::Markdown("</a>"));
        } else {
            self.push("<span class=\"dead\">", "</span>");
        }
    }

    fn in_link(&self) -> bool {
        self.open.iter().any(|it| matches!(it, Open::Markdown(end) if end.starts_with("</a>")))
    }

    fn row_starts(&mut self, head: bool) {
        (self.row.cell, self.row.head) = (0, head);
        self.push("<tr>", "</tr>");
    }

    fn cell(&mut self) {
        let right = matches!(self.row.aligned.get(self.row.cell), Some(Alignment::Right));
        self.row.cell += 1;
        match (self.row.head, right) {
            (true, true) => self.push("<th class=\"right\">", "</th>"),
            (true, false) => self.push("<th>", "</th>"),
            (false, true) => self.push("<td class=\"right\">", "</td>"),
            (false, false) => self.push("<td>", "</td>"),
        }
    }

    fn fence(&mut self, language: &str, code: &str) {
        match language.split([' ', ',']).next() {
            Some("suggestion") => self.suggestion(code),
            Some("diff" | "patch") => {
                self.html.raw("<pre class=\"code\">");
                for line in code.lines() {
                    diff_line(self.html, line);
                }
                self.html.raw("</pre>");
            }
            _ => {
                self.html.raw("<pre class=\"code\">").code_block(code).raw("</pre>");
            }
        }
    }

    /// A suggestion is a change of the lines its thread covers, so it is drawn as one.
    fn suggestion(&mut self, code: &str) {
        self.html.raw("<div class=\"suggestion\"><b>Suggestion</b>");
        if code.is_empty() {
            self.html.raw(" <span>deletes these lines</span>");
        }
        if self.covered.is_none() && code.is_empty() {
            self.html.raw("</div>");
            return;
        }
        self.html.raw("<pre class=\"code\">");
        for line in self.covered.iter().flatten() {
            self.html.raw("<del>−").code(line.trim_end_matches('\r')).raw("</del>\n");
        }
        for line in code.lines() {
            self.html.raw("<ins>+").code(line).raw("</ins>\n");
        }
        self.html.raw("</pre></div>");
    }

    fn raw_html(&mut self, html: &str) {
        for bit in bits(html) {
            match bit {
                Bit::Text(text) => self.text(text),
                Bit::Comment(text) => self.hidden_comment(text),
                Bit::Open(name, attributes) => self.raw_open(&name, attributes),
                Bit::Close(name) => self.raw_close(&name),
            }
        }
    }

    /// A comment in the HTML is what a reader of the forge does not see: counted, not shown.
    fn hidden_comment(&mut self, text: &str) {
        let count = text.trim().chars().count();
        if count > 0 {
            self.html
                .raw("<i class=\"mark\">‹hidden comment, ")
                .number(count as u64)
                .raw(" characters›</i>");
        }
    }

    fn raw_open(&mut self, name: &str, attributes: &str) {
        if let Some((name, start, end)) = KEPT.iter().find(|it| it.0 == name) {
            if self.open.len() < DEPTH {
                self.html.raw(start);
                self.open.push(Open::Raw(name, end));
            }
            return;
        }
        match name {
            "br" => {
                self.html.raw("<br>");
            }
            "hr" => {
                self.html.raw("<hr>");
            }
            "img" => {
                let alt = attribute(attributes, "alt").unwrap_or("image");
                self.html.raw("<span class=\"image\">🖼 ").inline(alt).raw("</span>");
            }
            _ if DROPPED.contains(&name) => {}
            _ => {
                self.html.raw("<code>&lt;").inline(name).inline(attributes).raw("&gt;</code>");
            }
        }
    }

    /// Closes a raw element only if it was opened inside the innermost Markdown one.
    fn raw_close(&mut self, name: &str) {
        let kept = KEPT.iter().any(|it| it.0 == name);
        if !kept && !DROPPED.contains(&name) {
            self.html.raw("<code>&lt;/").inline(name).raw("&gt;</code>");
        }
        let same = |it: &Open| matches!(it, Open::Raw(open, _) if *open == name);
        let within =
            self.open.iter().rposition(|it| matches!(it, Open::Markdown(_))).map_or(0, |it| it + 1);
        if let Some(at) = self.open[within..].iter().rposition(same) {
            self.close_to(within + at);
        }
    }

    fn push(&mut self, start: &'static str, end: &'static str) {
        if self.open.len() >= DEPTH {
            self.open.push(Open::Markdown(""));
            return;
        }
        self.html.raw(start);
        self.open.push(Open::Markdown(end));
    }

    /// Ends the innermost Markdown element and what raw HTML left open inside it.
    fn pop_markdown(&mut self) {
        if let Some(at) = self.open.iter().rposition(|it| matches!(it, Open::Markdown(_))) {
            self.close_to(at);
        }
    }

    fn close_to(&mut self, at: usize) {
        for it in self.open.drain(at..).rev() {
            let (Open::Markdown(end) | Open::Raw(_, end)) = it;
            self.html.raw(end);
        }
    }

    fn close_all(&mut self) {
        if let Some((language, code)) = self.code.take() {
            self.fence(&language, &code);
        }
        self.close_to(0);
    }
}

/// Elements without a state of their own. Headings stay below those of the page.
fn plain(tag: &Tag<'_>) -> (&'static str, &'static str) {
    match tag {
        Tag::Paragraph => ("<p>", "</p>"),
        Tag::Heading { level: HeadingLevel::H1 | HeadingLevel::H2, .. } => ("<h5>", "</h5>"),
        Tag::Heading { .. } => ("<h6>", "</h6>"),
        Tag::BlockQuote(_) => ("<blockquote>", "</blockquote>"),
        Tag::Item => ("<li>", "</li>"),
        Tag::Emphasis => ("<em>", "</em>"),
        Tag::Strong => ("<b>", "</b>"),
        Tag::Strikethrough => ("<del>", "</del>"),
        _ => ("", ""),
    }
}

/// A line of a diff inside a comment or of the hunk an outdated thread was written on.
pub fn diff_line(html: &mut Html, line: &str) {
    let (start, end) = match line.as_bytes().first() {
        Some(b'+') => ("<ins>", "</ins>\n"),
        Some(b'-') => ("<del>", "</del>\n"),
        Some(b'@') => ("<span class=\"at\">", "</span>\n"),
        _ => ("", "\n"),
    };
    html.raw(start).code(line.trim_end_matches('\r')).raw(end);
}

#[cfg(test)]
mod tests;
