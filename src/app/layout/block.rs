//! A thread as lines: one when folded, its comments when open. Must not know how they are drawn,
//! nor how old they are: ages are the view's, since they change with every tick.

use crate::domain::text::outside::OutsideOption as _;
use crate::{
    app::{
        conversation::SAID,
        facts,
        layout::{Scene, halves},
        look::Part,
        prose::{self, Mark, Setting, suggest},
    },
    domain::{
        actor::is_process_noise,
        anchor::Place,
        capture::{Comment, Thread},
        diff::{FileDiff, LineKind, Side},
    },
};

/// Cells before the words of a thread: indent, bar, blank.
pub const INDENT: usize = 6;
/// The same in a half of the side-by-side form.
pub const HALF_INDENT: usize = 4;
/// Cells a reply stands further in.
pub const REPLY: usize = 2;
/// Words wider than this are tiring to read.
const WIDEST: usize = 100;
/// Lines of an old hunk that are shown: the last ones, where the comment stood.
const OLD_LINES: usize = 8;
/// Code lines a suggestion is compared with at most.
const COVERED: u32 = 200;

/// The lines of a thread.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Block {
    pub lines: Vec<Talk>,
}

/// One line of a thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Talk {
    /// The whole thread in one line.
    Folded,
    /// Author, age and tags of a comment.
    Head {
        comment: u16,
    },
    /// A comment the forge hides, and nobody opened here.
    Minimized {
        comment: u16,
    },
    Words {
        comment: u16,
        line: prose::Line,
    },
    /// A line of the hunk the thread was written on.
    Old {
        line: prose::Line,
    },
    /// Comments the forge has and the capture lacks.
    Missing {
        count: u64,
    },
}

impl Talk {
    /// The comment a line belongs to.
    pub fn comment(&self) -> Option<u16> {
        match self {
            Self::Head { comment } | Self::Minimized { comment } | Self::Words { comment, .. } => {
                Some(*comment)
            }
            _ => None,
        }
    }
}

impl Block {
    /// Lays a thread out for a pane of `width` cells.
    pub fn of(scene: Scene<'_>, at: u32, width: usize) -> Self {
        let (thread, fact) =
            (&scene.review.capture.review_threads[at as usize], &scene.facts[at as usize]);
        if !scene.folds.thread_open(at, fact) {
            return Self { lines: vec![Talk::Folded] };
        }
        let cells = words_width(scene, at, width);
        let mut block = Self::default();
        let gone = matches!(
            scene.review.placement.places[at as usize],
            Place::Outdated { .. } | Place::Elsewhere(_)
        );
        if gone || scene.folds.old_shown(at) {
            let most = if scene.folds.old_shown(at) { usize::MAX } else { OLD_LINES };
            block.old_hunk(thread, cells, most);
        }
        let covered = covered(scene, at);
        for (number, comment) in thread.comments.iter().enumerate() {
            block.comment(scene, (at, number as u16), comment, (cells, covered.as_deref()));
        }
        if thread.comments.is_empty() {
            block.lines.push(Talk::Folded);
        }
        let here = thread.comments.len() as u64;
        if let Some(total) = thread.comments_total.filter(|it| *it > here) {
            block.lines.push(Talk::Missing { count: total - here });
        }
        block
    }

    /// Lays out something said on the whole pull request.
    pub fn said(scene: Scene<'_>, entry: u16, width: usize) -> Self {
        let comment = &scene.said[usize::from(entry)];
        let mut block = Self { lines: vec![Talk::Head { comment: entry }] };
        let quiet = comment.is_minimized == Some(true) || is_process_noise(comment);
        if quiet && !scene.folds.part_open(SAID, entry, Part::Minimized) {
            block.lines.push(Talk::Minimized { comment: entry });
            return block;
        }
        let open = scene.folds.details(SAID, entry);
        let cells = width.saturating_sub(INDENT + 1).clamp(8, WIDEST);
        let setting = Setting { width: cells, covered: None, open: &open };
        let lines = prose::lay(comment.body.raw().unwrap_or_default(), setting);
        block.lines.extend(lines.into_iter().map(|line| Talk::Words { comment: entry, line }));
        block
    }

    fn comment(
        &mut self,
        scene: Scene<'_>,
        (thread, number): (u32, u16),
        comment: &Comment,
        (cells, covered): (usize, Option<&[String]>),
    ) {
        self.lines.push(Talk::Head { comment: number });
        let hidden = comment.is_minimized == Some(true) && !facts::pending(comment);
        if hidden && !scene.folds.part_open(thread, number, Part::Minimized) {
            self.lines.push(Talk::Minimized { comment: number });
            return;
        }
        let open = scene.folds.details(thread, number);
        let room = cells.saturating_sub(if number > 0 { REPLY } else { 0 });
        let setting = Setting { width: room.max(8), covered, open: &open };
        let body = comment.body.raw().unwrap_or_default();
        let lines = prose::lay(body, setting);
        self.lines.extend(lines.into_iter().map(|line| Talk::Words { comment: number, line }));
    }

    fn old_hunk(&mut self, thread: &Thread, cells: usize, most: usize) {
        let hunk = thread.comments.iter().find_map(|it| it.diff_hunk.raw());
        let lines: Vec<&str> = hunk.unwrap_or_default().lines().collect();
        let skip = lines.len().saturating_sub(most);
        for line in &lines[skip..] {
            let (sign, mark, rest) = match line.split_at_checked(1) {
                Some(("+", rest)) => ("+ ", Mark::Added, rest),
                Some(("-", rest)) => ("- ", Mark::Removed, rest),
                Some((" ", rest)) => ("  ", Mark::Block, rest),
                _ => ("", Mark::Muted, *line),
            };
            let lines = suggest::code(sign, mark, rest, cells);
            self.lines.extend(lines.into_iter().take(2).map(|line| Talk::Old { line }));
        }
    }
}

fn words_width(scene: Scene<'_>, thread: u32, width: usize) -> usize {
    let cells = match scene.review.placement.places[thread as usize] {
        Place::Line { side, .. } if scene.look.split => {
            let (left, right) = halves(width);
            let half = if side == Side::Left { left } else { right };
            half.saturating_sub(HALF_INDENT + 1)
        }
        _ => width.saturating_sub(INDENT + 1),
    };
    cells.clamp(8, WIDEST)
}

/// The lines a thread covers: in the diff, or in the hunk it was written on when they are gone.
fn covered(scene: Scene<'_>, at: u32) -> Option<Vec<String>> {
    match scene.review.placement.places[at as usize] {
        Place::Line { file, line, side, start, .. } => {
            let diff = &scene.review.diff.files[file as usize];
            let first = start.unwrap_or(line).max(line.saturating_sub(COVERED));
            Some(side_lines(diff, first.min(line)..=line, side))
        }
        Place::Outdated { .. } | Place::Elsewhere(_) => {
            let thread = &scene.review.capture.review_threads[at as usize];
            old_lines(thread)
        }
        _ => None,
    }
}

fn side_lines(diff: &FileDiff, range: std::ops::RangeInclusive<u32>, side: Side) -> Vec<String> {
    let lines = range.filter_map(|at| diff.lines.get(at as usize));
    lines
        .filter(|it| it.number(side).is_some())
        .map(|it| {
            String::from_utf8_lossy(&diff.raw_bytes(it)[..(it.len as usize).min(2_000)])
                .into_owned()
        })
        .collect()
}

fn old_lines(thread: &Thread) -> Option<Vec<String>> {
    let hunk = thread.comments.iter().find_map(|it| it.diff_hunk.raw())?;
    let left = thread.side.as_deref() == Some("LEFT");
    let gone = if left { LineKind::Added } else { LineKind::Removed };
    let kept = |it: &&str| match it.bytes().next() {
        Some(b'+') => gone != LineKind::Added,
        Some(b'-') => gone != LineKind::Removed,
        Some(b'@' | b'\\') => false,
        _ => true,
    };
    let lines: Vec<&str> = hunk.lines().filter(kept).collect();
    let span = thread.original_line.zip(thread.original_start_line);
    let count =
        span.map_or(1, |(last, first)| last.saturating_sub(first) + 1).min(lines.len() as u64);
    let tail = &lines[lines.len() - count as usize..];
    Some(tail.iter().map(|it| it.get(1..).unwrap_or_default().to_owned()).collect())
}
