//! Home: the dossiers known here, filtered. Must not read them; entries arrive as data.

use crate::app::event::{Dossier, Request};
use crate::domain::text::outside::OutsideOption as _;

/// The state of the dossier list.
#[derive(Debug, Clone, Default)]
pub struct Home {
    pub entries: Vec<Dossier>,
    /// Indices of entries the filter keeps, best first.
    pub visible: Vec<usize>,
    pub cursor: usize,
    pub top: usize,
    pub filter: String,
    /// The request that will fill the list.
    pub waits_for: Option<Request>,
    /// The list was read at least once.
    pub read: bool,
}

impl Home {
    /// Takes a list in.
    pub fn fill(&mut self, entries: Vec<Dossier>) {
        (self.entries, self.read, self.waits_for) = (entries, true, None);
        self.sift();
    }

    /// Applies the filter, fuzzily over label, title and author.
    pub fn sift(&mut self) {
        let texts = self.entries.iter().map(|it| {
            let author = it.author.raw().unwrap_or_default();
            format!("{} {} {author}", it.label, it.title.raw())
        });
        self.visible = crate::app::fuzzy::rank(&self.filter, texts);
        self.cursor = self.cursor.min(self.visible.len().saturating_sub(1));
    }

    /// The entry under the cursor.
    pub fn current(&self) -> Option<&Dossier> {
        self.entries.get(*self.visible.get(self.cursor)?)
    }

    pub fn step(&mut self, rows: i64) {
        let last = self.visible.len().saturating_sub(1);
        self.cursor = self.cursor.saturating_add_signed(rows as isize).min(last);
    }

    /// Nothing is known here: the three first choices show.
    pub fn is_new(&self) -> bool {
        self.read && self.entries.is_empty()
    }
}
