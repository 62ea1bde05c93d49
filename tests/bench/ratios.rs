//! Ratios between counts: a key costs the same whatever the size. Must only read what valgrind
//! wrote.

use std::{fs, path::PathBuf, process::exit};

/// The dearer bench, the cheaper one, and the most the first may cost of the second. The goals are
/// P4 and P5 of `docs/performance.md`.
const RATIOS: [(&str, &str, f64); 4] = [
    ("frame.rows_10k", "frame.rows_1k", 1.01),
    ("frame.rows_100k", "frame.rows_1k", 1.01),
    ("frame.threads_out_of_sight", "frame.rows_100k", 1.01),
    ("frame.threads_in_sight", "frame.no_threads", 1.15),
];

#[expect(clippy::print_stdout, reason = "figures are what a bench is for")]
/// Compares, prints, and ends the process with 3 (as a limit does) when one is over, or is missing
/// although all benches ran.
pub(crate) fn check() {
    let all = !std::env::args().skip(1).any(|it| !it.starts_with("--"));
    let mut over = false;
    for (dear, cheap, most) in RATIOS {
        let (Some(dear_ir), Some(cheap_ir)) = (count(dear), count(cheap)) else {
            println!("ratio {dear} / {cheap}: not measured");
            over |= all;
            continue;
        };
        let ratio = dear_ir as f64 / cheap_ir as f64;
        let verdict = if ratio > most { "OVER THE LIMIT" } else { "ok" };
        println!("ratio {dear} / {cheap}: {ratio:.4}, at most {most}: {verdict}");
        over |= ratio > most;
    }
    if over {
        exit(3);
    }
}

/// Instructions of a bench, from callgrind's own file.
fn count(bench: &str) -> Option<u64> {
    let root = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let root = root.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("target"));
    let folder = root.join("gungraun/casefile/ir/harness/gate").join(bench);
    let files = fs::read_dir(folder).ok()?.flatten().map(|it| it.path());
    let mut files = files.filter(|it| it.extension().is_some_and(|it| it == "out"));
    let text = fs::read_to_string(files.next()?).ok()?;
    let totals = text.lines().rev().find_map(|it| it.strip_prefix("totals: "))?;
    totals.split(' ').next()?.parse().ok()
}
