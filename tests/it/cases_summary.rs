//! Summaries of the case list's threads, and what holds for every thread of every real capture.

use crate::shared::{shared, shared_files};
use casefile::{
    domain::{actor::Identity, capture::Capture, digest::Digest},
    summary::{
        assemble::assemble,
        budget::Budgets,
        checks,
        discussion::{Discussion, Status, ThreadSummary, Usage},
        extract::extract,
        final_text::markdown,
        maker::{Made, Maker},
        project::{Cuts, project},
        prompt,
    },
};
use serde_json::{Value, json};

fn whole(capture: &Capture) -> Discussion {
    let us = Identity::default();
    let digest = Digest::of("");
    let made = Made {
        maker: Maker::extractive(),
        capture_digest: digest.clone(),
        projection_digest: digest,
        made_at: String::new(),
        usage: Usage::default(),
    };
    assemble(capture, extract(capture, &us), None, &[], &Cuts::default(), made, &us)
}

/// The case list's threads, which are written as GraphQL answers, as a capture.
fn cases() -> Option<Capture> {
    let bytes = std::fs::read(shared("cases/threads.json")?).expect("readable");
    let answer: Value = serde_json::from_slice(&bytes).expect("JSON");
    let nodes = &answer["data"]["repository"]["pullRequest"]["reviewThreads"]["nodes"];
    let threads: Vec<Value> = nodes.as_array().expect("nodes").iter().map(thread).collect();
    let capture = json!({
        "format": "casefile-capture", "version": 1, "repository": "acme/cases",
        "pull_request": {"number": 21, "author": "alice"}, "review_threads": threads,
        "completeness": {"review_threads": {"fetched": threads.len(), "total": 102}},
    });
    Some(serde_json::from_value(capture).expect("a capture"))
}

fn thread(node: &Value) -> Value {
    let comments = node["comments"]["nodes"].as_array().expect("comments").iter().map(|it| {
        let bot = it["author"]["__typename"] == "Bot";
        json!({"id": it["databaseId"], "author": it["author"]["login"], "author_is_bot": bot,
            "body": it["body"], "is_minimized": it["isMinimized"], "state": it["state"]})
    });
    json!({
        "id": node["id"].as_str().expect("an id").replace("PRRT_", ""), "path": node["path"],
        "line": node["line"], "side": node["diffSide"], "is_resolved": node["isResolved"],
        "resolved_by": node["resolvedBy"]["login"], "comments_total": node["comments"]["totalCount"],
        "comments": comments.collect::<Vec<_>>(),
    })
}

fn of<'a>(discussion: &'a Discussion, id: &str) -> &'a ThreadSummary {
    let found = discussion.threads.iter().find(|it| it.thread_id.to_string() == id);
    found.unwrap_or_else(|| panic!("no summary of {id}"))
}

#[test]
fn case_25_a_part_says_so() {
    let Some(capture) = cases() else { return };
    let it = whole(&capture);
    let note = it.omission_note.clone().expect("the capture is not whole");
    assert!(note.contains("of 102 review threads"), "{note}");
    assert!(note.contains("a part of the comments of 1 thread"), "{note}");
    assert_eq!(of(&it, "many-comments").comments_total, 137);
    assert!(markdown(&it).contains("of 102 review threads"));
}

#[test]
fn case_27_a_deleted_account_is_a_person() {
    let Some(capture) = cases() else { return };
    let it = whole(&capture);
    let ghost = of(&it, "ghost");
    assert_eq!((ghost.participants.humans, ghost.participants.bots), (2, 0));
    assert!(ghost.text.raw().contains("ghost"), "{:?}", ghost.text);
}

#[test]
fn case_39_the_forges_flag_settles() {
    let Some(capture) = cases() else { return };
    let it = whole(&capture);
    let resolved = of(&it, "resolved-not-outdated");
    assert_eq!((resolved.status, resolved.resolved), (Status::Settled, Some(true)));
}

#[test]
fn cases_40_and_44_what_is_hidden_or_a_draft_is_no_discussion() {
    let Some(mut capture) = cases() else { return };
    let named = |name: &str, capture: &Capture| {
        capture.review_threads.iter().position(|it| it.id.to_string() == name).expect("a thread")
    };
    let (minimized, pending) = (named("minimized", &capture), named("pending-mine", &capture));
    capture.review_threads[minimized].comments[0].is_minimized = Some(true);
    capture.review_threads[pending].comments[0].state = Some("PENDING".into());
    let it = whole(&capture);
    for name in ["minimized", "pending-mine"] {
        let it = of(&it, name);
        assert_eq!((it.status, it.comments_omitted), (Status::Noted, 1), "{name}");
        assert!(
            !it.text.raw().contains("off topic") && !it.text.raw().contains("“draft”"),
            "{:?}",
            it.text
        );
        assert_eq!(it.checks, ["not-sent"]);
    }
}

#[test]
fn case_42_suggestions_are_told() {
    let Some(capture) = cases() else { return };
    let it = whole(&capture);
    assert!(of(&it, "suggestion").text.raw().contains("`B2`"), "{:?}", of(&it, "suggestion").text);
    let deletes = &of(&it, "suggestion-empty-deletes").text;
    assert!(deletes.raw().contains("delete these lines"), "{deletes:?}");
}

#[test]
fn case_46_a_reply_after_the_summary_makes_it_stale() {
    let Some(mut capture) = cases() else { return };
    let before = whole(&capture);
    let at = 0;
    let mut reply = capture.review_threads[at].comments[0].clone();
    (reply.author, reply.body) = (Some("bob".into()), Some("Why, though?".into()));
    capture.review_threads[at].comments.push(reply);
    let stale =
        checks::staleness(&before.threads[at], &capture.review_threads[at], &Identity::default());
    assert_eq!(stale.as_deref(), Some("stale: 1 new comments"));
    assert_ne!(whole(&capture).threads[at].status, Status::Settled);
}

#[test]
fn case_71_an_instruction_in_a_comment_is_only_text() {
    let Some(capture) = cases() else { return };
    let it = whole(&capture);
    let injected = of(&it, "injection");
    assert_ne!(injected.status, Status::Settled);
    assert!(
        injected.text.raw().contains("Ignore all previous instructions"),
        "{:?}",
        injected.text
    );
    assert!(it.threads.iter().filter(|it| it.status == Status::Settled).count() < 3);
}

#[test]
fn cases_49_50_nothing_hidden_reaches_a_summary() {
    let Some(capture) = cases() else { return };
    let it = whole(&capture);
    let bad = |it: char| {
        it.is_control() && it != '\n' || matches!(it, '\u{202a}'..='\u{202e}' | '\u{200b}')
    };
    assert!(!of(&it, "escapes").text.raw().contains(bad), "{:?}", of(&it, "escapes").text);
    assert!(!markdown(&it).contains(bad));
}

#[test]
fn every_real_thread_has_a_summary_that_keeps_the_contract() {
    for path in shared_files("real/captures", ".json") {
        let capture: Capture =
            serde_json::from_slice(&std::fs::read(&path).expect("readable")).expect("a capture");
        let it = whole(&capture);
        assert_eq!(it.threads.len(), capture.review_threads.len(), "{}", path.display());
        for (thread, it) in capture.review_threads.iter().zip(&it.threads) {
            let said = format!("{} {}: {}", path.display(), it.thread_id, it.text.raw());
            assert_eq!((&it.thread_id, &it.anchor.path), (&thread.id, &thread.path), "{said}");
            let opening = match it.status {
                Status::Settled => "Settled: ",
                Status::Unresolved => "Unresolved: ",
                Status::Noted => "Noted: ",
            };
            assert!(it.text.raw().starts_with(opening), "{said}");
            assert!(
                it.text.raw().chars().count() <= 400 && !it.text.raw().contains('\n'),
                "{said}"
            );
            assert!(it.status != Status::Settled || it.cites.len() <= 3, "{said}");
            for cite in &it.cites {
                let number: usize = cite[1..].parse().expect("c and a number");
                assert!((1..=thread.comments.len()).contains(&number), "{said}");
            }
            let invented = it.checks.iter().find(|it| it.starts_with("unknown-identifier"));
            assert_eq!(invented, None, "{said}");
        }
        let threads: Vec<usize> = (0..capture.review_threads.len()).collect();
        let budgets = Budgets::default();
        let us = Identity::default();
        let shown = project(&capture, &threads, &budgets, &us).expect("real talk fits");
        assert!(shown.parts.len() <= budgets.calls);
        for part in 0..shown.parts.len() {
            assert!(prompt::render(&shown, part).len() <= budgets.prompt_bytes);
        }
    }
}
