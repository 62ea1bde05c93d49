//! What a capture file may look like, and what is said when it may not.

use crate::forge::capture_file::{decode, is_diff, of_document};

const LEAST: &str = r#"{"format": "casefile-capture", "version": 1, "repository": "o/r",
    "pull_request": {"number": 7}, "review_threads": [{"id": "T1", "path": "a.rs"}]}"#;

fn check(text: &str, expected: &str) {
    let got = match decode("x.json", text.as_bytes()) {
        Ok(it) => format!("{}#{}", it.repository, it.pull_request.number),
        Err(error) => error.to_string(),
    };
    assert_eq!(got, expected, "{text}");
}

fn with(from: &str, to: &str) -> String {
    assert!(LEAST.contains(from), "{from} is not in the sample");
    LEAST.replace(from, to)
}

#[test]
fn the_required_fields_are_enough() {
    check(LEAST, "o/r#7");
    check(&format!("\u{feff}{LEAST}\r\n"), "o/r#7");
    check(&with(r#""id": "T1""#, r#""id": 12, "line": null, "comments": null"#), "o/r#7");
    check(&with(r#""version": 1"#, r#""version": 1, "new": {"deep": [1, {}]}"#), "o/r#7");
}

#[test]
fn a_fault_is_named_by_its_field() {
    let cases = [
        (r#""number": 7"#, r#""n": 7"#, "`pull_request.number` is missing (line 2)"),
        (
            r#""number": 7"#,
            r#""number": "7""#,
            r#"`pull_request.number` is string "7", expected u64 (line 2)"#,
        ),
        (r#""id": "T1", "#, "", "`review_threads[0].id` is missing (line 2)"),
        (
            r#""id": "T1""#,
            r#""id": null"#,
            "`review_threads[0].id` is neither a text nor a whole number (line 2)",
        ),
        (
            r#""path": "a.rs""#,
            r#""path": null"#,
            "`review_threads[0].path` is null, expected a string (line 2)",
        ),
        (r#""o/r""#, r#""""#, "`repository` is empty"),
        (r#""version": 1, "#, "", "`version` is missing"),
    ];
    for (from, to, expected) in cases {
        check(&with(from, to), &format!("x.json: the field {expected}"));
    }
}

#[test]
fn other_documents_are_told_what_they_are() {
    check(
        &with("casefile-capture", "other"),
        "x.json is JSON but not a capture: `format` is \"other\", expected \"casefile-capture\"",
    );
    check("{}", "x.json is JSON but not a capture: it has no `format` field");
    check(
        &with(r#""version": 1"#, r#""version": 2"#),
        "x.json is a capture of version 2; this casefile reads version 1",
    );
    check(&LEAST[..60], "x.json is cut off: the JSON ends inside line 1");
    check("{nope}", "x.json is not JSON: key must be a string at line 1, column 2");
    check("[1]", "x.json is JSON but not a capture: its outermost value is not an object");
    check(
        r#"["casefile-capture", 1, null, null, "o/r", {"number": 7}, null, [], [], [], {}]"#,
        "x.json is JSON but not a capture: its outermost value is not an object",
    );
}

#[test]
fn bytes_that_are_no_text_and_endless_nesting_are_refused() {
    let error = decode("x.json", b"{\"a\": \"\xff\"}").expect_err("not UTF-8").to_string();
    assert_eq!(error, "x.json is not UTF-8 text: byte 7 is not part of a character");
    let deep =
        with(r#""id": "T1""#, &format!(r#""id": {}1{}"#, "[".repeat(9000), "]".repeat(9000)));
    let error = decode("x.json", deep.as_bytes()).expect_err("too deep").to_string();
    assert!(error.contains("recursion limit exceeded"), "{error}");
    let ignored = format!(r#""version": 1, "new": {}{}"#, "[".repeat(90_000), "]".repeat(90_000));
    check(&with(r#""version": 1"#, &ignored), "o/r#7");
}

#[test]
fn unknown_fields_survive_in_the_document() {
    let text = with(r#""version": 1"#, r#""version": 1,  "later": [1,2]"#);
    let opened = of_document("x.json", text.clone().into_bytes()).expect("a capture");
    assert_eq!(*opened.document(), text.as_bytes());
    assert_eq!(opened.label, "o/r#7");
}

#[test]
fn diffs_are_told_from_prose() {
    for text in
        ["diff --git a/x b/x\n", "From 1\nSubject: y\n\n--- a/x\n+++ b/x\n", "@@ -1 +1 @@\n"]
    {
        assert!(is_diff(text.as_bytes()), "{text}");
    }
    assert!(!is_diff(b"see diff --git for more\n"));
}

#[test]
fn the_mark_of_an_editor_is_not_kept() {
    let opened = of_document("x.json", format!("\u{feff}{LEAST}").into_bytes()).expect("a capture");
    assert_eq!(*opened.document(), LEAST.as_bytes());
}
