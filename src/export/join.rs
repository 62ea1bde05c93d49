//! A review joined with its summary: each thread with its place and its entry, each file with its
//! threads. Must not lay out anything; the formats do.

use crate::domain::text::outside::OutsideOption as _;
use crate::{
    domain::{
        actor::{Actor, Identity, is_process_noise},
        anchor::{Absence, Place},
        capture::{Capture, Comment, Thread},
        diff::{Diff, FileDiff, Side},
        review::Review,
    },
    summary::discussion::{CommentSummary, Discussion, Status, ThreadSummary},
};
use std::collections::HashMap;

/// Everything a document is made of.
#[derive(Debug)]
pub struct Dossier<'a> {
    pub capture: &'a Capture,
    pub diff: &'a Diff,
    pub discussion: &'a Discussion,
    /// In capture order.
    pub threads: Vec<Entry<'a>>,
    /// For each file of the diff, the threads that stand in it, as indices into `threads`.
    pub by_file: Vec<Vec<usize>>,
    /// Threads that stand in no file.
    pub elsewhere: Vec<usize>,
}

/// One thread, where it stands, and what stands for it.
#[derive(Debug)]
pub struct Entry<'a> {
    /// 1-based place in the capture; documents call the thread `#number`.
    pub number: usize,
    pub thread: &'a Thread,
    pub place: Place,
    /// `None` when the discussion was left out (a pinned review), or is of an older capture.
    pub summary: Option<&'a ThreadSummary>,
}

/// How many threads have which status.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    pub unresolved: usize,
    pub settled: usize,
    pub noted: usize,
    /// Threads without a summary.
    pub bare: usize,
    /// Of all of them.
    pub outdated: usize,
}

impl<'a> Dossier<'a> {
    /// Joins by thread id; a repeated id takes the first entry.
    pub fn join(review: &'a Review, discussion: &'a Discussion) -> Self {
        let mut entries = HashMap::new();
        for it in &discussion.threads {
            entries.entry(&it.thread_id).or_insert(it);
        }
        let mut by_file = vec![Vec::new(); review.diff.files.len()];
        let mut elsewhere = Vec::new();
        let mut threads = Vec::with_capacity(review.capture.review_threads.len());
        for (at, thread) in review.capture.review_threads.iter().enumerate() {
            let place = (review.placement.places.get(at).cloned())
                .unwrap_or(Place::Elsewhere(Absence::NoFiles));
            match file_of(&place) {
                Some(file) => by_file[file].push(at),
                None => elsewhere.push(at),
            }
            let summary = entries.get(&thread.id).copied();
            threads.push(Entry { number: at + 1, thread, place, summary });
        }
        let (capture, diff) = (&*review.capture, &*review.diff);
        Self { capture, diff, discussion, threads, by_file, elsewhere }
    }

    /// The threads of one file, in the order of their lines, those without one first.
    pub fn threads_of(&self, file: usize) -> Vec<&Entry<'a>> {
        let mut found: Vec<_> = self.by_file[file].iter().map(|it| &self.threads[*it]).collect();
        found.sort_by_key(|it| (it.line(), it.number));
        found
    }

    /// Threads by status; together they are all threads.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for entry in &self.threads {
            counts.outdated += usize::from(entry.thread.is_outdated == Some(true));
            *match entry.status() {
                Some(Status::Unresolved) => &mut counts.unresolved,
                Some(Status::Settled) => &mut counts.settled,
                Some(Status::Noted) => &mut counts.noted,
                None => &mut counts.bare,
            } += 1;
        }
        counts
    }

    /// The summary of the top-level comment at a place of the capture.
    pub fn top_level(&self, at: usize) -> Option<&'a CommentSummary> {
        let name = format!("m{}", at + 1);
        self.discussion.comments.iter().find(|it| it.reference == name)
    }

    /// What the capture's pull request is called: `owner/name #12`.
    pub fn name(&self) -> String {
        format!("{} #{}", self.capture.repository, self.capture.pull_request.number)
    }
}

impl Entry<'_> {
    /// The status, where there is a summary.
    pub fn status(&self) -> Option<Status> {
        self.summary.map(|it| it.status)
    }

    /// The index of the diff line the thread stands under.
    pub fn line(&self) -> Option<u32> {
        match self.place {
            Place::Line { line, .. } => Some(line),
            _ => None,
        }
    }

    /// Where the thread stands, for people: `R118`, `L3–R7`, `whole file`, `outdated L12`.
    pub fn position(&self, diff: &Diff) -> String {
        match &self.place {
            Place::Line { file, line, side, start, side_guessed } => {
                let file = &diff.files[*file as usize];
                let end = number(file, *line, *side);
                let guess = if *side_guessed { " side?" } else { "" };
                match start.filter(|it| it != line) {
                    Some(start) => format!("{}–{end}{guess}", self.first(file, start, *side)),
                    None => format!("{end}{guess}"),
                }
            }
            Place::Outdated { .. } => format!("outdated{}", self.original()),
            Place::File { .. } => "whole file".into(),
            Place::Unknown { .. } => "position unknown".into(),
            Place::Elsewhere(Absence::NoFiles) => "no files in this capture".into(),
            Place::Elsewhere(Absence::PathNotInDiff) => "path not in this diff".into(),
            Place::Elsewhere(Absence::LineNotShown) => {
                let line = self.thread.line.map(|it| format!("{}{it} ", self.letter()));
                format!("{}not shown by the diff", line.unwrap_or_default())
            }
        }
    }

    fn first(&self, file: &FileDiff, start: u32, end: Side) -> String {
        let side = match self.thread.start_side.as_deref() {
            Some("LEFT") => Side::Left,
            Some("RIGHT") => Side::Right,
            _ => end,
        };
        number(file, start, side)
    }

    fn original(&self) -> String {
        let Some(line) = self.thread.original_line else { return String::new() };
        format!(" {}{line}", self.letter())
    }

    fn letter(&self) -> &'static str {
        match self.thread.side.as_deref() {
            Some("LEFT") => "L",
            Some("RIGHT") => "R",
            _ => "line ",
        }
    }

    /// The lines the thread covers, on the new side: what a suggestion would replace.
    pub fn covered<'d>(&self, diff: &'d Diff) -> Option<Vec<std::borrow::Cow<'d, str>>> {
        let Place::Line { file, line, side: Side::Right, start, .. } = self.place else {
            return None;
        };
        let file = &diff.files[file as usize];
        let range = start.unwrap_or(line).min(line)..=line;
        let lines = range.map(|it| &file.lines[it as usize]).filter(|it| it.new > 0);
        Some(lines.map(|it| file.content(it).into_raw()).collect())
    }
}

/// The class of a comment's writer; a document knows no posting identity of its own.
pub fn actor(comment: &Comment) -> Actor {
    Actor::of(comment, &Identity::default())
}

/// Whether the summary never saw a comment: process chatter.
pub fn left_out(comment: &Comment) -> bool {
    is_process_noise(comment)
}

/// A comment's author, or `ghost` for a deleted account.
pub fn author(comment: &Comment) -> &str {
    comment.author.raw().filter(|it| !it.is_empty()).unwrap_or("ghost")
}

fn number(file: &FileDiff, line: u32, side: Side) -> String {
    let Some(it) = file.lines.get(line as usize) else { return "?".into() };
    match it.number(side) {
        Some(number) if side == Side::Left => format!("L{number}"),
        Some(number) => format!("R{number}"),
        None => format!("L{}", it.old),
    }
}

fn file_of(place: &Place) -> Option<usize> {
    match place {
        Place::Line { file, .. }
        | Place::Outdated { file }
        | Place::File { file }
        | Place::Unknown { file } => Some(*file as usize),
        Place::Elsewhere(_) => None,
    }
}
