//! Git ranges: the same whatever anybody's git settings say, and no program of theirs runs.

use casefile::domain::diff::{Change, Diff, FileDiff};
use casefile::domain::patch;
use casefile::domain::text::outside::OutsideOption as _;
use casefile::forge::{Opened, Range, capture_file, git};
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// A repository with two branches; the tests write their settings into it.
struct Repository(TempDir);

impl Repository {
    fn new() -> Self {
        let it = Self(tempfile::tempdir().expect("a folder"));
        fs::create_dir(it.path()).expect("made");
        it.git(&["init", "-q", "-b", "main"]);
        it.commit(&[("a.rs", "1\n2\n3\n"), ("old.txt", "one\ntwo\nthree\nfour\nfive\n")], "first");
        it.git(&["checkout", "-q", "-b", "topic"]);
        it.git(&["mv", "old.txt", "sp ace.txt"]);
        it.commit(&[("a.rs", "1\ntwo\n3\n"), ("ünï.rs", "new\n")], "topic: change\n\nWhy.");
        it.git(&["checkout", "-q", "main"]);
        it.commit(&[("main.txt", "only on main\n")], "main moved");
        it
    }

    fn path(&self) -> std::path::PathBuf {
        self.0.path().join("tool")
    }

    fn git(&self, args: &[&str]) {
        let out = Command::new("git")
            .args(["-c", "user.name=Ann", "-c", "user.email=ann@example.invalid"])
            .args(args)
            .current_dir(self.path())
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .output()
            .expect("git runs");
        assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
    }

    fn commit(&self, files: &[(&str, &str)], message: &str) {
        for (name, content) in files {
            fs::write(self.path().join(name), content).expect("written");
        }
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", message]);
    }

    fn open(&self, range: &str) -> Result<Opened, String> {
        let range = Range { text: range.to_owned(), folder: Some(self.path()) };
        git::open_range(&range).map_err(|it| it.to_string())
    }

    fn outline(&self, range: &str) -> Vec<String> {
        outline(self.open(range).expect("a range").diff.as_ref().expect("a diff"))
    }

    /// Settings that would change the diff or run a program, in every place git looks for them.
    fn poison(&self) {
        let trap = self.0.path().join("trap.sh");
        let mark = self.0.path().join("ran");
        fs::write(&trap, format!("#!/bin/sh\ntouch {}\necho hostile\n", mark.display()))
            .expect("written");
        let mut command = Command::new("chmod");
        assert!(command.arg("+x").arg(&trap).status().expect("chmod runs").success());
        let trap = trap.to_str().expect("text");
        let settings = format!(
            "[color]\n\tui = always\n\tdiff = always\n[core]\n\tfsmonitor = {trap}\n\tpager = {trap}\n\tquotePath = false\n\tattributesFile = {attributes}\n\
             [diff]\n\texternal = {trap}\n\tmnemonicPrefix = true\n\tnoprefix = true\n\tcontext = 0\n\trenames = false\n\tsubmodule = log\n\tinterHunkContext = 9\n\talgorithm = patience\n\
             [diff \"evil\"]\n\ttextconv = {trap}\n\tcommand = {trap}\n[log]\n\tshowSignature = true\n[gpg]\n\tprogram = {trap}\n",
            attributes = self.0.path().join("attributes").display(),
        );
        fs::write(self.0.path().join("attributes"), "* diff=evil\n").expect("written");
        fs::write(self.path().join(".git/info/attributes"), "* diff=evil\n").expect("written");
        let own = self.path().join(".git/config");
        let before = fs::read_to_string(&own).expect("read");
        fs::write(own, before + &settings).expect("written");
        fs::write(self.0.path().join(".gitconfig"), settings).expect("written");
    }

    fn trap_ran(&self) -> bool {
        self.0.path().join("ran").exists()
    }
}

fn outline(diff: &Diff) -> Vec<String> {
    let line = |it: &FileDiff| {
        let was = it.previous_path.raw().unwrap_or_default();
        let lines: Vec<_> =
            it.lines.iter().map(|line| it.content(line).into_raw().into_owned()).collect();
        format!("{was}>{} {:?} {}", it.path.raw(), it.change, lines.join("|"))
    };
    diff.files.iter().map(line).collect()
}

const TOPIC: [&str; 3] =
    [">a.rs Modified 1|2|two|3", "old.txt>sp ace.txt Renamed(Some(100)) ", ">ünï.rs Added new"];

#[test]
fn a_range_is_read_from_its_commits() {
    let repository = Repository::new();
    assert_eq!(repository.outline("main...topic"), TOPIC);
    assert_eq!(repository.outline("topic"), TOPIC);
    let both = repository.outline("main..topic");
    assert!(both.contains(&">main.txt Removed only on main".to_owned()), "{both:?}");
    assert_eq!(repository.outline("topic^").len(), 2, "a first commit");
    let opened = repository.open("main...topic").expect("a range");
    let pull = &opened.capture.pull_request;
    assert_eq!((opened.capture.host(), &*opened.capture.repository), ("local", "tool"));
    assert_eq!(pull.title.raw(), Some("topic: change"));
    assert_eq!((pull.author.raw(), pull.number), (Some("Ann"), 0));
    assert!(pull.merge_base.is_some() && opened.capture.base_sha() == pull.merge_base.as_deref());
    assert_eq!(opened.label, "tool main...topic");
}

#[test]
fn the_document_of_a_range_holds_its_diff() {
    let opened = Repository::new().open("main...topic").expect("a range");
    let capture = capture_file::decode("range", &opened.document()).expect("a capture");
    let again = patch::of_capture(&capture);
    let mut bare = capture.clone();
    for file in bare.files.iter_mut().flatten() {
        file.patch = file.patch.take().map(|_| String::new().into());
    }
    assert_eq!(*opened.outline(), bare, "the outline is the document without its patches");
    let diff = opened.diff.expect("a diff");
    let lines = |it: &Diff| {
        let of = |it: &FileDiff| {
            it.lines
                .iter()
                .map(|line| (it.content(line).into_raw().into_owned(), line.old, line.new))
                .collect::<Vec<_>>()
        };
        it.files
            .iter()
            .map(|it| (it.path.clone(), it.previous_path.clone(), of(it)))
            .collect::<Vec<_>>()
    };
    assert_eq!(lines(&again), lines(&diff));
    assert_eq!(again.files[1].change, Change::Renamed(None));
}

#[test]
fn case_21_settings_of_git_change_nothing() {
    let repository = Repository::new();
    repository.poison();
    assert_eq!(repository.outline("main...topic"), TOPIC);
    assert!(!repository.trap_ran(), "a program of the repository's settings ran");
    // The user's own settings and variables, which only another process can have.
    let home = repository.0.path();
    let saved = home.join("saved.json");
    let mut command = Command::new(env!("CARGO_BIN_EXE_casefile"));
    command
        .args(["capture", "main...topic", "-o"])
        .arg(&saved)
        .current_dir(repository.path())
        .env("HOME", home)
        .env("XDG_CONFIG_HOME", home)
        .env("CASEFILE_HOME", home.join("data"))
        .env("GIT_EXTERNAL_DIFF", home.join("trap.sh"))
        .env("GIT_PAGER", home.join("trap.sh"))
        .env("GIT_CONFIG_COUNT", "1")
        .env("GIT_CONFIG_KEY_0", "diff.noprefix")
        .env("GIT_CONFIG_VALUE_0", "true");
    let out = command.output().expect("casefile runs");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let capture = decode(&saved);
    let lines: Vec<_> = outline(&patch::of_capture(&capture));
    assert_eq!(lines[0], TOPIC[0]);
    assert_eq!(lines.len(), TOPIC.len());
    assert!(!repository.trap_ran(), "a program of the user's settings ran");
}

fn decode(path: &Path) -> casefile::domain::capture::Capture {
    capture_file::decode("saved", &fs::read(path).expect("saved")).expect("a capture")
}

#[test]
fn what_is_no_range_is_refused_in_one_sentence() {
    let repository = Repository::new();
    repository.git(&["checkout", "-q", "--orphan", "alone"]);
    repository.commit(&[("x", "y\n")], "no parent");
    let refused = |range: &str| repository.open(range).expect_err(range);
    assert_eq!(
        refused("main..gone"),
        "git could not show main..gone: there is no commit named `gone` here"
    );
    assert!(refused("--output=/x..main").contains("would be read as an option"));
    assert!(refused("main...alone").ends_with("`main` and `alone` have no commit in common"));
    assert!(!repository.path().join("x..main").exists());
    let nowhere = Range { text: "a..b".to_owned(), folder: Some(repository.0.path().to_owned()) };
    let error = git::open_range(&nowhere).expect_err("no repository").to_string();
    assert!(error.starts_with("git could not show a..b: not a git repository"), "{error}");
}
