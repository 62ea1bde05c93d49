//! Several targets side by side, with a limit and in order where order matters.
//! Must not let one target's failure touch another.
//!
//! Workers take targets in the given order. A target waits until all before it are known and none
//! of the same pull request is unfinished, so two captures of one pull request run one after the
//! other as given. It waits for earlier ones only, so the first unfinished one never waits.

use crate::batch::{Request, progress::Progress, result::TargetResult, signals::Signals, work};
use crate::driver::report::Report;
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    thread,
};

/// What is known of one target while the others work.
#[derive(Debug, Default, Clone)]
enum Lane {
    #[default]
    Waiting,
    /// Its pull request, in lower case, and still at work.
    Known(String),
    Done,
}

#[derive(Default)]
struct Board {
    next: usize,
    lanes: Vec<Lane>,
    results: Vec<Option<TargetResult>>,
}

struct Lanes {
    board: Mutex<Board>,
    moved: Condvar,
}

/// Works on all targets; results come in the order the targets were given.
pub fn run(request: &Request, progress: &Progress, signals: &Signals) -> Vec<TargetResult> {
    let count = request.targets.len();
    let board = Board {
        next: 0,
        lanes: vec![Lane::Waiting; count],
        results: (0..count).map(|_| None).collect(),
    };
    let lanes = Lanes { board: Mutex::new(board), moved: Condvar::new() };
    let workers = request.side_by_side.clamp(1, count);
    thread::scope(|scope| {
        for _ in 1..workers {
            scope.spawn(|| worker(&lanes, request, progress, signals));
        }
        worker(&lanes, request, progress, signals);
    });
    let board = lanes.board.into_inner().unwrap_or_else(PoisonError::into_inner);
    board.results.into_iter().flatten().collect()
}

fn worker(lanes: &Lanes, request: &Request, progress: &Progress, signals: &Signals) {
    while let Some(at) = lanes.take(request.targets.len()) {
        let name = &request.targets[at];
        let work = || one(lanes, at, request, progress, signals);
        // A fault in one target is that target's result, and the others go on.
        let result = catch_unwind(AssertUnwindSafe(work))
            .unwrap_or_else(|_| TargetResult::failed(name, work::fault()));
        progress.ended(&result);
        lanes.finish(at, result);
    }
}

fn one(
    lanes: &Lanes,
    at: usize,
    request: &Request,
    progress: &Progress,
    signals: &Signals,
) -> TargetResult {
    let name = &request.targets[at];
    if signals.cancel().is_cancelled() {
        return work::cancelled(name);
    }
    let listener = progress.of(name);
    let tell = |it| listener.hear(&Report::Notice(it));
    let open = || work::open(name, &request.source, &tell, signals.cancel());
    match request.ready.clone().map_or_else(open, Ok) {
        Err(failure) => TargetResult::failed(name, failure),
        Ok(target) => {
            lanes.claim(at, &work::pull_request(&target));
            work::on(&target, &request.settings, progress, signals)
        }
    }
}

impl Lanes {
    fn board(&self) -> MutexGuard<'_, Board> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self, count: usize) -> Option<usize> {
        let mut board = self.board();
        let at = board.next;
        board.next = (at + 1).min(count);
        (at < count).then_some(at)
    }

    /// Waits until the target may start.
    fn claim(&self, at: usize, pull_request: &str) {
        let mut board = self.board();
        let is_in_the_way = |lane: &Lane| match lane {
            Lane::Waiting => true,
            Lane::Known(other) => other == pull_request,
            Lane::Done => false,
        };
        board.lanes[at] = Lane::Known(pull_request.to_owned());
        self.moved.notify_all();
        while board.lanes[..at].iter().any(is_in_the_way) {
            board = self.moved.wait(board).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn finish(&self, at: usize, result: TargetResult) {
        let mut board = self.board();
        board.lanes[at] = Lane::Done;
        board.results[at] = Some(result);
        self.moved.notify_all();
    }
}
