//! Steps and jumps over rows. A step lays out what it passes and no more.
//! Must not hold a cursor; it gets a spot and gives one.

use crate::app::layout::{
    Layout, Scene,
    row::{List, NO_LINE, Row, Spot},
};

/// Steps beyond this many rows go by the sums instead of row by row.
const FAR: u64 = 2_000;

impl Layout {
    /// The nearest spot that exists: rows may have vanished under a cursor.
    pub fn settle(&mut self, scene: Scene<'_>, spot: Spot) -> Spot {
        let last = self.pieces.all.len() as u32 - 1;
        let piece = spot.piece.min(last);
        let count = self.rows(scene, piece).len() as u32;
        if count > 0 {
            return Spot { piece, row: spot.row.min(count - 1) };
        }
        let back = self.last_before(scene, piece);
        back.or_else(|| self.first_after(scene, piece)).unwrap_or_default()
    }

    fn first_after(&mut self, scene: Scene<'_>, piece: u32) -> Option<Spot> {
        let mut next = piece + 1;
        while (next as usize) < self.pieces.all.len() {
            if !self.rows(scene, next).is_empty() {
                return Some(Spot { piece: next, row: 0 });
            }
            next += 1;
        }
        None
    }

    fn last_before(&mut self, scene: Scene<'_>, piece: u32) -> Option<Spot> {
        let mut before = piece;
        while before > 0 {
            before -= 1;
            let count = self.rows(scene, before).len() as u32;
            if count > 0 {
                return Some(Spot { piece: before, row: count - 1 });
            }
        }
        None
    }

    /// The spot `rows` below (or above, when negative), stopping at the ends.
    pub fn step(&mut self, scene: Scene<'_>, from: Spot, rows: i64) -> Spot {
        if rows.unsigned_abs() > FAR {
            let (at, _) = self.progress(from);
            let target = at.saturating_add_signed(rows);
            let (piece, row) = self.sums.find(target);
            return self.settle(scene, Spot { piece: piece as u32, row });
        }
        let mut spot = self.settle(scene, from);
        let mut rest = rows;
        while rest > 0 {
            let below = self.rows(scene, spot.piece).len() as u32 - 1 - spot.row;
            if i64::from(below) >= rest {
                spot.row += rest as u32;
                break;
            }
            let Some(next) = self.first_after(scene, spot.piece) else {
                spot.row += below;
                break;
            };
            rest -= i64::from(below) + 1;
            spot = next;
        }
        while rest < 0 {
            if i64::from(spot.row) >= -rest {
                spot.row -= -rest as u32;
                break;
            }
            let Some(before) = self.last_before(scene, spot.piece) else {
                spot.row = 0;
                break;
            };
            rest += i64::from(spot.row) + 1;
            spot = before;
        }
        spot
    }

    /// Rows from `top` down to `spot`, if it is fewer than `limit`.
    pub fn below(&mut self, scene: Scene<'_>, top: Spot, spot: Spot, limit: u32) -> Option<u32> {
        if spot < top {
            return None;
        }
        let mut rows = 0;
        let mut piece = top.piece;
        let mut from = top.row;
        while piece < spot.piece {
            rows += (self.rows(scene, piece).len() as u32).saturating_sub(from);
            if rows >= limit {
                return None;
            }
            (piece, from) = (piece + 1, 0);
        }
        rows += spot.row.saturating_sub(from);
        (rows < limit).then_some(rows)
    }

    /// The last row of the document.
    pub fn last(&mut self, scene: Scene<'_>) -> Spot {
        let last = self.pieces.all.len() as u32 - 1;
        self.settle(scene, Spot { piece: last, row: u32::MAX })
    }

    /// The spot of a code line, if its file is open.
    pub fn spot_of_line(&mut self, scene: Scene<'_>, file: u32, line: u32) -> Option<Spot> {
        let piece = self.piece_of_line(file, line);
        self.find(scene, piece, |row| shows_line(row, line))
    }

    /// The spot of a thread's first line, if its file and list are open.
    pub fn spot_of_thread(&mut self, scene: Scene<'_>, thread: u32) -> Option<Spot> {
        let piece = *self.pieces.of_thread.get(thread as usize)?;
        self.find(scene, piece, |row| matches!(row, Row::Thread { thread: it, .. } if it == thread))
    }

    /// The first row of a piece that fits.
    pub fn find(
        &mut self,
        scene: Scene<'_>,
        piece: u32,
        fits: impl Fn(Row) -> bool,
    ) -> Option<Spot> {
        let row = self.rows(scene, piece).iter().position(|it| fits(*it))? as u32;
        Some(Spot { piece, row })
    }

    /// Where a row went after its piece was laid out anew.
    pub fn again(&mut self, scene: Scene<'_>, spot: Spot, was: Row) -> Spot {
        let spot = self.settle(scene, spot);
        let rows = self.rows(scene, spot.piece);
        let same = |fits: &dyn Fn(Row) -> bool| rows.iter().rposition(|it| fits(*it));
        let found = same(&|it| it == was).or_else(|| match was {
            Row::Thread { thread, line } => same(
                &|it| matches!(it, Row::Thread { thread: t, line: l } if t == thread && l <= line),
            ),
            Row::Said { entry, .. } => {
                let list = if entry == 0 { List::Description } else { List::Conversation };
                same(&|it| matches!(it, Row::Said { entry: e, .. } if e == entry))
                    .or_else(|| same(&|it| matches!(it, Row::List { list: l, .. } if l == list)))
            }
            Row::Code { line, .. } | Row::Hidden { line, .. } => same(&|it| shows_line(it, line)),
            Row::Pair { left, right, .. } => {
                same(&|it| shows_line(it, if right == NO_LINE { left } else { right }))
            }
            _ => None,
        });
        Spot { row: found.map_or(spot.row, |it| it as u32), ..spot }
    }
}

/// Whether a row shows a code line, hidden runs standing for theirs.
fn shows_line(row: Row, wanted: u32) -> bool {
    match row {
        Row::Code { line, part, .. } => line == wanted && part == 0,
        Row::Pair { left, right, part, .. } => part == 0 && (left == wanted || right == wanted),
        Row::Hidden { line, count, .. } => (line..line + count).contains(&wanted),
        _ => false,
    }
}
