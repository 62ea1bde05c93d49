//! Small diffs that broke other tools, and whole real ones. Numbers are rows of the case list.

use crate::shared::{shared, shared_files};
use casefile::domain::diff::{Body, Change, Diff, FileDiff, LineKind, Side};
use casefile::domain::patch::parse;
use casefile::domain::text::outside::OutsideOption as _;
use casefile::domain::text::{Surface, display, hidden, width};
use std::path::Path;
use std::process::Command;

const CODE: Surface = Surface::Code { tab_width: 8 };

fn case(name: &str) -> Option<Diff> {
    shared(&format!("cases/diffs/{name}.diff")).map(|it| read(&it))
}

fn read(path: &Path) -> Diff {
    parse(&std::fs::read(path).expect("a readable diff"))
}

/// The lines of a file as `old:new sign content`, `\` behind a missing line end.
fn lines(file: &FileDiff) -> Vec<String> {
    let mut out = Vec::new();
    for line in &file.lines {
        let sign = match line.kind {
            LineKind::Context => ' ',
            LineKind::Added => '+',
            LineKind::Removed => '-',
        };
        let end = if line.no_newline { "\\" } else { "" };
        out.push(format!("{}:{} {sign}{}{end}", line.old, line.new, file.content(line).raw()));
    }
    out
}

fn paths(diff: &Diff) -> Vec<&str> {
    diff.files.iter().map(|it| it.path.raw()).collect()
}

#[test]
fn case_01_content_that_looks_like_headers() {
    let Some(diff) = case("10-header-like-content") else { return };
    assert_eq!(paths(&diff), ["c.c", "fm.md"]);
    assert_eq!(lines(&diff.files[0]), ["1:0 -i = 0", "0:1 +++i;", "0:2 ++++ b/evil"]);
    let expected = [
        "1:0 ----",
        "2:0 -title: hi",
        "3:0 ----",
        "4:0 --- count rows",
        "5:1  intro",
        "6:0 -body",
        "0:2 +BODY",
        "0:3 +@@ -1,2 +1,2 @@ not a hunk",
        "0:4 +diff --git a/x b/x",
    ];
    assert_eq!(lines(&diff.files[1]), expected);
}

#[test]
fn case_03_tabs_expand_from_the_files_column() {
    let Some(diff) = case("02-tabs") else { return };
    let file = &diff.files[0];
    let line = file.lines.iter().find(|it| file.content(it).raw().contains("TWO")).expect("a line");
    assert_eq!(display(file.content(line).raw(), CODE), "                TWO     // c");
    let narrow = Surface::Code { tab_width: 4 };
    assert_eq!(display(file.content(line).raw(), narrow), "        TWO // c");
}

#[test]
fn case_04_a_missing_line_end_is_a_mark() {
    let Some(diff) = case("03-no-newline") else { return };
    let all: Vec<_> = diff.files.iter().map(lines).collect();
    assert_eq!(all[0], ["1:1  a", "2:0 -b\\", "0:2 +B\\"]);
    assert_eq!(all[1], ["1:1  a", "2:0 -b\\", "0:2 +b"]);
    assert_eq!(all[2], ["1:1  a", "2:0 -b", "0:2 +b\\"]);
    assert!(diff.files.iter().all(|it| (it.additions, it.deletions) == (1, 1)));
    assert_eq!(diff.files[0].find(Side::Right, 3), None);
}

#[test]
fn case_05_renames_and_copies() {
    let Some(diff) = case("04-rename-copy") else { return };
    let facts: Vec<_> = diff
        .files
        .iter()
        .map(|it| (it.previous_path.raw(), it.path.raw(), it.change, it.body.clone()))
        .collect();
    let expected = [
        (Some("src.txt"), "copied.txt", Change::Copied(Some(100)), Body::NoContentChange),
        (Some("pure.txt"), "dir_pure.txt", Change::Renamed(Some(100)), Body::NoContentChange),
        (Some("old_name.txt"), "new_name.txt", Change::Renamed(Some(93)), Body::Text),
        (None, "src.txt", Change::Modified, Body::Text),
    ];
    assert_eq!(facts, expected);
}

#[test]
fn modes_are_told() {
    let Some(diff) = case("05-mode") else { return };
    let facts: Vec<_> =
        diff.files.iter().map(|it| (it.change, it.old_mode, it.new_mode, it.hunks.len())).collect();
    let (plain, program) = (Some(0o100_644), Some(0o100_755));
    let expected =
        [(Change::ModeChanged, plain, program, 0), (Change::Modified, plain, program, 1)];
    assert_eq!(facts, expected);
}

#[test]
fn case_08_submodules() {
    let Some(diff) = case("07-submodule") else { return };
    let first = "b28c24670699665603e8434aa3ce107073380cd1".to_owned();
    let second = "8d15fb6e9245fd2a52ed896d8c7c17c2b8912162".to_owned();
    let bodies: Vec<_> = diff.files.iter().map(|it| &it.body).collect();
    let moved = Body::Submodule { old: Some(first.clone()), new: Some(second) };
    let added = Body::Submodule { old: None, new: Some(first) };
    assert_eq!(bodies, [&moved, &added]);
    assert_eq!(diff.files[1].change, Change::Added);
}

#[test]
fn case_09_empty_files() {
    let Some(diff) = case("08-empty-file") else { return };
    let facts: Vec<_> = diff.files.iter().map(|it| (it.path.raw(), it.change, &it.body)).collect();
    let expected =
        [("fresh.txt", Change::Added, &Body::Empty), ("gone.txt", Change::Removed, &Body::Empty)];
    assert_eq!(facts, expected);
}

#[test]
fn case_10_quoted_paths() {
    let Some(diff) = case("09-quoted-paths") else { return };
    let expected = [
        "$dollar.txt",
        "(group).txt",
        "-dash.txt",
        "back\\slash.txt",
        "quo\"te.txt",
        "sp ace/fi le.txt",
        "tab\there.txt",
        "x b/y.txt",
        "国際化-🧪.txt",
    ];
    assert_eq!(paths(&diff), expected);
    assert!(diff.files.iter().all(|it| it.lines.len() == 2 && it.path_bytes.is_none()));
}

#[test]
fn case_11_a_line_of_400_kb() {
    let Some(diff) = case("11-long-line") else { return };
    let longest = |it: &FileDiff| it.lines.iter().map(|line| line.len).max().unwrap_or(0);
    assert!(longest(&diff.files[0]) > 400_000);
    let begun = std::time::Instant::now();
    for line in &diff.files[0].lines {
        let content = diff.files[0].content(line);
        assert!(width(&display(content.raw(), CODE)) >= content.raw().chars().count() / 2);
    }
    assert!(begun.elapsed().as_secs() < 1);
}

#[test]
fn case_14_one_line_hunks() {
    let Some(diff) = case("16-one-line-hunks") else { return };
    let all: Vec<_> = diff.files.iter().map(lines).collect();
    assert_eq!(all[0], ["0:1 +new"]);
    assert_eq!(all[1], ["1:0 -1", "2:0 -2", "3:0 -3", "4:0 -4", "5:0 -5"]);
    assert_eq!(all[2], ["1:0 -only", "0:1 +ONLY"]);
    assert_eq!((diff.files[0].change, diff.files[1].change), (Change::Added, Change::Removed));
    assert_eq!(diff.files[0].find(Side::Left, 0), None);
}

#[test]
fn case_17_many_files() {
    let Some(diff) = case("19-many-files") else { return };
    assert_eq!(diff.files.len(), 302);
    let most = diff.files.iter().map(|it| it.additions + it.deletions).max();
    assert!(most >= Some(3000), "{most:?}");
}

#[test]
fn cases_49_and_50_hostile_text_becomes_marks() {
    let (Some(escapes), Some(widths)) = (case("13-escapes"), case("14-width")) else { return };
    let shown = |file: &FileDiff, at: usize| {
        display(file.content(&file.lines[at]).raw(), CODE).into_owned()
    };
    assert_eq!(shown(&escapes.files[0], 1), "ok␛[2J␛[H␛]0;pwn␇␛]52;c;aGk=␇\u{fffd}31m␍ erased?␈␈");
    assert_eq!(display(escapes.files[1].path.raw(), CODE), "esc␛[31mred.txt");
    let file = &widths.files[0];
    let lines: Vec<_> = (0..file.lines.len()).map(|at| shown(file, at)).collect();
    assert!(lines.contains(&"zero<U+200B>width|end".to_owned()), "{lines:?}");
    assert!(lines.contains(&"ad<U+202E>;nimda<U+202C>|end".to_owned()), "{lines:?}");
    let counted: usize = file.lines.iter().map(|it| hidden(file.content(it).raw())).sum();
    assert_eq!(counted, 3);
}

/// What git itself counts in a patch: lines added, lines removed, files.
fn counted_by_git(path: &Path) -> (u64, u64, usize) {
    let out = Command::new("git")
        .args(["apply", "--numstat", "--"])
        .arg(path)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .expect("git runs");
    assert!(out.status.success(), "{}: {}", path.display(), String::from_utf8_lossy(&out.stderr));
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    let number = |row: &str, at: usize| {
        row.split('\t').nth(at).and_then(|it| it.parse::<u64>().ok()).unwrap_or(0)
    };
    let sum = |at: usize| text.lines().map(|row| number(row, at)).sum();
    (sum(0), sum(1), text.lines().count())
}

#[test]
fn real_diffs_count_as_git_counts_them() {
    for path in shared_files("real/diffs", ".diff") {
        let diff = read(&path);
        let added = diff.files.iter().map(|it| u64::from(it.additions)).sum();
        let removed = diff.files.iter().map(|it| u64::from(it.deletions)).sum();
        let mine = (added, removed, diff.files.len());
        assert_eq!(mine, counted_by_git(&path), "{}", path.display());
        for file in &diff.files {
            assert_eq!(file.note, None, "{} {}", path.display(), file.path.raw());
            assert!(!file.path.is_empty() && !matches!(file.body, Body::NotLoaded(_)));
        }
    }
}

#[test]
fn case_diffs_count_as_git_counts_them() {
    for path in shared_files("cases/diffs", ".diff") {
        let diff = read(&path);
        let added: u64 = diff.files.iter().map(|it| u64::from(it.additions)).sum();
        let removed: u64 = diff.files.iter().map(|it| u64::from(it.deletions)).sum();
        assert_eq!((added, removed, diff.files.len()), counted_by_git(&path), "{}", path.display());
    }
}

/// Run in release, alone: `cargo test --release --test it parse_time -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn parse_time() {
    for path in shared_files("real/diffs", ".diff") {
        let bytes = std::fs::read(&path).expect("a readable diff");
        let mut times: Vec<_> = (0..9)
            .map(|_| {
                let begun = std::time::Instant::now();
                let diff = parse(&bytes);
                let took = begun.elapsed();
                assert!(!diff.files.is_empty());
                took
            })
            .collect();
        times.sort();
        println!("{}: {} bytes, median {:?}", path.display(), bytes.len(), times[4]);
    }
}
