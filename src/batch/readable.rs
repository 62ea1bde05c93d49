//! The result as a person reads it on standard output.
//! Must not print bytes of a pull request that have not passed the text boundary.

use crate::batch::result::{TargetResult, reason};
use crate::domain::capture::Capture;
use crate::domain::text::outside::Outside;
use crate::domain::text::{Surface, display};
use crate::summary::discussion::{Discussion, NextActor, Status, ThreadSummary};
use std::fmt::Write as _;

/// All targets, one after the other.
pub fn report(results: &[TargetResult]) -> String {
    results.iter().map(one).collect::<Vec<_>>().join("\n")
}

fn one(result: &TargetResult) -> String {
    let mut text = String::new();
    line(&mut text, &title(result));
    if let Some(failure) = &result.failure {
        line(&mut text, &format!("  failed: {}", failure.cause));
        for hint in &failure.hints {
            line(&mut text, &format!("  {hint}"));
        }
    }
    for (phase, status) in &result.phases {
        let reason = reason(status).map_or_else(String::new, |it| format!(" ({it})"));
        line(&mut text, &format!("  {:<9} {}{reason}", phase.name(), status.word()));
    }
    if let Some(capture) = &result.capture {
        threads(&mut text, result);
        partial(&mut text, capture);
    }
    if let Some(discussion) = &result.discussion {
        open(&mut text, discussion);
    }
    if let Some(root) = &result.root {
        line(&mut text, &format!("  dossier in {}", root.display()));
    }
    text
}

/// The only way into the report: one line, safe to print.
fn line(text: &mut String, content: &str) {
    text.push_str(&display(content, Surface::Inline));
    text.push('\n');
}

fn title(result: &TargetResult) -> String {
    let Some(capture) = &result.capture else { return result.target.clone() };
    let Capture { repository, pull_request, .. } = capture.as_ref();
    let title = pull_request.title.as_ref().map(Outside::inline).unwrap_or_default();
    // A diff or a range has no number; the person's own name for it says more.
    let name = match pull_request.number {
        0 => result.target.clone(),
        number => format!("{repository}#{number}"),
    };
    format!("{name} {title}").trim_end().to_owned()
}

fn threads(text: &mut String, result: &TargetResult) {
    let it = result.threads();
    if result.discussion.is_none() {
        return line(text, &format!("  threads   {}, not summarised", it.total));
    }
    let mut counts = format!(
        "  threads   {}: {} unresolved, {} settled, {} noted",
        it.total, it.unresolved, it.settled, it.noted
    );
    if it.omitted > 0 {
        write!(counts, ", {} left out", it.omitted).expect("text takes all");
    }
    line(text, &counts);
}

/// Lists the export cut short.
fn partial(text: &mut String, capture: &Capture) {
    for (list, fetched, total) in capture.partial_lists() {
        line(text, &format!("  incomplete: {fetched} of {total} {list}"));
    }
}

/// The threads that still ask for something.
fn open(text: &mut String, discussion: &Discussion) {
    if let Some(note) = &discussion.omission_note {
        line(text, &format!("  {note}"));
    }
    for thread in discussion.threads.iter().filter(|it| it.status == Status::Unresolved) {
        line(text, &format!("  {}", place(thread)));
        line(text, &format!("    {}{}", thread.text.inline(), next(thread.next_actor)));
    }
}

fn place(thread: &ThreadSummary) -> String {
    let anchor = &thread.anchor;
    let number = anchor.line.or(anchor.original_line);
    let path = anchor.path.inline();
    number.map_or_else(|| path.to_string(), |it| format!("{path}:{it}"))
}

fn next(actor: NextActor) -> &'static str {
    match actor {
        NextActor::Author => " (next: author)",
        NextActor::Reviewer => " (next: reviewer)",
        NextActor::None => "",
    }
}
