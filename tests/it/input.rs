//! Bad input: one sentence, the right exit code, nothing written.

use crate::bench::{Bench, capture};
use flate2::{Compression, write::GzEncoder};
use std::{
    fs::{self, File},
    io::Write as _,
    time::Instant,
};

/// Runs the target headless and expects it to be refused with a sentence that holds `expected`.
fn check(bench: &Bench, target: &str, expected: &str) {
    let ran = bench.run(&["--batch", target, "--json", "--artifacts", "root"]);
    let result = ran.json();
    let error = result["targets"][0]["error"].as_str().unwrap_or_default();
    assert!(error.contains(expected), "{target}: {error:?} lacks {expected:?}");
    assert_eq!(error.lines().count(), 1, "{error}");
    assert_eq!((ran.code, &result["exit"], &result["ok"]), (65, &65.into(), &false.into()));
    assert!(ran.err.contains(r#"status="failed" exit=65"#), "{}", ran.err);
    let left = (bench.below("root"), bench.below("data"));
    assert_eq!(left, (vec![], vec![]), "{target} left something behind");
}

#[test]
fn what_is_no_capture_is_refused_in_one_sentence() {
    let bench = Bench::new();
    let whole = capture(1).to_string();
    fs::create_dir(bench.path("folder")).expect("made");
    let cases: [(&str, Vec<u8>, &str); 9] = [
        ("prose.json", b"hello".to_vec(), "is not JSON"),
        ("prose.txt", b"hello".to_vec(), "neither a capture (JSON) nor a unified diff"),
        ("empty.json", b"".to_vec(), "is empty"),
        ("cut.json", whole.as_bytes()[..whole.len() / 2].to_vec(), "is cut off"),
        ("two.json", whole.replace(r#""version":1"#, r#""version":2"#).into(), "version 2"),
        ("api.json", br#"{"number": 1}"#.to_vec(), "has no `format` field"),
        ("id.json", whole.replace(r#""id":"T2""#, r#""id":null"#).into(), "`review_threads[1].id`"),
        ("bytes.json", [whole.as_bytes(), b"\xff"].concat(), "is not UTF-8 text"),
        ("wide.json", b"\xff\xfe{\0}\0".to_vec(), "UTF-16"),
    ];
    for (name, content, expected) in cases {
        check(&bench, &bench.file(name, content), expected);
    }
    check(&bench, "missing.json", "missing.json does not exist");
    check(&bench, "folder", "is a folder");
}

#[test]
fn zeros_and_bombs_are_refused_at_once() {
    let bench = Bench::new();
    let zeros = bench.path("zeros.json");
    File::create(&zeros).and_then(|it| it.set_len(2 << 30)).expect("a sparse file");
    let long = bench.file("long.json", b"{");
    File::options().write(true).open(&long).and_then(|it| it.set_len(2 << 30)).expect("sparse");
    let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
    packer.write_all(&vec![b' '; 64 << 20]).expect("packed");
    // A gzip file may have many members: 160 of 64 MiB are 10 GiB.
    let bomb = bench.file("bomb.json.gz", packer.finish().expect("packed").repeat(160));
    let start = Instant::now();
    check(&bench, zeros.to_str().expect("plain"), "zero bytes");
    check(&bench, &long, "zero bytes");
    check(&bench, &bomb, "more than 200 times");
    // Far from what reading them would take; the figure itself is in the notes.
    assert!(start.elapsed().as_secs() < 10, "{:?}", start.elapsed());
}

#[test]
fn deep_nesting_is_an_error_and_not_a_crash() {
    let bench = Bench::new();
    let deep = format!("{}1{}", "[".repeat(200_000), "]".repeat(200_000));
    let text = capture(1).to_string();
    check(&bench, &bench.file("deep.json", text.replace("\"T1\"", &deep)), "recursion limit");
    check(&bench, &bench.file("list.json", &deep), "is not an object");
}

#[test]
fn a_capture_is_written_whole_or_not_at_all() {
    let bench = Bench::new();
    let mut value = capture(7);
    value["from_a_later_version"] = "kept".into();
    let source = bench.file("pr.json", value.to_string());
    for name in ["copy.json", "copy.json.gz"] {
        assert_eq!(bench.run(&["capture", &source, "-o", name]).code, 0);
        let again = bench.run(&["capture", name, "-o", "-"]);
        assert_eq!(again.out, value.to_string(), "{name}");
        assert!(private(&bench, name), "{name}");
    }
    bench.file("broken.json", "{");
    let ran = bench.run(&["capture", "broken.json", "-o", "copy.json"]);
    assert_eq!((ran.code, ran.out.as_str()), (65, ""));
    assert!(ran.err.starts_with("casefile: broken.json is cut off"), "{}", ran.err);
    assert_eq!(fs::read_to_string(bench.path("copy.json")).expect("there"), value.to_string());
    let ran = bench.run(&["capture", &source, "-o", "no/such/folder/x.json"]);
    assert_eq!(ran.code, 74, "{}", ran.err);
    let parts = bench.below(".").into_iter().filter(|it| it.contains(".part")).count();
    assert_eq!(parts, 0);
}

fn private(bench: &Bench, name: &str) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    let meta = fs::metadata(bench.path(name)).expect("there");
    meta.permissions().mode() & 0o777 == 0o600
}

#[test]
fn offline_a_pull_request_that_was_never_read_is_refused() {
    let bench = Bench::new();
    for target in ["example/engine#7", "https://github.com/example/engine/pull/7"] {
        let ran = bench.run(&["--batch", target, "--json", "--offline"]);
        assert_eq!((ran.code, &ran.json()["exit"]), (3, &3.into()));
        assert!(ran.out.contains("was never read here"), "{}", ran.out);
    }
}
