//! How many hidden and control characters each file's hunks hold, counted in slices while nothing
//! else waits. Must not hold a key up: a slice is bounded.

use crate::domain::diff::{Diff, FileDiff};

/// Bytes counted before a slice ends.
const SLICE: usize = 1 << 19;

/// Counts so far.
#[derive(Debug, Clone, Default)]
pub struct Hidden {
    counts: Vec<usize>,
    /// The next line to look at.
    file: usize,
    line: usize,
}

impl Hidden {
    /// What is known of a file; a count grows while its lines are being looked at.
    pub fn count(&self, file: u32) -> Option<usize> {
        self.counts.get(file as usize).copied()
    }

    /// Counts on. Says whether there is more.
    pub fn advance(&mut self, diff: &Diff) -> bool {
        let mut seen = 0;
        while seen < SLICE {
            let Some(file) = diff.files.get(self.file) else { return false };
            if self.line == 0 {
                let path = file.path.hidden();
                self.counts.push(path);
            }
            let count = self.lines(file, &mut seen);
            if let Some(last) = self.counts.last_mut() {
                *last += count;
            }
            if self.line >= file.lines.len() {
                (self.file, self.line) = (self.file + 1, 0);
            }
        }
        true
    }

    fn lines(&mut self, file: &FileDiff, seen: &mut usize) -> usize {
        let mut count = 0;
        *seen += 64;
        while self.line < file.lines.len() && *seen < SLICE {
            let line = &file.lines[self.line];
            count += file.shown(line).hidden();
            *seen += line.len as usize + 16;
            self.line += 1;
        }
        count
    }
}
