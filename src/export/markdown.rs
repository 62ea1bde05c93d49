//! The dossier as Markdown, for a wiki, a mail or another tool. Must not let outside text act: raw
//! comments stand in fences longer than any inside them, everything else is escaped.

use crate::domain::text::outside::OutsideOption as _;
use crate::{
    domain::text::{Surface, display},
    export::{
        html::{
            comment::moment,
            summary::{next, status},
        },
        join::{Dossier, Entry, author, left_out},
        notices::{count, notices},
    },
    summary::discussion::{Status, ThreadSummary},
};
use std::fmt::Write as _;

/// The whole document.
pub fn document(dossier: &Dossier<'_>) -> String {
    let mut out = String::new();
    top(&mut out, dossier);
    for (wanted, title) in [
        (Some(Status::Unresolved), "Unresolved"),
        (Some(Status::Noted), "Noted"),
        (Some(Status::Settled), "Settled"),
        (None, "Without a summary"),
    ] {
        let found: Vec<_> = dossier.threads.iter().filter(|it| it.status() == wanted).collect();
        if !found.is_empty() {
            line(&mut out, format_args!("## {title} ({})\n", found.len()));
            for entry in found {
                thread(&mut out, dossier, entry);
            }
        }
    }
    top_level(&mut out, dossier);
    foot(&mut out, dossier);
    out
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    writeln!(out, "{text}").expect("writing to a String cannot fail");
}

fn top(out: &mut String, dossier: &Dossier<'_>) {
    let capture = dossier.capture;
    let title = capture.pull_request.title.raw().unwrap_or("(no title)");
    line(out, format_args!("# {}: {}\n", escape(&dossier.name()), escape(title)));
    let counts = dossier.counts();
    let files = count(dossier.diff.files.len(), "file");
    line(
        out,
        format_args!(
            "{files} · {} unresolved · {} settled · {} noted · {} without summary · {} outdated\n",
            counts.unresolved, counts.settled, counts.noted, counts.bare, counts.outdated
        ),
    );
    if let Some(url) = &capture.pull_request.url {
        line(out, format_args!("{}\n", code(url)));
    }
    if let Some(at) = &capture.captured_at {
        let head =
            capture.head_sha().map(|it| format!(" at head {}", code(it))).unwrap_or_default();
        line(out, format_args!("Captured {}{head}\n", escape(&moment(at))));
    }
    let notices = notices(dossier);
    for it in &notices {
        line(out, format_args!("- {}", escape(&it.text)));
    }
    if !notices.is_empty() {
        out.push('\n');
    }
}

fn thread(out: &mut String, dossier: &Dossier<'_>, entry: &Entry<'_>) {
    let position = entry.position(dossier.diff);
    let word = status(entry.status()).1;
    line(
        out,
        format_args!(
            "### #{} {} {position} · {word}\n",
            entry.number,
            code(entry.thread.path.raw())
        ),
    );
    if let Some(it) = entry.summary {
        summary(out, it);
    }
    line(out, format_args!("{}:\n", talk_title(entry)));
    for (at, it) in entry.thread.comments.iter().enumerate() {
        comment(out, &format!("c{}", at + 1), it);
    }
}

fn talk_title(entry: &Entry<'_>) -> String {
    let here = entry.thread.comments.len();
    match entry.thread.comments_total.filter(|it| *it > here as u64) {
        Some(total) => format!("{here} of {total} comments"),
        None => count(here, "comment"),
    }
}

fn summary(out: &mut String, it: &ThreadSummary) {
    line(out, format_args!("> {}\n", prose(it.text.raw())));
    if let Some(question) =
        it.open_question.as_ref().filter(|open| !it.text.raw().contains(open.raw()))
    {
        line(out, format_args!("Open: {}\n", prose(question.raw())));
    }
    for side in &it.positions {
        let cites = side.cites.join(" ");
        line(
            out,
            format_args!(
                "- {}: {} \\[{}\\]",
                code(side.who.raw()),
                prose(side.stance.raw()),
                escape(&cites)
            ),
        );
    }
    if !it.positions.is_empty() {
        out.push('\n');
    }
    let mut facts = vec![format!("rests on {}", escape(&it.cites.join(" ")))];
    if it.cites.is_empty() {
        facts.clear();
    }
    let next = if it.status == Status::Unresolved { next(it.next_actor) } else { "" };
    if !next.is_empty() {
        facts.push(next.to_owned());
    }
    if it.comments_omitted > 0 {
        facts.push(format!("{} not seen", count(it.comments_omitted as usize, "comment")));
    }
    facts.extend(it.checks.iter().map(|it| escape(it)));
    if !facts.is_empty() {
        line(out, format_args!("{}\n", facts.join(" · ")));
    }
}

fn comment(out: &mut String, name: &str, it: &crate::domain::capture::Comment) {
    let when = it.created_at.as_deref().map(|it| format!(" · {}", escape(&moment(it))));
    let mut flags = String::new();
    if it.is_minimized == Some(true) {
        flags.push_str(" · minimized");
    }
    if it.state.raw() == Some("PENDING") {
        flags.push_str(" · pending");
    }
    if it.last_edited_at.is_some() {
        flags.push_str(" · edited");
    }
    if left_out(it) {
        flags.push_str(" · process chatter, left out of the summary");
    }
    line(out, format_args!("**{name}** {}{}{flags}\n", code(author(it)), when.unwrap_or_default()));
    let body = display(it.body.raw().unwrap_or(""), Surface::Prose);
    let fence = "`".repeat(longest_run(&body).max(2) + 1);
    line(out, format_args!("{fence}markdown\n{}\n{fence}\n", body.trim_end()));
}

fn top_level(out: &mut String, dossier: &Dossier<'_>) {
    let all = &dossier.capture.issue_comments;
    if all.is_empty() {
        return;
    }
    line(out, format_args!("## Top-level comments ({})\n", all.len()));
    for (at, it) in all.iter().enumerate() {
        comment(out, &format!("m{}", at + 1), it);
    }
}

fn foot(out: &mut String, dossier: &Dossier<'_>) {
    let it = &dossier.discussion.provenance;
    line(out, format_args!("---\n"));
    line(
        out,
        format_args!(
            "Summaries by {}{}, {}, made {}, from discussion {}.",
            code(&it.engine),
            it.model.as_ref().map(|it| format!(" ({})", code(it))).unwrap_or_default(),
            code(&it.prompt_version),
            escape(&it.made_at),
            code(it.discussion_digest.short())
        ),
    );
}

/// One line of outside text with nothing in it that Markdown would act on.
fn escape(text: &str) -> String {
    let shown = display(text, Surface::Inline);
    let mut out = String::with_capacity(shown.len() + 8);
    for (at, c) in shown.char_indices() {
        if acts(&shown, at, c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Whether Markdown, or a forge that shows it, would act on the character at `at`: markup anywhere,
/// lists at the start, `#12` and `@name`, and the two ways an address becomes a link by itself.
fn acts(text: &str, at: usize, c: char) -> bool {
    let before = &text[..at];
    match c {
        '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '~' | '!' | '@' | '&' => true,
        '-' | '+' | '=' => before.is_empty(),
        ')' => number(before),
        '.' => number(before) || before.to_ascii_lowercase().ends_with("www"),
        ':' => text[at..].starts_with("://"),
        _ => false,
    }
}

fn number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit())
}

/// Summary text, whose only markup is the code span.
fn prose(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('`') {
        let Some((inside, after)) = after.split_once('`').filter(|it| !it.0.is_empty()) else {
            break;
        };
        out.push_str(&escape(before));
        out.push_str(&code(inside));
        rest = after;
    }
    out.push_str(&escape(rest));
    out
}

/// Outside text in a code span, whatever backticks it holds.
fn code(text: &str) -> String {
    let shown = display(text, Surface::Inline);
    let fence = "`".repeat(longest_run(&shown) + 1);
    let edge = shown.starts_with('`') || shown.ends_with('`');
    let pad = if edge || shown.trim().is_empty() { " " } else { "" };
    format!("{fence}{pad}{shown}{pad}{fence}")
}

/// The longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|it| it != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use crate::export::markdown::{code, escape, prose};

    #[test]
    fn outside_text_is_inert() {
        for (text, expected) in [
            ("plain, text.", "plain, text."),
            ("![x](http://a.example)", "\\!\\[x\\](http\\://a.example)"),
            ("- a - b", "\\- a - b"),
            ("12. a 3.5", "12\\. a 3.5"),
            ("www.a.example", "www\\.a.example"),
            ("<b>@bob #1", "\\<b\\>\\@bob \\#1"),
            ("a\nb\u{1b}", "a b␛"),
        ] {
            assert_eq!(escape(text), expected);
        }
        assert_eq!(prose("a *b* `c*` d ` e"), "a \\*b\\* `c*` d \\` e");
        for (text, expected) in
            [("a", "`a`"), ("a`b", "``a`b``"), ("`", "`` ` ``"), ("", "`  `"), ("a\nb", "`a b`")]
        {
            assert_eq!(code(text), expected);
        }
    }
}
