//! The thread that runs the grammars. Must not outlive its mailbox's wish by much: between two
//! lines it looks whether a newer wish has come.

use crate::{
    domain::diff::Diff,
    tui::highlight::tracks::{Coloured, Stretch, Tracks},
};
use std::{
    sync::{
        Arc, Condvar, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

/// What the screen needs: `now` first, `ahead` when that is done and nothing newer has come.
pub struct Wish {
    pub generation: u64,
    pub diff: Arc<Diff>,
    pub tab_width: u8,
    pub now: Vec<Stretch>,
    pub ahead: Vec<Stretch>,
}

/// Some lines that are done.
pub struct Answer {
    pub generation: u64,
    pub lines: Vec<Coloured>,
}

/// Holds the newest wish; an older one that nobody took is replaced.
#[derive(Default)]
pub struct Mailbox {
    wish: Mutex<Option<Wish>>,
    arrived: Condvar,
    newer: AtomicBool,
}

/// Lines the screen waits for are handed over at least this often.
const BATCH: Duration = Duration::from_millis(5);
/// Lines nobody waits for are handed over in heaps of this many.
const HEAP: usize = 128;

impl Mailbox {
    /// Replaces the wish.
    pub fn put(&self, wish: Wish) {
        *self.wish.lock().unwrap_or_else(PoisonError::into_inner) = Some(wish);
        self.newer.store(true, Ordering::Release);
        self.arrived.notify_one();
    }

    fn take(&self) -> Wish {
        let mut slot = self.wish.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(wish) = slot.take() {
                self.newer.store(false, Ordering::Release);
                return wish;
            }
            slot = self.arrived.wait(slot).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn is_newer(&self) -> bool {
        self.newer.load(Ordering::Acquire)
    }
}

/// Starts the thread; it loads its grammars before the first wish arrives. Colours are a help: if
/// the thread cannot start or dies, everything stays readable and plain.
pub fn start(answer: impl Fn(Answer) + Send + 'static) -> Arc<Mailbox> {
    let mailbox = Arc::new(Mailbox::default());
    let inbox = Arc::clone(&mailbox);
    let work = move || {
        let set = Arc::new(two_face::syntax::extra_newlines());
        let mut known: Option<(u64, Tracks)> = None;
        loop {
            let wish = inbox.take();
            let generation = wish.generation;
            let mut tracks = match known.take() {
                Some((at, mut tracks)) if at == generation => {
                    tracks.follow(&wish.diff);
                    tracks
                }
                _ => Tracks::new(Arc::clone(&wish.diff), wish.tab_width, Arc::clone(&set)),
            };
            fulfil(&wish, &mut tracks, &|| inbox.is_newer(), &answer);
            known = Some((generation, tracks));
        }
    };
    let started = thread::Builder::new().name("highlight".into()).spawn(work);
    if let Err(cause) = started {
        tracing::warn!(%cause, "no thread for syntax colours; code stays plain");
    }
    mailbox
}

/// Works on one wish until it is done or a newer one is there.
fn fulfil(wish: &Wish, tracks: &mut Tracks, newer: &dyn Fn() -> bool, answer: &dyn Fn(Answer)) {
    let mut lines = Vec::new();
    let hand_over = |lines: &mut Vec<Coloured>| {
        if !lines.is_empty() {
            answer(Answer { generation: wish.generation, lines: std::mem::take(lines) });
        }
    };
    let mut since = Instant::now();
    for stretch in &wish.now {
        tracks.colour(stretch, &mut |line| {
            lines.push(line);
            if since.elapsed() > BATCH {
                hand_over(&mut lines);
                since = Instant::now();
            }
            !newer()
        });
    }
    hand_over(&mut lines);
    for stretch in &wish.ahead {
        if newer() {
            break;
        }
        tracks.colour(stretch, &mut |line| {
            lines.push(line);
            if lines.len() >= HEAP {
                hand_over(&mut lines);
            }
            !newer()
        });
    }
    hand_over(&mut lines);
}
