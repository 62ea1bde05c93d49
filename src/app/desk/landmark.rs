//! What a person looks at, told so that it is found again in another capture of the same pull
//! request: by what it says, not by where it stood. Must not move anything.

use crate::{
    app::{
        desk::Desk,
        layout::{
            block::Talk,
            pieces::NO_FILE,
            row::{List, Row, Spot},
        },
    },
    domain::{
        anchor::Place,
        capture::Id,
        diff::{Diff, DiffLine, FileDiff, Side},
        since::Key,
    },
};
use std::cmp::Reverse;

/// A place in a review.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Landmark {
    /// What the row shows beyond its code line, when it is no code line itself.
    on: On,
    /// The file, by its path, and as the how manieth it stood there.
    path: Option<String>,
    file: Option<u32>,
    /// The code line it is on or nearest to.
    line: Option<Near>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum On {
    Code { part: u16 },
    Hunk,
    File,
    List(List),
    Thread { id: Id, comment: Option<Key>, line: u16, first: u16 },
    Said { key: Option<Key>, line: u16 },
    Other,
}

/// A code line and what stands around it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Near {
    side: Side,
    number: u32,
    /// The nearest number on the right, where its own is on the left: what that side is may differ.
    beside: Option<u32>,
    /// The line itself in the middle.
    words: [Option<Vec<u8>>; AROUND * 2 + 1],
}

/// Lines before and after a line by which it is told from others that say the same.
const AROUND: usize = 3;

impl Desk {
    /// The place of the cursor.
    pub fn landmark(&mut self) -> Landmark {
        let row = self.stage().row();
        let file = self.current_file();
        let path = file.and_then(|it| self.review.diff.files.get(it as usize));
        let path = path.map(|it| it.path.raw().to_owned());
        let line = self
            .current_line()
            .and_then(|(file, line)| Near::of(self.review.diff.files.get(file as usize)?, line));
        let on = match row {
            Row::Code { part, .. } | Row::Pair { part, .. } => On::Code { part },
            Row::Hidden { .. } => On::Code { part: 0 },
            Row::Hunk { .. } => On::Hunk,
            Row::File { .. } => On::File,
            Row::List { list, .. } => On::List(list),
            Row::Thread { thread, line } => self.on_thread(thread, line),
            Row::Said { entry, line } => {
                On::Said { key: self.said.get(usize::from(entry)).map(Key::of), line }
            }
            Row::Blank | Row::Note { .. } => On::Other,
        };
        Landmark { on, path, file, line }
    }

    fn on_thread(&self, thread: u32, line: u16) -> On {
        let raw = &self.review.capture.review_threads[thread as usize];
        let lines = self.reader.layout.block(thread).map(|it| it.lines.as_slice());
        let lines = lines.unwrap_or_default();
        let comment = lines.get(usize::from(line)).and_then(Talk::comment);
        let first = lines.iter().position(|it| it.comment() == comment).unwrap_or(0) as u16;
        let comment = comment.and_then(|it| raw.comments.get(usize::from(it))).map(Key::of);
        On::Thread { id: raw.id.clone(), comment, line, first }
    }

    /// Where a place is now, or what is nearest to it. The top where nothing of it is left.
    pub fn find(&mut self, mark: &Landmark) -> Spot {
        let file = mark.path.as_deref().and_then(|it| file_named(&self.review.diff, it));
        let found = match &mark.on {
            // A part of the whole has no line for many threads; who reads code stays with the code.
            On::Thread { id, .. } if mark.line.is_some() && !self.has_line(id) => None,
            On::Thread { id, comment, line, first } => {
                self.find_comment(id, comment.as_ref(), (*line, *first))
            }
            On::Said { key, line } => self.find_said(key.as_ref(), *line),
            On::List(list) => self.find_list(file, *list),
            On::File | On::Other | On::Code { .. } | On::Hunk => None,
        };
        let by_line = |desk: &mut Self| {
            let (file, near) = (file?, mark.line.as_ref()?);
            let line = near.find(&desk.review.diff.files[file as usize])?;
            desk.find_line(file, line, &mark.on)
        };
        let found = found.or_else(|| by_line(self));
        let last = self.review.diff.files.len().checked_sub(1);
        let beside = mark.file.zip(last).map(|(it, last)| it.min(last as u32));
        found.or_else(|| self.find_file(file.or(beside)?)).unwrap_or_default()
    }

    /// Whether a thread stands at a line, or everything that has one is shown.
    fn has_line(&self, id: &Id) -> bool {
        let place = self.thread_of(id).map(|it| &self.review.placement.places[it as usize]);
        self.aside.is_none() || matches!(place, Some(Place::Line { .. }))
    }

    fn find_line(&mut self, file: u32, line: u32, on: &On) -> Option<Spot> {
        if self.reader.folds.file_folded(file) {
            return None;
        }
        let stage = self.stage();
        let spot = stage.layout.spot_of_line(stage.scene, file, line)?;
        let rows = stage.layout.rows(stage.scene, spot.piece);
        let before = spot.row.checked_sub(1).and_then(|it| rows.get(it as usize));
        match on {
            On::Hunk if matches!(before, Some(Row::Hunk { .. })) => {
                Some(Spot { row: spot.row - 1, ..spot })
            }
            On::Code { part } => {
                let same = |it: &&Row| {
                    matches!(it, Row::Code { line: l, .. } if *l == line)
                        || matches!(it, Row::Pair { left, right, .. } if *left == line || *right == line)
                };
                let parts = rows[spot.row as usize..].iter().take_while(same).count() as u32;
                Some(Spot { row: spot.row + u32::from(*part).min(parts.max(1) - 1), ..spot })
            }
            _ => Some(spot),
        }
    }

    fn find_file(&mut self, file: u32) -> Option<Spot> {
        let piece = *self.reader.layout.pieces.heads.get(file as usize)?;
        let stage = self.stage();
        stage.layout.find(stage.scene, piece, |it| matches!(it, Row::File { .. }))
    }

    fn find_comment(
        &mut self,
        id: &Id,
        comment: Option<&Key>,
        (line, first): (u16, u16),
    ) -> Option<Spot> {
        let thread = self.thread_of(id)?;
        let stage = self.stage();
        let top = stage.layout.spot_of_thread(stage.scene, thread)?;
        let raw = &stage.scene.review.capture.review_threads[thread as usize].comments;
        let number = comment.and_then(|key| raw.iter().position(|it| Key::of(it) == *key));
        let lines = stage.layout.block(thread).map_or(&[][..], |it| it.lines.as_slice());
        let of = |at: usize| lines[at].comment().map(usize::from) == number;
        let begins = (0..lines.len()).find(|it| number.is_some() && of(*it));
        let row = match begins {
            Some(at) => {
                let count = (at..lines.len()).take_while(|it| of(*it)).count();
                at + usize::from(line - first).min(count - 1)
            }
            None => usize::from(line).min(lines.len().saturating_sub(1)),
        };
        Some(Spot { row: top.row + row as u32, ..top })
    }

    fn find_said(&mut self, key: Option<&Key>, line: u16) -> Option<Spot> {
        let entry = self.said.iter().position(|it| Some(&Key::of(it)) == key)? as u16;
        let stage = self.stage();
        let most = stage.layout.rows(stage.scene, 0).iter().filter_map(|it| match it {
            Row::Said { entry: e, line } if *e == entry => Some(*line),
            _ => None,
        });
        let line = line.min(most.max()?);
        stage.layout.find(stage.scene, 0, |it| it == Row::Said { entry, line })
    }

    fn find_list(&mut self, file: Option<u32>, list: List) -> Option<Spot> {
        let pieces = self.reader.layout.pieces_of(file.unwrap_or(NO_FILE));
        let pieces =
            if matches!(list, List::Description | List::Conversation) { 0..1 } else { pieces };
        let stage = self.stage();
        let wanted = |it: Row| matches!(it, Row::List { list: l, .. } if l == list);
        pieces.into_iter().find_map(|piece| stage.layout.find(stage.scene, piece, wanted))
    }
}

impl Near {
    fn of(file: &FileDiff, line: u32) -> Option<Self> {
        let at = file.lines.get(line as usize)?;
        let side = if at.number(Side::Right).is_some() { Side::Right } else { Side::Left };
        let below = file.lines.iter().skip(line as usize);
        let beside = below.take(200).find_map(|it| it.number(Side::Right));
        Some(Self { side, number: at.number(side)?, beside, words: around(file, line) })
    }

    /// The line of a file that is most like it: the same words with the most of the same words
    /// around it, then the nearest; where nothing says the same, the nearest number.
    fn find(&self, file: &FileDiff) -> Option<u32> {
        let mut best: Option<((usize, Reverse<u32>), u32)> = None;
        let far = |line: &DiffLine| match self.beside.filter(|_| self.side == Side::Left) {
            Some(beside) => Some(line.number(Side::Right)?.abs_diff(beside)),
            None => Some(line.number(self.side)?.abs_diff(self.number)),
        };
        let mut nearest: Option<(u32, u32)> = None;
        for (at, line) in (0..).zip(&file.lines) {
            if let Some(far) = far(line)
                && nearest.is_none_or(|it| far < it.0)
            {
                nearest = Some((far, at));
            }
            let same = self.words[AROUND].as_deref() == Some(file.raw_bytes(line));
            let Some(number) = line.number(self.side).filter(|_| same) else { continue };
            let here = around(file, at);
            let alike = here.iter().zip(&self.words).filter(|(a, b)| a.is_some() && a == b).count();
            let rank = (alike, Reverse(number.abs_diff(self.number)));
            if best.is_none_or(|it| rank > it.0) {
                best = Some((rank, at));
            }
        }
        best.map(|it| it.1).or(nearest.map(|it| it.1))
    }
}

fn around(file: &FileDiff, line: u32) -> [Option<Vec<u8>>; AROUND * 2 + 1] {
    std::array::from_fn(|at| {
        let at = (line as usize + at).checked_sub(AROUND)?;
        Some(file.raw_bytes(file.lines.get(at)?).to_vec())
    })
}

/// The file of a path, under its present name or the one before it was renamed.
pub fn file_named(diff: &Diff, path: &str) -> Option<u32> {
    let now = diff.files.iter().position(|it| it.path.raw() == path);
    let before = || {
        diff.files
            .iter()
            .position(|it| it.previous_path.as_ref().is_some_and(|it| it.raw() == path))
    };
    now.or_else(before).map(|it| it as u32)
}
