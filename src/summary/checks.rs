//! Checks a reader sees beside a summary: contradictions and gaps that code can find. Must not
//! change a summary and must not judge its style.

use crate::domain::text::outside::Outside;
use crate::{
    domain::{
        actor::{Actor, Identity},
        capture::Thread,
    },
    summary::{
        discussion::{Origin, Status, ThreadSummary},
        source,
        talk::Talk,
        terms,
    },
};

/// The checks of one entry, in a fixed order. Those an engine's reply left on it (`degraded: …`,
/// `not-sent`, `stale: …`) stay.
pub fn of(entry: &ThreadSummary, talk: &Talk<'_>) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    if mismatch(entry.status, talk.thread.is_resolved) {
        out.push("status-mismatch".into());
    }
    if leaves_a_question(entry, talk) {
        out.push("uncited-question".into());
    }
    if let Some(name) = unknown_identifier(entry, talk.thread) {
        out.push(format!("unknown-identifier: {name}"));
    }
    if entry.origin == Origin::Person {
        out.push("person-edited".into());
    }
    if talk.turns.is_empty() {
        out.push("not-sent".into());
    }
    let brought =
        |it: &&String| ["degraded", "not-sent", "stale"].iter().any(|p| it.starts_with(p));
    for check in entry.checks.iter().filter(brought) {
        if !out.contains(check) {
            out.push(check.clone());
        }
    }
    out
}

/// `stale: n new comments` when an entry rests on another state of its thread, for whoever shows
/// an older summary beside a newer capture.
pub fn staleness(entry: &ThreadSummary, thread: &Thread, us: &Identity) -> Option<String> {
    let changed = entry.source_digest != source::source_digest(thread, us);
    changed.then(|| stale(entry.comments_total, thread))
}

/// The check's text, for a thread that held `before` comments.
pub fn stale(before: u64, thread: &Thread) -> String {
    match source::total(thread).saturating_sub(before) {
        0 => "stale: words or state changed".to_owned(),
        new => format!("stale: {new} new comments"),
    }
}

fn mismatch(status: Status, resolved: Option<bool>) -> bool {
    matches!((status, resolved), (Status::Settled, Some(false)) | (Status::Unresolved, Some(true)))
}

/// A person asked, nobody else spoke after, and the summary does not stand on that comment; or it
/// says settled all the same.
fn leaves_a_question(entry: &ThreadSummary, talk: &Talk<'_>) -> bool {
    let turns = &talk.turns;
    turns.iter().enumerate().any(|(at, turn)| {
        let asks = turn.actor != Actor::Bot && turn.spoken.sentences.iter().any(|it| it.question);
        let silent = turns[at + 1..].iter().all(|it| it.who() == turn.who());
        let cited = entry.cites.contains(&turn.cite());
        let settled = entry.status == Status::Settled && at > 0;
        let decides = entry.cites.first() == Some(&turn.cite()) && entry.decision.is_some();
        asks && silent && !decides && (settled || !cited)
    })
}

/// The first name, path, number or address in the text that occurs nowhere in the thread.
fn unknown_identifier(entry: &ThreadSummary, thread: &Thread) -> Option<String> {
    let said = haystack(thread);
    let decision = entry.decision.iter().map(Outside::raw);
    let texts = std::iter::once(entry.text.raw()).chain(decision);
    let mut names = texts.flat_map(terms::identifiers);
    names.find(|it| {
        let it = it.to_lowercase();
        !is_cite(&it) && it.split('…').any(|it| it.len() > 1 && !said.contains(it))
    })
}

fn is_cite(name: &str) -> bool {
    name.strip_prefix('c')
        .is_some_and(|it| !it.is_empty() && it.bytes().all(|b| b.is_ascii_digit()))
}

/// Everything of a thread a name may come from, in lower case, as it would be shown.
fn haystack(thread: &Thread) -> String {
    let mut out = thread.path.inline().to_lowercase();
    for comment in &thread.comments {
        let parts = [&comment.body, &comment.author, &comment.diff_hunk];
        for part in parts.into_iter().flatten() {
            out.push(' ');
            out.push_str(&part.inline().to_lowercase().replace('`', "'"));
            out.push_str(&part.raw().to_lowercase());
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use crate::{
        domain::{actor::Identity, capture::Thread},
        summary::{
            checks::{of, staleness},
            discussion::{Origin, Status, ThreadSummary},
            extract::extract,
            fixture::{capture, said, thread},
            talk,
        },
    };

    fn checked(thread: &Thread, change: impl Fn(&mut ThreadSummary)) -> Vec<String> {
        let us = Identity::default();
        let capture = capture(vec![thread.clone()]);
        let mut it = extract(&capture, &us).remove(0);
        change(&mut it);
        of(&it, &talk::read(thread, Some("author"), &us))
    }

    fn done() -> Thread {
        thread("T", &[("ann", "Please rename `foo` in src/a.rs."), ("author", "Done.")])
    }

    #[test]
    fn a_clean_summary_has_no_checks() {
        assert_eq!(checked(&done(), |_| {}), [""; 0]);
    }

    #[test]
    fn contradictions_with_the_forge_are_named() {
        let mut it = done();
        it.is_resolved = Some(false);
        assert_eq!(checked(&it, |_| {}), ["status-mismatch"]);
        it.is_resolved = Some(true);
        assert_eq!(checked(&it, |it| it.status = Status::Unresolved), ["status-mismatch"]);
    }

    #[test]
    fn invented_names_are_named() {
        let invent = |text: &'static str| checked(&done(), move |it| it.text = text.into());
        assert_eq!(invent("Settled: Decided to rename `bar`."), ["unknown-identifier: bar"]);
        assert_eq!(invent("Settled: Decided in src/b.rs."), ["unknown-identifier: src/b.rs"]);
        assert_eq!(invent("Settled: Decided to rename `foo` (c2) in src/a.rs."), [""; 0]);
    }

    #[test]
    fn a_question_after_the_decision_is_named() {
        let mut it = done();
        it.is_resolved = Some(true);
        it.comments.push(said(2, "bob", "Does this hold for empty input?"));
        assert_eq!(checked(&it, |_| {}), ["uncited-question"]);
    }

    #[test]
    fn what_was_not_read_and_what_a_person_wrote_is_named() {
        let noise = thread("T", &[("codecov[bot]", "91 %")]);
        assert_eq!(checked(&noise, |_| {}), ["not-sent"]);
        assert_eq!(checked(&done(), |it| it.origin = Origin::Person), ["person-edited"]);
        let kept = checked(&done(), |it| it.checks = vec!["degraded: no answer".into()]);
        assert_eq!(kept, ["degraded: no answer"]);
    }

    #[test]
    fn an_older_summary_beside_a_newer_thread_is_stale() {
        let us = Identity::default();
        let mut thread = done();
        let it = extract(&capture(vec![thread.clone()]), &us).remove(0);
        assert_eq!(staleness(&it, &thread, &us), None);
        thread.line = Some(99); // positions move with every push
        assert_eq!(staleness(&it, &thread, &us), None);
        thread.is_resolved = Some(true);
        let words = "stale: words or state changed";
        assert_eq!(staleness(&it, &thread, &us).as_deref(), Some(words));
        thread.comments.push(said(2, "bob", "One more?"));
        assert_eq!(staleness(&it, &thread, &us).as_deref(), Some("stale: 1 new comments"));
    }
}
