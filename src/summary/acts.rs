//! Speech acts of one comment: done, agreed, asked, requested, objected, promised. Must not know
//! who speaks or what was said before; `verdict` does.
//!
//! Rules are about English forms ("has been moved", "let me …", "why not …?"), never about one
//! project's words. A comment in another language has few acts, and its thread is judged by who
//! spoke last.

use crate::summary::prose::{Sentence, Spoken};

/// What one comment does. Weights are small integers: 1 a hint, 2 plain, 3 beyond doubt.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Acts {
    /// Says that something was done.
    pub done: u8,
    /// Says yes to what was said before.
    pub agree: u8,
    /// Gives up one's own point: "never mind", "oh, I see", "you're right".
    pub concede: u8,
    /// Says things may stay as they are.
    pub keep: u8,
    /// Says that the writer will act.
    pub promise: u8,
    /// Offers a way to go and waits for a word: "we could …".
    pub propose: u8,
    /// Says that it is for later or for elsewhere.
    pub defer: u8,
    pub ask: u8,
    pub request: u8,
    pub object: u8,
    pub thanks: u8,
    /// Says outright that nothing is to be done.
    pub no_action: u8,
}

/// Where in a sentence a cue must stand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    /// After nothing but interjections.
    Start,
    Anywhere,
    /// The whole sentence, interjections aside.
    Whole,
}

type Cue = (fn(&mut Acts) -> &mut u8, u8, At, &'static [&'static str]);

/// The cue table. Words are lower-case, apostrophes straight, code spans are `§`.
const CUES: &[Cue] = &[
    (
        |it| &mut it.agree,
        2,
        At::Start,
        &[
            "yes",
            "yep",
            "yup",
            "yeah",
            "sure",
            "ok",
            "okay",
            "agreed",
            "agree",
            "i agree",
            "right",
            "indeed",
            "exactly",
            "correct",
            "true",
            "absolutely",
            "definitely",
            "of course",
            "+1",
            "👍",
            ":+1:",
            "ack",
            "makes sense",
            "that makes sense",
            "good point",
            "good idea",
            "great idea",
            "good catch",
            "nice catch",
            "great catch",
            "sounds good",
            "sgtm",
            "lgtm",
            "looks good",
            "works for me",
            "fair enough",
            "fair point",
            "no problem",
            "valid point",
            "totally",
            "good call",
            "great point",
            "sounds reasonable",
            "seems reasonable",
            "seems good",
            "np",
        ],
    ),
    (
        |it| &mut it.agree,
        1,
        At::Anywhere,
        &[
            "makes sense",
            "good point",
            "good idea",
            "i agree",
            "you're right",
            "you are right",
            "fair enough",
            "agreed",
            "that's fine",
            "that is fine",
            "i'm fine with",
            "fine with me",
            "fine by me",
            "looks good",
            "sounds good",
            "i like it",
            "excellent point",
            "works for me",
            "happy with",
        ],
    ),
    (
        |it| &mut it.concede,
        2,
        At::Start,
        &[
            "never mind",
            "nevermind",
            "nvm",
            "my bad",
            "my mistake",
            "i see",
            "got it",
            "i understand",
            "now i see",
            "now i get",
            "you're right",
            "you are right",
            "fair enough",
            "fair point",
            "touché",
            "ah",
            "oh i see",
            "i missed",
            "i forgot",
            "i misread",
            "i misunderstood",
            "makes sense",
            "that makes sense",
            "thanks for explaining",
            "thanks for clarifying",
            "thanks for the explanation",
            "thanks for the clarification",
            "ignore this",
            "ignore me",
            "disregard",
            "scratch that",
            "no worries",
            "understood",
        ],
    ),
    (
        |it| &mut it.concede,
        2,
        At::Anywhere,
        &[
            "never mind",
            "nevermind",
            "now i see",
            "i hadn't considered",
            "i didn't realize",
            "i didn't realise",
            "i stand corrected",
            "i was wrong",
            "please ignore",
            "i'm convinced",
            "i retract",
            "i take that back",
            "answer is fair",
            "my stupidity",
            "wasn't aware",
        ],
    ),
    (
        |it| &mut it.keep,
        2,
        At::Anywhere,
        &[
            "fine as is",
            "fine as it is",
            "leave it",
            "leave as is",
            "leave this",
            "keep it",
            "keep as is",
            "keep this",
            "as is",
            "no need to",
            "not needed",
            "isn't needed",
            "not necessary",
            "isn't necessary",
            "not worth",
            "that's fine",
            "i think it's fine",
            "it is fine",
            "won't fix",
            "wontfix",
            "no change needed",
            "by design",
            "intentional",
            "intended",
            "on purpose",
            "not a problem",
            "good as is",
            "better we don't",
            "not do that",
            "don't think we should",
            "don't think it's worth",
            "don't think we need",
        ],
    ),
    (
        |it| &mut it.promise,
        2,
        At::Anywhere,
        &[
            "i will",
            "i'll",
            "we'll",
            "we will",
            "let me",
            "i'm going to",
            "gonna",
            "i can",
            "i could",
            "i'm thinking of",
            "i plan",
            "planning to",
            "on my list",
            "todo",
            "thought i had",
            "thought i did",
            "forgot to",
            "work in progress",
            "working on",
            "look into",
            "i would like to",
            "i'd like to",
            "trying to",
            "try to",
        ],
    ),
    (
        |it| &mut it.propose,
        2,
        At::Anywhere,
        &[
            "we can",
            "we could",
            "i'd rather",
            "i would rather",
            "would it be",
            "i propose",
            "i suggest",
            "my preference",
            "i'd prefer",
            "i would prefer",
            "i'm inclined",
            "happy to",
            "i'd be fine",
            "alternatively",
        ],
    ),
    (
        |it| &mut it.defer,
        2,
        At::Anywhere,
        &[
            "follow-up",
            "followup",
            "follow up",
            "follow-ups",
            "separate pr",
            "another pr",
            "future pr",
            "next pr",
            "different pr",
            "separate pull request",
            "later pr",
            "subsequent pr",
            "tracked",
            "in the future",
            "out of scope",
            "out-of-scope",
            "for later",
            "separate issue",
        ],
    ),
    (|it| &mut it.promise, 2, At::Start, &["will", "can do", "looking into", "checking"]),
    (
        |it| &mut it.request,
        2,
        At::Start,
        &[
            "please",
            "pls",
            "let's",
            "lets",
            "suggest",
            "i suggest",
            "i'd suggest",
            "i propose",
            "i would prefer",
            "i'd prefer",
            "consider",
            "how about",
            "what about",
            "why not",
            "perhaps",
            "maybe",
            "nit",
            "still open",
            "same here",
            "ditto",
            "same",
            "needs",
            "need to",
            "same as",
        ],
    ),
    (
        |it| &mut it.request,
        1,
        At::Anywhere,
        &[
            "please",
            "should",
            "shouldn't",
            "could",
            "needs to",
            "need to",
            "must",
            "would be better",
            "would be nice",
            "would be good",
            "i'd prefer",
            "i would prefer",
            "i think we want",
            "instead of",
            "would be great",
            "would be helpful",
            "better to",
            "might be better",
            "suggest",
            "recommend",
            "i'd rather",
            "can be",
            "can you",
            "could you",
            "would you",
            "can we",
            "could we",
            "wouldn't hurt",
            "would help",
            "would love",
            "it'd be",
            "nice to",
            "you may want",
            "you might want",
            "we might want",
            "prefer",
            "still open",
            "overlooked",
            "you forgot",
            "you missed",
            "missing",
        ],
    ),
    (
        |it| &mut it.ask,
        1,
        At::Anywhere,
        &[
            "i wonder",
            "wondering",
            "not sure if",
            "not sure whether",
            "not sure why",
            "not sure what",
            "don't understand",
            "wdyt",
            "thoughts",
            "let me know",
            "what do you think",
            "curious",
            "unclear",
            "not clear",
            "i'd like to know",
            "don't see why",
            "confused",
            "opinions",
            "any ideas",
        ],
    ),
    (
        |it| &mut it.object,
        2,
        At::Start,
        &[
            "no",
            "nope",
            "nack",
            "nak",
            "but",
            "however",
            "disagree",
            "i disagree",
            "i don't think",
            "i do not think",
            "huh",
            "i'm not sure",
            "not sure",
            "not really",
            "hmm",
            "hm",
            "still",
            "actually",
        ],
    ),
    (
        |it| &mut it.object,
        1,
        At::Anywhere,
        &[
            "i disagree",
            "don't think",
            "do not think",
            "not convinced",
            "are you sure",
            "doesn't work",
            "does not work",
            "still",
            "isn't right",
            "not correct",
            "incorrect",
            "wrong",
            "violates",
            "breaks",
            "not what",
            "i'd argue",
            "but i",
            "but we",
            "but this",
            "but it",
        ],
    ),
    (
        |it| &mut it.thanks,
        2,
        At::Start,
        &[
            "thanks",
            "thank you",
            "thx",
            "ty",
            "cheers",
            "nice",
            "great",
            "awesome",
            "perfect",
            "excellent",
            "cool",
            "🎉",
            "🙏",
        ],
    ),
    (|it| &mut it.thanks, 1, At::Anywhere, &["thanks", "thank you"]),
    (
        |it| &mut it.no_action,
        3,
        At::Anywhere,
        &[
            "no action needed",
            "no action required",
            "no action is needed",
            "not blocking",
            "non-blocking",
            "nothing to do",
            "no change required",
            "just noting",
            "just a note",
            "for the record",
            "fyi",
            "note to self",
            "for context",
            "just a comment",
        ],
    ),
    (
        |it| &mut it.done,
        2,
        At::Whole,
        &[
            "should be good now",
            "good now",
            "force-pushed",
            "force pushed",
            "pushed",
            "resolving",
            "is gone",
            "gone",
            "gone now",
        ],
    ),
    (
        |it| &mut it.done,
        2,
        At::Anywhere,
        &[
            "resolved in",
            "fixed in",
            "done in",
            "addressed in",
            "implemented in",
            "got rid of",
            "✅",
            "☑",
            "✔",
            "latest push",
            "force-push",
            "with the latest commit",
        ],
    ),
];

/// Interjections a sentence may open with; what follows still counts as its start.
const FILLERS: &str = " ah oh hmm hm well so and also now ok okay yes yeah yep yup sure thanks thank you great good nice cool \
                       right agreed indeed upps oops sorry hey hi absolutely perfect awesome exactly i think that's but done ugh \
                       alright true lol haha aha ahh yea just ";

/// Reads the acts of a comment off its sentences and blocks.
pub fn of(spoken: &Spoken) -> Acts {
    let mut acts = Acts::default();
    for sentence in &spoken.sentences {
        add(&mut acts, of_sentence(sentence));
    }
    if !spoken.suggestions.is_empty() {
        acts.request = acts.request.max(3);
    }
    acts
}

/// The acts of one sentence.
pub fn of_sentence(sentence: &Sentence) -> Acts {
    let words = words(&sentence.text);
    let mut acts = Acts::default();
    for (slot, weight, at, phrases) in CUES {
        let slot = slot(&mut acts);
        if phrases.iter().any(|it| stands(&words, it, *at)) {
            *slot = (*slot).max(*weight);
        }
    }
    if sentence.question {
        acts.ask = acts.ask.max(2);
        acts.done = 0;
        acts.agree = 0;
        acts.keep = 0;
    } else {
        acts.done = acts.done.max(done(&words));
    }
    if imperative(&words) {
        acts.request = acts.request.max(2);
    }
    acts
}

fn add(acts: &mut Acts, it: Acts) {
    let max = |a: &mut u8, b: u8| *a = (*a).max(b);
    max(&mut acts.done, it.done);
    max(&mut acts.agree, it.agree);
    max(&mut acts.concede, it.concede);
    max(&mut acts.keep, it.keep);
    max(&mut acts.promise, it.promise);
    max(&mut acts.propose, it.propose);
    max(&mut acts.defer, it.defer);
    max(&mut acts.ask, it.ask);
    max(&mut acts.request, it.request);
    max(&mut acts.object, it.object);
    max(&mut acts.thanks, it.thanks);
    max(&mut acts.no_action, it.no_action);
}

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

fn stands(words: &[String], phrase: &str, at: At) -> bool {
    let parts: Vec<&str> = phrase.split(' ').collect();
    let here = |from: usize| {
        words.len() >= from + parts.len() && parts.iter().zip(&words[from..]).all(|(a, b)| a == b)
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
                           ensure include exclude handle wrap sort refactor restore swap test try adjust align correct set reuse reduce \
                           shorten specify state define declare return verify validate sync initialize pass call expose hide mark \
                           keep provide organize group show limit see s/ ";

fn imperative(words: &[String]) -> bool {
    openings(words).chain(after_label(words)).any(|at| {
        words.get(at).is_some_and(|it| {
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

/// Words that may stand before a participle in "it has now been …", "I've just …".
const SUBJECTS: &str = " i we i've we've it it's this that that's these they they're all both everything has have been was were \
                        is are now just also already instead again then finally actually simply since both as , and so too \
                        comment comments commit pr § here which there've i'd both similarly too ";

/// Participles that say how things stand or what somebody thinks, not that work was done.
const STATIVE: &str = " needed expected agreed intended supposed required related confused concerned interested allowed \
                       preferred deprecated indeed need speed seed feed embed based called named wanted wondered noticed asked \
                       assumed tried tested thought mentioned suggested believed considered looked seemed liked used guessed hundred \
                       discussed shared red bed led hoped planned surprised convinced undefined unrelated limited \
                       appeared happened noted checked unused ed learned proposed unneeded decided worried ";

const IRREGULAR: &str = " done made wrote rewrote rewritten put split took taken got cut went redone did reset built kept \
                         chose swapped undid undone brought ";

/// What takes the past out of a participle: "will be", "could be", "not", "if … fixed".
const UNDOING: &str = " not never will would should could can must may might if to be needs cannot can't won't wouldn't haven't \
                       hasn't isn't aren't wasn't weren't didn't don't doesn't couldn't shouldn't once until when unless being \
                       gets get why how were'nt ";

/// How surely a sentence says that work was done.
fn done(words: &[String]) -> u8 {
    let mut best = 0;
    for clause in
        words.split(|it| matches!(it.as_str(), "," | "and" | "but" | "—" | "-" | "–" | "because"))
    {
        best = best.max(done_clause(clause));
    }
    best
}

fn done_clause(clause: &[String]) -> u8 {
    let Some(at) = clause.iter().position(|it| participle(it)) else {
        return present_now(clause);
    };
    let before = &clause[..at];
    if before.iter().any(|it| UNDOING.contains(&format!(" {it} "))) {
        return 0;
    }
    let plain = before.iter().all(|it| {
        SUBJECTS.contains(&format!(" {it} "))
            || FILLERS.contains(&format!(" {it} "))
            || it.ends_with("ly")
    });
    let perfect = before.iter().any(|it| matches!(it.as_str(), "has" | "have" | "i've" | "we've"))
        || before.last().is_some_and(|it| matches!(it.as_str(), "already" | "now"));
    let short = clause.len() <= 4 && at + 1 == clause.len() && before.len() <= 3;
    match (plain, perfect, short) {
        (true, _, _) => 3,
        (_, true, _) => 2,
        (_, _, true) => 1,
        _ => 0,
    }
}

fn participle(word: &str) -> bool {
    let regular = word.len() > 4
        && word.ends_with("ed")
        && word.chars().all(|it| it.is_alphabetic() || it == '-');
    (regular || IRREGULAR.contains(&format!(" {word} "))) && !STATIVE.contains(&format!(" {word} "))
}

/// "`f` now checks the length", "it works in place now".
fn present_now(clause: &[String]) -> u8 {
    let now = clause.iter().position(|it| it == "now");
    let tame = !clause.iter().any(|it| UNDOING.contains(&format!(" {it} ")));
    let verb = |it: &String| it.len() > 3 && it.ends_with('s') && !it.ends_with("ss");
    u8::from(now.is_some_and(|it| it > 0) && tame && clause.iter().any(verb))
}

#[cfg(test)]
mod tests {
    use crate::summary::{acts::of, prose::read};

    #[test]
    fn work_that_was_done_is_told_from_work_to_do() {
        let check = |body: &str, done: bool| {
            let acts = of(&read(body));
            assert_eq!(acts.done >= 2, done, "{body}: {acts:?}");
        };
        check("Done.", true);
        check("[Updated](https://x/y).", true);
        check("Oops, fixed now", true);
        check("I've instead added a commit that sets it", true);
        check("It has been moved to the previous commit.", true);
        check("Policies have been commented.", true);
        check("Okay, it works in place now. And added a test", true);
        check("Not done yet", false);
        check("This should be renamed", false);
        check("Could be removed?", false);
        check("As needed.", false);
        check("If removed, the build breaks", false);
        check("Was this removed?", false);
    }

    #[test]
    fn promises_requests_and_questions_are_told_apart() {
        let it = of(&read("Indeed, let me change that."));
        assert!(it.promise >= 2 && it.agree >= 2 && it.done == 0, "{it:?}");
        let it = of(&read("nit: rename this"));
        assert!(it.request >= 2 && it.ask == 0, "{it:?}");
        let it = of(&read("> why?\n\nBecause it is faster."));
        assert!(it.ask == 0 && it.request == 0, "{it:?}");
        let it = of(&read("```suggestion\nx\n```"));
        assert!(it.request == 3, "{it:?}");
        let it = of(&read("oh, now I see why."));
        assert!(it.concede >= 2, "{it:?}");
    }
}
