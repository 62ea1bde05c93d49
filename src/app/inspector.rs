//! The inspector: one thread raw, summarised, or both compared, and where the reader is in it.
//! Must not lay out; `sheet` does.

use crate::{
    app::{
        desk::Desk,
        geometry::Rect,
        sheet::{self, Sheet},
    },
    domain::actor::Identity,
    summary::{
        discussion::{Origin, ThreadSummary},
        extract,
    },
};

/// The state of the inspector.
#[derive(Debug, Clone, Default)]
pub struct Inspector {
    pub shown: bool,
    /// The whole screen is its.
    pub full: bool,
    pub tab: Tab,
    /// The thread it shows.
    pub thread: Option<u32>,
    /// The sentence under its cursor.
    pub unit: usize,
    /// Rows of the raw talk scrolled away.
    pub scroll: usize,
    /// Rows of the summary scrolled away.
    pub derived_scroll: usize,
    pub sheet: Sheet,
    /// The deterministic form, when the summary is another.
    pub plain: Option<Sheet>,
    made_for: Option<(u32, Widths)>,
}

/// What the inspector shows of a thread.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Tab {
    Raw,
    Summary,
    #[default]
    Compare,
}

/// Cells of the columns: derived, raw, and the deterministic form where there is room.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Widths {
    pub derived: usize,
    pub raw: usize,
    pub plain: Option<usize>,
}

/// Cells before a sentence.
pub const UNIT_INDENT: usize = 2;

impl Tab {
    pub const ALL: [Self; 3] = [Self::Raw, Self::Summary, Self::Compare];

    pub fn title(self) -> &'static str {
        match self {
            Self::Raw => "Raw",
            Self::Summary => "Summary",
            Self::Compare => "Compare",
        }
    }

    #[must_use]
    pub fn next(self, back: bool) -> Self {
        let at = Self::ALL.iter().position(|it| *it == self).unwrap_or(0);
        Self::ALL[(at + if back { 2 } else { 1 }) % 3]
    }
}

impl Inspector {
    /// An inspector that shows nothing yet.
    pub fn shown(shown: bool) -> Self {
        Self { shown, ..Self::default() }
    }

    /// Turns to another thread, from its beginning.
    pub fn turn_to(&mut self, thread: Option<u32>) {
        let (shown, full, tab) = (self.shown, self.full, self.tab);
        *self = Self { shown, full, tab, thread, ..Self::default() };
    }

    /// Has its sheet made again, after a summary came.
    pub fn stale(&mut self) {
        self.made_for = None;
    }

    /// The comments the sentence under the cursor cites; `None` when nothing is being compared.
    pub fn cited(&self) -> Option<&[u16]> {
        (self.tab == Tab::Compare).then_some(())?;
        self.sheet.units.get(self.unit).map(|it| it.cites.as_slice())
    }

    /// Moves over sentences while comparing, else over rows.
    pub fn step(&mut self, rows: i64) {
        if self.tab == Tab::Compare && !self.sheet.units.is_empty() {
            let last = self.sheet.units.len() - 1;
            self.unit = self.unit.saturating_add_signed(rows as isize).min(last);
            self.show_cited();
        } else if self.tab == Tab::Summary {
            let last = self.sheet.derived.len().saturating_sub(1);
            self.derived_scroll =
                self.derived_scroll.saturating_add_signed(rows as isize).min(last);
        } else {
            self.scroll_raw(rows);
        }
    }

    /// Scrolls the raw talk.
    pub fn scroll_raw(&mut self, rows: i64) {
        let last = self.sheet.raw.len().saturating_sub(1);
        self.scroll = self.scroll.saturating_add_signed(rows as isize).min(last);
    }

    /// Brings the first comment the sentence cites to the top of the raw talk.
    fn show_cited(&mut self) {
        let Some(first) = self.cited().and_then(|it| it.first().copied()) else { return };
        let head = |it: &sheet::SheetLine| matches!(it, sheet::SheetLine::Head { comment, .. } if *comment == first);
        if let Some(at) = self.sheet.raw.iter().position(head) {
            self.scroll = at;
        }
    }

    /// Rows of its parts within a pane's inside: head, summary, raw talk. While it fills the
    /// screen the last two stand side by side, below their titles.
    pub fn rows(&self, inner: Rect) -> (u16, u16, u16) {
        let head = if inner.height >= 12 { 3 } else { 2 };
        let body = inner.height.saturating_sub(head);
        let derived = self.sheet.derived.len() as u16;
        match self.tab {
            Tab::Raw => (head, 0, body),
            Tab::Summary => (head, body, 0),
            Tab::Compare if self.full => (head, body.saturating_sub(1), body.saturating_sub(1)),
            Tab::Compare => {
                let derived = derived.min(body / 2);
                (head, derived, body.saturating_sub(derived + 1))
            }
        }
    }

    /// The widths of its columns within a pane.
    pub fn widths(&self, pane: Rect, with_plain: bool) -> Widths {
        let inner = pane.width.saturating_sub(2) as usize;
        if !self.full || self.tab != Tab::Compare {
            let cells = inner.saturating_sub(UNIT_INDENT + 1);
            return Widths { derived: cells, raw: cells, plain: None };
        }
        let columns = if with_plain && inner >= 110 { 3 } else { 2 };
        let column = (inner / columns).saturating_sub(UNIT_INDENT + 2);
        Widths { derived: column, raw: column, plain: (columns == 3).then_some(column) }
    }
}

impl Desk {
    /// The summary of a thread.
    pub fn summary_of(&self, thread: u32) -> Option<&ThreadSummary> {
        let at = self.facts.get(thread as usize)?.summary?;
        self.discussion.as_ref()?.threads.get(at)
    }

    /// Brings the inspector to the nearest thread, and its sheet up to date.
    pub fn inspect(&mut self, pane: Option<Rect>) {
        if self.focus != crate::app::desk::Focus::Inspector {
            let near = self.nearest_thread();
            if near != self.inspector.thread {
                self.inspector.turn_to(near);
            }
        }
        let (Some(pane), Some(at)) = (pane, self.inspector.thread) else { return };
        self.make_sheet(pane, at);
        let inspector = &mut self.inspector;
        let (_, derived, raw) = inspector.rows(pane.inner());
        let most = |lines: usize, height: u16| lines.saturating_sub(usize::from(height));
        inspector.scroll = inspector.scroll.min(most(inspector.sheet.raw.len(), raw));
        let last = most(inspector.sheet.derived.len(), derived);
        inspector.derived_scroll = inspector.derived_scroll.min(last);
    }

    /// Lays the thread and its summary out, unless that was done for this pane.
    fn make_sheet(&mut self, pane: Rect, at: u32) {
        let summary = self.summary_of(at).cloned();
        let differs = summary.as_ref().is_some_and(|it| it.origin != Origin::Extractive);
        let widths = self.inspector.widths(pane, differs);
        if self.inspector.made_for == Some((at, widths)) {
            return;
        }
        let capture = &self.review.capture;
        let thread = &capture.review_threads[at as usize];
        let mut sheet = sheet::of(thread, summary.as_ref(), (widths.derived, widths.raw));
        if let Some(summary) = &summary {
            let digest = &summary.source_digest;
            self.corrections.append(&mut sheet, thread, digest, widths.derived.max(8));
        }
        let plain = widths.plain.map(|cells| {
            let form = extract::some(capture, &[at as usize], &Identity::default());
            sheet::of(thread, form.first(), (cells, cells))
        });
        let inspector = &mut self.inspector;
        inspector.unit = inspector.unit.min(sheet.units.len().saturating_sub(1));
        (inspector.sheet, inspector.plain, inspector.made_for) = (sheet, plain, Some((at, widths)));
    }
}
