//! A model behind the task, scripted: budgets, one repair, degraded entries, engines that fail.

use crate::{
    drive::{Drive, bytes, drive, owned, target},
    tasks::document,
};
use casefile::{
    driver::{
        report::DriverError,
        settings::{EngineChoice, OnFailure, Settings, Target},
    },
    summary::discussion::Origin,
    task::{
        phase::{Phase, PhaseStatus},
        state::State,
    },
};
use serde_json::{Value, json};
use std::{fs, path::Path};

/// Settings whose engine answers with these texts, one a call.
fn scripted(folder: &Path, answers: &[String]) -> Settings {
    let script = folder.join("script");
    let _ = fs::remove_dir_all(&script);
    fs::create_dir(&script).expect("made");
    for (at, answer) in answers.iter().enumerate() {
        fs::write(script.join(format!("{}.txt", at + 1)), answer).expect("written");
    }
    let model = Some(script.to_str().expect("a plain path").to_owned());
    let mut settings = owned(folder);
    settings.engine = EngineChoice { name: "scripted".into(), model, effort: None };
    settings
}

fn prompts(folder: &Path) -> usize {
    let names = fs::read_dir(folder.join("script")).expect("listed");
    names
        .filter(|it| {
            it.as_ref().expect("an entry").path().extension().is_some_and(|it| it == "prompt")
        })
        .count()
}

fn answer(thread: u64, text: &str) -> Value {
    json!({
        "thread_id": format!("t{thread}"), "status": "settled", "text": text,
        "decision": "the check was added", "open_question": null, "positions": [],
        "next_actor": "none", "cites": ["c2"],
    })
}

fn good(threads: &[u64]) -> String {
    let all: Vec<_> =
        threads.iter().map(|it| answer(*it, "Settled: Decided to check the empty list.")).collect();
    json!({ "threads": all }).to_string()
}

fn three() -> Target {
    target(document(3).to_string().as_bytes())
}

fn temp() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn origins(drive: &Drive) -> Vec<Origin> {
    drive.discussion().threads.iter().map(|it| it.origin).collect()
}

fn degraded(drive: &Drive) -> Vec<bool> {
    let checks = drive.discussion().threads.iter();
    checks.map(|it| it.checks.iter().any(|it| it.starts_with("degraded: "))).collect()
}

fn file(folder: &Path, path: &str) -> String {
    String::from_utf8(bytes(folder, path)).expect("text")
}

#[test]
fn a_good_answer_is_kept_and_costs_nothing_again() {
    let temp = temp();
    let settings = scripted(temp.path(), &[good(&[0, 1, 2])]);
    let first = drive(&three(), &settings);
    assert!(first.ran(), "{:?}", first.notices);
    assert_eq!(origins(&first), [Origin::Model; 3]);
    assert_eq!(first.outcome.usage.calls, 1);
    assert!(first.outcome.usage.input_tokens > 0);
    assert_eq!(first.outcome.usage.cost_usd, Some(0.001));
    let again = drive(&three(), &settings);
    assert!(!again.ran());
    assert_eq!((again.outcome.usage.calls, prompts(temp.path())), (0, 1));
}

#[test]
fn one_new_comment_sends_one_thread() {
    let temp = temp();
    let settings = scripted(temp.path(), &[good(&[0, 1, 2])]);
    drive(&three(), &settings);
    fs::write(temp.path().join("script/1.txt"), good(&[1])).expect("written");
    let mut changed = document(3);
    let comments = changed["review_threads"][1]["comments"].as_array_mut().expect("comments");
    comments.push(json!({"id": 77, "author": "reviewer", "body": "Does this hold for nil too?"}));
    let again = drive(&target(changed.to_string().as_bytes()), &settings);
    assert!(again.ran());
    let prompt = fs::read_to_string(temp.path().join("script/1.prompt")).expect("a prompt");
    assert!(prompt.contains("Does this hold for nil too?"));
    assert!(prompt.contains("t1") && !prompt.contains("t0") && !prompt.contains("t2"));
    let carried: Vec<_> = again.discussion().threads.iter().map(|it| it.carried).collect();
    assert_eq!(carried, [true, false, true]);
}

#[test]
fn a_bad_answer_is_repaired_once_and_then_mended_alone() {
    let temp = temp();
    let unknown =
        json!({ "threads": [answer(0, "Settled: Decided x."), answer(9, "Settled: Decided y.")] });
    let still =
        json!({ "threads": [answer(1, "Settled: Decided to check."), answer(2, "no such start")] });
    let settings = scripted(temp.path(), &[unknown.to_string(), still.to_string(), good(&[2])]);
    let first = drive(&three(), &settings);
    assert!(first.ran(), "{:?}", first.notices);
    assert_eq!(prompts(temp.path()), 2, "one repair, not more");
    let repair = fs::read_to_string(temp.path().join("script/2.prompt")).expect("a prompt");
    assert!(repair.contains("t9") && repair.contains("t1") && repair.contains("t2"), "{repair}");
    assert_eq!(origins(&first), [Origin::Model, Origin::Model, Origin::Extractive]);
    assert_eq!(degraded(&first), [false, false, true]);
    let text = file(temp.path(), "dossier/final/discussion.md");
    assert!(text.contains("degraded"), "{text}");
    let raw = fs::read_dir(temp.path().join("root/llm-tasks/dossier-discussion-summary"))
        .expect("listed")
        .map(|it| it.expect("an entry").path().join("attempt-1.raw"))
        .next()
        .expect("a task");
    assert_eq!(fs::read_to_string(raw).expect("kept").lines().count(), 2, "every answer is kept");
}

#[test]
fn an_engine_that_fails_is_stood_in_for_and_asked_again_next_time() {
    let temp = temp();
    let settings = scripted(temp.path(), &["!overloaded".into()]);
    let first = drive(&three(), &settings);
    assert!(first.outcome.error.is_none(), "a summary failure never blocks a review");
    let task = &first.outcome.tasks[0];
    assert!(matches!(&task.state, State::FailedIsolated { error } if error.contains("overloaded")));
    assert_eq!(degraded(&first), [true; 3]);
    assert!(first.notices.iter().any(|it| it.contains("overloaded")));
    assert!(file(temp.path(), "dossier/summary/discussion.json").contains("degraded: "));
    fs::write(temp.path().join("script/1.txt"), good(&[0, 1, 2])).expect("written");
    let second = drive(&three(), &settings);
    assert!(second.ran(), "nothing was committed");
    assert_eq!(origins(&second), [Origin::Model; 3]);
}

#[test]
fn on_summary_failure_fail_ends_the_run() {
    let temp = temp();
    let mut settings = scripted(temp.path(), &["!overloaded".into()]);
    settings.on_summary_failure = OnFailure::Fail;
    let first = drive(&three(), &settings);
    assert!(matches!(first.outcome.error, Some(DriverError::Task(_))), "{:?}", first.outcome.error);
    assert!(matches!(first.outcome.tasks[0].state, State::FailedBlocking { .. }));
    assert!(!temp.path().join("root/dossier/summary").exists(), "nothing is published");
}

#[test]
fn a_discussion_over_its_budget_is_never_sent_whatever_is_configured() {
    for on_failure in [OnFailure::Continue, OnFailure::Fail] {
        let temp = temp();
        let mut settings = scripted(temp.path(), &[good(&[0, 1, 2])]);
        settings.on_summary_failure = on_failure;
        settings.budgets.prompt_bytes = 200;
        let first = drive(&three(), &settings);
        let Some(DriverError::OverBudget(text)) = &first.outcome.error else {
            panic!("{:?}", first.outcome.error);
        };
        assert!(text.starts_with("dossier-summary budget exceeded"), "{text}");
        assert!(text.contains("200") && text.contains("src/lib.rs"), "{text}");
        assert!(matches!(first.outcome.tasks[0].state, State::OverBudget { .. }));
        let phase = first.outcome.phases.iter().find(|it| it.0 == Phase::Dossier).expect("there");
        assert!(matches!(phase.1, PhaseStatus::Failed { .. }));
        assert_eq!(prompts(temp.path()), 0);
    }
}

#[test]
fn threads_beyond_the_limit_are_extracted_and_say_so() {
    let temp = temp();
    let mut settings = scripted(temp.path(), &[good(&[0, 1])]);
    settings.budgets.threads = 2;
    let first = drive(&three(), &settings);
    assert!(first.ran(), "{:?}", first.notices);
    let threads = &first.discussion().threads;
    let not_sent: Vec<_> =
        threads.iter().map(|it| it.checks.iter().any(|it| it == "not-sent")).collect();
    assert_eq!(not_sent.iter().filter(|it| **it).count(), 1, "{not_sent:?}");
    assert_eq!(first.discussion().omitted.threads_omitted, 1);
    assert!(file(temp.path(), "dossier/final/discussion.md").contains("not-sent"));
}

#[test]
fn a_person_who_writes_does_not_make_a_model_write_again() {
    use casefile::{
        driver::correct,
        summary::{
            correction::{self, Said},
            discussion::Status,
        },
    };
    let temp = temp();
    let settings = scripted(temp.path(), &[good(&[0, 1, 2])]);
    let first = drive(&three(), &settings);
    let said = Said {
        thread_id: first.discussion().threads[0].thread_id.clone(),
        source_digest: first.discussion().threads[0].source_digest.clone(),
        comments_total: 2,
        status: Status::Noted,
        text: "nothing to decide".into(),
    };
    let thread = &three().capture.review_threads[0];
    let mine = correction::judge(thread, &said, &settings.us).expect("sound");
    correct::save(&temp.path().join("root"), mine, "ann").expect("saved");
    let corrected = drive(&three(), &settings);
    assert!(corrected.ran());
    assert_eq!(origins(&corrected), [Origin::Person, Origin::Model, Origin::Model]);
    assert_eq!(prompts(temp.path()), 1, "no call");
    // Another thread goes on: it alone is asked about, and the person's entry stays.
    fs::write(temp.path().join("script/1.txt"), good(&[1])).expect("written");
    let mut changed = document(3);
    let comments = changed["review_threads"][1]["comments"].as_array_mut().expect("comments");
    comments.push(json!({"id": 77, "author": "reviewer", "body": "Does this hold for nil too?"}));
    let again = drive(&target(changed.to_string().as_bytes()), &settings);
    assert!(again.ran());
    let prompt = fs::read_to_string(temp.path().join("script/1.prompt")).expect("a prompt");
    assert!(prompt.contains("t1") && !prompt.contains("t0") && !prompt.contains("t2"));
    assert_eq!(origins(&again), [Origin::Person, Origin::Model, Origin::Model]);
}
