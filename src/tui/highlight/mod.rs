//! Syntax colours from a thread of their own, for what is shown first and its surroundings later.
//! Must not run a grammar on the thread that draws.
//!
//! The drawing thread says what it shows (`Highlight::look`); the worker answers in batches that
//! arrive as messages of the loop. A newer wish replaces an older one that is not done.

pub mod colours;
pub mod grammar;
pub mod lead;
pub mod markdown;
pub mod scopes;
pub mod tracks;
pub mod worker;

use crate::{
    domain::diff::{Diff, FileDiff},
    tui::{
        frame,
        highlight::{
            colours::Colours,
            tracks::Stretch,
            worker::{Answer, Mailbox, Wish},
        },
    },
    view::line::Screen,
};
use std::{ops::Range, sync::Arc};

/// The drawing thread's side: what is known, and what has been asked for.
pub struct Highlight {
    mailbox: Arc<Mailbox>,
    pub colours: Colours,
    diff: Option<Arc<Diff>>,
    /// Counts diffs, so that answers about an earlier one are dropped.
    generation: u64,
    /// Lines the last painted screen lacks colours for.
    missing: Vec<Stretch>,
    tab_width: u8,
}

impl Highlight {
    /// Starts the worker, which loads its grammars at once. `answer` is called on its thread.
    pub fn start(answer: impl Fn(Answer) + Send + 'static) -> Self {
        Self {
            mailbox: worker::start(answer),
            colours: Colours::default(),
            diff: None,
            generation: 0,
            missing: Vec::new(),
            tab_width: 0,
        }
    }

    /// Which diff is shown, and how wide its tabs are. Another one makes all colours void; the same
    /// one with more files behind does not.
    pub fn show(&mut self, diff: Option<&Arc<Diff>>, tab_width: u8) {
        let same = match (&self.diff, diff) {
            (Some(old), Some(new)) => Arc::ptr_eq(old, new) || grew(old, new),
            (None, None) => true,
            _ => false,
        };
        if !same || tab_width != self.tab_width {
            self.tab_width = tab_width;
            self.generation += 1;
            self.colours.clear();
            self.missing.clear();
        }
        if !matches!((&self.diff, diff), (Some(old), Some(new)) if Arc::ptr_eq(old, new)) {
            self.diff = diff.cloned();
        }
    }

    /// Whether nothing is known of this diff yet.
    pub fn is_fresh(&self) -> bool {
        self.colours.is_empty()
    }

    /// Asks for what this screen lacks, and for its surroundings when they run short. True when
    /// colours for the screen itself are on their way.
    pub fn look(&mut self, screen: &Screen) -> bool {
        let Some(diff) = self.diff.clone() else { return false };
        let shown = stretches(screen);
        let Some(first) = shown.first() else {
            self.missing.clear();
            return false;
        };
        self.colours.trim(first.file, first.lines.start);
        let missing: Vec<_> = shown.iter().flat_map(|it| self.lacks(it)).collect();
        let ahead = self.ahead(&diff, &shown);
        if missing == self.missing && ahead.is_empty() {
            return !missing.is_empty();
        }
        self.missing.clone_from(&missing);
        let waiting = !missing.is_empty();
        if waiting || !ahead.is_empty() {
            let (generation, tab_width) = (self.generation, self.tab_width);
            self.mailbox.put(Wish { generation, diff, tab_width, now: missing, ahead });
        }
        waiting
    }

    /// Takes an answer. True when it colours something the screen lacks.
    pub fn learn(&mut self, answer: Answer) -> bool {
        if answer.generation != self.generation {
            return false;
        }
        let mut awaited = false;
        for line in answer.lines {
            let holds = |it: &Stretch| it.file == line.file && it.lines.contains(&line.line);
            awaited |= self.missing.iter().any(holds);
            self.colours.insert(line.file, line.line, line.runs);
        }
        awaited
    }

    /// Whether every line the last screen lacked is known by now.
    pub fn complete(&self) -> bool {
        let known = |file, mut lines: Range<u32>| lines.all(|it| self.colours.has(file, it));
        self.missing.iter().all(|it| known(it.file, it.lines.clone()))
    }

    /// The parts of a stretch without colours.
    fn lacks(&self, stretch: &Stretch) -> Vec<Stretch> {
        let mut lacks: Vec<Stretch> = Vec::new();
        for line in stretch.lines.clone().filter(|it| !self.colours.has(stretch.file, *it)) {
            match lacks.last_mut().filter(|it| it.lines.end == line) {
                Some(last) => last.lines.end += 1,
                None => lacks.push(Stretch { file: stretch.file, lines: line..line + 1 }),
            }
        }
        lacks
    }

    /// Surroundings worth colouring. Nothing while two screenfuls below and one above are known, so
    /// that scrolling by a line does not wake the worker each time, and a page finds its colours.
    fn ahead(&self, diff: &Diff, shown: &[Stretch]) -> Vec<Stretch> {
        let (Some(first), Some(last)) = (shown.first(), shown.last()) else { return Vec::new() };
        let height = shown.iter().map(|it| it.lines.len() as u32).sum::<u32>().max(16);
        let below = |screens| after(diff, last, height * screens);
        let above = |screens| before(diff, first, height * screens);
        let short = |near: &[Stretch]| near.iter().any(|it| !self.lacks(it).is_empty());
        let mut ahead = Vec::new();
        if short(&below(2)) {
            ahead.extend(below(4));
        }
        if short(&above(1)) {
            ahead.extend(above(2));
        }
        ahead.iter().flat_map(|it| self.lacks(it)).collect()
    }
}

/// Whether a diff has the files of another and more behind them. Files share their text while a
/// diff grows, and a diff read anew has texts of its own.
fn grew(old: &Diff, new: &Diff) -> bool {
    let (Some(first), Some(last)) = (old.files.first(), old.files.last()) else { return false };
    let same = |it: &FileDiff, at: usize| {
        new.files.get(at).is_some_and(|new| Arc::ptr_eq(&it.text, &new.text) && it.path == new.path)
    };
    same(first, 0) && same(last, old.files.len() - 1)
}

/// What the screen shows of the diff, in order, neighbours joined.
fn stretches(screen: &Screen) -> Vec<Stretch> {
    let mut shown: Vec<Stretch> = Vec::new();
    for code in frame::code_shown(screen) {
        let at = code.line;
        match shown.last_mut().filter(|it| it.file == code.file && it.lines.contains(&at)) {
            Some(_) => {}
            None => {
                match shown.last_mut().filter(|it| it.file == code.file && it.lines.end == at) {
                    Some(last) => last.lines.end += 1,
                    None => shown.push(Stretch { file: code.file, lines: at..at + 1 }),
                }
            }
        }
    }
    shown
}

/// About `count` lines after a stretch, going on into the next files.
fn after(diff: &Diff, last: &Stretch, mut count: u32) -> Vec<Stretch> {
    let mut found = Vec::new();
    let (mut file, mut from) = (last.file, last.lines.end);
    while let Some(it) = diff.files.get(file as usize).filter(|_| count > 0) {
        let to = (it.lines.len() as u32).min(from.saturating_add(count));
        if to > from {
            found.push(Stretch { file, lines: from..to });
            count -= to - from;
        }
        (file, from) = (file + 1, 0);
    }
    found
}

/// About `count` lines before a stretch, going back into the files before.
fn before(diff: &Diff, first: &Stretch, mut count: u32) -> Vec<Stretch> {
    let mut found = Vec::new();
    let (mut file, mut to) = (first.file, first.lines.start);
    loop {
        let from = to.saturating_sub(count);
        if to > from {
            found.push(Stretch { file, lines: from..to });
            count -= to - from;
        }
        let Some(previous) = file.checked_sub(1).filter(|_| count > 0) else { break };
        file = previous;
        to = diff.files.get(file as usize).map_or(0, |it| it.lines.len() as u32);
    }
    found
}
