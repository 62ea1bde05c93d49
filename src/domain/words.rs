//! Changed words: which parts of a removed and an added line differ, and which lines of a hunk
//! belong together. Must not measure cells or know colours; it works on bytes of the given text.

use crate::domain::diff::{FileDiff, Hunk, LineKind};
use similar::{Algorithm, DiffTag, capture_diff_slices};
use std::{borrow::Cow, collections::HashMap, ops::Range};
use unicode_segmentation::UnicodeSegmentation as _;

/// Longer lines are shown without changed words: data, not prose or code.
const LONGEST: usize = 2000;
/// Blocks with more lines on a side are paired by position or not at all.
const WIDEST: usize = 24;
/// Share of a pair that must be the same, in percent, for its differences to tell anything.
const ALIKE: usize = 35;

/// Byte ranges of `old` and `new` that differ, word by word, in order and apart. Both are empty
/// when the lines are equal, too long, or so different that every word would be marked.
/// Ranges begin and end between graphemes, so each can be a span of its own.
pub fn changed(old: &str, new: &str) -> (Vec<Range<usize>>, Vec<Range<usize>>) {
    if old.len().max(new.len()) > LONGEST || old == new {
        return (Vec::new(), Vec::new());
    }
    let (olds, news) = (words(old), words(new));
    if likeness(&olds, &news) < ALIKE {
        return (Vec::new(), Vec::new());
    }
    let (mut gone, mut come) = (Vec::new(), Vec::new());
    for op in capture_diff_slices(Algorithm::Myers, &olds, &news) {
        if op.tag() == DiffTag::Equal {
            continue;
        }
        put(&mut gone, old, span(&olds, op.old_range(), old));
        put(&mut come, new, span(&news, op.new_range(), new));
    }
    (gone, come)
}

/// Pairs of a removed and an added line of `hunk` that are two states of one line, as indices
/// into `FileDiff::lines`. A block of equally many removed and added lines pairs by position, any
/// other by likeness, in order; lines of one block never cross.
pub fn pairs(file: &FileDiff, hunk: &Hunk) -> Vec<(u32, u32)> {
    let mut pairs = Vec::new();
    let mut at = hunk.lines.start;
    while at < hunk.lines.end {
        let removed = run(file, at..hunk.lines.end, LineKind::Removed);
        let added = run(file, removed.end..hunk.lines.end, LineKind::Added);
        at = added.end.max(at + 1);
        if removed.len() == added.len() {
            pairs.extend(removed.zip(added));
        } else if removed.len().max(added.len()) <= WIDEST {
            pairs.extend(alike(file, removed, added));
        }
    }
    pairs
}

/// The lines of one kind at the front of `lines`.
fn run(file: &FileDiff, lines: Range<u32>, kind: LineKind) -> Range<u32> {
    let end = lines.clone().find(|it| file.lines[*it as usize].kind != kind);
    lines.start..end.unwrap_or(lines.end)
}

/// The pairing without crossings whose likenesses sum up highest.
fn alike(file: &FileDiff, removed: Range<u32>, added: Range<u32>) -> Vec<(u32, u32)> {
    let text = |lines: &Range<u32>| -> Vec<Cow<'_, str>> {
        lines.clone().map(|it| file.shown(&file.lines[it as usize]).into_raw()).collect()
    };
    let (olds, news) = (text(&removed), text(&added));
    let olds: Vec<_> = olds.iter().map(|it| short_words(it)).collect();
    let news: Vec<_> = news.iter().map(|it| short_words(it)).collect();
    let row = |old: &Vec<&str>| news.iter().map(|new| worth(likeness(old, new))).collect();
    let score: Vec<Vec<usize>> = olds.iter().map(row).collect();
    let matched = best_in_order(&score);
    matched.into_iter().map(|(i, j)| (removed.start + i as u32, added.start + j as u32)).collect()
}

/// Pairs (row, column), both rising, whose scores sum up highest; no pair has a score of zero.
fn best_in_order(score: &[Vec<usize>]) -> Vec<(usize, usize)> {
    let (rows, columns) = (score.len(), score.first().map_or(0, Vec::len));
    // best[i][j]: the highest sum for the rows from i and the columns from j on.
    let mut best = vec![vec![0; columns + 1]; rows + 1];
    for i in (0..rows).rev() {
        for j in (0..columns).rev() {
            let paired = score[i][j] + best[i + 1][j + 1];
            best[i][j] = paired.max(best[i + 1][j]).max(best[i][j + 1]);
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut pairs = Vec::new();
    while i < rows && j < columns {
        if score[i][j] > 0 && best[i][j] == score[i][j] + best[i + 1][j + 1] {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if best[i][j] == best[i + 1][j] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

fn short_words(text: &str) -> Vec<&str> {
    if text.len() > LONGEST { Vec::new() } else { words(text) }
}

fn worth(likeness: usize) -> usize {
    if likeness >= ALIKE { likeness } else { 0 }
}

/// A line's words: letters and digits in runs, blanks in runs, every other grapheme alone (`_`
/// too, so that the changed part of a long name shows).
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut from = 0;
    let mut kind = None;
    for (at, cluster) in text.grapheme_indices(true) {
        let now = Kind::of(cluster);
        if kind.is_some_and(|it| it != now || now == Kind::Sign) {
            words.push(&text[from..at]);
            from = at;
        }
        kind = Some(now);
    }
    if from < text.len() {
        words.push(&text[from..]);
    }
    words
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Word,
    Blank,
    Sign,
}

impl Kind {
    fn of(cluster: &str) -> Self {
        match cluster.chars().next() {
            Some(c) if c.is_alphanumeric() => Self::Word,
            Some(c) if c.is_whitespace() => Self::Blank,
            _ => Self::Sign,
        }
    }
}

/// How much of two lines is the same, in percent of the longer one, blanks left out. Order does
/// not count here, which makes it cheap.
fn likeness(olds: &[&str], news: &[&str]) -> usize {
    let solid = |it: &&&str| !it.trim().is_empty();
    let size = |it: &[&str]| it.iter().filter(solid).map(|it| it.len()).sum::<usize>();
    let whole = size(olds).max(size(news));
    let mut have: HashMap<&str, usize> = HashMap::new();
    for word in olds.iter().filter(solid) {
        *have.entry(word).or_default() += 1;
    }
    let mut same = 0;
    for word in news.iter().filter(solid) {
        if let Some(left) = have.get_mut(word).filter(|it| **it > 0) {
            *left -= 1;
            same += word.len();
        }
    }
    // Lines of blanks alone are alike.
    (same * 100).checked_div(whole).unwrap_or(100)
}

/// The bytes that a range of words covers. The words lie in `text` one behind the other.
fn span(words: &[&str], range: Range<usize>, text: &str) -> Range<usize> {
    let start = |at: usize| {
        words.get(at).map_or(text.len(), |it| it.as_ptr() as usize - text.as_ptr() as usize)
    };
    start(range.start)..start(range.end)
}

/// Adds a range, joined to the one before when only blanks lie between.
fn put(ranges: &mut Vec<Range<usize>>, text: &str, range: Range<usize>) {
    if range.is_empty() {
        return;
    }
    match ranges.last_mut() {
        Some(last) if text[last.end..range.start].trim().is_empty() => last.end = range.end,
        _ => ranges.push(range),
    }
}

#[cfg(test)]
mod tests {
    use crate::domain::{
        patch::parse,
        words::{changed, pairs},
    };
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

    #[track_caller]
    fn check(old: &str, new: &str, gone: &[&str], come: &[&str]) {
        let (olds, news) = changed(old, new);
        let olds: Vec<_> = olds.into_iter().map(|it| &old[it]).collect();
        let news: Vec<_> = news.into_iter().map(|it| &new[it]).collect();
        assert_eq!((olds.as_slice(), news.as_slice()), (gone, come));
    }

    #[test]
    fn changed_words_are_found() {
        check("let a = one(x);", "let b = one(x);", &["a"], &["b"]);
        check("retry_count > 3", "retry_budget > 3", &["count"], &["budget"]);
        check("f(a)", "f(a, b)", &[], &[", b"]);
        check("  x.y()", "    x.y()", &["  "], &["    "]);
        check("if a b c then", "if x y z then", &["a b c"], &["x y z"]);
        check("国 x = é", "国 x = e", &["é"], &["e"]);
    }

    #[test]
    fn lines_with_nothing_in_common_are_not_marked() {
        check("return None;", "let budget = self.budget;", &[], &[]);
        check("same", "same", &[], &[]);
        let long = "x ".repeat(1001);
        check(&long, &format!("{long}y"), &[], &[]);
    }

    #[test]
    fn lines_pair_by_position_or_by_likeness() {
        let diff = parse(b"--- a/x\n+++ b/x\n@@ -1,8 +1,9 @@\n c\n-one(a)\n-two(b)\n+one(x)\n+two(y)\n c\n-let first = f(1);\n-let third = f(3);\n+// a remark\n+let first = g(1);\n+let third = g(3);\n+\n c\n-gone\n");
        let file = &diff.files[0];
        assert_eq!(pairs(file, &file.hunks[0]), [(1, 3), (2, 4), (6, 9), (7, 10)]);
        let diff = parse(b"--- a/x\n+++ b/x\n@@ -1,3 +1,5 @@\n c\n-let first = f(1);\n-let third = f(3);\n+// a remark\n+let first = g(1);\n+let third = g(3);\n+\n");
        let file = &diff.files[0];
        assert_eq!(pairs(file, &file.hunks[0]), [(1, 4), (2, 5)]);
    }

    proptest! {
        #[test]
        fn what_is_not_marked_is_the_same(old in "[ab(é ]{0,30}", new in "[ab(é ]{0,30}") {
            let (gone, come) = changed(&old, &new);
            let rest = |text: &str, ranges: &[std::ops::Range<usize>]| {
                let mut out = String::new();
                let mut at = 0;
                for range in ranges {
                    out.push_str(&text[at..range.start]);
                    at = range.end;
                }
                out + &text[at..]
            };
            let blank = |it: String| it.replace(' ', "");
            if !(gone.is_empty() && come.is_empty()) {
                prop_assert_eq!(blank(rest(&old, &gone)), blank(rest(&new, &come)));
            }
            for (text, ranges) in [(&old, &gone), (&new, &come)] {
                prop_assert!(ranges.windows(2).all(|it| it[0].end < it[1].start));
                prop_assert!(ranges.iter().all(|it| it.start < it.end && it.end <= text.len()));
            }
        }
    }
}
