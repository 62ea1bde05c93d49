//! Crashes: the real binary is killed at every named point and at random times. The next run
//! finishes, no half task is ever loaded, and two binaries on one dossier do the work once.
//!
//! Needs the feature `test-support`. `CASEFILE_KILLS=100 cargo test --features test-support killer`
//! runs the promised sizes; a fifth of them is the default.

#![expect(clippy::print_stdout, reason = "a crash test says what it hit and measured")]

use crate::tasks::document;
use casefile::{
    domain::digest::Digest,
    store::{
        folder::Folder,
        ledger::reader::Reader,
        tasks::{Kept, TaskRecord, load},
    },
    task::state::State,
};
use serde_json::Value;
use std::{
    collections::BTreeMap,
    fs,
    io::{BufRead, BufReader},
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::{Child, ChildStderr, Command, Output, Stdio},
    sync::mpsc,
    time::Duration,
};

const KILL: i32 = 9;

/// A data dir, a capture file, and the binary to run on them.
struct Rig {
    temp: tempfile::TempDir,
    /// A caller-owned root and no run, or a run in the data dir.
    owned: bool,
}

impl Rig {
    fn new(owned: bool, threads: u64) -> Self {
        let temp = tempfile::tempdir().expect("a temporary folder");
        let capture = document(threads).to_string();
        fs::write(temp.path().join("capture.json"), capture).expect("written");
        Self { temp, owned }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.temp.path().join(name)
    }

    fn root(&self) -> PathBuf {
        let home = "home/dossiers/github.com/owner/tool/7";
        self.path(if self.owned { "root" } else { home })
    }

    fn ledger(&self) -> PathBuf {
        self.path("home/ledger.db")
    }

    fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_casefile"));
        command.arg("--batch").arg(self.path("capture.json")).arg("--json");
        if self.owned {
            command.arg("--artifacts").arg(self.path("root")).args(["--until", "dossier"]);
        }
        command.env_clear().env("CASEFILE_HOME", self.path("home"));
        command.env("XDG_CONFIG_HOME", self.path("config"));
        command.env("XDG_STATE_HOME", self.path("state")).env("HOME", self.path("person"));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn run(&self, orders: &[(&str, &str)]) -> Output {
        let output = self.command().envs(orders.iter().copied()).output();
        output.expect("the binary starts")
    }

    /// Every point a run passes, in order, by its name and how often it came before.
    fn points(&self) -> Vec<String> {
        let trace = self.path("trace");
        let output = self.run(&[("CASEFILE_FAIL_TRACE", trace.to_str().expect("a plain path"))]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let mut times = BTreeMap::new();
        let text = fs::read_to_string(trace).expect("a trace");
        let numbered = text.lines().map(|it| {
            let time = times.entry(it.to_owned()).or_insert(0);
            *time += 1;
            format!("{it}@{time}")
        });
        numbered.collect()
    }

    /// Nothing on disk claims to be done that is not; gives the number of finished tasks.
    fn check_no_half_task(&self, after: &str) -> usize {
        let Some(tasks) = Folder::open(&self.root().join("llm-tasks/dossier-discussion-summary"))
            .expect("readable")
        else {
            return 0;
        };
        let mut done = 0;
        for name in tasks.names().expect("listed") {
            let folder = tasks.sub(&name).expect("readable").expect("there");
            let Some(bytes) = folder.read("task.json").expect("readable") else { continue };
            let record: TaskRecord = serde_json::from_slice(&bytes).expect("a whole record");
            let kept = load(&tasks, &record.inputs).expect("readable");
            let Kept::Verified(_, output) = kept else { panic!("{after}: half a task: {kept:?}") };
            assert_eq!(Digest::of(output), record.output_sha256, "{after}");
            done += 1;
        }
        done
    }

    /// The next run finishes; it loads exactly what was done before. Nothing unfinished is left.
    fn check_recovery(&self, after: &str) {
        let done = self.check_no_half_task(after);
        let output = self.run(&[]);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{after}: {stderr}");
        assert_eq!(ops(&stderr, "load_llm_task", "loaded"), done, "{after}: {stderr}");
        assert_eq!(ops(&stderr, "run_llm_task", "succeeded"), 1 - done, "{after}: {stderr}");
        assert_eq!(self.check_no_half_task(after), 1);
        let leftovers = files(&self.root());
        let leftovers: Vec<_> =
            leftovers.iter().filter(|it| it.to_string_lossy().contains(".tmp-")).collect();
        assert!(leftovers.is_empty(), "{after}: {leftovers:?}");
        self.check_index(after);
        if !self.owned {
            self.check_ledger(after);
        }
    }

    /// The final files are those the index names.
    fn check_index(&self, after: &str) {
        let index = fs::read(self.root().join("dossier/index.json")).expect("an index");
        let index: Value = serde_json::from_slice(&index).expect("JSON");
        for file in index["files"].as_array().expect("files") {
            let path = file["path"].as_str().expect("a path");
            let digest = Digest::of(fs::read(self.root().join(path)).expect("there"));
            assert_eq!(file["sha256"], digest.as_str(), "{after}: {path}");
        }
    }

    /// The ledger is whole, its last run ended well, and nobody is said to be at work.
    fn check_ledger(&self, after: &str) {
        let reader = Reader::open(&self.ledger()).expect("readable").expect("there");
        assert_eq!(reader.integrity().expect("checked"), None, "{after}");
        let (run, tasks) = reader.newest_run(&self.root()).expect("read").expect("a run");
        assert_eq!(run.state, "done", "{after}");
        let ended = |it: &State| matches!(it, State::Succeeded | State::Loaded);
        assert!(tasks.iter().all(|it| ended(&it.state)), "{after}: {tasks:?}");
        let id = casefile::task::id::TaskId::discussion_summary();
        assert!(reader.at_work(&self.root(), &id).expect("read").is_none(), "{after}");
    }
}

/// Progress lines of an operation that ended so.
fn ops(stderr: &str, op: &str, status: &str) -> usize {
    let (op, status) = (format!("op=\"{op}\""), format!("status=\"{status}\""));
    stderr.lines().filter(|it| it.contains(&op) && it.contains(&status)).count()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path);
        }
    }
    found
}

/// How many timed kills: `CASEFILE_KILLS`, or a fifth of the hundred promised.
fn kills() -> u64 {
    std::env::var("CASEFILE_KILLS").ok().and_then(|it| it.parse().ok()).unwrap_or(20)
}

fn killed_at_every_point(owned: bool) {
    let points = Rig::new(owned, 2).points();
    assert!(points.len() > 60, "the points were not found: {points:?}");
    for marker in ["output.json.synced@1", "task.json.written@1", "task.json.renamed@1"] {
        assert!(points.iter().any(|it| it == marker), "no point {marker}");
    }
    let mut hit = 0;
    for point in &points {
        let rig = Rig::new(owned, 2);
        let output = rig.run(&[("CASEFILE_FAIL", &format!("{point}:kill"))]);
        // Progress of a lease is written now and then: it may come or not.
        if output.status.success() && point.starts_with("ledger.advance") {
            continue;
        }
        assert_eq!(output.status.signal(), Some(KILL), "{point} was not reached");
        hit += 1;
        rig.check_recovery(point);
    }
    println!("{hit} kills, each at its own point of {}", points.len());
}

#[test]
fn a18_killed_at_every_point_without_a_run() {
    killed_at_every_point(true);
}

#[test]
fn a18_killed_at_every_point_of_a_run() {
    killed_at_every_point(false);
}

/// Doing a done task again must not let its old record vouch for a new output.
#[test]
fn a18_killed_at_every_point_of_doing_it_again() {
    let again = |rig: &Rig, orders: &[(&str, &str)]| {
        let mut command = rig.command();
        command.args(["--retry", "dossier-discussion-summary"]).envs(orders.iter().copied());
        command.output().expect("the binary starts")
    };
    let rig = Rig::new(true, 2);
    assert!(rig.run(&[]).status.success());
    let trace = rig.path("trace");
    again(&rig, &[("CASEFILE_FAIL_TRACE", trace.to_str().expect("a plain path"))]);
    let trace = fs::read_to_string(trace).expect("a trace");
    let points: std::collections::BTreeSet<&str> = trace.lines().collect();
    for point in ["task-1.json.synced", "output.json.renamed", "task.json.written"] {
        assert!(points.contains(point), "{points:?}");
    }
    for point in points {
        let rig = Rig::new(true, 2);
        assert!(rig.run(&[]).status.success());
        let killed = again(&rig, &[("CASEFILE_FAIL", &format!("{point}@1:kill"))]);
        assert_eq!(killed.status.signal(), Some(KILL), "{point} was not reached");
        rig.check_recovery(point);
    }
}

#[test]
fn a18_an_error_at_every_write_is_told_and_the_next_run_finishes() {
    let points = Rig::new(false, 2).points();
    for point in points.iter().filter(|it| !it.starts_with("ledger.advance")) {
        let rig = Rig::new(false, 2);
        let output = rig.run(&[("CASEFILE_FAIL", &format!("{point}:error"))]);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(74), "{point}: {stderr}");
        assert!(stderr.contains("a test asked for this failure"), "{point}: {stderr}");
        rig.check_recovery(point);
    }
}

#[test]
fn a18_killed_at_random_times() {
    let step = ("CASEFILE_TEST_STEP_MS", "4");
    let mut random = 0x2545_F491_4F6C_DD1D_u64;
    let (mut working, mut ended) = (0, 0);
    for _ in 0..kills() {
        let rig = Rig::new(false, 30);
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let delay = Duration::from_millis((random >> 33) % 160);
        let mut child = rig.command().envs([step]).spawn().expect("the binary starts");
        let lines = listen(child.stderr.take().expect("piped"));
        wait_for(&lines, "run_llm_task");
        // The channel closes when the process ends by itself.
        let closed = loop {
            match lines.recv_timeout(delay) {
                Ok(_) => (),
                Err(error) => break error == mpsc::RecvTimeoutError::Disconnected,
            }
        };
        child.kill().expect("killed");
        let status = child.wait().expect("ended");
        if status.signal() == Some(KILL) && !closed {
            working += 1;
        } else {
            ended += 1;
        }
        rig.check_recovery(&format!("killed after {delay:?}"));
    }
    println!("{working} kills while the task ran, {ended} after it had ended");
    assert!(working * 2 > kills(), "most kills must fall inside the work");
}

#[test]
fn two_binaries_on_one_dossier_do_the_work_once() {
    let rig = Rig::new(false, 30);
    let step = ("CASEFILE_TEST_STEP_MS", "10");
    let both = [(); 2].map(|()| rig.command().envs([step]).spawn().expect("the binary starts"));
    let outputs = both.map(|it| it.wait_with_output().expect("ended"));
    let lines = outputs.map(|it| {
        assert!(it.status.success());
        String::from_utf8_lossy(&it.stderr).into_owned()
    });
    let count = |op, status| lines.iter().map(|it| ops(it, op, status)).sum::<usize>();
    assert_eq!(count("run_llm_task", "succeeded"), 1, "{lines:?}");
    assert_eq!(count("load_llm_task", "loaded"), 1, "{lines:?}");
    let waited = lines.iter().find(|it| it.contains("load_llm_task")).expect("one waited");
    assert!(waited.contains("attach_llm_task"), "it shows the other's progress: {waited}");
}

/// The checks above must see what they look for, or they prove nothing.
#[test]
fn the_checks_see_half_a_task_and_a_wrong_index() {
    type Harm = fn(&Rig);
    let harm: [(&str, Harm); 3] = [
        ("an output cut", |rig| cut(rig, "output.json")),
        ("a record cut", |rig| cut(rig, "task.json")),
        ("a final file changed", |rig| {
            fs::write(rig.root().join("dossier/final/discussion.md"), "x").expect("written");
        }),
    ];
    for (name, harm) in harm {
        let rig = Rig::new(true, 2);
        assert!(rig.run(&[]).status.success());
        assert_eq!(rig.check_no_half_task(name), 1);
        rig.check_index(name);
        harm(&rig);
        let check = std::panic::AssertUnwindSafe(|| {
            rig.check_no_half_task(name);
            rig.check_index(name);
        });
        assert!(std::panic::catch_unwind(check).is_err(), "{name} is not seen");
    }
}

fn cut(rig: &Rig, name: &str) {
    let all = files(&rig.root());
    let path = all.iter().find(|it| it.ends_with(name)).expect("there");
    let bytes = fs::read(path).expect("there");
    fs::write(path, &bytes[..bytes.len() / 2]).expect("cut");
}

/// A stopped process outlives its lease and keeps its lock: nobody does its work meanwhile.
#[test]
fn a_paused_process_keeps_its_work() {
    let rig = Rig::new(false, 2);
    let pause = [("CASEFILE_FAIL", "output.json.before@1:pause"), ("CASEFILE_TEST_LEASE_MS", "1")];
    let mut first = rig.command().envs(pause).spawn().expect("the binary starts");
    wait_for(&listen(first.stderr.take().expect("piped")), "run_llm_task");
    let mut second = rig.command().spawn().expect("the binary starts");
    let lines = listen(second.stderr.take().expect("piped"));
    wait_for(&lines, "waiting for it");
    assert_eq!(rig.check_no_half_task("paused"), 0);
    assert!(second.try_wait().expect("asked").is_none(), "it waits");
    signal(&first, "CONT");
    assert!(first.wait().expect("ended").success());
    assert!(second.wait().expect("ended").success());
    let rest: Vec<String> = lines.iter().collect();
    assert_eq!(ops(&rest.join("\n"), "load_llm_task", "loaded"), 1, "{rest:?}");
}

/// When the one at work dies, the one that waits takes over at once; it need not see a lease end.
#[test]
fn the_work_of_a_dead_process_is_taken_over() {
    let rig = Rig::new(false, 2);
    let pause = [("CASEFILE_FAIL", "output.json.before@1:pause")];
    let mut first = rig.command().envs(pause).spawn().expect("the binary starts");
    wait_for(&listen(first.stderr.take().expect("piped")), "run_llm_task");
    let mut second = rig.command().spawn().expect("the binary starts");
    let lines = listen(second.stderr.take().expect("piped"));
    wait_for(&lines, "waiting for it");
    first.kill().expect("killed");
    first.wait().expect("ended");
    assert!(second.wait().expect("ended").success());
    let rest = lines.iter().collect::<Vec<_>>().join("\n");
    assert_eq!(ops(&rest, "run_llm_task", "succeeded"), 1, "{rest}");
    assert!(rest.contains("source=\"resume\""), "{rest}");
    rig.check_ledger("taken over");
}

fn listen(stderr: ChildStderr) -> mpsc::Receiver<String> {
    let (send, lines) = mpsc::channel();
    std::thread::spawn(move || {
        // The receiver may be gone: then nobody wants the rest.
        for line in BufReader::new(stderr).lines().map_while(Result::ok) {
            let _ = send.send(line);
        }
    });
    lines
}

/// Reads lines until one holds the words; fails when none comes.
fn wait_for(lines: &mpsc::Receiver<String>, words: &str) {
    loop {
        let line = lines.recv_timeout(Duration::from_secs(60));
        if line.unwrap_or_else(|error| panic!("`{words}` was not said: {error}")).contains(words) {
            return;
        }
    }
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").arg(format!("-{name}")).arg(child.id().to_string()).status();
    assert!(sent.expect("kill(1) is there").success());
}
