//! What a comment says in few characters: its weightiest sentences, whole and in their order.
//! Must not rephrase; a sentence that does not fit is cut between words, and the cut is marked.

use crate::domain::text::outside::OutsideOption as _;
use crate::summary::{
    acts::Acts,
    prose::{self, Sentence},
    talk::Turn,
    terms,
};
use std::collections::{BTreeSet, HashSet};

/// What a reader is after in a comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lens {
    /// What is asked or wished for.
    Request,
    /// What was done or answered.
    Decision,
    /// Only the words that report the work.
    Report,
    /// What is held.
    Stance,
    /// The first words, as bots put their point.
    Opening,
}

/// A comment's gist, in at most `room` characters. `focus` holds words of the comments around it:
/// a sentence that shares them is about the matter.
pub fn of(turn: &Turn<'_>, lens: Lens, room: usize, focus: &BTreeSet<String>) -> String {
    let sentences = &turn.spoken.sentences;
    if sentences.is_empty() {
        return wordless(turn, room);
    }
    let kept = choose(turn, lens, room, focus);
    let mut text = String::new();
    let mut last: Option<usize> = None;
    for at in kept {
        if let Some(last) = last {
            // A heading or a list item ends without a full stop.
            if text.ends_with(|it: char| it.is_alphanumeric() || "`)”\"'".contains(it)) {
                text.push('.');
            }
            text.push_str(if at == last + 1 { " " } else { " … " });
        }
        text.push_str(&sentences[at].text);
        last = Some(at);
    }
    clip(&text, room)
}

/// What a comment suggests beside its words, to stand after them; empty when it suggests nothing
/// or `room` is too small to show it in.
pub fn beside(turn: &Turn<'_>, room: usize) -> String {
    let wordless = turn.spoken.sentences.is_empty();
    if wordless || turn.spoken.suggestions.is_empty() || room < SUGGESTION {
        return String::new();
    }
    let head = " Suggested: ";
    format!("{head}{}.", suggested(turn, room - head.len() - 1))
}

/// Fewer characters than this are not enough to show a suggestion in.
const SUGGESTION: usize = 40;

/// How many characters a comment's whole words would take.
pub fn natural(turn: &Turn<'_>) -> usize {
    let words: usize = turn.spoken.sentences.iter().map(|it| it.text.chars().count() + 4).sum();
    words + if turn.spoken.suggestions.is_empty() { 0 } else { 90 }
}

/// The sentences to keep, as indices: by rank, as long as they fit; the first one always.
fn choose(turn: &Turn<'_>, lens: Lens, room: usize, focus: &BTreeSet<String>) -> BTreeSet<usize> {
    let sentences = &turn.spoken.sentences;
    let mut order: Vec<usize> = (0..sentences.len()).collect();
    if lens == Lens::Opening && order.len() > 1 {
        order.retain(|at| !prose::is_ticked(&sentences[*at].text));
    }
    if lens == Lens::Report && turn.acts.done >= 2 {
        order.retain(|at| turn.each[*at].done >= 2);
    }
    order.sort_by_key(|at| {
        let long = sentences[*at].text.chars().count() > room;
        let rank = rank(&sentences[*at], &turn.each[*at], lens, *at, focus);
        std::cmp::Reverse(rank - if long { loss(lens) } else { 0 })
    });
    let mut kept: BTreeSet<usize> = BTreeSet::new();
    let mut used = 0;
    // "Exactly." and "Yes." carry the answer, however little they say.
    let yes = &turn.each[0];
    if lens == Lens::Decision && yes.agree >= 2 && sentences[0].text.chars().count() <= YES {
        used = sentences[0].text.chars().count() + 1;
    }
    let opened = used > 0;
    for at in order {
        let length = sentences[at].text.chars().count() + 4;
        let says = !terms::content_words(&sentences[at].text).is_empty() || sentences[at].question;
        if kept.is_empty() || says && used + length <= room + 4 {
            used += length;
            kept.insert(at);
        }
    }
    if opened {
        kept.insert(0);
    }
    kept
}

/// Longest first sentence that is kept as the answer's yes.
const YES: usize = 24;

/// What a sentence loses in rank that would have to be cut. A report of work stands in one place;
/// a request is often made twice.
fn loss(lens: Lens) -> i64 {
    match lens {
        Lens::Opening => 0,
        Lens::Decision | Lens::Report => 8,
        Lens::Request | Lens::Stance => 20,
    }
}

fn rank(sentence: &Sentence, acts: &Acts, lens: Lens, at: usize, focus: &BTreeSet<String>) -> i64 {
    let words = terms::content_words(&sentence.text);
    let shared = words.iter().filter(|it| focus.contains(*it)).count().min(4) as i64;
    let named = terms::identifiers(&sentence.text).len().min(3) as i64;
    let substance = words.len().min(6) as i64;
    let aside = sentence.text.to_lowercase().trim_start_matches(['[', '(']).starts_with("edit");
    let thin = if aside {
        9
    } else if words.len() < 3 {
        3
    } else {
        0
    };
    let (act, early) = match lens {
        // Half as much again: what is wished for outweighs names in an example.
        Lens::Request => (3 * acts.ask.max(acts.request) / 2, 1),
        Lens::Decision | Lens::Report => (acts.done.max(acts.keep).max(acts.agree.min(1)), 5),
        Lens::Stance => (acts.object.max(acts.keep).max(acts.propose).max(acts.ask), 1),
        Lens::Opening => (0, 20),
    };
    10 * (2 * i64::from(act) + shared + 2 * named - thin) + 5 * substance
        - early * (at as i64).min(9)
}

/// A comment of blocks only: its suggestion, its quote, its code.
fn wordless(turn: &Turn<'_>, room: usize) -> String {
    if !turn.spoken.suggestions.is_empty() {
        return suggested(turn, room);
    }
    let code = turn.spoken.code.iter().flat_map(|it| it.lines());
    let code = code.map(str::trim).find(|it| !it.is_empty());
    let rest = turn.spoken.quotes.first().map(String::as_str).or(code);
    clip(&prose::one_line(rest.unwrap_or("(no words)")), room)
}

/// The first line of the first suggestion that is not already in the code it is about.
pub fn suggested(turn: &Turn<'_>, room: usize) -> String {
    let body = turn.spoken.suggestions.first().map_or("", String::as_str);
    let hunk = turn.comment.diff_hunk.raw().unwrap_or_default();
    let stands: HashSet<&str> =
        hunk.lines().map(|it| it.get(1..).unwrap_or_default().trim()).collect();
    let mut lines = body.lines().map(str::trim).filter(|it| !it.is_empty()).peekable();
    if lines.peek().is_none() {
        return "to delete these lines".to_owned();
    }
    match lines.find(|it| !stands.contains(it)) {
        Some(line) => format!("`{}`", clip(&line.replace('`', "'"), room.saturating_sub(2))),
        None => "to keep only a part of these lines".to_owned(),
    }
}

/// At most `room` characters, cut between words, the cut marked, code spans closed.
pub fn clip(text: &str, room: usize) -> String {
    if text.chars().count() <= room {
        return text.to_owned();
    }
    let cut: String = text.chars().take(room.saturating_sub(2)).collect();
    // A word longer than this is an address or a script without blanks: cut inside it.
    let end = cut.rfind(char::is_whitespace).filter(|it| cut.len() - it < 48);
    let cut = &cut[..end.unwrap_or(cut.len())];
    let mut cut = cut.trim_end_matches([',', ';', ':', '(', ' ', '—', '-']).to_owned();
    cut.push('…');
    if cut.matches('`').count() % 2 == 1 {
        cut.push('`');
    }
    cut
}

/// Shares `room` among parts that would take `natural` characters each, by weight; what one part
/// does not need goes to the others.
pub fn share(room: usize, parts: &[(usize, usize)]) -> Vec<usize> {
    let mut given = vec![0; parts.len()];
    let mut open: Vec<usize> = (0..parts.len()).collect();
    let mut left = room;
    while !open.is_empty() {
        let weights: usize = open.iter().map(|it| parts[*it].1).sum::<usize>().max(1);
        let quota = |it: usize| left * parts[it].1 / weights;
        let (small, large): (Vec<usize>, Vec<usize>) =
            open.iter().partition(|it| parts[**it].0 <= quota(**it));
        if small.is_empty() {
            for it in large {
                given[it] = quota(it);
            }
            break;
        }
        for it in &small {
            given[*it] = parts[*it].0;
        }
        left -= small.iter().map(|it| parts[*it].0).sum::<usize>();
        open = large;
    }
    given
}

#[cfg(test)]
mod tests {
    use crate::summary::gist::{clip, share};

    #[test]
    fn cuts_fall_between_words_and_are_marked() {
        let check = |text: &str, room: usize, expected: &str| {
            let it = clip(text, room);
            assert_eq!(it, expected);
            assert!(it.chars().count() <= room.max(text.chars().count().min(room)));
        };
        check("short", 10, "short");
        check("some longer words", 12, "some…");
        check("use `a_long_name here` now", 20, "use `a_long_name…`");
        check("漢字漢字漢字漢字", 6, "漢字漢字…");
    }

    #[test]
    fn room_that_one_part_leaves_goes_to_the_others() {
        assert_eq!(share(100, &[(10, 1), (500, 1)]), [10, 90]);
        assert_eq!(share(100, &[(500, 3), (500, 1)]), [75, 25]);
        assert_eq!(share(100, &[(20, 1), (30, 1)]), [20, 30]);
        assert_eq!(share(100, &[]), [0usize; 0]);
    }
}
