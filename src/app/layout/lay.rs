//! One piece to its rows, and the guess of its height before. Must not touch other pieces.

use crate::domain::text::outside::Outside;
use crate::domain::text::outside::OutsideOption as _;
use crate::{
    app::{
        code, conversation,
        layout::{
            Layout, Scene, gutter, half_gutter, halves,
            pieces::{Kind, NO_FILE, Pieces},
            row::{List, NO_LINE, Note, Row},
        },
    },
    domain::{
        anchor::Place,
        diff::{Body, Change, FileDiff},
    },
};
use std::ops::Range;

/// A guess of a piece's height: right without wrapping and long talk, near otherwise. O(threads of the piece).
pub fn estimate(scene: Scene<'_>, pieces: &Pieces, at: usize) -> u32 {
    let piece = &pieces.all[at];
    let folded = scene.folds.file_folded(piece.file);
    let talk = pieces.threads(piece).iter().map(|it| guess_thread(scene, *it)).sum::<u32>();
    match &piece.kind {
        Kind::Opening => 3,
        Kind::Head if folded => 2,
        _ if folded => 0,
        Kind::Head => 2 + talk,
        Kind::Lines { first, lines, .. } => lines.len() as u32 + u32::from(*first) + talk,
        Kind::Tail | Kind::Elsewhere => 1 + talk,
        Kind::Nothing => 1,
    }
}

fn guess_thread(scene: Scene<'_>, thread: u32) -> u32 {
    let at = thread as usize;
    if !scene.folds.thread_open(thread, &scene.facts[at]) {
        return 1;
    }
    let comments = &scene.review.capture.review_threads[at].comments;
    let bytes: usize = comments.iter().map(|it| it.body.as_ref().map_or(0, Outside::len)).sum();
    (comments.len() * 2 + bytes / 64) as u32
}

/// Lays a piece out. The blocks of its threads are in the layout already.
pub fn rows(scene: Scene<'_>, layout: &Layout, at: usize) -> Vec<Row> {
    let piece = &layout.pieces.all[at];
    let threads = layout.pieces.threads(piece);
    let mut laying = Laying { scene, layout, file: piece.file, rows: Vec::new() };
    let folded = scene.folds.file_folded(piece.file);
    match &piece.kind {
        Kind::Opening => laying.opening(),
        Kind::Head => laying.head(threads, folded, at > 0),
        _ if folded => {}
        Kind::Lines { hunk, first, lines } => {
            if *first {
                laying.rows.push(Row::Hunk { file: piece.file, hunk: *hunk });
            }
            laying.lines(lines.clone(), threads);
        }
        Kind::Tail => laying.list(List::Outdated, threads),
        Kind::Elsewhere => laying.elsewhere(threads, at > 0),
        Kind::Nothing => laying.rows.push(Row::Note { file: NO_FILE, note: Note::NoFiles }),
    }
    laying.rows
}

struct Laying<'a> {
    scene: Scene<'a>,
    layout: &'a Layout,
    file: u32,
    rows: Vec<Row>,
}

impl Laying<'_> {
    fn opening(&mut self) {
        let said = self.scene.said;
        if conversation::has_description(said) {
            self.rows.push(Row::List { file: NO_FILE, list: List::Description });
            self.said(0);
        }
        if said.len() > 1 {
            self.rows.push(Row::List { file: NO_FILE, list: List::Conversation });
            for entry in 1..said.len() as u16 {
                self.said(entry);
            }
        }
    }

    fn said(&mut self, entry: u16) {
        let lines = self.layout.said(entry).map_or(0, |it| it.lines.len());
        self.rows.extend((0..lines as u16).map(|line| Row::Said { entry, line }));
    }

    fn head(&mut self, threads: &[u32], folded: bool, after: bool) {
        if after {
            self.rows.push(Row::Blank);
        }
        let file = self.file;
        self.rows.push(Row::File { file });
        if folded {
            return;
        }
        let diff = self.diff();
        let moved = diff.old_mode.zip(diff.new_mode).is_some_and(|(old, new)| old != new);
        let mode = moved || matches!(diff.change, Change::TypeChanged | Change::ModeChanged);
        let bodiless = diff.body != Body::Text || diff.hunks.is_empty();
        if mode {
            self.rows.push(Row::Note { file, note: Note::Mode });
        }
        if bodiless {
            self.rows.push(Row::Note { file, note: Note::Body });
        }
        let said = self.diff().note.raw().unwrap_or_default().lines().count() as u16;
        self.rows.extend((0..said).map(|line| Row::Note { file, note: Note::Said(line) }));
        let places = &self.scene.review.placement.places;
        let known = |it: &u32| !matches!(places[*it as usize], Place::Unknown { .. });
        let split = threads.partition_point(known);
        for thread in &threads[..split] {
            self.thread(*thread);
        }
        if split < threads.len() {
            self.list(List::Unknown, &threads[split..]);
        }
    }

    fn elsewhere(&mut self, threads: &[u32], after: bool) {
        if after {
            self.rows.push(Row::Blank);
        }
        if self.scene.review.capture.files.is_none() && self.scene.review.diff.files.is_empty() {
            self.rows.push(Row::Note { file: NO_FILE, note: Note::NoFiles });
        }
        self.list(List::Elsewhere, threads);
    }

    fn list(&mut self, list: List, threads: &[u32]) {
        self.rows.push(Row::List { file: self.file, list });
        if !self.scene.folds.list_folded(self.file, list) {
            for thread in threads {
                self.thread(*thread);
            }
        }
    }

    fn thread(&mut self, thread: u32) {
        let lines = self.layout.block(thread).map_or(0, |it| it.lines.len());
        self.rows.extend((0..lines as u16).map(|line| Row::Thread { thread, line }));
    }

    fn diff(&self) -> &FileDiff {
        &self.scene.review.diff.files[self.file as usize]
    }

    fn lines(&mut self, lines: Range<u32>, threads: &[u32]) {
        let mut talk = Talk { places: &self.scene.review.placement.places, rest: threads };
        let mut at = lines.start;
        while at < lines.end {
            let run = code::run_at(self.diff(), at, lines.clone());
            if self.scene.look.whitespace_hidden && code::only_whitespace(self.diff(), &run) {
                let count = run.end() - at;
                self.rows.push(Row::Hidden { file: self.file, line: at, count });
                for &thread in talk.up_to(run.end()) {
                    self.thread(thread);
                }
            } else if self.scene.look.split {
                self.pairs(&run, &mut talk);
            } else {
                for line in at..run.end() {
                    self.code(line);
                    for &thread in talk.up_to(line + 1) {
                        self.thread(thread);
                    }
                }
            }
            at = run.end();
        }
    }

    fn code(&mut self, line: u32) {
        let room = self.layout.width.saturating_sub(gutter(self.diff()));
        for part in 0..self.parts(line, room) {
            self.rows.push(Row::Code { file: self.file, line, part });
        }
    }

    fn parts(&self, line: u32, room: usize) -> u16 {
        if !self.scene.look.wrap || line == NO_LINE {
            return 1;
        }
        code::parts(self.diff(), line, room, self.scene.look.tab_width)
    }

    fn pairs(&mut self, run: &code::Run, talk: &mut Talk<'_>) {
        let gutter = half_gutter(self.diff());
        let (left_room, right_room) = halves(self.layout.width);
        let mut held = Vec::new();
        for (left, right) in run.pairs() {
            let rows = self
                .parts(left, left_room.saturating_sub(gutter))
                .max(self.parts(right, right_room.saturating_sub(gutter)));
            let file = self.file;
            self.rows.extend((0..rows).map(|part| Row::Pair { file, left, right, part }));
            held.extend(talk.up_to(run.end()));
            held.retain(|thread| {
                let here = Talk::line(talk.places, *thread);
                let stands = here == left || here == right;
                if stands {
                    self.thread(*thread);
                }
                !stands
            });
        }
    }
}

/// The threads of a piece that were not put under their line yet.
struct Talk<'a> {
    places: &'a [Place],
    rest: &'a [u32],
}

impl<'a> Talk<'a> {
    fn line(places: &[Place], thread: u32) -> u32 {
        match places[thread as usize] {
            Place::Line { line, .. } => line,
            _ => NO_LINE,
        }
    }

    /// Takes the threads that stand before line `end`.
    fn up_to(&mut self, end: u32) -> &'a [u32] {
        let count = self.rest.iter().take_while(|it| Self::line(self.places, **it) < end).count();
        let (taken, rest) = self.rest.split_at(count);
        self.rest = rest;
        taken
    }
}
