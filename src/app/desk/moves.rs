//! Where the threads, files and comments of one capture are in another of the same pull request.
//! Must not look at lines; a landmark does.

use crate::{
    app::{conversation::SAID, layout::pieces::NO_FILE, look::Folds},
    domain::{
        capture::{Comment, Id},
        review::Review,
        since::Key,
    },
};
use std::collections::HashMap;

/// Where things of one review are in another, for whatever is remembered by number.
pub struct Moves {
    /// For each thread its new number.
    pub threads: Vec<Option<u32>>,
    pub files: Vec<Option<u32>>,
    /// For each thread, and last for what was said on the whole, its comments' new numbers.
    comments: Vec<Vec<Option<u16>>>,
}

impl Moves {
    /// From one to the other; `said` as in `Desk`.
    pub fn between(
        (old, old_said): (&Review, &[Comment]),
        (new, new_said): (&Review, &[Comment]),
    ) -> Self {
        let place: HashMap<&Id, u32> =
            new.capture.review_threads.iter().zip(0..).map(|(it, at)| (&it.id, at)).collect();
        let olds = &old.capture.review_threads;
        let threads: Vec<_> = olds.iter().map(|it| place.get(&it.id).copied()).collect();
        let moved = |from: &[Comment], to: &[Comment]| {
            let place: HashMap<Key, u16> =
                to.iter().zip(0..).map(|(it, at)| (Key::of(it), at)).collect();
            from.iter().map(|it| place.get(&Key::of(it)).copied()).collect()
        };
        let mut comments: Vec<Vec<Option<u16>>> = olds
            .iter()
            .zip(&threads)
            .map(|(it, to)| {
                let to = to.map(|at| new.capture.review_threads[at as usize].comments.as_slice());
                moved(&it.comments, to.unwrap_or_default())
            })
            .collect();
        comments.push(moved(old_said, new_said));
        let mut paths: HashMap<&str, u32> = HashMap::new();
        for (file, at) in new.diff.files.iter().zip(0..) {
            paths.entry(file.path.raw()).or_insert(at);
        }
        for (file, at) in new.diff.files.iter().zip(0..) {
            if let Some(before) = &file.previous_path {
                paths.entry(before.raw()).or_insert(at);
            }
        }
        let files = old.diff.files.iter().map(|it| paths.get(it.path.raw()).copied()).collect();
        Self { threads, files, comments }
    }

    pub fn thread(&self, thread: u32) -> Option<u32> {
        self.threads.get(thread as usize).copied().flatten()
    }

    /// Files of no number stay what they are.
    pub fn file(&self, file: u32) -> Option<u32> {
        if file == NO_FILE {
            Some(NO_FILE)
        } else {
            self.files.get(file as usize).copied().flatten()
        }
    }

    /// A comment of a thread, or of what was said on the whole.
    pub fn comment(&self, thread: u32, comment: u16) -> Option<(u32, u16)> {
        let said = thread == SAID;
        let list = if said { self.comments.last() } else { self.comments.get(thread as usize) };
        let to = list?.get(usize::from(comment)).copied().flatten()?;
        Some((if said { thread } else { self.thread(thread)? }, to))
    }

    /// What was folded and opened, where it is now.
    pub fn folds(&self, before: &Folds) -> Folds {
        before.moved(
            |it| self.thread(it),
            |it| self.file(it),
            |thread, comment| self.comment(thread, comment),
        )
    }
}
