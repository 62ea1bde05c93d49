//! Cues: which phrases hint at which speech act, as a table in a file. Must not weigh them against
//! each other; `acts` does.

use std::sync::LazyLock;

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

static CUES: LazyLock<Vec<Cue>> = LazyLock::new(|| parse(include_str!("../../assets/cues.txt")));

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
    let heard = CUES.iter().filter(|it| stands(words, &it.words, it.at));
    heard.map(|it| (it.act, it.weight))
}

/// Interjections a sentence may open with; what follows still counts as its start.
pub const FILLERS: &str = " ah oh hmm hm well so and also now ok okay yes yeah yep yup sure thanks thank you great good nice cool \
                       right agreed indeed upps oops sorry hey hi absolutely perfect awesome exactly i think that's but done ugh \
                       alright true lol haha aha ahh yea just ";

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

fn stands(words: &[String], parts: &[&str], at: At) -> bool {
    let here = |from: usize| {
        words.len() >= from + parts.len() && parts.iter().zip(&words[from..]).all(|(a, b)| *a == b)
    };
    match at {
        At::Anywhere => (0..words.len()).any(here),
        At::Start => openings(words).any(here),
        At::Whole => openings(words)
            .any(|from| here(from) && words[from + parts.len()..].iter().all(|it| it == ",")),
    }
}

/// Every place that still counts as the start: before, between and after interjections.
fn openings(words: &[String]) -> impl Iterator<Item = usize> {
    let fillers = words
        .iter()
        .take_while(|it| *it == "," || it.starts_with('@') || FILLERS.contains(&format!(" {it} ")))
        .count();
    0..=fillers
}

/// Verbs a request opens with ("Add a test", "nit: rename this").
const IMPERATIVES: &str = " add remove rename move use drop change fix make replace delete avoid check update split put merge \
                           write convert document clarify mention explain consider switch extract inline revert reword rephrase simplify \
                           ensure include exclude handle wrap sort refactor restore swap try adjust align correct reuse reduce \
                           shorten specify define declare return verify validate sync initialize pass call expose hide mark \
                           keep provide organize s/ ";

/// Whether a sentence opens with a verb of request.
pub fn imperative(words: &[String]) -> bool {
    openings(words).chain(after_label(words)).any(|at| {
        let stated = at > 0 && words[at - 1] == "i";
        !stated
            && words.get(at).is_some_and(|it| {
                IMPERATIVES.contains(&format!(" {it} ")) && it.len() > 2
                    || it.starts_with("s/") && it.len() > 3
            })
    })
}

/// After "nit:", "(optional)", "minor:" and the like.
fn after_label(words: &[String]) -> Option<usize> {
    let comma = words.iter().take(4).position(|it| it == ",")?;
    (comma <= 2).then_some(comma + 1)
}

/// Whether a list of words, blanks around each, holds a word.
pub fn among(list: &str, word: &str) -> bool {
    list.contains(&format!(" {word} "))
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
