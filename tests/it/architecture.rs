//! The dependency rules of `docs/ARCHITECTURE.md`, held against the source.
//! A change to the table below is a change of architecture: write a `docs/decisions/` entry.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// Each room and the rooms it may name, bottom-up: a room names only rooms listed above it.
const MAY_IMPORT: &[(&str, &str)] = &[
    ("domain", ""),
    ("failure", ""),
    ("telemetry", "domain"),
    ("config", "domain telemetry"),
    ("summary", "domain"),
    ("reduce", "domain"),
    ("context", "domain summary"),
    ("review", "domain summary"),
    ("task", "domain"),
    ("outbox", "domain review"),
    ("export", "domain summary"),
    ("forge", "domain outbox"),
    ("llm", "domain reduce"),
    ("store", "domain task outbox reduce review summary telemetry"),
    ("driver", "domain summary reduce context review task outbox forge llm store telemetry"),
    ("app", "domain summary reduce context review task outbox"),
    ("view", "app domain summary reduce context review task outbox"),
    ("tui", "app view driver config domain summary"),
    ("batch", "config domain driver export failure forge outbox review summary task telemetry"),
    (
        "cli",
        "batch config domain driver export failure forge outbox summary task telemetry tui app",
    ),
];

/// Rooms that compute and never act.
const PURE: &str = "domain summary reduce context review task outbox export app view";

/// What a pure room may not name.
const IMPURE: &[&str] = &[
    "std::fs",
    "std::net",
    "std::env",
    "std::process",
    "std::thread",
    "std::io",
    "SystemTime",
    "Instant::now",
    "Timestamp::now",
    "Zoned::now",
    "tokio",
    "async fn",
    ".await",
    "println!",
    "eprintln!",
    "tracing::",
    "thread_rng",
];

/// Crates that live behind one door.
const ONE_DOOR: &[(&str, &str)] = &[
    ("ratatui", "tui"),
    ("crossterm", "tui"),
    ("syntect", "tui"),
    ("two_face", "tui"),
    ("rusqlite", "store"),
    ("octocrab", "forge"),
    ("genai", "llm"),
];

/// Ways to the characters that somebody else wrote: `Outside` and the bytes of a diff.
const RAW: &[&str] = &[".raw()", "Outside::raw", "into_raw", "OutsideOption", "raw_bytes("];

/// Where those ways may be taken, and why no raw character leaves by it. Screens, reports and logs
/// (`view`, `batch`, `cli`, `telemetry`, `failure`) are not here: they can only show.
const RAW_FOR: &[(&str, &str)] = &[
    ("domain/", "parses, places and measures; the boundary itself"),
    ("summary/", "reads what was said; its Markdown writers display"),
    ("export/", "its HTML and Markdown writers display, its JSON escapes"),
    ("forge/", "derives one document from another"),
    ("driver/", "digests"),
    ("outbox/", "writes and verifies marks, compares paths"),
    ("app/code.rs", "cuts a line before it is displayed"),
    ("app/conversation.rs", "asks whether there are words"),
    ("app/correct/", "offers texts to the editor, which displays each character"),
    ("app/desk/", "marks by path, copies the original"),
    ("app/facts.rs", "reads states"),
    ("app/files.rs", "splits paths into a tree, whose labels `view::files` displays"),
    ("app/home.rs", "the fuzzy filter"),
    ("app/layout/", "gives bodies and old hunks to `app::prose`, which displays"),
    ("app/quotes.rs", "finds quotations"),
    ("app/search.rs", "finds words"),
    ("app/sheet.rs", "cuts sentences, then displays each"),
    ("app/threads.rs", "the filter's words"),
    ("app/viewed.rs", "digests, and marks by path"),
    ("store/root.rs", "folder names, which it encodes"),
    ("tui/effects.rs", "the clipboard takes the original, in base64"),
    ("tui/highlight/", "parses code; only colours come out"),
    ("tui/session.rs", "the path an editor opens"),
];

const FILE_LINES: usize = 400;

#[test]
fn rooms_import_only_what_they_may() {
    let rules: BTreeMap<_, _> = MAY_IMPORT.iter().copied().collect();
    check(|file, complain| {
        let Some(allowed) = rules.get(file.room.as_str()) else {
            return complain(format!("no rule for room `{}`", file.room));
        };
        if file.code.contains("super::") {
            complain("say `crate::`, not `super::`".into());
        }
        for import in file.imports() {
            if import != file.room && !allowed.split(' ').any(|it| it == import) {
                complain(format!("`{}` may not import `{import}`", file.room));
            }
        }
    });
}

#[test]
fn the_table_has_no_cycle() {
    let mut above = BTreeSet::new();
    for (room, allowed) in MAY_IMPORT {
        for import in allowed.split_terminator(' ') {
            // `tui` starts from `app`, both above `cli`; the order alone rules cycles out.
            assert!(above.contains(import), "`{room}` imports `{import}`, listed later");
        }
        above.insert(*room);
    }
}

#[test]
fn pure_rooms_do_not_act() {
    check(|file, complain| {
        if PURE.split(' ').any(|it| it == file.room) {
            for word in IMPURE.iter().filter(|it| file.code.contains(**it)) {
                complain(format!("`{word}` in a pure room"));
            }
        }
    });
}

#[test]
fn each_heavy_crate_has_one_door() {
    check(|file, complain| {
        for (name, door) in ONE_DOOR {
            if file.room != *door && file.code.contains(&format!("{name}::")) {
                complain(format!("only `{door}` may use {name}"));
            }
        }
    });
}

#[test]
fn nothing_is_exported_again() {
    check(|file, complain| {
        if file.code.contains("pub use ") {
            complain("a re-export hides where a thing lives".into());
        }
    });
}

#[test]
fn files_are_short_and_say_what_they_are() {
    check(|file, complain| {
        if !file.text.starts_with("//! ") {
            complain("no module doc".into());
        }
        let lines = file.code.lines().count();
        if lines > FILE_LINES {
            complain(format!("{lines} lines without tests, {FILE_LINES} at most"));
        }
    });
}

/// Text from outside is shown by `domain::text` or not at all.
#[test]
fn outside_text_is_raw_only_where_it_is_not_shown() {
    let mut used = BTreeSet::new();
    check(|file, complain| {
        for word in RAW.iter().filter(|it| file.code.contains(**it)) {
            match RAW_FOR.iter().find(|it| file.path.starts_with(it.0)) {
                Some(it) => _ = used.insert(it.0),
                None => complain(format!("`{word}`: text from outside may only be shown here")),
            }
        }
    });
    let idle: Vec<_> = RAW_FOR.iter().map(|it| it.0).filter(|it| !used.contains(it)).collect();
    assert!(idle.is_empty(), "these need no right to raw text: {idle:?}");
}

/// Each planted fault must be seen, or the tests above prove nothing.
#[test]
fn the_reader_sees_planted_faults() {
    let file = |room: &str, text: &str| File::of(format!("{room}/x.rs"), text.into());
    let imports = |text: &str| file("app", text).imports().into_iter().collect::<Vec<_>>();
    assert_eq!(imports("use crate::store::Ledger;"), ["store"]);
    assert_eq!(imports("use crate::{domain::diff, driver::{self, Report}};"), ["domain", "driver"]);
    assert_eq!(imports("fn f() { crate::tui::run() }"), ["tui"]);
    assert!(imports("// crate::tui is not named\nlet s = \"crate::tui\";").is_empty());
    assert!(imports("#[cfg(test)]\nmod tests {\n use crate::store;\n}").is_empty());
    assert!(RAW.iter().any(|it| file("view", "pen.write(title.raw())").code.contains(*it)));
    assert!(file("app", "let c = '\"'; std::fs::read(p)").code.contains("std::fs"));
}

fn check(mut rule: impl FnMut(&File, &mut dyn FnMut(String))) {
    let mut complaints = Vec::new();
    let mut files = 0;
    for file in source() {
        files += 1;
        rule(&file, &mut |what| complaints.push(format!("{}: {what}", file.path)));
    }
    assert!(files > 10, "the source was not found");
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

struct File {
    path: String,
    room: String,
    text: String,
    /// The text without comments, strings and inline tests.
    code: String,
}

impl File {
    fn of(path: String, text: String) -> Self {
        let room = path.split('/').next().unwrap_or_default().trim_end_matches(".rs").to_owned();
        let code = strip(&text);
        Self { path, room, text, code }
    }

    fn imports(&self) -> BTreeSet<String> {
        let mut imports = BTreeSet::new();
        for (at, prefix) in self.code.match_indices("crate::") {
            let rest = &self.code[at + prefix.len()..];
            match rest.strip_prefix('{') {
                Some(group) => imports.extend(heads(group)),
                None => imports.extend(head(rest)),
            }
        }
        imports
    }
}

fn head(text: &str) -> Option<String> {
    let end = text.find(|it: char| !it.is_alphanumeric() && it != '_').unwrap_or(text.len());
    (end > 0).then(|| text[..end].to_owned())
}

/// First names in a `{…}` group, nested groups skipped.
fn heads(text: &str) -> Vec<String> {
    let (mut heads, mut depth, mut expecting) = (Vec::new(), 0, true);
    for (at, it) in text.char_indices() {
        match it {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => expecting = true,
            _ if expecting && depth == 0 && !it.is_whitespace() => {
                heads.extend(head(&text[at..]));
                expecting = false;
            }
            _ => (),
        }
    }
    heads
}

fn source() -> impl Iterator<Item = File> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    walk(&root, &mut paths);
    paths.sort();
    paths.into_iter().filter_map(move |path| {
        let name = path.strip_prefix(&root).ok()?.display().to_string();
        // Tests beside their module may use anything; the entry files name every room.
        let skip = ["main.rs", "lib.rs"].contains(&name.as_str()) || name.ends_with("tests.rs");
        (!skip).then(|| File::of(name, fs::read_to_string(&path).expect("readable source")))
    })
}

fn walk(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            walk(&path, paths);
        } else if path.extension().is_some_and(|it| it == "rs") {
            paths.push(path);
        }
    }
}

/// Takes out inline tests, comments and the insides of strings.
fn strip(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text);
    let mut code = String::new();
    for line in text.lines() {
        let (mut quoted, mut previous) = (false, ' ');
        for (at, it) in line.char_indices() {
            if !quoted && line[at..].starts_with("//") {
                break;
            }
            if it == '"' && previous != '\\' && previous != '\'' {
                quoted = !quoted;
            } else if !quoted {
                code.push(it);
            }
            previous = it;
        }
        code.push('\n');
    }
    code
}
