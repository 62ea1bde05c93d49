//! The diff as one document of rows: cursor, search, mouse and painter all address the same ones.
//! Must not walk the document: a piece is laid out when it meets the viewport, and its height until
//! then is an estimate that nothing but a percentage rests on.

pub mod block;
pub mod lay;
pub mod pieces;
pub mod row;
pub mod sums;
pub mod walk;

use crate::{
    app::{
        conversation,
        facts::Fact,
        layout::{
            block::Block,
            pieces::{Kind, NO_FILE, Pieces},
            row::{Row, Spot},
            sums::Sums,
        },
        look::{Folds, Look},
    },
    domain::{capture::Comment, diff::FileDiff, review::Review},
};
use std::collections::HashMap;

/// What the layout is made from.
#[derive(Debug, Clone, Copy)]
pub struct Scene<'a> {
    pub review: &'a Review,
    pub facts: &'a [Fact],
    /// What was said on the whole, see `conversation`.
    pub said: &'a [Comment],
    pub folds: &'a Folds,
    pub look: Look,
}

/// The rows of the document, as far as anybody saw them.
#[derive(Debug, Default)]
pub struct Layout {
    pub pieces: Pieces,
    /// Cells of the pane that shows it.
    pub width: usize,
    sums: Sums,
    laid: Vec<Option<Box<[Row]>>>,
    blocks: HashMap<u32, Block>,
    /// Blocks of what was said on the whole.
    said: HashMap<u16, Block>,
    /// Rows built since the start. Tests hold that a key builds a screenful, not a document.
    pub rows_built: u64,
}

impl Layout {
    /// A layout of nothing laid out yet. O(lines / 64 + threads).
    pub fn of(scene: Scene<'_>, width: usize) -> Self {
        let pieces = Pieces::of(scene.review, conversation::is_any(scene.said));
        let mut layout = Self { pieces, ..Self::default() };
        layout.reflow(scene, width);
        layout
    }

    /// Forgets every height, for another width or look. Pieces and so spots stay.
    pub fn reflow(&mut self, scene: Scene<'_>, width: usize) {
        self.width = width;
        self.blocks.clear();
        self.said.clear();
        self.laid = vec![None; self.pieces.all.len()];
        let guess = |piece| lay::estimate(scene, &self.pieces, piece);
        self.sums = Sums::of((0..self.pieces.all.len()).map(guess).collect());
    }

    /// Takes more files behind those that are there; what is laid out stays. O(pieces).
    pub fn grow(&mut self, scene: Scene<'_>, width: usize) {
        let before = std::mem::replace(
            &mut self.pieces,
            Pieces::of(scene.review, conversation::is_any(scene.said)),
        );
        if width != self.width || !self.pieces.all.starts_with(&before.all) {
            return self.reflow(scene, width);
        }
        self.laid.resize(self.pieces.all.len(), None);
        let guess = |at| lay::estimate(scene, &self.pieces, at);
        let known = |at: usize| if at < before.all.len() { self.sums.get(at) } else { guess(at) };
        self.sums = Sums::of((0..self.pieces.all.len()).map(known).collect());
    }

    /// Forgets one piece, after a fold in it.
    pub fn forget(&mut self, scene: Scene<'_>, piece: u32) {
        self.laid[piece as usize] = None;
        let height = lay::estimate(scene, &self.pieces, piece as usize);
        self.sums.set(piece as usize, height);
    }

    /// Forgets a thread's block and the piece it stands in.
    pub fn forget_thread(&mut self, scene: Scene<'_>, thread: u32) {
        self.blocks.remove(&thread);
        self.forget(scene, self.pieces.of_thread[thread as usize]);
    }

    /// Forgets the first piece, after a fold in what was said on the whole.
    pub fn forget_said(&mut self, scene: Scene<'_>) {
        self.said.clear();
        self.forget(scene, 0);
    }

    /// Forgets a file's pieces, after it was folded or opened.
    pub fn forget_file(&mut self, scene: Scene<'_>, file: u32) {
        for piece in self.pieces_of(file) {
            self.forget(scene, piece);
        }
    }

    /// The pieces of a file.
    pub fn pieces_of(&self, file: u32) -> std::ops::Range<u32> {
        let Some(start) = self.pieces.heads.get(file as usize) else {
            let last = self.pieces.all.len() as u32;
            let elsewhere = self.pieces.all.last().is_some_and(|it| it.file == NO_FILE);
            return last - u32::from(elsewhere)..last;
        };
        let next = self.pieces.heads.get(file as usize + 1).copied();
        let end = next.unwrap_or_else(|| {
            let after = &self.pieces.all[*start as usize..];
            start + after.iter().take_while(|it| it.file == file).count() as u32
        });
        *start..end
    }

    /// The piece that holds a line, by binary search.
    pub fn piece_of_line(&self, file: u32, line: u32) -> u32 {
        let range = self.pieces_of(file);
        let slice = &self.pieces.all[range.start as usize..range.end as usize];
        let before = |kind: &Kind| match kind {
            Kind::Head => true,
            Kind::Lines { lines, .. } => lines.end <= line,
            _ => false,
        };
        let at = slice.partition_point(|it| before(&it.kind)) as u32;
        (range.start + at).min(range.end.saturating_sub(1))
    }

    /// The rows of a piece, laid out now if they were not.
    pub fn rows(&mut self, scene: Scene<'_>, piece: u32) -> &[Row] {
        let at = piece as usize;
        if self.laid[at].is_none() {
            let threads: Vec<u32> = self.pieces.threads(&self.pieces.all[at]).to_vec();
            for thread in threads {
                let width = self.width;
                self.blocks.entry(thread).or_insert_with(|| Block::of(scene, thread, width));
            }
            if self.pieces.all[at].kind == Kind::Opening {
                for entry in 0..scene.said.len() as u16 {
                    if scene.folds.said_open(entry) {
                        self.said.insert(entry, Block::said(scene, entry, self.width));
                    }
                }
            }
            let rows = lay::rows(scene, self, at);
            self.rows_built += rows.len() as u64;
            self.sums.set(at, rows.len() as u32);
            self.laid[at] = Some(rows.into_boxed_slice());
        }
        self.laid[at].as_deref().expect("laid out just now")
    }

    /// The row at a spot that was laid out.
    pub fn row(&self, spot: Spot) -> Option<Row> {
        self.laid.get(spot.piece as usize)?.as_ref()?.get(spot.row as usize).copied()
    }

    /// The rows from a spot on that were laid out, at most `count`.
    pub fn window(&self, top: Spot, count: usize) -> impl Iterator<Item = (Spot, Row)> {
        let pieces = self.laid.iter().enumerate().skip(top.piece as usize);
        pieces
            .map_while(|(piece, rows)| Some((piece as u32, rows.as_deref()?)))
            .flat_map(|(piece, rows)| {
                let spot = move |(row, it): (usize, &Row)| (Spot { piece, row: row as u32 }, *it);
                rows.iter().enumerate().map(spot)
            })
            .skip(top.row as usize)
            .take(count)
    }

    /// A thread's block, when it was laid out.
    pub fn block(&self, thread: u32) -> Option<&Block> {
        self.blocks.get(&thread)
    }

    /// The block of something said on the whole, when it was laid out.
    pub fn said(&self, entry: u16) -> Option<&Block> {
        self.said.get(&entry)
    }

    /// Rows above a spot and rows in all, estimated where nobody looked yet.
    pub fn progress(&self, spot: Spot) -> (u64, u64) {
        (self.sums.before(spot.piece as usize) + u64::from(spot.row), self.sums.total())
    }
}

/// Digits of the largest line number of a file, at least three.
pub fn digits(file: &FileDiff) -> usize {
    let last = file.hunks.last().map_or(0, |it| {
        (it.old_start.saturating_add(it.old_count)).max(it.new_start.saturating_add(it.new_count))
    });
    last.max(100).ilog10() as usize + 1
}

/// Cells before the code in the unified form: mark, old and new number, sign, and blanks between.
pub fn gutter(file: &FileDiff) -> usize {
    2 * digits(file) + 5
}

/// Cells before the code in one half of the side-by-side form.
pub fn half_gutter(file: &FileDiff) -> usize {
    digits(file) + 4
}

/// Cells of each half of the side-by-side form, a rule between them.
pub fn halves(width: usize) -> (usize, usize) {
    let left = width.saturating_sub(1) / 2;
    (left, width.saturating_sub(1) - left)
}
