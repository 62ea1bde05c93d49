//! Jumps over the diff: hunks, files, threads. Each is a binary search, not a walk.

use crate::app::{
    desk::Desk,
    facts::Fact,
    layout::{
        pieces::NO_FILE,
        row::{NO_LINE, Row, Spot},
    },
};

impl Desk {
    /// The hunk `count` further (or back). Says whether there was one.
    pub fn jump_hunk(&mut self, count: i64) -> bool {
        let cursor = self.reader.at.cursor;
        let on_header = matches!(self.stage().row(), Row::Hunk { .. });
        let hunks = &self.reader.layout.pieces.hunks;
        let passed = hunks.partition_point(|it| *it <= cursor.piece) as i64;
        let inside = i64::from(count < 0 && !on_header);
        let target = usize::try_from(passed - 1 + count + inside).ok();
        let Some(piece) = target.and_then(|it| hunks.get(it).copied()) else { return false };
        let file = self.reader.layout.pieces.all[piece as usize].file;
        self.unfold_file(file);
        let mut stage = self.stage();
        let spot = stage.layout.find(stage.scene, piece, |it| matches!(it, Row::Hunk { .. }));
        stage.jump(spot.unwrap_or(Spot { piece, row: 0 }));
        true
    }

    /// The file `count` further (or back); back goes to this file's header first.
    pub fn jump_file(&mut self, count: i64) -> bool {
        let cursor = self.reader.at.cursor;
        let on_header = matches!(self.stage().row(), Row::File { .. } | Row::Blank);
        let heads = &self.reader.layout.pieces.heads;
        let passed = heads.partition_point(|it| *it <= cursor.piece) as i64;
        let inside = i64::from(count < 0 && !on_header);
        let target = passed - 1 + count + inside;
        if target < 0 || target >= heads.len() as i64 {
            return false;
        }
        self.go_to_file(target as u32);
        true
    }

    /// Puts the cursor on a file's header.
    pub fn go_to_file(&mut self, file: u32) {
        let Some(piece) = self.reader.layout.pieces.heads.get(file as usize).copied() else {
            return;
        };
        let mut stage = self.stage();
        let spot = stage.layout.find(stage.scene, piece, |it| matches!(it, Row::File { .. }));
        let spot = spot.unwrap_or(Spot { piece, row: 0 });
        stage.at.cursor = spot;
        stage.at.top = spot;
        stage.follow();
    }

    /// The thread `count` further (or back) among those wanted. Says whether there was one.
    pub fn jump_thread(&mut self, count: i64, wanted: impl Fn(&Fact) -> bool) -> bool {
        let rank = self.thread_rank();
        let order = &self.reader.layout.pieces.order;
        let fits = |at: &usize| wanted(&self.facts[order[*at] as usize]);
        let (before, on) = rank;
        let nth = count.unsigned_abs() as usize - 1;
        let found = if count > 0 {
            (before + usize::from(on)..order.len()).filter(fits).nth(nth)
        } else {
            (0..before).rev().filter(fits).nth(nth)
        };
        let Some(thread) = found.map(|at| order[at]) else { return false };
        self.go_to_thread(thread);
        true
    }

    /// How many threads stand before the cursor, and whether the cursor is on the next one.
    pub(crate) fn thread_rank(&mut self) -> (usize, bool) {
        let cursor = self.reader.at.cursor;
        if let Row::Thread { thread, .. } = self.stage().row() {
            return (self.reader.layout.pieces.rank[thread as usize] as usize, true);
        }
        let stage = self.stage();
        let rows = stage.layout.rows(stage.scene, cursor.piece);
        let above = rows.iter().take(cursor.row as usize).rev();
        let last = above.copied().find_map(|it| match it {
            Row::Thread { thread, .. } => Some(thread),
            _ => None,
        });
        let pieces = &self.reader.layout.pieces;
        let before = match last {
            Some(thread) => pieces.rank[thread as usize] as usize + 1,
            None => pieces.all[cursor.piece as usize].threads.start as usize,
        };
        (before, false)
    }

    /// Puts the cursor on a thread, opening the file and the list it is in.
    pub fn go_to_thread(&mut self, thread: u32) {
        let Some(piece) = self.reader.layout.pieces.of_thread.get(thread as usize).copied() else {
            return;
        };
        let file = self.reader.layout.pieces.all[piece as usize].file;
        self.unfold_file(file);
        self.unfold_lists(piece);
        let mut stage = self.stage();
        if let Some(spot) = stage.layout.spot_of_thread(stage.scene, thread) {
            stage.jump(spot);
        }
    }

    /// Puts the cursor on a code line.
    pub fn go_to_line(&mut self, file: u32, line: u32) {
        self.unfold_file(file);
        let mut stage = self.stage();
        if let Some(spot) = stage.layout.spot_of_line(stage.scene, file, line) {
            stage.jump(spot);
        }
    }

    /// The thread the cursor is on, or the nearest one of the same file.
    pub fn nearest_thread(&self) -> Option<u32> {
        let (layout, cursor) = (&self.reader.layout, self.reader.at.cursor);
        if let Some(Row::Thread { thread, .. }) = layout.row(cursor) {
            return Some(thread);
        }
        let piece = layout.pieces.all.get(cursor.piece as usize)?;
        let line = self.current_line().map_or(0, |it| it.1);
        let near = |at: usize| {
            let thread = *layout.pieces.order.get(at)?;
            let home = &layout.pieces.all[layout.pieces.of_thread[thread as usize] as usize];
            (home.file == piece.file).then_some(thread)
        };
        let distance =
            |thread: &u32| self.line_of(*thread).map_or(u32::MAX, |it| it.abs_diff(line));
        let (start, end) = (piece.threads.start as usize, piece.threads.end as usize);
        let inside = (start..end).filter_map(near).min_by_key(distance);
        inside.or_else(|| near(end)).or_else(|| start.checked_sub(1).and_then(near))
    }

    fn line_of(&self, thread: u32) -> Option<u32> {
        match self.review.placement.places[thread as usize] {
            crate::domain::anchor::Place::Line { line, .. } => Some(line),
            _ => None,
        }
    }

    /// The code line under the cursor, or the one a thread under the cursor stands at.
    pub fn current_line(&self) -> Option<(u32, u32)> {
        match self.reader.layout.row(self.reader.at.cursor)? {
            Row::Code { file, line, .. } | Row::Hidden { file, line, .. } => Some((file, line)),
            Row::Pair { file, left, right, .. } => {
                Some((file, if right == NO_LINE { left } else { right }))
            }
            Row::Hunk { file, hunk } => {
                let hunk = self.review.diff.files[file as usize].hunks.get(hunk as usize)?;
                Some((file, hunk.lines.start))
            }
            Row::Thread { thread, .. } => {
                let piece = self.reader.layout.pieces.of_thread[thread as usize];
                let file = self.reader.layout.pieces.all[piece as usize].file;
                (file != NO_FILE).then_some(())?;
                Some((file, self.line_of(thread)?))
            }
            _ => None,
        }
    }
}
