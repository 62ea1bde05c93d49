//! One comment, whole: who, when, in what state, and what it says. Must not leave any out.

use crate::domain::text::outside::OutsideOption as _;
use crate::{
    domain::{actor::Actor, capture::Comment},
    export::{
        html::{
            prose::{Covered, markdown},
            writer::Html,
        },
        join::{actor, author, left_out},
    },
};

/// Writes a list item whose id is `t3-c2` (or `m2`), so that cites can lead to it.
pub fn comment(
    html: &mut Html,
    thread: Option<usize>,
    at: usize,
    it: &Comment,
    cited: bool,
    covered: &Covered<'_>,
) {
    html.raw("<li id=\"");
    reference(html, thread, at);
    html.raw("\" class=\"comment");
    html.raw(if cited { " cited" } else { "" });
    html.raw(if left_out(it) { " noise" } else { "" });
    html.raw("\"><div class=\"by\"><a href=\"#");
    reference(html, thread, at);
    html.raw("\">").raw(if thread.is_some() { "c" } else { "m" }).number(at as u64 + 1);
    html.raw("</a> <bdi class=\"who\">").inline(author(it)).raw("</bdi>");
    flags(html, it);
    if let Some(when) = &it.created_at {
        html.raw(" <time>").inline(&moment(when)).raw("</time>");
    }
    if let Some(url) = &it.url
        && html.open_link(url)
    {
        html.raw("<span class=\"sr\">on the forge</span> ↗</a>");
    }
    html.raw("</div>");
    body(html, it, covered);
    html.raw("</li>");
}

/// `t3-c2` or `m2`, the name a cite leads to.
pub fn reference(html: &mut Html, thread: Option<usize>, at: usize) {
    match thread {
        Some(thread) => html.raw("t").number(thread as u64).raw("-c"),
        None => html.raw("m"),
    };
    html.number(at as u64 + 1);
}

fn flags(html: &mut Html, it: &Comment) {
    match actor(it) {
        Actor::Bot => html.raw(" <span class=\"flag\">bot</span>"),
        Actor::Ghost => html.raw(" <span class=\"flag\">deleted account</span>"),
        Actor::Human | Actor::Own => html,
    };
    if it.state.raw() == Some("PENDING") {
        html.raw(" <span class=\"flag\">pending, only its author sees it</span>");
    }
    if it.last_edited_at.is_some() {
        html.raw(" <span class=\"flag\">edited</span>");
    }
    if left_out(it) {
        html.raw(" <span class=\"flag\">process chatter, left out of the summary</span>");
    }
}

fn body(html: &mut Html, it: &Comment, covered: &Covered<'_>) {
    let body = it.body.raw().unwrap_or("");
    let minimized = it.is_minimized == Some(true);
    if minimized {
        html.raw("<details><summary>hidden as ");
        html.inline(it.minimized_reason.raw().unwrap_or("minimized"));
        html.raw("</summary>");
    }
    html.raw("<div class=\"body\" dir=\"auto\">");
    if body.trim().is_empty() {
        html.raw("<p class=\"quiet\">(empty)</p>");
    } else {
        markdown(html, body, covered);
    }
    html.raw("</div>");
    if minimized {
        html.raw("</details>");
    }
}

/// `2026-03-05T09:20:00Z` as `2026-03-05 09:20`; anything else as it is.
pub fn moment(text: &str) -> String {
    match text.get(..16).filter(|it| it.as_bytes()[10] == b'T' && it.is_ascii()) {
        Some(minute) => minute.replace('T', " "),
        None => text.to_owned(),
    }
}
