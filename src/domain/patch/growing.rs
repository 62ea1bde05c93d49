//! A diff of git that arrives in parts, indexed file by file as it comes. Must not show a file
//! before all of it is there, and must give the same files as reading it whole does.

use crate::domain::{
    diff::{Change, Diff, FileDiff},
    patch,
};

/// Where a file of git's diff begins. Lines of content have a sign before them, so nothing inside
/// a file looks like this.
const BEGIN: &[u8] = b"\ndiff --git ";
/// Whole files are indexed in parts of at least so many bytes, once there are so many lines.
const PART: usize = 64 << 10;
const ENOUGH: usize = 1_000;

/// What has come so far.
#[derive(Debug, Default)]
pub struct Growing {
    files: Vec<FileDiff>,
    /// Bytes of whole files that are not indexed yet, and of the file that still arrives.
    rest: Vec<u8>,
    /// Where the file that still arrives begins in `rest`.
    last: usize,
    /// How far `rest` was searched for the beginning of a file.
    searched: usize,
}

impl Growing {
    /// Takes the next bytes, cut wherever the pipe cut them.
    pub fn take(&mut self, bytes: &[u8]) {
        self.rest.extend_from_slice(bytes);
        let from = self.searched.saturating_sub(BEGIN.len());
        if let Some(at) = memchr::memmem::rfind(&self.rest[from..], BEGIN) {
            self.last = from + at + 1;
        }
        self.searched = self.rest.len();
        if self.last >= PART || (self.last > 0 && self.lines() < ENOUGH) {
            self.index(self.last);
        }
    }

    /// Lines that can be shown.
    pub fn lines(&self) -> usize {
        self.files.iter().map(|it| it.lines.len()).sum()
    }

    /// The files that can be shown. The newest one is held back while the next could say that it
    /// is the first half of a file that became a link.
    pub fn so_far(&self) -> Diff {
        let held = usize::from(self.files.last().is_some_and(|it| it.change == Change::Removed));
        Diff { files: self.files[..self.files.len() - held].to_vec() }
    }

    /// Everything, when nothing more comes.
    pub fn finish(mut self) -> Diff {
        self.index(self.rest.len());
        Diff { files: self.files }
    }

    fn index(&mut self, end: usize) {
        let known = self.files.len();
        self.files.extend(patch::parse(&self.rest[..end]).files);
        patch::join_type_changes(&mut self.files[known.saturating_sub(1)..]);
        self.rest.drain(..end);
        self.searched -= end;
        self.last = 0;
    }
}

#[cfg(test)]
mod tests {
    use crate::domain::{
        diff::{Diff, FileDiff},
        patch::{self, growing::Growing},
    };
    use proptest::prelude::*;

    const TEXT: &str = "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-diff --git b\n+diff --git c\n\
        diff --git a/link b/link\ndeleted file mode 100644\nindex 1..0\n--- a/link\n+++ /dev/null\n@@ -1 +0,0 @@\n-text\n\
        diff --git a/link b/link\nnew file mode 120000\nindex 0..2\n--- /dev/null\n+++ b/link\n@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n\
        diff --git a/old b/new\nsimilarity index 100%\nrename from old\nrename to new\n\
        diff --git a/p.png b/p.png\nindex 3..4 100644\nBinary files a/p.png and b/p.png differ\n";

    fn outline(diff: &Diff) -> Vec<String> {
        let of = |it: &FileDiff| {
            let lines: Vec<_> = it.lines.iter().map(|line| it.content(line)).collect();
            format!("{:?} {:?} {:?} {lines:?}", it.path, it.change, it.body)
        };
        diff.files.iter().map(of).collect()
    }

    proptest! {
        /// Wherever it is cut: the whole is the same, and a part is never taken back.
        #[test]
        fn parts_give_the_whole(cuts in prop::collection::vec(0..TEXT.len(), 0..20)) {
            let mut cuts = cuts;
            cuts.push(TEXT.len());
            cuts.sort_unstable();
            let whole = outline(&patch::parse(TEXT.as_bytes()));
            let (mut growing, mut from) = (Growing::default(), 0);
            for cut in cuts {
                growing.take(&TEXT.as_bytes()[from..cut]);
                from = cut;
                let part = outline(&growing.so_far());
                prop_assert!(whole.starts_with(&part), "{part:?}");
            }
            prop_assert_eq!(outline(&growing.finish()), whole);
        }
    }

    #[test]
    fn a_long_diff_comes_by_and_by() {
        let file = |at: usize| {
            let line = "+some words of a line that is added\n".repeat(100);
            format!(
                "diff --git a/f{at} b/f{at}\nnew file mode 100644\n--- /dev/null\n+++ b/f{at}\n@@ -0,0 +1,100 @@\n{line}"
            )
        };
        let text: String = (0..100).map(file).collect();
        let mut growing = Growing::default();
        let mut seen = Vec::new();
        for bytes in text.as_bytes().chunks(10_000) {
            growing.take(bytes);
            seen.push(growing.lines());
        }
        assert!(seen[0] >= 100 && seen.is_sorted() && seen[20] > 1_000, "{seen:?}");
        assert_eq!(growing.finish().files.len(), 100);
    }
}
