//! What changed since an earlier head, as a clone at hand has it, and what is said when nobody does.

use casefile::domain::capture::Capture;
use casefile::driver::since::{Asked, Point, Since, read};
use casefile::forge::github::read::Watch;
use casefile::store::{captures, root::Root};
use serde_json::{Value, json};
use std::{fs, path::PathBuf, process::Command, time::Duration};

/// A clone with two heads of a topic on two states of main, and the folder of its pull request.
struct Ground {
    folder: tempfile::TempDir,
}

impl Ground {
    fn new() -> Self {
        let it = Self { folder: tempfile::tempdir().expect("a folder") };
        fs::create_dir(it.clone()).expect("made");
        it.git(&["init", "-q", "-b", "main"]);
        it
    }

    fn clone(&self) -> PathBuf {
        self.folder.path().join("clone")
    }

    fn git(&self, args: &[&str]) -> String {
        let out = Command::new("git")
            .args(["-c", "user.name=Ann", "-c", "user.email=ann@example.invalid"])
            .args(args)
            .current_dir(self.clone())
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .output()
            .expect("git runs");
        assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8_lossy(&out.stdout).trim().to_owned()
    }

    /// A commit with this file; its name.
    fn commit(&self, file: &str, content: &str) -> String {
        fs::write(self.clone().join(file), content).expect("written");
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", file]);
        self.git(&["rev-parse", "HEAD"])
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("root")
    }

    fn keep(&self, capture: &Value) {
        let root = Root::create(self.folder.path(), &["root".to_owned()]).expect("made");
        let text = capture.to_string();
        captures::keep(&root, text.as_bytes(), &decoded(capture)).expect("kept");
    }

    fn since(&self, capture: &Value, point: Point) -> Result<Since, String> {
        let (root, clone) = (self.root(), self.clone());
        let asked = Asked { root: &root, forge: None, folder: Some(&clone) };
        let watch = Watch { tell: &|_| (), cancelled: &|| false, longest: Duration::from_secs(1) };
        read(&decoded(capture), point, asked, watch)
    }
}

fn decoded(capture: &Value) -> Capture {
    serde_json::from_value(capture.clone()).expect("a capture")
}

fn capture(head: &str, taken: &str, patch: &str) -> Value {
    json!({
        "format": "casefile-capture", "version": 1, "captured_at": taken, "repository": "a/b",
        "viewer": {"login": "Ann"},
        "pull_request": {"number": 1, "head": {"sha": head}},
        "files": [{"path": "topic.txt", "status": "added", "patch": patch}],
    })
}

const BEFORE: &str = "2024-05-01T10:00:00Z";
const NOW: &str = "2024-05-02T10:00:00Z";

#[test]
fn a_clone_shows_the_files_of_the_pull_request_alone() {
    let ground = Ground::new();
    ground.commit("main.txt", "1\n");
    let old = ground.commit("topic.txt", "one\n");
    ground.git(&["reset", "-q", "--hard", "HEAD^"]);
    ground.commit("main.txt", "2\n");
    let new = ground.commit("topic.txt", "one\ntwo\n");
    ground.keep(&capture(&old, BEFORE, "@@ -0,0 +1 @@\n+one"));
    let now = capture(&new, NOW, "@@ -0,0 +1,2 @@\n+one\n+two");
    let since = ground.since(&now, Point::Capture).expect("found");
    assert_eq!((since.old.as_str(), since.new.as_str()), (old.as_str(), new.as_str()));
    let file = &since.diff.files[0];
    assert_eq!((since.diff.files.len(), file.additions, file.deletions), (1, 1, 0));
    assert_eq!(since.notices, ["1 file that is not of this pull request is left out"]);
}

#[test]
fn my_last_review_counts_and_a_pending_one_does_not() {
    let ground = Ground::new();
    let old = ground.commit("topic.txt", "one\n");
    let new = ground.commit("topic.txt", "two\n");
    let mut now = capture(&new, NOW, "@@ -0,0 +1 @@\n+two");
    let none = ground.since(&now, Point::Review).expect_err("none");
    assert_eq!(none, "the capture holds no review of yours");
    let review = |author: &str, state: &str, commit: &str, at: &str| json!({"author": author, "state": state, "commit_id": commit, "submitted_at": at});
    now["reviews"] = json!([
        review("ann", "COMMENTED", &old, "2024-05-01T09:00:00Z"),
        review("ann", "PENDING", &new, "2024-05-01T11:00:00Z"),
        review("bob", "APPROVED", &new, "2024-05-01T12:00:00Z"),
    ]);
    assert_eq!(ground.since(&now, Point::Review).expect("found").old, old);
    now["reviews"][1]["state"] = json!("APPROVED");
    let said = ground.since(&now, Point::Review).expect_err("the same head");
    assert!(said.starts_with("nothing was pushed since your review of "), "{said}");
}

#[test]
fn without_clone_and_forge_the_patches_that_changed_are_shown_and_it_is_said() {
    let ground = Ground::new();
    let (old, new) = ("a".repeat(40), "b".repeat(40));
    let now = capture(&new, NOW, "@@ -0,0 +1,2 @@\n+one\n+two");
    let none = ground.since(&now, Point::Capture).expect_err("nothing is kept");
    assert_eq!(none, "no earlier capture with another head is kept");
    ground.keep(&capture(&old, BEFORE, "@@ -0,0 +1 @@\n+one"));
    ground.keep(&now);
    let since = ground.since(&now, Point::Capture).expect("found");
    assert_eq!((since.diff.files.len(), since.diff.files[0].additions), (1, 2));
    assert!(since.notices[0].contains("shown whole, against the base"), "{:?}", since.notices);
    let same = capture(&new, NOW, "@@ -9,0 +10 @@\n+one");
    let since = ground.since(&same, Point::Capture).expect("found");
    assert!(since.diff.files.is_empty(), "only where it stands is another");
}
