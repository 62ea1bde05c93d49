//! Cues: which phrases hint at which speech act, as a table in a file. Must not weigh them against
//! each other; `acts` does.

use std::{
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

/// What a cue hints at; `acts::Acts` says what each means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    Done,
    Agree,
    Concede,
    Keep,
    Promise,
    Propose,
    Defer,
    Ask,
    Request,
    Object,
    Thanks,
    NoAction,
}

/// Where in a sentence a cue must stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    /// After nothing but interjections.
    Start,
    Anywhere,
    /// The whole sentence, interjections aside.
    Whole,
}

struct Cue {
    act: Act,
    weight: u8,
    at: At,
    words: Vec<&'static str>,
}

/// Cues by their first word.
static CUES: LazyLock<HashMap<&'static str, Vec<Cue>>> = LazyLock::new(|| {
    let mut by_word: HashMap<&'static str, Vec<Cue>> = HashMap::new();
    for cue in parse(include_str!("../../assets/cues.txt")) {
        by_word.entry(cue.words[0]).or_default().push(cue);
    }
    by_word
});

fn parse(table: &'static str) -> Vec<Cue> {
    let lines = table.lines().filter(|it| !it.is_empty() && !it.starts_with('#'));
    lines.flat_map(|it| parse_line(it).expect("the cue table is compiled in and tested")).collect()
}

fn parse_line(line: &'static str) -> Option<Vec<Cue>> {
    let (head, phrases) = line.split_once(": ")?;
    let mut head = head.split(' ');
    let act = act(head.next()?)?;
    let weight = head.next()?.parse().ok()?;
    let at = match head.next()? {
        "start" => At::Start,
        "anywhere" => At::Anywhere,
        "whole" => At::Whole,
        _ => return None,
    };
    let phrases = phrases.split(" | ");
    Some(phrases.map(|it| Cue { act, weight, at, words: it.split(' ').collect() }).collect())
}

fn act(name: &str) -> Option<Act> {
    Some(match name {
        "done" => Act::Done,
        "agree" => Act::Agree,
        "concede" => Act::Concede,
        "keep" => Act::Keep,
        "promise" => Act::Promise,
        "propose" => Act::Propose,
        "defer" => Act::Defer,
        "ask" => Act::Ask,
        "request" => Act::Request,
        "object" => Act::Object,
        "thanks" => Act::Thanks,
        "no_action" => Act::NoAction,
        _ => return None,
    })
}

/// The acts a sentence's words hint at, with the weight of each hint.
pub fn heard(words: &[String]) -> impl Iterator<Item = (Act, u8)> {
    let start = opening(words);
    let cues = move |from: usize| {
        CUES.get(words[from].as_str()).into_iter().flatten().map(move |it| (from, it))
    };
    let heard = (0..words.len()).flat_map(cues);
    heard
        .filter(move |(from, it)| stands(words, it, *from, start))
        .map(|(_, it)| (it.act, it.weight))
}

fn stands(words: &[String], cue: &Cue, from: usize, start: usize) -> bool {
    let end = from + cue.words.len();
    let here = words.len() >= end && cue.words.iter().zip(&words[from..]).all(|(a, b)| *a == b);
    here && match cue.at {
        At::Anywhere => true,
        At::Start => from <= start,
        At::Whole => from <= start && words[end..].iter().all(|it| it == ","),
    }
}

/// The last place that still counts as the start: after interjections.
fn opening(words: &[String]) -> usize {
    let filler = |it: &&String| *it == "," || it.starts_with('@') || FILLERS.contains(it.as_str());
    words.iter().take_while(filler).count()
}

/// Interjections a sentence may open with; what follows still counts as its start.
pub static FILLERS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    set(
        " ah oh hmm hm well so and also now ok okay yes yeah yep yup sure thanks thank you great good nice cool \
                       right agreed indeed upps oops sorry hey hi absolutely perfect awesome exactly i think that's but done ugh \
                       alright true lol haha aha ahh yea just ",
    )
});

/// Lower-case words with punctuation kept as words of its own; a code span is one `§`.
pub fn words(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    for (at, part) in text.split('`').enumerate() {
        if at % 2 == 1 {
            out.push("§".to_owned());
            continue;
        }
        for word in part.split_whitespace() {
            let word = word.replace(['’', '‘'], "'").to_lowercase();
            let body = word.trim_matches(|it: char| ",.;:!?()[]{}\"“”…*_".contains(it));
            if !body.is_empty() {
                out.push(body.to_owned());
            }
            if word.ends_with([',', ';', ':', ')', '.', '!', '?', '…'])
                || matches!(body, "-" | "–" | "—")
            {
                out.push(",".to_owned());
            }
        }
    }
    out
}

/// Verbs a request opens with ("Add a test", "nit: rename this").
static IMPERATIVES: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    set(
        " add remove rename move use drop change fix make replace delete avoid check update split put merge \
                           write convert document clarify mention explain consider switch extract inline revert reword rephrase simplify \
                           ensure include exclude handle wrap sort refactor restore swap try adjust align correct reuse reduce \
                           shorten specify define declare return verify validate sync initialize pass call expose hide mark \
                           keep provide organize s/ ",
    )
});

/// Whether a sentence opens with a verb of request.
pub fn imperative(words: &[String]) -> bool {
    (0..=opening(words)).chain(after_label(words)).any(|at| {
        let stated = at > 0 && words[at - 1] == "i";
        !stated
            && words.get(at).is_some_and(|it| {
                IMPERATIVES.contains(it.as_str()) && it.len() > 2
                    || it.starts_with("s/") && it.len() > 3
            })
    })
}

/// After "nit:", "(optional)", "minor:" and the like.
fn after_label(words: &[String]) -> Option<usize> {
    let comma = words.iter().take(4).position(|it| it == ",")?;
    (comma <= 2).then_some(comma + 1)
}

/// A set of words, written as one text.
pub fn set(words: &'static str) -> HashSet<&'static str> {
    words.split_whitespace().collect()
}

#[cfg(test)]
mod tests {
    use crate::summary::cues::parse;

    #[test]
    fn the_table_reads_whole() {
        let cues = parse(include_str!("../../assets/cues.txt"));
        assert!(cues.len() > 200, "{}", cues.len());
        let loud = cues.iter().filter(|it| it.words.iter().any(|it| it.to_lowercase() != *it));
        assert_eq!(loud.count(), 0, "cues are lower case");
    }
}
