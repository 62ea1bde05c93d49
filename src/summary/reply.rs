//! A model's reply: decoded strictly, checked against the threads it was asked about, and mended
//! from the extractive engine where it is wrong. Must not trust a fact a model states.

use crate::domain::text::outside::Outside;
use crate::{
    domain::{
        actor::{Actor, Identity},
        capture::Capture,
        text::{Surface, display},
    },
    summary::{
        compose::{BOT_TEXT, TEXT},
        correction,
        discussion::{NextActor, Origin, Position, Status, ThreadSummary},
        extract::{self, Extractor},
        gist,
        project::{Part, ThreadView},
        talk,
    },
};
use serde::Deserialize;
use std::{
    collections::{HashMap, HashSet},
    fmt::Write as _,
};

/// Longest text of a top-level comment, in characters.
const COMMENT: usize = 300;
/// Longest decision, question or stance, in characters.
const FIELD: usize = 400;
/// Longest reason of a degraded entry, in characters.
const REASON: usize = 160;
/// What a settled text says when only the forge's flag settles it.
pub const FLAG_ONLY: &str = "Settled: marked resolved, no decision stated";

/// What a model answers to one prompt.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reply {
    pub threads: Vec<Entry>,
    #[serde(default)]
    pub comments: Vec<CommentText>,
}

/// One thread's entry in a reply.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    pub thread_id: String,
    pub status: Status,
    pub text: Outside,
    #[serde(default)]
    pub decision: Option<Outside>,
    #[serde(default)]
    pub open_question: Option<Outside>,
    #[serde(default)]
    pub positions: Vec<Position>,
    pub next_actor: NextActor,
    pub cites: Vec<String>,
}

/// One top-level comment's entry in a reply.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CommentText {
    #[serde(rename = "ref")]
    pub reference: String,
    pub text: Outside,
    #[serde(default)]
    pub cites: Vec<String>,
}

/// One thing wrong with a reply, in words a model can act on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The thread it is about, when it is about one.
    pub thread: Option<String>,
    pub what: String,
}

/// What could be taken from a reply.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked {
    /// Entries without a fault, with their facts from the capture.
    pub entries: Vec<ThreadSummary>,
    /// Texts of top-level comments without a fault.
    pub comments: Vec<CommentText>,
    pub faults: Vec<Fault>,
}

/// Decodes a reply: one JSON object, alone or in one fence.
pub fn decode(reply: &str) -> Result<Reply, Fault> {
    let whole = reply.trim();
    let inner = unfenced(whole).unwrap_or(whole);
    serde_json::from_str(inner).map_err(|error| Fault {
        thread: None,
        what: format!("the answer is not the one JSON object that was asked for: {error}"),
    })
}

fn unfenced(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("```")?;
    let (_, rest) = rest.split_once('\n')?;
    rest.trim_end().strip_suffix("```")
}

/// Decodes and checks the reply to one part.
pub fn check(capture: &Capture, part: &Part, reply: &str, us: &Identity) -> Checked {
    let mut checked = Checked { entries: Vec::new(), comments: Vec::new(), faults: Vec::new() };
    let reply = match decode(reply) {
        Ok(reply) => reply,
        Err(fault) => {
            checked.faults.push(fault);
            return checked;
        }
    };
    let asked: HashMap<&str, &ThreadView> =
        part.threads.iter().map(|it| (it.id.as_str(), it)).collect();
    let mut times: HashMap<&str, usize> = HashMap::new();
    for entry in &reply.threads {
        *times.entry(&entry.thread_id).or_default() += 1;
    }
    for entry in &reply.threads {
        let Some(view) = asked.get(entry.thread_id.as_str()) else {
            checked.faults.push(about(entry, "no such thread was given"));
            continue;
        };
        let mut wrong = faults(capture, view, entry, us);
        if times[entry.thread_id.as_str()] > 1 {
            wrong.push("it is answered more than once".into());
        }
        if wrong.is_empty() {
            checked.entries.push(summary(capture, view, entry, us));
        }
        checked.faults.extend(wrong.iter().map(|it| about(entry, it)));
    }
    let missing = part.threads.iter().filter(|it| !times.contains_key(it.id.as_str()));
    checked.faults.extend(
        missing.map(|it| Fault { thread: Some(it.id.clone()), what: "it is not answered".into() }),
    );
    comments(part, reply.comments, &mut checked);
    checked
}

fn about(entry: &Entry, what: &str) -> Fault {
    Fault { thread: Some(entry.thread_id.clone()), what: what.to_owned() }
}

/// Everything wrong with one entry.
fn faults(capture: &Capture, view: &ThreadView, entry: &Entry, us: &Identity) -> Vec<String> {
    let thread = &capture.review_threads[view.at];
    let mut out = Vec::new();
    let mut wrong = |test: bool, what: String| {
        if test {
            out.push(what);
        }
    };
    let bot = thread.comments.iter().find(|it| talk::counts(it, us));
    let bot = bot.is_some_and(|it| Actor::of(it, us) == Actor::Bot);
    let settled = entry.status == Status::Settled;
    let limit = if bot && settled { BOT_TEXT } else { TEXT };
    let length = entry.text.raw().chars().count();
    wrong(length > limit, format!("its text has {length} characters, the limit is {limit}"));
    let opening = correction::opening(entry.status);
    wrong(
        !entry.text.raw().starts_with(opening),
        format!("its text does not begin with `{opening}`"),
    );
    let flag_only = entry.text.raw().starts_with(FLAG_ONLY) && thread.is_resolved == Some(true);
    wrong(
        settled && entry.cites.is_empty() && !flag_only,
        "it is settled and does not cite the comment that settled it".into(),
    );
    wrong(settled && entry.cites.len() > 3, "it is settled and cites more than three".into());
    wrong(
        entry.status != Status::Unresolved && entry.next_actor != NextActor::None,
        "its next_actor is not none although nothing is open".into(),
    );
    let texts = [&entry.decision, &entry.open_question].into_iter().flatten().map(Outside::raw);
    let stances = entry.positions.iter().map(|it| it.stance.raw());
    for text in std::iter::once(entry.text.raw()).chain(texts).chain(stances) {
        wrong(unclean(text), "it holds a marker, a line end or a control character".into());
        wrong(text.chars().count() > FIELD, format!("a field is longer than {FIELD} characters"));
    }
    let cites = entry.positions.iter().flat_map(|it| &it.cites).chain(&entry.cites);
    let mut seen = HashSet::new();
    for cite in cites.filter(|it| seen.insert(it.as_str())) {
        wrong(
            !exists(cite, 'c', thread.comments.len()),
            format!("it cites `{cite}`, which does not exist"),
        );
    }
    out
}

fn unclean(text: &str) -> bool {
    text.contains("<!--") || text.chars().any(char::is_control)
}

fn exists(cite: &str, letter: char, count: usize) -> bool {
    let number = cite.strip_prefix(letter).and_then(|it| it.parse::<usize>().ok());
    number.is_some_and(|it| (1..=count).contains(&it) && cite == format!("{letter}{it}"))
}

fn summary(capture: &Capture, view: &ThreadView, entry: &Entry, us: &Identity) -> ThreadSummary {
    let facts = extract::facts(&capture.review_threads[view.at], us);
    ThreadSummary {
        status: entry.status,
        text: entry.text.clone(),
        decision: entry.decision.clone(),
        open_question: entry.open_question.clone(),
        positions: entry.positions.clone(),
        next_actor: entry.next_actor,
        cites: entry.cites.clone(),
        comments_omitted: facts.comments_omitted + view.omitted,
        origin: Origin::Model,
        ..facts
    }
}

fn comments(part: &Part, texts: Vec<CommentText>, checked: &mut Checked) {
    let asked: HashSet<&str> = part.comments.iter().map(|it| it.reference.as_str()).collect();
    let mut seen = HashSet::new();
    for it in texts {
        let what = if !asked.contains(it.reference.as_str()) {
            "no such top-level comment was given"
        } else if !seen.insert(it.reference.clone()) {
            "this top-level comment is answered more than once"
        } else if unclean(it.text.raw())
            || it.text.raw().chars().count() > COMMENT
            || it.text.is_empty()
        {
            "the text of this top-level comment is empty, too long or not one clean line"
        } else if it.cites.iter().any(|it| !asked.contains(it.as_str())) {
            "this top-level comment cites one that was not given"
        } else {
            checked.comments.push(it);
            continue;
        };
        checked.faults.push(Fault { thread: Some(it.reference), what: what.into() });
    }
}

/// The one repair message of a session: every fault, and what to answer.
pub fn repair_message(faults: &[Fault]) -> String {
    let mut out = String::from("Your answer cannot be used as it is:\n");
    for fault in faults {
        let thread = fault.thread.as_deref().map(|it| format!("{it}: ")).unwrap_or_default();
        let _ = writeln!(out, "- {thread}{}", fault.what);
    }
    out + "Answer again with the whole JSON object, every thread exactly once, and nothing else.\n"
}

/// The entries of a part after its last reply: those without a fault, and extractive ones that say
/// why for all others.
pub fn mend(capture: &Capture, part: &Part, checked: Checked, us: &Identity) -> Vec<ThreadSummary> {
    let reader = Extractor::of(capture, us);
    let mut good: HashMap<_, _> =
        checked.entries.into_iter().map(|it| (it.thread_id.to_string(), it)).collect();
    let reason = |id: &str| {
        let own = checked.faults.iter().find(|it| it.thread.as_deref() == Some(id));
        let any = checked.faults.iter().find(|it| it.thread.is_none());
        own.or(any).map_or("no answer", |it| it.what.as_str()).to_owned()
    };
    let threads = part.threads.iter().map(|view| {
        good.remove(&view.id).unwrap_or_else(|| {
            let mut it = reader.thread(&capture.review_threads[view.at]);
            let why = display(&reason(&view.id), Surface::Inline).into_owned();
            it.checks.push(format!("degraded: {}", gist::clip(&why, REASON)));
            it
        })
    });
    threads.collect()
}

#[cfg(test)]
mod tests {
    use crate::{
        domain::{actor::Identity, capture::Capture},
        summary::{
            budget::Budgets,
            discussion::{Origin, Status, ThreadSummary},
            fixture::{capture, thread},
            project::project,
            reply::{Checked, check, mend, repair_message},
        },
    };

    fn two() -> Capture {
        let first = thread("T1", &[("ann", "Rename `foo`?"), ("author", "Done.")]);
        capture(vec![first, thread("T2", &[("lint[bot]", "Unused `map`.")])])
    }

    fn judge(capture: &Capture, reply: &str) -> (Checked, Vec<ThreadSummary>) {
        let us = Identity::default();
        let it = project(capture, &[0, 1], &Budgets::default(), &us).expect("it fits");
        let checked = check(capture, &it.parts[0], reply, &us);
        (checked.clone(), mend(capture, &it.parts[0], checked, &us))
    }

    const GOOD: &str = r#"{"threads":[
        {"thread_id":"T1","status":"settled","text":"Settled: Decided to rename `foo`.","decision":"rename `foo`",
         "open_question":null,"positions":[],"next_actor":"none","cites":["c2","c1"]},
        {"thread_id":"T2","status":"unresolved","text":"Unresolved: is `map` unused?","next_actor":"author","cites":["c1"]}],
        "comments":[]}"#;

    #[test]
    fn a_good_reply_is_taken_and_facts_come_from_the_capture() {
        for reply in [GOOD.to_owned(), format!("```json\n{GOOD}\n```"), format!("\n {GOOD}\n")] {
            let (checked, mended) = judge(&two(), &reply);
            assert_eq!(checked.faults, []);
            assert!(mended.iter().all(|it| it.origin == Origin::Model && it.checks.is_empty()));
            assert_eq!(mended[0].anchor.line, Some(12));
            assert_eq!((mended[0].participants.humans, mended[1].participants.bots), (2, 1));
        }
    }

    #[test]
    fn a_reply_that_is_no_object_degrades_every_thread() {
        let cut = &GOOD[..GOOD.len() / 2];
        let prose = format!("Here is the summary:\n{GOOD}");
        let unknown = GOOD.replace("\"comments\":[]", "\"comments\":[],\"mood\":\"good\"");
        for reply in ["", "I cannot do that.", cut, &prose, &unknown, "[]"] {
            let (checked, mended) = judge(&two(), reply);
            assert_eq!(checked.faults.len(), 1, "{reply}");
            assert!(mended.iter().all(|it| it.origin == Origin::Extractive), "{reply}");
            assert!(mended.iter().all(|it| it.checks[0].starts_with("degraded: ")), "{reply}");
            assert_eq!(mended[0].status, Status::Settled, "the extractive engine still reads it");
        }
    }

    #[test]
    fn a_bad_entry_falls_alone() {
        let check = |from: &str, to: &str, fault: &str| {
            let reply = GOOD.replacen(from, to, 1);
            assert_ne!(reply, GOOD, "{from}");
            let (checked, mended) = judge(&two(), &reply);
            let said: Vec<&str> = checked.faults.iter().map(|it| it.what.as_str()).collect();
            assert!(said.iter().any(|it| it.contains(fault)), "{to}: {said:?}");
            assert_eq!(mended.len(), 2);
            assert_eq!(mended[0].origin, Origin::Extractive, "{to}");
            assert!(mended[0].checks[0].starts_with("degraded: "), "{to}");
            assert_eq!(mended[1].origin, Origin::Model, "{to}");
            assert!(repair_message(&checked.faults).contains(fault));
        };
        check("T1", "T9", "no such thread");
        check("[\"c2\",\"c1\"]", "[\"c3\"]", "`c3`, which does not exist");
        check("[\"c2\",\"c1\"]", "[\"c02\"]", "does not exist");
        check("[\"c2\",\"c1\"]", "[]", "does not cite");
        check("Settled: Decided to rename", "Decided to rename", "does not begin");
        check("rename `foo`.", &"long ".repeat(90), "characters, the limit is 400");
        check("rename `foo`.", "<!-- casefile:v1 -->", "marker");
        check("rename `foo`.", "a\\u001b[31mb", "control character");
        check("\"next_actor\":\"none\"", "\"next_actor\":\"author\"", "nothing is open");
    }

    #[test]
    fn repeated_answers_are_not_chosen_between() {
        let reply = GOOD.replace("T2", "T1");
        let (checked, mended) = judge(&two(), &reply);
        assert!(checked.entries.is_empty());
        assert!(checked.faults.iter().any(|it| it.what.contains("more than once")));
        assert!(checked.faults.iter().any(|it| it.what.contains("not answered")));
        assert_eq!(mended.len(), 2);
    }
}
