//! One thread laid out for comparison: the summary in units that cite comments, beside the raw talk.
//! Must not scroll or select; the inspector does.

use crate::domain::text::outside::OutsideOption as _;
use crate::{
    app::{
        prose::{self, Mark, Run, Setting, wrap::wrap},
        quotes,
    },
    domain::{
        actor,
        capture::{Comment, Thread},
        text::{self, Surface},
    },
    summary::discussion::ThreadSummary,
};

/// A comparison at given widths.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sheet {
    pub units: Vec<Unit>,
    pub derived: Vec<SheetLine>,
    pub raw: Vec<SheetLine>,
}

/// A sentence of the summary, or a position it records, and the comments it rests on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Unit {
    /// Indices of comments.
    pub cites: Vec<u16>,
    /// First line in `derived`.
    pub line: u16,
}

/// One line of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SheetLine {
    Blank,
    /// A small heading.
    Label(String),
    /// A warning computed by code.
    Check(String),
    /// Something said by the program, not by the summary.
    Fact(Vec<Run>),
    Unit {
        unit: u16,
        line: prose::Line,
    },
    Head {
        comment: u16,
        noise: bool,
    },
    Words {
        comment: u16,
        line: prose::Line,
    },
}

/// Characters of the raw talk and of the text that stands for it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sizes {
    pub comments: usize,
    pub raw: usize,
    pub derived: usize,
}

/// `<details>` of one comment that are shown open.
const MOST_DETAILS: u16 = 256;

/// Lays out a thread and its summary, each at its width.
pub fn of(thread: &Thread, summary: Option<&ThreadSummary>, widths: (usize, usize)) -> Sheet {
    let mut sheet = Sheet::default();
    if let Some(summary) = summary {
        sheet.summary(thread, summary, widths.0.max(8));
    }
    sheet.talk(thread, widths.1.max(8));
    sheet
}

/// How much shorter the summary is.
pub fn sizes(thread: &Thread, summary: &ThreadSummary) -> Sizes {
    let raw = thread.comments.iter().filter_map(|it| it.body.raw());
    Sizes {
        comments: thread.comments.len(),
        raw: raw.map(|it| it.chars().count()).sum(),
        derived: summary.text.raw().chars().count(),
    }
}

/// Whether a comment was left out of the summary as process chatter.
pub fn is_noise(comment: &Comment) -> bool {
    actor::is_process_noise(comment)
}

impl Sheet {
    fn summary(&mut self, thread: &Thread, summary: &ThreadSummary, cells: usize) {
        let whole = refs(thread, &summary.cites);
        for sentence in sentences(summary.text.raw()) {
            let own = refs(thread, &inline_refs(sentence));
            let quoted = quotes::sources(thread, sentence);
            if !own.is_empty() {
                self.unit(sentence, own, cells, false);
            } else if !quoted.is_empty() {
                self.unit(sentence, quoted, cells, true);
            } else {
                self.unit(sentence, whole.clone(), cells, true);
            }
        }
        let parts = [("Decision", &summary.decision), ("Still open", &summary.open_question)];
        for (label, part) in parts {
            let fresh =
                part.raw().filter(|it| !summary.text.raw().contains(it.trim_end_matches('.')));
            if let Some(part) = fresh {
                self.derived.push(SheetLine::Label(label.to_owned()));
                self.unit(part, whole.clone(), cells, true);
            }
        }
        if !summary.positions.is_empty() {
            self.derived.push(SheetLine::Label("Positions".to_owned()));
        }
        for position in &summary.positions {
            let words = format!("{}: {}", position.who.raw(), position.stance.raw());
            self.unit(&words, refs(thread, &position.cites), cells, true);
        }
        for check in &summary.checks {
            let check = text::display(check, Surface::Inline);
            let runs = [Run::new(format!("! {check}"), Mark::Warning)];
            let lines = wrap(&runs, cells).into_iter();
            let joined = |line: Vec<Run>| line.into_iter().map(|it| it.text).collect();
            self.derived.extend(lines.map(|it| SheetLine::Check(joined(it))));
        }
    }

    /// Adds a unit; `named` writes its cites behind it.
    fn unit(&mut self, words: &str, cites: Vec<u16>, cells: usize, named: bool) {
        let mut runs = vec![Run::new(text::display(words, Surface::Inline), Mark::Plain)];
        if named && !cites.is_empty() {
            let names: Vec<_> = cites.iter().map(|it| format!("c{}", it + 1)).collect();
            runs.push(Run::new(format!(" [{}]", names.join(" ")), Mark::Muted));
        }
        self.add_unit(&runs, cites, cells);
    }

    /// Adds displayed text as a unit that rests on these comments.
    pub fn add_unit(&mut self, runs: &[Run], cites: Vec<u16>, cells: usize) {
        let unit = self.units.len() as u16;
        self.units.push(Unit { cites, line: self.derived.len() as u16 });
        let lines = wrap(runs, cells).into_iter().map(prose::Line::of);
        self.derived.extend(lines.map(|line| SheetLine::Unit { unit, line }));
    }

    fn talk(&mut self, thread: &Thread, cells: usize) {
        // The raw talk is whole: nothing folds here.
        let open: Vec<u16> = (0..MOST_DETAILS).collect();
        for (number, comment) in thread.comments.iter().enumerate() {
            let (number, noise) = (number as u16, is_noise(comment));
            self.raw.push(SheetLine::Head { comment: number, noise });
            if noise {
                continue;
            }
            let setting = Setting { width: cells, covered: None, open: &open };
            let body = comment.body.raw().unwrap_or_default();
            let lines = prose::lay(body, setting).into_iter();
            self.raw.extend(lines.map(|line| SheetLine::Words { comment: number, line }));
        }
    }
}

/// Indices of the comments named `c1`, `c2`…; names of no comment are left out.
pub fn refs(thread: &Thread, names: &[String]) -> Vec<u16> {
    let index = |it: &String| it.strip_prefix('c')?.parse::<u16>().ok()?.checked_sub(1);
    let known = |it: &u16| usize::from(*it) < thread.comments.len();
    names.iter().filter_map(index).filter(known).collect()
}

/// Refs that stand in the text itself, as in `… [c2 c4]`.
fn inline_refs(sentence: &str) -> Vec<String> {
    let words = sentence.split(|it: char| !it.is_ascii_alphanumeric());
    let named = |it: &&str| {
        it.strip_prefix('c')
            .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()))
    };
    words.filter(named).map(str::to_owned).collect()
}

/// The sentences of a text. A mark ends one when a blank and a letter or digit follow; inside
/// quotes nothing does, since a quotation is one piece of evidence.
pub fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut start, mut depth) = (0, 0_u32);
    let letters: Vec<(usize, char)> = text.char_indices().collect();
    for (at, (byte, letter)) in letters.iter().enumerate() {
        match letter {
            '“' => depth += 1,
            '”' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let end = byte + letter.len_utf8();
        let next = |far: usize| letters.get(at + far).map(|it| it.1);
        let closed = *letter == '”' && at > 0 && is_mark(letters[at - 1].1);
        let ends = depth == 0
            && (closed || is_mark(*letter) && !abbreviates(&text[start..end]))
            && next(1).is_some_and(char::is_whitespace)
            && next(2).is_some_and(|it| closed || begins(it));
        if ends {
            push(&mut found, &text[start..end]);
            start = end;
        }
    }
    push(&mut found, &text[start..]);
    found
}

fn is_mark(letter: char) -> bool {
    matches!(letter, '.' | '?' | '!' | '…')
}

fn begins(letter: char) -> bool {
    letter.is_alphanumeric() || "\"'`([“".contains(letter)
}

fn abbreviates(sentence: &str) -> bool {
    let last = sentence.split_whitespace().last();
    last.is_some_and(|it| matches!(it, "e.g." | "i.e." | "vs." | "cf." | "Mr." | "etc."))
}

fn push<'a>(found: &mut Vec<&'a str>, sentence: &'a str) {
    let sentence = sentence.trim();
    if !sentence.is_empty() {
        found.push(sentence);
    }
}

#[cfg(test)]
mod tests {
    use crate::app::sheet::sentences;

    #[test]
    fn sentences_end_where_a_reader_ends_them() {
        let check = |text, expected: &[&str]| assert_eq!(sentences(text), expected);
        check("Settled: Decided so. Bob agreed.", &["Settled: Decided so.", "Bob agreed."]);
        check("Use v1.2 e.g. Foo. `x` stays!", &["Use v1.2 e.g. Foo.", "`x` stays!"]);
        check("one", &["one"]);
        check(
            "Open: bob: “Is it? I doubt it.” carol: “No.” No answer yet.",
            &["Open: bob: “Is it? I doubt it.”", "carol: “No.”", "No answer yet."],
        );
        check("", &[]);
    }
}
