//! The instruction-count gate: exact counts under callgrind, a limit for each, and the ratios that
//! must hold between them. Must not measure time; `wall` does.
//!
//! A limit is what was measured and a few percent, unless a goal of `docs/performance.md` stands
//! beside it. Raising one is a decision: say why in the commit.

mod input;
mod ratios;

use crate::input::{Reader, Talk};
use casefile::{
    domain::{
        actor::Identity, anchor::Placement, capture::Capture, diff::Diff, digest::Digest, patch,
    },
    store::tasks::{OUTPUT, SCHEMA_VERSION, TaskRecord},
    summary::{
        budget::Budgets,
        discussion::Usage,
        project::{Projection, project},
    },
    task::{
        fingerprint::Inputs,
        id::TaskId,
        moves::{Event, moved},
        phase::Phase,
        state::State,
    },
    tui::highlight::tracks::{Stretch, Tracks},
};
use gungraun::{Callgrind, CallgrindMetrics, EventKind, LibraryBenchmarkConfig, prelude::*};
use std::{hint::black_box, mem::forget};

/// Frames of one measurement: one of them lays a new piece out.
const FRAMES: usize = 64;

/// No more instructions than this.
fn at_most(limit: u64) -> LibraryBenchmarkConfig {
    let mut callgrind = Callgrind::default();
    callgrind.hard_limits([(CallgrindMetrics::SingleEvent(EventKind::Ir), limit)]);
    let mut config = LibraryBenchmarkConfig::default();
    config.tool(callgrind);
    config
}

fn ten_thousand() -> Vec<u8> {
    input::diff_text(10_000)
}

// 640 kB: below 4 instructions a byte.
#[library_benchmark(config = at_most(2_340_000))]
#[bench::ten_thousand_lines(ten_thousand())]
fn index(text: Vec<u8>) -> Diff {
    let diff = black_box(patch::parse(black_box(&text)));
    forget(text);
    diff
}

#[library_benchmark(config = at_most(1_160_000))]
#[bench::a_thousand_threads(input::placed(10_000, Talk::Spread))]
fn place(review: (Capture, Diff)) -> Placement {
    let placement = black_box(input::anchors(black_box(&review)));
    forget(review);
    placement
}

#[library_benchmark(config = at_most(1_850_000))]
#[bench::of_a_key(Reader::new(100_000, Talk::Spread, true))]
fn rows(mut reader: Reader) {
    reader.rows("j", black_box(FRAMES));
    forget(reader);
}

#[library_benchmark(config = at_most(344_000_000))]
#[bench::rows_1k(Reader::new(1_024, Talk::Nobody, false))]
#[bench::rows_10k(Reader::new(10_240, Talk::Nobody, false))]
#[bench::rows_100k(Reader::new(102_400, Talk::Nobody, false))]
#[bench::threads_out_of_sight(Reader::new(102_400, Talk::Elsewhere, false))]
#[bench::no_threads(Reader::new(102_400, Talk::Nobody, true))]
#[bench::threads_in_sight(Reader::new(102_400, Talk::Spread, true))]
fn frame(mut reader: Reader) {
    reader.keys("j", black_box(FRAMES));
    forget(reader);
}

#[library_benchmark(config = at_most(25_000_000))]
#[bench::rust(input::viewport())]
fn highlight(mut viewport: (Tracks, Stretch)) -> usize {
    let runs = black_box(input::colour(&mut viewport));
    forget(viewport);
    runs
}

#[library_benchmark(config = at_most(21_800_000))]
#[bench::a_thousand_threads(input::document(1_000, Talk::Spread))]
fn json(document: Vec<u8>) -> Capture {
    let capture = black_box(input::capture(black_box(&document)));
    forget(document);
    capture
}

fn discussed() -> (Capture, Vec<usize>) {
    let capture = input::capture(&input::document(1_000, Talk::Spread));
    let all = (0..capture.review_threads.len()).collect();
    (capture, all)
}

#[library_benchmark(config = at_most(698_000_000))]
#[bench::a_thousand_threads(discussed())]
fn projection(discussed: (Capture, Vec<usize>)) -> Projection {
    let (capture, all) = &discussed;
    let budgets = Budgets::default();
    let projection = black_box(project(capture, all, &budgets, &Identity::default()));
    forget(discussed);
    projection.expect("within the budget")
}

fn inputs() -> Inputs {
    let dependency = |name: &str| (name.to_owned(), Digest::of(name));
    Inputs {
        task_id: TaskId::discussion_summary(),
        phase: Phase::Dossier,
        engine: "extractive".into(),
        model: None,
        effort: None,
        prompt_version: "1".into(),
        prompt_digest: Digest::of("prompt"),
        schema_version: 1,
        input: Digest::of("input"),
        dependencies: ["inline-threads", "top-level-comments", "pull-request"]
            .map(dependency)
            .into(),
    }
}

// What a durable step costs beside its commit: fingerprint, moves, and the record as bytes.
#[library_benchmark(config = at_most(100_000))]
#[bench::of_a_task(inputs())]
fn ledger(inputs: Inputs) -> Vec<u8> {
    let started = moved(&State::Queued, &Event::Started { attempt: 1 }).expect("legal");
    moved(&started, &Event::Succeeded).expect("legal");
    let output = Digest::of("output");
    let record = TaskRecord {
        schema_version: SCHEMA_VERSION,
        task_id: inputs.task_id.clone(),
        phase: inputs.phase,
        run: Some("run".into()),
        fingerprint: inputs.fingerprint(),
        attempt: 1,
        output: OUTPUT.into(),
        output_sha256: output,
        output_bytes: 6,
        usage: Usage::default(),
        started_at: String::new(),
        finished_at: String::new(),
        elapsed_ms: 0,
        inputs,
    };
    black_box(serde_json::to_vec(&record).expect("our own shape"))
}

library_benchmark_group!(
    name = gate,
    benchmarks = [index, place, rows, frame, highlight, json, projection, ledger]
);

mod harness {
    use crate::gate;

    gungraun::main!(library_benchmark_groups = gate);

    /// Runs all benches, or one of them when valgrind runs us. Ends the process when one is over.
    pub(crate) fn run() {
        main();
    }
}

fn main() {
    harness::run();
    // The same program runs each bench under valgrind; the ratios are for the one that is left.
    if !std::env::args().any(|it| it == "--gungraun-run" || it == "--list") {
        ratios::check();
    }
}
