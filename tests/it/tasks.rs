//! The durable task: loaded when nothing changed, run again and told why when something did, never
//! half, and the ledger beside it.

use crate::drive::{bytes, drive, drive_until, owned, target};
use casefile::{
    driver::{
        self,
        report::{Cancel, DriverError, Op, Report},
        settings::{Pin, Settings, Target},
    },
    store::ledger::{Ledger, reader::Reader},
    task::{
        dossier::Verdict,
        phase::{Phase, PhaseStatus},
        state::State,
    },
};
use serde_json::{Value, json};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// A small pull request with `threads` threads of two comments.
pub(crate) fn document(threads: u64) -> Value {
    let comment = |id: u64, author: &str, body: &str| json!({"id": id, "author": author, "author_is_bot": false, "body": body});
    let thread = |at: u64| {
        json!({
            "id": format!("t{at}"), "path": "src/lib.rs", "side": "RIGHT", "line": at + 1,
            "original_line": at + 1, "comments": [
                comment(at * 10, "reviewer", "Should this be checked for an empty list?"),
                comment(at * 10 + 1, "author", "Good point, done in the last commit."),
            ],
        })
    };
    json!({
        "format": "casefile-capture", "version": 1, "captured_at": "2026-01-02T03:04:05Z",
        "repository": "owner/tool", "forge": {"kind": "github", "host": "github.com"},
        "pull_request": {
            "number": 7, "title": "Check lists", "author": "author",
            "base": {"ref": "main", "sha": "b".repeat(40)},
            "head": {"ref": "topic", "sha": "a".repeat(40)},
        },
        "files": [{"path": "src/lib.rs", "status": "modified", "additions": 3, "deletions": 1}],
        "issue_comments": [comment(900, "reviewer", "Thanks, this looks useful.")],
        "review_threads": (0..threads).map(thread).collect::<Vec<_>>(),
        "reviews": [{"id": 1, "state": "APPROVED", "author": "reviewer"}],
    })
}

fn small() -> Target {
    target(document(3).to_string().as_bytes())
}

/// Settings with a data dir, and so with a run.
fn at_home(folder: &Path) -> Settings {
    Settings::new(folder.join("home"))
}

fn root_of(settings: &Settings) -> PathBuf {
    settings.home.join("dossiers/github.com/owner/tool/7")
}

fn temp() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// The one folder of the summary task under its fingerprint.
fn task_folder(root: &Path) -> PathBuf {
    let tasks = root.join("llm-tasks/dossier-discussion-summary");
    let entries = fs::read_dir(tasks).expect("tasks").map(|it| it.expect("an entry").path());
    let mut whole = entries.filter(|it| !it.to_string_lossy().contains("damaged"));
    let found = whole.next().expect("a task");
    assert!(whole.next().is_none(), "one fingerprint");
    found
}

fn json_at(path: PathBuf) -> Value {
    serde_json::from_slice(&fs::read(path).expect("a file")).expect("JSON")
}

#[test]
fn the_layout_is_the_one_promised() {
    let temp = temp();
    drive(&small(), &owned(temp.path()));
    let root = temp.path().join("root");
    let folder = task_folder(&root);
    let names = |path: PathBuf| {
        let entries = fs::read_dir(path).expect("a folder").map(|it| it.expect("an entry"));
        let mut names: Vec<_> =
            entries.map(|it| it.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    };
    assert_eq!(names(root.clone()), ["captures", "dossier", "llm-tasks"]);
    assert_eq!(names(root.join("dossier")), ["final", "index.json", "raw", "summary"]);
    let raw = names(root.join("dossier/raw"));
    let slices = ["changed-files", "inline-threads", "pull-request", "top-level-comments"]
        .map(|it| it.to_owned() + ".json");
    assert_eq!(raw, slices);
    assert_eq!(names(root.join("dossier/summary")), ["discussion.json", "discussion.md"]);
    let last = names(root.join("dossier/final"));
    assert_eq!(last, ["change-map.md", "discussion.md", "guidance.md", "intent.md"]);
    assert_eq!(names(folder), ["attempt-1.raw", "input.json", "output.json", "task.json"]);
    let capture = names(root.join("captures")).remove(0);
    assert!(capture.starts_with("20260102T030405Z-"), "{capture}");
    assert_eq!(fs::read(root.join("captures").join(capture)).expect("kept"), *small().document);
}

#[test]
fn the_index_names_every_final_file_with_its_digest() {
    let temp = temp();
    drive(&small(), &owned(temp.path()));
    let index = json_at(temp.path().join("root/dossier/index.json"));
    let mut checked = 0;
    let mut check = |entry: &Value| {
        let path = entry["path"].as_str().expect("a path");
        assert!(!path.starts_with('/') && !path.contains(".."), "{path}");
        let digest = casefile::domain::digest::Digest::of(bytes(temp.path(), path));
        assert_eq!(entry["sha256"], digest.as_str(), "{path}");
        checked += 1;
    };
    check(&index["capture"]);
    for file in index["files"].as_array().expect("files") {
        check(file);
        file["made_from"].as_array().expect("sources").iter().for_each(&mut check);
    }
    assert_eq!(checked, 1 + 4 + 3);
}

#[test]
fn a_run_is_taken_down_and_the_next_one_loads() {
    let temp = temp();
    let settings = at_home(temp.path());
    let first = drive(&small(), &settings);
    assert!(first.ran());
    let second = drive(&small(), &settings);
    assert!(!second.ran());
    assert_ne!(first.outcome.run, second.outcome.run);
    assert_eq!(first.discussion(), second.discussion());
    let record = json_at(task_folder(&root_of(&settings)).join("task.json"));
    assert_eq!(record["run"].as_str(), first.outcome.run.as_deref());
    let reader = Reader::open(&settings.home.join("ledger.db")).expect("read").expect("there");
    let (run, tasks) = reader.newest_run(&root_of(&settings)).expect("read").expect("a run");
    assert_eq!((Some(run.id), run.state.as_str()), (second.outcome.run, "done"));
    assert_eq!(tasks.len(), 1);
    assert_eq!((&tasks[0].state, tasks[0].source.as_deref()), (&State::Loaded, Some("reuse")));
    let dossier = second.outcome.phases.last().cloned();
    assert_eq!(dossier, Some((Phase::Dossier, PhaseStatus::Loaded)));
}

#[test]
fn without_a_run_the_ledger_is_never_opened() {
    let temp = temp();
    let settings = owned(temp.path());
    assert!(drive(&small(), &settings).ran());
    assert!(!settings.home.exists(), "the data dir is not even made");
    fs::create_dir(&settings.home).expect("made");
    fs::write(settings.home.join("ledger.db"), "no ledger at all").expect("written");
    let again = drive(&small(), &settings);
    assert!(!again.ran(), "an unreadable ledger is no obstacle");
    assert_eq!(again.outcome.run, None);
    let record = json_at(task_folder(&temp.path().join("root")).join("task.json"));
    assert_eq!(record["run"], Value::Null);
}

#[test]
fn a_ledger_that_is_not_ours_stops_a_run_and_stays_as_it_is() {
    let temp = temp();
    let settings = at_home(temp.path());
    fs::create_dir(&settings.home).expect("made");
    let ledger = settings.home.join("ledger.db");
    fs::write(&ledger, "no ledger at all").expect("written");
    let outcome = drive(&small(), &settings).outcome;
    assert!(matches!(outcome.error, Some(DriverError::Ledger(_))), "{:?}", outcome.error);
    assert_eq!(fs::read(&ledger).expect("there"), b"no ledger at all");
    assert!(!root_of(&settings).join("llm-tasks/dossier-discussion-summary").exists());
}

#[test]
fn artifacts_made_without_a_run_load_in_one() {
    let temp = temp();
    let without = owned(temp.path());
    drive(&small(), &without);
    let with = Settings { until: None, ..without };
    let loaded = drive(&small(), &with);
    assert!(!loaded.ran());
    assert!(loaded.outcome.run.is_some());
}

#[test]
fn what_changed_is_named() {
    let check = |change: fn(&mut Value), expected: &str| {
        let temp = temp();
        let settings = owned(temp.path());
        drive(&small(), &settings);
        let mut changed = document(3);
        change(&mut changed);
        let again = drive(&target(changed.to_string().as_bytes()), &settings);
        assert!(again.ran());
        let stale = again.tasks.last().and_then(|it| it.1.stale.clone()).expect("a reason");
        let names: Vec<_> = stale.split(", ").map(|it| it.split(' ').next()).collect();
        assert_eq!(names, [Some(expected)], "{stale}");
    };
    check(|it| it["review_threads"][0]["comments"][0]["body"] = "No?".into(), "inline-threads");
    check(|it| it["review_threads"][0]["line"] = Value::Null, "inline-threads");
    check(|it| it["issue_comments"][0]["body"] = "No.".into(), "top-level-comments");
    check(|it| it["pull_request"]["title"] = "Other".into(), "pull-request");
}

#[test]
fn what_the_summary_cannot_show_changes_nothing() {
    let check = |change: fn(&mut Value)| {
        let temp = temp();
        let settings = owned(temp.path());
        drive(&small(), &settings);
        let before = bytes(temp.path(), "dossier/final/discussion.md");
        let mut changed = document(3);
        change(&mut changed);
        let again = drive(&target(changed.to_string().as_bytes()), &settings);
        assert!(!again.ran());
        assert_eq!(bytes(temp.path(), "dossier/final/discussion.md"), before);
    };
    check(|it| it["captured_at"] = "2026-02-02T00:00:00Z".into());
    check(|it| it["reviews"][0]["state"] = "CHANGES_REQUESTED".into());
    check(|it| it["review_threads"][1]["commit_id"] = "c".into());
    check(|it| it["review_threads"][1]["comments"][0]["updated_at"] = "2026-02-02".into());
    check(|it| it["pull_request"]["mergeable"] = true.into());
}

#[test]
fn moved_positions_refresh_anchors_and_summarise_nothing_again() {
    let temp = temp();
    let settings = owned(temp.path());
    drive(&small(), &settings);
    let mut moved = document(3);
    moved["review_threads"][1]["line"] = 40.into();
    let again = drive(&target(moved.to_string().as_bytes()), &settings);
    assert!(again.ran());
    let threads = &again.discussion().threads;
    assert!(threads.iter().all(|it| it.carried));
    assert_eq!(threads[1].anchor.line, Some(40));
}

#[test]
fn a_damaged_artifact_is_named_kept_aside_and_made_again() {
    let check = |file: &str, harm: fn(&Path)| {
        let temp = temp();
        let settings = owned(temp.path());
        let first = drive(&small(), &settings);
        let root = temp.path().join("root");
        let folder = task_folder(&root);
        harm(&folder.join(file));
        let again = drive(&small(), &settings);
        assert!(again.ran());
        let aside = format!("{}.damaged-1", folder.file_name().expect("a name").to_string_lossy());
        assert!(
            again.notices.iter().any(|it| it.contains(file) && it.contains(&aside)),
            "{:?}",
            again.notices
        );
        assert!(folder.with_file_name(aside).is_dir());
        assert_eq!(again.discussion().threads.len(), first.discussion().threads.len());
        assert!(!drive(&small(), &settings).ran());
    };
    check("output.json", |it| fs::write(it, "{}").expect("written"));
    check("output.json", |it| fs::remove_file(it).expect("removed"));
    check("task.json", |it| fs::write(it, "half a reco").expect("written"));
    check("task.json", |it| {
        let text = fs::read_to_string(it).expect("there");
        fs::write(it, text.replace("\"attempt\": 1", "\"attempt\": 1, \"extra\": 0"))
            .expect("written");
    });
}

#[test]
fn an_output_that_no_longer_decodes_is_damage_even_with_the_right_digest() {
    let temp = temp();
    let settings = owned(temp.path());
    drive(&small(), &settings);
    let folder = task_folder(&temp.path().join("root"));
    let output = fs::read_to_string(folder.join("output.json")).expect("there");
    let old = casefile::domain::digest::Digest::of(&output);
    let output = output.replace("\"carried\"", "\"carted\"");
    let new = casefile::domain::digest::Digest::of(&output);
    fs::write(folder.join("output.json"), &output).expect("written");
    let record = fs::read_to_string(folder.join("task.json")).expect("there");
    let record = record.replace(old.as_str(), new.as_str());
    let size = with_number(&record, "output_bytes", output.len());
    fs::write(folder.join("task.json"), size).expect("written");
    let again = drive(&small(), &settings);
    assert!(again.ran());
    assert!(again.notices.iter().any(|it| it.contains("output.json") && it.contains("decode")));
}

/// Sets a number field of pretty JSON.
fn with_number(json: &str, field: &str, number: usize) -> String {
    let at = json.find(field).expect("the field");
    let end = at + json[at..].find(',').expect("a comma");
    format!("{}{field}\": {number}{}", &json[..at], &json[end..])
}

#[test]
fn a_ledger_that_contradicts_the_record_runs_the_task_again() {
    let temp = temp();
    let settings = at_home(temp.path());
    drive(&small(), &settings);
    let ledger = settings.home.join("ledger.db");
    let harm = |sql: &str| {
        let connection = rusqlite::Connection::open(&ledger).expect("opened");
        connection.execute_batch(sql).expect("done");
    };
    harm("UPDATE task_events SET output_sha256 = 'other' WHERE output_sha256 IS NOT NULL");
    let again = drive(&small(), &settings);
    assert!(again.ran());
    assert!(again.notices.iter().any(|it| it.contains("the ledger knows no such output")));
    // A ledger that never heard of the run proves nothing.
    for ending in ["", "-wal", "-shm"] {
        let _ = fs::remove_file(settings.home.join(format!("ledger.db{ending}")));
    }
    assert!(!drive(&small(), &settings).ran());
}

#[test]
fn a_missing_or_changed_summary_is_written_again_on_load() {
    let temp = temp();
    let settings = owned(temp.path());
    drive(&small(), &settings);
    let files = [
        "dossier/summary/discussion.json",
        "dossier/summary/discussion.md",
        "dossier/final/discussion.md",
        "dossier/index.json",
    ];
    let before = files.map(|it| bytes(temp.path(), it));
    for harm in [|path: PathBuf| fs::remove_file(path), |path| fs::write(path, "other")] {
        for file in files {
            harm(temp.path().join("root").join(file)).expect("harmed");
        }
        assert!(!drive(&small(), &settings).ran());
        assert_eq!(files.map(|it| bytes(temp.path(), it)), before);
    }
}

#[test]
fn a_root_can_be_moved() {
    let temp = temp();
    let settings = owned(temp.path());
    drive(&small(), &settings);
    fs::rename(temp.path().join("root"), temp.path().join("elsewhere")).expect("moved");
    fs::create_dir(temp.path().join("deep")).expect("made");
    fs::rename(temp.path().join("elsewhere"), temp.path().join("deep/root")).expect("moved");
    let mut settings = owned(&temp.path().join("deep"));
    settings.home = temp.path().join("home");
    assert!(!drive(&small(), &settings).ran());
}

#[test]
fn pinned_reviews_skip_the_phase_and_say_so() {
    let temp = temp();
    let plain = owned(temp.path());
    drive(&small(), &plain);
    let pin = Some(Pin { base: "b".repeat(40), head: "a".repeat(40) });
    let pinned = drive(&small(), &Settings { pin, ..plain.clone() });
    assert!(pinned.outcome.error.is_none());
    assert!(pinned.tasks.is_empty(), "no op line");
    let reason = "pinned".to_owned();
    assert!(pinned.outcome.phases.contains(&(Phase::Dossier, PhaseStatus::Skipped { reason })));
    assert!(pinned.discussion().pinned && pinned.discussion().omission_note.is_some());
    let summary: Value =
        serde_json::from_slice(&bytes(temp.path(), "dossier/summary/discussion.json"))
            .expect("JSON");
    assert_eq!(summary["pinned"], true);
    assert!(!drive(&small(), &plain).ran(), "without the pin the old summary is loaded");
    let summary: Value =
        serde_json::from_slice(&bytes(temp.path(), "dossier/summary/discussion.json"))
            .expect("JSON");
    assert_eq!(summary["pinned"], false);
}

#[test]
fn a_cancelled_run_is_resumed_under_its_name() {
    let temp = temp();
    let settings = at_home(temp.path());
    let cancel = Cancel::default();
    let stopped = drive_until(&small(), &settings, &cancel, |report| {
        if let Report::Task { task, .. } = report
            && task.progress.is_some_and(|it| it.0 == 1)
        {
            cancel.cancel();
        }
    });
    assert!(matches!(stopped.outcome.error, Some(DriverError::Cancelled)));
    let last = stopped.tasks.last().expect("reported");
    assert_eq!((last.0, &last.1.state), (Op::Run, &State::Cancelled));
    assert!(!task_folder(&root_of(&settings)).join("task.json").exists());
    let again = drive(&small(), &settings);
    assert!(again.ran());
    assert_eq!(again.outcome.run, stopped.outcome.run);
    let task = &again.outcome.tasks[0];
    assert_eq!((task.attempt, task.source.as_deref()), (2, Some("resume")));
}

#[test]
fn a_run_is_resumed_by_name_without_its_target() {
    let temp = temp();
    let settings = at_home(temp.path());
    let first = drive(&small(), &settings);
    let run = first.outcome.run.clone().expect("a run");
    let (target, resumed) = driver::resume(&run, &settings).expect("found");
    assert_eq!(target.document, small().document);
    let again = drive(&target, &resumed);
    assert!(!again.ran());
    assert_eq!(again.outcome.run.as_ref(), Some(&run));
    let error = driver::resume("no-such-run", &settings).expect_err("unknown");
    assert!(error.to_string().contains("no-such-run"));
}

#[test]
fn two_at_once_do_the_work_once() {
    let temp = temp();
    let settings = at_home(temp.path());
    let target = target(document(40).to_string().as_bytes());
    let ran: Vec<bool> = std::thread::scope(|scope| {
        let both = [(); 4].map(|()| scope.spawn(|| drive(&target, &settings).ran()));
        both.into_iter().map(|it| it.join().expect("no panic")).collect()
    });
    assert_eq!(ran.iter().filter(|it| **it).count(), 1, "{ran:?}");
}

#[test]
fn status_says_what_would_happen_and_changes_nothing() {
    let temp = temp();
    let settings = at_home(temp.path());
    let verdict = |target: &Target, settings: &Settings| {
        let mut status = driver::status(target, settings).expect("read");
        let task = status.tasks.remove(0);
        (task.verdict, task.threads)
    };
    assert_eq!(verdict(&small(), &settings), (Verdict::Missing, (3, 3)));
    assert!(!settings.home.exists(), "asking makes nothing");
    drive(&small(), &settings);
    assert_eq!(verdict(&small(), &settings), (Verdict::Fresh, (0, 3)));
    let mut changed = document(3);
    changed["review_threads"][2]["comments"][1]["body"] = "I do not think so.".into();
    let changed = target(changed.to_string().as_bytes());
    let (stale, threads) = verdict(&changed, &settings);
    assert!(
        matches!(&stale, Verdict::Stale(why) if why.starts_with("inline-threads ")),
        "{stale:?}"
    );
    assert_eq!(threads, (1, 3));
    fs::write(task_folder(&root_of(&settings)).join("output.json"), "x").expect("written");
    assert!(matches!(verdict(&small(), &settings).0, Verdict::Damaged(_)));
    let status = driver::status(&small(), &settings).expect("read");
    let last = status.tasks[0].last.as_ref().expect("it ran");
    assert_eq!(last.state, State::Succeeded);
}

#[test]
fn dossiers_are_listed_newest_first_and_open_again() {
    let temp = temp();
    let settings = at_home(temp.path());
    assert!(driver::dossiers(&settings.home).is_empty());
    assert!(!settings.home.exists());
    drive(&small(), &settings);
    let mut other = document(2);
    other["pull_request"]["number"] = 8.into();
    other["captured_at"] = "2026-05-05T00:00:00Z".into();
    drive(&target(other.to_string().as_bytes()), &settings);
    fs::create_dir_all(settings.home.join("dossiers/github.com/broken/x/1/captures"))
        .expect("made");
    let entries = driver::dossiers(&settings.home);
    let numbers: Vec<_> = entries.iter().map(|it| it.number).collect();
    assert_eq!(numbers, [8, 7]);
    let entry = &entries[1];
    assert_eq!((entry.additions, entry.deletions, entry.threads.total), (3, 1, 3));
    assert_eq!(entry.threads.unsummarised, 0);
    assert_eq!(entry.title, "Check lists");
    assert_eq!(entry.phases.last(), Some(&(Phase::Dossier, PhaseStatus::Done)));
    assert_eq!(fs::read(&entry.capture).expect("there"), *small().document);
    let open = driver::open_dossier(&entry.root).expect("opened");
    assert_eq!(open.document, *small().document);
    assert_eq!(open.discussion.expect("a summary").threads.len(), 3);
    assert!(driver::open_dossier(temp.path()).is_err());
}

#[test]
fn a_planted_link_stops_the_run_and_is_not_followed() {
    let places = ["dossier", "captures", "llm-tasks", "dossier/raw", "dossier/final"];
    for place in places {
        let temp = temp();
        let outside = temp.path().join("outside");
        fs::create_dir(&outside).expect("made");
        let link = temp.path().join("root").join(place);
        fs::create_dir_all(link.parent().expect("a parent")).expect("made");
        std::os::unix::fs::symlink(&outside, &link).expect("planted");
        let outcome = drive(&small(), &owned(temp.path())).outcome;
        let error = outcome.error.expect("refused").to_string();
        assert!(error.contains("symbolic link"), "{place}: {error}");
        assert_eq!(fs::read_dir(&outside).expect("there").count(), 0, "{place}");
    }
}

#[test]
fn the_ledger_survives_its_own_readers_and_writers() {
    let temp = temp();
    let path = temp.path().join("ledger.db");
    let (ledger, notices) = Ledger::open(&path).expect("made");
    assert!(notices.is_empty());
    assert!(Reader::open(&path).expect("read").expect("there").integrity().expect("ok").is_none());
    drop(ledger);
    assert!(!temp.path().join("ledger.db-wal").exists(), "a clean end folds the log in");
}

#[test]
fn a_task_that_is_done_can_be_done_again_and_its_history_is_kept() {
    let temp = temp();
    let mut settings = at_home(temp.path());
    let first = drive(&small(), &settings);
    settings.retry = Some("dossier-discussion-summary".into());
    let again = drive(&small(), &settings);
    assert!(first.ran() && again.ran());
    assert_eq!(again.outcome.tasks[0].attempt, 2);
    assert!(again.discussion().threads.iter().all(|it| !it.carried));
    let folder = task_folder(&root_of(&settings));
    let attempt = |name: &str| json_at(folder.join(name))["attempt"].as_u64();
    assert_eq!((attempt("task-1.json"), attempt("task.json")), (Some(1), Some(2)));
    assert!(folder.join("attempt-1.raw").exists() && folder.join("attempt-2.raw").exists());
    settings.retry = None;
    assert!(!drive(&small(), &settings).ran());
}

#[test]
fn a_run_goes_on_in_a_process_of_its_own() {
    let temp = temp();
    let settings = at_home(temp.path());
    let cancel = Cancel::default();
    let program = Path::new(env!("CARGO_BIN_EXE_casefile"));
    let stopped = drive_until(&small(), &settings, &cancel, |report| {
        if let Report::Task { task, .. } = report
            && task.progress.is_some_and(|it| it.0 == 1)
        {
            let run = task.run.as_deref().expect("a run");
            driver::hand_over(program, run, &settings).expect("started");
            cancel.cancel();
        }
    });
    assert!(matches!(stopped.outcome.error, Some(DriverError::Cancelled)));
    let run = stopped.outcome.run.expect("a run");
    let reader = Reader::open(&settings.home.join("ledger.db")).expect("read").expect("there");
    let until = std::time::Instant::now() + std::time::Duration::from_secs(60);
    while reader.run(&run).expect("read").expect("there").state != "done" {
        assert!(std::time::Instant::now() < until, "the other process did not end the run");
        std::thread::park_timeout(std::time::Duration::from_millis(20));
    }
    assert!(!drive(&small(), &settings).ran(), "the other process did the work");
}
