//! A review that is still being read: more files come behind those that are there. Must not move
//! what a person looks at, and must not forget what they did to it.

use crate::app::{desk::Desk, event::Opened, files::Files, viewed::ViewedMark};

impl Desk {
    /// Takes the same review with more files. Threads come only with the whole of a capture, so a
    /// review that grows has none.
    pub fn grow(&mut self, opened: Opened) {
        let known = self.review.diff.files.len();
        self.review = opened.review;
        self.take_viewed(known, opened.viewed);
        let before = std::mem::replace(&mut self.files, Files::of(&self.review));
        self.files.take_over(&before, Some);
        self.judge();
        let width = self.reader.layout.width;
        self.stage().keep(|layout, scene| layout.grow(scene, width));
        self.search.go_on();
    }

    /// Takes marks of viewed files in, for the files from `from` on, and folds those.
    pub(crate) fn take_viewed(&mut self, from: usize, marks: Vec<ViewedMark>) {
        for file in self.viewed.take(marks, &self.review.diff, from) {
            self.reader.folds.set_file(file, true);
        }
    }
}
