//! A review that is still being read: more files come behind those that are there. Must not move
//! what a person looks at, and must not forget what they did to it.

use crate::app::{desk::Desk, event::Opened, files::Files};

impl Desk {
    /// Takes the same review with more files. Threads come only with the whole of a capture, so a
    /// review that grows has none.
    pub fn grow(&mut self, opened: Opened) {
        let known = self.review.diff.files.len();
        self.review = opened.review;
        self.view(known, &opened.viewed);
        let before = std::mem::replace(&mut self.files, Files::of(&self.review));
        self.files.take_over(&before);
        self.judge();
        let width = self.reader.layout.width;
        self.stage().keep(|layout, scene| layout.grow(scene, width));
        self.search.go_on();
    }

    /// Marks the files from `from` on that were viewed, and folds them.
    pub(crate) fn view(&mut self, from: usize, viewed: &[String]) {
        for (at, file) in self.review.diff.files.iter().enumerate().skip(from) {
            if viewed.iter().any(|it| it == file.path.raw()) {
                self.viewed.insert(at as u32);
                self.reader.folds.set_file(at as u32, true);
            }
        }
    }
}
