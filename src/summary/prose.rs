//! What a comment's writer said in their own words: Markdown taken apart into sentences, with
//! quotes, code and suggestions set aside. Must not judge the words; `acts` does.
//!
//! Quoted lines are somebody else's words, code is evidence, struck-through text is withdrawn,
//! images, HTML comments and folded `<details>` are furniture: none of them is a sentence.
//! Everything read here has passed the boundary for untrusted text.

use crate::domain::text::{Surface, display};
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// One comment, taken apart.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Spoken {
    pub sentences: Vec<Sentence>,
    /// Quoted paragraphs, whoever said them first.
    pub quotes: Vec<String>,
    /// Bodies of `suggestion` blocks; an empty one deletes its lines.
    pub suggestions: Vec<String>,
    /// Bodies of other code blocks.
    pub code: Vec<String>,
}

/// One sentence, on one line, inline code still in backticks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentence {
    pub text: String,
    /// Ends with a question mark.
    pub question: bool,
}

/// Takes a comment's body apart.
pub fn read(body: &str) -> Spoken {
    let source = part_quotes(&body.replace("\r\n", "\n"));
    let options =
        Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TABLES | Options::ENABLE_TASKLISTS;
    let mut reader = Reader::default();
    for event in Parser::new_ext(&source, options) {
        reader.take(event);
    }
    reader.close();
    reader.spoken
}

/// Ends a quote where the `>` ends: Markdown lets a paragraph run on, the writer did not mean to.
fn part_quotes(body: &str) -> String {
    let mut out = String::with_capacity(body.len() + 16);
    let (mut quoted, mut fenced) = (false, false);
    for line in body.split('\n') {
        let start = line.trim_start();
        fenced ^= start.starts_with("```") || start.starts_with("~~~");
        let quote = !fenced && start.starts_with('>');
        if quoted && !quote && !start.is_empty() {
            out.push('\n');
        }
        quoted = quote;
        out.push_str(line);
        out.push('\n');
    }
    out
}

#[derive(Default)]
struct Reader {
    spoken: Spoken,
    block: String,
    quote: usize,
    details: usize,
    /// Inside an image, a struck-through span or a table.
    skipped: usize,
    fence: Option<Fence>,
}

struct Fence {
    suggestion: bool,
    body: String,
}

impl Reader {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(&tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.text(&text),
            Event::Code(code) => self.text(&code_span(&code)),
            Event::Html(html) | Event::InlineHtml(html) => self.html(&html),
            Event::SoftBreak => self.text(" "),
            Event::HardBreak | Event::Rule => self.flush(),
            _ => {}
        }
    }

    fn start(&mut self, tag: &Tag<'_>) {
        match tag {
            Tag::Image { .. } | Tag::Strikethrough | Tag::Table(_) => self.skipped += 1,
            Tag::BlockQuote(_) => {
                self.flush();
                self.quote += 1;
            }
            Tag::CodeBlock(kind) => {
                self.flush();
                let info = match kind {
                    CodeBlockKind::Fenced(info) => info.as_ref(),
                    CodeBlockKind::Indented => "",
                };
                let suggestion = info.trim_start().starts_with("suggestion");
                self.fence = Some(Fence { suggestion, body: String::new() });
            }
            Tag::Paragraph | Tag::Heading { .. } | Tag::Item | Tag::List(_) => self.flush(),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Image | TagEnd::Strikethrough | TagEnd::Table => {
                self.skipped = self.skipped.saturating_sub(1);
            }
            TagEnd::BlockQuote(_) => {
                self.flush();
                self.quote = self.quote.saturating_sub(1);
            }
            TagEnd::CodeBlock => self.end_fence(),
            TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::Item => self.flush(),
            _ => {}
        }
    }

    fn end_fence(&mut self) {
        let Some(fence) = self.fence.take() else { return };
        if self.quote > 0 || self.details > 0 {
            return;
        }
        let list =
            if fence.suggestion { &mut self.spoken.suggestions } else { &mut self.spoken.code };
        let shown = fence.body.lines().map(|it| display(it, Surface::Inline) + "\n");
        list.push(shown.collect());
    }

    fn text(&mut self, text: &str) {
        if let Some(fence) = &mut self.fence {
            fence.body.push_str(text);
        } else if self.skipped == 0 && self.details == 0 {
            self.block.push_str(text);
        }
    }

    /// Known tags are furniture; an unknown one (`Vec<T>` typed without backticks) is text.
    fn html(&mut self, html: &str) {
        let lower = html.to_ascii_lowercase();
        if lower.contains("<details") || lower.contains("</details") {
            self.flush();
            self.details += lower.matches("<details").count();
            self.details = self.details.saturating_sub(lower.matches("</details").count());
        } else if lower.trim_start().starts_with("<br") {
            self.text(" ");
        } else if !is_markup(&lower) {
            self.text(html.trim_end());
        }
    }

    fn flush(&mut self) {
        let block = std::mem::take(&mut self.block);
        let block = shorten(&one_line(&display(&block, Surface::Inline)));
        if block.is_empty() || is_badge(&block) {
            return;
        }
        if self.quote > 0 {
            self.spoken.quotes.push(block);
        } else {
            split(&block, &mut self.spoken.sentences);
        }
    }

    fn close(&mut self) {
        self.flush();
        self.end_fence();
    }
}

fn code_span(code: &str) -> String {
    format!("`{}`", code.replace('`', "'"))
}

const MARKUP: &str = " !-- a b i em strong br p div span img sub sup kbd code pre ul ol li hr h1 h2 h3 h4 h5 h6 \
                      table thead tbody tr td th summary picture source center font input blockquote ins del s u ";

fn is_markup(html: &str) -> bool {
    let Some(rest) = html.trim_start().strip_prefix('<') else { return true };
    let rest = rest.trim_start_matches('/');
    let name: String = rest.chars().take_while(char::is_ascii_alphanumeric).collect();
    rest.starts_with('!') || rest.starts_with('?') || MARKUP.contains(&format!(" {name} "))
}

/// `Potential issue | Minor`: a row of labels, as review bots write above their words.
fn is_badge(block: &str) -> bool {
    block.contains(" | ") && block.split(" | ").all(|it| it.split_whitespace().count() <= 4)
}

/// Whitespace of any kind becomes single blanks.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Addresses and commit ids longer than a reader can use lose their middle or their tail.
fn shorten(block: &str) -> String {
    let words = block.split(' ').map(|word| {
        let core = word.trim_end_matches([',', '.', ';', ':', ')', '`', '?']);
        let tail = &word[core.len()..];
        let lead = core.len() - core.trim_start_matches(['(', '`', '<']).len();
        let (lead, core) = core.split_at(lead);
        let short = short_address(core).or_else(|| short_commit(core));
        short.map_or_else(|| word.to_owned(), |it| format!("{lead}{it}{tail}"))
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Longest address shown whole, in characters.
const ADDRESS: usize = 56;

fn short_address(word: &str) -> Option<String> {
    let (_, rest) = word.split_once("://").filter(|it| it.0.starts_with("http"))?;
    if word.chars().count() <= ADDRESS {
        return None;
    }
    let (host, path) = rest.split_once('/')?;
    let last = path.trim_end_matches('/').rsplit('/').next()?;
    let cut = last.chars().count().saturating_sub(32);
    let last: String = last.chars().skip(cut).collect();
    Some(format!("{host}/…{}{last}", if cut == 0 { "/" } else { "" }))
}

fn short_commit(word: &str) -> Option<String> {
    let hex = word.len() == 40 && word.bytes().all(|it| it.is_ascii_hexdigit());
    hex.then(|| word[..10].to_owned())
}

/// Words that end with a full stop without ending a sentence.
const ABBREVIATIONS: [&str; 18] = [
    "e.g.", "i.e.", "eg.", "ie.", "etc.", "vs.", "cf.", "approx.", "resp.", "incl.", "no.", "nr.",
    "fig.", "sec.", "mr.", "dr.", "w.r.t.", "a.k.a.",
];

fn split(block: &str, into: &mut Vec<Sentence>) {
    let mut from = 0;
    let mut in_code = false;
    let chars: Vec<(usize, char)> = block.char_indices().collect();
    for (at, &(byte, it)) in chars.iter().enumerate() {
        in_code ^= it == '`';
        let next = chars.get(at + 1).map(|it| it.1);
        let wide = matches!(it, '。' | '！' | '？');
        let stop = matches!(it, '.' | '!' | '?') && next.is_none_or(char::is_whitespace);
        let end = byte + it.len_utf8();
        if !in_code && (wide || stop) && !abbreviated(&block[from..end]) {
            push(&block[from..end], into);
            from = end;
        }
    }
    push(&block[from..], into);
}

fn abbreviated(sentence: &str) -> bool {
    let Some(word) = sentence.split_whitespace().next_back() else { return false };
    let word = word.trim_start_matches(['(', '[', '"', '\'']).to_lowercase();
    let numbered = word.trim_end_matches('.').chars().all(|it| it.is_ascii_digit());
    ABBREVIATIONS.contains(&word.as_str())
        || (word.ends_with('.') && numbered && sentence.trim() == word)
}

fn push(text: &str, into: &mut Vec<Sentence>) {
    let text = text.trim().trim_start_matches(['-', '*', '•', '|', '—']).trim();
    if !text.chars().any(|it| it.is_alphanumeric() || is_sign(it)) {
        // A lone ")" or ":)" belongs to what came before; a lone "?" asks.
        if let (Some(last), true) = (into.last_mut(), text.contains('?')) {
            last.question = true;
        }
        return;
    }
    let tail = text
        .trim_end_matches(|it: char| !it.is_alphanumeric() && it != '?' && it != '？' && it != '`');
    let question = tail.ends_with(['?', '？']);
    into.push(Sentence { text: text.to_owned(), question });
}

/// A line that ticks a point off, as review bots add to their own comment.
pub fn is_ticked(text: &str) -> bool {
    text.starts_with(['✅', '☑', '✔'])
}

/// Thumbs and ticks say something without a letter.
fn is_sign(it: char) -> bool {
    matches!(it, '👍' | '✅' | '☑' | '✔' | '👎' | '❌' | '🙏' | '🎉')
}

#[cfg(test)]
mod tests {
    use crate::summary::prose::read;

    fn sentences(body: &str) -> Vec<String> {
        read(body).sentences.into_iter().map(|it| it.text).collect()
    }

    #[test]
    fn only_the_writers_own_words_are_sentences() {
        let check = |body: &str, expected: &[&str]| assert_eq!(sentences(body), expected, "{body}");
        check("> Should this stay?\nNo, gone.", &["No, gone."]);
        check("> a\r\n> b?\r\n\r\nDone.\r\n", &["Done."]);
        check("Use `a.b. C` here. Then stop.", &["Use `a.b. C` here.", "Then stop."]);
        check("Cheaper, e.g. Vec<T> works. ~~Or not.~~", &["Cheaper, e.g. Vec<T> works."]);
        check("<!-- id:1 -->\nFixed <br/> now", &["Fixed now"]);
        check("<details><summary>Log</summary>\n\nline one\n\n</details>\n\nDone", &["Done"]);
        check("![shot](http://x/y.png)\n\nLooks off", &["Looks off"]);
        check("- one\n- two", &["one", "two"]);
        check("_⚠️ Potential issue_ | _🟡 Minor_\n\n**Fix it.**", &["Fix it."]);
        check("修正しました。ありがとう！", &["修正しました。", "ありがとう！"]);
        check("See [the docs](http://x) first", &["See the docs first"]);
        check("👍", &["👍"]);
        check(
            "See https://github.com/o/r/blob/0123456789012345678901234567890123456789/src/a.rs#L3.",
            &["See github.com/…/a.rs#L3."],
        );
        check("In 0123456789012345678901234567890123456789:", &["In 0123456789:"]);
    }

    #[test]
    fn suggestions_are_kept_apart_from_other_code() {
        let it = read("Try:\n```suggestion\nlet a = 1;\n```\nor\n```rust\nlet b = 2;\n```");
        assert_eq!(it.suggestions, ["let a = 1;\n"]);
        assert_eq!(it.code, ["let b = 2;\n"]);
        let nested = read("````suggestion\n```sh\nls\n```\n````");
        assert_eq!(nested.suggestions, ["```sh\nls\n```\n"]);
        assert_eq!(read("```suggestion\n```").suggestions, [""]);
    }

    #[test]
    fn a_question_is_known_by_its_mark() {
        let it = read("Why? Because. (Right?)");
        let marks: Vec<bool> = it.sentences.iter().map(|it| it.question).collect();
        assert_eq!(marks, [true, false, true]);
    }
}
