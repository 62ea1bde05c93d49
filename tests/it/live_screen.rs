//! The workbench while GitHub is slow: the first screen after one round trip, keys answered while
//! the rest hangs, and what is kept shown at once (promises B6, P11).

use crate::{
    fake::Fake,
    ptyrig::{Rig, casefile},
};
use serde_json::json;
use std::{
    path::Path,
    time::{Duration, Instant},
};

const HUGE: &str = "example/huge#1";

fn open(fake: &Fake, home: &Path) -> Rig {
    casefile(&[HUGE])
        .env("CASEFILE_FORGE_API", &fake.url)
        .env("CASEFILE_TOKEN", "canary-of-screens")
        .env("CASEFILE_HOME", home.to_str().expect("a plain path"))
        .run()
}

/// Presses a key and waits until it shows. A tenth of a second in a release build on a quiet
/// machine; this is neither.
fn answered(rig: &mut Rig, key: &str, seen: &str) {
    let start = Instant::now();
    rig.press(key);
    rig.wait(seen);
    let took = start.elapsed();
    assert!(took < Duration::from_secs(1), "{key:?} took {took:?}");
}

#[test]
fn the_first_screen_needs_one_round_trip_and_keys_go_on() {
    let fake = Fake::start(&["--synthetic", "250,230,3"]);
    // Everything after the first round trip hangs: what shows came with it.
    fake.fault(&json!({ "path": "/files", "nth": 2, "times": 0 }), &json!({ "hang": "headers" }));
    fake.fault(&json!({ "operation": "Threads", "times": 0 }), &json!({ "hang": "headers" }));
    let folder = tempfile::tempdir().expect("a folder");
    let mut rig = open(&fake, folder.path());
    rig.wait("@@");
    let serial = fake.log().iter().filter(|it| it["path"] == "/graphql").count();
    assert_eq!(serial, 1, "one GraphQL request before the first screen");
    answered(&mut rig, "?", "elp");
    rig.press("\x1b");
    rig.settle();
    answered(&mut rig, ":", ":");
    rig.press("\x1b");
    rig.settle();
    // Esc gives the reading up; what is here stays.
    rig.press("\x1b");
    rig.settle();
    rig.wait("@@");
    assert_eq!(rig.quit(), 0);
    rig.assert_restored();
}

#[test]
fn a_second_opening_shows_what_is_kept_while_github_hangs() {
    let fake = Fake::start(&["--synthetic", "5,4,3"]);
    let folder = tempfile::tempdir().expect("a folder");
    let mut rig = open(&fake, folder.path());
    rig.wait("@@");
    rig.wait("dossier ✓");
    assert_eq!(rig.quit(), 0);
    fake.fault(&json!({ "times": 0 }), &json!({ "hang": "headers" }));
    let mut rig = open(&fake, folder.path());
    rig.wait("@@");
    answered(&mut rig, "?", "elp");
    rig.press("\x1b");
    rig.settle();
    assert_eq!(rig.quit(), 0);
    rig.assert_restored();
}
