//! Big input stays live (promise C8): the time from a key to the end of its frame, over what
//! grammars and layouts choke on. The figures, from a release build:
//! `CASEFILE_FULL=1 CASEFILE_BINARY=target/release/casefile cargo test --test it pty_big -- --nocapture`.

#![expect(clippy::print_stdout, reason = "a figure is what it is run for")]

use crate::ptyrig::casefile;
use serde_json::json;
use std::{fmt::Write as _, io::Write as _, time::Duration};

/// What a key may take at the 99th percentile, in a release build on a quiet machine.
const PROMISED: Duration = Duration::from_millis(100);
/// The usual run is a debug build beside other tests; it finds what hangs.
const LAX: Duration = Duration::from_secs(2);

/// One section of a diff whose lines are all added.
fn added(path: &str, lines: &[String]) -> String {
    let count = lines.len();
    let body = lines.join("\n+");
    let head = format!("diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n");
    format!("{head}@@ -1,1 +1,{} @@\n context\n+{body}\n", count + 1)
}

/// Twenty thousand changed lines over forty files.
fn wide() -> String {
    let mut all = String::new();
    for file in 0..40 {
        let line =
            |at: usize| format!("    let value_{at} = call(\"{file}\", {at}) + other[{at}];");
        all += &added(&format!("src/part_{file}.rs"), &(0..500).map(line).collect::<Vec<_>>());
    }
    all
}

/// A capture with two thousand threads on two thousand lines.
fn crowded() -> String {
    let mut patch = String::from("@@ -1,1 +1,2001 @@\n context");
    (0..2_000).for_each(|it| write!(patch, "\n+let line_{it} = {it};").expect("memory"));
    let comment = |id: usize, body: &str| json!({"id": id, "author": "ann", "author_is_bot": false, "body": body});
    let thread = |at: usize| {
        json!({"id": format!("t{at}"), "path": "src/lib.rs", "side": "RIGHT", "line": at + 2,
        "original_line": at + 2, "is_resolved": at.is_multiple_of(3), "comments": [
            comment(at * 2, "Should this be checked for an empty list?"),
            comment(at * 2 + 1, "Good point, **done** in `the last` commit."),
        ]})
    };
    json!({
        "format": "casefile-capture", "version": 1, "captured_at": "2026-01-02T03:04:05Z",
        "repository": "owner/tool", "forge": {"kind": "github", "host": "github.com"},
        "pull_request": {"number": 7, "title": "Check lists", "author": "author",
            "base": {"ref": "main", "sha": "b".repeat(40)},
            "head": {"ref": "topic", "sha": "a".repeat(40)}},
        "files": [{"path": "src/lib.rs", "status": "modified", "additions": 2_000,
                   "deletions": 0, "changes": 2_000, "patch": patch}],
        "issue_comments": [], "reviews": [],
        "review_threads": (0..2_000).map(thread).collect::<Vec<_>>(),
    })
    .to_string()
}

/// Presses keys over an input and says how long they took.
fn live(name: &str, suffix: &str, text: &str, seen: &str) {
    let full = std::env::var_os("CASEFILE_FULL").is_some();
    let file = tempfile::Builder::new().suffix(suffix).tempfile().expect("a file");
    file.as_file().write_all(text.as_bytes()).expect("it is written");
    let mut rig = casefile(&[&file.path().display().to_string()]).size(160, 48).run();
    rig.wait(seen);
    rig.settle();
    let measured = std::env::var_os("CASEFILE_BINARY").is_some();
    let (limit, patience) = if measured { (PROMISED, PROMISED * 3) } else { (LAX, LAX) };
    let mut took = Vec::new();
    let rounds = if full { 60 } else { 4 };
    for keys in [
        "j", "\x1b[6~", "j", "]", "\x04", "}", "l", "k", "t", "w", "w", "G", "\x1b[5~", "gg", "|",
        "|",
    ]
    .iter()
    .cycle()
    .take(rounds * 16)
    {
        // A key that changes nothing sends no frame, also not a moment later.
        let before = rig.log().len();
        let frame = rig.next_frame(keys, patience);
        if frame.is_none() {
            rig.settle();
            assert_eq!(rig.log().len(), before, "{name}: {keys:?} took more than {patience:?}");
        }
        took.extend(frame);
    }
    assert!(took.len() > rounds * 8, "{name}: most keys change something");
    took.sort_unstable();
    let at = |hundredths: usize| took[(took.len() - 1) * hundredths / 100];
    println!(
        "{name}: {} frames, key to frame p50 {:.1?}, p99 {:.1?}, longest {:.1?}",
        took.len(),
        at(50),
        at(99),
        at(100)
    );
    assert!(at(99) <= limit, "{name}: {:?}", at(99));
    assert_eq!(rig.quit(), 0);
}

#[test]
fn one_line_of_half_a_megabyte() {
    let line = format!("var a={}1;", "1+".repeat(250_000));
    live("500 kB line", ".diff", &added("min.js", &[line]), "min.js");
}

#[test]
fn minified_files() {
    let script = "function a(b){return b?{c:[1,2,3],d:\"e\"}:f(function(){g.h=1})};".repeat(460);
    let style =
        ".a>.b:hover{color:#fff;background:url(x.png) no-repeat}@media(x){.c{d:e}}".repeat(400);
    let files = [added("app.min.js", &vec![script; 40]), added("app.min.css", &vec![style; 40])];
    live("minified, 80 lines of 30 kB", ".diff", &files.concat(), "app.min.js");
}

#[test]
fn nested_brackets() {
    let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
    let one_a_line: Vec<String> = (0..5_000).map(|_| "(".to_owned()).collect();
    let spans = vec!["`code 0` ".repeat(16); 200];
    let files = [
        added("deep.rs", std::slice::from_ref(&deep)),
        added("deep.json", &[deep]),
        added("lines.lisp", &one_a_line),
        added("spans.md", &spans),
    ];
    live("5,000 nested brackets", ".diff", &files.concat(), "deep.rs");
}

#[test]
fn twenty_thousand_lines() {
    live("20,000 lines", ".diff", &wide(), "part_0.rs");
}

#[test]
fn two_thousand_threads() {
    live("2,000 threads", ".json", &crowded(), "src/lib.rs");
}
