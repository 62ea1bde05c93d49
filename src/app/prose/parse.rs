//! Markdown events to laid-out lines. Must not decide how a block looks beyond its indent; tables,
//! suggestions and details draw themselves.

use crate::{
    app::prose::{
        Line, Mark, Run, Setting,
        details::Details,
        html::{self, Bit},
        suggest,
        table::{self, Rows},
        wrap::wrap,
    },
    domain::text::{self, Surface},
};
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// Lays a comment out.
pub fn lay(body: &str, setting: Setting<'_>) -> Vec<Line> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_GFM;
    let body = body.replace("\r\n", "\n");
    let events: Vec<Event<'_>> = Parser::new_ext(&body, options).collect();
    let suggestions = events.iter().filter(|it| opens_suggestion(it)).count();
    let mut writer = Writer { suggestions: (0, suggestions), ..Writer::of(setting) };
    for event in events {
        writer.event(event);
    }
    writer.finish()
}

/// Levels of nesting that are indented: text made to nest thousands deep must cost no more.
const DEEPEST: usize = 10;

/// What stands before the lines of a nested block.
struct Indent {
    first: Run,
    rest: Run,
    used: bool,
}

/// The code block being read.
struct Code {
    text: String,
    suggestion: bool,
}

struct Writer<'a> {
    setting: Setting<'a>,
    lines: Vec<Line>,
    indents: Vec<Indent>,
    marks: Vec<Mark>,
    /// Runs of the block being read.
    inline: Vec<Run>,
    /// Number of the next item of each list around; `None` for bullets.
    lists: Vec<Option<u64>>,
    code: Option<Code>,
    table: Option<Rows>,
    details: Details,
    /// Characters of the HTML comment being read.
    comment: Option<usize>,
    /// Suggestions drawn so far, and all of them.
    suggestions: (usize, usize),
}

impl<'a> Writer<'a> {
    fn of(setting: Setting<'a>) -> Self {
        Self {
            setting,
            lines: Vec::new(),
            indents: Vec::new(),
            marks: Vec::new(),
            inline: Vec::new(),
            lists: Vec::new(),
            code: None,
            table: None,
            details: Details::default(),
            comment: None,
            suggestions: (0, 0),
        }
    }

    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(it) => match &mut self.code {
                Some(code) => code.text.push_str(&it),
                None => self.say(&it, self.mark()),
            },
            Event::Code(it) | Event::InlineMath(it) | Event::DisplayMath(it) => {
                self.say(&it, Mark::Code);
            }
            Event::Html(it) | Event::InlineHtml(it) => self.html(&it),
            Event::SoftBreak | Event::HardBreak => self.say("\n", Mark::Plain),
            Event::Rule => {
                self.gap();
                self.put(vec![Run::new("─".repeat(self.room().min(24)), Mark::Muted)]);
            }
            Event::TaskListMarker(done) => {
                self.say(if done { "[x] " } else { "[ ] " }, Mark::Muted);
            }
            Event::FootnoteReference(name) => self.say(&format!("[{name}]"), Mark::Muted),
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Paragraph | Tag::HtmlBlock => self.block(),
            Tag::Heading { .. } => {
                self.block();
                self.marks.push(Mark::Heading);
            }
            Tag::BlockQuote(_) => {
                self.block();
                self.indent("▎ ", "▎ ", Mark::Quote);
                self.marks.push(Mark::Quote);
            }
            Tag::CodeBlock(kind) => {
                self.block();
                self.code = Some(Code { text: String::new(), suggestion: is_suggestion(&kind) });
            }
            Tag::List(first) => {
                self.flush();
                if self.lists.is_empty() {
                    self.gap();
                }
                self.lists.push(first);
            }
            Tag::Item => self.item(),
            Tag::Table(_) => {
                self.block();
                self.table = Some(Rows::new());
            }
            Tag::TableHead | Tag::TableRow => {
                if let Some(rows) = &mut self.table {
                    rows.push(Vec::new());
                }
            }
            Tag::Emphasis => self.marks.push(Mark::Emphasis),
            Tag::Strong => self.marks.push(Mark::Strong),
            Tag::Strikethrough => self.say("~", Mark::Muted),
            Tag::Link { .. } => self.marks.push(Mark::Link),
            Tag::Image { .. } => self.say("[image: ", Mark::Muted),
            Tag::FootnoteDefinition(name) => {
                self.block();
                self.say(&format!("[{name}] "), Mark::Muted);
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::HtmlBlock => self.flush(),
            TagEnd::Heading(_) => {
                self.flush();
                self.marks.pop();
            }
            TagEnd::BlockQuote(_) => {
                self.flush();
                self.indents.pop();
                self.marks.pop();
            }
            TagEnd::CodeBlock => self.end_code(),
            TagEnd::List(_) => {
                self.flush();
                self.lists.pop();
            }
            TagEnd::Item => {
                self.flush();
                self.indents.pop();
            }
            TagEnd::TableCell => {
                let cell = std::mem::take(&mut self.inline);
                if let Some(row) = self.table.as_mut().and_then(|it| it.last_mut()) {
                    row.push(cell);
                }
            }
            TagEnd::Table => {
                for line in table::draw(&self.table.take().unwrap_or_default(), self.room()) {
                    self.put(line.runs);
                }
            }
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Link => {
                self.marks.pop();
            }
            TagEnd::Strikethrough => self.say("~", Mark::Muted),
            TagEnd::Image => self.say("]", Mark::Muted),
            _ => {}
        }
    }

    fn item(&mut self) {
        self.flush();
        let label = match self.lists.last_mut() {
            Some(Some(number)) => {
                *number += 1;
                format!("{}. ", *number - 1)
            }
            _ => "• ".to_owned(),
        };
        let rest = " ".repeat(text::width(&label));
        self.indent(&label, &rest, Mark::Muted);
    }

    fn end_code(&mut self) {
        let Some(code) = self.code.take() else { return };
        let body = code.text.strip_suffix('\n').unwrap_or(&code.text);
        let lines = if code.suggestion {
            self.suggestions.0 += 1;
            suggest::draw(body, self.setting.covered, self.suggestions, self.room())
        } else {
            let lines = body.split('\n');
            lines.flat_map(|it| suggest::code("  ", Mark::Block, it, self.room())).collect()
        };
        for line in lines {
            self.put(line.runs);
        }
    }

    fn html(&mut self, scrap: &str) {
        for bit in html::bits(scrap, self.comment.is_some()) {
            match bit {
                Bit::Text(it) if self.comment.is_some() => {
                    self.comment = self.comment.map(|count| count + it.trim().chars().count());
                }
                Bit::Text(it) => self.say(&html::unescape(it), self.mark()),
                Bit::CommentOpen => self.comment = Some(0),
                Bit::CommentClose => {
                    let count = self.comment.take().unwrap_or(0);
                    self.say(&format!("<!-- {count} characters not shown -->"), Mark::Muted);
                }
                Bit::Break => self.say("\n", Mark::Plain),
                Bit::Image(alt) => self.say(&format!("[image: {alt}]"), Mark::Muted),
                Bit::DetailsOpen => {
                    self.flush();
                    self.details.open(self.setting.open);
                }
                Bit::DetailsClose => {
                    self.flush();
                    self.details.close();
                }
                Bit::SummaryOpen => {
                    self.flush();
                    self.details.summary();
                }
                Bit::SummaryClose => self.head_details(),
            }
        }
    }

    fn head_details(&mut self) {
        let Some(heading) = self.details.heading() else { return };
        let sign = if heading.open { "▾ " } else { "▸ " };
        let words = text::display(heading.words.trim(), Surface::Inline).into_owned();
        let words = text::clip(&words, self.room().saturating_sub(2));
        let runs = vec![Run::new(sign, Mark::Muted), Run::new(words, Mark::Strong)];
        self.write(runs, Some(heading.id));
    }

    fn mark(&self) -> Mark {
        self.marks.last().copied().unwrap_or_default()
    }

    /// Adds words to the block being read.
    fn say(&mut self, words: &str, mark: Mark) {
        if self.details.take(words) || self.details.hides() {
            return;
        }
        self.inline.push(Run::new(text::display(words, Surface::Prose), mark));
    }

    fn indent(&mut self, first: &str, rest: &str, mark: Mark) {
        let (first, rest) = (Run::new(first, mark), Run::new(rest, mark));
        self.indents.push(Indent { first, rest, used: false });
    }

    /// Ends what was read and leaves a line between two blocks of the outermost level.
    fn block(&mut self) {
        self.flush();
        if self.lists.is_empty() {
            self.gap();
        }
    }

    fn gap(&mut self) {
        let blank = self.lines.last().is_none_or(|it| it.runs.is_empty());
        if !blank && !self.details.hides() && self.indents.iter().take(DEEPEST).all(|it| it.used) {
            self.put(Vec::new());
        }
    }

    fn flush(&mut self) {
        let runs = std::mem::take(&mut self.inline);
        if runs.iter().all(|it| it.text.trim().is_empty()) {
            return;
        }
        for line in wrap(&runs, self.room()) {
            self.put(line);
        }
    }

    /// Cells left for words after all indents.
    fn room(&self) -> usize {
        let used: usize =
            self.indents.iter().take(DEEPEST).map(|it| text::width(&it.rest.text)).sum();
        self.setting.width.saturating_sub(used).max(8)
    }

    fn put(&mut self, runs: Vec<Run>) {
        if !self.details.hides() {
            self.write(runs, None);
        }
    }

    fn write(&mut self, runs: Vec<Run>, details: Option<u16>) {
        let mut line = Line { runs: Vec::new(), details };
        for indent in self.indents.iter_mut().take(DEEPEST) {
            let run = if indent.used { &indent.rest } else { &indent.first };
            line.runs.push(run.clone());
            indent.used = true;
        }
        if runs.is_empty()
            && self.indents.iter().take(DEEPEST).all(|it| it.rest.text.trim().is_empty())
        {
            line.runs.clear();
        }
        line.runs.extend(runs);
        self.lines.push(line);
    }

    fn finish(mut self) -> Vec<Line> {
        if let Some(count) = self.comment.take() {
            self.say(&format!("<!-- {count} characters not shown -->"), Mark::Muted);
        }
        self.head_details();
        self.flush();
        while self.lines.last().is_some_and(|it| it.runs.is_empty()) {
            self.lines.pop();
        }
        self.lines
    }
}

fn opens_suggestion(event: &Event<'_>) -> bool {
    matches!(event, Event::Start(Tag::CodeBlock(kind)) if is_suggestion(kind))
}

fn is_suggestion(kind: &CodeBlockKind<'_>) -> bool {
    let CodeBlockKind::Fenced(info) = kind else { return false };
    info.split([' ', ',', ':']).next() == Some("suggestion")
}
