//! A person's correction: it outranks the engine while the thread says the same, goes stale with
//! it, is history then, and leaves with every document.

use crate::{
    bench::{self, Bench},
    drive::{Drive, bytes, drive, owned, target},
    ptyrig::{Rig, casefile},
    tasks::document,
};
use casefile::{
    domain::actor::Identity,
    driver::{self, correct, settings::Target},
    summary::{
        correction::{self, Correction, Said},
        discussion::{Origin, Status, ThreadSummary},
    },
    task::dossier::Verdict,
};
use rustix::process::Signal;
use serde_json::{Value, json};
use std::{fs, path::Path};

fn temp() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// Two threads; the second has more comments in the later capture.
fn captured(more: &[&str]) -> Target {
    let mut whole = document(2);
    let comments = whole["review_threads"][1]["comments"].as_array_mut().expect("comments");
    let at = comments.len();
    comments.extend(more.iter().enumerate().map(|(n, it)| {
        json!({"id": 70 + at + n, "author": "reviewer", "author_is_bot": false, "body": it})
    }));
    target(whole.to_string().as_bytes())
}

/// What a person makes of the second thread of a summary.
fn record(target: &Target, summary: &ThreadSummary, status: Status, text: &str) -> Correction {
    let said = Said {
        thread_id: summary.thread_id.clone(),
        source_digest: summary.source_digest.clone(),
        comments_total: summary.comments_total,
        status,
        text: text.into(),
    };
    let thread = target.capture.review_threads.iter().find(|it| it.id == summary.thread_id);
    correction::judge(thread.expect("captured"), &said, &Identity::default()).expect("sound")
}

fn second(drive: &Drive) -> ThreadSummary {
    drive.discussion().threads[1].clone()
}

fn why(drive: &Drive) -> String {
    drive.tasks.iter().find_map(|it| it.1.stale.clone()).unwrap_or_default()
}

#[test]
fn a_correction_outranks_the_engine_until_the_thread_goes_on() {
    let temp = temp();
    let (settings, root) = (owned(temp.path()), temp.path().join("root"));
    let (first, later) = (captured(&[]), captured(&["But what about null?"]));
    let engines = drive(&first, &settings);
    let own = second(&engines);
    assert_eq!(own.origin, Origin::Extractive);
    let index = bytes(temp.path(), "dossier/index.json");

    let mine = record(&first, &own, Status::Unresolved, "who checks `List::new`? [c1]");
    let kept = correct::save(&root, mine.clone(), " ann ").expect("saved");
    assert_eq!((kept.len(), kept[0].author.as_str()), (1, "ann"));
    let status = driver::status(&first, &settings).expect("a status").tasks.remove(0);
    let Verdict::Stale(reason) = status.verdict else { panic!("{:?}", status.verdict) };
    assert!(reason.starts_with("corrections "), "{reason}");
    assert_eq!(status.threads, (0, 2), "no thread is asked about again");

    let corrected = drive(&first, &settings);
    assert!(corrected.ran());
    assert!(why(&corrected).starts_with("corrections "), "{}", why(&corrected));
    let it = second(&corrected);
    assert_eq!((it.origin, it.status), (Origin::Person, Status::Unresolved));
    assert_eq!(it.text, "Unresolved: who checks `List::new`? [c1]");
    assert_eq!((it.decision.as_ref(), it.cites.join(" ")), (None, "c1".to_owned()));
    assert!(it.checks.iter().any(|it| it == "person-edited"), "{:?}", it.checks);
    assert_eq!(it.anchor, own.anchor, "facts belong to the capture");
    assert!(corrected.discussion().threads[0].carried, "the other is not made again");
    let text = String::from_utf8(bytes(temp.path(), "dossier/final/discussion.md")).expect("text");
    assert!(text.contains("who checks `List::new`?") && text.contains("person-edited"), "{text}");
    let json: Value =
        serde_json::from_slice(&bytes(temp.path(), "dossier/summary/discussion.json"))
            .expect("JSON");
    assert_eq!(json["threads"][1]["origin"], "person");
    assert_ne!(bytes(temp.path(), "dossier/index.json"), index);
    assert!(!drive(&first, &settings).ran(), "nothing changed, so it is loaded");

    let gone_on = drive(&later, &settings);
    assert!(gone_on.ran() && why(&gone_on).contains("inline-threads"), "{}", why(&gone_on));
    let it = second(&gone_on);
    assert_eq!(it.origin, Origin::Extractive);
    assert!(it.checks.iter().any(|it| it == "stale: 1 new comments"), "{:?}", it.checks);
    let history = correct::load(&root).expect("read").corrections;
    assert_eq!(history[0].text, mine.text, "what is stale is kept");
    assert_eq!(second(&drive(&first, &settings)).origin, Origin::Person, "and holds where it held");

    let mut reworded = document(2);
    reworded["review_threads"][1]["comments"][1]["body"] = "Done, for null too.".into();
    let it = second(&drive(&target(reworded.to_string().as_bytes()), &settings));
    assert_eq!(it.origin, Origin::Extractive, "an edit is a change too");
    assert!(it.checks.iter().any(|it| it.starts_with("stale")), "{:?}", it.checks);

    let it = second(&drive(&later, &settings));
    let again = record(&later, &it, Status::Settled, "Decided to check null too");
    correct::save(&root, again, "bob").expect("saved");
    let it = second(&drive(&later, &settings));
    assert_eq!((it.origin, it.text.raw()), (Origin::Person, "Settled: Decided to check null too"));
    assert!(!it.checks.iter().any(|it| it.starts_with("stale")), "{:?}", it.checks);
}

#[test]
fn taken_back_it_is_as_if_it_had_not_been() {
    let temp = temp();
    let (settings, root) = (owned(temp.path()), temp.path().join("root"));
    let it = captured(&[]);
    let before = second(&drive(&it, &settings));
    let output = bytes(temp.path(), "dossier/summary/discussion.json");
    let mine = record(&it, &before, Status::Noted, "said in a call");
    let kept = correct::save(&root, mine, "").expect("saved");
    assert_eq!(kept[0].author, "somebody");
    assert_eq!(second(&drive(&it, &settings)).origin, Origin::Person);
    let back = correction::withdrawal(&kept[0]);
    let kept = correct::save(&root, back, "ann").expect("saved");
    assert_eq!(kept.len(), 2, "history is never rewritten");
    let drive = drive(&it, &settings);
    assert!(!drive.ran(), "the summary from before is still there");
    assert_eq!(second(&drive), before);
    assert_eq!(bytes(temp.path(), "dossier/summary/discussion.json"), output);
}

#[test]
fn a_line_nobody_can_read_is_told_and_stops_nothing() {
    let temp = temp();
    let settings = owned(temp.path());
    let it = captured(&[]);
    drive(&it, &settings);
    let path = temp.path().join("root/dossier/corrections.jsonl");
    fs::write(&path, "{\"version\": 7, \"text\": \"\\u001b[2J\"}\n{\"version\": 1, \"thr")
        .expect("w");
    let drive = drive(&it, &settings);
    assert!(!drive.ran());
    assert_eq!(drive.notices.len(), 1, "{:?}", drive.notices);
    assert!(drive.notices[0].starts_with("line 1 of "), "{:?}", drive.notices);
}

#[test]
fn a_correction_needs_a_dossier_and_clean_words() {
    let temp = temp();
    let it = captured(&[]);
    let summary = second(&drive(&it, &owned(temp.path())));
    let good = record(&it, &summary, Status::Noted, "fine");
    let gone = correct::save(&temp.path().join("nowhere"), good.clone(), "ann");
    assert!(gone.is_err_and(|it| it.to_string().contains("is gone")));
    assert!(!temp.path().join("nowhere").exists());
    let hostile = Correction { text: "Noted: \u{1b}]0;x\u{7}".into(), ..good };
    assert!(correct::save(&temp.path().join("root"), hostile, "ann").is_err());
    assert_eq!(correct::load(&temp.path().join("root")).expect("read").corrections, []);
}

#[test]
fn a_batch_run_and_every_document_show_it_as_a_persons() {
    let bench = Bench::new();
    let target = bench.file("pr.json", bench::capture(1).to_string());
    let ran = bench.run(&["--batch", &target, "--json"]);
    assert_eq!(ran.json()["targets"][0]["threads"]["unresolved"], 1, "{}", ran.out);
    let root = bench.path("data/dossiers/github.com/example/engine/1");
    let file = root.join("dossier/summary/discussion.json");
    let read = |path: &Path| -> Value {
        serde_json::from_slice(&fs::read(path).expect("there")).expect("JSON")
    };
    let entry = read(&file)["threads"][0].clone();
    let summary: ThreadSummary = serde_json::from_value(entry).expect("an entry");
    let capture = crate::drive::target(bench::capture(1).to_string().as_bytes());
    let mine = record(&capture, &summary, Status::Settled, "the *index* is read again <b>");
    correct::save(&root, mine, "ann").expect("saved");
    let ran = bench.run(&["--batch", &target, "--json"]);
    let counts = &ran.json()["targets"][0]["threads"];
    assert_eq!((&counts["settled"], &counts["unresolved"]), (&json!(2), &json!(0)), "{counts}");
    assert_eq!(read(&file)["threads"][0]["origin"], "person");
    let export = |format: &str| bench.run(&["export", &target, "--format", format]).out;
    let document: Value = serde_json::from_str(&export("json")).expect("JSON");
    let text = document.to_string();
    assert!(text.contains("\"origin\":\"person\"") && text.contains("person-edited"), "{text}");
    let (markdown, html) = (export("md"), export("html"));
    assert!(markdown.contains("the \\*index\\* is read again"), "{markdown}");
    assert!(markdown.contains("corrected by a person"), "{markdown}");
    assert!(html.contains("the *index* is read again &lt;b&gt;"));
    assert!(html.contains("written by a person"));
}

/// The demo's editor on its first open thread, in a data folder that lasts.
fn editor(home: &Path, program: &str) -> Rig {
    let home = home.to_str().expect("a plain path");
    let start = casefile(&["demo"]).env("CASEFILE_HOME", home).env("USER", "ann");
    let mut rig = start.env("EDITOR", program).env("XDG_RUNTIME_DIR", home).run();
    rig.wait("settled");
    rig.press("tc");
    // The summary of the thread is there.
    rig.wait("extractive · ");
    rig.press("e");
    rig.wait("Correct the summary");
    rig
}

#[test]
fn what_is_typed_outlives_a_kill_and_what_is_saved_is_shown() {
    let temp = temp();
    let mut rig = editor(temp.path(), "true");
    rig.press("\x15the budget covers both");
    rig.wait("the budget covers both");
    rig.wait("kept as a draft");
    let kept = || draft_texts(temp.path()).iter().any(|it| it.contains("covers both"));
    let looked = (0..200).take_while(|_| !kept()).map(|_| rig.settle()).count();
    assert!(looked < 200, "the draft never came to the disk");
    rig.signal(Signal::KILL);
    rig.exit();
    let mut rig = editor(temp.path(), "true");
    rig.wait("the budget covers both");
    rig.press("\x13");
    rig.wait("corrected by ann");
    rig.press("q");
    assert_eq!(rig.exit(), 0);
    assert_eq!(draft_texts(temp.path()), Vec::<String>::new());
}

#[test]
fn another_editor_may_be_used_and_its_failure_costs_no_text() {
    let temp = temp();
    let mut rig = editor(temp.path(), "sed -i s/covers/bears/");
    rig.press("\x15the budget covers both");
    rig.wait("covers both");
    rig.press("\x05");
    rig.wait("the budget bears both");
    rig.press("\x1b");
    rig.wait_for("the editor gone", |it| !it.contents().contains("Correct the summary"));
    rig.press("qy");
    assert_eq!(rig.exit(), 0);
    let mut rig = editor(temp.path(), "sed --no-such-option");
    rig.wait("the budget bears both");
    rig.press("\x05");
    rig.wait("`sed` ended with");
    rig.wait("the budget bears both");
    rig.press("\x1b");
    rig.wait_for("the editor gone", |it| !it.contents().contains("Correct the summary"));
    rig.press("qy");
    assert_eq!(rig.exit(), 0);
    let left = fs::read_dir(temp.path()).expect("listed").flatten();
    let left = left.filter(|it| it.file_name().to_string_lossy().starts_with("casefile-"));
    assert_eq!(left.count(), 0, "no text is left behind");
}

/// The text of every draft below a data folder.
fn draft_texts(home: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![home.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.parent().is_some_and(|it| it.ends_with("drafts"))
                // A file that is still being written has another name, and may go with a kill.
                && entry.file_name().to_string_lossy().starts_with("correction-")
            {
                found.extend(fs::read_to_string(path));
            }
        }
    }
    found
}
