//! What is new to the person at a desk: marks on comments until they were on them, and what the
//! summaries have not read yet. Must not compare captures; `domain::since` does.

use crate::{
    app::{
        desk::Desk,
        layout::row::{List, Row, Spot},
    },
    domain::{
        actor::Identity,
        capture::{Capture, Comment, Id},
        since::{Changes, Fresh, Key},
    },
    summary::{checks, discussion::Discussion},
};
use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

/// The marks.
#[derive(Debug, Clone, Default)]
pub struct News {
    marks: HashMap<Key, Fresh>,
    /// The comment the cursor is on; its mark goes when the cursor does.
    on: Option<Key>,
    /// Comments that were there before and are gone.
    pub gone: usize,
    /// Threads that differ from what the summaries may rest on.
    touched: HashSet<Id>,
}

impl News {
    /// Takes the difference of a newer capture in.
    pub fn take(&mut self, changes: &Changes) {
        for (key, fresh) in &changes.comments {
            let mark = self.marks.entry(key.clone()).or_insert(*fresh);
            *mark = (*mark).max(*fresh);
        }
        self.gone += changes.gone;
        self.touched.extend(changes.threads.iter().cloned());
    }

    /// Takes every mark back; what is touched stays so.
    pub fn forget(&mut self) {
        let touched = std::mem::take(&mut self.touched);
        *self = Self { touched, ..Self::default() };
    }

    /// How a comment is marked.
    pub fn of(&self, comment: &Comment) -> Option<Fresh> {
        if self.marks.is_empty() {
            return None;
        }
        self.marks.get(&Key::of(comment)).copied()
    }

    /// Whether anything is marked.
    pub fn is_any(&self) -> bool {
        !self.marks.is_empty()
    }

    /// Comments marked as new, and as edited.
    pub fn counts(&self) -> (usize, usize) {
        let new = self.marks.values().filter(|it| **it == Fresh::New).count();
        (new, self.marks.len() - new)
    }

    /// The cursor is on this comment now. The mark of the one it was on goes.
    pub fn stand_on(&mut self, comment: Option<Key>) -> bool {
        if self.on == comment {
            return false;
        }
        let left = std::mem::replace(&mut self.on, comment);
        left.is_some_and(|it| self.marks.remove(&it).is_some())
    }

    /// A summary with the entries that rest on older words called stale.
    pub fn restated(&self, discussion: Arc<Discussion>, capture: &Capture) -> Arc<Discussion> {
        if self.touched.is_empty() {
            return discussion;
        }
        let nobody = Identity::default();
        let threads: HashMap<&Id, _> = capture
            .review_threads
            .iter()
            .filter(|it| self.touched.contains(&it.id))
            .map(|it| (&it.id, it))
            .collect();
        let mut discussion = Arc::unwrap_or_clone(discussion);
        for entry in &mut discussion.threads {
            if let Some(thread) = threads.get(&entry.thread_id) {
                entry.checks.retain(|it| !it.starts_with("stale"));
                entry.checks.extend(checks::staleness(entry, thread, &nobody));
            }
        }
        Arc::new(discussion)
    }
}

impl Desk {
    /// Takes the mark off the comment the cursor has left.
    pub fn notice_cursor(&mut self) {
        if !self.news.is_any() {
            return;
        }
        let on = match self.reader.layout.row(self.reader.at.cursor) {
            Some(Row::Thread { thread, line }) => {
                let block = self.reader.layout.block(thread);
                let comment = block.and_then(|it| it.lines.get(usize::from(line))?.comment());
                let raw = &self.review.capture.review_threads[thread as usize].comments;
                comment.and_then(|it| raw.get(usize::from(it)))
            }
            Some(Row::Said { entry, .. }) => self.said.get(usize::from(entry)),
            _ => None,
        };
        let on = on.map(Key::of);
        if self.news.stand_on(on) {
            self.judge();
        }
    }

    /// Notes which threads hold a marked comment.
    pub(crate) fn mark_fresh(&mut self) {
        let threads = &self.review.capture.review_threads;
        for (fact, thread) in self.facts.iter_mut().zip(threads) {
            fact.fresh = thread.comments.iter().filter_map(|it| self.news.of(it)).max();
        }
    }
}

/// A comment's place in the order of the document: those on the whole first, then by the rank of
/// their thread.
type Seat = (u8, i64, i32);

impl Desk {
    /// Puts the cursor on the marked comment `count` further (or back), around the end. Says
    /// whether there is one.
    pub fn jump_fresh(&mut self, count: i64) -> bool {
        let marked = self.marked();
        if marked.is_empty() || count == 0 {
            return false;
        }
        let here = self.seat();
        let passed = if count > 0 {
            marked.partition_point(|it| *it <= here) as i64 + count - 1
        } else {
            marked.partition_point(|it| *it < here) as i64 + count
        };
        let (on, place, number) = marked[passed.rem_euclid(marked.len() as i64) as usize];
        if on == 0 {
            self.go_to_said(place as u16);
        } else {
            let thread = self.reader.layout.pieces.order[place as usize];
            self.go_to_comment(thread, number as u16);
        }
        true
    }

    fn marked(&self) -> Vec<Seat> {
        let said = self.said.iter().zip(0..).filter(|it| self.news.of(it.0).is_some());
        let mut seats: Vec<Seat> = said.map(|(_, entry)| (0, entry, 0)).collect();
        for (thread, rank) in self.reader.layout.pieces.order.iter().zip(0..) {
            if self.facts[*thread as usize].fresh.is_none() {
                continue;
            }
            let comments = &self.review.capture.review_threads[*thread as usize].comments;
            let fresh = comments.iter().zip(0..).filter(|it| self.news.of(it.0).is_some());
            seats.extend(fresh.map(|(_, number)| (1, rank, number)));
        }
        seats
    }

    /// Where the cursor is in that order.
    fn seat(&mut self) -> Seat {
        match self.stage().row() {
            Row::Said { entry, .. } => (0, i64::from(entry), 0),
            Row::List { list: List::Description | List::Conversation, .. } => (0, -1, 0),
            Row::Thread { thread, line } => {
                let block = self.reader.layout.block(thread);
                let comment = block.and_then(|it| it.lines.get(usize::from(line))?.comment());
                let rank = self.reader.layout.pieces.rank[thread as usize];
                (1, i64::from(rank), comment.map_or(-1, i32::from))
            }
            _ => (1, self.thread_rank().0 as i64 - 1, i32::MAX),
        }
    }

    fn go_to_said(&mut self, entry: u16) {
        self.open_said(entry);
        let mut stage = self.stage();
        let wanted = Row::Said { entry, line: 0 };
        if let Some(spot) = stage.layout.find(stage.scene, 0, |it| it == wanted) {
            stage.jump(spot);
        }
    }

    /// Puts the cursor on the heading of a comment, opening what hides it.
    fn go_to_comment(&mut self, thread: u32, comment: u16) {
        if !self.reader.folds.thread_open(thread, &self.facts[thread as usize]) {
            self.reader.folds.set_thread(thread, true);
            self.stage().keep(|layout, scene| layout.forget_thread(scene, thread));
        }
        self.go_to_thread(thread);
        let mut stage = self.stage();
        let Some(top) = stage.layout.spot_of_thread(stage.scene, thread) else { return };
        let lines = stage.layout.block(thread).map_or(&[][..], |it| it.lines.as_slice());
        let head = lines.iter().position(|it| it.comment() == Some(comment)).unwrap_or(0);
        stage.jump(Spot { row: top.row + head as u32, ..top });
    }
}
