//! The editor in which a person rewrites a thread's summary: its text, its status, and older texts
//! to start from. Must not route keys or save; `update::correct` does.

pub mod area;
pub mod history;

use crate::{
    app::{
        correct::{area::Area, history::Corrections},
        desk::Desk,
        geometry::{Rect, frame},
        model::{Model, Screen},
    },
    domain::{
        actor::Identity,
        capture::{Id, Thread},
        digest::Digest,
    },
    summary::{
        correction::{self, Said},
        discussion::{Origin, Status, ThreadSummary},
        extract,
    },
};

/// The open editor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Editor {
    pub thread: Id,
    /// What the text rests on: the thread as the person sees it.
    source_digest: Digest,
    comments_total: u64,
    pub status: Status,
    pub area: Area,
    /// Texts to start from; the one at `at` is being edited.
    pub offers: Vec<Offer>,
    pub at: usize,
    /// Why it could not be saved, or what else to know.
    pub complaint: Option<String>,
}

/// A text to start from, without the opening of its status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    pub source: Source,
    pub status: Status,
    pub text: String,
}

/// Where a text comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// What the person typed before. `went_on`: the thread has other comments now.
    Draft { went_on: bool },
    /// What stands for the thread now.
    Summary,
    /// What the engine without a model says.
    Extract,
    /// An older correction.
    Correction { author: String, day: String },
}

/// Statuses in the order a key turns through them.
pub const STATUSES: [Status; 3] = [Status::Unresolved, Status::Settled, Status::Noted];

/// Rows of the editor that are not text: status, remark, keys.
pub const FRAME_ROWS: u16 = 3;

impl Offer {
    fn of(source: Source, status: Status, text: &str) -> Self {
        Self { source, status, text: correction::body(text).to_owned() }
    }
}

impl Editor {
    /// An editor of a thread's summary; of the draft, when there is one.
    pub fn of(desk: &Desk, at: u32) -> Option<Self> {
        let summary = desk.summary_of(at)?;
        let offers = offers(desk, at, summary);
        let first = offers.first()?;
        let mut complaint = None;
        if first.source == (Source::Draft { went_on: true }) {
            complaint = Some("the thread went on since you wrote this".to_owned());
        } else if let Some(last) = desk.corrections.current(&summary.thread_id)
            && last.source_digest != summary.source_digest
        {
            complaint =
                Some("the thread went on since it was corrected; Ctrl-p has that text".into());
        }
        Some(Self {
            thread: summary.thread_id.clone(),
            source_digest: summary.source_digest.clone(),
            comments_total: summary.comments_total,
            status: first.status,
            area: Area::of(&first.text),
            offers,
            at: 0,
            complaint,
        })
    }

    /// What is typed now.
    pub fn said(&self) -> Said {
        Said {
            thread_id: self.thread.clone(),
            source_digest: self.source_digest.clone(),
            comments_total: self.comments_total,
            status: self.status,
            text: self.area.text().to_owned(),
        }
    }

    /// Where the text comes from, when nothing was typed over it.
    pub fn source(&self) -> Option<&Source> {
        let shown = &self.offers[self.at];
        let same = shown.status == self.status && shown.text == self.area.text();
        same.then_some(&shown.source)
    }

    /// Whether this is, word for word, what stands for the thread anyway.
    pub fn is_unchanged(&self) -> bool {
        let standing = self.offers.iter().find(|it| it.source == Source::Summary);
        standing.is_some_and(|it| {
            it.status == self.status
                && correction::tidy(it.status, &it.text)
                    == correction::tidy(self.status, self.area.text())
        })
    }

    /// Turns to the next older text, or back; what was typed on this one is not lost.
    pub fn turn(&mut self, by: i64) {
        self.stow();
        let all = self.offers.len() as i64;
        self.show((self.at as i64 + by).rem_euclid(all) as usize);
    }

    /// Turns to what stands for the thread now.
    pub fn turn_to_summary(&mut self) {
        self.stow();
        let at = self.offers.iter().position(|it| it.source == Source::Summary);
        self.show(at.unwrap_or(0));
    }

    /// Takes what was typed in as an offer of its own.
    fn stow(&mut self) {
        let (status, text) = (self.status, self.area.text().to_owned());
        if self.source().is_some() {
            return;
        }
        let shown = &mut self.offers[self.at];
        if matches!(shown.source, Source::Draft { .. }) {
            (shown.status, shown.text) = (status, text);
        } else {
            let source = Source::Draft { went_on: false };
            self.offers.insert(0, Offer { source, status, text });
            self.at = 0;
        }
    }

    fn show(&mut self, at: usize) {
        let it = &self.offers[at];
        (self.at, self.status, self.area) = (at, it.status, Area::of(&it.text));
    }

    /// The next status.
    pub fn turn_status(&mut self, back: bool) {
        let at = STATUSES.iter().position(|it| *it == self.status).unwrap_or(0);
        self.status = STATUSES[(at + if back { 2 } else { 1 }) % 3];
    }

    /// Characters of the text as it would be saved, and how many it may have.
    pub fn length(&self, thread: &Thread) -> (usize, usize) {
        let text = correction::tidy(self.status, self.area.text());
        let limit = correction::limit(thread, self.status, &Identity::default());
        (text.chars().count(), limit)
    }
}

/// The draft, the summary, the extract, then corrections from new to old: each text once.
fn offers(desk: &Desk, at: u32, summary: &ThreadSummary) -> Vec<Offer> {
    let id = &summary.thread_id;
    let mut offers = Vec::new();
    if let Some(it) = desk.corrections.draft(id) {
        let went_on = it.source_digest != summary.source_digest;
        offers.push(Offer::of(Source::Draft { went_on }, it.status, &it.text));
    }
    // The draft may say the same: it must be known what stands.
    offers.push(Offer::of(Source::Summary, summary.status, summary.text.raw()));
    let mut older: Vec<Offer> = Vec::new();
    for it in desk.corrections.of(id).filter(|it| !it.withdraws) {
        let source = Source::Correction { author: history::author(it), day: history::day(it) };
        older.push(Offer::of(source, it.status, &it.text));
    }
    if summary.origin != Origin::Extractive {
        let form = extract::some(&desk.review.capture, &[at as usize], &Identity::default());
        older.extend(form.first().map(|it| Offer::of(Source::Extract, it.status, it.text.raw())));
    }
    for it in older {
        if !offers.iter().any(|other| (other.status, &other.text) == (it.status, &it.text)) {
            offers.push(it);
        }
    }
    offers
}

impl Desk {
    /// The place of a thread in the capture.
    pub fn thread_of(&self, id: &Id) -> Option<u32> {
        let threads = &self.review.capture.review_threads;
        threads.iter().position(|it| it.id == *id).map(|it| it as u32)
    }

    /// What people wrote, for whoever shows it.
    pub fn corrections(&mut self) -> &mut Corrections {
        self.inspector.stale();
        &mut self.corrections
    }
}

/// Where the editor stands: at the bottom, beside the inspector when there is room, so that the
/// raw talk stays in sight.
pub fn place(model: &Model) -> Rect {
    let body = frame(model.size).1;
    let panes = model.panes();
    let beside = panes.inspector.filter(|_| model.screen == Screen::Diff && !panes.overlay);
    let room = beside.map_or(model.size.width, |it| it.x);
    let width = room.saturating_sub(2).min(104).max(room.min(38));
    let height = (body.height / 2).clamp(11, 18).min(body.height);
    Rect { x: (room - width) / 2, y: body.y + body.height - height, width, height }
}

/// Cells of a row of text in the editor.
pub fn text_width(place: Rect) -> usize {
    // A cell before the text, and one in which the cursor stands behind it.
    usize::from(place.inner().width.saturating_sub(2))
}
