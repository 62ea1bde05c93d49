use crate::domain::text::outside::OutsideOption as _;
use crate::domain::{
    anchor::{Absence, Place, own_hunk, place, place_between},
    capture::{Capture, Thread},
    diff::{Diff, Side},
    patch::parse,
};
use proptest::prelude::{Strategy, any, prop_assert, prop_assert_eq, proptest};
use serde_json::{Value, json};

const DIFF: &str = "diff --git a/a b/a
--- a/a
+++ b/a
@@ -1,3 +1,3 @@
 1
-2
+two
 3
@@ -20,2 +20,3 @@
 20
+new
 21
diff --git a/was b/is
similarity index 90%
rename from was
rename to is
--- a/was
+++ b/is
@@ -5 +5 @@
-5
+five
diff --git a/a b/copy
similarity index 100%
copy from src
copy to copy
diff --git a/link b/link
deleted file mode 100644
--- a/link
+++ /dev/null
@@ -1 +0,0 @@
-text
diff --git a/link b/link
new file mode 120000
--- /dev/null
+++ b/link
@@ -0,0 +1 @@
+target
";

fn capture(threads: &[Value]) -> Capture {
    let text = json!({
        "format": "casefile-capture", "version": 1, "repository": "o/n",
        "pull_request": {"number": 1}, "review_threads": threads,
    });
    serde_json::from_value(text).expect("a capture")
}

#[track_caller]
fn check(thread: &Value, expected: &Place) {
    let mut thread = thread.clone();
    thread["id"] = json!("T");
    let places = place(&capture(&[thread]), &parse(DIFF.as_bytes())).places;
    assert_eq!(places, std::slice::from_ref(expected));
}

fn line(file: u32, line: u32, side: Side, start: Option<u32>) -> Place {
    Place::Line { file, line, side, start, side_guessed: false }
}

fn guessed(file: u32, line: u32, side: Side) -> Place {
    Place::Line { file, line, side, start: None, side_guessed: true }
}

#[test]
fn each_side_has_its_own_line() {
    check(&json!({"path": "a", "line": 2, "side": "LEFT"}), &line(0, 1, Side::Left, None));
    check(&json!({"path": "a", "line": 2, "side": "RIGHT"}), &line(0, 2, Side::Right, None));
    check(&json!({"path": "a", "line": 21, "side": "right"}), &line(0, 5, Side::Right, None));
}

#[test]
fn without_a_side_the_new_one_is_tried_first() {
    check(&json!({"path": "a", "line": 2}), &guessed(0, 2, Side::Right));
    check(&json!({"path": "link", "line": 1}), &guessed(4, 0, Side::Right));
    let removed = parse(b"--- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n");
    let places = place(&capture(&[json!({"id": 1, "path": "a", "line": 1})]), &removed).places;
    assert_eq!(places, [guessed(0, 0, Side::Left)]);
}

#[test]
fn ranges_begin_where_they_were_drawn() {
    let range = |start: u32, start_side: &str, end: u32| json!({"path": "a", "start_line": start, "start_side": start_side, "line": end, "side": "RIGHT"});
    check(&range(1, "RIGHT", 3), &line(0, 3, Side::Right, Some(0)));
    check(&range(2, "LEFT", 2), &line(0, 2, Side::Right, Some(1)));
    check(&range(3, "RIGHT", 3), &line(0, 3, Side::Right, None));
    check(&range(15, "RIGHT", 21), &line(0, 5, Side::Right, Some(4)));
    check(&range(3, "LEFT", 2), &line(0, 2, Side::Right, None));
}

#[test]
fn threads_without_a_line_stand_under_their_file() {
    let hunk = json!([{"diff_hunk": ""}, {"diff_hunk": "@@ -1 +1 @@\n-1\n+2"}]);
    check(&json!({"path": "a", "line": null, "comments": hunk}), &Place::Outdated { file: 0 });
    check(&json!({"path": "a", "comments": [{"body": "x"}]}), &Place::Unknown { file: 0 });
    check(&json!({"path": "a", "line": 1, "subject_type": "FILE"}), &Place::File { file: 0 });
    check(&json!({"path": "copy", "subject_type": "file"}), &Place::File { file: 2 });
}

#[test]
fn paths_join_through_renames() {
    check(&json!({"path": "was", "line": 5, "side": "RIGHT"}), &line(1, 1, Side::Right, None));
    check(&json!({"path": "is", "line": 5, "side": "LEFT"}), &line(1, 0, Side::Left, None));
    check(&json!({"path": "src", "line": 5}), &Place::Elsewhere(Absence::PathNotInDiff));
}

#[test]
fn the_rest_is_elsewhere_with_its_reason() {
    check(&json!({"path": "gone", "line": 5}), &Place::Elsewhere(Absence::PathNotInDiff));
    check(&json!({"path": "a", "line": 10}), &Place::Elsewhere(Absence::LineNotShown));
    check(&json!({"path": "a", "line": 0}), &Place::Elsewhere(Absence::LineNotShown));
    check(&json!({"path": "a", "line": u64::MAX}), &Place::Elsewhere(Absence::LineNotShown));
    check(&json!({"path": "copy", "line": 1}), &Place::Elsewhere(Absence::LineNotShown));
    let places = place(&capture(&[json!({"id": 1, "path": "a"})]), &Diff::default()).places;
    assert_eq!(places, [Place::Elsewhere(Absence::NoFiles)]);
}

#[test]
fn a_threads_own_hunk_ends_at_its_line() {
    let thread: Thread = serde_json::from_value(json!({
        "id": 1, "path": "a", "comments": [{"diff_hunk": "@@ -7,9 +7,9 @@\n 7\n-8\n+eight"}],
    }))
    .expect("a thread");
    let hunk = own_hunk(&thread, 2).expect("a hunk");
    let numbers: Vec<_> = hunk.lines.iter().map(|it| (it.old, it.new)).collect();
    assert_eq!(numbers, [(8, 0), (0, 8)]);
}

fn thread() -> impl Strategy<Value = Value> {
    let path = proptest::sample::select(vec!["a", "was", "is", "copy", "src", "link", "gone"]);
    let side =
        proptest::sample::select(vec![Value::Null, json!("LEFT"), json!("RIGHT"), json!("?")]);
    let number = proptest::option::of(0..24_u64);
    let rest = (side.clone(), number.clone(), any::<bool>(), any::<bool>());
    (path, side, number, rest).prop_map(|(path, side, line, (start_side, start, file, hunk))| {
        json!({
            "id": 1, "path": path, "side": side, "line": line, "start_line": start, "start_side": start_side,
            "subject_type": if file { "file" } else { "line" },
            "comments": [{"diff_hunk": if hunk { "@@ -1 +1 @@\n+1" } else { "" }}],
        })
    })
}

proptest! {
    #[test]
    fn every_thread_has_one_place(threads in proptest::collection::vec(thread(), 0..20)) {
        let diff = parse(DIFF.as_bytes());
        let capture = capture(&threads);
        let placement = place(&capture, &diff);
        prop_assert_eq!(placement.places.len(), threads.len());
        prop_assert_eq!(placement.counts().total(), threads.len());
        for (place, thread) in placement.places.iter().zip(&capture.review_threads) {
            if let Place::Line { file, line, side, start, .. } = place {
                let file = &diff.files[*file as usize];
                let line = file.lines[*line as usize];
                prop_assert_eq!(line.number(*side).map(u64::from), thread.line);
                prop_assert!(start.is_none_or(|it| (it as usize) < file.lines.len()));
                let own = [Some(file.path.raw()), file.previous_path.raw()];
                prop_assert!(own.contains(&Some(thread.path.raw())));
            }
        }
    }
}

/// The left side of a diff between two heads is the older head, not the base.
#[test]
fn between_two_heads_threads_stand_on_the_newer_one_or_where_they_were_said() {
    let check = |thread: Value, expected: Place| {
        let mut thread = thread;
        thread["id"] = json!("T");
        let diff = parse(DIFF.as_bytes());
        assert_eq!(place_between(&capture(&[thread]), &diff, "0ld").places, [expected]);
    };
    let not_shown = Place::Elsewhere(Absence::LineNotShown);
    check(json!({"path": "a", "line": 2, "side": "RIGHT"}), line(0, 2, Side::Right, None));
    check(json!({"path": "a", "line": 2, "side": "LEFT"}), not_shown);
    let hunk = json!([{"diff_hunk": "@@ -1,2 +1,2 @@\n 1\n-2"}]);
    let outdated = |commit: &str| {
        json!({"path": "a", "side": "RIGHT", "original_line": 2, "original_commit_id": commit,
            "comments": hunk})
    };
    check(outdated("0ld"), line(0, 1, Side::Left, None));
    check(outdated("another"), Place::Outdated { file: 0 });
}
