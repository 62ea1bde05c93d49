//! Diffs written by an independent writer from a known list of edits, read back.

use crate::domain::{
    diff::{FileDiff, LineKind},
    patch::{of_hunk, parse},
};
use proptest::prelude::{Strategy, any, prop_assert_eq, prop_oneof, proptest};
use std::fmt::Write as _;

/// One line of a file's story: kept, removed or added.
type Edit = (LineKind, String);

/// Contents that look like what a prefix parser would stumble over.
fn content() -> impl Strategy<Value = String> {
    let traps = [
        "",
        "-- a/x",
        "++ b/x",
        "--- a/x",
        "+++ b/x",
        "@@ -1,2 +3,4 @@",
        "diff --git a/x b/x",
        " ",
        "\r",
        "\\ No newline at end of file",
        "Binary files a and b differ",
        "Submodule s 1..2:",
        "\t",
        "é漢",
        "\u{0}",
        "index 1..2 100644",
        "GIT binary patch",
        "@@@ -1 -1 +1 @@@",
        "rename from x",
    ];
    prop_oneof![proptest::sample::select(traps.to_vec()).prop_map(str::to_owned), "[a-z+\\- ]{0,6}"]
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let kind = prop_oneof![
        4 => proptest::strategy::Just(LineKind::Context),
        1 => proptest::strategy::Just(LineKind::Added),
        1 => proptest::strategy::Just(LineKind::Removed),
    ];
    proptest::collection::vec((kind, content()), 0..40)
}

/// A line as it must be read back: kind, content, old and new number.
type Told = (LineKind, String, u32, u32);

/// Writes `edits` as hunks with `context` lines around each change, and tells what they hold.
fn write(edits: &[Edit], context: usize, out: &mut String) -> Vec<Told> {
    let shown = |at: usize| {
        let near = at.saturating_sub(context)..(at + context + 1).min(edits.len());
        edits[near].iter().any(|it| it.0 != LineKind::Context)
    };
    let (mut old, mut new) = (0, 0);
    let mut told = Vec::new();
    let mut hunk: Vec<Told> = Vec::new();
    let mut before = (0, 0);
    for at in 0..=edits.len() {
        if at < edits.len() && shown(at) {
            if hunk.is_empty() {
                before = (old, new);
            }
        } else if !hunk.is_empty() {
            write_hunk(&hunk, before, out);
            told.append(&mut hunk);
        }
        let Some((kind, text)) = edits.get(at) else { break };
        old += u32::from(*kind != LineKind::Added);
        new += u32::from(*kind != LineKind::Removed);
        if shown(at) {
            let side = |on: bool, number: u32| if on { number } else { 0 };
            hunk.push((
                *kind,
                text.clone(),
                side(*kind != LineKind::Added, old),
                side(*kind != LineKind::Removed, new),
            ));
        }
    }
    told
}

fn write_hunk(hunk: &[Told], before: (u32, u32), out: &mut String) {
    let count = |gone: LineKind| hunk.iter().filter(|it| it.0 != gone).count() as u32;
    let span = |before: u32, count: u32| match count {
        0 => format!("{before},0"),
        1 => format!("{}", before + 1),
        _ => format!("{},{count}", before + 1),
    };
    let (old, new) =
        (span(before.0, count(LineKind::Added)), span(before.1, count(LineKind::Removed)));
    writeln!(out, "@@ -{old} +{new} @@").expect("a string");
    for (kind, text, ..) in hunk {
        let sign = match kind {
            LineKind::Context => ' ',
            LineKind::Added => '+',
            LineKind::Removed => '-',
        };
        writeln!(out, "{sign}{text}").expect("a string");
    }
}

fn read_back(file: &FileDiff) -> Vec<Told> {
    file.lines
        .iter()
        .map(|it| (it.kind, file.content(it).into_raw().into_owned(), it.old, it.new))
        .collect()
}

proptest! {
    #[test]
    fn what_was_written_is_read(files in proptest::collection::vec((edits(), "[a-z ]{1,9}"), 1..4), context in 0..4_usize, plain in any::<bool>()) {
        let mut text = "a commit's text\n\n".to_owned();
        let mut expected = Vec::new();
        for (edits, name) in files {
            let mut hunks = String::new();
            let told = write(&edits, context, &mut hunks);
            if told.is_empty() {
                continue;
            }
            if !plain {
                writeln!(text, "diff --git a/{name} b/{name}\nindex 1..2 100644").expect("a string");
            }
            write!(text, "--- a/{name}\t\n+++ b/{name}\t\n{hunks}").expect("a string");
            expected.push((name, told));
        }
        let diff = parse(text.as_bytes());
        let found: Vec<_> = diff.files.iter().map(|it| (it.path.raw().to_owned(), read_back(it))).collect();
        prop_assert_eq!(found, expected);
        for file in &diff.files {
            prop_assert_eq!(&file.note, &None);
            let count = |kind| file.lines.iter().filter(|it| it.kind == kind).count() as u32;
            prop_assert_eq!((file.additions, file.deletions), (count(LineKind::Added), count(LineKind::Removed)));
        }
    }

    #[test]
    fn a_diff_cut_anywhere_loses_only_its_end(edits in edits(), cut in any::<proptest::sample::Index>()) {
        let mut text = "--- a/x\n+++ b/x\n".to_owned();
        let told = write(&edits, 2, &mut text);
        let mut at = cut.index(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let diff = parse(&text.as_bytes()[..at]);
        let found = diff.files.first().map(read_back).unwrap_or_default();
        let sure = found.len().saturating_sub(1);
        prop_assert_eq!(&found[..sure], &told[..sure]);
    }

    #[test]
    fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let _ = parse(&bytes);
    }

    #[test]
    fn no_shuffled_diff_panics(lines in proptest::collection::vec(0..24_usize, 0..40), keep in 0..5_usize) {
        let parts = [
            "diff --git a/x b/x", "diff --git \"a/\\3", "diff --cc x", "--- a/x", "+++ b/x", "--- /dev/null",
            "@@ -1 +1 @@", "@@ -1,9 +0,0 @@", "@@ -4294967295,4294967295 +1,4294967295 @@ x", "@@@ -1,2 -1,2 +1,3 @@@", "@@@", "+", "-", " ",
            "\\ No", "", "GIT binary patch", "literal 3", "Binary files a and b differ", "Submodule a 1..2:",
            "rename from \"x", "rename to x", "index 1..2 160000", "-Subproject commit 1",
        ];
        let text: Vec<_> = lines.iter().map(|it| parts[*it]).collect();
        let text = text.join("\n");
        for file in parse(text.as_bytes()).files {
            for line in &file.lines {
                let _ = file.content(line);
            }
            for hunk in &file.hunks {
                let _ = (file.section(hunk), &file.lines[hunk.lines.start as usize..hunk.lines.end as usize]);
            }
        }
        let _ = of_hunk("x", &text, keep);
    }
}
