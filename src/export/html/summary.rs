//! What stands for a thread: status, text, cites that lead to the comments, sides, checks, origin.
//! Must not say more than the summary does.

use crate::{
    export::{html::writer::Html, join::Entry, notices::count},
    summary::discussion::{NextActor, Origin, Status, ThreadSummary},
};

/// The class, the sign and the word of a status.
pub fn status(of: Option<Status>) -> (&'static str, &'static str) {
    match of {
        Some(Status::Unresolved) => ("unresolved", "⚑ unresolved"),
        Some(Status::Settled) => ("settled", "✓ settled"),
        Some(Status::Noted) => ("noted", "○ noted"),
        None => ("bare", "· no summary"),
    }
}

/// Who has to move, in words; nothing when nobody has.
pub fn next(actor: NextActor) -> &'static str {
    match actor {
        NextActor::Author => "waits for the author",
        NextActor::Reviewer => "waits for a reviewer",
        NextActor::None => "",
    }
}

/// The panel beside a thread.
pub fn panel(html: &mut Html, entry: &Entry<'_>) {
    html.raw("<section class=\"summary\">");
    match entry.summary {
        Some(summary) => write(html, entry, summary),
        None => _ = html.raw("<p class=\"quiet\">No summary: the discussion was left out.</p>"),
    }
    html.raw("</section>");
}

fn write(html: &mut Html, entry: &Entry<'_>, it: &ThreadSummary) {
    html.raw("<p class=\"text\" dir=\"auto\">");
    spans(html, it.text.raw());
    html.raw("</p>");
    if let Some(question) =
        it.open_question.as_ref().filter(|open| !it.text.raw().contains(open.raw()))
    {
        html.raw("<p class=\"open\"><b>Open:</b> ");
        spans(html, question.raw());
        html.raw("</p>");
    }
    if !it.positions.is_empty() {
        html.raw("<ul class=\"sides\">");
        for side in &it.positions {
            html.raw("<li><bdi class=\"who\">").inline(side.who.raw()).raw("</bdi> ");
            spans(html, side.stance.raw());
            html.raw(" ");
            cites(html, entry, &side.cites);
            html.raw("</li>");
        }
        html.raw("</ul>");
    }
    if !it.cites.is_empty() {
        html.raw("<p class=\"cites\">rests on ");
        cites(html, entry, &it.cites);
        html.raw("</p>");
    }
    checks(html, it);
    foot(html, it);
}

/// Summary text, whose only markup is the code span.
pub fn spans(html: &mut Html, text: &str) {
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('`') {
        let Some((code, after)) = after.split_once('`') else { break };
        html.prose(before).raw("<code>").prose(code).raw("</code>");
        rest = after;
    }
    html.prose(rest);
}

/// Links to the cited comments. A cite that names none is shown as it is.
pub fn cites(html: &mut Html, entry: &Entry<'_>, cites: &[String]) {
    for cite in cites {
        let number = cite.strip_prefix('c').and_then(|it| it.parse::<usize>().ok());
        match number.filter(|it| (1..=entry.thread.comments.len()).contains(it)) {
            Some(number) => {
                html.raw("<a class=\"cite\" href=\"#t").number(entry.number as u64).raw("-c");
                html.number(number as u64).raw("\">c").number(number as u64).raw("</a> ");
            }
            None => {
                html.raw("<span class=\"cite\">").inline(cite).raw("</span> ");
            }
        }
    }
}

fn checks(html: &mut Html, it: &ThreadSummary) {
    if it.checks.is_empty() {
        return;
    }
    html.raw("<ul class=\"checks\">");
    for check in &it.checks {
        html.raw("<li>").inline(check).raw("</li>");
    }
    html.raw("</ul>");
}

fn foot(html: &mut Html, it: &ThreadSummary) {
    html.raw("<p class=\"foot\">");
    html.raw(match it.origin {
        Origin::Model => "by a model",
        Origin::Extractive => "extracted, no model",
        Origin::Person => "written by a person",
    });
    html.raw(if it.carried { " · carried over" } else { "" });
    html.raw(" · from ").inline(&count(it.comments_total as usize, "comment"));
    if it.comments_omitted > 0 {
        html.raw(", ").number(it.comments_omitted).raw(" of them not seen");
    }
    html.raw(" · ").inline(it.source_digest.short()).raw("</p>");
}
