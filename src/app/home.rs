//! Home: what waits for the reader, and the dossiers known here, on four shelves, filtered.
//! Must not read them; entries and lists arrive as data.

use crate::app::{
    event::{Dossier, Request},
    listed::{List, ListNews, Listed, Lists, Mark, Trouble},
};
use crate::domain::text::outside::Outside;
use std::collections::HashMap;

/// The lists are asked for again after so many seconds, while home shows.
pub const EVERY: i64 = 300;

/// One of the four lists.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Tab {
    /// Dossiers with actions that wait for a decision.
    Approval,
    /// Pull requests that wait for the reader's review.
    Requested,
    /// The reader's own.
    Mine,
    /// The dossiers known here.
    #[default]
    Recent,
}

/// The state of home.
#[derive(Debug, Clone, Default)]
pub struct Home {
    pub tab: Tab,
    pub entries: Vec<Dossier>,
    pub live: Live,
    pub filter: String,
    /// The request that will fill the dossier list.
    pub waits_for: Option<Request>,
    /// The dossier list was read at least once.
    pub read: bool,
    shelves: [Shelf; 4],
    /// Where the dossier of a pull request stands, by the address of its page.
    known: HashMap<String, usize>,
    /// A person has chosen the tab or moved in it.
    touched: bool,
}

/// One list as it is shown.
#[derive(Debug, Clone, Default)]
pub struct Shelf {
    /// Indices into what it shows, those the filter keeps, best first.
    pub visible: Vec<usize>,
    pub cursor: usize,
    pub top: usize,
}

/// The forge's lists, and how they stand.
#[derive(Debug, Clone, Default)]
pub struct Live {
    pub lists: Option<Lists>,
    /// The request under way.
    pub waits_for: Option<Request>,
    /// When they were last asked for, Unix time; `None` before the first time.
    pub asked_at: Option<i64>,
    pub trouble: Option<Trouble>,
    /// Nothing is asked before then, Unix time, and why.
    pub pause: Option<(i64, String)>,
    pub offline: bool,
}

/// A row: what the forge lists, what is known here, or both.
#[derive(Debug, Clone, Copy)]
pub struct Row<'a> {
    pub listed: Option<&'a Listed>,
    pub dossier: Option<&'a Dossier>,
}

impl Tab {
    pub const ALL: [Self; 4] = [Self::Approval, Self::Requested, Self::Mine, Self::Recent];

    /// Whether it shows what the forge says.
    pub fn is_live(self) -> bool {
        matches!(self, Self::Requested | Self::Mine)
    }

    /// Its name in so much room: whole, short.
    pub fn name(self, short: bool) -> &'static str {
        match (self, short) {
            (Self::Approval, false) => "needs approval",
            (Self::Approval, true) => "approve",
            (Self::Requested, false) => "review requested",
            (Self::Requested, true) => "review",
            (Self::Mine, _) => "mine",
            (Self::Recent, _) => "recent",
        }
    }

    /// The tab so many steps further, round and round.
    #[must_use]
    pub fn turned(self, steps: usize) -> Self {
        Self::ALL[(self as usize + steps) % Self::ALL.len()]
    }
}

impl Home {
    /// Takes the dossier list in.
    pub fn fill(&mut self, entries: Vec<Dossier>) {
        let page = |(at, it): (usize, &Dossier)| Some((it.page.clone()?, at));
        self.known = entries.iter().enumerate().rev().filter_map(page).collect();
        (self.entries, self.read, self.waits_for) = (entries, true, None);
        self.settle_marks();
        self.sift();
        self.begin();
    }

    /// Takes news of the forge's lists in. `now` is Unix time.
    pub fn hear(&mut self, news: ListNews, now: i64) {
        let live = &mut self.live;
        live.pause = None;
        match news {
            ListNews::Waiting { why, seconds } => {
                live.pause = Some((now.saturating_add_unsigned(seconds), why));
                return;
            }
            ListNews::Kept(lists) => {
                // What was read in this session is newer.
                live.lists.get_or_insert(*lists);
            }
            ListNews::Offline(lists) => {
                (live.offline, live.trouble, live.waits_for) = (true, None, None);
                live.lists = lists.map(|it| *it).or(live.lists.take());
            }
            ListNews::Read(lists) => {
                (live.lists, live.trouble, live.waits_for) = (Some(*lists), None, None);
                live.offline = false;
            }
            ListNews::Failed(trouble) => {
                let until = |it| (now.saturating_add_unsigned(it), trouble.says.clone());
                live.pause = trouble.pause.map(until);
                (live.trouble, live.waits_for) = (Some(trouble), None);
            }
        }
        self.settle_marks();
        self.sift();
        self.begin();
    }

    /// What was captured here since its last update is no news.
    fn settle_marks(&mut self) {
        let Some(lists) = &mut self.live.lists else { return };
        let time = |it: Option<&str>| it.and_then(|it| it.parse::<jiff::Timestamp>().ok());
        for row in lists.requested.rows.iter_mut().chain(&mut lists.mine.rows) {
            let known = self.known.get(&row.target).and_then(|it| self.entries.get(*it));
            let captured = known.and_then(|it| time(it.captured_at.as_deref()));
            if captured.is_some() && captured >= time(row.updated_at.as_deref()) {
                row.mark = Mark::Known;
            }
        }
    }

    /// The list that most wants to be looked at, until a person chooses one.
    fn begin(&mut self) {
        if self.touched {
            return;
        }
        let wants = [Tab::Approval, Tab::Requested];
        let first = wants.into_iter().find(|it| self.count(*it) > 0);
        self.tab = first.unwrap_or(Tab::Recent);
    }

    /// Shows a list, as a person asked.
    pub fn turn_to(&mut self, tab: Tab) {
        (self.tab, self.touched) = (tab, true);
    }

    /// Whether the lists are to be asked for now: never before, or long ago.
    pub fn is_due(&self, now: i64) -> bool {
        let live = &self.live;
        let since = live.asked_at.map_or(i64::MAX, |it| now.saturating_sub(it));
        let over = live.trouble.as_ref().is_some_and(|it| it.pause.is_some())
            && live.pause.as_ref().is_some_and(|it| it.0 <= now);
        let lasting = live.trouble.as_ref().is_some_and(|it| it.lasting);
        let paused = live.pause.as_ref().is_some_and(|it| it.0 > now);
        let never = live.asked_at.is_none();
        let idle = live.waits_for.is_none() && !paused;
        idle && (never || !live.offline && !lasting && (over || since >= EVERY))
    }

    /// Applies the filter to every list, fuzzily over label, title and author.
    pub fn sift(&mut self) {
        for tab in Tab::ALL {
            let words = |it: usize| {
                let row = self.row(tab, it);
                format!("{} {} {}", row.label(), row.raw_title(), row.raw_author())
            };
            let all: Vec<usize> = self.source(tab);
            let visible = crate::app::fuzzy::rank(&self.filter, all.iter().map(|it| words(*it)));
            let visible: Vec<usize> = visible.into_iter().map(|it| all[it]).collect();
            let shelf = &mut self.shelves[tab as usize];
            shelf.cursor = shelf.cursor.min(visible.len().saturating_sub(1));
            shelf.visible = visible;
        }
    }

    /// Everything a tab shows, without a filter.
    fn source(&self, tab: Tab) -> Vec<usize> {
        match tab {
            Tab::Approval => {
                (0..self.entries.len()).filter(|it| self.entries[*it].waiting > 0).collect()
            }
            Tab::Recent => (0..self.entries.len()).collect(),
            Tab::Requested | Tab::Mine => {
                (0..self.list(tab).map_or(0, |it| it.rows.len())).collect()
            }
        }
    }

    /// The forge's list behind a tab.
    pub fn list(&self, tab: Tab) -> Option<&List> {
        let lists = self.live.lists.as_ref()?;
        match tab {
            Tab::Requested => Some(&lists.requested),
            Tab::Mine => Some(&lists.mine),
            _ => None,
        }
    }

    /// A row of a tab by its place in what the tab shows.
    pub fn row(&self, tab: Tab, at: usize) -> Row<'_> {
        if tab.is_live() {
            let listed = self.list(tab).and_then(|it| it.rows.get(at));
            let known = listed.and_then(|it| self.known.get(&it.target));
            return Row { listed, dossier: known.and_then(|it| self.entries.get(*it)) };
        }
        let dossier = self.entries.get(at);
        let listed = dossier.and_then(|it| it.page.as_deref()).and_then(|it| self.listed(it));
        Row { listed, dossier }
    }

    fn listed(&self, page: &str) -> Option<&Listed> {
        let lists = [Tab::Requested, Tab::Mine].map(|it| self.list(it));
        lists.into_iter().flatten().flat_map(|it| &it.rows).find(|it| it.target == page)
    }

    /// How many a tab has: for a list of the forge, all it finds.
    pub fn count(&self, tab: Tab) -> u64 {
        self.list(tab).map_or_else(|| self.source(tab).len() as u64, |it| it.total)
    }

    /// Rows of a tab that changed since they were last opened.
    pub fn marked(&self, tab: Tab) -> usize {
        let rows = self.list(tab).map_or(&[][..], |it| &it.rows);
        rows.iter().filter(|it| it.mark != Mark::Known).count()
    }

    /// The list that shows.
    pub fn shelf(&self) -> &Shelf {
        &self.shelves[self.tab as usize]
    }

    pub fn shelf_mut(&mut self) -> &mut Shelf {
        &mut self.shelves[self.tab as usize]
    }

    /// The tabs as they stand side by side in so many cells, without a gap: painter and mouse ask
    /// the same. The one that shows is in brackets; a star counts what changed.
    pub fn bar(&self, width: usize) -> Vec<(Tab, String)> {
        let text = |tab: Tab, short: bool| {
            let marked = match self.marked(tab) {
                0 => String::new(),
                some => format!(" *{some}"),
            };
            let (open, close) = if tab == self.tab { ('[', ']') } else { (' ', ' ') };
            let known = !tab.is_live() || self.live.lists.is_some();
            let count = if known { self.count(tab).to_string() } else { "-".to_owned() };
            format!("{open}{} {count}{marked}{close}", tab.name(short))
        };
        let bar = |short| Tab::ALL.map(|it| (it, text(it, short)));
        let whole = bar(false);
        // All of it is ASCII.
        let cells: usize = whole.iter().map(|it| it.1.len()).sum();
        if cells <= width { whole.into() } else { bar(true).into() }
    }

    /// Rows above the list that say how it stands.
    pub fn head_rows(&self) -> u16 {
        u16::from(self.tab.is_live())
    }

    /// The row under the cursor.
    pub fn current(&self) -> Option<Row<'_>> {
        let shelf = self.shelf();
        Some(self.row(self.tab, *shelf.visible.get(shelf.cursor)?))
    }

    /// What opening the row under the cursor reads: the forge where we are known there, else what
    /// is kept.
    pub fn target(&self) -> Option<String> {
        let row = self.current()?;
        let Row { listed: None, dossier: Some(dossier) } = row else {
            return row.listed.map(|it| it.target.clone());
        };
        let host = self.live.lists.as_ref().map(|it| format!("https://{}/", it.host));
        let page =
            dossier.page.as_ref().filter(|it| host.is_some_and(|host| it.starts_with(&host)));
        Some(page.unwrap_or(&dossier.target).clone())
    }

    /// The row under the cursor is opened: it is no news any more. Gives its page and when it was
    /// last updated, to be remembered.
    pub fn look(&mut self) -> Option<(String, String)> {
        let target = self.current()?.listed?.target.clone();
        let mut seen = None;
        let lists = self.live.lists.as_mut()?;
        for row in lists.requested.rows.iter_mut().chain(&mut lists.mine.rows) {
            if row.target == target {
                row.mark = Mark::Known;
                seen.clone_from(&row.updated_at);
            }
        }
        Some((target, seen?))
    }

    pub fn step(&mut self, rows: i64) {
        self.touched = true;
        let shelf = self.shelf_mut();
        let last = shelf.visible.len().saturating_sub(1);
        shelf.cursor = shelf.cursor.saturating_add_signed(rows as isize).min(last);
    }

    /// Nothing is known here: the three first choices show.
    pub fn is_new(&self) -> bool {
        self.read && self.entries.is_empty()
    }
}

impl<'a> Row<'a> {
    pub fn label(&self) -> &'a str {
        match (self.listed, self.dossier) {
            (Some(it), _) => &it.label,
            (None, Some(it)) => &it.label,
            (None, None) => "",
        }
    }

    fn raw_title(&self) -> &'a str {
        let listed = self.listed.map(|it| it.title.raw());
        listed.or_else(|| Some(self.dossier?.title.raw())).unwrap_or_default()
    }

    fn raw_author(&self) -> &'a str {
        let listed = self.listed.and_then(|it| it.author.as_ref());
        let known = self.dossier.and_then(|it| it.author.as_ref());
        listed.or(known).map(Outside::raw).unwrap_or_default()
    }
}
