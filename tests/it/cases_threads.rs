//! Threads on diffs: the case list's, and every thread of every real capture.

use crate::shared::{shared, shared_files};
use casefile::domain::anchor::{Absence, Place, own_hunk};
use casefile::domain::capture::Capture;
use casefile::domain::diff::Side;
use casefile::domain::patch::parse;
use casefile::domain::review::Review;
use serde_json::{Value, json};
use std::sync::Arc;

/// The case list's threads, which are written as GraphQL answers, as a capture.
fn cases() -> Option<(Review, Vec<String>)> {
    let threads = shared("cases/threads.json")?;
    let diff = parse(&std::fs::read(shared("cases/diffs/21-thread-host.diff")?).expect("a diff"));
    let answer: Value =
        serde_json::from_slice(&std::fs::read(threads).expect("readable")).expect("JSON");
    let nodes = &answer["data"]["repository"]["pullRequest"]["reviewThreads"]["nodes"];
    let mut threads: Vec<_> = nodes.as_array().expect("nodes").iter().map(thread).collect();
    // "Make it": the thread that was written on a file's old name.
    threads.push(
        json!({"id": "T:renamed-path", "path": "src/old_name.rs", "line": 3, "side": "RIGHT"}),
    );
    let names =
        threads.iter().map(|it| it["id"].as_str().expect("an id")[2..].to_owned()).collect();
    let capture: Capture = serde_json::from_value(json!({
        "format": "casefile-capture", "version": 1, "repository": "acme/cases",
        "pull_request": {"number": 21}, "review_threads": threads,
    }))
    .expect("a capture");
    Some((Review::with_diff(Arc::new(capture), Arc::new(diff)), names))
}

fn thread(node: &Value) -> Value {
    let comments = node["comments"]["nodes"].as_array().expect("comments").iter().map(|it| {
        json!({"id": it["databaseId"], "node_id": it["id"], "author": it["author"]["login"],
            "body": it["body"], "diff_hunk": it["diffHunk"]})
    });
    let id = node["id"].as_str().expect("an id").replace("PRRT_", "T:");
    json!({
        "id": id, "path": node["path"], "line": node["line"], "side": node["diffSide"],
        "original_line": node["originalLine"], "start_line": node["startLine"],
        "start_side": node["startDiffSide"], "subject_type": node["subjectType"],
        "is_outdated": node["isOutdated"], "is_resolved": node["isResolved"],
        "comments": comments.collect::<Vec<_>>(),
    })
}

/// The path and content of the line a place names.
fn seen(review: &Review, place: &Place) -> Option<(String, String, Side)> {
    let Place::Line { file, line, side, .. } = place else { return None };
    let file = &review.diff.files[*file as usize];
    let content = file.content(&file.lines[*line as usize]).into_raw().into_owned();
    Some((file.path.raw().to_owned(), content, *side))
}

#[test]
fn cases_32_34_36_37_threads_stand_where_they_belong() {
    let Some((review, names)) = cases() else { return };
    let of = |name: &str| {
        let at = names.iter().position(|it| it == name).expect(name);
        &review.placement.places[at]
    };
    let at = |name: &str| seen(&review, of(name)).expect(name);
    let line = |path: &str, content: &str, side| (path.to_owned(), content.to_owned(), side);
    assert_eq!(at("left"), line("src/a.rs", "b", Side::Left));
    assert_eq!(at("same-number-both-sides"), line("src/a.rs", "B", Side::Right));
    assert_eq!(at("outdated-but-has-line"), line("src/a.rs", "B", Side::Right));
    assert_eq!(at("renamed-path"), line("src/new_name.rs", "three", Side::Right));
    let a = review.diff.files.iter().position(|it| it.path == "src/a.rs").expect("the file") as u32;
    assert_eq!(*of("outdated-null-line"), Place::Outdated { file: a });
    assert_eq!(*of("path-not-in-diff"), Place::Elsewhere(Absence::PathNotInDiff));
    assert_eq!(*of("file-level"), Place::File { file: 0 });
    let Place::Line { start: Some(0), line: 3, .. } = of("multi-line") else {
        panic!("{:?}", of("multi-line"))
    };
    assert_eq!(review.placement.counts().total(), names.len());
}

#[test]
fn case_10_threads_are_found_on_quoted_paths() {
    let Some(path) = shared("cases/diffs/09-quoted-paths.diff") else { return };
    let diff = parse(&std::fs::read(path).expect("a diff"));
    let threads: Vec<_> = diff
        .files
        .iter()
        .map(|it| json!({"id": it.path, "path": it.path, "line": 1, "side": "RIGHT"}))
        .collect();
    let capture: Capture = serde_json::from_value(json!({
        "format": "casefile-capture", "version": 1, "repository": "acme/cases",
        "pull_request": {"number": 9}, "review_threads": threads,
    }))
    .expect("a capture");
    let review = Review::with_diff(Arc::new(capture), Arc::new(diff));
    for (place, at) in review.placement.places.iter().zip(0..) {
        assert_eq!(place.file(), Some(at));
    }
    assert_eq!(review.placement.counts().line, 9);
}

#[test]
fn every_real_thread_has_one_place() {
    for path in shared_files("real/captures", ".json") {
        let bytes = std::fs::read(&path).expect("a readable capture");
        let capture: Capture = serde_json::from_slice(&bytes).expect("a capture");
        let review = Review::of(Arc::new(capture));
        let (threads, places) = (&review.capture.review_threads, &review.placement.places);
        let counts = review.placement.counts();
        println!("{}: {counts:?}", path.display());
        assert_eq!(places.len(), threads.len(), "{}", path.display());
        assert_eq!(counts.total(), threads.len(), "{}", path.display());
        let files = review.capture.files.as_deref().unwrap_or_default();
        assert_eq!(review.diff.files.len(), files.len(), "{}", path.display());
        for (file, from) in review.diff.files.iter().zip(files) {
            let patched = from.patch.is_some() && from.additions.is_some();
            if patched {
                let told = (from.additions, from.deletions);
                let mine = (Some(file.additions.into()), Some(file.deletions.into()));
                assert_eq!(mine, told, "{} {}", path.display(), file.path.raw());
                assert_eq!(file.note, None, "{} {}", path.display(), file.path.raw());
            }
        }
        for (thread, place) in threads.iter().zip(places) {
            match place {
                Place::Line { .. } => assert!(thread.line.is_some()),
                Place::Outdated { .. } => {
                    let hunk = own_hunk(thread, 4).expect("an outdated thread has its hunk");
                    assert!(
                        (1..=4).contains(&hunk.lines.len()),
                        "{} {}",
                        path.display(),
                        thread.id
                    );
                }
                Place::File { .. } => assert_eq!(thread.subject_type.as_deref(), Some("file")),
                Place::Unknown { .. } | Place::Elsewhere(_) => {}
            }
        }
    }
}
