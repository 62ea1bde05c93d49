//! No name from outside leads out of the data folder, and no planted link is followed (promise D2).

use crate::{
    bench::{Bench, capture, comment, thread},
    drive,
};
use casefile::{
    domain::capture::Id,
    driver::{correct, settings::Settings},
    store::root,
    summary::correction::Said,
};
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

/// Names tried at every place of a capture; the closing size of the promise.
const NAMES: usize = 5_000;
/// Names that go through a whole run on disk, which syncs many files; `CASEFILE_FULL` takes more.
const RUNS: usize = 40;
const FULL_RUNS: usize = 500;

/// Hostile names, no two alike: every piece joined with every other in several ways.
fn names() -> Vec<String> {
    let long = "x".repeat(300);
    let pieces = [
        "..",
        ".",
        "",
        "/",
        "\\",
        "\0",
        "a",
        "A",
        "é",
        "e\u{301}",
        "ﬁ",
        "İ",
        "ß",
        "con",
        "NUL.txt",
        "com1",
        "~",
        "-rf",
        " ",
        "a ",
        "a.",
        ".git",
        "/etc/passwd",
        "C:\\x",
        "C:",
        "%2e%2e",
        "\u{202e}",
        "\u{200b}",
        "\n",
        "\u{1b}[2J",
        "*",
        "?",
        "|",
        "\u{2215}",
        "\u{ff0f}",
        "\u{2024}\u{2024}",
        "..;",
        "file:///x",
        "local",
        "captures",
        "ledger.db",
        ".tmp-1",
        "漢",
        &long,
    ];
    let joints = ["", "/", "/../", "\\", "..", "\0"];
    let mut all = std::collections::BTreeSet::new();
    for first in pieces {
        for second in pieces {
            for joint in joints {
                all.insert(format!("{first}{joint}{second}"));
            }
        }
    }
    let all: Vec<_> = all.into_iter().collect();
    // A stride that shares no factor with the length visits all, well mixed.
    let stride = (all.len() / 7..all.len()).find(|it| gcd(*it, all.len()) == 1).expect("one");
    (0..all.len()).map(|at| all[at * stride % all.len()].clone()).take(NAMES).collect()
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// A capture that says this name wherever it can say one.
fn hostile(name: &str) -> Value {
    let mut value = capture(7);
    value["repository"] = format!("{name}/{name}").into();
    value["forge"]["host"] = name.into();
    value["pull_request"]["base"] = json!({ "ref": name, "sha": name });
    value["pull_request"]["head"] = json!({ "ref": name, "sha": name });
    value["pull_request"]["merge_base"] = name.into();
    value["files"][0]["path"] = name.into();
    value["files"][0]["previous_path"] = name.into();
    value["review_threads"] = json!([thread(name, 2, &[comment(11, name, "What of this?")])]);
    value["review_threads"][0]["path"] = name.into();
    value["issue_comments"][0]["id"] = name.into();
    value["issue_comments"][0]["node_id"] = name.into();
    value["review_threads"][0]["comments"][0]["id"] = name.into();
    value
}

#[test]
fn every_name_gives_parts_that_stay_inside_and_apart() {
    let names = names();
    assert_eq!(names.len(), NAMES);
    let mut seen = BTreeMap::new();
    for name in &names {
        for kind in ["github", "git"] {
            let mut value = hostile(name);
            value["forge"]["kind"] = kind.into();
            let capture = serde_json::from_value(value).expect("a capture");
            let parts = root::place(&capture);
            for part in &parts {
                let plain = |it: u8| it.is_ascii_alphanumeric() || b"-_.~".contains(&it);
                assert!(part.bytes().all(plain), "{name:?}: {part:?}");
                assert!(!matches!(part.as_str(), "" | "." | ".."), "{name:?}: {part:?}");
                assert!(part.len() <= 200, "{name:?}: {part:?}");
            }
            // What a disk that ignores case would take for the same must not be.
            let path = parts.join("/").to_lowercase();
            let other = seen.insert((kind, path), name);
            assert!(other.is_none(), "{name:?} and {other:?} share a folder");
        }
    }
}

/// What is below a folder, links as themselves.
fn everything(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(at) = folders.pop() {
        for entry in fs::read_dir(at).into_iter().flatten().flatten() {
            let path = entry.path();
            let meta = fs::symlink_metadata(&path).expect("there");
            if meta.is_dir() {
                folders.push(path);
            } else if meta.is_file() {
                found.insert(path.clone(), fs::read(&path).expect("readable"));
            } else {
                found.insert(path, b"(not a plain file)".to_vec());
            }
        }
    }
    found
}

#[test]
fn runs_on_hostile_names_write_below_their_folder_alone() {
    let outer = tempfile::tempdir().expect("a folder");
    let home = outer.path().join("deep/er/data");
    fs::create_dir_all(outer.path().join("deep/er")).expect("made");
    let full = std::env::var_os("CASEFILE_FULL").is_some();
    for name in names().into_iter().take(if full { FULL_RUNS } else { RUNS }) {
        let target = drive::target(hostile(&name).to_string().as_bytes());
        let mut settings = Settings::new(home.clone());
        settings.until = Some(casefile::task::phase::Phase::Dossier);
        let ran = drive::drive(&target, &settings);
        assert!(ran.outcome.error.is_none(), "{name:?}: {:?}", ran.outcome.error);
        let root = ran.outcome.root;
        assert!(root.starts_with(&home), "{name:?}: {}", root.display());
        let said = Said {
            thread_id: Id::Text(name.clone()),
            source_digest: casefile::domain::digest::Digest::of("x"),
            comments_total: 1,
            status: casefile::summary::discussion::Status::Noted,
            text: "typed".into(),
        };
        correct::keep_draft(&root, &said).unwrap_or_else(|it| panic!("{name:?}: {it}"));
    }
    let outside = everything(outer.path()).into_keys().filter(|it| !it.starts_with(&home));
    assert_eq!(outside.collect::<Vec<_>>(), Vec::<PathBuf>::new());
}

/// Names inside folders of ours that came from somewhere else are data as well.
#[test]
fn a_foreign_name_among_ours_is_left_alone() {
    let bench = Bench::new();
    let target = bench.file("in/pr.json", capture(7).to_string());
    let run = |bench: &Bench| bench.run(&["--batch", &target, "--artifacts", "root"]).code;
    assert_eq!(run(&bench), 0);
    for folder in ["captures", "dossier", "dossier/raw", "drafts", "llm-tasks"] {
        for name in ["\\..\\x", "con", "\u{202e}x", " ", "-rf", "correction-x.json"] {
            let path = bench.path("root").join(folder).join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(path, "not ours").expect("written");
        }
    }
    assert_eq!(run(&bench), 0);
    let foreign = everything(&bench.path("root"));
    assert_eq!(foreign.values().filter(|it| *it == b"not ours").count(), 30);
}

/// A link at each place that is written, one at a time: it is refused or replaced, never followed.
#[test]
fn no_planted_link_is_followed() {
    let first = Bench::new();
    let target = |bench: &Bench| bench.file("in/pr.json", capture(7).to_string());
    let run = |bench: &Bench, owned: bool| {
        let target = target(bench);
        let words = ["--batch", &target, "--artifacts", "root"];
        bench.run(&words[..if owned { 4 } else { 2 }])
    };
    for owned in [false, true] {
        let ran = run(&first, owned);
        assert_eq!(ran.code, 0, "{}", ran.err);
    }
    let mut places = first.below("data");
    places.extend(first.below("root").into_iter().map(|it| format!("../root/{it}")));
    places.extend(["ledger.db-wal", "ledger.db-shm", "ledger.db-lock"].map(str::to_owned));
    places.extend(["viewed", "dossiers"].map(str::to_owned));
    places.sort();
    places.dedup();
    assert!(places.len() > 40, "{places:?}");
    let full = std::env::var_os("CASEFILE_FULL").is_some();
    for (at, place) in places.iter().enumerate() {
        let bench = Bench::new();
        let theirs = bench.path("theirs");
        fs::create_dir_all(&theirs).expect("made");
        fs::write(theirs.join("file"), "theirs").expect("written");
        for (nth, kind) in ["file", "no-such-file", "."].into_iter().enumerate() {
            if !full && at % 3 != nth {
                continue;
            }
            let _ = fs::remove_dir_all(bench.path("data"));
            let _ = fs::remove_dir_all(bench.path("root"));
            let at = bench.path("data").join(place);
            fs::create_dir_all(bench.path("data")).expect("made");
            fs::create_dir_all(bench.path("root")).expect("made");
            fs::create_dir_all(at.parent().expect("a folder")).expect("made");
            symlink(theirs.join(kind), &at).expect("planted");
            let ran = run(&bench, place.starts_with("../root"));
            assert!([0, 7, 74].contains(&ran.code), "{place}: {} {}", ran.code, ran.err);
            assert!(!ran.err.contains("panicked"), "{place}: {}", ran.err);
            let now = everything(&theirs);
            let expected = BTreeMap::from([(theirs.join("file"), b"theirs".to_vec())]);
            assert_eq!(now, expected, "the link at {place} to {kind} was followed");
        }
    }
}
