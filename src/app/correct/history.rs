//! What people wrote on the threads of an open review: kept corrections, and drafts. Puts a
//! thread's history below its summary. Must not change what was kept.

use crate::{
    app::{
        event::Request,
        prose::{Mark, Run},
        sheet::{Sheet, SheetLine, refs},
    },
    domain::{
        capture::{Id, Thread},
        digest::Digest,
        text::{self, Surface},
    },
    summary::correction::{self, Correction, Said},
};

/// What is known of them.
#[derive(Debug, Clone, Default)]
pub struct Corrections {
    /// Every record, oldest first: the last of a thread counts.
    pub kept: Vec<Correction>,
    /// What was typed and not saved.
    pub drafts: Vec<Said>,
    /// The request whose answer fills this.
    pub waits_for: Option<Request>,
    /// They were asked for once.
    pub asked: bool,
    /// What is being saved now.
    pub saving: Option<Saving>,
}

/// A correction on its way to the disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saving {
    pub request: Request,
    pub thread: Id,
    pub withdraws: bool,
}

impl Corrections {
    /// The draft of a thread.
    pub fn draft(&self, thread: &Id) -> Option<&Said> {
        self.drafts.iter().find(|it| it.thread_id == *thread)
    }

    /// Takes a draft in place of the one before.
    pub fn keep_draft(&mut self, said: Said) {
        self.discard_draft(&said.thread_id);
        self.drafts.push(said);
    }

    pub fn discard_draft(&mut self, thread: &Id) {
        self.drafts.retain(|it| it.thread_id != *thread);
    }

    /// A thread's correction that was not withdrawn; it may be stale.
    pub fn current(&self, thread: &Id) -> Option<&Correction> {
        correction::current(&self.kept, thread)
    }

    /// A thread's records, the newest first.
    pub fn of<'a>(&'a self, thread: &Id) -> impl Iterator<Item = &'a Correction> {
        let thread = thread.clone();
        self.kept.iter().rev().filter(move |it| it.thread_id == thread)
    }

    /// Writes a thread's history below its summary: who, when, and what was said.
    pub fn append(&self, sheet: &mut Sheet, thread: &Thread, digest: &Digest, cells: usize) {
        if self.draft(&thread.id).is_some() {
            let text = "! your correction is not saved yet";
            sheet.derived.push(SheetLine::Check(text.to_owned()));
        }
        let mut records = self.of(&thread.id).peekable();
        if records.peek().is_none() {
            return;
        }
        sheet.derived.push(SheetLine::Blank);
        sheet.derived.push(SheetLine::Label("Corrections".to_owned()));
        for (at, it) in records.enumerate() {
            let mut head = format!("{} · {}", author(it), day(it));
            if it.withdraws {
                head.push_str(" · went back to the engine's text");
                sheet.add_unit(&[Run::new(head, Mark::Muted)], Vec::new(), cells);
                continue;
            }
            if at == 0 && it.source_digest == *digest {
                // Its text is the summary above.
                let head = format!("{head} · stands");
                sheet.add_unit(&[Run::new(head, Mark::Muted)], refs(thread, &it.cites), cells);
                continue;
            }
            let standing = match at {
                0 => "stale, the thread went on",
                _ => "before",
            };
            let text = text::display(&it.text, Surface::Inline);
            let runs = [
                Run::new(format!("{head} · {standing}: "), Mark::Muted),
                Run::new(text, Mark::Plain),
            ];
            sheet.add_unit(&runs, refs(thread, &it.cites), cells);
        }
    }
}

/// Who wrote a correction.
pub fn author(it: &Correction) -> String {
    text::display(&it.author, Surface::Inline).into_owned()
}

/// The day it was written.
pub fn day(it: &Correction) -> String {
    let at = text::display(&it.at, Surface::Inline);
    at.split('T').next().unwrap_or_default().to_owned()
}
