//! Times, to look at: medians of what `ir` counts, and of what only a disk can show. Must not be
//! a gate; a busy machine doubles them.

mod input;

use crate::input::{Reader, Talk};
use casefile::{
    domain::{actor::Identity, digest::Digest, patch},
    store::ledger::{
        Ledger,
        runs::NewRun,
        tasks::{Entry, TaskKey},
    },
    summary::{budget::Budgets, project::project},
    task::{
        id::TaskId,
        moves::{Event, moved},
        state::{State, TaskReport},
    },
};
use divan::{
    Bencher,
    counter::{BytesCount, ItemsCount},
};
use rusqlite::{Connection, TransactionBehavior, params};
use std::{path::Path, thread};

/// Steps of one measurement of the ledger.
const STEPS: usize = 64;

#[divan::bench(args = [10_000, 100_000])]
fn index(bencher: Bencher<'_, '_>, lines: usize) {
    let text = input::diff_text(lines);
    bencher.counter(BytesCount::of_slice(&text)).bench(|| patch::parse(&text));
}

#[divan::bench]
fn place(bencher: Bencher<'_, '_>) {
    let review = input::placed(100_000, Talk::Spread);
    bencher.bench(|| input::anchors(&review));
}

/// A key down and one up, without their frames.
#[divan::bench(args = [Talk::Nobody, Talk::Spread])]
fn rows(bencher: Bencher<'_, '_>, talk: Talk) {
    let mut reader = Reader::new(100_000, talk, true);
    bencher.counter(ItemsCount::new(2_usize)).bench_local(|| {
        reader.rows("j", 1);
        reader.rows("k", 1);
    });
}

/// A key down and one up, with their frames.
#[divan::bench(args = [(1_024, Talk::Nobody), (102_400, Talk::Nobody), (102_400, Talk::Elsewhere), (102_400, Talk::Spread)])]
fn frame(bencher: Bencher<'_, '_>, (lines, talk): (usize, Talk)) {
    let mut reader = Reader::new(lines, talk, true);
    bencher.counter(ItemsCount::new(2_usize)).bench_local(|| {
        reader.keys("j", 1);
        reader.keys("k", 1);
    });
}

#[divan::bench(sample_count = 20)]
fn highlight(bencher: Bencher<'_, '_>) {
    let bencher = bencher.counter(ItemsCount::new(48_usize));
    bencher.with_inputs(input::viewport).bench_local_refs(input::colour);
}

#[divan::bench]
fn json(bencher: Bencher<'_, '_>) {
    let document = input::document(1_000, Talk::Spread);
    bencher.counter(BytesCount::of_slice(&document)).bench(|| input::capture(&document));
}

#[divan::bench(sample_count = 20)]
fn projection(bencher: Bencher<'_, '_>) {
    let capture = input::capture(&input::document(1_000, Talk::Spread));
    let all: Vec<usize> = (0..capture.review_threads.len()).collect();
    bencher.bench(|| project(&capture, &all, &Budgets::default(), &Identity::default()));
}

/// Durable steps one after another: each is one transaction with one sync.
#[divan::bench(sample_count = 20, sample_size = 1)]
fn ledger_serial(bencher: Bencher<'_, '_>) {
    let folder = tempfile::tempdir().expect("a folder");
    let (ledger, run) = ledger(&folder.path().join("ledger.db"));
    let mut round = 0;
    bencher.counter(ItemsCount::new(STEPS)).bench_local(|| {
        round += 1;
        for task in 0..8 {
            steps(&ledger, &run, &format!("serial-{round}-{task}"));
        }
    });
}

/// The same steps by eight tasks at once.
#[divan::bench(sample_count = 20, sample_size = 1)]
fn ledger_of_eight(bencher: Bencher<'_, '_>) {
    let folder = tempfile::tempdir().expect("a folder");
    let (ledger, run) = ledger(&folder.path().join("ledger.db"));
    let mut round = 0;
    bencher.counter(ItemsCount::new(STEPS)).bench_local(|| {
        round += 1;
        thread::scope(|scope| {
            for task in 0..8 {
                let (ledger, run) = (&ledger, &run);
                scope.spawn(move || steps(ledger, run, &format!("eight-{round}-{task}")));
            }
        });
    });
}

/// The commits alone: the same rows by the same settings of `SQLite`, and nothing else. What a step
/// takes more is ours.
#[divan::bench(sample_count = 20, sample_size = 1)]
fn ledger_bare_commits(bencher: Bencher<'_, '_>) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ledger.db");
    drop(ledger(&path));
    let mut connection = Connection::open(&path).expect("opened");
    connection.execute_batch("PRAGMA synchronous = 2; PRAGMA foreign_keys = 0").expect("set");
    let text = serde_json::to_string(&report("bare")).expect("our own shape");
    bencher.counter(ItemsCount::new(STEPS)).bench_local(|| {
        for step in 0..STEPS as u32 {
            let within = connection.transaction_with_behavior(TransactionBehavior::Immediate);
            let within = within.expect("begun");
            let event = "INSERT INTO task_events (run_id, task_id, at, event, fingerprint)
                         VALUES ('r', 't', 'now', ?1, ?2)";
            within.execute(event, [&text[..60], &text[..64]]).expect("inserted");
            let row = "INSERT OR REPLACE INTO tasks (run_id, task_id, state, attempt, report)
                       VALUES ('r', 't', 'running', ?1, ?2)";
            within.execute(row, params![step, text]).expect("moved");
            let lease = "INSERT OR REPLACE INTO leases VALUES
                         ('root', 't', 'r', 'host', 1, 'boot', 'nonce', ?1, ?1, 0, 0)";
            within.execute(lease, [step]).expect("taken");
            within.commit().expect("committed");
        }
    });
}

fn ledger(path: &Path) -> (Ledger, String) {
    let (ledger, _) = Ledger::open(path).expect("opened");
    let run = NewRun {
        root: "root".into(),
        label: "bench".into(),
        capture: "captures/none.json".into(),
        capture_digest: Digest::of("none").to_string(),
        base_sha: None,
        head_sha: None,
        settings: "{}".into(),
    };
    let (run, _) = ledger.allocate_run(run).expect("allocated");
    (ledger, run)
}

/// Queues a task and moves it from attempt to attempt: an eighth of the steps.
fn steps(ledger: &Ledger, run: &str, task: &str) {
    let key = TaskKey { run: run.to_owned(), task: TaskId::named(task) };
    let report = report(task);
    ledger.queue_task(&key, &report).expect("queued");
    let mut from = State::Queued;
    for attempt in 1..STEPS as u32 / 8 {
        let event = Event::Started { attempt };
        let next = moved(&from, &event).expect("legal");
        let (key, report) = (key.clone(), report.clone());
        ledger.move_task(Entry { key, from, event, report, output: None }).expect("moved");
        from = next;
    }
}

fn report(task: &str) -> TaskReport {
    TaskReport {
        task_id: task.to_owned(),
        phase: "dossier".into(),
        run: None,
        state: State::Queued,
        fingerprint: Digest::of(task).to_string(),
        attempt: 0,
        source: None,
        engine: "extractive".into(),
        model: None,
        tokens_in: 0,
        tokens_out: 0,
        tokens_cached: 0,
        cost_usd: None,
        elapsed_ms: 0,
        progress: None,
        stale: None,
        started_at: None,
    }
}

fn main() {
    divan::main();
}
