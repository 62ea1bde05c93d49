//! What may not reach the final dossier: approval state, chatter of checks and merges, mergeability
//! and casefile's own bookkeeping, fed in as the forge sends them and looked for in
//! `final/*.md`. What a person said with the same words stays.

use crate::drive::{Drive, drive, owned, target};
use serde_json::{Value, json};
use std::{collections::BTreeMap, path::Path};

/// What a person may say, word for word, with every word that is left out when a machine says it.
const HUMAN: [&str; 4] = [
    "The approved retry must not read the session cache before the merge queue is mergeable again",
    "A stale cache makes the CI coverage check fail although the build passed",
    "Is the changes_requested state cached in this session, or is it loaded again on each retry?",
    "The fingerprint of a task in the ledger is not the session id",
];

/// Reports as bots of these names write them, each with a mark of its own.
const CHATTER: [(&str, &str); 9] = [
    (
        "codecov[bot]",
        "## Codecov Report\nzqchatter coverage is `82.1%`\n\n| File | Cov |\n|---|---|\n| a | 1 |",
    ),
    (
        "github-actions[bot]",
        "<!-- build -->\n## Build zqchatter\n\n| job | result |\n|---|---|\n| linux | failed |",
    ),
    ("mergify[bot]", "zqchatter This pull request is now in the merge queue"),
    ("github-merge-queue[bot]", "zqchatter Removed from the merge queue: failed status checks"),
    ("bors[bot]", ":hourglass: zqchatter Trying commit f00df00 with merge cafecafe..."),
    (
        "dependabot[bot]",
        "zqchatter Bumps serde from 1.0.1 to 1.0.2.\n\n<details><summary>Commits</summary>x</details>",
    ),
    (
        "k8s-ci-robot",
        "[APPROVALNOTIFIER] zqchatter This PR is **APPROVED**\n\n<!-- META={\"approvers\":[]} -->",
    ),
    (
        "vercel[bot]",
        "zqchatter The latest updates\n\n| Name | Status |\n|---|---|\n| web | Ready |",
    ),
    ("sonarcloud[bot]", "## Quality Gate passed zqchatter\n0 new issues"),
];

/// Texts of the page's own status box, which an export may carry in fields of its own.
const STATUS_BOX: [&str; 6] = [
    "zqstatus At least 1 approving review is required by reviewers with write access",
    "zqstatus Merging is blocked",
    "zqstatus All checks have passed",
    "zqstatus This branch has no conflicts with the base branch",
    "zqstatus Auto-merge enabled",
    "zqstatus Retry the failed jobs of this cached session",
];

/// Words of machines: none may stand in the final texts once a person's sentences are taken out.
const FORBIDDEN: [&str; 30] = [
    "zq",
    "approv",
    "changes_requested",
    "dismissed",
    "mergeab",
    "mergeable",
    "merge queue",
    "merge_queue",
    "auto-merge",
    "blocked",
    "coverage",
    "codecov",
    "build",
    "quality gate",
    "check_suite",
    "check suite",
    "passed",
    "failed",
    "session",
    "retry",
    "retries",
    "attempt",
    "cache",
    "loaded",
    "carried",
    "reuse",
    "fingerprint",
    "ledger",
    "extractive",
    "llm",
];

fn said(id: u64, author: &str, body: &str) -> Value {
    let bot = author.ends_with("[bot]");
    json!({"id": id, "author": author, "author_is_bot": bot, "body": body,
        "session_id": "zqstatus-session", "retry_count": 7, "cache": "zqstatus"})
}

/// A pull request that carries all of it.
fn document() -> Value {
    let thread = |at: usize, author: &str, body: &str| {
        json!({"id": format!("t{at}"), "path": "src/lib.rs", "line": at + 1, "side": "RIGHT",
            "comments": [said(at as u64, author, body)], "cache_key": "zqstatus"})
    };
    let mut threads: Vec<Value> =
        HUMAN.iter().enumerate().map(|(at, body)| thread(at, "ann", body)).collect();
    let inside =
        "<!-- report -->\n## Build zqchatter\n\n| job | result |\n|---|---|\n| linux | failed |";
    threads.push(thread(50, "github-actions[bot]", inside));
    let mut comments = vec![said(800, "ann", HUMAN[1])];
    comments.extend(CHATTER.iter().zip(801..).map(|((author, body), id)| said(id, author, body)));
    let states = ["APPROVED", "CHANGES_REQUESTED", "DISMISSED", "COMMENTED", "PENDING"];
    let reviews: Vec<Value> = states
        .iter()
        .zip(900..)
        .map(|(state, id)| {
            json!({"id": id, "author": "ann", "state": state,
                "submitted_at": "2026-01-02T03:04:05Z", "body": format!("zqreview {state}: ship it")})
        })
        .collect();
    let pull = json!({
        "number": 7, "title": "Read lists", "author": "bob", "state": "open", "draft": true,
        "body": "Lists are read once.", "mergeable": false, "mergeable_state": "blocked",
        "merge_state_status": "BLOCKED", "auto_merge": {"enabled_by": "zqstatus"},
        "review_decision": "APPROVED", "status_check_rollup": STATUS_BOX,
        "base": {"ref": "main", "sha": "b".repeat(40)}, "head": {"ref": "topic", "sha": "a".repeat(40)},
    });
    json!({
        "format": "casefile-capture", "version": 1, "captured_at": "2026-01-02T03:04:05Z",
        "repository": "owner/tool", "forge": {"kind": "github", "host": "github.com"},
        "pull_request": pull, "review_threads": threads, "issue_comments": comments,
        "reviews": reviews, "check_runs": STATUS_BOX, "statuses": STATUS_BOX,
        "session_id": "zqstatus-session",
        "files": [{"path": "src/lib.rs", "status": "modified", "additions": 3, "deletions": 1,
            "patch": "@@ -1 +1,3 @@\n-a\n+b\n+c\n+d"}],
    })
}

/// The final texts below a root, by name.
fn finals(folder: &Path) -> BTreeMap<String, String> {
    let entries = std::fs::read_dir(folder.join("root/dossier/final")).expect("a final folder");
    let read = |it: std::io::Result<std::fs::DirEntry>| {
        let path = it.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        (name, std::fs::read_to_string(path).expect("text"))
    };
    entries.map(read).collect()
}

/// Without what Markdown puts before signs and without the ends that shortening may cost.
fn plain(text: &str) -> String {
    text.replace('\\', "")
}

fn nothing_of_machines(texts: &BTreeMap<String, String>) {
    let names: Vec<&str> = texts.keys().map(String::as_str).collect();
    assert_eq!(names, ["change-map.md", "discussion.md", "guidance.md", "intent.md"]);
    for (name, text) in texts {
        let mut rest = plain(text).to_lowercase();
        for sentence in HUMAN {
            rest = rest.replace(&sentence.to_lowercase(), "");
        }
        for word in FORBIDDEN {
            let found = rest.lines().find(|it| it.contains(word));
            assert_eq!(found, None, "{name} tells of {word}");
        }
    }
}

fn run(folder: &Path, document: &Value) -> Drive {
    let it = drive(&target(document.to_string().as_bytes()), &owned(folder));
    assert!(it.outcome.error.is_none(), "{:?}", it.outcome.error);
    it
}

#[test]
fn machines_are_left_out_and_a_person_with_their_words_stays() {
    let temp = tempfile::tempdir().expect("a temporary folder");
    let it = run(temp.path(), &document());
    let texts = finals(temp.path());
    nothing_of_machines(&texts);
    let discussion = plain(&texts["discussion.md"]);
    for sentence in HUMAN {
        assert!(discussion.contains(sentence), "{sentence}\n{discussion}");
    }
    let omitted = it.discussion().omitted;
    assert_eq!(omitted.noise_comments, CHATTER.len() as u64 + 1, "all of it is counted");
}

#[test]
fn how_often_a_run_was_made_reaches_no_final_text() {
    let temp = tempfile::tempdir().expect("a temporary folder");
    let first = run(temp.path(), &document());
    assert!(first.ran());
    let before = finals(temp.path());
    assert!(!run(temp.path(), &document()).ran(), "the second run loads");
    assert_eq!(finals(temp.path()), before);
    // A third attempt, with one thread more and the others taken over.
    let mut changed = document();
    let threads = changed["review_threads"].as_array_mut().expect("threads");
    threads.push(json!({"id": "t90", "path": "src/lib.rs", "line": 3, "side": "RIGHT",
        "comments": [said(90, "ann", "Please rename this to `read`.")]}));
    let third = run(temp.path(), &changed);
    assert!(third.ran() && third.discussion().threads.iter().any(|it| it.carried));
    nothing_of_machines(&finals(temp.path()));
}

#[test]
fn a_verdict_or_a_status_that_changes_changes_no_final_byte() {
    let temp = tempfile::tempdir().expect("a temporary folder");
    run(temp.path(), &document());
    let before = finals(temp.path());
    let changes: [fn(&mut Value); 6] = [
        |it| it["reviews"] = json!([]),
        |it| it["reviews"][0]["state"] = "CHANGES_REQUESTED".into(),
        |it| it["pull_request"]["mergeable"] = true.into(),
        |it| it["pull_request"]["review_decision"] = Value::Null,
        |it| it["statuses"] = json!(["failure"]),
        |it| it["issue_comments"][1]["body"] = "## Codecov Report\nzqchatter 12 %".into(),
    ];
    for (at, change) in changes.iter().enumerate() {
        let mut document = document();
        change(&mut document);
        run(temp.path(), &document);
        assert_eq!(finals(temp.path()), before, "change {at}");
    }
}
