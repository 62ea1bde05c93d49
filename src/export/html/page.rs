//! The page around the threads: what is reviewed, what to know first, what is open, the files, the
//! rest, and where it came from. Must not refer to anything outside itself.

use crate::domain::text::outside::OutsideOption as _;
use crate::{
    export::{
        excerpt::whole,
        html::{
            card::card,
            comment::{comment, moment},
            file::{file, tally, title},
            prose::markdown,
            summary::{next, spans, status},
            writer::Html,
        },
        join::{Dossier, left_out},
        notices::{Weight, count, notices},
    },
    summary::discussion::Status,
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use sha2::{Digest as _, Sha256};

const STYLE: &str = include_str!("../../../assets/export/dossier.css");

/// The whole page.
pub fn page(dossier: &Dossier<'_>) -> String {
    let mut html = Html::default();
    head(&mut html, dossier);
    masthead(&mut html, dossier);
    html.raw("<main>");
    told(&mut html, dossier);
    description(&mut html, dossier);
    overview(&mut html, dossier);
    contents(&mut html, dossier);
    let whole = whole(dossier);
    for at in 0..dossier.diff.files.len() {
        if whole || !dossier.by_file[at].is_empty() {
            file(&mut html, dossier, at, whole);
        }
    }
    elsewhere(&mut html, dossier);
    top_level(&mut html, dossier);
    html.raw("</main>");
    provenance(&mut html, dossier);
    html.raw("</body></html>\n");
    html.finish()
}

/// Nothing may be loaded, sent or run; the one style sheet is allowed by its digest.
fn head(html: &mut Html, dossier: &Dossier<'_>) {
    let digest = STANDARD.encode(Sha256::digest(STYLE.as_bytes()));
    html.raw("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">");
    html.raw("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-");
    html.attribute(&digest).raw("'; base-uri 'none'; form-action 'none'\">");
    html.raw("<meta name=\"referrer\" content=\"no-referrer\">");
    html.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">");
    html.raw("<meta name=\"color-scheme\" content=\"light dark\"><title>");
    html.inline(&dossier.name()).raw(" · ").inline(subject(dossier));
    html.raw("</title><style>").raw(STYLE).raw("</style></head><body>");
}

fn subject<'a>(dossier: &Dossier<'a>) -> &'a str {
    dossier.capture.pull_request.title.raw().unwrap_or("(no title)")
}

fn masthead(html: &mut Html, dossier: &Dossier<'_>) {
    let it = &dossier.capture.pull_request;
    html.raw("<header class=\"top\"><p class=\"repo\"><bdi>").inline(&dossier.capture.repository);
    html.raw("</bdi> ");
    let linked = it.url.as_ref().is_some_and(|it| html.open_link(it));
    html.raw("#").number(it.number).raw(if linked { "</a>" } else { "" });
    html.raw("</p><h1 dir=\"auto\">").inline(subject(dossier)).raw("</h1><p class=\"meta\">");
    if let Some(state) = &it.state {
        html.raw("<span class=\"state\">").inline(state.raw()).raw("</span> ");
    }
    html.raw(if it.draft == Some(true) { "<span class=\"state\">draft</span> " } else { "" });
    html.raw(if it.locked == Some(true) { "<span class=\"state\">locked</span> " } else { "" });
    if let Some(author) = &it.author {
        html.raw("by <bdi class=\"who\">").inline(author.raw()).raw("</bdi> ");
    }
    let base = it.base.as_ref().and_then(|it| it.name.raw()).unwrap_or("?");
    let head = it.head.as_ref().and_then(|it| it.name.raw()).unwrap_or("?");
    html.raw("<code>").inline(base).raw("</code> ← <code>").inline(head).raw("</code>");
    if let Some(sha) = dossier.capture.head_sha() {
        html.raw(" <code>").inline(sha.get(..7).unwrap_or(sha)).raw("</code>");
    }
    if let Some(at) = &dossier.capture.captured_at {
        html.raw(" · captured <time>").inline(&moment(at)).raw("</time>");
    }
    html.raw("</p>");
    numbers(html, dossier);
    html.raw("</header>");
}

fn numbers(html: &mut Html, dossier: &Dossier<'_>) {
    let counts = dossier.counts();
    html.raw("<ul class=\"numbers\">");
    for (class, number, word) in [
        ("unresolved", counts.unresolved, "⚑ unresolved"),
        ("settled", counts.settled, "✓ settled"),
        ("noted", counts.noted, "○ noted"),
        ("bare", counts.bare, "· without summary"),
        ("", counts.outdated, "◌ outdated"),
    ] {
        if number > 0 || class == "unresolved" {
            html.raw("<li class=\"")
                .raw(class)
                .raw("\"><b>")
                .number(number as u64)
                .raw("</b> ")
                .raw(word)
                .raw("</li>");
        }
    }
    let files = &dossier.diff.files;
    html.raw("<li><b>").number(files.len() as u64).raw("</b> files <span class=\"plus\">+");
    html.number(files.iter().map(|it| u64::from(it.additions)).sum::<u64>());
    html.raw("</span> <span class=\"minus\">−");
    html.number(files.iter().map(|it| u64::from(it.deletions)).sum::<u64>())
        .raw("</span></li></ul>");
}

fn told(html: &mut Html, dossier: &Dossier<'_>) {
    let notices = notices(dossier);
    if notices.is_empty() {
        return;
    }
    html.raw("<section class=\"notices\"><h2>Know first</h2><ul>");
    for it in &notices {
        let warning = it.weight == Weight::Warning;
        html.raw(if warning { "<li class=\"warn\">" } else { "<li>" })
            .inline(&it.text)
            .raw("</li>");
    }
    html.raw("</ul></section>");
}

fn description(html: &mut Html, dossier: &Dossier<'_>) {
    let Some(body) =
        dossier.capture.pull_request.body.as_ref().filter(|it| !it.raw().trim().is_empty())
    else {
        return;
    };
    html.raw(
        "<details class=\"about\"><summary>Description</summary><div class=\"body\" dir=\"auto\">",
    );
    markdown(html, body.raw(), &None);
    html.raw("</div></details>");
}

/// All threads in a line each, what is open first.
fn overview(html: &mut Html, dossier: &Dossier<'_>) {
    if dossier.threads.is_empty() {
        html.raw("<p class=\"quiet\">There are no review threads.</p>");
        return;
    }
    for (wanted, open) in [
        (Some(Status::Unresolved), true),
        (Some(Status::Noted), false),
        (Some(Status::Settled), false),
        (None, true),
    ] {
        let found: Vec<_> = dossier.threads.iter().filter(|it| it.status() == wanted).collect();
        if found.is_empty() {
            continue;
        }
        let (class, word) = status(wanted);
        html.raw("<details class=\"overview ").raw(class).raw("\"").raw(if open {
            " open"
        } else {
            ""
        });
        html.raw("><summary><h2>")
            .raw(word)
            .raw(" <b>")
            .number(found.len() as u64)
            .raw("</b></h2></summary><ul>");
        for entry in found {
            html.raw("<li><a href=\"#t").number(entry.number as u64).raw("\"><bdi class=\"path\">");
            html.code(entry.thread.path.raw())
                .raw("</bdi> ")
                .inline(&entry.position(dossier.diff))
                .raw("</a> ");
            if let Some(it) = entry.summary {
                html.raw("<span class=\"text\" dir=\"auto\">");
                spans(html, without_status(it.text.raw()));
                html.raw("</span>");
                let next = if it.status == Status::Unresolved { next(it.next_actor) } else { "" };
                if !next.is_empty() {
                    html.raw(" <span class=\"next\">").raw(next).raw("</span>");
                }
            }
            html.raw("</li>");
        }
        html.raw("</ul></details>");
    }
}

/// The text without its first word, which the list's own heading says.
fn without_status(text: &str) -> &str {
    let cut = ["Unresolved:", "Settled:", "Noted:"].iter().find_map(|it| text.strip_prefix(it));
    cut.unwrap_or(text).trim_start()
}

/// All files; those this document does not show say so.
fn contents(html: &mut Html, dossier: &Dossier<'_>) {
    if dossier.diff.files.is_empty() {
        return;
    }
    let whole = whole(dossier);
    let shown = |at: usize| whole || !dossier.by_file[at].is_empty();
    let (here, away): (Vec<_>, Vec<_>) = (0..dossier.diff.files.len()).partition(|it| shown(*it));
    html.raw("<nav><h2>Files</h2><ul>");
    for at in here {
        html.raw("<li><a href=\"#f").number(at as u64 + 1).raw("\">");
        title(html, &dossier.diff.files[at]);
        html.raw("</a>");
        tally(html, &dossier.threads_of(at));
        html.raw("</li>");
    }
    html.raw("</ul>");
    if !away.is_empty() {
        html.raw("<details><summary>").inline(&count(away.len(), "more file"));
        html.raw(" without threads, whose lines are not in this document</summary><ul>");
        for at in away {
            html.raw("<li>");
            title(html, &dossier.diff.files[at]);
            html.raw("</li>");
        }
        html.raw("</ul></details>");
    }
    html.raw("</nav>");
}

fn elsewhere(html: &mut Html, dossier: &Dossier<'_>) {
    if dossier.elsewhere.is_empty() {
        return;
    }
    html.raw("<section class=\"elsewhere\"><h2>Not in this diff <b>");
    html.number(dossier.elsewhere.len() as u64).raw("</b></h2>");
    for at in &dossier.elsewhere {
        card(html, dossier.diff, &dossier.threads[*at], true);
    }
    html.raw("</section>");
}

/// Top-level comments: those the summary kept, then the chatter it left out, folded.
fn top_level(html: &mut Html, dossier: &Dossier<'_>) {
    let all = &dossier.capture.issue_comments;
    if all.is_empty() {
        return;
    }
    let (noise, kept): (Vec<_>, Vec<_>) = all.iter().enumerate().partition(|it| left_out(it.1));
    html.raw("<section class=\"general\"><h2>Top-level comments <b>");
    html.number(kept.len() as u64).raw("</b></h2><ol>");
    for (at, it) in kept {
        comment(html, None, at, it, dossier.top_level(at).is_some(), &None);
    }
    html.raw("</ol>");
    if !noise.is_empty() {
        html.raw("<details><summary>").inline(&count(noise.len(), "comment"));
        html.raw(" of process chatter, left out of the summary</summary><ol>");
        for (at, it) in noise {
            comment(html, None, at, it, false, &None);
        }
        html.raw("</ol></details>");
    }
    html.raw("</section>");
}

fn provenance(html: &mut Html, dossier: &Dossier<'_>) {
    let it = &dossier.discussion.provenance;
    html.raw("<footer><h2>Where this came from</h2><dl>");
    for (name, value) in [
        ("engine", it.engine.as_str()),
        ("model", it.model.as_deref().unwrap_or("none")),
        ("prompt", it.prompt_version.as_str()),
        ("made at", it.made_at.as_str()),
        ("capture", it.capture_digest.as_str()),
        ("discussion", it.discussion_digest.as_str()),
        ("projection", it.projection_digest.as_str()),
    ] {
        html.raw("<dt>").raw(name).raw("</dt><dd>").inline(value).raw("</dd>");
    }
    let usage = &it.usage;
    html.raw("<dt>calls</dt><dd>").number(usage.calls).raw(" (").number(usage.input_tokens);
    html.raw(" tokens in, ").number(usage.output_tokens).raw(" out)</dd></dl>");
    html.raw("<p>Written by casefile. Approval state is left out on purpose: it says nothing about what was decided.</p></footer>");
}
