//! One number everywhere: how many threads are unresolved is the same in the workbench, on the home
//! screen, in a report and on disk.

use crate::{
    drive::{drive, target},
    shared::shared,
};
use casefile::{
    app::facts::{Tally, facts},
    domain::review::Review,
    driver::{
        self,
        settings::{Settings, Target},
    },
    summary::discussion::{Discussion, Status},
};
use std::sync::Arc;

const DEMO: &[u8] = include_bytes!("../../assets/demo/capture.json");

/// Open, settled, noted and outdated threads, as the workbench's header counts them.
fn header(target: &Target, discussion: Option<&Discussion>) -> [u64; 4] {
    let mut tally = Tally::default();
    let review = Review::of(Arc::clone(&target.capture));
    for fact in facts(&review, discussion) {
        tally.add(&fact);
    }
    [tally.open, tally.settled, tally.noted, tally.outdated].map(|it| it as u64)
}

/// Open, not open and outdated threads, as the home screen lists them.
fn home(settings: &Settings) -> [u64; 3] {
    let entries = driver::dossiers(&settings.home);
    assert_eq!(entries.len(), 1, "one dossier was made");
    let it = &entries[0].threads;
    [it.open(), it.total - it.open(), it.outdated]
}

fn agree(document: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder");
    let settings = Settings::new(folder.path().join("home"));
    let target = target(document);

    let made = drive(&target, &settings);
    let [open, settled, noted, outdated] = header(&target, Some(made.discussion()));
    let of = |status| made.discussion().threads.iter().filter(|it| it.status == status).count();
    let report = [Status::Unresolved, Status::Settled, Status::Noted].map(|it| of(it) as u64);
    assert_eq!([open, settled, noted], report, "the header and the report");
    assert_eq!([open, settled + noted, outdated], home(&settings), "the header and home");

    std::fs::remove_dir_all(made.outcome.root.join("dossier")).expect("the summary can go");
    let [open, settled, noted, outdated] = header(&target, None);
    assert_eq!([open, settled + noted, outdated], home(&settings), "without a summary");
}

#[test]
fn every_screen_counts_the_same() {
    agree(DEMO);
}

#[test]
fn every_screen_counts_the_same_on_real_pull_requests() {
    for name in ["secp256k1-1777", "aidotnet-393"] {
        let Some(path) = shared(&format!("real/captures/{name}.json")) else { return };
        agree(&std::fs::read(path).expect("a capture"));
    }
}
