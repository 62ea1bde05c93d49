//! Promises D3 and D4: a token goes to its own host and nowhere else, and stands in no byte that
//! is written. Who may get which token is a table in `config::sign_in`; this is the wire and the
//! disk.

use crate::{
    bench::{self, Bench},
    listener::{Heard, Listener, Reply},
    ptyrig::casefile,
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// With characters that URLs and base64 write otherwise.
const CANARY: &str = "ghp_tokencanary+of/the=wire0123";
/// What stands in its place.
const HIDDEN: &str = "[credential removed]";
/// The same as it travels in addresses.
const ENCODED: &str = "ghp_tokencanary%2Bof%2Fthe%3Dwire0123";

/// What asks the forge, one each.
const ASKING: [&[&str]; 5] = [
    &["--batch", "example/engine#7", "--json"],
    &["capture", "example/engine#7", "-o", "out.json"],
    &["export", "example/engine#7", "--format", "md"],
    &["status", "example/engine#7"],
    &["doctor"],
];

fn run(bench: &Bench, api: &str, args: &[&str]) -> (String, String) {
    let mut command = bench.command();
    command.env("CASEFILE_FORGE_API", api).env("CASEFILE_TOKEN", CANARY);
    command.env("CASEFILE_TEST_PACE", "1").args(args);
    let output = command.output().expect("it starts");
    let text = |it| String::from_utf8(it).expect("UTF-8");
    (text(output.stdout), text(output.stderr))
}

#[test]
fn no_redirect_leads_a_token_to_another_host() {
    let mut cases = 0;
    for status in [301, 302, 303, 307, 308] {
        let other = Listener::start(|_| Reply::json(200, r#"{"login": "mallory", "id": 1}"#));
        let to = other.address.clone();
        let own = Listener::start(move |heard: &Heard| {
            let there = format!("{to}{}", heard.path);
            Reply::json(status, "{}").with("location", &there)
        });
        for args in ASKING {
            let bench = Bench::new();
            let (out, err) = run(&bench, &own.address, args);
            assert!(!out.contains("mallory") && !err.contains("mallory"), "{args:?}: {out}{err}");
            cases += 1;
        }
        let first = own.heard().first().cloned().expect("its own host was asked");
        let token = format!("Bearer {CANARY}");
        assert_eq!(first.header("authorization"), Some(token.as_str()));
        assert!(other.heard().is_empty(), "{status}: {:?}", other.heard());
    }
    assert_eq!(cases, 25);
}

#[test]
fn neither_pages_nor_pictures_lead_to_another_host() {
    let other = Listener::start(|_| Reply::json(200, "[]"));
    let to = other.address.clone();
    let picture = format!("<img src=\"{to}/a.png\"> ![b]({to}/b.png) {to}/c");
    let mut capture = bench::capture(7);
    capture["pull_request"]["body"] = picture.clone().into();
    capture["issue_comments"][0]["body"] = picture.into();
    let own = Listener::start(move |_| {
        let next = format!("<{to}/repositories/1/pulls/7/files?page=2>; rel=\"next\"");
        Reply::json(200, "[]").with("link", &next)
    });
    let bench = Bench::new();
    for args in ASKING {
        run(&bench, &own.address, args);
    }
    let file = bench.file("pr.json", capture.to_string());
    for format in ["md", "json", "html"] {
        run(&bench, &own.address, &["export", &file, "--format", format]);
    }
    run(&bench, &own.address, &["--batch", &file]);
    assert!(own.heard().len() >= 4, "its own host was asked");
    assert!(other.heard().is_empty(), "{:?}", other.heard());
}

/// Every spelling of the canary that could stand in a byte: as it is, in addresses, in base64 at
/// each of the three places a text can begin.
fn spellings() -> Vec<String> {
    let shifted = |before: usize| {
        let text = format!("{}{CANARY}", "x".repeat(before));
        let all = STANDARD.encode(text);
        // Only what belongs to the canary alone.
        all[(before * 8).div_ceil(6)..all.trim_end_matches('=').len() - 2].to_owned()
    };
    let mut spellings = vec![CANARY.to_owned(), ENCODED.to_owned(), "tokencanary".to_owned()];
    spellings.extend([0, 1, 2].map(shifted));
    spellings
}

fn find(bytes: &[u8], place: &str) {
    for it in spellings() {
        let hit = memchr::memmem::find(bytes, it.as_bytes());
        assert_eq!(hit, None, "{place} holds the token as {it}");
    }
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() { files(&path, found) } else { found.push(path) }
    }
}

/// A GitHub that says the token back wherever it can.
fn parrot() -> Listener {
    Listener::start(|heard: &Heard| {
        let token = heard.header("authorization").unwrap_or_default().to_owned();
        let says = format!(
            r#"{{"message": "bad {token}, {ENCODED}", "errors": [{{"message": "bad {token}"}}]}}"#
        );
        let status = match heard.path.as_str() {
            "/user" => 401,
            "/graphql" => 403,
            _ => 422,
        };
        Reply::json(status, &says).with("x-github-request-id", &token)
    })
}

#[test]
fn the_search_for_a_token_finds_each_spelling() {
    for text in [CANARY.to_owned(), ENCODED.to_owned(), STANDARD.encode(format!("ab{CANARY}c"))] {
        let found = spellings().iter().any(|it| text.contains(it));
        assert!(found, "{text}");
    }
}

#[test]
fn no_byte_that_is_written_holds_a_token() {
    let bench = Bench::new();
    let parrot = parrot();
    let target = bench.file("in/pr.json", bench::capture(7).to_string());
    let token_file = bench.file("in/token", format!("{CANARY}\n"));
    let config = format!("token = \"{CANARY}\"\n[forge]\ntoken = \"{CANARY}\"\n");
    bench.file("config/casefile/config.toml", config);
    let git = |args: &[&str]| {
        let done = Command::new("git").args(args).current_dir(bench.path(".")).output();
        assert!(done.expect("git").status.success(), "{args:?}");
    };
    git(&["init", "-q"]);
    git(&["remote", "add", "origin", &format!("https://u:{ENCODED}@github.com/a/b")]);
    let mut removed = 0;
    let file = ["--token-file", &token_file];
    for args in [
        &["--batch", &target, "--events", "events.jsonl"][..],
        &["--batch", "example/engine#7", "--json"],
        &["--batch", "example/engine#7", "--json", file[0], file[1]],
        &["capture", "example/engine#7", "-o", "out.json"],
        &["export", &target, "--format", "html", "-o", "out.html"],
        &["config", "show", "--origin"],
        &["status", "example/engine#7"],
        &["status", &target],
        &["doctor"],
        &["doctor", "--json"],
    ] {
        let mut command = bench.command();
        command.env("CASEFILE_FORGE_API", &parrot.address).env("CASEFILE_TEST_PACE", "1");
        for name in ["CASEFILE_TOKEN", "GH_TOKEN", "GITHUB_TOKEN", "GH_ENTERPRISE_TOKEN"] {
            command.env(name, CANARY);
        }
        command.args(args).args(["-vv", "--log-file", "log.txt"]);
        let output = command.output().expect("it starts");
        removed += String::from_utf8_lossy(&output.stderr).matches(HIDDEN).count();
        removed += String::from_utf8_lossy(&output.stdout).matches(HIDDEN).count();
        find(&output.stdout, &format!("standard output of {args:?}"));
        find(&output.stderr, &format!("standard error of {args:?}"));
    }
    assert!(removed > 2, "what the forge said back was on its way out: {removed}");
    workbench(&bench, &parrot.address, &target);
    let mut written = Vec::new();
    files(&bench.path("."), &mut written);
    let given = ["in/token", "config/casefile/config.toml", ".git/config"];
    written.retain(|it| !given.iter().any(|given| it.ends_with(given)));
    for path in &written {
        find(&fs::read(path).expect("it can be read"), &path.display().to_string());
    }
    let named = |end: &str| written.iter().any(|it| it.to_string_lossy().ends_with(end));
    assert!(named("log.txt") && named("ledger.db") && named("events.jsonl"), "{written:?}");
    assert!(written.len() > 20, "{}", written.len());
    let asked = parrot.heard();
    assert!(asked.iter().any(|it| it.header("authorization").is_some()), "it was in use");
}

/// A session that lists, opens and fails in the open.
fn workbench(bench: &Bench, api: &str, target: &str) {
    let log = bench.path("session.log");
    let arguments = ["-vv", "--log-file", log.to_str().expect("a plain path")];
    let mut rig = casefile(&arguments)
        .env("CASEFILE_FORGE_API", api)
        .env("CASEFILE_TEST_PACE", "1")
        .env("CASEFILE_TOKEN", CANARY)
        .env("GH_TOKEN", CANARY)
        .env("CASEFILE_HOME", bench.path("data").to_str().expect("a plain path"))
        .run();
    rig.wait("[recent");
    rig.press("2");
    rig.wait("use a token that may read");
    rig.press("aexample/engine#9\r");
    rig.wait("example/engine#9");
    rig.settle();
    rig.press(&format!("a{target}\r"));
    rig.wait("src/index.rs");
    rig.quit();
    find(&rig.log(), "the terminal");
    let mut written = Vec::new();
    files(rig.home.path(), &mut written);
    for path in written {
        find(&fs::read(&path).expect("it can be read"), &path.display().to_string());
    }
}
