//! Trouble is on the screen in words: a summary that was not sent, that an engine failed to give,
//! that is stale; a run over its budget; talk that was left out.

use crate::{
    app::{
        event::{Event, Phase, PhaseStatus, RunReport},
        fixture,
        model::Model,
        update::update,
    },
    summary::discussion::Discussion,
    task::state::{State, TaskReport},
    view::tests::words,
};
use std::sync::Arc;

const SIZES: [(u16, u16); 2] = [(160, 48), (80, 24)];

/// The small review with its summary changed.
fn with(size: (u16, u16), change: impl Fn(&mut Discussion)) -> Model {
    let mut model = fixture::model(size.0, size.1);
    let mut discussion = fixture::discussion(&fixture::review());
    change(&mut discussion);
    let report = RunReport::Summary(Arc::new(discussion));
    update(&mut model, Event::Run { request: 2, report });
    model
}

/// The words of the screen in one line: where a line ends is not looked at.
fn flat(model: &Model) -> String {
    let framed = |it: char| it.is_whitespace() || "│┃║".contains(it);
    let words = words(model);
    words.split(framed).filter(|it| !it.is_empty()).collect::<Vec<_>>().join(" ")
}

fn check(model: &Model, expected: &str) {
    let shown = flat(model);
    assert!(shown.contains(expected), "{expected} is not on the screen:\n{}", words(model));
}

#[test]
fn what_is_wrong_with_a_summary_is_said_beside_it() {
    let checks = [
        "not-sent",
        "degraded: entry missing",
        "stale: 2 new comments",
        "status-mismatch",
        "unknown-identifier",
    ];
    for (size, said) in SIZES.into_iter().flat_map(|size| checks.map(|it| (size, it))) {
        let mut model = with(size, |it| it.threads[0].checks = vec![said.to_owned()]);
        fixture::press(&mut model, "g t");
        // The list is narrow: the kind stands there, and the reason a key away.
        let kind = said.split(':').next().expect("a kind");
        let whole = size.0 >= 100 || kind.len() <= 8;
        check(&model, &format!("! {}", if whole { kind } else { &kind[..7] }));
        fixture::press(&mut model, "Esc t t t t c f");
        check(&model, &format!("! {said}"));
    }
}

#[test]
fn several_faults_of_a_summary_are_all_told() {
    for size in SIZES {
        let all = ["uncited-question", "degraded: no answer", "not-sent"];
        let mut model = with(size, |it| it.threads[0].checks = all.map(str::to_owned).to_vec());
        fixture::press(&mut model, "g t");
        check(&model, "+2");
        fixture::press(&mut model, "Esc t t t t c f");
        for said in all {
            check(&model, &format!("! {said}"));
        }
    }
}

fn over_budget() -> (TaskReport, String) {
    let error = "the discussion needs 9 calls, the budget allows 4; raise budgets.calls".to_owned();
    let report = TaskReport {
        task_id: "dossier-discussion-summary".to_owned(),
        phase: "dossier".to_owned(),
        run: None,
        state: State::OverBudget { error: error.clone() },
        fingerprint: "f00d".to_owned(),
        attempt: 1,
        source: Some("execute".to_owned()),
        engine: "codex".to_owned(),
        model: None,
        tokens_in: 0,
        tokens_out: 0,
        tokens_cached: 0,
        cost_usd: None,
        elapsed_ms: 0,
        progress: None,
        stale: None,
        started_at: None,
    };
    (report, error)
}

#[test]
fn a_run_over_its_budget_says_so_and_by_how_much() {
    for (width, height) in SIZES {
        let mut model = fixture::model_of(fixture::review(), width, height);
        let (task, error) = over_budget();
        let phase = Phase {
            name: "dossier".to_owned(),
            status: PhaseStatus::Failed,
            reason: Some(error.clone()),
            progress: None,
        };
        for report in [
            RunReport::Task(Box::new(task)),
            RunReport::Phase(phase),
            RunReport::Ended { error: Some(error.clone()) },
        ] {
            update(&mut model, Event::Run { request: 2, report });
        }
        fixture::press(&mut model, "g k");
        check(&model, "✗ over budget");
        check(&model, "the discussion needs 9 calls");
        fixture::press(&mut model, "Enter");
        check(&model, &error);
        fixture::press(&mut model, "Esc Esc t t t t c f");
        check(&model, "no summary: the discussion needs 9 calls");
    }
}

#[test]
fn what_the_whole_summary_does_not_rest_on_is_told() {
    let note = "The capture holds 10 of 12 review threads.";
    let mut model = with((160, 48), |it| {
        it.omission_note = Some(note.to_owned());
        it.omitted.noise_comments = 1;
        it.omitted.threads_omitted = 3;
        it.omitted.comments_omitted = 14;
    });
    fixture::press(&mut model, "} } }");
    for said in [
        "1 comment of process chatter left out",
        "3 threads not sent: over the budget",
        "14 comments not sent: over the budget",
    ] {
        for part in said.split(' ') {
            check(&model, part);
        }
    }
    check(&model, "The capture holds 10 of 12");
}

#[test]
fn talk_that_was_left_out_is_counted() {
    for size in SIZES {
        let mut model = with(size, |it| it.threads[0].comments_omitted = 2);
        fixture::press(&mut model, "t t t t c f");
        check(&model, "2 comments left out");
    }
}

#[test]
fn the_cause_of_a_long_message_is_never_cut_off() {
    let path = "a-folder/".repeat(30);
    let message = format!("cannot read {path}capture.json: there is no such file");
    for (width, height) in [(160, 48), (80, 24), (60, 12)] {
        let mut model = fixture::model(width, height);
        update(&mut model, Event::Failed { request: None, message: message.clone() });
        check(&model, "cannot read a-");
        check(&model, "there is no such file");
        fixture::press(&mut model, "g k");
        check(&model, "there is no such file");
    }
}
