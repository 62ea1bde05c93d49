//! `final/discussion.md`, from the discussion summary alone. Must not see a capture: approval
//! state, chatter and bookkeeping cannot reach the text because they are not in its input.

use crate::domain::text::outside::Outside;
use crate::domain::text::outside::OutsideOption as _;
use crate::summary::{
    discussion::{Anchor, Discussion, NextActor, Omitted, Status, ThreadSummary},
    markdown::{code, prose},
};
use std::fmt::Write as _;

/// The Markdown of a discussion: what is open first, by file.
pub fn markdown(discussion: &Discussion) -> String {
    let mut out = String::from("# Discussion\n\n");
    if let Some(note) = &discussion.omission_note {
        line(&mut out, &format!("> {}\n", prose(note)));
    }
    if discussion.pinned {
        return out;
    }
    line(&mut out, &tally(discussion));
    let groups = [
        (Status::Unresolved, "Unresolved"),
        (Status::Settled, "Settled"),
        (Status::Noted, "Noted"),
    ];
    for (status, title) in groups {
        group(&mut out, title, discussion.threads.iter().filter(|it| it.status == status));
    }
    top_level(&mut out, discussion);
    left_out(&mut out, discussion.omitted);
    out
}

fn line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}

fn tally(discussion: &Discussion) -> String {
    let count = |status| discussion.threads.iter().filter(|it| it.status == status).count();
    format!(
        "{}: {} unresolved, {} settled, {} noted. {}.\n",
        plural(discussion.threads.len() as u64, "thread"),
        count(Status::Unresolved),
        count(Status::Settled),
        count(Status::Noted),
        plural(discussion.comments.len() as u64, "top-level comment"),
    )
}

fn plural(n: u64, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

/// One status: its threads by file, files by name, threads in capture order.
fn group<'a>(out: &mut String, title: &str, threads: impl Iterator<Item = &'a ThreadSummary>) {
    let mut threads: Vec<&ThreadSummary> = threads.collect();
    if threads.is_empty() {
        return;
    }
    threads.sort_by(|a, b| a.anchor.path.cmp(&b.anchor.path));
    line(out, &format!("## {title} ({})\n", threads.len()));
    let mut file: Option<&Outside> = None;
    for thread in threads {
        if file != Some(&thread.anchor.path) {
            file = Some(&thread.anchor.path);
            line(out, &format!("### {}\n", code(thread.anchor.path.raw())));
        }
        entry(out, thread);
    }
}

fn entry(out: &mut String, it: &ThreadSummary) {
    let next = match it.next_actor {
        NextActor::Author => " · next: author",
        NextActor::Reviewer => " · next: reviewer",
        NextActor::None => "",
    };
    line(out, &format!("- **{}**{next}  ", place(&it.anchor)));
    line(out, &format!("  {}  ", prose(it.text.raw())));
    for position in &it.positions {
        let who = prose(position.who.raw());
        let cites = position.cites.join(", ");
        line(out, &format!("  - {who}: {} ({cites})", prose(position.stance.raw())));
    }
    let rests = it.comments_total.saturating_sub(it.comments_omitted);
    let mut foot = format!("  *Rests on {}", plural(rests, "comment"));
    if !it.cites.is_empty() {
        let _ = write!(foot, "; see {}", it.cites.join(", "));
    }
    foot.push('*');
    if !it.checks.is_empty() {
        let checks: Vec<String> = it.checks.iter().map(|it| code(it)).collect();
        let _ = write!(foot, " · check: {}", checks.join(", "));
    }
    // A nested list would swallow the line; a paragraph of its own does not.
    if !it.positions.is_empty() {
        out.push('\n');
    }
    line(out, &foot);
    out.push('\n');
}

/// Where a thread stands, in words.
pub fn place(anchor: &Anchor) -> String {
    let old = if anchor.side.as_deref() == Some("LEFT") { " (before the change)" } else { "" };
    if anchor.subject_type.as_deref() == Some("file") {
        return "The whole file".into();
    }
    match (anchor.line, anchor.original_line) {
        (Some(line), _) => format!("{}{old}", lines(anchor.start_line, line)),
        (None, Some(line)) => {
            format!("{}{old}, outdated", lines(anchor.original_start_line, line))
        }
        (None, None) => "Position unknown".into(),
    }
}

fn lines(start: Option<u64>, end: u64) -> String {
    match start.filter(|it| *it < end) {
        Some(start) => format!("Lines {start}–{end}"),
        None => format!("Line {end}"),
    }
}

fn top_level(out: &mut String, discussion: &Discussion) {
    if discussion.comments.is_empty() {
        return;
    }
    line(out, "## Top-level comments\n");
    for it in &discussion.comments {
        let who = it.author.raw().unwrap_or("ghost");
        let bot = if it.kind == "bot" { " (bot)" } else { "" };
        line(
            out,
            &format!("- **{}**{bot}: {} *({})*", prose(who), prose(it.text.raw()), it.reference),
        );
    }
    out.push('\n');
}

/// What a reader of this page does not see, in numbers.
fn left_out(out: &mut String, omitted: Omitted) {
    let parts = [
        (omitted.noise_comments, "process comment of bots", "process comments of bots"),
        (omitted.own_comments, "comment of our own", "comments of our own"),
        (omitted.comments_omitted, "comment", "comments"),
        (omitted.threads_omitted, "thread not read by the model", "threads not read by the model"),
        (omitted.chars_omitted, "character", "characters"),
    ];
    let said = parts.iter().filter(|it| it.0 > 0);
    let said: Vec<String> =
        said.map(|(n, one, many)| format!("{n} {}", if *n == 1 { one } else { many })).collect();
    if !said.is_empty() {
        line(out, &format!("Left out: {}.", said.join(", ")));
    }
}
