//! Whole files and diffs from the patches that are kept. Lines no patch shows are made up, the same
//! on both sides. Must not be clever: a patch says what it says.

use crate::store::{File, Pull};
use std::fmt::Write as _;

/// Limits of GitHub's `.diff` (406 above them).
pub(crate) const DIFF_FILES: usize = 300;
pub(crate) const DIFF_LINES: usize = 20_000;
/// Made-up lines after the last hunk.
const TAIL: usize = 12;

/// The whole change as a unified diff; `None` when GitHub would not give it.
pub(crate) fn diff(pull: &Pull) -> Option<String> {
    let mut text = String::new();
    for file in &pull.files {
        head(&mut text, file);
        if let Some(patch) = &file.patch {
            text.push_str(patch);
            if !patch.ends_with('\n') {
                text.push('\n');
            }
        }
    }
    let small = pull.files.len() <= DIFF_FILES && text.lines().count() <= DIFF_LINES;
    small.then_some(text)
}

fn head(text: &mut String, file: &File) {
    let old = file.previous.as_ref().unwrap_or(&file.path);
    let new = &file.path;
    let mut line = |it: String| writeln!(text, "{it}").expect("text takes all");
    line(format!("diff --git a/{old} b/{new}"));
    match file.status.as_str() {
        "added" => line("new file mode 100644".into()),
        "removed" => line("deleted file mode 100644".into()),
        "renamed" => {
            line("similarity index 90%".into());
            line(format!("rename from {old}"));
            line(format!("rename to {new}"));
        }
        _ => (),
    }
    line(format!("index {:.7}..{:.7} 100644", "0".repeat(40), file.sha));
    if file.patch.is_some() {
        let none = "/dev/null".to_owned();
        let old = if file.status == "added" { none.clone() } else { format!("a/{old}") };
        let new = if file.status == "removed" { none } else { format!("b/{new}") };
        line(format!("--- {old}"));
        line(format!("+++ {new}"));
    }
}

/// A file as it was (`old`) or is; `None` where it does not stand on that side.
pub(crate) fn content(file: &File, old: bool) -> Option<String> {
    let absent = if old { "added" } else { "removed" };
    if file.status == absent {
        return None;
    }
    let (mut lines, mut old_at): (Vec<String>, usize) = (Vec::new(), 1);
    let made_up = |at: usize| format!("    // line {at} of {}", file.path);
    for line in file.patch.as_deref().unwrap_or_default().lines() {
        if line.starts_with("@@") {
            let start = old_start(line).unwrap_or(old_at);
            while old_at < start {
                lines.push(made_up(old_at));
                old_at += 1;
            }
            continue;
        }
        let rest = line.get(1..).unwrap_or_default().to_owned();
        match line.as_bytes().first() {
            Some(b'-') => {
                old_at += 1;
                if old {
                    lines.push(rest);
                }
            }
            Some(b'+') if !old => lines.push(rest),
            Some(b'+' | b'\\') => (),
            _ => {
                old_at += 1;
                lines.push(rest);
            }
        }
    }
    if !matches!(file.status.as_str(), "added" | "removed") {
        lines.extend((old_at..old_at + TAIL).map(made_up));
    }
    Some(lines.join("\n") + "\n")
}

fn old_start(header: &str) -> Option<usize> {
    let rest = header.split_once('-')?.1;
    rest.split([',', ' ']).next()?.parse().ok()
}
