//! Search over paths, code and comments: in slices, so that no key waits for the whole document.
//! Must not move the cursor; it says where hits are.

use crate::domain::text::outside::OutsideOption as _;
use crate::{
    app::{
        conversation::SAID,
        layout::{
            Scene,
            pieces::{Kind, Pieces},
        },
        needle::Needle,
    },
    domain::capture::Comment,
};

/// Bytes looked at before a slice ends.
const SLICE: usize = 1 << 20;
/// Hits kept; more are only said to exist.
pub const MOST: usize = 20_000;

/// A search and how far it came.
#[derive(Debug, Clone, Default)]
pub struct Search {
    pub needle: Needle,
    /// Hits so far, in document order.
    pub hits: Vec<Hit>,
    /// The hit the cursor was last put on.
    pub at: Option<usize>,
    /// The next piece to look at.
    next: u32,
    pub done: bool,
    /// The person is elsewhere by now: finding something must not move them.
    pub still: bool,
}

/// One place that matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hit {
    pub piece: u32,
    /// The code line it is in or under, counted from 1; 0 before all lines.
    pub line: u32,
    /// The thread and comment it is in.
    pub comment: Option<(u32, u16)>,
}

impl Search {
    /// A search from the beginning.
    pub fn of(text: &str) -> Self {
        let needle = Needle::of(text);
        let done = needle.is_empty();
        Self { needle, done, ..Self::default() }
    }

    /// The same search over another document, for somebody who stays where they are.
    #[must_use]
    pub fn again(&self) -> Self {
        Self { needle: self.needle.clone(), done: !self.is_on(), still: true, ..Self::default() }
    }

    /// There is more to look at than there was.
    pub fn go_on(&mut self) {
        self.done &= self.hits.len() >= MOST || !self.is_on();
    }

    pub fn is_on(&self) -> bool {
        !self.needle.is_empty()
    }

    /// Looks at the next slice of pieces. Says whether there is more to look at.
    pub fn advance(&mut self, scene: Scene<'_>, pieces: &Pieces) -> bool {
        let mut seen = 0;
        while !self.done && seen < SLICE {
            seen += self.piece(scene, pieces, self.next) * self.needle.cost();
            self.next += 1;
            self.done = self.next as usize >= pieces.all.len() || self.hits.len() >= MOST;
        }
        !self.done
    }

    /// Finds the hits of a piece; gives the bytes it looked at.
    fn piece(&mut self, scene: Scene<'_>, pieces: &Pieces, at: u32) -> usize {
        let piece = &pieces.all[at as usize];
        let mut seen = 64;
        let from = self.hits.len();
        let hit = |line, comment| Hit { piece: at, line, comment };
        let file = scene.review.diff.files.get(piece.file as usize);
        if let (Kind::Head, Some(file)) = (&piece.kind, file) {
            let old = file.previous_path.raw().unwrap_or_default();
            if self.needle.is_in(file.path.raw().as_bytes()) || self.needle.is_in(old.as_bytes()) {
                self.hits.push(hit(0, None));
            }
        }
        if let (Kind::Lines { lines, .. }, Some(file)) = (&piece.kind, file) {
            for line in lines.clone() {
                let bytes = file.raw_bytes(&file.lines[line as usize]);
                seen += bytes.len() + 16;
                if self.needle.is_in(bytes) {
                    self.hits.push(hit(line + 1, None));
                }
            }
        }
        if piece.kind == Kind::Opening {
            for (entry, comment) in scene.said.iter().enumerate() {
                seen += self.comment(comment, at, (0, SAID, entry as u16));
            }
        }
        for thread in pieces.threads(piece) {
            let line = match scene.review.placement.places[*thread as usize] {
                crate::domain::anchor::Place::Line { line, .. } => line + 1,
                _ => 0,
            };
            let comments = &scene.review.capture.review_threads[*thread as usize].comments;
            for (number, comment) in comments.iter().enumerate() {
                seen += self.comment(comment, at, (line, *thread, number as u16));
            }
        }
        self.hits[from..].sort_unstable();
        seen
    }

    /// Finds a comment by its words or its author; gives the bytes it looked at.
    fn comment(
        &mut self,
        it: &Comment,
        piece: u32,
        (line, thread, number): (u32, u32, u16),
    ) -> usize {
        let body = it.body.raw().unwrap_or_default();
        let author = it.author.raw().unwrap_or_default();
        if self.needle.is_in(body.as_bytes()) || self.needle.is_in(author.as_bytes()) {
            self.hits.push(Hit { piece, line, comment: Some((thread, number)) });
        }
        body.len() + 16
    }

    /// `[2/17]`, `[2/17…]` while it still looks.
    pub fn counter(&self) -> String {
        let more = if self.hits.len() >= MOST {
            "+"
        } else if self.done {
            ""
        } else {
            "…"
        };
        let at = self.at.map_or_else(|| "–".to_owned(), |it| (it + 1).to_string());
        format!("[{at}/{}{more}]", self.hits.len())
    }
}
