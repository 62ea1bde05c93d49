//! An open review: what was read, what is known of it, and the panes that show it.
//! Must not route keys; `update` does, and calls the verbs in this folder.

pub mod fold;
pub mod grow;
pub mod jump;
pub mod landmark;
pub mod moves;
pub mod renew;
pub mod target;
pub mod words;

use crate::{
    app::{
        conversation,
        correct::history::Corrections,
        event::{Opened, Request, Taken},
        facts::{self, Fact, Tally},
        files::Files,
        fresh::News,
        hidden::Hidden,
        inspector::Inspector,
        layout::{Layout, Scene},
        reader::{Reader, Stage},
        search::Search,
        since::{Aside, Wish},
        threads::Threads,
        viewed::Viewed,
    },
    domain::{anchor::Place, capture::Comment, review::Review},
    summary::discussion::Discussion,
};
use std::sync::Arc;

/// Everything about one open review.
#[derive(Debug)]
pub struct Desk {
    pub label: String,
    pub arrival: Arrival,
    pub taken: Taken,
    pub review: Review,
    pub discussion: Option<Arc<Discussion>>,
    pub facts: Vec<Fact>,
    /// What was said on the whole, the description first.
    pub said: Vec<Comment>,
    pub tally: Tally,
    pub focus: Focus,
    pub reader: Reader,
    pub files: Files,
    pub inspector: Inspector,
    pub threads: Threads,
    pub search: Search,
    /// What people wrote in place of summaries.
    pub corrections: Corrections,
    pub viewed: Viewed,
    /// What was not there when a person last looked.
    pub news: News,
    /// The whole review, while what changed since an earlier head is shown in its place.
    pub aside: Option<Box<Aside>>,
    pub wish: Wish,
    /// Hidden characters of each file, as far as they are counted.
    pub hidden: Hidden,
}

/// How much of the review is here.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Arrival {
    #[default]
    Whole,
    /// The request still brings more files behind these.
    Growing(Request),
    /// It is the beginning of what the request still brings.
    Begun(Request),
    /// It could not be read to its end.
    Cut,
}

/// The pane that gets the keys.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Focus {
    Files,
    #[default]
    Diff,
    Inspector,
}

impl Desk {
    /// A desk for a review just read.
    pub fn of(opened: Opened) -> Self {
        let Opened { label, review, viewed, taken, .. } = opened;
        let facts = facts::facts(&review, None);
        let inspector = Inspector::shown(!facts.is_empty());
        let mut desk = Self {
            label,
            arrival: Arrival::Whole,
            taken,
            said: conversation::of(&review.capture),
            discussion: None,
            tally: Tally::default(),
            focus: Focus::Diff,
            files: Files::of(&review),
            inspector,
            threads: Threads::default(),
            search: Search::default(),
            corrections: Corrections::default(),
            viewed: Viewed::default(),
            news: News::default(),
            aside: None,
            wish: Wish::default(),
            hidden: Hidden::default(),
            reader: Reader::default(),
            facts,
            review,
        };
        desk.take_viewed(0, viewed);
        let layout = Layout::of(desk.scene(), 80);
        desk.reader.layout = layout;
        desk.judge();
        desk
    }

    /// What the layout is made from.
    pub fn scene(&self) -> Scene<'_> {
        let (folds, look) = (&self.reader.folds, self.reader.look);
        Scene { review: &self.review, facts: &self.facts, said: &self.said, folds, look }
    }

    /// The diff pane with its scene, for one move.
    pub fn stage(&mut self) -> Stage<'_> {
        let Reader { layout, folds, look, at, .. } = &mut self.reader;
        let scene = Scene {
            review: &self.review,
            facts: &self.facts,
            said: &self.said,
            folds,
            look: *look,
        };
        Stage { layout, at, scene }
    }

    /// Takes a summary in: marks and counts follow it; what it settles folds, unless a person
    /// opened it or stands on it.
    pub fn summarise(&mut self, discussion: Arc<Discussion>) {
        let standing = self.nearest_thread();
        let before = std::mem::take(&mut self.facts);
        let discussion = self.news.restated(discussion, &self.review.capture);
        self.facts = facts::facts(&self.review, Some(&discussion));
        self.discussion = Some(discussion);
        if let Some(thread) = standing {
            let open = self.reader.folds.thread_open(thread, &before[thread as usize]);
            self.reader.folds.set_thread(thread, open);
        }
        self.judge();
        let width = self.reader.layout.width;
        self.stage().keep(|layout, scene| layout.reflow(scene, width));
    }

    /// Counts again after facts changed.
    pub(crate) fn judge(&mut self) {
        self.mark_fresh();
        self.tally = Tally::default();
        self.files.clear_tallies();
        for (fact, place) in self.facts.iter().zip(&self.review.placement.places) {
            self.tally.add(fact);
            self.files.count(file_of(place), fact);
        }
        self.threads.stale();
        self.inspector.stale();
    }

    /// The file under the cursor of the diff.
    pub fn current_file(&self) -> Option<u32> {
        let piece = self.reader.layout.pieces.all.get(self.reader.at.cursor.piece as usize)?;
        (piece.file != crate::app::layout::pieces::NO_FILE).then_some(piece.file)
    }
}

/// The file a thread is listed under.
pub fn file_of(place: &Place) -> Option<u32> {
    match place {
        Place::Line { file, .. }
        | Place::Outdated { file }
        | Place::File { file }
        | Place::Unknown { file } => Some(*file),
        Place::Elsewhere(_) => None,
    }
}
