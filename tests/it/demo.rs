//! The demo pull request holds what it claims: every kind of file and thread, hunks whose counts
//! are right, and threads whose lines exist. The reader of patches here is the test's own.

use casefile::domain::text::outside::OutsideOption as _;
use casefile::domain::{
    anchor::Place,
    capture::{Capture, ChangedFile, Thread},
    review::Review,
};
use std::{collections::BTreeSet, sync::Arc};

const DEMO: &str = include_str!("../../assets/demo/capture.json");

fn demo() -> Capture {
    serde_json::from_str(DEMO).expect("the demo is a capture")
}

/// The line numbers `(old, new)` a patch shows; panics where a hunk's counts are wrong.
fn shown(file: &ChangedFile) -> (BTreeSet<u64>, BTreeSet<u64>) {
    let (mut old, mut new) = (BTreeSet::new(), BTreeSet::new());
    let Some(patch) = &file.patch else { return (old, new) };
    let mut lines = patch.raw().split('\n').peekable();
    while let Some(header) = lines.next() {
        let mut words = header.strip_prefix("@@ -").expect(header).split([' ', '+']);
        let (mut left, mut left_count) = span(words.next().expect(header));
        let (mut right, mut right_count) = span(words.nth(1).expect(header));
        while left_count + right_count > 0 {
            let line = lines.next().unwrap_or_else(|| panic!("{:?}: {header} is short", file.path));
            let sign = line.as_bytes().first();
            if matches!(sign, Some(b' ' | b'-')) {
                assert!(old.insert(left));
                (left, left_count) = (left + 1, left_count - 1);
            }
            if matches!(sign, Some(b' ' | b'+')) {
                assert!(new.insert(right));
                (right, right_count) = (right + 1, right_count - 1);
            }
            assert!(matches!(sign, Some(b' ' | b'-' | b'+' | b'\\')), "{:?}: {line:?}", file.path);
        }
        lines.next_if(|it| it.starts_with('\\'));
    }
    (old, new)
}

/// `12,3` or `12`.
fn span(text: &str) -> (u64, u64) {
    let (start, count) = text.split_once(',').unwrap_or((text, "1"));
    (start.parse().expect(text), count.parse().expect(text))
}

#[test]
fn every_hunk_has_the_lines_it_announces() {
    let capture = demo();
    for file in capture.files.as_deref().expect("files") {
        let patch = file.patch.raw().unwrap_or("");
        let (old, new) = shown(file);
        let context = patch.split('\n').filter(|it| it.starts_with(' ')).count() as u64;
        if file.patch.is_some() {
            assert_eq!(file.additions, Some(new.len() as u64 - context), "{:?}", file.path);
            assert_eq!(file.deletions, Some(old.len() as u64 - context), "{:?}", file.path);
        }
    }
}

#[test]
fn every_line_of_a_thread_exists_on_its_side() {
    let capture = demo();
    let files = capture.files.as_deref().expect("files");
    for thread in &capture.review_threads {
        let Some(line) = thread.line else { continue };
        let file = (files.iter())
            .find(|it| [&it.path, &it.previous_path].contains(&&Some(thread.path.clone())))
            .unwrap_or_else(|| panic!("{} has no file", thread.path.raw()));
        let (old, new) = shown(file);
        let on = |side: Option<&str>| if side == Some("LEFT") { &old } else { &new };
        assert!(on(thread.side.as_deref()).contains(&line), "{} {line}", thread.path.raw());
        if let Some(start) = thread.start_line {
            assert!(
                on(thread.start_side.as_deref()).contains(&start),
                "{} {start}",
                thread.path.raw()
            );
        }
    }
}

#[test]
fn every_kind_of_file_is_there() {
    let capture = demo();
    let files = capture.files.as_deref().expect("files");
    let any = |what: &str, test: &dyn Fn(&ChangedFile) -> bool| {
        assert!(files.iter().any(test), "no file is {what}");
    };
    assert!(files.len() >= 12);
    for end in [".rs", ".ts", ".tsx", ".py", ".md", ".toml"] {
        any(end, &|it| it.path.as_ref().is_some_and(|it| it.raw().ends_with(end)));
    }
    let renamed = |it: &ChangedFile| it.status.raw() == Some("renamed");
    let patch =
        |it: &ChangedFile, text: &str| it.patch.as_ref().is_some_and(|it| it.raw().contains(text));
    any("renamed and edited", &|it| renamed(it) && it.patch.is_some());
    any("only renamed", &|it| renamed(it) && it.changes == Some(0));
    any("removed", &|it| it.status.raw() == Some("removed"));
    any("binary", &|it| it.binary == Some(true));
    any("left out", &|it| it.patch_omitted == Some(true) && it.patch.is_none());
    any("added empty", &|it| it.status.raw() == Some("added") && it.changes == Some(0));
    any("without a last newline", &|it| patch(it, "\\ No newline"));
    any("with tabs", &|it| patch(it, "\t"));
    any("with CRLF", &|it| patch(it, "\r\n"));
    any("hostile", &|it| patch(it, "\u{1b}]52;"));
    any("at a hostile path", &|it| {
        it.path.as_ref().is_some_and(|it| it.raw().contains('\u{202e}'))
    });
}

#[test]
fn every_kind_of_thread_is_there() {
    let capture = demo();
    let threads = &capture.review_threads;
    let any = |what: &str, test: &dyn Fn(&Thread) -> bool| {
        assert!(threads.iter().any(test), "no thread is {what}");
    };
    assert!(threads.len() >= 20);
    let outdated = |it: &Thread| it.is_outdated == Some(true);
    let hunk = |it: &Thread| it.comments.iter().any(|it| it.diff_hunk.is_some());
    let ranges =
        |it: &Thread, from: &str| it.start_line.is_some() && it.start_side.as_deref() == Some(from);
    any("resolved", &|it| it.is_resolved == Some(true));
    any("outdated with its hunk", &|it| outdated(it) && it.line.is_none() && hunk(it));
    any("outdated at a line", &|it| outdated(it) && it.line.is_some());
    any("nowhere", &|it| {
        it.line.is_none() && !hunk(it) && it.subject_type.as_deref() == Some("line")
    });
    any("on a file", &|it| it.subject_type.as_deref() == Some("file"));
    any("without a side", &|it| it.line.is_some() && it.side.is_none());
    any("a range", &|it| ranges(it, "RIGHT"));
    any("a range across sides", &|it| ranges(it, "LEFT") && it.side.as_deref() == Some("RIGHT"));
    any("long", &|it| it.comments.len() >= 15);
    any("locked", &|it| it.viewer_can_reply == Some(false));
    any("on an old path", &|it| it.path == "src/backoff.rs");
    any("on both sides", &|it| {
        let twin = |other: &Thread| {
            other.path == it.path && other.line == it.line && other.side != it.side
        };
        it.line.is_some() && it.side.is_some() && threads.iter().any(twin)
    });
    let paths: BTreeSet<_> = (capture.files.iter().flatten())
        .flat_map(|it| [it.path.raw(), it.previous_path.raw()])
        .flatten()
        .collect();
    any("outside the diff", &|it| !paths.contains(it.path.raw()));
}

#[test]
fn every_kind_of_comment_is_there() {
    let capture = demo();
    let comments: Vec<_> = capture.review_threads.iter().flat_map(|it| &it.comments).collect();
    for text in [
        "\n```suggestion\n        if",
        "```suggestion\n```",
        "````suggestion\n```sh",
        "<details>",
        "| jitter |",
        "![",
        "\u{1b}]52;",
        "\u{202e}",
        "\u{200b}",
        "\r\n",
        "👩\u{200d}💻",
        "電話",
    ] {
        let found =
            comments.iter().any(|it| it.body.as_ref().is_some_and(|it| it.raw().contains(text)));
        assert!(found, "no comment holds {text:?}");
    }
    assert!(comments.iter().any(|it| it.author.is_none()), "no ghost");
    assert!(comments.iter().any(|it| it.is_minimized == Some(true)), "nothing minimized");
    assert!(comments.iter().any(|it| it.state.raw() == Some("PENDING")), "nothing pending");
    assert!(comments.iter().any(|it| it.author_is_bot == Some(true)), "no bot");
    assert!(capture.issue_comments.iter().any(|it| it.author_is_bot == Some(true)), "no chatter");
    let extent = &capture.completeness.issue_comments;
    assert_eq!(extent.fetched, Some(capture.issue_comments.len() as u64));
    assert!(extent.total > extent.fetched, "one list is cut, and says so");
}

#[test]
fn nothing_raw_stands_in_the_file_itself() {
    let hidden =
        |it: &char| it.is_control() && *it != '\n' || matches!(it, '\u{202a}'..='\u{202e}');
    assert_eq!(DEMO.chars().find(hidden), None, "hidden characters are escaped in the JSON");
}

#[test]
fn every_thread_is_placed_where_the_capture_says() {
    let review = Review::of(Arc::new(demo()));
    let threads = &review.capture.review_threads;
    for (thread, place) in threads.iter().zip(&review.placement.places) {
        let Place::Line { file, line, side, .. } = place else { continue };
        let line = &review.diff.files[*file as usize].lines[*line as usize];
        assert_eq!(line.number(*side).map(u64::from), thread.line, "{}", thread.path.raw());
    }
    let counts = review.placement.counts();
    assert_eq!(counts.total(), threads.len());
    assert_eq!(counts.line, threads.iter().filter(|it| it.line.is_some()).count());
    assert_eq!((counts.outdated, counts.file, counts.unknown, counts.elsewhere), (4, 3, 1, 1));
}
