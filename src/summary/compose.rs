//! The words of an extractive summary: which sentences stand for a thread, and how they are put
//! together. Must not judge the thread, and must not write anything about the matter that nobody
//! said: quoted words are the thread's own.

use crate::domain::actor::Actor;
use crate::summary::{
    acts,
    discussion::{Position, Status},
    prose::{self, Sentence},
    talk::{Role, Talk, Turn},
    terms,
    verdict::{How, Verdict},
};
use std::collections::BTreeSet;

/// Longest text of a thread, in characters.
pub const TEXT: usize = 400;
/// Longest text of a settled thread that a bot began.
pub const BOT_TEXT: usize = 160;

/// The words of one thread's summary.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Words {
    pub text: String,
    pub decision: Option<String>,
    pub open_question: Option<String>,
    pub positions: Vec<Position>,
}

/// Puts a judged thread into words.
pub fn words(talk: &Talk<'_>, verdict: &Verdict) -> Words {
    let by_bot = talk.turns[0].actor == Actor::Bot;
    match verdict.status {
        Status::Settled if by_bot => settled_bot(talk, verdict),
        Status::Settled => settled(talk, verdict),
        Status::Unresolved => unresolved(talk, verdict),
        Status::Noted => {
            let turn = &talk.turns[0];
            let text = format!(
                "Noted: {}: “{}”",
                turn.who(),
                gist(turn, TEXT - 20 - turn.who().chars().count(), &BTreeSet::new())
            );
            Words { text, ..Words::default() }
        }
    }
}

fn settled_bot(talk: &Talk<'_>, verdict: &Verdict) -> Words {
    let head = match verdict.deciding {
        None => "Settled: marked resolved, no decision stated. ".to_owned(),
        Some(0) => "Settled: Decided, ticked off by the bot: ".to_owned(),
        Some(at) => format!(
            "Settled: Decided, {}: “{}” On: ",
            talk.turns[at].who(),
            gist(&talk.turns[at], 60, &BTreeSet::new())
        ),
    };
    let room = BOT_TEXT.saturating_sub(head.chars().count());
    let subject = gist(&talk.turns[0], room, &BTreeSet::new());
    let decision = verdict.deciding.map(|_| subject.clone());
    Words { text: head + &subject, decision, ..Words::default() }
}

fn settled(talk: &Talk<'_>, verdict: &Verdict) -> Words {
    let Some(at) = verdict.deciding else {
        let head = "Settled: marked resolved, no decision stated. ";
        let text = format!("{head}{}", subject(talk, verdict, TEXT - head.len(), ""));
        return Words { text, ..Words::default() };
    };
    let turn = &talk.turns[at];
    let who = turn.who();
    let (lead, decision) = match verdict.how {
        How::Withdrawn => {
            let said = gist(turn, 150, &BTreeSet::new());
            (format!("Settled: Decided to drop the point; {who}: “{said}”"), said)
        }
        How::Agreed => agreed(talk, at),
        _ if at > 0 && is_thin(turn) => return as_asked(talk, verdict, turn),
        How::Answered => {
            let said = gist(turn, 190, &focus(talk, verdict));
            (format!("Settled: Decided by {who}'s answer: “{said}”"), said)
        }
        _ => {
            let said = gist(turn, 190, &focus(talk, verdict));
            (format!("Settled: Decided as {who} wrote: “{said}”"), said)
        }
    };
    let room = TEXT.saturating_sub(lead.chars().count() + 1);
    let text =
        if at == 0 { lead } else { format!("{lead} {}", subject(talk, verdict, room, "had ")) };
    Words { text, decision: Some(decision), ..Words::default() }
}

/// An assent stands for the offer it answers.
fn agreed(talk: &Talk<'_>, at: usize) -> (String, String) {
    let turn = &talk.turns[at];
    let who = turn.who();
    let said = gist(turn, 110, &BTreeSet::new());
    let offer = talk.turns[..at].iter().rev().find(|it| it.who() != who && at > 0);
    match offer.filter(|it| it.at > 0) {
        Some(offer) => {
            let offered = gist(offer, 150, &BTreeSet::new());
            (
                format!(
                    "Settled: Decided with {who}'s assent (“{said}”) to {}'s “{offered}”",
                    offer.who()
                ),
                offered,
            )
        }
        None => (format!("Settled: Decided by {who}: “{said}”"), said),
    }
}

/// "done" says nothing: the request is the decision.
fn as_asked(talk: &Talk<'_>, verdict: &Verdict, turn: &Turn<'_>) -> Words {
    let asked = requester(talk, verdict, turn);
    let (asker, doer) = (asked.who(), turn.who());
    let said = gist(turn, 80, &BTreeSet::new());
    let tail = format!(" ({doer}: “{said}”)");
    let room = TEXT.saturating_sub(tail.chars().count() + asker.chars().count() + 50);
    let request = gist(asked, room, &focus(talk, verdict));
    let plain = !asked.spoken.suggestions.is_empty() && asked.spoken.sentences.is_empty();
    let (head, decision) = if plain {
        (
            format!("Settled: Decided to take {asker}'s suggestion {request}"),
            format!("take the suggestion {request}"),
        )
    } else {
        (format!("Settled: Decided as {asker} asked: “{request}”"), request)
    };
    Words { text: head + &tail, decision: Some(decision), ..Words::default() }
}

/// Whose words a thin decision answers: the newest request with some substance.
fn requester<'t, 'a>(talk: &'t Talk<'a>, verdict: &Verdict, turn: &Turn<'_>) -> &'t Turn<'a> {
    let before =
        talk.turns.iter().take_while(|it| it.at < turn.at).filter(|it| it.who() != turn.who());
    let asked = &talk.turns[verdict.asked];
    let best = if is_thin(asked) {
        before.max_by_key(|it| (weight(it), std::cmp::Reverse(it.at)))
    } else {
        Some(asked)
    };
    best.unwrap_or(&talk.turns[0])
}

fn weight(turn: &Turn<'_>) -> usize {
    turn.spoken
        .sentences
        .iter()
        .map(|it| terms::content_words(&it.text).len().min(12))
        .sum::<usize>()
        .min(40)
        + 4 * turn.spoken.suggestions.len()
}

/// Too little to stand alone.
fn is_thin(turn: &Turn<'_>) -> bool {
    let all: Vec<String> =
        turn.spoken.sentences.iter().flat_map(|it| terms::content_words(&it.text)).collect();
    let named = turn.spoken.sentences.iter().any(|it| it.text.contains('`'));
    all.len() < 4 && !named
}

fn subject(talk: &Talk<'_>, verdict: &Verdict, room: usize, had: &str) -> String {
    let first = &talk.turns[0];
    let turn = if is_thin(first) && first.spoken.suggestions.is_empty() {
        talk.turns
            .iter()
            .take(verdict.deciding.unwrap_or(talk.turns.len()).max(1))
            .max_by_key(|it| (weight(it), std::cmp::Reverse(it.at)))
            .unwrap_or(first)
    } else {
        first
    };
    let verb = if !turn.spoken.sentences.is_empty() && turn.acts.ask >= 2 {
        "asked"
    } else if turn.spoken.sentences.is_empty() && !turn.spoken.suggestions.is_empty() {
        "suggested"
    } else {
        "said"
    };
    let head = format!("{} {had}{verb}: ", turn.who());
    let room = room.saturating_sub(head.chars().count() + 2);
    if room < 24 {
        return String::new();
    }
    let gist = gist(turn, room, &focus(talk, verdict));
    if verb == "suggested" { head + &gist } else { format!("{head}“{gist}”") }
}

fn unresolved(talk: &Talk<'_>, verdict: &Verdict) -> Words {
    let first = &talk.turns[0];
    let asked = &talk.turns[verdict.asked];
    let focus = focus(talk, verdict);
    let mut text = String::from("Unresolved: ");
    let others: Vec<&Turn<'_>> =
        talk.turns.iter().filter(|it| it.at > first.at && it.who() != first.who()).collect();
    let share = if talk.turns.len() == 1 { 330 } else { 170 };
    text.push_str(&says(first, share, &focus));
    let reply = others
        .iter()
        .rev()
        .find(|it| it.at != asked.at)
        .filter(|_| verdict.asked > 0 || !others.is_empty());
    if let Some(reply) = reply {
        append(&mut text, reply, 110, &focus);
    }
    if verdict.asked > 0 {
        append(&mut text, asked, 130, &focus);
    } else if talk.turns.len() == 1 {
        text.push_str(" No answer yet.");
    }
    let open = question(asked).or_else(|| question(first));
    Words { text, open_question: open, positions: positions(talk), ..Words::default() }
}

fn append(text: &mut String, turn: &Turn<'_>, share: usize, focus: &BTreeSet<String>) {
    let room =
        TEXT.saturating_sub(text.chars().count() + 1).min(share + turn.who().chars().count() + 12);
    if room > 60 {
        text.push(' ');
        text.push_str(&says(turn, room - turn.who().chars().count() - 12, focus));
    }
}

fn says(turn: &Turn<'_>, room: usize, focus: &BTreeSet<String>) -> String {
    let gist = gist(turn, room, focus);
    let who = turn.who();
    if turn.spoken.sentences.is_empty() && !turn.spoken.suggestions.is_empty() {
        format!("{who} suggests {gist}.")
    } else if turn.acts.ask >= 2 {
        format!("{who} asks: “{gist}”")
    } else {
        format!("{who}: “{gist}”")
    }
}

fn question(turn: &Turn<'_>) -> Option<String> {
    let best = turn.spoken.sentences.iter().rev().find(|it| it.question);
    let best = best
        .or_else(|| turn.spoken.sentences.iter().max_by_key(|it| acts::of_sentence(it).request));
    best.map(|it| clip(&it.text, 200))
}

/// Each person's last stance, when at least two people spoke to the matter and one objected.
fn positions(talk: &Talk<'_>) -> Vec<Position> {
    let humans = talk.turns.iter().filter(|it| it.actor != Actor::Bot && weight(it) >= 3);
    let mut out: Vec<Position> = Vec::new();
    for turn in humans {
        let stance = stance(turn);
        match out.iter_mut().find(|it| it.who == turn.who()) {
            Some(it) => {
                it.stance = stance;
                it.cites = vec![turn.cite()];
            }
            None => {
                out.push(Position { who: turn.who().to_owned(), stance, cites: vec![turn.cite()] })
            }
        }
    }
    let objected = talk.turns.iter().skip(1).any(|it| it.acts.object > 0);
    if out.len() < 2 || !objected { Vec::new() } else { out }
}

fn stance(turn: &Turn<'_>) -> String {
    let weigh = |it: &&Sentence| {
        let acts = acts::of_sentence(it);
        2 * usize::from(acts.object + acts.keep + acts.propose)
            + usize::from(acts.request + acts.ask)
            + terms::content_words(&it.text).len().min(6)
    };
    turn.spoken.sentences.iter().max_by_key(weigh).map(|it| clip(&it.text, 200)).unwrap_or_default()
}

/// Words of the other comments: a sentence that shares them is about the thread's subject.
fn focus(talk: &Talk<'_>, verdict: &Verdict) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    let wanted = [Some(0), Some(verdict.asked), verdict.deciding];
    for turn in wanted.into_iter().flatten().filter_map(|at| talk.turns.get(at)) {
        for sentence in &turn.spoken.sentences {
            out.extend(terms::content_words(&sentence.text));
        }
        for quote in &turn.spoken.quotes {
            out.extend(terms::content_words(quote));
        }
    }
    out
}

/// What a comment says, in at most `room` characters: its weightiest sentences in their order.
pub fn gist(turn: &Turn<'_>, room: usize, focus: &BTreeSet<String>) -> String {
    let sentences = &turn.spoken.sentences;
    let mut order: Vec<usize> = (0..sentences.len()).collect();
    order.sort_by_key(|at| std::cmp::Reverse(rank(&sentences[*at], *at, focus)));
    let mut kept: BTreeSet<usize> = BTreeSet::new();
    let mut used = 0;
    for at in order {
        let length = sentences[at].text.chars().count() + 3;
        if kept.is_empty() || used + length <= room {
            used += length;
            kept.insert(at);
        }
    }
    if kept.is_empty() {
        return wordless(turn, room);
    }
    let mut text = String::new();
    let mut last = None;
    for at in kept {
        if let Some(last) = last {
            text.push_str(if at == last + 1 { " " } else { " … " });
        }
        text.push_str(&sentences[at].text);
        last = Some(at);
    }
    clip(&text, room)
}

fn rank(sentence: &Sentence, at: usize, focus: &BTreeSet<String>) -> i64 {
    let acts = acts::of_sentence(sentence);
    let words = terms::content_words(&sentence.text);
    let shared = words.iter().filter(|it| focus.contains(*it)).count().min(4) as i64;
    let named = terms::identifiers(&sentence.text).len().min(3) as i64;
    let act = i64::from(acts.ask.max(acts.request).max(acts.done).max(acts.object).max(acts.keep));
    let thin = if words.len() < 3 { 3 } else { 0 };
    10 * (2 * act + shared + 2 * named - thin + (words.len().min(6) as i64) / 2)
        - (at as i64).min(9)
}

fn wordless(turn: &Turn<'_>, room: usize) -> String {
    let spoken = &turn.spoken;
    if let Some(body) = spoken.suggestions.first() {
        let line = body.lines().map(str::trim).find(|it| !it.is_empty());
        return match line {
            Some(line) => format!("`{}`", clip(&line.replace('`', "'"), room.saturating_sub(2))),
            None => "to delete these lines".to_owned(),
        };
    }
    let code =
        spoken.code.iter().flat_map(|it| it.lines()).map(str::trim).find(|it| !it.is_empty());
    let rest = spoken.quotes.first().map(String::as_str).or(code);
    clip(&prose::one_line(rest.unwrap_or("(no words)")), room)
}

/// At most `room` characters, cut between words, the cut marked, code spans closed.
pub fn clip(text: &str, room: usize) -> String {
    if text.chars().count() <= room {
        return text.to_owned();
    }
    let cut: String = text.chars().take(room.saturating_sub(2)).collect();
    let end = cut.rfind(char::is_whitespace).filter(|it| *it * 2 > cut.len()).unwrap_or(cut.len());
    let mut cut = cut[..end].trim_end_matches([',', ';', ':', '(', ' ', '—', '-']).to_owned();
    cut.push('…');
    if cut.matches('`').count() % 2 == 1 {
        cut.push('`');
    }
    cut
}

/// Whether any reviewer spoke; a thread of one voice is no discussion.
pub fn voices(talk: &Talk<'_>) -> usize {
    let of = |role| usize::from(talk.turns.iter().any(|it| it.role == role));
    of(Role::Author) + of(Role::Reviewer)
}
