//! Everything the program makes is its owner's alone from its first moment, whatever the umask
//! (promise D1). The modes on disk are looked at always; where `strace` is, so is the way there.

use crate::{
    bench::{Bench, capture},
    ptyrig::casefile,
};
use std::{
    collections::BTreeSet,
    fs,
    os::unix::fs::{MetadataExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
    process::Command,
};

/// System calls that make a file or folder, or change its mode.
const MAKERS: &str =
    "trace=execve,open,openat,creat,mkdir,mkdirat,mknod,mknodat,chmod,fchmod,fchmodat";

/// `strace` with a file for what it saw, where it may be used.
#[expect(clippy::print_stdout, reason = "a skipped half of a test must be seen")]
fn tracer(to: &Path) -> Vec<String> {
    let works = Command::new("strace").args(["-e", "trace=none", "true"]).output();
    if !works.is_ok_and(|it| it.status.success()) {
        println!("skipped: no strace that may trace; the modes on disk are looked at all the same");
        return Vec::new();
    }
    let to = to.to_str().expect("a plain path");
    ["strace", "-f", "-qq", "-s", "500", "-o", to, "-e", MAKERS].map(str::to_owned).into()
}

/// Complaints about everything below a folder that others may read or enter.
fn open_to_others(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("listed") {
        let path = entry.expect("an entry").path();
        let meta = fs::symlink_metadata(&path).expect("there");
        let allowed = if meta.is_dir() { 0o700 } else { 0o600 };
        if meta.mode() & 0o7777 != allowed {
            found.push(format!("{} has mode {:o}", path.display(), meta.mode() & 0o7777));
        }
        if meta.is_dir() {
            open_to_others(&path, found);
        }
    }
}

/// Complaints about a trace, and how many things it saw made below `ours`.
fn judge(trace: &str, ours: &str) -> (Vec<String>, usize) {
    let (mut found, mut made) = (Vec::new(), 0);
    // What a person's editor makes is not ours to answer for.
    let mut foreign = BTreeSet::new();
    for line in trace.lines() {
        let (process, call) = line.split_once(char::is_whitespace).unwrap_or_default();
        let (call, failed) = (call.trim_start(), line.contains(" = -1 "));
        let name = call.split('(').next().unwrap_or_default();
        if name == "execve" && !failed {
            if call.contains("/casefile\"") {
                foreign.remove(process);
            } else {
                foreign.insert(process);
            }
        }
        if foreign.contains(process) {
            continue;
        }
        let makes = match name {
            "open" | "openat" => call.contains("O_CREAT"),
            "creat" | "mkdir" | "mkdirat" | "mknod" | "mknodat" => true,
            "chmod" | "fchmod" | "fchmodat" => {
                found.push(format!("a mode was changed afterwards: {line}"));
                false
            }
            _ => false,
        };
        if !makes || failed || call.contains("\"/dev/") {
            continue;
        }
        made += 1;
        let arguments = call.rsplit_once(')').map_or(call, |it| it.0);
        let mode = arguments.rsplit(',').next().unwrap_or_default().trim();
        let mode = u32::from_str_radix(mode, 8);
        if mode.is_err() || mode.is_ok_and(|it| it & 0o077 != 0) {
            found.push(format!("open to others when made: {line}"));
        }
        // A person's own outputs (`--log-file`, `-o`) may be links of theirs; ours may not.
        let inside = call.contains(ours) || !call.contains("AT_FDCWD");
        let careful = call.contains("O_EXCL") || call.contains("O_NOFOLLOW");
        if name.starts_with("open") && inside && !careful {
            found.push(format!("a link would be followed: {line}"));
        }
    }
    (found, made)
}

#[test]
fn every_command_makes_private_files_only() {
    let bench = Bench::new();
    let target = bench.file("in/pr.json", capture(1).to_string());
    let script = r#"
        umask 000
        "$1" config init
        "$1" --batch "$2" --log-file log.txt --events events.jsonl -vv
        "$1" --batch "$2" --artifacts root --events events-2.jsonl
        "$1" --batch "$2" "$2" --ledger elsewhere/my.db
        "$1" capture "$2" -o copy.json
        "$1" capture "$2" -o copy.json.gz
        for format in md json html; do "$1" export "$2" --format $format -o out.$format; done
        "$1" status
        "$1" doctor --offline
    "#;
    let traces = tempfile::tempdir().expect("a folder");
    let trace = traces.path().join("trace");
    let mut words = tracer(&trace);
    let binary = env!("CARGO_BIN_EXE_casefile");
    words.extend(["sh", "-euc", script, "sh", binary, &target].map(str::to_owned));
    let mut command = Command::new(&words[0]);
    let known = bench.command();
    command.args(&words[1..]).env_clear().current_dir(bench.path("."));
    command.envs(known.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let ran = command.output().expect("it starts");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));

    let made = ["data/ledger.db", "elsewhere/my.db", "config/casefile/config.toml", "log.txt"];
    for name in made.into_iter().chain(["events.jsonl", "copy.json.gz", "out.html", "root"]) {
        assert!(bench.path(name).exists(), "{name} was not made");
    }
    fs::remove_dir_all(bench.path("in")).expect("ours, not the program's");
    let mut found = Vec::new();
    open_to_others(&bench.path("."), &mut found);
    assert_eq!(found, Vec::<String>::new());
    check_trace(&trace, &bench.path("data"), 40);
}

/// What `strace` saw, when there was one, has nothing to complain about. At least `least` things
/// were made, or the reader of the trace is blind.
fn check_trace(trace: &Path, ours: &Path, least: usize) {
    let Ok(text) = fs::read_to_string(trace) else { return };
    let (found, made) = judge(&text, ours.to_str().expect("a plain path"));
    assert_eq!(found, Vec::<String>::new());
    assert!(made >= least, "only {made} of {least} things were seen to be made");
}

#[test]
fn the_workbench_makes_private_files_only() {
    let trace = tempfile::tempdir().expect("a folder");
    let trace = trace.path().join("trace");
    let tools = tempfile::tempdir().expect("a folder");
    let editor = tools.path().join("ed");
    let seen = tools.path().join("seen");
    let script = format!(
        "#!/bin/sh\nstat -c %a \"$1\" \"$(dirname \"$1\")\" >'{}'\necho more >>\"$1\"\n",
        seen.display()
    );
    fs::write(&editor, script).expect("written");
    fs::set_permissions(&editor, fs::Permissions::from_mode(0o700)).expect("set");
    let start = casefile(&["demo", "--log-file", "log.txt", "-vv"]).umask(0).under(tracer(&trace));
    let start = start.env("USER", "ann").env("EDITOR", editor.to_str().expect("a plain path"));
    let mut rig = start.run();
    rig.wait("settled");
    rig.press("tc");
    rig.wait("extractive · ");
    rig.press("e");
    rig.wait("Correct the summary");
    rig.press("\x15the budget covers both");
    rig.wait("kept as a draft");
    rig.press("\x05");
    rig.wait("more");
    let home = rig.home.path().to_owned();
    let mut found = Vec::new();
    open_to_others(&home, &mut found);
    rig.press("\x13");
    rig.wait("corrected by ann");
    rig.press("c");
    rig.press(" ");
    rig.press("q");
    assert_eq!(rig.exit(), 0);
    open_to_others(&home, &mut found);
    assert_eq!(found, Vec::<String>::new());
    assert_eq!(fs::read_to_string(seen).expect("the editor ran"), "600\n700\n");
    let files = all_files(&home);
    for name in ["ledger.db", "corrections.jsonl", "log.txt"] {
        assert!(files.iter().any(|it| it.ends_with(name)), "{name} was not made: {files:?}");
    }
    check_trace(&trace, &home, 15);
}

fn all_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("listed").map(|it| it.expect("an entry").path());
    entries.flat_map(|it| if it.is_dir() { all_files(&it) } else { vec![it] }).collect()
}

/// The reader of traces must see what it looks for.
#[test]
fn planted_faults_are_seen() {
    let check = |line: &str, faults: usize, made: usize| {
        let (found, seen) = judge(line, "/home/me/data");
        assert_eq!((found.len(), seen), (faults, made), "{line}: {found:?}");
    };
    check(r#"7 openat(AT_FDCWD, "/x/log", O_WRONLY|O_CREAT|O_APPEND, 0600) = 3"#, 0, 1);
    check(r#"7 openat(AT_FDCWD, "/x/log", O_WRONLY|O_CREAT|O_APPEND, 0666) = 3"#, 1, 1);
    check(r#"7 openat(AT_FDCWD, "/home/me/data/l", O_RDWR|O_CREAT, 0600) = 3"#, 1, 1);
    check(r#"7 openat(AT_FDCWD, "/home/me/data/l", O_RDWR|O_CREAT|O_NOFOLLOW, 0600) = 3"#, 0, 1);
    check(r#"7 openat(5, "x", O_WRONLY|O_CREAT|O_EXCL, 0644) = 3"#, 1, 1);
    check(r#"7 openat(5, "x", O_WRONLY|O_CREAT, 0600) = 3"#, 1, 1);
    check(r#"7 openat(AT_FDCWD, "/x/y", O_RDONLY) = 3"#, 0, 0);
    check(r#"7 mkdir("/x/y", 0777) = 0"#, 1, 1);
    check(r#"7 mkdirat(5, "y", 0700) = 0"#, 0, 1);
    check(r#"7 mkdir("/x/y", 0777) = -1 EEXIST (File exists)"#, 0, 0);
    check("7 fchmod(5, 0600) = 0", 1, 0);
    let editor = r#"7 execve("/bin/ed", ["ed"], 0x1 /* 9 vars */) = 0"#;
    check(&format!("{editor}\n7 mkdir(\"/x/y\", 0777) = 0"), 0, 0);
    check(&format!("{editor}\n8 mkdir(\"/x/y\", 0777) = 0"), 1, 1);
}
