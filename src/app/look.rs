//! How the diff is looked at, and what a person folded. Must not measure or draw.

use crate::app::{
    facts::Fact,
    layout::{pieces::NO_FILE, row::List},
};
use std::collections::{BTreeMap, BTreeSet};

/// Switches of the diff, each one key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    pub split: bool,
    pub wrap: bool,
    /// Hide changes of whitespace only.
    pub whitespace_hidden: bool,
    /// Mark the changed words.
    pub words: bool,
    pub tab_width: u8,
}

impl Default for Look {
    fn default() -> Self {
        Self { split: false, wrap: false, whitespace_hidden: false, words: true, tab_width: 4 }
    }
}

/// What a person opened and folded, against the defaults.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Folds {
    /// Threads a person touched: open or not.
    threads: BTreeMap<u32, bool>,
    files: BTreeSet<u32>,
    lists: BTreeSet<(u32, List)>,
    /// `<details>` and hidden comments that were opened: thread, comment, and the details' number.
    parts: BTreeSet<(u32, u16, Part)>,
    /// Threads whose old hunk shows.
    old: BTreeSet<u32>,
}

/// A part of a comment that folds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    Minimized,
    Details(u16),
}

impl Folds {
    /// Whether a thread shows its comments.
    pub fn thread_open(&self, thread: u32, fact: &Fact) -> bool {
        self.threads.get(&thread).copied().unwrap_or_else(|| !fact.folded_at_first())
    }

    pub fn set_thread(&mut self, thread: u32, open: bool) {
        self.threads.insert(thread, open);
    }

    pub fn file_folded(&self, file: u32) -> bool {
        self.files.contains(&file)
    }

    pub fn set_file(&mut self, file: u32, folded: bool) {
        if folded {
            self.files.insert(file);
        } else {
            self.files.remove(&file);
        }
    }

    /// The files that are folded.
    pub fn files(&self) -> Vec<u32> {
        self.files.iter().copied().collect()
    }

    /// Folds these files and no other.
    pub fn set_files(&mut self, files: &[u32]) {
        self.files = files.iter().copied().collect();
    }

    pub fn list_folded(&self, file: u32, list: List) -> bool {
        self.lists.contains(&(file, list))
    }

    pub fn toggle_list(&mut self, file: u32, list: List) {
        if !self.lists.remove(&(file, list)) {
            self.lists.insert((file, list));
        }
    }

    /// Whether the description (entry 0) or the conversation shows: both are folded at first, so
    /// their lists are noted when they are open.
    pub fn said_open(&self, entry: u16) -> bool {
        let list = if entry == 0 { List::Description } else { List::Conversation };
        self.lists.contains(&(NO_FILE, list))
    }

    pub fn part_open(&self, thread: u32, comment: u16, part: Part) -> bool {
        self.parts.contains(&(thread, comment, part))
    }

    pub fn toggle_part(&mut self, thread: u32, comment: u16, part: Part) {
        if !self.parts.remove(&(thread, comment, part)) {
            self.parts.insert((thread, comment, part));
        }
    }

    /// The open `<details>` of a comment.
    pub fn details(&self, thread: u32, comment: u16) -> Vec<u16> {
        let from = (thread, comment, Part::Minimized);
        let to = (thread, comment, Part::Details(u16::MAX));
        let number = |it: &(u32, u16, Part)| match it.2 {
            Part::Details(number) => Some(number),
            Part::Minimized => None,
        };
        self.parts.range(from..=to).filter_map(number).collect()
    }

    pub fn old_shown(&self, thread: u32) -> bool {
        self.old.contains(&thread)
    }

    pub fn toggle_old(&mut self, thread: u32) {
        if !self.old.remove(&thread) {
            self.old.insert(thread);
        }
    }

    /// The same choices on another capture: each function gives the new number of something, or
    /// `None` when it is gone.
    #[must_use]
    pub fn moved(
        &self,
        thread: impl Fn(u32) -> Option<u32>,
        file: impl Fn(u32) -> Option<u32>,
        comment: impl Fn(u32, u16) -> Option<(u32, u16)>,
    ) -> Self {
        let part = |(at, number, part): &(u32, u16, Part)| {
            let (at, number) = comment(*at, *number)?;
            Some((at, number, *part))
        };
        Self {
            threads: self.threads.iter().filter_map(|it| Some((thread(*it.0)?, *it.1))).collect(),
            files: self.files.iter().filter_map(|it| file(*it)).collect(),
            lists: self.lists.iter().filter_map(|it| Some((file(it.0)?, it.1))).collect(),
            parts: self.parts.iter().filter_map(part).collect(),
            old: self.old.iter().filter_map(|it| thread(*it)).collect(),
        }
    }

    /// Opens or folds every thread there is.
    pub fn set_all(&mut self, count: u32, open: bool) {
        self.threads = (0..count).map(|it| (it, open)).collect();
    }
}
