//! A new capture of the pull request that is on the desk. Must not move what a person looks at, and
//! must not forget what they chose, folded, marked or typed.

use crate::{
    app::{
        conversation,
        desk::{Desk, landmark::Landmark, moves::Moves},
        event::Opened,
        facts,
        files::Files,
        hidden::Hidden,
        layout::{Layout, row::Row},
    },
    domain::{
        diff::{Diff, FileDiff},
        review::Review,
        since::{self, Changes},
    },
};
use std::{collections::BTreeSet, sync::Arc};

/// What a reader sees, told so that it is found again.
pub(crate) struct Sight {
    mark: Landmark,
    above: u32,
}

impl Desk {
    /// Takes another capture in, in place of the one before. Gives what is different in it;
    /// `None` when nothing is, and then nothing was touched.
    pub fn renew(&mut self, opened: Opened) -> Option<Changes> {
        let Opened { mut review, taken, .. } = opened;
        self.taken = taken;
        let whole = self.aside.as_ref().map_or(&self.review, |it| it.whole());
        let same_diff = same_diff(&whole.diff, &review.diff);
        let said_the_same =
            Arc::ptr_eq(&whole.capture, &review.capture) || *whole.capture == *review.capture;
        if same_diff && said_the_same {
            return None;
        }
        if same_diff {
            // The colours of its lines are kept with it.
            review.diff = Arc::clone(&whole.diff);
        }
        let changes = since::between(&whole.capture, &review.capture);
        self.news.take(&changes);
        let sight = self.sight();
        let aside = self.aside.as_ref().map(|it| it.since.clone());
        self.show_whole();
        self.put(review, same_diff);
        // A change up to a head that is no longer the newest would say less than it seems to.
        if let Some(since) = aside.filter(|_| !changes.head_moved) {
            self.show_since(since);
        } else {
            self.wish.last = None;
        }
        self.place(&sight);
        Some(changes)
    }

    /// Shows another review in place of the one before; the reader stays where they are.
    pub(crate) fn put(&mut self, review: Review, same_diff: bool) {
        let sight = self.sight();
        let open = self.in_sight();
        let said = conversation::of(&review.capture);
        let moves = Moves::between((&self.review, &self.said), (&review, &said));
        self.review = review;
        self.said = said;
        self.reader.folds = moves.folds(&self.reader.folds);
        self.judge_anew(&moves, &open);
        if !same_diff {
            self.reader.words.clear();
            self.hidden = Hidden::default();
            let files = Files::of(&self.review);
            let old = std::mem::replace(&mut self.files, files);
            self.files.take_over(&old, |it| moves.file(it));
            self.view_anew();
        }
        self.judge();
        self.search = self.search.again();
        self.threads.moved(|it| moves.thread(it));
        self.inspector.thread = self.inspector.thread.and_then(|it| moves.thread(it));
        let width = self.reader.layout.width;
        let built = self.reader.layout.rows_built;
        self.reader.layout = Layout::of(self.scene(), width);
        self.reader.layout.rows_built += built;
        self.place(&sight);
    }

    /// Where the reader is, and how many rows above it show.
    pub(crate) fn sight(&mut self) -> Sight {
        let mark = self.landmark();
        let at = self.reader.at;
        let stage = self.stage();
        let above = stage.layout.below(stage.scene, at.top, at.cursor, at.height.max(1));
        Sight { mark, above: above.unwrap_or(0) }
    }

    /// Puts the reader there again.
    pub(crate) fn place(&mut self, sight: &Sight) {
        let spot = self.find(&sight.mark);
        let mut stage = self.stage();
        stage.at.cursor = spot;
        stage.at.top = stage.layout.step(stage.scene, spot, -i64::from(sight.above));
        stage.follow();
    }

    /// The threads that show, and whether each is open.
    fn in_sight(&self) -> Vec<(u32, bool)> {
        let at = self.reader.at;
        let rows = self.reader.layout.window(at.top, at.height as usize);
        let threads: BTreeSet<u32> = rows
            .filter_map(|it| match it.1 {
                Row::Thread { thread, .. } => Some(thread),
                _ => None,
            })
            .collect();
        let open = |it: u32| self.reader.folds.thread_open(it, &self.facts[it as usize]);
        threads.into_iter().map(|it| (it, open(it))).collect()
    }

    /// Facts of the new threads. What shows neither folds nor opens by itself.
    fn judge_anew(&mut self, moves: &Moves, open: &[(u32, bool)]) {
        let none_before = self.facts.is_empty();
        if let Some(discussion) = self.discussion.take() {
            self.discussion = Some(self.news.restated(discussion, &self.review.capture));
        }
        self.facts = facts::facts(&self.review, self.discussion.as_deref());
        for (thread, open) in open {
            if let Some(thread) = moves.thread(*thread) {
                let fact = &self.facts[thread as usize];
                if self.reader.folds.thread_open(thread, fact) != *open {
                    self.reader.folds.set_thread(thread, *open);
                }
            }
        }
        if none_before {
            self.inspector.shown |= !self.facts.is_empty();
        }
    }

    /// A viewed file whose patch is another now is opened again: there is something to look at.
    fn view_anew(&mut self) {
        let was: BTreeSet<u32> = self.viewed.changed.clone();
        self.viewed.meet(&self.review.diff, 0);
        for file in self.viewed.changed.difference(&was) {
            self.reader.folds.set_file(*file, false);
        }
    }
}

/// Whether two diffs show the same. O(bytes).
fn same_diff(a: &Arc<Diff>, b: &Arc<Diff>) -> bool {
    Arc::ptr_eq(a, b)
        || a.files.len() == b.files.len()
            && a.files.iter().zip(&b.files).all(|(a, b)| same_file(a, b))
}

fn same_file(a: &FileDiff, b: &FileDiff) -> bool {
    let head = |it: &FileDiff| (it.change, it.additions, it.deletions, it.old_mode, it.new_mode);
    let words = |it: &FileDiff| (it.path.clone(), it.previous_path.clone(), it.note.clone());
    head(a) == head(b)
        && a.lines.len() == b.lines.len()
        && words(a) == words(b)
        && a.body == b.body
        && a.lines.iter().zip(&b.lines).all(|(x, y)| {
            (x.old, x.new, x.kind, x.no_newline) == (y.old, y.new, y.kind, y.no_newline)
                && a.raw_bytes(x) == b.raw_bytes(y)
        })
}

#[cfg(test)]
mod tests;
