//! The headless run as scripts see it: codes, the JSON document, progress, events.

use crate::bench::{Bench, capture, comment, thread};
use serde_json::Value;

fn has_control(text: &str) -> bool {
    text.chars().any(|it| it.is_control() && it != '\n')
}

#[test]
fn wrong_use_is_told_and_changes_nothing() {
    let bench = Bench::new();
    let check = |args: &[&str], expected: &str| {
        let ran = bench.run(args);
        assert_eq!(ran.code, 2, "{args:?}: {}", ran.err);
        assert!(ran.err.contains(expected), "{args:?}: {}", ran.err);
        assert_eq!(bench.below("data"), Vec::<String>::new());
    };
    check(&["--batch"], "needs at least one target");
    check(&["--batch", "x.json", "--until", "dosier"], "did you mean `dossier`?");
    check(&["--jsn"], "'--json'");
    check(&["captur"], "did you mean `casefile capture`?");
    check(&["--batch", "-", "@-"], "once only");
    let ran = bench.run(&["--batch", "--json", "--no-such-flag"]);
    assert_eq!((ran.code, &ran.json()["ok"]), (2, &Value::Bool(false)));
}

#[test]
fn settings_that_are_wrong_stop_with_code_three() {
    let bench = Bench::new();
    let target = bench.file("pr.json", capture(1).to_string());
    let check = |args: &[&str], expected: &str| {
        let ran = bench.run(args);
        assert_eq!(ran.code, 3, "{args:?}: {}", ran.err);
        assert!(ran.err.contains(expected), "{args:?}: {}", ran.err);
    };
    check(&["--batch", &target, "--engine", "no-such"], "there is no engine `no-such`");
    check(&["--batch", &target, "--profile", "work"], "there is no profile `work`");
    bench.file("config/casefile/config.toml", "mouse = 3\n");
    check(&["--batch", &target], "the setting `mouse` is signed int `3`, expected a boolean");
    bench.file("config/casefile/config.toml", "mouse = \n");
    check(&["--batch", &target], "is not valid TOML: line 1");
}

#[test]
fn settings_show_where_they_come_from() {
    let bench = Bench::new();
    let file = "theme = 'ink'\nmose = false\n[budgets]\ncalls = 3\n[profile.work]\nascii = true\n";
    bench.file("config/casefile/config.toml", file);
    let mut command = bench.command();
    command.env("CASEFILE_BUDGETS_THREADS", "9").args(["config", "show", "--origin", "--no-mouse"]);
    let output = command.args(["--profile", "work"]).output().expect("it starts");
    let shown = String::from_utf8(output.stdout).expect("UTF-8");
    let line = |key: &str| {
        let line = shown.lines().find(|it| it.starts_with(key)).expect("listed");
        line.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert!(line("theme").starts_with("theme = \"ink\" # config file "), "{}", line("theme"));
    assert!(line("ascii").starts_with("ascii = true # profile work "), "{}", line("ascii"));
    assert_eq!(line("budgets.threads"), "budgets.threads = 9 # environment");
    assert_eq!(line("mouse"), "mouse = false # --no-mouse");
    assert_eq!(line("engine"), "engine = \"extractive\" # default");
    assert!(shown.contains("there is no setting `mose`; did you mean `mouse`?"), "{shown}");
}

#[test]
fn one_bad_target_does_not_stop_the_others() {
    let bench = Bench::new();
    let good = bench.file("good.json", capture(1).to_string());
    let other = bench.file("other.json", capture(2).to_string());
    let ran =
        bench.run(&["--batch", &good, "missing.json", &other, "--json", "--artifacts", "all"]);
    let result = ran.json();
    assert_eq!((ran.code, &result["exit"], &result["ok"]), (65, &65.into(), &false.into()));
    let targets = result["targets"].as_array().expect("a list");
    let names: Vec<&str> = targets.iter().filter_map(|it| it["target"].as_str()).collect();
    assert_eq!(names, [good.as_str(), "missing.json", other.as_str()]);
    for (target, number) in [(&targets[0], 1), (&targets[2], 2)] {
        assert!(target.get("error").is_none(), "{target}");
        let root = target["root"].as_str().expect("a root");
        assert!(root.ends_with(&format!("github.com/example/engine/{number}")), "{root}");
        assert_eq!(target["threads"]["total"], 2);
    }
}

#[test]
fn the_document_has_the_published_form() {
    let bench = Bench::new();
    let target = bench.file("pr.json", capture(1).to_string());
    let ran = bench.run(&["--batch", &target, "--json", "--until", "dossier", "--artifacts", "r"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let result = ran.json();
    let keys = |it: &Value| it.as_object().expect("an object").keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&result), ["ok", "exit", "targets"]);
    let target = &result["targets"][0];
    let fields = "target root run phases threads actions findings completeness usage";
    assert_eq!(keys(target), fields.split(' ').collect::<Vec<_>>());
    let counts = ["total", "settled", "unresolved", "noted", "omitted"];
    assert_eq!(keys(&target["threads"]), counts);
    let actions = ["planned", "approved", "posted", "held", "unknown", "failed"];
    assert_eq!(keys(&target["actions"]), actions);
    let last = target["phases"].as_array().and_then(|it| it.last()).expect("phases");
    assert_eq!((&last["phase"], &last["status"]), (&"dossier".into(), &"done".into()));
    let said = &target["completeness"]["review_threads"];
    assert_eq!(*said, serde_json::json!({ "fetched": 2, "total": 5, "truncated": true }));
    assert_eq!(target["run"], Value::Null, "--until dossier with --artifacts allocates no run");
}

#[test]
fn progress_names_the_operation_first() {
    let bench = Bench::new();
    let target = bench.file("pr.json", capture(1).to_string());
    let args = ["--batch", target.as_str(), "--json", "--artifacts", "r", "--events", "log.jsonl"];
    let first = bench.run(&args);
    let head = |op: &str| {
        format!(r#"op="{op}" task_id="dossier-discussion-summary" phase="dossier" status=""#)
    };
    let lines = |err: &str, op: &str| {
        err.lines().filter(|it| it.starts_with(&head(op))).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(lines(&first.err, "run_llm_task").len(), 2, "start and finish: {}", first.err);
    let log = std::fs::read_to_string(bench.path("log.jsonl")).expect("events");
    for line in log.lines() {
        let event: Value = serde_json::from_str(line).expect("an object a line");
        let keys: Vec<&String> = event.as_object().expect("an object").keys().take(6).collect();
        assert_eq!(keys, ["at", "run", "op", "task_id", "phase", "status"], "{line}");
    }
    assert!(log.lines().any(|it| it.contains(r#""op":"run_llm_task""#)), "{log}");
    let second = bench.run(&args);
    assert_eq!(lines(&second.err, "run_llm_task"), Vec::<String>::new());
    assert_eq!(lines(&second.err, "load_llm_task").len(), 1, "{}", second.err);
    assert_eq!(bench.run(&["--batch", &target, "--quiet"]).err, "");
}

#[test]
fn targets_come_from_standard_input() {
    let bench = Bench::new();
    let (one, two) = (capture(1).to_string(), capture(2).to_string());
    let (one, two) = (bench.file("1.json", one), bench.file("2.json", two));
    let list = format!("# mine\n{one}\n\n  {two}\n");
    let ran = bench.fed(&["--batch", "@-", "--json"], list);
    assert_eq!((ran.code, ran.json()["targets"].as_array().map(Vec::len)), (0, Some(2)));
    let ran = bench.fed(&["--batch", "-", "--json"], capture(3).to_string());
    assert_eq!((ran.code, &ran.json()["targets"][0]["threads"]["total"]), (0, &2.into()));
}

#[test]
fn one_pull_request_is_never_worked_on_twice_at_once() {
    let bench = Bench::new();
    let mut files = Vec::new();
    for at in 0..6 {
        let mut value = capture(1);
        let added = comment(100 + at, "cleo", "One more question: why here?");
        let comments = value["review_threads"][0]["comments"].as_array_mut().expect("a list");
        comments.extend((0..=at).map(|_| added.clone()));
        files.push(bench.file(&format!("{at}.json"), value.to_string()));
    }
    bench.file("config/casefile/config.toml", "[batch]\nside_by_side = 4\n");
    let mut args = vec!["--batch", "--json", "--events", "log.jsonl"];
    args.extend(files.iter().map(String::as_str));
    let ran = bench.run(&args);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let log = std::fs::read_to_string(bench.path("log.jsonl")).expect("events");
    let mut order: Vec<String> = Vec::new();
    for line in log.lines() {
        let event: Value = serde_json::from_str(line).expect("an object");
        let target = event["target"].as_str().expect("every event names its target").to_owned();
        if order.last() != Some(&target) {
            order.push(target);
        }
    }
    assert_eq!(order, files, "events of one target stand together, in the given order");
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let bench = Bench::new();
    let target = bench.file("pr.json", capture(1).to_string());
    for args in [vec!["--batch", target.as_str()], vec!["--help"], vec!["man"]] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_casefile"));
        command.args(&args).env("CASEFILE_HOME", bench.path("data")).stdout(writer);
        let output = command.output().expect("it starts");
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(!err.contains("panicked") && !err.contains("Broken pipe"), "{err}");
    }
}

/// Every string of a capture that a person wrote, with what a terminal would obey in it.
#[test]
fn nothing_a_pull_request_says_reaches_the_terminal_raw() {
    let bench = Bench::new();
    let evil = "\u{1b}]52;c;ZXZpbA==\u{7}\u{1b}[2J\u{9b}31m\u{8}\r\u{202e}txt\u{200b}";
    let mut value = capture(1);
    value["repository"] = format!("ex{evil}/en\u{1b}[31mgine").into();
    value["pull_request"]["title"] = format!("Title {evil}").into();
    value["pull_request"]["author"] = format!("ada{evil}").into();
    let mut odd = thread("T3", 2, &[comment(31, evil, &format!("Why {evil}\nthis? {evil}?"))]);
    odd["path"] = format!("src/{evil}.rs").into();
    value["review_threads"].as_array_mut().expect("a list").push(odd);
    let name = "pr\u{1b}[31m.json";
    bench.file(name, value.to_string());
    for args in [
        vec!["--batch", name, "-vv", "--log-file", "log.txt"],
        vec!["--batch", name, "--json", "--events", "events.jsonl"],
        vec!["--batch", "no\u{1b}[31m\u{9b}such\u{202e}.json", "--json"],
        vec!["status", name],
        vec!["status", name, "--json"],
        vec!["status"],
        vec!["export", name, "--format", "md"],
        vec!["export", name, "--format", "json"],
        vec!["export", name, "--format", "html"],
        vec!["--batch", "no\u{1b}[31m\u{9b}such.json"],
        vec!["no\u{1b}[31msuch", "-vv"],
        vec!["--no\u{1b}[31m\u{9b}such", "--json"],
        vec!["capture", "no\u{1b}[31msuch.json", "-o", "x"],
    ] {
        let ran = bench.run(&args);
        assert!(!has_control(&ran.out), "{args:?}: {:?}", ran.out);
        assert!(!has_control(&ran.err), "{args:?}: {:?}", ran.err);
        assert!(!ran.out.contains('\u{202e}'), "{args:?}: {:?}", ran.out);
    }
    let log = std::fs::read_to_string(bench.path("log.txt")).expect("a log");
    assert!(!has_control(&log) && log.contains('␛'), "{log:?}");
    let events = std::fs::read_to_string(bench.path("events.jsonl")).expect("events");
    assert!(!has_control(&events) && !events.contains('\u{202e}'), "{events:?}");
}

#[test]
fn doctor_names_the_one_thing_to_do() {
    let bench = Bench::new();
    let ran = bench.run(&["doctor", "--json", "--offline"]);
    assert_eq!((ran.code, &ran.json()["ok"]), (0, &true.into()), "{}", ran.out);
    bench.file("config/casefile/config.toml", "theme = \"no-such\"\nmose = true\n");
    let ran = bench.run(&["doctor", "--offline"]);
    assert_eq!(ran.code, 3);
    assert!(ran.out.contains("did you mean `mouse`?"), "{}", ran.out);
    assert_eq!(ran.out.lines().filter(|it| it.starts_with("!!")).count(), 1, "{}", ran.out);
}

#[test]
fn commands_about_casefile_itself_print_and_change_nothing() {
    let bench = Bench::new();
    for args in [
        &["completions", "bash"][..],
        &["man"],
        &["config", "schema"],
        &["config", "keys"],
        &["config", "path"],
        &["themes"],
        &["themes", "--json"],
        &["status"],
        &["--version"],
    ] {
        let ran = bench.run(args);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{args:?}");
        assert!(!ran.out.is_empty(), "{args:?}");
    }
    assert_eq!(bench.below("."), Vec::<String>::new());
    assert_eq!(bench.run(&["config", "init"]).code, 0);
    assert_eq!(bench.run(&["config", "init"]).code, 2, "a file that is there is never replaced");
    assert_eq!(bench.run(&["config", "show"]).err, "", "the written file has no unknown key");
}

#[test]
fn a_signal_ends_a_command_that_waits_for_input() {
    use std::io::{BufRead as _, BufReader, Read as _};
    let bench = Bench::new();
    let target = bench.file("pr.json", capture(1).to_string());
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_casefile"));
    command.args(["--batch", "--json", &target, "-"]).env("CASEFILE_HOME", bench.path("data"));
    command.env("CASEFILE_BATCH_SIDE_BY_SIDE", "1").stdin(std::process::Stdio::piped());
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    let lines = BufReader::new(child.stderr.take().expect("piped")).lines();
    let ended = lines.map_while(Result::ok).find(|it| it.starts_with("status=\"ended\""));
    assert!(ended.is_some(), "the first target is done, the second waits");
    // Held open: `wait` would close it, and the end of the input is not what is asked here.
    let _open = child.stdin.take().expect("piped");
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).expect("it runs");
    let status = child.wait().expect("it ends");
    assert_eq!(status.code(), Some(143));
    let mut out = String::new();
    child.stdout.take().expect("piped").read_to_string(&mut out).expect("UTF-8");
    let result: Value = serde_json::from_str(&out).expect("one document");
    assert_eq!((&result["ok"], &result["exit"]), (&false.into(), &143.into()));
}

#[test]
fn a_run_is_resumed_by_its_name_alone() {
    let bench = Bench::new();
    let target = bench.file("pr.json", capture(1).to_string());
    let first = bench.run(&["--batch", &target, "--json"]).json();
    let run = first["targets"][0]["run"].as_str().expect("a run").to_owned();
    std::fs::remove_file(target).expect("the capture is in the dossier now");
    let again = bench.run(&["--batch", "--resume", &run, "--json"]);
    let result = again.json();
    assert_eq!((again.code, &result["targets"][0]["root"]), (0, &first["targets"][0]["root"]));
    assert_eq!(result["targets"][0]["run"], run.as_str());
    let unknown = bench.run(&["--batch", "--resume", "no-such", "--json"]);
    assert_eq!((unknown.code, &unknown.json()["ok"]), (2, &false.into()));
}

#[test]
fn credentials_of_the_process_are_written_nowhere() {
    let bench = Bench::new();
    let secret = "s3cr3t-v4lue-0f-a-person";
    let target = bench.file(&format!("{secret}.json"), capture(1).to_string());
    let mut command = bench.command();
    command.env("GH_TOKEN", secret).args(["--batch", &target, "none", "-vv"]);
    command.args(["--log-file", "log.txt", "--events", "events.jsonl"]);
    let output = command.output().expect("it starts");
    let read = |name: &str| std::fs::read_to_string(bench.path(name)).expect("written");
    for text in [
        String::from_utf8_lossy(&output.stderr).into_owned(),
        read("log.txt"),
        read("events.jsonl"),
    ] {
        assert!(text.contains("[credential removed]") && !text.contains(secret), "{text}");
    }
}

#[test]
fn a_dossier_leaves_as_a_document() {
    let bench = Bench::new();
    let target = bench.file("pr.json", capture(1).to_string());
    let ran = bench.run(&["export", &target, "--format", "md"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("What happens when the file changes under us?"), "{}", ran.out);
    let json = bench.run(&["export", &target, "--format", "json"]).json();
    assert_eq!(json["threads"].as_array().map(Vec::len), Some(2), "{json}");
    let ran = bench.run(&["export", &target, "--format", "html", "-o", "page.html"]);
    assert_eq!((ran.code, ran.out.as_str()), (0, ""));
    let page = std::fs::read_to_string(bench.path("page.html")).expect("written");
    assert!(page.contains("src/index.rs") && !page.contains("<script"), "{page}");
    assert_eq!(bench.run(&["export", "none.json", "--format", "md"]).code, 65);
}

#[test]
fn a_signal_leaves_work_that_goes_on_later() {
    use std::io::{BufRead as _, BufReader, Read as _};
    let bench = Bench::new();
    let mut value = capture(1);
    let talk: Vec<Value> =
        (0..15).map(|at| comment(at, "bob", &"Why is this here? ".repeat(20))).collect();
    let threads: Vec<Value> = (0..80).map(|at| thread(&format!("T{at}"), 2, &talk)).collect();
    value["review_threads"] = threads.into();
    let target = bench.file("pr.json", value.to_string());
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_casefile"));
    command.args(["--batch", "--json", &target]).env("CASEFILE_HOME", bench.path("data"));
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    let mut lines = BufReader::new(child.stderr.take().expect("piped")).lines();
    let started = lines.by_ref().map_while(Result::ok).find(|it| it.starts_with("op=\"run_llm"));
    assert!(started.is_some(), "the work begins");
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).expect("it runs");
    let rest: Vec<String> = lines.map_while(Result::ok).collect();
    let mut out = String::new();
    child.stdout.take().expect("piped").read_to_string(&mut out).expect("UTF-8");
    assert_eq!(child.wait().expect("it ends").code(), Some(130), "{rest:?}");
    let result: Value = serde_json::from_str(&out).expect("one document");
    assert_eq!((&result["ok"], &result["exit"]), (&false.into(), &130.into()), "{out}");
    assert!(rest.iter().any(|it| it.contains("status=\"cancelled\"")), "{rest:#?}");
    let again = bench.run(&["--batch", "--json", &target]);
    assert_eq!((again.code, &again.json()["targets"][0]["threads"]["total"]), (0, &80.into()));
}

#[test]
fn made_up_counts_neither_stop_a_run_nor_wrap_round() {
    let bench = Bench::new();
    let mut document: Value = serde_json::from_str(&capture(1).to_string()).expect("JSON");
    let file = serde_json::json!({ "path": "a.rs", "status": "modified", "additions": u64::MAX,
        "deletions": u64::MAX, "changes": u64::MAX, "patch": "@@ -1 +1 @@\n-a\n+b" });
    document["files"] = serde_json::json!([file, file]);
    document["review_threads"][0]["comments_total"] = u64::MAX.into();
    document["completeness"]["review_threads"]["total"] = u64::MAX.into();
    let target = bench.file("pr.json", document.to_string());
    for words in [&["status"][..], &["--batch"], &["status"], &["export", "--format", "html"]] {
        let ran = bench.run(&[words, &[&target]].concat());
        assert_eq!(ran.code, 0, "{words:?} {}", ran.err);
    }
    assert_eq!(bench.run(&["status"]).code, 0);
}

#[test]
fn a_capture_saved_with_a_byte_order_mark_is_one_like_any() {
    let bench = Bench::new();
    let target = bench.file("pr.json", format!("\u{feff}{}", capture(1)));
    for words in [&["--batch"][..], &["status"], &["export", "--format", "md"]] {
        let ran = bench.run(&[words, &[&target]].concat());
        assert_eq!(ran.code, 0, "{words:?} {}", ran.err);
    }
}

#[test]
fn a_folder_that_cannot_be_made_is_told_with_what_to_do() {
    let bench = Bench::new();
    let target = bench.file("pr.json", capture(1).to_string());
    let taken = bench.file("taken", "a file");
    let ran = bench.run(&["--batch", &target, "--artifacts", &taken, "--json"]);
    assert_eq!(ran.code, 74);
    let error = ran.json()["targets"][0]["error"].as_str().expect("an error").to_owned();
    assert!(error.contains("taken") && error.contains("move it away"), "{error}");
    assert_eq!(std::fs::read_to_string(&taken).expect("there"), "a file");
}
