//! A small review with every kind of thread, for tests of the interface. Must not be in a release.

use crate::{
    app::{
        event::{Event, Opened, RunReport},
        key::Chord,
        keymap::Keymap,
        model::{First, Model, Size, Start},
        update::update,
    },
    domain::{actor::Identity, capture::Capture, digest::Digest, review::Review},
    summary::{
        correction::{self, Correction},
        discussion::{
            Discussion, NextActor, Omitted, Origin, Provenance, SCHEMA_VERSION, Status,
            ThreadSummary, Usage,
        },
        extract,
    },
};
use serde_json::{Value, json};
use std::sync::Arc;

/// 2026-03-04T00:00:00Z.
pub(crate) const NOW: i64 = 1_772_582_400;

/// The capture behind the small review.
pub(crate) fn capture(threads: &Value) -> Capture {
    let files = json!([
        {"path": "src/upload.rs", "status": "modified", "additions": 4, "deletions": 2, "patch":
            "@@ -110,4 +110,7 @@ fn next_attempt\n     let budget = self.budget;\n-    let left = budget.left();\n+    let left = budget.remaining();\n+    if budget.is_empty() {\n+        return None;\n+    }\n     self.wait(left);\n     self.count += 1;\n@@ -200,3 +202,3 @@ fn wait\n fn wait(&self) {\n-\tsleep(1)\n+    sleep(1)\n }"},
        {"path": "src/net/retry.rs", "previous_path": "src/net/again.rs", "status": "renamed", "patch":
            "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c"},
        {"path": "logo.png", "status": "modified", "binary": true},
        {"path": "docs/empty.md", "status": "added", "additions": 0, "deletions": 0, "patch": ""},
        {"path": "data/big.json", "status": "modified", "additions": 9000, "deletions": 3, "patch_omitted": true}
    ]);
    serde_json::from_value(json!({
        "format": "casefile-capture", "version": 1, "captured_at": "2026-03-03T00:00:00Z",
        "repository": "acme/store",
        "pull_request": {"number": 482, "title": "Retry budget for uploads", "state": "open", "author": "alice",
            "base": {"ref": "main", "sha": "1111111"}, "head": {"ref": "retry-budget", "sha": "3fa9c1d7"},
            "url": "https://forge.example/acme/store/pull/482"},
        "files": files, "review_threads": threads,
        "completeness": {"review_threads": {"fetched": 10, "total": 12}}
    }))
    .expect("the fixture is a capture")
}

fn comment(author: &str, body: &str) -> Value {
    json!({"id": body.len(), "author": author, "author_is_bot": author.ends_with("[bot]"),
        "body": body, "created_at": "2026-03-02T00:00:00Z", "url": "https://forge.example/c"})
}

/// One thread of every kind.
pub(crate) fn threads() -> Value {
    let talk = |them: &[(&str, &str)]| -> Value {
        them.iter().map(|(who, said)| comment(who, said)).collect()
    };
    let old = "@@ -1,2 +1,2 @@\n let gone = 1;\n+let there = 2;";
    let mut hidden = talk(&[("carol", "off topic words")]);
    hidden[0]["is_minimized"] = json!(true);
    hidden[0]["minimized_reason"] = json!("OFF_TOPIC");
    let mut pending = talk(&[("alice", "a draft of mine")]);
    pending[0]["state"] = json!("PENDING");
    let mut outdated = talk(&[("bob", "This is gone, is it not?")]);
    outdated[0]["diff_hunk"] = json!(old);
    let mut ghost = talk(&[("x", "said by nobody")]);
    ghost[0]["author"] = Value::Null;
    json!([
        {"id": "t1", "path": "src/upload.rs", "line": 114, "side": "RIGHT", "start_line": 112, "start_side": "RIGHT", "is_resolved": false,
            "comments": talk(&[("bob", "Should this count **network** errors only?\n\n- first\n- second"),
                ("alice", "Agreed, pushed in 3fa9c1d."), ("ci[bot]", "Build passed")])},
        {"id": "t2", "path": "src/upload.rs", "line": 111, "side": "RIGHT", "is_resolved": true, "resolved_by": "bob",
            "comments": talk(&[("bob", "Rename this to `remaining`."), ("alice", "Done.")])},
        {"id": "t3", "path": "src/upload.rs", "line": 111, "side": "LEFT", "is_resolved": false,
            "comments": talk(&[("carol", "Why was `left` wrong?")])},
        {"id": "t4", "path": "src/upload.rs", "line": null, "original_line": 7, "is_outdated": true, "is_resolved": false, "comments": outdated},
        {"id": "t5", "path": "src/upload.rs", "line": null, "is_resolved": false, "comments": talk(&[("carol", "Where was this?")])},
        {"id": "t6", "path": "src/upload.rs", "subject_type": "file", "is_resolved": false, "comments": talk(&[("dave", "A word on the whole file.")])},
        {"id": "t7", "path": "src/net/again.rs", "line": 2, "side": "RIGHT", "is_resolved": false,
            "comments": talk(&[("bob", "```suggestion\nBetter\n```")])},
        {"id": "t8", "path": "src/net/retry.rs", "line": 3, "is_resolved": false, "comments": hidden},
        {"id": "t9", "path": "src/net/retry.rs", "line": 3, "side": "RIGHT", "is_resolved": false, "comments": pending},
        {"id": "t10", "path": "no/such/file.rs", "line": 4, "side": "RIGHT", "is_resolved": false, "comments": ghost}
    ])
}

/// A review of the small capture.
pub(crate) fn review() -> Review {
    Review::of(Arc::new(capture(&threads())))
}

/// What stands for each thread of the small review.
fn summary(thread: &crate::domain::capture::Thread) -> ThreadSummary {
    let (status, text, cites): (_, &str, &[&str]) = match thread.id.to_string().as_str() {
        "t1" => (
            Status::Unresolved,
            "Unresolved: bob asks whether network errors alone count. alice agreed [c2].",
            &["c1", "c2"],
        ),
        "t2" => (Status::Settled, "Settled: Decided to rename it to `remaining`.", &["c2"]),
        _ => (Status::Unresolved, "Unresolved: nobody answered yet.", &["c1"]),
    };
    let next_actor = if status == Status::Settled { NextActor::None } else { NextActor::Author };
    ThreadSummary {
        status,
        text: text.to_owned().into(),
        next_actor,
        cites: cites.iter().map(|it| (*it).to_owned()).collect(),
        source_digest: Digest::of("fixed"),
        checks: if thread.id.to_string() == "t5" {
            vec!["uncited-question".to_owned()]
        } else {
            Vec::new()
        },
        ..extract::facts(thread, &Identity::default())
    }
}

/// The summary of a review.
pub(crate) fn discussion(review: &Review) -> Discussion {
    let nothing = Digest::of("");
    Discussion {
        schema_version: SCHEMA_VERSION,
        pinned: false,
        omission_note: None,
        threads: review.capture.review_threads.iter().map(summary).collect(),
        comments: Vec::new(),
        omitted: Omitted::default(),
        provenance: Provenance {
            discussion_digest: nothing.clone(),
            capture_digest: nothing.clone(),
            projection_digest: nothing.clone(),
            engine: "extractive".to_owned(),
            model: None,
            prompt_version: "1".to_owned(),
            prompt_digest: nothing,
            schema_version: SCHEMA_VERSION,
            made_at: "2026-03-03T00:00:00Z".to_owned(),
            usage: Usage::default(),
        },
    }
}

/// A model that has a review open, at a size.
pub(crate) fn model_of(review: Review, width: u16, height: u16) -> Model {
    let start = Start {
        size: Size { width, height },
        now: NOW,
        first: First::Target("pr.json".to_owned()),
        keymap: Keymap::default(),
        ascii: false,
        mouse: true,
        themes: ["dark", "light"].map(str::to_owned).into(),
    };
    let (mut model, _) = Model::start(start);
    let opened = Opened::whole("acme/store#482".to_owned(), review);
    update(&mut model, Event::Opened { request: 1, opened: Box::new(opened) });
    model
}

/// The small review, open and summarised.
pub(crate) fn model(width: u16, height: u16) -> Model {
    let mut model = model_of(review(), width, height);
    let discussion = Arc::new(discussion(&review()));
    update(&mut model, Event::Run { request: 2, report: RunReport::Summary(discussion) });
    model
}

/// Presses keys written as in the keymap, with blanks between.
pub(crate) fn press(model: &mut Model, keys: &str) -> Vec<crate::app::event::Effect> {
    let mut effects = Vec::new();
    for key in keys.split(' ') {
        let chord: Chord = key.parse().expect("a key");
        effects.extend(update(model, Event::Key(chord)));
    }
    effects
}

/// The first thread, corrected twice, the second time by ann; and her text stands.
pub(crate) fn corrected(model: &mut Model) {
    let mut discussion = discussion(&review());
    let entry = &mut discussion.threads[0];
    let record = |text: &str, author: &str, at: &str| Correction {
        version: correction::VERSION,
        thread_id: entry.thread_id.clone(),
        source_digest: entry.source_digest.clone(),
        status: Status::Settled,
        text: text.to_owned(),
        decision: None,
        open_question: None,
        cites: vec!["c2".to_owned()],
        comments_total: 3,
        withdraws: false,
        author: author.to_owned(),
        at: at.to_owned(),
    };
    let kept = vec![
        record("Settled: network errors.", "bob", "2026-03-02T09:00:00Z"),
        record(
            "Settled: Only network errors count against the budget, as alice agreed in c2 and \
             pushed in 3fa9c1d; a refused upload does not.",
            "ann",
            "2026-03-03T09:00:00Z",
        ),
    ];
    (entry.status, entry.next_actor, entry.origin) =
        (Status::Settled, NextActor::None, Origin::Person);
    (entry.text, entry.cites) = (kept[1].text.as_str().into(), kept[1].cites.clone());
    entry.checks = vec!["status-mismatch".to_owned(), "person-edited".to_owned()];
    let request = model.desk.as_ref().and_then(|it| it.corrections.waits_for);
    let request = request.expect("the history was asked for");
    update(model, Event::Corrections { request, kept, drafts: Vec::new() });
    let report = RunReport::Summary(Arc::new(discussion));
    update(model, Event::Run { request: 2, report });
}
