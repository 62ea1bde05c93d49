//! A thread as a card: its raw talk beside its summary. Must not drop a comment; a settled
//! thread's talk is folded, one click away, and its summary stands open.

use crate::domain::text::outside::OutsideOption as _;
use crate::{
    domain::{anchor::Place, diff::Diff},
    export::{
        html::{
            comment::comment,
            prose::diff_line,
            summary::{next, panel, status},
            writer::Html,
        },
        join::{Entry, author, left_out},
        notices::count,
    },
    summary::discussion::Status,
};

/// Lines of an old hunk that are shown: the end, where the comment stood.
const OLD_LINES: usize = 10;

/// Writes one thread. `named` says its path too, for lists outside a file.
pub fn card(html: &mut Html, diff: &Diff, entry: &Entry<'_>, named: bool) {
    let (class, word) = status(entry.status());
    html.raw("<article class=\"thread ").raw(class).raw("\" id=\"t");
    html.number(entry.number as u64).raw("\"><header><a class=\"ref\" href=\"#t");
    html.number(entry.number as u64).raw("\">#").number(entry.number as u64).raw("</a> ");
    html.raw("<span class=\"status\">").raw(word).raw("</span> <span class=\"where\">");
    if named {
        html.raw("<bdi>").code(entry.thread.path.raw()).raw("</bdi> ");
    }
    html.inline(&entry.position(diff)).raw("</span>");
    flags(html, entry);
    html.raw("</header>");
    old_hunk(html, entry);
    html.raw("<div class=\"beside\">");
    talk(html, diff, entry);
    panel(html, entry);
    html.raw("</div></article>");
}

fn flags(html: &mut Html, entry: &Entry<'_>) {
    let thread = entry.thread;
    if thread.is_outdated == Some(true) && matches!(entry.place, Place::Line { .. }) {
        html.raw(" <span class=\"flag\">outdated</span>");
    }
    if thread.is_resolved == Some(true) {
        html.raw(" <span class=\"flag\">resolved on the forge");
        if let Some(by) = &thread.resolved_by {
            html.raw(" by <bdi>").inline(by.raw()).raw("</bdi>");
        }
        html.raw("</span>");
    }
    if thread.viewer_can_reply == Some(false) {
        html.raw(" <span class=\"flag\">locked</span>");
    }
    let next = entry.summary.map_or("", |it| next(it.next_actor));
    if !next.is_empty() && entry.status() == Some(Status::Unresolved) {
        html.raw(" <span class=\"next\">").raw(next).raw("</span>");
    }
}

/// The hunk a thread was written on, where the diff no longer shows its line.
fn old_hunk(html: &mut Html, entry: &Entry<'_>) {
    if matches!(entry.place, Place::Line { .. } | Place::File { .. }) {
        return;
    }
    let Some(hunk) = entry.thread.comments.iter().find_map(|it| it.diff_hunk.raw()) else {
        return;
    };
    let lines: Vec<_> = hunk.lines().collect();
    let from = lines.len().saturating_sub(OLD_LINES);
    let folded = entry.status() == Some(Status::Settled);
    html.raw("<details class=\"old\"").raw(if folded { "" } else { " open" });
    html.raw("><summary>the lines it was written on");
    if from > 0 {
        html.raw(", the last ").number(OLD_LINES as u64).raw(" of ").number(lines.len() as u64);
    }
    html.raw("</summary><pre class=\"code\">");
    for line in &lines[from..] {
        diff_line(html, line);
    }
    html.raw("</pre></details>");
}

fn talk(html: &mut Html, diff: &Diff, entry: &Entry<'_>) {
    let settled = entry.status() == Some(Status::Settled);
    html.raw("<details class=\"talk\"").raw(if settled { "" } else { " open" }).raw("><summary>");
    headline(html, entry);
    html.raw("</summary><ol>");
    let covered = entry.covered(diff);
    for (at, it) in entry.thread.comments.iter().enumerate() {
        let name = format!("c{}", at + 1);
        let cited = entry.summary.is_some_and(|it| {
            it.cites.contains(&name) || it.positions.iter().any(|it| it.cites.contains(&name))
        });
        comment(html, Some(entry.number), at, it, cited, &covered);
    }
    html.raw("</ol></details>");
}

/// `8 comments · alice, bob · 1 left out`.
fn headline(html: &mut Html, entry: &Entry<'_>) {
    let comments = &entry.thread.comments;
    match entry.thread.comments_total.filter(|it| *it > comments.len() as u64) {
        Some(total) => {
            html.number(comments.len() as u64).raw(" of ").number(total).raw(" comments");
        }
        None => _ = html.inline(&count(comments.len(), "comment")),
    }
    let mut names: Vec<&str> = Vec::new();
    for name in comments.iter().map(author) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    html.raw(" · <bdi>").inline(&names.join(", ")).raw("</bdi>");
    let noise = comments.iter().filter(|it| left_out(it)).count();
    if noise > 0 {
        html.raw(" · ").number(noise as u64).raw(" left out");
    }
}
