//! The colours known so far, by file and line. Read by the painter on every frame; must not
//! compute any.

use crate::tui::theme::Syntax;
use std::collections::HashMap;

/// Characters of a displayed line up to `end` (exclusive, counted from the line's start) are of
/// one class; `None` is plain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    pub end: u16,
    pub class: Option<Syntax>,
}

/// Runs of the lines of one diff.
#[derive(Debug, Default)]
pub struct Colours {
    lines: HashMap<(u32, u32), Box<[Run]>>,
}

/// Lines kept; beyond it those far from the reader are forgotten (about 4 MB).
const KEPT: usize = 16_384;

impl Colours {
    /// The runs of a line, if they are known. An empty slice is a line known to be plain.
    pub fn of(&self, file: u32, line: u32) -> Option<&[Run]> {
        self.lines.get(&(file, line)).map(AsRef::as_ref)
    }

    /// Whether a line needs no more work.
    pub fn has(&self, file: u32, line: u32) -> bool {
        self.lines.contains_key(&(file, line))
    }

    /// Whether no line is known.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Learns a line.
    pub fn insert(&mut self, file: u32, line: u32, runs: Box<[Run]>) {
        self.lines.insert((file, line), runs);
    }

    /// Forgets what is far from `file` and `line`, once there is too much.
    pub fn trim(&mut self, file: u32, line: u32) {
        if self.lines.len() > KEPT {
            let near = KEPT as u32 / 4;
            self.lines.retain(|at, _| at.0 == file && at.1.abs_diff(line) < near);
        }
    }

    /// Forgets everything: another diff is shown.
    pub fn clear(&mut self) {
        self.lines.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_bounded_and_what_is_near_stays() {
        let mut colours = Colours::default();
        for line in 0..=KEPT as u32 {
            colours.insert(3, line, Box::default());
        }
        colours.trim(3, 9_000);
        assert!(colours.lines.len() < KEPT);
        assert!(colours.has(3, 9_000) && colours.has(3, 9_100) && !colours.has(3, 1));
    }
}
