//! HTML in the making. Markup comes from string literals; everything else enters through a door
//! that shows hidden characters and escapes. Must not offer a way around that.

use crate::domain::text::{Surface, show};

/// Tab stops of code on the page, in cells.
const TAB: u8 = 4;

/// A page, or a part of one.
#[derive(Debug, Default)]
pub struct Html {
    out: String,
}

impl Html {
    /// Markup, which can only be written in this program.
    pub fn raw(&mut self, markup: &'static str) -> &mut Self {
        self.out.push_str(markup);
        self
    }

    /// A line of outside text: a title, a name, a path.
    pub fn inline(&mut self, text: &str) -> &mut Self {
        self.shown(text, Surface::Inline)
    }

    /// Paragraphs of outside text; line ends stay.
    pub fn prose(&mut self, text: &str) -> &mut Self {
        self.shown(text, Surface::Prose)
    }

    /// One line of a file.
    pub fn code(&mut self, text: &str) -> &mut Self {
        self.shown(text, Surface::Code { tab_width: TAB })
    }

    /// Several lines of code.
    pub fn code_block(&mut self, text: &str) -> &mut Self {
        for line in text.lines() {
            self.code(line).raw("\n");
        }
        self
    }

    /// A number.
    pub fn number(&mut self, number: impl TryInto<u64>) -> &mut Self {
        let number = number.try_into().unwrap_or(u64::MAX);
        self.out.push_str(&number.to_string());
        self
    }

    /// Outside text inside a quoted attribute.
    pub fn attribute(&mut self, text: &str) -> &mut Self {
        let shown = crate::domain::text::display(text, Surface::Inline);
        self.escape(&shown);
        self
    }

    /// Opens a link to the web, if `url` is a plain `http` or `https` one. The caller closes it
    /// with `</a>` when this answers `true`.
    pub fn open_link(&mut self, url: &str) -> bool {
        let Some(url) = safe_url(url) else { return false };
        self.raw("<a rel=\"noreferrer noopener\" href=\"");
        self.escape(&url);
        self.raw("\">");
        true
    }

    /// Whether nothing was written yet.
    pub fn is_empty(&self) -> bool {
        self.out.is_empty()
    }

    /// The page.
    pub fn finish(self) -> String {
        self.out
    }

    fn shown(&mut self, text: &str, surface: Surface) -> &mut Self {
        let shown = show(text, surface);
        let mut from = 0;
        for mark in &shown.marks {
            self.escape(&shown.text[from..mark.start]);
            self.raw("<i class=\"mark\">");
            self.escape(&shown.text[mark.clone()]);
            self.raw("</i>");
            from = mark.end;
        }
        self.escape(&shown.text[from..]);
        self
    }

    fn escape(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                '&' => self.out.push_str("&amp;"),
                '<' => self.out.push_str("&lt;"),
                '>' => self.out.push_str("&gt;"),
                '"' => self.out.push_str("&quot;"),
                '\'' => self.out.push_str("&#39;"),
                c => self.out.push(c),
            }
        }
    }
}

/// The address, when a click on it can only open a web page: `http` or `https`, a host, and no
/// character that a reader would not see.
fn safe_url(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://")?;
    let web = ["http", "https"].iter().any(|it| scheme.eq_ignore_ascii_case(it));
    let visible = url.chars().all(|it| !it.is_control() && !it.is_whitespace());
    let host = rest.chars().next().is_some_and(char::is_alphanumeric);
    (web && host && visible && crate::domain::text::hidden(url) == 0).then(|| url.to_owned())
}

#[cfg(test)]
mod tests {
    use crate::export::html::writer::Html;

    fn check(write: impl Fn(&mut Html), expected: &str) {
        let mut html = Html::default();
        write(&mut html);
        assert_eq!(html.finish(), expected);
    }

    #[test]
    fn escapes_and_marks() {
        check(|it| _ = it.inline("<b>\"&'"), "&lt;b&gt;&quot;&amp;&#39;");
        check(|it| _ = it.inline("a\u{1b}b"), "a<i class=\"mark\">␛</i>b");
        check(|it| _ = it.code("a\tb"), "a   b");
        check(|it| _ = it.attribute("\" onload=\"x"), "&quot; onload=&quot;x");
    }

    #[test]
    fn links_only_to_the_web() {
        for (url, ok) in [
            ("https://a.example/x?y=1&z", true),
            ("HTTP://a.example", true),
            ("javascript:alert(1)", false),
            ("data:text/html,x", false),
            ("//a.example", false),
            ("https://", false),
            ("https:///x", false),
            ("https://a\u{202e}b.example", false),
            ("https://a.example/\nx", false),
            ("/relative", false),
        ] {
            let mut html = Html::default();
            assert_eq!(html.open_link(url), ok, "{url:?}");
            assert_eq!(html.is_empty(), !ok);
        }
        check(
            |it| _ = it.open_link("https://a.example/?a=1&b=\""),
            "<a rel=\"noreferrer noopener\" href=\"https://a.example/?a=1&amp;b=&quot;\">",
        );
    }
}
