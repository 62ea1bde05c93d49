//! The rows of a thread in the diff. Must not wrap: the block was laid out for the pane.

use crate::{
    app::{
        desk::Desk,
        facts,
        layout::block::{HALF_INDENT, INDENT, REPLY, Talk},
        needle::Needle,
        prose::{self, Run},
    },
    domain::{anchor::Place, capture::Comment},
    summary::discussion::Status,
    view::{
        code, file,
        line::Tone,
        paint::{Pen, count},
        words,
    },
};

/// Draws a line of a thread onto a pen, from where the pen stands.
pub fn draw(pen: &mut Pen, desk: &Desk, (thread, line): (u32, u16), half: bool, now: i64) {
    let Some(talk) = desk.reader.layout.block(thread).and_then(|it| it.lines.get(line as usize))
    else {
        return;
    };
    let indent = if half { HALF_INDENT } else { INDENT };
    pen.write(&" ".repeat(indent - 2), Tone::Text);
    let (_, tone) = words::mark(&desk.facts[thread as usize]);
    let bar = if matches!(talk, Talk::Old { .. }) { "┊ " } else { "┃ " };
    pen.write(bar, tone);
    if talk.comment().is_some_and(|it| it > 0) {
        pen.write(&" ".repeat(REPLY), Tone::Text);
    }
    let comments = &desk.review.capture.review_threads[thread as usize].comments;
    match talk {
        Talk::Folded => folded(pen, desk, thread),
        Talk::Head { comment } => {
            let it = &comments[*comment as usize];
            head(pen, desk, (thread, *comment), it, now);
        }
        Talk::Minimized { comment } => {
            let reason = facts::reason(&comments[*comment as usize]);
            pen.write(&format!("hidden as {} – Enter shows", words::inline(&reason)), Tone::Muted);
        }
        Talk::Words { line, .. } => spoken(pen, line, &desk.search.needle),
        Talk::Old { line } => words::runs(pen, &line.runs),
        Talk::Missing { count: number } => {
            let text = format!(
                "{} more in the forge, not in this capture",
                count(*number as usize, "comment")
            );
            pen.write(&text, Tone::Warning);
        }
    }
}

/// Draws a line of what was said on the whole pull request.
pub fn said(pen: &mut Pen, desk: &Desk, (entry, line): (u16, u16), now: i64) {
    let block = desk.reader.layout.said(entry);
    let Some(talk) = block.and_then(|it| it.lines.get(usize::from(line))) else { return };
    let comment = &desk.said[usize::from(entry)];
    pen.write(&" ".repeat(INDENT - 2), Tone::Text);
    pen.write("┃ ", Tone::ThreadBar);
    match talk {
        Talk::Head { .. } => {
            speaker(pen, comment, now);
            words::about(pen, comment, desk.news.of(comment));
            let review = comment.state.as_ref().filter(|it| !it.is_empty());
            if let Some(state) = review {
                let state = state.inline().to_lowercase().replace('_', " ");
                pen.write(&format!(" · review, {state}"), Tone::Muted);
            }
        }
        Talk::Words { line, .. } => spoken(pen, line, &desk.search.needle),
        _ => {
            let why = comment.minimized_reason.is_some() || comment.is_minimized == Some(true);
            let why = if why { facts::reason(comment) } else { "process chatter".to_owned() };
            pen.write(&format!("hidden as {} – Enter shows", words::inline(&why)), Tone::Muted);
        }
    }
}

/// A whole thread in one line.
fn folded(pen: &mut Pen, desk: &Desk, thread: u32) {
    let fact = &desk.facts[thread as usize];
    let raw = &desk.review.capture.review_threads[thread as usize];
    let (mark, tone) = words::mark(fact);
    pen.write(mark, tone);
    pen.write(" ", Tone::Text);
    if let Some(reason) = &fact.minimized {
        let reason = words::inline(reason);
        pen.write(&format!("hidden as {reason} – Enter shows"), Tone::Muted);
    } else {
        let who = raw.comments.first().map_or(("nobody".to_owned(), Tone::Muted), words::author);
        pen.write(&who.0, who.1);
        if let Some(fresh) = fact.fresh {
            words::fresh(pen, fresh);
        }
        tags(pen, desk, thread);
    }
    let total = raw.comments_total.unwrap_or(0).max(raw.comments.len() as u64);
    pen.write(&format!(" · {}", count(total as usize, "comment")), Tone::Muted);
    if fact.minimized.is_none() {
        pen.write(" · ", Tone::Muted);
        pen.write(&gist(desk, thread), Tone::Muted);
    }
}

/// The summary's words, or the first words that were said.
pub fn gist(desk: &Desk, thread: u32) -> String {
    if let Some(summary) = desk.summary_of(thread).filter(|it| !it.text.is_empty()) {
        // The mark says the status already, unless the two disagree.
        let (open, prefix) = match summary.status {
            Status::Unresolved => (true, "Unresolved: "),
            Status::Settled => (false, "Settled: "),
            Status::Noted => (false, "Noted: "),
        };
        let agree = open == desk.facts[thread as usize].is_open();
        let text = summary.text.inline();
        return text.strip_prefix(prefix).filter(|_| agree).unwrap_or(&text).to_owned();
    }
    let raw = &desk.review.capture.review_threads[thread as usize];
    raw.comments.first().map(words::first_words).unwrap_or_default()
}

/// `author · age`, as every heading of a comment begins.
fn speaker(pen: &mut Pen, comment: &Comment, now: i64) {
    let (name, tone) = words::author(comment);
    pen.write(&name, tone);
    pen.write(words::bot_tag(comment), Tone::Bot);
    let age = words::when(comment, now);
    if !age.is_empty() {
        pen.write(&format!(" · {age}"), Tone::Muted);
    }
}

/// `author · age · tags`, the ref at the right edge.
fn head(pen: &mut Pen, desk: &Desk, (thread, number): (u32, u16), comment: &Comment, now: i64) {
    if number == 0 {
        let (mark, tone) = words::mark(&desk.facts[thread as usize]);
        pen.write(mark, tone);
        pen.write(" ", Tone::Text);
    }
    speaker(pen, comment, now);
    words::about(pen, comment, desk.news.of(comment));
    if number == 0 {
        tags(pen, desk, thread);
    }
    let label = format!("c{} ", number + 1);
    if pen.room() > label.len() + 2 {
        let column = pen.used() + pen.room() - label.len();
        pen.pad_to(column, Tone::Text);
        pen.write(&label, Tone::Muted);
    }
}

/// What is special about a thread, in words.
fn tags(pen: &mut Pen, desk: &Desk, thread: u32) {
    let fact = &desk.facts[thread as usize];
    let raw = &desk.review.capture.review_threads[thread as usize];
    if raw.is_resolved == Some(true) {
        let by = raw.resolved_by.as_ref().map(|it| format!(" by {}", it.inline()));
        pen.write(&format!(" · resolved{}", by.unwrap_or_default()), Tone::Settled);
    } else if !fact.is_open() {
        pen.write(" · settled", Tone::Settled);
    }
    let place = &desk.review.placement.places[thread as usize];
    if fact.outdated {
        pen.write(" · outdated", Tone::Outdated);
    }
    if fact.side_guessed {
        pen.write(" · side?", Tone::Warning);
    }
    if let Some(reason) = file::absence(place) {
        pen.write(&format!(" · {reason}"), Tone::Warning);
        pen.write(&format!(" · {}", words::anchor(raw)), Tone::Muted);
    } else if !matches!(place, Place::Line { .. }) && raw.original_line.is_some() {
        pen.write(&format!(" · {}", short_anchor(raw.original_line)), Tone::Muted);
    }
    if raw.viewer_can_reply == Some(false) {
        pen.write(" · locked: no replies", Tone::Muted);
    }
}

fn short_anchor(line: Option<u64>) -> String {
    line.map_or_else(String::new, |it| format!("was line {it}"))
}

/// Words of a comment, with search hits marked.
pub fn spoken(pen: &mut Pen, line: &prose::Line, needle: &Needle) {
    for run in &line.runs {
        marked(pen, run, needle);
    }
}

fn marked(pen: &mut Pen, run: &Run, needle: &Needle) {
    let tone = words::prose(run.mark);
    let mut at = 0;
    for hit in code::hits(needle, &run.text, &(0..run.text.len())) {
        pen.write(&run.text[at..hit.start], tone);
        pen.write(&run.text[hit.clone()], Tone::Match);
        at = hit.end;
    }
    pen.write(&run.text[at..], tone);
}
