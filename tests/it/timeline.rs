//! One real pull request at fourteen moments, on one root: from each moment to the next exactly the
//! threads whose discussion changed are summarised again.

use crate::{
    drive::{bytes, drive, owned, target},
    shared::shared_files,
};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn only_changed_threads_are_summarised_again() {
    let files = shared_files("real/timeline/bips-2040", ".json");
    if files.is_empty() {
        return;
    }
    let temp = tempfile::tempdir().expect("a temporary folder");
    let settings = owned(temp.path());
    let mut before = BTreeMap::new();
    let mut counts = Vec::new();
    for file in &files {
        let name = file.display();
        let document = std::fs::read(file).expect("a capture");
        let raw: Value = serde_json::from_slice(&document).expect("JSON");
        let now = said(&raw);
        let target = target(&document);

        let first = drive(&target, &settings);
        assert!(first.ran(), "{name}: every moment differs, so the task runs");
        let threads = &first.discussion().threads;
        let again: BTreeSet<String> =
            threads.iter().filter(|it| !it.carried).map(|it| it.thread_id.to_string()).collect();
        let expected: BTreeSet<String> = now
            .iter()
            .filter(|(id, said)| before.get(*id) != Some(*said))
            .map(|(id, _)| id.clone())
            .collect();
        assert_eq!(again, expected, "{name}");
        assert_eq!(threads.len(), now.len(), "{name}: every thread, once");
        counts.push((again.len(), threads.len() - again.len()));

        let kept = bytes(temp.path(), "dossier/summary/discussion.json");
        assert!(!drive(&target, &settings).ran(), "{name}: the same moment again is loaded");
        assert_eq!(bytes(temp.path(), "dossier/summary/discussion.json"), kept);
        before = now;
    }
    // Summarised again, carried over.
    let expected = [
        (0, 0),
        (6, 0),
        (11, 2),
        (7, 9),
        (8, 12),
        (3, 17),
        (2, 16),
        (11, 16),
        (1, 26),
        (0, 27),
        (12, 26),
        (2, 38),
        (0, 40),
        (0, 40),
    ];
    assert_eq!(counts, expected);
}

/// What each thread's summary may rest on, by the thread's id, read from the document itself.
fn said(capture: &Value) -> BTreeMap<String, Value> {
    let threads = capture["review_threads"].as_array().expect("threads");
    let each = threads.iter().map(|it| {
        let id = it["id"].as_str().map_or_else(|| it["id"].to_string(), str::to_owned);
        let comments = it["comments"].as_array().expect("comments").iter();
        let comments: Vec<_> = comments
            .map(|it| {
                let minimized = it["is_minimized"] == Value::Bool(true);
                json!([it["id"], it["node_id"], it["author"], it["body"], minimized])
            })
            .collect();
        let keys =
            ["path", "side", "original_line", "original_start_line", "subject_type", "is_resolved"];
        let anchor = keys.map(|key| it[key].clone());
        (id, json!([anchor, comments]))
    });
    each.collect()
}
