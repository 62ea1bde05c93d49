//! The words of an extractive summary: which comments stand for a thread, and how they are put
//! together. Must not judge the thread, and must not write anything about the matter that nobody
//! said: quoted words are the thread's own.

use crate::{
    domain::actor::Actor,
    summary::{
        discussion::{Position, Status},
        gist::{self, Lens},
        prose,
        talk::{Role, Talk, Turn},
        terms,
        verdict::{How, Verdict},
        voice::{Voice, focus, is_thin, told, weight},
    },
};
use std::collections::BTreeSet;

/// Longest text of a thread, in characters.
pub const TEXT: usize = 400;
/// Longest text of a settled thread that a bot began.
pub const BOT_TEXT: usize = 160;
/// Longest decision, question or stance, in characters.
const FIELD: usize = 240;

/// The words of one thread's summary.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Words {
    pub text: String,
    pub decision: Option<String>,
    pub open_question: Option<String>,
    pub positions: Vec<Position>,
    /// The comments the text stands on beside those of the verdict, as indices of turns.
    pub shown: Vec<usize>,
}

/// Puts a judged thread into words.
pub fn words(talk: &Talk<'_>, verdict: &Verdict) -> Words {
    let by_bot = talk.turns[0].actor == Actor::Bot;
    match verdict.status {
        Status::Settled if by_bot => settled_bot(talk, verdict),
        Status::Settled => settled(talk, verdict),
        Status::Unresolved => unresolved(talk, verdict),
        Status::Noted => {
            let text = told("Noted: ", &[Voice::new(&talk.turns[0], Lens::Request, 1)], TEXT, talk);
            Words { text, ..Words::default() }
        }
    }
}

fn settled_bot(talk: &Talk<'_>, verdict: &Verdict) -> Words {
    let bot = &talk.turns[0];
    let head = match verdict.deciding {
        None => "Settled: marked resolved, no decision stated: ".to_owned(),
        Some(0) => format!("Settled: Decided, {}: ", ticked(bot)),
        Some(at) => format!("Settled: Decided ({}): ", talk.turns[at].who()),
    };
    let mut voices = Vec::new();
    if let Some(at) = verdict.deciding.filter(|it| *it > 0) {
        voices.push(Voice::around(&talk.turns[at], Lens::Decision, 1, "“".into(), "” –"));
    }
    voices.push(Voice::around(bot, Lens::Opening, 2, String::new(), ""));
    let text = told(&head, &voices, BOT_TEXT, talk);
    let decision = verdict.deciding.map(|at| {
        let lens = if at == 0 { Lens::Opening } else { Lens::Decision };
        gist::of(&talk.turns[at], lens, BOT_TEXT, &BTreeSet::new())
    });
    Words { text, decision, ..Words::default() }
}

/// What a bot's own tick says ("addressed in commits a to b").
fn ticked(bot: &Turn<'_>) -> String {
    let line = bot.spoken.sentences.iter().rev().find(|it| prose::is_ticked(&it.text));
    let said = line.map_or("", |it| it.text.trim_start_matches(|it: char| !it.is_alphanumeric()));
    let mut chars = said.chars();
    let lower: String =
        chars.next().into_iter().flat_map(char::to_lowercase).chain(chars).collect();
    gist::clip(if lower.is_empty() { "ticked off by the bot" } else { &lower }, 60)
}

fn settled(talk: &Talk<'_>, verdict: &Verdict) -> Words {
    let Some(at) = verdict.deciding else {
        let voices = request_voices(talk, talk.turns.len(), "had ");
        let head = "Settled: marked resolved, no decision stated. ";
        return Words { text: told(head, &voices, TEXT, talk), ..Words::default() };
    };
    let turn = &talk.turns[at];
    let who = turn.who();
    if verdict.how == How::Agreed {
        return agreed(talk, at);
    }
    if at > 0 && verdict.how != How::Withdrawn && tells_little(talk, turn) {
        return as_asked(talk, verdict, turn);
    }
    let head = match verdict.how {
        How::Withdrawn => format!("Settled: Decided to drop the point; {who}: "),
        How::Answered => format!("Settled: Decided by {who}'s answer: "),
        _ => format!("Settled: Decided as {who} wrote: "),
    };
    let mut voices = vec![Voice::around(turn, Lens::Decision, 6, "“".into(), "”")];
    voices.extend(request_voices(talk, at, "had "));
    let decision = gist::of(turn, Lens::Decision, FIELD, &focus(talk, turn));
    Words { text: told(&head, &voices, TEXT, talk), decision: Some(decision), ..Words::default() }
}

/// An assent stands for the offer it answers.
fn agreed(talk: &Talk<'_>, at: usize) -> Words {
    let turn = &talk.turns[at];
    let who = turn.who();
    let offer = (1..at).rev().map(|it| &talk.turns[it]).find(|it| it.who() != who);
    let said = Voice::around(turn, Lens::Decision, 2, "“".into(), "”");
    let Some(offer) = offer else {
        let mut voices = vec![said];
        voices.extend(request_voices(talk, at, "had "));
        let decision = gist::of(turn, Lens::Decision, FIELD, &focus(talk, turn));
        let head = format!("Settled: Decided by {who}'s answer: ");
        return Words {
            text: told(&head, &voices, TEXT, talk),
            decision: Some(decision),
            ..Words::default()
        };
    };
    let decision = gist::of(offer, Lens::Stance, FIELD, &focus(talk, offer));
    let before = format!("{} had offered: “", offer.who());
    let mut voices = vec![said, Voice::around(offer, Lens::Stance, 3, before, "”")];
    voices.extend(request_voices(talk, offer_place(talk, offer), "had ").into_iter().take(1));
    let head = format!("Settled: Decided with {who}'s assent: ");
    Words { text: told(&head, &voices, TEXT, talk), decision: Some(decision), ..Words::default() }
}

fn offer_place(talk: &Talk<'_>, offer: &Turn<'_>) -> usize {
    talk.turns.iter().position(|it| it.at == offer.at).unwrap_or(1)
}

/// "done" and "yes" say nothing: the request is the decision. A thin answer of another kind
/// ("keeping it") stands beside what it answers.
fn as_asked(talk: &Talk<'_>, verdict: &Verdict, turn: &Turn<'_>) -> Words {
    let at = verdict.deciding.unwrap_or(0);
    let asked = requester(talk, verdict, at);
    let yes = verdict.how == How::Done || turn.acts.agree > 0;
    let said = if yes { "" } else { " answered" };
    let (lens, done) = (if yes { Lens::Report } else { Lens::Decision }, turn.who());
    let mut voices = vec![
        asked_voice(asked, yes),
        Voice::around(turn, lens, 2, format!("{done}{said}: “"), "”"),
    ];
    // Somebody else's request may carry the substance ("same here", "I agree, drop it").
    let other = request_turns(talk, at).into_iter().find(|it| it.at != asked.at && !is_thin(it));
    if let Some(other) = other {
        let before = format!("{} had said: “", other.who());
        voices.insert(1, Voice::around(other, Lens::Request, 3, before, "”"));
    }
    let decision = match (yes, is_bare_suggestion(asked)) {
        (false, _) => gist::of(turn, Lens::Decision, FIELD, &focus(talk, turn)),
        (true, true) => format!("take the suggestion {}", gist::suggested(asked, FIELD)),
        (true, false) => gist::of(asked, Lens::Request, FIELD, &focus(talk, asked)),
    };
    let text = told("Settled: Decided ", &voices, TEXT, talk);
    Words { text, decision: Some(decision), ..Words::default() }
}

/// The request a thin decision answers.
fn asked_voice<'t, 'a>(asked: &'t Turn<'a>, yes: bool) -> Voice<'t, 'a> {
    let who = asked.who();
    let wished = asked.acts.ask >= 2 || asked.acts.request > 0;
    let (before, after) = match (is_bare_suggestion(asked), yes) {
        (true, true) => (format!("to take {who}'s suggestion "), "."),
        (true, false) => (format!("on {who}'s suggestion "), "."),
        (false, true) if wished => (format!("as {who} asked: “"), "”"),
        (false, _) => (format!("on {who}'s “"), "”"),
    };
    Voice::around(asked, Lens::Request, 5, before, after)
}

fn is_bare_suggestion(turn: &Turn<'_>) -> bool {
    turn.spoken.sentences.is_empty() && !turn.spoken.suggestions.is_empty()
}

/// Whose words a thin decision answers: the newest request, or the weightiest one when that is
/// thin too.
fn requester<'t, 'a>(talk: &'t Talk<'a>, verdict: &Verdict, deciding: usize) -> &'t Turn<'a> {
    let who = talk.turns[deciding].who();
    let asked = &talk.turns[verdict.asked];
    if !is_thin(asked) && asked.who() != who {
        return asked;
    }
    let before = talk.turns[..deciding].iter();
    let others = before.filter(|it| it.who() != who && it.role == Role::Reviewer);
    others.max_by_key(|it| (weight(it), std::cmp::Reverse(it.at))).unwrap_or(&talk.turns[0])
}

/// "Done as suggested" with nothing beside it that speaks of the matter.
fn tells_little(talk: &Talk<'_>, turn: &Turn<'_>) -> bool {
    if is_thin(turn) {
        return true;
    }
    let focus = focus(talk, turn);
    let each = || turn.spoken.sentences.iter().zip(&turn.each);
    let thin = |text: &str| terms::content_words(text).len() < 3 && !text.contains('`');
    let reports = each().any(|(it, acts)| acts.done >= 2 && thin(&it.text));
    let speaks = |text: &str| {
        text.contains('`')
            || terms::content_words(text).iter().filter(|it| focus.contains(*it)).count() >= 2
    };
    reports && !each().any(|(it, acts)| acts.done >= 2 && !thin(&it.text) || speaks(&it.text))
}

/// The comments before a decision that say what it was about: the first, and the newest request
/// of a reviewer after it.
fn request_turns<'t, 'a>(talk: &'t Talk<'a>, before: usize) -> Vec<&'t Turn<'a>> {
    let first = &talk.turns[0];
    let later = talk.turns[..before].iter().skip(1).rev();
    let newest = later.clone().find(|it| it.role == Role::Reviewer && weight(it) >= 4);
    let mut out = vec![first];
    out.extend(newest);
    if is_thin(first) && out.len() == 1 {
        out.extend(later.max_by_key(|it| weight(it)));
    }
    out
}

fn request_voices<'t, 'a>(talk: &'t Talk<'a>, before: usize, had: &str) -> Vec<Voice<'t, 'a>> {
    let turns = request_turns(talk, before);
    let first = turns[0].who();
    let voice = |(at, turn): (usize, &'t Turn<'a>)| {
        let who = turn.who();
        let weight = if at == 0 { 4 } else { 3 };
        let bare = turn.spoken.sentences.is_empty();
        if bare && !turn.spoken.suggestions.is_empty() {
            return Voice::around(
                turn,
                Lens::Request,
                weight,
                format!("{who} {had}suggested "),
                ".",
            );
        }
        let verb = if turn.acts.ask >= 2 { "asked" } else { "said" };
        let before = if at > 0 && who == first {
            "then: “".to_owned()
        } else {
            format!("{who} {had}{verb}: “")
        };
        Voice::around(turn, Lens::Request, weight, before, "”")
    };
    turns.into_iter().enumerate().map(voice).collect()
}

fn unresolved(talk: &Talk<'_>, verdict: &Verdict) -> Words {
    let last = talk.turns.len() - 1;
    let asked = verdict.asked;
    // The opening, what was asked last, the word before it, and the last word of somebody else.
    let mut shown: BTreeSet<usize> = [0, asked].into();
    let opener = talk.turns[asked].who();
    let answer =
        (0..=last).rev().find(|it| talk.turns[*it].who() != opener && *it != asked && *it > 0);
    shown.extend(answer);
    let more = |at: &usize| {
        !shown.contains(at) && talk.turns[*at].spoken.sentences.iter().any(|it| it.question)
    };
    let more = (1..=last).rev().find(more);
    shown.extend(more);
    if shown.len() < 3 {
        shown.extend(
            (1..=last).rev().find(|it| !shown.contains(it) && weight(&talk.turns[*it]) >= 6),
        );
    }
    let voices: Vec<Voice<'_, '_>> = shown
        .iter()
        .map(|&at| {
            let lens = if at == 0 || at == asked { Lens::Request } else { Lens::Stance };
            Voice::new(&talk.turns[at], lens, if at == 0 { 4 } else { 3 })
        })
        .collect();
    let silent = if last == 0 { " No answer yet." } else { "" };
    let text = told("Unresolved: ", &voices, TEXT - silent.len(), talk) + silent;
    let (newest, first) = (&talk.turns[asked], &talk.turns[0]);
    let wished = newest.acts.request > 0;
    let open = question(newest).or_else(|| wish(newest).filter(|_| wished));
    let open = open.or_else(|| question(first)).or_else(|| wish(first));
    let shown = shown.into_iter().collect();
    Words { text, open_question: open, positions: positions(talk), shown, ..Words::default() }
}

/// The last question of a comment.
fn question(turn: &Turn<'_>) -> Option<String> {
    let asked = turn.spoken.sentences.iter().rev().find(|it| it.question);
    asked.map(|it| gist::clip(&it.text, FIELD))
}

/// The plainest request of a comment.
fn wish(turn: &Turn<'_>) -> Option<String> {
    let sentences = &turn.spoken.sentences;
    if sentences.is_empty() && !turn.spoken.suggestions.is_empty() {
        return Some(format!("Take the suggestion {}?", gist::suggested(turn, FIELD)));
    }
    // Among equals the first one: `max_by_key` would take the last.
    let plainest = sentences.iter().zip(&turn.each).rev().max_by_key(|it| it.1.request);
    plainest.map(|it| gist::clip(&it.0.text, FIELD))
}

/// Each person's last stance, when at least two people spoke to the matter and one objected.
fn positions(talk: &Talk<'_>) -> Vec<Position> {
    let objected = talk.turns.iter().skip(1).any(|it| it.acts.object > 0);
    let mut out: Vec<Position> = Vec::new();
    for turn in talk.turns.iter().filter(|it| it.actor != Actor::Bot && weight(it) >= 3) {
        let stance = gist::of(turn, Lens::Stance, FIELD, &focus(talk, turn));
        let cites = vec![turn.cite()];
        match out.iter_mut().find(|it| it.who == turn.who()) {
            Some(it) => (it.stance, it.cites) = (stance.into(), cites),
            None => out.push(Position { who: turn.who().into(), stance: stance.into(), cites }),
        }
    }
    if out.len() < 2 || !objected { Vec::new() } else { out }
}
