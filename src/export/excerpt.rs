//! Which lines of the diff a document shows. Must not hide silently: what it skips, it counts.
//!
//! A small change is shown whole. Of a big one only the surroundings of threads are shown, since
//! 100,000 lines in one page help nobody; the other files are listed with their counts.

use crate::{domain::diff::FileDiff, export::join::Dossier};
use std::ops::Range;

/// A change of at most so many diff lines is shown whole (about 1 MB of HTML).
const WHOLE_CHANGE: usize = 4_000;
/// In a bigger change, a file with threads is shown whole up to this many lines.
const WHOLE_FILE: usize = 200;
/// Lines around a thread in a longer file.
const AROUND: u32 = 10;
/// A gap shorter than this is shown rather than skipped.
const SMALL_GAP: u32 = 4;

/// A part of one file, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// The header of a hunk, by its index.
    Header(usize),
    /// Lines to show, as indices into `FileDiff::lines`.
    Lines(Range<u32>),
    /// So many lines are not shown here.
    Skipped(u32),
}

/// Whether the whole change is small enough to be shown.
pub fn whole(dossier: &Dossier<'_>) -> bool {
    dossier.diff.files.iter().map(|it| it.lines.len()).sum::<usize>() <= WHOLE_CHANGE
}

/// The parts of one file. `covered` are the lines its threads cover, in any order.
pub fn pieces(file: &FileDiff, covered: &[Range<u32>], whole: bool) -> Vec<Piece> {
    if whole || (!covered.is_empty() && file.lines.len() <= WHOLE_FILE) {
        let hunks = file.hunks.iter().enumerate();
        return hunks
            .flat_map(|(at, hunk)| [Piece::Header(at), Piece::Lines(hunk.lines.clone())])
            .collect();
    }
    let windows = windows(covered);
    let mut out = Vec::new();
    for (at, hunk) in file.hunks.iter().enumerate() {
        hunk_pieces(at, &hunk.lines, &windows, &mut out);
    }
    out
}

/// How many lines the pieces show.
pub fn shown(pieces: &[Piece]) -> usize {
    let lines = pieces.iter().map(|it| match it {
        Piece::Lines(range) => range.len(),
        Piece::Header(_) | Piece::Skipped(_) => 0,
    });
    lines.sum()
}

/// The covered lines with their surroundings, sorted, apart from each other.
fn windows(covered: &[Range<u32>]) -> Vec<Range<u32>> {
    let mut wide: Vec<_> = (covered.iter())
        .map(|it| it.start.saturating_sub(AROUND)..it.end.saturating_add(AROUND))
        .collect();
    wide.sort_by_key(|it| it.start);
    let mut out: Vec<Range<u32>> = Vec::new();
    for next in wide {
        match out.last_mut() {
            Some(last) if next.start < last.end + SMALL_GAP => last.end = last.end.max(next.end),
            _ => out.push(next),
        }
    }
    out
}

fn hunk_pieces(at: usize, hunk: &Range<u32>, windows: &[Range<u32>], out: &mut Vec<Piece>) {
    let mut from = hunk.start;
    let mut open = false;
    for window in windows.iter().filter(|it| it.start < hunk.end && it.end > hunk.start) {
        if !open {
            out.push(Piece::Header(at));
            open = true;
        }
        let start = window.start.max(hunk.start);
        skip(start.saturating_sub(from), out);
        from = window.end.min(hunk.end);
        out.push(Piece::Lines(start..from));
    }
    skip(hunk.end - from, out);
}

fn skip(count: u32, out: &mut Vec<Piece>) {
    match out.last_mut() {
        _ if count == 0 => {}
        Some(Piece::Skipped(before)) => *before += count,
        _ => out.push(Piece::Skipped(count)),
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        domain::diff::{Change, FileDiff, Hunk},
        export::excerpt::{Piece, pieces, shown},
    };
    use std::ops::Range;

    fn file(hunks: &[u32]) -> FileDiff {
        let mut file = FileDiff::named("a".into(), Change::Modified);
        let mut at = 0;
        for count in hunks {
            let section = 0..0;
            let lines = at..at + count;
            at += count;
            file.hunks.push(Hunk {
                old_start: 1,
                old_count: 0,
                new_start: 1,
                new_count: *count,
                section,
                lines,
            });
        }
        file
    }

    fn check(hunks: &[u32], covered: &[Range<u32>], expected: &[Piece]) {
        let mut file = file(hunks);
        let total = hunks.iter().sum::<u32>();
        file.lines = vec![
            crate::domain::diff::DiffLine {
                at: 0,
                len: 0,
                old: 0,
                new: 1,
                kind: crate::domain::diff::LineKind::Added,
                no_newline: false,
            };
            total as usize
        ];
        let found = pieces(&file, covered, false);
        assert_eq!(found, expected);
        let skipped: u32 =
            found.iter().map(|it| if let Piece::Skipped(n) = it { *n } else { 0 }).sum();
        assert_eq!(shown(&found) as u32 + skipped, total, "every line is shown or counted");
    }

    #[test]
    fn shows_the_surroundings_of_threads_and_counts_the_rest() {
        check(&[500], &[], &[Piece::Skipped(500)]);
        check(
            &[300, 300],
            &[Range { start: 350, end: 351 }],
            &[
                Piece::Skipped(300),
                Piece::Header(1),
                Piece::Skipped(40),
                Piece::Lines(340..361),
                Piece::Skipped(239),
            ],
        );
        check(
            &[500],
            &[100..101, 112..113, 400..401],
            &[
                Piece::Header(0),
                Piece::Skipped(90),
                Piece::Lines(90..123),
                Piece::Skipped(267),
                Piece::Lines(390..411),
                Piece::Skipped(89),
            ],
        );
        check(
            &[250],
            &[Range { start: 0, end: 1 }],
            &[Piece::Header(0), Piece::Lines(0..11), Piece::Skipped(239)],
        );
    }

    #[test]
    fn a_short_file_with_a_thread_is_shown_whole() {
        check(&[20], &[Range { start: 3, end: 4 }], &[Piece::Header(0), Piece::Lines(0..20)]);
    }
}
