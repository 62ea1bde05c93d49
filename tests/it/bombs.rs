//! Input made to exhaust us ends in an error, at once and in little memory (promise D6), whatever
//! door it comes through.

use crate::bench::{Bench, capture};
use flate2::{Compression, write::GzEncoder};
use serde_json::Value;
use std::{
    fs::{self, File},
    io::Write as _,
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

/// Levels of nesting, the size of the promise.
const DEEP: usize = 200_000;
/// A length that a file claims and does not have: sparse.
const CLAIM: u64 = 1 << 30;
/// What an error may take: this much memory, and a second on an optimised build with a core to
/// itself. Neither holds for tests, so they allow more of the time and all of the memory.
const MEMORY_KIB: u64 = 300 << 10;
const TIME: Duration = Duration::from_secs(if cfg!(debug_assertions) { 5 } else { 1 });

/// What one run came to.
struct Cost {
    code: Option<i32>,
    out: String,
    err: String,
    time: Duration,
    peak_kib: u64,
}

/// Runs the binary and watches how much memory it takes at most.
fn run(bench: &Bench, args: &[&str], env: &[(&str, &str)]) -> Cost {
    let mut command = Command::new(env!("CARGO_BIN_EXE_casefile"));
    let known = bench.command();
    command.env_clear().args(args).current_dir(bench.path("."));
    command.envs(known.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.envs(env.iter().copied());
    let (out, err) = (bench.path("seen.out"), bench.path("seen.err"));
    let to = |path: &Path| Stdio::from(File::create(path).expect("made"));
    let start = Instant::now();
    let mut child = command.stdin(Stdio::null()).stdout(to(&out)).stderr(to(&err)).spawn();
    let child = child.as_mut().expect("it starts");
    let (code, peak_kib) = watch(child);
    let text = |path| String::from_utf8_lossy(&fs::read(path).expect("there")).into_owned();
    Cost { code, out: text(out), err: text(err), time: start.elapsed(), peak_kib }
}

/// The kernel keeps the greatest size a process had; it is asked until the process ends.
fn watch(child: &mut Child) -> (Option<i32>, u64) {
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    loop {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|it| it.strip_prefix("VmHWM:"));
        let now = line.and_then(|it| it.trim().trim_end_matches(" kB").trim().parse().ok());
        peak = now.unwrap_or(0).max(peak);
        if let Some(status) = child.try_wait().expect("it can be asked") {
            return (status.code(), peak);
        }
        std::thread::yield_now();
    }
}

/// A run ends with one of these codes, in time, in little memory, and with a sentence.
fn check(what: &str, cost: &Cost, codes: &[i32], says: &str) {
    let Cost { code, out, err, time, peak_kib } = cost;
    let shown = format!("{what}: {code:?} {time:?} {peak_kib} KiB\n{out:.500}\n{err:.500}");
    assert!(code.is_some_and(|it| codes.contains(&it)), "{shown}");
    assert!(*time <= TIME, "{shown}");
    assert!(*peak_kib <= MEMORY_KIB, "{shown}");
    assert!(!err.contains("panicked") && !err.contains("fault at"), "{shown}");
    assert!(format!("{out}{err}").contains(says), "{shown} lacks {says:?}");
}

fn nested(open: &str, middle: &str, close: &str) -> String {
    format!("{}{middle}{}", open.repeat(DEEP), close.repeat(DEEP))
}

fn sparse(path: &Path, head: &str) {
    fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    let mut file = File::create(path).expect("made");
    file.write_all(head.as_bytes()).and_then(|()| file.set_len(CLAIM)).expect("sparse");
}

#[test]
fn captures() {
    let bench = Bench::new();
    let whole = capture(1).to_string();
    let deep = [
        ("lists", nested("[", "1", "]")),
        ("objects", nested("{\"a\":", "1", "}")),
        ("open", "[".repeat(DEEP)),
        ("id", whole.replace("\"T1\"", &nested("[", "1", "]"))),
        ("unknown field", whole.replacen('{', &format!("{{\"x\":{},", nested("[", "1", "]")), 1)),
        (
            "unknown object",
            whole.replacen('{', &format!("{{\"x\":{},", nested("{\"a\":", "1", "}")), 1),
        ),
        ("number", whole.replace("\"T1\"", &"9".repeat(DEEP))),
    ];
    for (name, text) in deep {
        let file = bench.file("deep.json", text);
        // What nobody asks for is skipped without going down into it.
        let codes: &[i32] = if name.starts_with("unknown") { &[0, 65] } else { &[65] };
        check(name, &run(&bench, &["--batch", &file], &[]), codes, "deep.json");
    }
    sparse(&bench.path("claim.json"), "{\"format\": \"casefile-capture\",\n");
    check("1 GiB", &run(&bench, &["--batch", "claim.json"], &[]), &[65], "claim.json");
    sparse(&bench.path("claim.diff"), "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n");
    check("1 GiB diff", &run(&bench, &["--batch", "claim.diff"], &[]), &[65], "claim.diff");
    let hunk =
        "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,4294967295 +1,18446744073709551615 @@\n-a\n";
    bench.file("lines.diff", hunk);
    let lines = run(&bench, &["--batch", "lines.diff"], &[]);
    check("a hunk of 4 billion lines", &lines, &[0, 7, 65], "");
    let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
    packer.write_all(&vec![b' '; 64 << 20]).expect("packed");
    // A gzip file may have many members: 160 of 64 MiB are 10 GiB.
    bench.file("bomb.json.gz", packer.finish().expect("packed").repeat(160));
    check("10 GiB", &run(&bench, &["--batch", "bomb.json.gz"], &[]), &[65], "200 times");
}

#[test]
fn settings_and_themes() {
    let bench = Bench::new();
    let config = "config/casefile/config.toml";
    let deep = [
        ("lists", format!("x = {}", nested("[", "1", "]"))),
        ("tables", format!("x = {}", nested("{a=", "1", "}"))),
        ("dotted", format!("{}a = 1", "a.".repeat(DEEP))),
        ("headers", format!("[{}a]", "a.".repeat(DEEP))),
    ];
    for (name, text) in &deep {
        bench.file(config, text);
        check(name, &run(&bench, &["config", "show"], &[]), &[3], "config.toml");
    }
    sparse(&bench.path(config), "theme = \"dark\"\n");
    check("1 GiB", &run(&bench, &["config", "show"], &[]), &[3], "1 MiB");
    fs::remove_file(bench.path(config)).expect("there");
    let pr = bench.file("pr.json", capture(1).to_string());
    for (name, text) in &deep {
        bench.file("own.toml", text);
        let cost = run(&bench, &["--theme", "own.toml", &pr], &[("TERM", "xterm")]);
        check(name, &cost, &[2, 3, 65, 74], "");
    }
    sparse(&bench.path("own.toml"), "name = \"x\"\n");
    let cost = run(&bench, &["--theme", "own.toml", &pr], &[("TERM", "xterm")]);
    check("1 GiB theme", &cost, &[2, 3, 65, 74], "");
    let device = bench.path("dev.toml");
    std::os::unix::fs::symlink("/dev/zero", &device).expect("planted");
    let cost = run(&bench, &["--theme", "dev.toml", &pr], &[("TERM", "xterm")]);
    check("an endless theme", &cost, &[2, 3, 65, 74], "");
}

/// Files of ours that somebody filled: every command goes on without them or names them.
#[test]
fn what_lies_in_the_data_folder() {
    let bench = Bench::new();
    let pr = bench.file("pr.json", capture(1).to_string());
    let batch = ["--batch", &pr, "--json"];
    assert_eq!(bench.run(&batch).code, 0);
    let root = "data/dossiers/github.com/example/engine/1";
    let record = "{\"version\":1,\"thread_id\":";
    let task = bench.below(root).into_iter().find(|it| it.ends_with("task.json"));
    let files = [
        "dossier/corrections.jsonl".to_owned(),
        "dossier/discussion.json".to_owned(),
        "dossier/index.json".to_owned(),
        task.expect("a record"),
    ];
    for file in files {
        let path = bench.path(root).join(&file);
        let before = fs::read(&path).ok();
        let deep = nested("[", "1", "]");
        for content in [format!("{record}{deep}}}\n"), deep.clone(), "[".repeat(DEEP)] {
            fs::write(&path, content).expect("written");
            check(&file, &run(&bench, &batch, &[]), &[0, 7, 74], "");
            check(&file, &run(&bench, &["status"], &[]), &[0, 74], "");
        }
        sparse(&path, record);
        check(&file, &run(&bench, &batch, &[]), &[0, 7, 74], "");
        check(&file, &run(&bench, &["status"], &[]), &[0, 74], "");
        match before {
            Some(bytes) => fs::write(&path, bytes).expect("written"),
            None => fs::remove_file(&path).expect("there"),
        }
    }
}

#[test]
fn what_lies_in_the_ledger() {
    let bench = Bench::new();
    let pr = bench.file("pr.json", capture(1).to_string());
    let batch = ["--batch", &pr, "--json"];
    let ran = bench.run(&batch).json();
    let run_id = ran["targets"][0]["run"].as_str().map(str::to_owned).expect("a run");
    let ledger = rusqlite::Connection::open(bench.path("data/ledger.db")).expect("a ledger");
    for (at, text) in [nested("[", "1", "]"), nested("{\"a\":", "1", "}")].iter().enumerate() {
        for sql in [
            "UPDATE tasks SET report = ?1",
            "UPDATE task_events SET event = ?1",
            "UPDATE runs SET settings = ?1",
        ] {
            ledger.execute(sql, [text]).expect("planted");
            check(sql, &run(&bench, &batch, &[]), &[0, 7, 74], "");
            check(sql, &run(&bench, &["status"], &[]), &[0, 74], "");
            let resumed = run(&bench, &["--batch", "--resume", &run_id], &[]);
            check(sql, &resumed, &[0, 2, 7, 65, 74], "");
        }
        assert!(at < 2);
    }
    let status: Value = serde_json::from_str(&bench.run(&["status", "--json"]).out).expect("JSON");
    assert!(status["dossiers"].is_array(), "{status}");
}
