//! Summaries a person wrote in place of an engine's: what they may say, when they stand, and what
//! becomes of the engine's entry then. Must not keep them, and must not judge what a person means.

use crate::{
    domain::{
        actor::{Actor, Identity},
        capture::{Id, Thread},
        digest::Digest,
    },
    summary::{
        checks,
        compose::{BOT_TEXT, TEXT},
        discussion::{NextActor, Origin, Status, ThreadSummary},
        talk::{self, Role, Talk},
    },
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Version of a record; raised when a field changes meaning.
pub const VERSION: u32 = 1;
/// What a settled text says when nothing was decided in words.
const NO_DECISION: &str = "marked resolved, no decision stated";
/// Most comments a settled text cites.
const SETTLED_CITES: usize = 3;

/// A summary a person wrote; one line of `dossier/corrections.jsonl`. The last record of a thread
/// counts, the ones before it are its history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Correction {
    pub version: u32,
    pub thread_id: Id,
    /// The digest the person looked at: with another one the correction is stale.
    pub source_digest: Digest,
    pub status: Status,
    pub text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open_question: Option<String>,
    /// Comments the person named in the text; none named leaves the engine's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cites: Vec<String>,
    /// Comments the thread held then.
    #[serde(default)]
    pub comments_total: u64,
    /// The engine's text stands again; `status` and `text` are what was taken back.
    #[serde(default, skip_serializing_if = "is_false")]
    pub withdraws: bool,
    /// Filled, like `at`, by whoever keeps the record.
    pub author: String,
    /// RFC 3339, UTC.
    pub at: String,
}

/// What a person typed of a thread and has not saved yet; also the form of a draft.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    pub thread_id: Id,
    pub source_digest: Digest,
    #[serde(default)]
    pub comments_total: u64,
    pub status: Status,
    /// Word for word, without the opening of its status.
    pub text: String,
}

/// Why a text cannot stand as a summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    Empty,
    /// Characters beyond the limit, and the limit.
    Long(usize, usize),
    Marker,
}

impl Fault {
    /// What to tell the person, and what to do.
    pub fn words(self) -> String {
        match self {
            Self::Empty => "there is nothing to save yet; write what the summary should say".into(),
            Self::Long(by, limit) => {
                format!("{by} characters too many: a summary of this thread holds {limit}")
            }
            Self::Marker => "`<!--` would hide the rest of a comment; write it another way".into(),
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_false(it: &bool) -> bool {
    !it
}

/// The words a text of this status begins with.
pub fn opening(status: Status) -> &'static str {
    match status {
        Status::Settled => "Settled: ",
        Status::Unresolved => "Unresolved: ",
        Status::Noted => "Noted: ",
    }
}

/// A summary's text without the opening of whatever status.
pub fn body(text: &str) -> &str {
    let text = text.trim_start();
    let bare =
        [Status::Settled, Status::Unresolved, Status::Noted].map(|it| opening(it).trim_end());
    let after = |it: &&str| {
        let head = text.get(..it.len())?;
        head.eq_ignore_ascii_case(it).then(|| text[it.len()..].trim_start())
    };
    bare.iter().find_map(after).unwrap_or(text)
}

/// What is typed as one clean line that begins as its status wants it. Line ends and other control
/// characters become blanks; the opening is put before it rather than asked for.
pub fn tidy(status: Status, typed: &str) -> String {
    let clean: String = typed.chars().map(|it| if it.is_control() { ' ' } else { it }).collect();
    let words: Vec<&str> = body(&clean).split_whitespace().collect();
    format!("{}{}", opening(status), words.join(" "))
}

/// Most characters a text of this status may have for this thread, its opening counted.
pub fn limit(thread: &Thread, status: Status, us: &Identity) -> usize {
    let first = thread.comments.iter().find(|it| talk::counts(it, us));
    let bot = first.is_some_and(|it| Actor::of(it, us) == Actor::Bot);
    if bot && status == Status::Settled { BOT_TEXT } else { TEXT }
}

/// What a person typed, as a record. The rules are those for an engine's text; a person's word is
/// enough for what it says.
pub fn judge(thread: &Thread, said: &Said, us: &Identity) -> Result<Correction, Fault> {
    let text = tidy(said.status, &said.text);
    let words = body(&text);
    if words.is_empty() {
        return Err(Fault::Empty);
    }
    if let Some(fault) = fault(&text, limit(thread, said.status, us)) {
        return Err(fault);
    }
    let decided = words.strip_prefix("Decided ").unwrap_or(words);
    let is = |status| said.status == status;
    let decision = is(Status::Settled) && !decided.starts_with(NO_DECISION);
    Ok(Correction {
        version: VERSION,
        thread_id: said.thread_id.clone(),
        source_digest: said.source_digest.clone(),
        status: said.status,
        decision: decision.then(|| decided.to_owned()),
        open_question: is(Status::Unresolved).then(|| words.to_owned()),
        cites: cites(&text, said.status, thread.comments.len()),
        text,
        comments_total: said.comments_total,
        withdraws: false,
        author: String::new(),
        at: String::new(),
    })
}

fn fault(text: &str, limit: usize) -> Option<Fault> {
    if text.contains("<!--") {
        return Some(Fault::Marker);
    }
    let length = text.chars().count();
    (length > limit).then(|| Fault::Long(length - limit, limit))
}

/// What is wrong with a record that was read: it may have been written by hand or by another
/// version.
pub fn flaw(it: &Correction) -> Option<String> {
    if it.version != VERSION {
        return Some(format!("its version is {}, this casefile reads {VERSION}", it.version));
    }
    let parts = [Some(&it.text), it.decision.as_ref(), it.open_question.as_ref()];
    let unclean = |text: &String| {
        let long = text.chars().count() > TEXT;
        long || text.contains("<!--") || text.chars().any(char::is_control)
    };
    if parts.into_iter().flatten().any(unclean) {
        return Some("its text is too long or not one clean line".into());
    }
    (!it.text.starts_with(opening(it.status)))
        .then(|| "its text does not begin as its status wants it".into())
}

/// The comments a text names, `c2` or `[c2 c4]`, as far as the thread has them.
fn cites(text: &str, status: Status, comments: usize) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for word in text.split(|it: char| !it.is_alphanumeric()) {
        let number = word.strip_prefix('c').and_then(|it| it.parse::<usize>().ok());
        let known = number.filter(|it| (1..=comments).contains(it) && word == format!("c{it}"));
        if known.is_some() && !found.iter().any(|it| it == word) {
            found.push(word.to_owned());
        }
    }
    found.truncate(if status == Status::Settled { SETTLED_CITES } else { usize::MAX });
    found
}

/// A thread's correction, unless it was withdrawn. It may be stale.
pub fn current<'a>(corrections: &'a [Correction], thread: &Id) -> Option<&'a Correction> {
    corrections.iter().rev().find(|it| it.thread_id == *thread).filter(|it| !it.withdraws)
}

/// What of the corrections decides a summary: each thread's last, by thread, without who wrote it
/// and when. A correction that was withdrawn leaves no trace here, so the summary is the one from
/// before.
pub fn in_force(corrections: &[Correction]) -> Vec<Correction> {
    let mut last: BTreeMap<String, &Correction> = BTreeMap::new();
    for it in corrections {
        last.insert(it.thread_id.to_string(), it);
    }
    let standing = last.into_values().filter(|it| !it.withdraws);
    standing
        .map(|it| Correction { author: String::new(), at: String::new(), ..it.clone() })
        .collect()
}

/// A record that takes a correction back.
pub fn withdrawal(of: &Correction) -> Correction {
    Correction { withdraws: true, ..of.clone() }
}

/// A person's entry outranks an engine's while it rests on the same words; afterwards the engine's
/// stands, and the check says how much came since.
pub fn apply(it: &mut ThreadSummary, digest: &Digest, talk: &Talk<'_>, by: &Correction) {
    if by.source_digest != *digest {
        it.checks.push(checks::stale(by.comments_total, talk.thread));
        return;
    }
    let open = by.status == Status::Unresolved;
    if !open || it.status != Status::Unresolved {
        it.positions.clear();
        it.next_actor = if open { next(talk) } else { NextActor::None };
    }
    it.status = by.status;
    it.text = by.text.as_str().into();
    it.decision = by.decision.as_deref().map(Into::into);
    it.open_question = by.open_question.as_deref().map(Into::into);
    if !by.cites.is_empty() {
        it.cites.clone_from(&by.cites);
    }
    it.cites.truncate(if by.status == Status::Settled { SETTLED_CITES } else { usize::MAX });
    it.origin = Origin::Person;
    it.carried = false;
    it.checks.retain(|check| !check.starts_with("degraded"));
}

/// Whose move it is in a thread a person calls open: not the last speaker's.
fn next(talk: &Talk<'_>) -> NextActor {
    match talk.turns.last().map(|it| it.role) {
        Some(Role::Author) => NextActor::Reviewer,
        Some(Role::Reviewer) => NextActor::Author,
        None => NextActor::None,
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        domain::{actor::Identity, capture::Thread, digest::Digest},
        summary::{
            correction::{
                Correction, Fault, Said, body, current, flaw, in_force, judge, tidy, withdrawal,
            },
            discussion::Status,
            fixture::thread,
        },
    };

    fn talk() -> Thread {
        thread("T1", &[("ann", "Please rename `foo`."), ("author", "Done.")])
    }

    fn said(status: Status, text: &str) -> Said {
        let source_digest = Digest::of("x");
        Said { thread_id: talk().id, source_digest, comments_total: 2, status, text: text.into() }
    }

    fn judged(status: Status, text: &str) -> Result<Correction, Fault> {
        judge(&talk(), &said(status, text), &Identity::default())
    }

    #[test]
    fn a_text_is_tidied_and_opened_as_its_status_wants() {
        let check = |status, typed: &str, expected: &str| assert_eq!(tidy(status, typed), expected);
        check(Status::Settled, "we keep `foo`", "Settled: we keep `foo`");
        check(Status::Settled, " settled:  we\n\tkeep\r\nit ", "Settled: we keep it");
        check(Status::Unresolved, "Settled: who decides?", "Unresolved: who decides?");
        check(Status::Noted, "a\u{1b}[31mb", "Noted: a [31mb");
        assert_eq!(body("UNRESOLVED: x"), "x");
        assert_eq!(body("Settle down"), "Settle down");
        assert_eq!(body("é: x"), "é: x");
    }

    #[test]
    fn the_rules_are_those_of_an_engines_text() {
        assert_eq!(judged(Status::Noted, " Noted: "), Err(Fault::Empty));
        assert_eq!(judged(Status::Noted, "see <!-- x"), Err(Fault::Marker));
        let room = 400 - "Settled: ".len();
        assert!(judged(Status::Settled, &"ж".repeat(room)).is_ok());
        let long = judged(Status::Settled, &"ж".repeat(room + 2));
        assert_eq!(long, Err(Fault::Long(2, 400)));
        let bot = thread("T", &[("lint[bot]", "Unused."), ("author", "Done.")]);
        let long = judge(&bot, &said(Status::Settled, &"x".repeat(200)), &Identity::default());
        assert_eq!(long, Err(Fault::Long(49, 160)));
    }

    #[test]
    fn decision_question_and_cites_follow_from_the_words() {
        let it = judged(Status::Settled, "Decided to rename `foo` [c2 c1 c9]").expect("sound");
        assert_eq!(it.decision.as_deref(), Some("to rename `foo` [c2 c1 c9]"));
        assert_eq!((it.open_question.as_ref(), it.cites.join(" ")), (None, "c2 c1".into()));
        let it = judged(Status::Settled, "marked resolved, no decision stated").expect("sound");
        assert_eq!(it.decision, None);
        let it = judged(Status::Unresolved, "why `foo`?").expect("sound");
        assert_eq!(it.open_question.as_deref(), Some("why `foo`?"));
        assert!(it.cites.is_empty() && it.decision.is_none() && flaw(&it).is_none());
    }

    #[test]
    fn a_record_that_was_read_is_held_to_the_rules() {
        let good = judged(Status::Noted, "fine").expect("sound");
        let wrong: [fn(&mut Correction); 5] = [
            |it| it.version = 2,
            |it| it.text = "Noted: a\u{1b}[2J".into(),
            |it| it.text.push_str(&"x".repeat(500)),
            |it| it.decision = Some("<!-- casefile -->".into()),
            |it| it.status = Status::Settled,
        ];
        for change in wrong {
            let mut it = good.clone();
            change(&mut it);
            assert!(flaw(&it).is_some(), "{it:?}");
        }
        assert_eq!(flaw(&good), None);
    }

    #[test]
    fn only_the_last_word_on_a_thread_is_in_force() {
        let first = judged(Status::Noted, "one").expect("sound");
        let second = Correction { author: "me".into(), ..judged(Status::Noted, "two").expect("x") };
        let both = [first.clone(), second.clone()];
        assert_eq!(current(&both, &first.thread_id), Some(&second));
        let bare = Correction { author: String::new(), ..second.clone() };
        assert_eq!(in_force(&both), [bare]);
        let back = [first, second.clone(), withdrawal(&second)];
        assert_eq!(current(&back, &second.thread_id), None);
        assert_eq!(in_force(&back), []);
    }
}
