//! Which files of a review were viewed, and which of those have another patch by now.
//! Must not fold anything or write files.

use crate::domain::{
    diff::{Diff, FileDiff, LineKind},
    digest::Digest,
};
use std::collections::{BTreeMap, BTreeSet};

/// A file marked as viewed, as it is kept between sessions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ViewedMark {
    pub path: String,
    /// What its patch was; `None` in marks of versions that did not keep it.
    pub patch: Option<Digest>,
}

/// The marks, and what they mean for the files that are shown.
#[derive(Debug, Clone, Default)]
pub struct Viewed {
    marks: BTreeMap<String, Option<Digest>>,
    /// Viewed as they are now.
    pub files: BTreeSet<u32>,
    /// Viewed once, but their patch has changed since.
    pub changed: BTreeSet<u32>,
}

impl Viewed {
    /// Takes marks in and holds them against the files from `from` on. Gives the viewed ones.
    pub fn take(&mut self, marks: Vec<ViewedMark>, diff: &Diff, from: usize) -> Vec<u32> {
        for mark in marks {
            self.marks.entry(mark.path).or_insert(mark.patch);
        }
        self.meet(diff, from)
    }

    /// Holds the marks against the files from `from` on. Gives the viewed ones among them.
    pub fn meet(&mut self, diff: &Diff, from: usize) -> Vec<u32> {
        self.files.retain(|it| (*it as usize) < from);
        self.changed.retain(|it| (*it as usize) < from);
        let mut found = Vec::new();
        for (at, file) in diff.files.iter().enumerate().skip(from) {
            let Some(patch) = self.marks.get(file.path.raw()) else { continue };
            if patch.as_ref().is_none_or(|it| *it == patch_digest(file)) {
                self.files.insert(at as u32);
                found.push(at as u32);
            } else {
                self.changed.insert(at as u32);
            }
        }
        found
    }

    /// Marks a file as viewed as it is now, or takes the mark back. Says whether it is viewed.
    pub fn toggle(&mut self, at: u32, file: &FileDiff) -> bool {
        self.changed.remove(&at);
        let path = file.path.raw().to_owned();
        if self.files.remove(&at) {
            self.marks.remove(&path);
            return false;
        }
        self.marks.insert(path, Some(patch_digest(file)));
        self.files.insert(at)
    }

    /// The marks, for keeping.
    pub fn marks(&self) -> Vec<ViewedMark> {
        let mark = |(path, patch): (&String, &Option<Digest>)| ViewedMark {
            path: path.clone(),
            patch: patch.clone(),
        };
        self.marks.iter().map(mark).collect()
    }
}

/// What a person saw of a file: its lines with their signs. Line numbers are not in it, as they
/// move with every push to the base.
fn patch_digest(file: &FileDiff) -> Digest {
    let counts = format!("{:?} {} {}\n", file.change, file.additions, file.deletions);
    let mut bytes = counts.into_bytes();
    for line in &file.lines {
        bytes.push(match line.kind {
            LineKind::Context => b' ',
            LineKind::Added => b'+',
            LineKind::Removed => b'-',
        });
        bytes.extend_from_slice(file.raw_bytes(line));
        bytes.push(b'\n');
    }
    Digest::of(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::patch;

    fn diff(line: &str) -> Diff {
        let text = format!("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+{line}\n");
        patch::parse(text.as_bytes())
    }

    #[test]
    fn a_viewed_file_with_another_patch_is_changed_until_it_is_viewed_again() {
        let mut viewed = Viewed::default();
        assert!(viewed.toggle(0, &diff("new").files[0]));
        let mut again = Viewed::default();
        assert_eq!(again.take(viewed.marks(), &diff("new"), 0), [0]);
        assert_eq!(again.meet(&diff("newer"), 0), [0; 0]);
        assert!(again.changed.contains(&0) && again.files.is_empty());
        assert_eq!(again.marks(), viewed.marks(), "the old mark is kept");
        assert!(again.toggle(0, &diff("newer").files[0]));
        assert!(again.changed.is_empty() && again.files.contains(&0));
    }

    #[test]
    fn a_mark_without_a_patch_counts_as_viewed() {
        let mark = ViewedMark { path: "x".into(), patch: None };
        assert_eq!(Viewed::default().take(vec![mark], &diff("new"), 0), [0]);
    }
}
