//! One file of the change: its header, its hunks, and its threads at their lines.
//! Must not show a file as unchanged because its lines are not here; it says why they are not.

use crate::{
    domain::diff::{Body, Change, DiffLine, FileDiff, LineKind},
    export::{
        excerpt::{Piece, pieces, shown},
        html::{card::card, summary::status, writer::Html},
        join::{Dossier, Entry},
        notices::hidden_in,
    },
};
use std::ops::Range;

/// Writes a file. `whole`: the change is small enough to show every line.
pub fn file(html: &mut Html, dossier: &Dossier<'_>, at: usize, whole: bool) {
    let it = &dossier.diff.files[at];
    let threads = dossier.threads_of(at);
    html.raw("<section class=\"file\" id=\"f").number(at as u64 + 1).raw("\"><details");
    html.raw(if threads.is_empty() { "" } else { " open" }).raw("><summary class=\"name\">");
    title(html, it);
    tally(html, &threads);
    html.raw("</summary>");
    let covered: Vec<_> = threads.iter().filter_map(|it| covered(it)).collect();
    let parts = pieces(it, &covered, whole);
    facts(html, it, it.lines.len() - shown(&parts));
    for entry in threads.iter().filter(|it| it.line().is_none()) {
        card(html, dossier.diff, entry, false);
    }
    if shown(&parts) > 0 {
        table(html, dossier, it, &threads, &parts);
    }
    html.raw("</details></section>");
}

/// The path, what became of it, and how much changed.
pub fn title(html: &mut Html, it: &FileDiff) {
    html.raw("<span class=\"path\">");
    if let Some(before) = it.previous_path.as_ref().filter(|before| **before != it.path) {
        html.raw("<bdi class=\"before\">").code(before.raw()).raw("</bdi> → ");
    }
    html.raw("<bdi>").code(it.path.raw()).raw("</bdi></span>");
    let (word, similar) = match it.change {
        Change::Added => ("added", None),
        Change::Removed => ("removed", None),
        Change::Modified => ("", None),
        Change::Renamed(similar) => ("renamed", similar),
        Change::Copied(similar) => ("copied", similar),
        Change::TypeChanged => ("type changed", None),
        Change::ModeChanged => ("mode changed", None),
    };
    if !word.is_empty() {
        html.raw(" <span class=\"flag\">").raw(word);
        if let Some(percent) = similar {
            html.raw(" ").number(percent).raw(" %");
        }
        html.raw("</span>");
    }
    if it.additions > 0 {
        html.raw(" <span class=\"plus\">+").number(it.additions).raw("</span>");
    }
    if it.deletions > 0 {
        html.raw(" <span class=\"minus\">−").number(it.deletions).raw("</span>");
    }
}

/// How many threads of which status, as links would be too many.
pub fn tally(html: &mut Html, threads: &[&Entry<'_>]) {
    let mut kinds: Vec<(&'static str, &'static str, u64)> = Vec::new();
    for entry in threads {
        let (class, word) = status(entry.status());
        match kinds.iter_mut().find(|it| it.0 == class) {
            Some(kind) => kind.2 += 1,
            None => kinds.push((class, word, 1)),
        }
    }
    kinds.sort_by_key(|it| it.0 != "unresolved");
    for (class, word, number) in kinds {
        html.raw(" <span class=\"tally ").raw(class).raw("\" title=\"").raw(word).raw("\">");
        html.inline(&word.chars().take(1).collect::<String>()).number(number).raw("</span>");
    }
}

/// What the lines do not show.
fn facts(html: &mut Html, it: &FileDiff, unseen: usize) {
    match &it.body {
        Body::Text => {}
        Body::Binary => say(html, "binary file, not shown"),
        Body::Empty => say(html, "empty file"),
        Body::NoContentChange => say(html, "no content change"),
        Body::Submodule { old, new } => {
            html.raw("<p class=\"fact\">submodule ");
            html.inline(old.as_deref().unwrap_or("none")).raw(" → ");
            html.inline(new.as_deref().unwrap_or("none")).raw("</p>");
        }
        Body::NotLoaded(reason) => {
            html.raw("<p class=\"fact warn\">not loaded: ").inline(reason).raw("</p>");
        }
    }
    let hidden = hidden_in(it);
    if hidden > 0 {
        html.raw("<p class=\"fact warn\">").number(hidden as u64);
        html.raw(" hidden characters, shown as <i class=\"mark\">marks</i></p>");
    }
    if crlf(it) {
        say(html, "every line ends with CR LF");
    }
    if unseen > 0 {
        html.raw("<p class=\"fact\">").number(unseen as u64);
        html.raw(" of ")
            .number(it.lines.len() as u64)
            .raw(" diff lines are not in this document</p>");
    }
}

fn say(html: &mut Html, text: &'static str) {
    html.raw("<p class=\"fact\">").raw(text).raw("</p>");
}

/// A file of Windows line ends says so once instead of on each line.
fn crlf(it: &FileDiff) -> bool {
    !it.lines.is_empty() && it.lines.iter().all(|line| it.raw_bytes(line).ends_with(b"\r"))
}

/// The lines a thread covers.
fn covered(entry: &Entry<'_>) -> Option<Range<u32>> {
    let crate::domain::anchor::Place::Line { line, start, .. } = entry.place else { return None };
    let start = start.unwrap_or(line).min(line);
    Some(start..line + 1)
}

fn table(
    html: &mut Html,
    dossier: &Dossier<'_>,
    it: &FileDiff,
    threads: &[&Entry<'_>],
    parts: &[Piece],
) {
    html.raw("<table class=\"diff\"><colgroup><col class=\"no\"><col class=\"no\"><col class=\"sign\"><col></colgroup>");
    let quiet = crlf(it);
    let ranges: Vec<_> = threads.iter().filter_map(|it| covered(it)).collect();
    for part in parts {
        match part {
            Piece::Header(hunk) => header(html, it, *hunk),
            Piece::Skipped(count) => {
                html.raw("<tr class=\"skip\"><td colspan=\"4\">⋯ ").number(*count);
                html.raw(" lines not shown</td></tr>");
            }
            Piece::Lines(range) => {
                for at in range.clone() {
                    let talked = ranges.iter().any(|it| it.contains(&at));
                    line(html, it, &it.lines[at as usize], talked, quiet);
                    for entry in threads.iter().filter(|it| it.line() == Some(at)) {
                        html.raw("<tr class=\"talk\"><td colspan=\"4\">");
                        card(html, dossier.diff, entry, false);
                        html.raw("</td></tr>");
                    }
                }
            }
        }
    }
    html.raw("</table>");
}

fn header(html: &mut Html, it: &FileDiff, at: usize) {
    let hunk = &it.hunks[at];
    html.raw("<tr class=\"hunk\"><td colspan=\"4\">@@ −").number(hunk.old_start).raw(",");
    html.number(hunk.old_count).raw(" +").number(hunk.new_start).raw(",").number(hunk.new_count);
    html.raw(" @@ ").code(it.section(hunk).raw().trim()).raw("</td></tr>");
}

fn line(html: &mut Html, file: &FileDiff, it: &DiffLine, talked: bool, quiet: bool) {
    let (class, sign) = match it.kind {
        LineKind::Added => ("add", "+"),
        LineKind::Removed => ("del", "−"),
        LineKind::Context => ("same", ""),
    };
    html.raw("<tr class=\"").raw(class).raw(if talked { " on" } else { "" }).raw("\">");
    for number in [it.old, it.new] {
        html.raw("<td class=\"no\">");
        if number > 0 {
            html.number(number);
        }
        html.raw("</td>");
    }
    html.raw("<td class=\"sign\">").raw(sign).raw("</td><td class=\"line\">");
    let content = file.content(it);
    html.code(if quiet { content.raw().trim_end_matches('\r') } else { content.raw() });
    if it.no_newline {
        html.raw(" <span class=\"flag\">no newline at end</span>");
    }
    html.raw("</td></tr>");
}
