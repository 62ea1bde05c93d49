//! A live pull request that goes on while it is open: the real binary against a GitHub of the tests.

use crate::{
    bench,
    fake::Fake,
    ptyrig::{Rig, casefile},
};
use serde_json::{Value, json};
use std::path::Path;

const PULL: &str = "example/engine#7";

/// A GitHub with the small pull request, and the data dir of who reads it.
struct World {
    fake: Fake,
    folder: tempfile::TempDir,
}

impl World {
    fn new(change: impl FnOnce(&mut Value)) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let mut capture = bench::capture(7);
        change(&mut capture);
        let file = folder.path().join("pr.json");
        std::fs::write(&file, capture.to_string()).expect("written");
        let file = file.to_str().expect("a plain path");
        let fake = Fake::start(&["--capture", file, "--viewer", "ada"]);
        Self { fake, folder }
    }

    fn open(&self) -> Rig {
        let home = self.home();
        let start = casefile(&[PULL]).size(160, 48).env("CASEFILE_FORGE_API", &self.fake.url);
        let start = start.env("CASEFILE_TOKEN", "canary-of-fresh");
        start.env("CASEFILE_HOME", home.to_str().expect("a plain path")).run()
    }

    fn home(&self) -> std::path::PathBuf {
        self.folder.path().join("data")
    }

    /// Somebody else does these.
    fn edit(&self, edits: &Value) {
        let reply = self.fake.post("/_edit", edits);
        assert_eq!(reply.status, 200, "{}", reply.text());
    }

    /// The node of the thread with this first comment.
    fn thread(&self, words: &str) -> String {
        let store = self.fake.store();
        let threads = store["threads"].as_array().expect("threads").iter();
        let mut found = threads.filter(|it| it.to_string().contains(words));
        let thread = found.next().expect("such a thread");
        thread["id"].as_str().expect("a thread has an id").to_owned()
    }
}

/// A limit that would hold for an hour.
fn limited() -> Value {
    json!([{
        "when": {"times": 0},
        "do": {"status": 403, "headers": {"retry-after": "3600"},
            "body": {"message": "You have exceeded a secondary rate limit."}},
    }])
}

fn leave(mut rig: Rig) {
    assert_eq!(rig.quit(), 0);
    rig.assert_restored();
}

/// The first screen of the pull request, its run over.
fn ready(rig: &Rig) {
    rig.wait("What happens when the file changes under us?");
    rig.wait("dossier ✓");
    rig.wait_for("nothing is read any more", |it| !it.contents().contains("reading example"));
}

fn kept(home: &Path) -> usize {
    let folder = home.join("dossiers/github.com/example/engine/7/captures");
    let names = std::fs::read_dir(folder).map(|it| it.flatten().count());
    names.unwrap_or(0)
}

#[test]
fn a_reply_that_comes_while_it_is_open_is_marked_where_it_stands() {
    let world = World::new(|_| ());
    let mut rig = world.open();
    ready(&rig);
    assert!(!rig.screen().contains("● new"));
    rig.press("jjj");
    let thread = world.thread("What happens when");
    world.edit(&json!([
        {"op": "comment", "thread": thread, "author": "ada", "body": "We read it again then."},
        {"op": "edit_comment", "id": 21, "body": "Should this fall back to a plain read?"},
        {"op": "remark", "author": "carol", "body": "Nice."},
    ]));
    rig.press("R");
    rig.wait("2 new comments · 1 edited");
    rig.wait("We read it again then.");
    rig.wait("● new");
    // The summary is made again by itself, for what changed alone.
    rig.wait_for("no summary is stale", |it| !it.contents().contains("stale"));
    rig.press("F4");
    rig.press("\x1bOS");
    rig.wait("● 2 new");
    leave(rig);
}

#[test]
fn a_second_opening_paints_what_is_kept_and_says_what_it_waits_for() {
    let world = World::new(|_| ());
    let rig = world.open();
    ready(&rig);
    leave(rig);
    world.fake.faults(&limited());
    let mut rig = world.open();
    rig.wait("What happens when the file changes under us?");
    rig.wait("Esc stops");
    rig.wait_for("a countdown", |it| {
        let text = it.contents();
        text.contains("59 min ") || text.contains("60 min ")
    });
    rig.press("]jj");
    rig.wait("read()");
    rig.press("\x1b");
    rig.wait("no longer read; R reads it again");
    rig.wait("dossier ✓");
    world.fake.faults(&json!([]));
    leave(rig);
}

#[test]
fn a_forge_out_of_reach_leaves_what_is_kept_with_the_reason() {
    let world = World::new(|_| ());
    let rig = world.open();
    ready(&rig);
    leave(rig);
    world.fake.faults(&json!([{
        "when": {"times": 0}, "do": {"status": 401, "body": {"message": "Bad credentials"}},
    }]));
    let rig = world.open();
    rig.wait("What happens when the file changes under us?");
    rig.wait("offline  as of");
    rig.wait("offline: example/engine#7 could not be read from github.com");
    leave(rig);
}

#[test]
fn merged_while_it_is_open_is_shown_and_told() {
    let world = World::new(|_| ());
    let mut rig = world.open();
    ready(&rig);
    world.edit(&json!([{"op": "state", "value": "MERGED"}]));
    rig.press("R");
    rig.wait_for("told and shown", |it| it.contents().matches("merged").count() > 1);
    leave(rig);
}

const NEXT: &str = "@@ -1,3 +1,5 @@\n fn load() {\n-    read()\n+    cached()\n+        .checked()\n+        .or_read()\n }";

fn push(world: &World, force: bool) {
    world.edit(&json!([{
        "op": "push", "sha": "c".repeat(40), "force": force,
        "patches": {"src/index.rs": NEXT},
    }]));
}

#[test]
fn what_was_pushed_since_is_shown_from_the_forge_s_files() {
    let world = World::new(|_| ());
    let rig = world.open();
    ready(&rig);
    leave(rig);
    push(&world, false);
    let mut rig = world.open();
    ready(&rig);
    rig.wait("cached()");
    rig.press("gs");
    rig.wait("since the last capture, bbbbbbb → ccccccc");
    // One line is new; the others are no change between the two heads.
    rig.wait("src/index.rs +1 −0");
    rig.wait(".checked()");
    rig.press("gsgs");
    rig.wait("src/index.rs +3 −1");
    leave(rig);
}

#[test]
fn after_a_force_push_the_patches_that_changed_stand_in() {
    let world = World::new(|_| ());
    let rig = world.open();
    ready(&rig);
    leave(rig);
    assert_eq!(kept(&world.home()), 1);
    push(&world, true);
    let mut rig = world.open();
    ready(&rig);
    rig.press("gs");
    rig.wait("no longer has bbbbbbb");
    rig.wait("since the last capture, bbbbbbb → ccccccc");
    leave(rig);
}

#[test]
fn a_review_of_mine_is_where_since_begins() {
    let world = World::new(|it| {
        it["reviews"] = json!([{
            "id": 70, "author": "ada", "state": "COMMENTED", "body": "So far.",
            "submitted_at": "2024-05-01T11:00:00Z", "commit_id": "b".repeat(40),
        }]);
    });
    let mut rig = world.open();
    ready(&rig);
    rig.press("gv");
    rig.wait("nothing was pushed since your review of bbbbbbb");
    push(&world, false);
    rig.press("R");
    rig.wait("new commits");
    rig.press("gv");
    rig.wait("since your last review, bbbbbbb → ccccccc");
    rig.wait(".checked()");
    leave(rig);
}

#[test]
fn a_capture_file_that_was_written_anew_is_read_again_in_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("pr.json");
    let mut capture = bench::capture(7);
    std::fs::write(&file, capture.to_string()).expect("written");
    let mut rig = casefile(&[file.to_str().expect("a plain path")]).size(160, 48).run();
    ready(&rig);
    let reply = bench::comment(12, "ada", "We read it again then.");
    capture["review_threads"][0]["comments"].as_array_mut().expect("comments").push(reply);
    capture["captured_at"] = "2024-05-02T10:00:00Z".into();
    std::fs::write(&file, capture.to_string()).expect("written");
    rig.press("R");
    rig.wait("1 new comment");
    rig.wait("● new");
    rig.press(")");
    rig.wait("next of 1 new");
    rig.press("gg");
    rig.wait_for("the mark is gone", |it| !it.contents().contains("● new"));
    leave(rig);
}
