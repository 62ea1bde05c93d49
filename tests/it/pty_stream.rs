//! A git range that takes long: what git has said is on the screen and answers keys, the rest comes
//! behind without moving anything, and a git that dies is told.

use crate::ptyrig::{Rig, casefile};
use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::Command,
};
use tempfile::TempDir;

/// Lines of each file; two of them are more than a first screen.
const LINES: usize = 150;

/// A repository of one commit with many files, and a `git` that stops in the middle of the diff
/// until it is told to go on.
struct Slow {
    folder: TempDir,
}

impl Slow {
    fn new() -> Self {
        let it = Self { folder: tempfile::tempdir().expect("a folder") };
        let work = it.path("work");
        fs::create_dir(&work).expect("made");
        it.git(&["init", "-q", "-b", "main"]);
        it.git(&["commit", "-q", "--allow-empty", "-m", "before"]);
        for file in 0..9 {
            let lines: Vec<_> = (0..LINES).map(|it| format!("line {it} of {file}\n")).collect();
            fs::write(work.join(format!("file{file}.txt")), lines.concat()).expect("written");
        }
        it.git(&["add", "-A"]);
        it.git(&["commit", "-q", "-m", "the change"]);
        it.shim();
        it
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn git(&self, args: &[&str]) {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=Ann", "-c", "user.email=ann@example.invalid"]);
        let out = command.args(args).current_dir(self.path("work")).output().expect("git runs");
        assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
    }

    /// The stand-in: gives the first three files, waits at a pipe, and does what it reads there.
    fn shim(&self) {
        let folder = self.path("bin");
        fs::create_dir(&folder).expect("made");
        let made = Command::new("mkfifo").arg(self.path("gate")).status().expect("mkfifo runs");
        assert!(made.success());
        let head = 3 * (LINES + 6) + 20;
        let real = real_git();
        let (real, gate, pid) = (real.display(), self.path("gate"), self.path("pid"));
        let script = format!(
            "#!/bin/sh\ncase \" $* \" in\n*' diff-tree '*) ;;\n*) exec {real} \"$@\" ;;\nesac\n\
             echo $$ > {pid}\n{real} \"$@\" | head -n {head}\nread word < {gate}\n\
             if [ \"$word\" = break ]; then echo 'fatal: the disk is gone' >&2; exit 128; fi\n\
             {real} \"$@\" | tail -n +{from}\n",
            gate = gate.display(),
            pid = pid.display(),
            from = head + 1,
        );
        let git = folder.join("git");
        fs::write(&git, script).expect("written");
        fs::set_permissions(&git, fs::Permissions::from_mode(0o755)).expect("made to run");
    }

    fn open(&self) -> Rig {
        let path = std::env::var("PATH").unwrap_or_default();
        let path = format!("{}:{path}", self.path("bin").display());
        let (repository, work) = (self.path("work/.git"), self.path("work"));
        let rig = casefile(&["HEAD~1..HEAD"])
            .size(160, 40)
            .env("PATH", &path)
            .env("GIT_DIR", &repository.to_string_lossy())
            .env("GIT_WORK_TREE", &work.to_string_lossy())
            .run();
        rig.wait("line 3 of 0");
        rig
    }

    fn say(&self, word: &str) {
        fs::write(self.path("gate"), format!("{word}\n")).expect("somebody reads there");
    }
}

fn real_git() -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let all = std::env::split_paths(&path).map(|it| it.join("git"));
    all.into_iter().find(|it| it.is_file()).expect("git is installed")
}

/// The rows of the diff pane.
fn pane(rig: &Rig) -> Vec<String> {
    let text = rig.screen();
    let rows = text.lines().skip(2).take(34);
    rows.filter_map(|it| {
        it.find("line ").map(|at| it[at..].trim_end_matches(['│', ' ']).to_owned())
    })
    .collect()
}

#[test]
fn what_has_come_is_read_while_the_rest_comes_behind() {
    let slow = Slow::new();
    let mut rig = slow.open();
    rig.wait("reading HEAD~1..HEAD …");
    rig.wait("Files 3 …");
    assert!(!rig.screen().contains("file4.txt"));
    for _ in 0..60 {
        rig.press("j");
    }
    rig.wait("line 57 of 0");
    rig.settle();
    let before = pane(&rig);
    slow.say("go on");
    rig.wait("Files 9");
    rig.wait("file8.txt");
    rig.wait_for("the end of reading", |it| !it.contents().contains("reading HEAD"));
    rig.settle();
    assert_eq!(pane(&rig), before, "nothing moved");
    rig.press("G");
    rig.wait("line 149 of 8");
    assert_eq!(rig.quit(), 0);
    rig.assert_restored();
}

#[test]
fn a_git_that_dies_in_the_middle_is_told_and_what_came_stays() {
    let slow = Slow::new();
    let mut rig = slow.open();
    slow.say("break");
    rig.wait("git could not show HEAD~1..HEAD: the disk is gone");
    rig.wait("Files 3 cut short");
    rig.press("G");
    rig.wait("line 149 of 2");
    assert_eq!(rig.quit(), 0);
}

#[test]
fn leaving_ends_git() {
    let slow = Slow::new();
    let mut rig = slow.open();
    let pid = fs::read_to_string(slow.path("pid")).expect("it has started");
    let process = Path::new("/proc").join(pid.trim());
    assert!(process.exists());
    assert_eq!(rig.quit(), 0);
    let gone = || fs::read_to_string(process.join("stat")).map_or(true, |it| it.contains(") Z "));
    let until = std::time::Instant::now() + std::time::Duration::from_secs(5);
    while !gone() {
        assert!(std::time::Instant::now() < until, "git outlives the program that asked it");
        std::thread::yield_now();
    }
}
