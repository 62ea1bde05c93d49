use crate::domain::text::outside::OutsideOption as _;
use crate::domain::{
    capture::{Capture, ChangedFile, PullRequest},
    diff::{Body, Diff, DiffLine, FileDiff, LineKind, Side},
    patch::{of_capture, of_hunk, parse},
};

mod generated;

/// One line a file: path, change, body, counts.
fn outline(diff: &Diff) -> Vec<String> {
    let line = |it: &FileDiff| {
        let from =
            it.previous_path.as_ref().map(|it| format!("{} → ", it.raw())).unwrap_or_default();
        format!(
            "{from}{} {:?} {:?} +{} -{}",
            it.path.raw(),
            it.change,
            it.body,
            it.additions,
            it.deletions
        )
    };
    diff.files.iter().map(line).collect()
}

#[track_caller]
fn check(diff: &str, expected: &[&str]) {
    assert_eq!(outline(&parse(diff.as_bytes())), expected);
}

/// The lines of a file as `old new kind content`, with `\` behind a missing line end.
fn lines(file: &FileDiff) -> Vec<String> {
    let line = |it: &DiffLine| {
        let sign = match it.kind {
            LineKind::Context => ' ',
            LineKind::Added => '+',
            LineKind::Removed => '-',
        };
        let end = if it.no_newline { "\\" } else { "" };
        format!("{} {} {sign}{}{end}", it.old, it.new, file.content(it).raw())
    };
    file.lines.iter().map(line).collect()
}

#[test]
fn only_counts_end_a_hunk() {
    let diff = parse(b"--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@ fn f\n---- a\n-@@ -1 +1 @@\n+++++ b/evil\n+diff --git a/x b/x\n c\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-1\n+2\n");
    assert_eq!(outline(&diff), ["x Modified Text +2 -2", "y Modified Text +1 -1"]);
    assert_eq!(
        lines(&diff.files[0]),
        ["1 0 ---- a", "2 0 -@@ -1 +1 @@", "0 1 +++++ b/evil", "0 2 +diff --git a/x b/x", "3 3  c"]
    );
    assert_eq!(diff.files[0].section(&diff.files[0].hunks[0]), "fn f");
}

#[test]
fn mail_and_commit_text_around_a_diff_is_no_file() {
    check(
        "From 1 Mon\nSubject: x\n\n--- not a file\ntext\n---\n a | 2 +-\n\ndiff --git a/a b/a\nindex 1..2 100644\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-1\n+2\n-- \n2.47.3\n",
        &["a Modified Text +1 -1"],
    );
}

#[test]
fn names_are_told_apart() {
    let name = |header: &str| {
        parse(format!("diff --git {header}\nold mode 100644\nnew mode 100755\n").as_bytes()).files
            [0]
        .path
        .clone()
    };
    assert_eq!(name("a/x b/x"), "x");
    assert_eq!(name("a/x b/y.txt b/x b/y.txt"), "x b/y.txt");
    assert_eq!(name("i/x w/x"), "x");
    assert_eq!(name("src/x.rs src/x.rs"), "src/x.rs");
    assert_eq!(name("old/src/x.rs new1/src/x.rs"), "src/x.rs");
    assert_eq!(name("\"a/t\\tab \\345\\233\\275\" \"b/t\\tab \\345\\233\\275\""), "t\tab 国");
    assert_eq!(name("what ever"), "what ever");
}

#[test]
fn names_that_are_not_utf8_keep_their_bytes() {
    let diff = parse(b"diff --git \"a/caf\\351\" \"b/caf\\351\"\nnew file mode 100644\n");
    assert_eq!(diff.files[0].path, "caf\u{fffd}");
    assert_eq!(diff.files[0].path_bytes.as_deref(), Some(&b"caf\xe9"[..]));
}

#[test]
fn plain_diffs_name_their_files() {
    let hunk = "@@ -1 +1 @@\n-1\n+2\n";
    check(
        &format!("--- old/a.c\t2026-01-01 10:00\n+++ new/a.c\t2026-01-02 10:00\n{hunk}"),
        &["a.c Modified Text +1 -1"],
    );
    check(&format!("--- a.c.orig\t2026\n+++ a.c\t2026\n{hunk}"), &["a.c Modified Text +1 -1"]);
    check(
        &format!("--- a/one.c\n+++ b/two.c\n{hunk}"),
        &["one.c → two.c Renamed(None) Text +1 -1"],
    );
    check("--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+1\n", &["n Added Text +1 -0"]);
    check(
        "--- x/n\t1970-01-01 00:00:00\n+++ y/n\t2026-01-01\n@@ -0,0 +1 @@\n+1\n",
        &["n Added Text +1 -0"],
    );
    check("Binary files a/logo.png and b/logo.png differ\n", &["logo.png Modified Binary +0 -0"]);
}

#[test]
fn files_without_hunks_say_what_they_are() {
    check("diff --git a/e b/e\nnew file mode 100644\nindex 0..e\n", &["e Added Empty +0 -0"]);
    check(
        "diff --git a/m b/m\nold mode 100644\nnew mode 100755\n",
        &["m ModeChanged NoContentChange +0 -0"],
    );
    check(
        "diff --git a/o b/n\nsimilarity index 100%\nrename from o\nrename to n\n",
        &["o → n Renamed(Some(100)) NoContentChange +0 -0"],
    );
    check(
        "diff --git a/b.bin b/b.bin\nindex 1..2 100644\nGIT binary patch\nliteral 3\nKcmZ-diff\n\nliteral 0\nHcmV?d00001\n\ndiff --git a/e b/e\nnew file mode 100644\n",
        &["b.bin Modified Binary +0 -0", "e Added Empty +0 -0"],
    );
    check(
        "diff --git a/l b/l\nindex 1..2 100644\nBinary files a/l and b/l differ\n",
        &["l Modified Binary +0 -0"],
    );
    check(
        "diff --git a/q b/q\n",
        &["q Modified NotLoaded(\"the diff holds no hunk for it\") +0 -0"],
    );
}

#[test]
fn a_type_change_is_two_sections_of_one_path() {
    let diff = parse(b"diff --git a/l b/l\ndeleted file mode 100644\nindex 1..0\n--- a/l\n+++ /dev/null\n@@ -1 +0,0 @@\n-text\ndiff --git a/l b/l\nnew file mode 120000\nindex 0..2\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+target\n\\ No newline at end of file\n");
    assert_eq!(outline(&diff), ["l TypeChanged Text +0 -1", "l TypeChanged Text +1 -0"]);
    assert_eq!(
        (diff.files[0].old_mode, diff.files[1].new_mode),
        (Some(0o100_644), Some(0o120_000))
    );
    assert_eq!(lines(&diff.files[1]), ["0 1 +target\\"]);
}

#[test]
fn submodules_are_commits_not_text() {
    let (a, b) =
        ("b28c24670699665603e8434aa3ce107073380cd1", "8d15fb6e9245fd2a52ed896d8c7c17c2b8912162");
    let body = |it: &Diff| it.files.iter().map(|it| it.body.clone()).collect::<Vec<_>>();
    let pins = |old: Option<&str>, new: Option<&str>| Body::Submodule {
        old: old.map(str::to_owned),
        new: new.map(str::to_owned),
    };
    let hunks = parse(format!("diff --git a/s b/s\nindex b28..8d1 160000\n--- a/s\n+++ b/s\n@@ -1 +1 @@\n-Subproject commit {a}\n+Subproject commit {b}\n").as_bytes());
    assert_eq!(body(&hunks), [pins(Some(a), Some(b))]);
    let log = parse(b"Submodule libs/sub one b28c246..8d15fb6:\n  > second\n  < first\nSubmodule new 0000000...8d15fb6 (new submodule)\nSubmodule was 1111111...2222222 (rewind):\n  < x\nSubmodule says so\ndiff --git a/x b/x\nnew file mode 100644\n");
    assert_eq!(
        body(&log),
        [
            pins(Some("b28c246"), Some("8d15fb6")),
            pins(None, Some("8d15fb6")),
            pins(Some("1111111"), Some("2222222")),
            Body::Empty
        ]
    );
    assert_eq!(log.files[0].path, "libs/sub one");
    assert_eq!(log.files[0].note.raw(), Some("> second\n< first"));
    assert_eq!(log.files[2].note.raw(), Some("rewind\n< x"));
}

#[test]
fn merges_stay_visible_and_their_lines_name_no_file() {
    let diff = parse(b"diff --cc x.c\nindex 1,2..3\n--- a/x.c\n+++ b/x.c\n@@@ -1,2 -1,2 +1,3 @@@ f\n  same\n- one\n -two\n++diff --git a/evil b/evil\n +both\ndiff --git a/e b/e\nnew file mode 100644\n");
    assert_eq!(
        outline(&diff),
        [
            "x.c Modified NotLoaded(\"a merge compared with 2 parents at once\") +0 -0",
            "e Added Empty +0 -0"
        ]
    );
}

#[test]
fn a_cut_hunk_keeps_what_is_there() {
    let diff = parse(b"diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,5 +1,5 @@\n 1\n-2\ndiff --git a/b b/b\nnew file mode 100644\n");
    assert_eq!(outline(&diff), ["a Modified Text +0 -1", "b Added Empty +0 -0"]);
    assert_eq!(diff.files[0].note.raw(), Some("hunk 1 is cut off: 4 or more lines are missing"));
}

#[test]
fn line_ends_and_odd_bytes_are_content() {
    let diff = parse(
        b"diff --git a/a b/a\r\n--- a/a\r\n+++ b/a\r\n@@ -1,3 +1,3 @@\r\n a\r\n-b\r\n+\xe9\r\n\r\n",
    );
    let file = &diff.files[0];
    assert_eq!(lines(file), ["1 1  a\r", "2 0 -b\r", "0 2 +\u{fffd}\r", "3 3  \r"]);
    assert!(file.crlf);
    assert_eq!(file.shown(&file.lines[0]), "a");
    assert_eq!(file.raw_bytes(&file.lines[2]), b"\xe9\r");
}

#[test]
fn lines_are_found_by_their_numbers() {
    let diff = parse(
        b"--- a/a\n+++ b/a\n@@ -1,3 +1,4 @@\n 1\n-2\n-3\n+b\n+c\n+d\n@@ -10 +11,2 @@\n 10\n+e\n",
    );
    let file = &diff.files[0];
    for (side, number, line) in [
        (Side::Left, 3, 2),
        (Side::Left, 10, 6),
        (Side::Right, 2, 3),
        (Side::Right, 4, 5),
        (Side::Right, 12, 7),
    ] {
        assert_eq!(file.find(side, number), Some(line), "{side:?} {number}");
    }
    for (side, number) in [(Side::Left, 0), (Side::Left, 4), (Side::Right, 5), (Side::Right, 13)] {
        assert_eq!(file.find(side, number), None, "{side:?} {number}");
    }
    assert_eq!(file.hunk_of(6), Some(1));
}

fn capture(files: Vec<ChangedFile>) -> Capture {
    Capture {
        format: String::new(),
        version: 1,
        captured_at: None,
        forge: None,
        repository: String::new(),
        pull_request: PullRequest::default(),
        files: Some(files),
        issue_comments: Vec::new(),
        review_threads: Vec::new(),
        reviews: Vec::new(),
        completeness: crate::domain::capture::Completeness::default(),
        viewer: None,
    }
}

#[test]
fn a_capture_file_without_a_patch_says_why() {
    let file = |status: &str, changes: Option<u64>, binary: Option<bool>| ChangedFile {
        path: Some("f".to_owned().into()),
        status: Some(status.to_owned().into()),
        changes,
        additions: changes,
        binary,
        ..ChangedFile::default()
    };
    let body = |it: ChangedFile| of_capture(&capture(vec![it])).files.remove(0).body;
    let says = |it: &str| Body::NotLoaded(it.to_owned());
    assert_eq!(
        body(file("modified", Some(7), None)),
        says("GitHub left this patch out (7 changes)")
    );
    assert_eq!(body(file("added", Some(0), Some(true))), Body::Binary);
    assert_eq!(body(file("added", Some(0), Some(false))), Body::Empty);
    assert_eq!(
        body(file("added", Some(0), None)),
        says("an empty or a binary file: it has no changed lines")
    );
    assert_eq!(body(file("renamed", Some(0), None)), Body::NoContentChange);
    assert_eq!(body(file("modified", None, None)), says("the capture holds no patch for it"));
    assert_eq!(body(ChangedFile::default()), says("the capture holds no patch for it"));
}

#[test]
fn a_comments_hunk_is_cut_at_its_end() {
    let file = of_hunk("f", "@@ -1,30 +1,30 @@ f\n a\n-b\n+c\n+d", 2);
    assert_eq!(lines(&file), ["0 2 +c", "0 3 +d"]);
    assert_eq!(
        (file.hunks[0].new_start, file.hunks[0].new_count, file.hunks[0].old_count),
        (2, 2, 0)
    );
    assert_eq!(lines(&of_hunk("f", " a\n+b", 9)), ["0 0  a", "0 0 +b"]);
    assert_eq!(of_hunk("f", "", 9).hunks.len(), 0);
}
