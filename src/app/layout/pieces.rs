//! The document cut into pieces of at most `SLAB` code lines, so that nothing ever has to lay
//! out more than it shows. Must not measure anything: heights come later.

use crate::{
    app::layout::row::List,
    domain::{
        anchor::Place,
        diff::{Body, Diff, FileDiff, LineKind},
        review::Review,
    },
};
use std::ops::Range;

/// Code lines a piece holds before it is cut at the next change of kind.
const SLAB: u32 = 64;
/// Code lines after which a piece is cut wherever it stands.
const SLAB_MOST: u32 = 512;

/// A part of the document that is laid out at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// Index into `Diff::files`; [`NO_FILE`] for the list after the last file.
    pub file: u32,
    pub kind: Kind,
    /// The threads that stand in it, as a range of [`Pieces::order`].
    pub threads: Range<u32>,
}

/// The file of what belongs to none.
pub const NO_FILE: u32 = u32::MAX;

/// What a piece holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// The pull request's description and the conversation on it.
    Opening,
    /// The file's header, notes, threads on the whole file and at unknown positions.
    Head,
    /// Lines of a hunk, `first` with its header before them.
    Lines { hunk: u32, first: bool, lines: Range<u32> },
    /// Threads on code that is gone, or that no hunk shows.
    Tail,
    /// Threads the diff has no place for.
    Elsewhere,
    /// There is nothing to show at all.
    Nothing,
}

/// All pieces, in document order, and the ways into them.
#[derive(Debug, Clone, Default)]
pub struct Pieces {
    pub all: Vec<Piece>,
    /// Threads in document order.
    pub order: Vec<u32>,
    /// The rank of a thread in `order`.
    pub rank: Vec<u32>,
    /// The piece each thread stands in.
    pub of_thread: Vec<u32>,
    /// The head piece of each file.
    pub heads: Vec<u32>,
    /// Pieces a hunk starts in, ascending.
    pub hunks: Vec<u32>,
}

/// A thread's place as a key that sorts in document order.
type Seat = (u32, u8, u32, u32);

impl Pieces {
    /// Cuts a review into pieces; `opening` when something was said on the whole. O(lines + threads log threads).
    pub fn of(review: &Review, opening: bool) -> Self {
        let seats = seats(review);
        let mut pieces = Self {
            order: seats.iter().map(|it| it.3).collect(),
            rank: vec![0; seats.len()],
            of_thread: vec![0; seats.len()],
            ..Self::default()
        };
        for (at, thread) in pieces.order.iter().enumerate() {
            pieces.rank[*thread as usize] = at as u32;
        }
        if opening {
            pieces.add(NO_FILE, Kind::Opening, &seats, |_| false);
        }
        for (file, diff) in review.diff.files.iter().enumerate() {
            pieces.add_file(file as u32, diff, &seats);
        }
        if seats.last().is_some_and(|it| it.0 == NO_FILE) {
            pieces.add(NO_FILE, Kind::Elsewhere, &seats, |_| true);
        }
        if pieces.all.len() == usize::from(opening) {
            pieces.add(NO_FILE, Kind::Nothing, &seats, |_| false);
        }
        pieces
    }

    fn add_file(&mut self, file: u32, diff: &FileDiff, seats: &[Seat]) {
        self.heads.push(self.all.len() as u32);
        self.add(file, Kind::Head, seats, |it| it.1 < ON_LINE);
        // A submodule's header says what moved; its lines are no text to read.
        let hunks = if matches!(diff.body, Body::Submodule { .. }) { &[][..] } else { &diff.hunks };
        for (hunk, it) in hunks.iter().enumerate() {
            self.hunks.push(self.all.len() as u32);
            let mut from = it.lines.start;
            while from < it.lines.end || (from == it.lines.start && it.lines.is_empty()) {
                let end = cut(diff, from, it.lines.end);
                let first = from == it.lines.start;
                let kind = Kind::Lines { hunk: hunk as u32, first, lines: from..end };
                self.add(file, kind, seats, |it| it.1 == ON_LINE && it.2 < end);
                if end == from {
                    break;
                }
                from = end;
            }
        }
        if self.next_seat(seats).is_some_and(|it| it.0 == file) {
            self.add(file, Kind::Tail, seats, |_| true);
        }
    }

    fn next_seat<'a>(&self, seats: &'a [Seat]) -> Option<&'a Seat> {
        seats.get(self.all.last().map_or(0, |it| it.threads.end) as usize)
    }

    /// Adds a piece and gives it the threads that fit, which stand next in order.
    fn add(&mut self, file: u32, kind: Kind, seats: &[Seat], fits: impl Fn(&Seat) -> bool) {
        let start = self.all.last().map_or(0, |it| it.threads.end);
        let rest = &seats[start as usize..];
        let count = rest.iter().take_while(|it| it.0 == file && fits(it)).count() as u32;
        for seat in &rest[..count as usize] {
            self.of_thread[seat.3 as usize] = self.all.len() as u32;
        }
        self.all.push(Piece { file, kind, threads: start..start + count });
    }

    /// The threads that stand in a piece.
    pub fn threads(&self, piece: &Piece) -> &[u32] {
        &self.order[piece.threads.start as usize..piece.threads.end as usize]
    }
}

const ON_FILE: u8 = 0;
const UNKNOWN: u8 = 1;
const ON_LINE: u8 = 2;
const OUTDATED: u8 = 3;

fn seats(review: &Review) -> Vec<Seat> {
    let count = review.diff.files.len() as u32;
    let seat = |(thread, place): (usize, &Place)| {
        let thread = thread as u32;
        match place {
            Place::File { file } if *file < count => (*file, ON_FILE, 0, thread),
            Place::Unknown { file } if *file < count => (*file, UNKNOWN, 0, thread),
            Place::Line { file, .. } if is_submodule(&review.diff, *file) => {
                (*file, ON_FILE, 0, thread)
            }
            Place::Line { file, line, .. } if shown(&review.diff, *file, *line) => {
                (*file, ON_LINE, *line, thread)
            }
            Place::Outdated { file } if *file < count => (*file, OUTDATED, 0, thread),
            _ => (NO_FILE, OUTDATED, 0, thread),
        }
    };
    let mut seats: Vec<Seat> = review.placement.places.iter().enumerate().map(seat).collect();
    seats.sort_unstable();
    seats
}

/// Whether a hunk shows the line; a placement that points elsewhere must not lose its thread.
fn shown(diff: &Diff, file: u32, line: u32) -> bool {
    diff.files.get(file as usize).is_some_and(|it| it.hunk_of(line).is_some())
}

fn is_submodule(diff: &Diff, file: u32) -> bool {
    let body = diff.files.get(file as usize).map(|it| &it.body);
    matches!(body, Some(Body::Submodule { .. }))
}

/// Where a piece that begins at `from` ends: at a change of kind after [`SLAB`] lines, so that
/// a run of changes stays whole unless it is huge.
fn cut(diff: &FileDiff, from: u32, end: u32) -> u32 {
    let most = end.min(from + SLAB_MOST);
    let mut at = end.min(from + SLAB);
    while at < most {
        let (before, here) = (diff.lines[at as usize - 1].kind, diff.lines[at as usize].kind);
        if before == LineKind::Context || here == LineKind::Context {
            break;
        }
        at += 1;
    }
    at
}

impl Kind {
    /// The list a piece of this kind shows under its own heading.
    pub fn list(&self) -> Option<List> {
        match self {
            Self::Tail => Some(List::Outdated),
            Self::Elsewhere => Some(List::Elsewhere),
            _ => None,
        }
    }
}
