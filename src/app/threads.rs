//! The list of all threads: groups, filters, cursor. Must not draw or place.

use crate::domain::text::outside::OutsideOption as _;
use crate::{
    app::{
        desk::Desk,
        facts::{Fact, Standing},
        needle::Needle,
    },
    summary::discussion::NextActor,
};

/// The state of the list.
#[derive(Debug, Clone, Default)]
pub struct Threads {
    /// Rows to show; made when something changed.
    pub rows: Vec<ListRow>,
    /// Index into `rows`; never on a heading while there is a thread.
    pub cursor: usize,
    pub top: usize,
    pub filter: Filter,
    /// Threads the filters hide.
    pub hidden: usize,
    fresh: bool,
}

/// A row of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListRow {
    Group { standing: Standing, count: usize },
    Thread(u32),
}

/// What the list leaves out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    pub status: StatusFilter,
    pub actor: ActorFilter,
    pub bots_hidden: bool,
    pub text: String,
}

/// Statuses to show.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum StatusFilter {
    #[default]
    All,
    Unresolved,
    Settled,
    Outdated,
}

/// Whose move to show.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ActorFilter {
    #[default]
    All,
    Author,
    Reviewer,
}

impl StatusFilter {
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::All => Self::Unresolved,
            Self::Unresolved => Self::Settled,
            Self::Settled => Self::Outdated,
            Self::Outdated => Self::All,
        }
    }

    pub fn title(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Unresolved => "unresolved",
            Self::Settled => "settled",
            Self::Outdated => "outdated",
        }
    }

    fn keeps(self, fact: &Fact) -> bool {
        match self {
            Self::All => true,
            Self::Unresolved => fact.is_open(),
            Self::Settled => !fact.is_open(),
            Self::Outdated => fact.outdated,
        }
    }
}

impl ActorFilter {
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::All => Self::Author,
            Self::Author => Self::Reviewer,
            Self::Reviewer => Self::All,
        }
    }

    pub fn title(self) -> &'static str {
        match self {
            Self::All => "anybody",
            Self::Author => "author",
            Self::Reviewer => "reviewer",
        }
    }
}

impl Threads {
    /// Has the rows made again.
    pub fn stale(&mut self) {
        self.fresh = false;
    }

    /// The same list of another capture: `thread` gives a thread's new number.
    pub fn moved(&mut self, thread: impl Fn(u32) -> Option<u32>) {
        self.fresh = false;
        let row = self.cursor.saturating_sub(self.top);
        let before = self.cursor;
        let rows = std::mem::take(&mut self.rows);
        for (at, it) in rows.into_iter().enumerate() {
            if at == before {
                self.cursor = self.rows.len();
            }
            match it {
                ListRow::Thread(it) => self.rows.extend(thread(it).map(ListRow::Thread)),
                group @ ListRow::Group { .. } => self.rows.push(group),
            }
        }
        self.step(0);
        self.top = self.cursor.saturating_sub(row);
    }

    /// The thread under the cursor.
    pub fn current(&self) -> Option<u32> {
        match self.rows.get(self.cursor)? {
            ListRow::Thread(it) => Some(*it),
            ListRow::Group { .. } => None,
        }
    }

    /// Moves over threads; headings are stepped over.
    pub fn step(&mut self, rows: i64) {
        let last = self.rows.len().saturating_sub(1);
        let target = self.cursor.saturating_add_signed(rows as isize).min(last);
        let is_thread = |at: &usize| matches!(self.rows.get(*at), Some(ListRow::Thread(_)));
        let found = if rows >= 0 {
            (target..=last).find(is_thread).or_else(|| (0..target).rev().find(is_thread))
        } else {
            (0..=target).rev().find(is_thread).or_else(|| (target..=last).find(is_thread))
        };
        self.cursor = found.unwrap_or(0);
    }

    /// Keeps the cursor in a list of `height` rows, its heading above it in sight when it is first.
    pub fn follow(&mut self, height: usize) {
        let first = self.cursor.saturating_sub(1);
        self.top = self.top.min(first);
        if self.cursor >= self.top + height.max(1) {
            self.top = self.cursor + 1 - height.max(1);
        }
    }
}

impl Desk {
    /// Makes the rows of the thread list if something changed, keeping the cursor's thread.
    pub fn list_threads(&mut self) {
        if self.threads.fresh {
            return;
        }
        let current = self.threads.current();
        let row = self.threads.cursor.saturating_sub(self.threads.top);
        let filter = self.threads.filter.clone();
        let needle = Needle::of(&filter.text);
        let mut rows = Vec::new();
        let mut kept = 0;
        for standing in [Standing::Open, Standing::Settled, Standing::Noted] {
            let order = self.reader.layout.pieces.order.iter().copied();
            let fits = |it: &u32| {
                self.facts[*it as usize].standing == standing && self.keeps(*it, &filter, &needle)
            };
            let threads: Vec<u32> = order.filter(fits).collect();
            if !threads.is_empty() {
                kept += threads.len();
                rows.push(ListRow::Group { standing, count: threads.len() });
                rows.extend(threads.into_iter().map(ListRow::Thread));
            }
        }
        let found = rows.iter().position(|it| Some(*it) == current.map(ListRow::Thread));
        let threads = &mut self.threads;
        threads.hidden = self.facts.len() - kept;
        (threads.rows, threads.fresh) = (rows, true);
        threads.cursor = found.unwrap_or(0);
        threads.step(0);
        threads.top = threads.cursor.saturating_sub(row);
    }

    fn keeps(&self, thread: u32, filter: &Filter, needle: &Needle) -> bool {
        let fact = &self.facts[thread as usize];
        let next = self.summary_of(thread).map(|it| it.next_actor);
        let actor = match filter.actor {
            ActorFilter::All => true,
            ActorFilter::Author => next == Some(NextActor::Author),
            ActorFilter::Reviewer => next == Some(NextActor::Reviewer),
        };
        let words = needle.is_empty() || self.mentions(thread, needle);
        filter.status.keeps(fact) && actor && !(filter.bots_hidden && fact.bots_only) && words
    }

    fn mentions(&self, thread: u32, needle: &Needle) -> bool {
        let raw = &self.review.capture.review_threads[thread as usize];
        let comments = raw.comments.iter().flat_map(|it| [&it.body, &it.author]);
        let summary = self.summary_of(thread).map(|it| it.text.raw());
        let texts = comments.filter_map(|it| it.raw()).chain([raw.path.raw()]).chain(summary);
        texts.into_iter().any(|it| needle.is_in(it.as_bytes()))
    }
}
