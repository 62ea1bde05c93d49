//! Whether a sentence says that work was done: participles and what stands before them. Must not
//! know which words name whose work; it knows English forms only.

use crate::summary::cues::{FILLERS, set};
use std::{collections::HashSet, sync::LazyLock};

/// Words that may stand before a participle in "it has now been …", "I've just …".
static SUBJECTS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    set(
        " i we i've we've it it's this that that's these they they're all both everything has have been was were \
                        is are now just also already instead again then finally actually simply since both as , and so too \
                        comment comments commit pr § here which there've i'd both similarly too ",
    )
});

/// Participles that say how things stand or what somebody thinks, not that work was done.
static STATIVE: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    set(
        " needed expected agreed intended supposed required related confused concerned interested allowed \
                       preferred deprecated indeed need speed seed feed embed based called named wanted wondered noticed asked \
                       assumed tried tested thought mentioned suggested believed considered looked seemed liked used guessed hundred \
                       discussed shared red bed led hoped planned surprised convinced undefined unrelated limited \
                       appeared happened noted checked unused ed learned proposed unneeded decided worried figured realized realised remembered opened filed involved missed figured realized realised remembered
                       opened filed confirmed involved ",
    )
});

static IRREGULAR: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    set(
        " done made wrote rewrote rewritten put split took taken got cut went redone did reset built kept \
                         chose swapped undid undone brought ",
    )
});

/// What takes the past out of a participle: "will be", "could be", "not", "if … fixed".
static UNDOING: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    set(
        " not never will would should could can must may might if to be needs cannot can't won't wouldn't haven't \
                       hasn't isn't aren't wasn't weren't didn't don't doesn't couldn't shouldn't once until when unless being \
                       gets get why how ",
    )
});

/// How surely a sentence says that work was done.
pub fn done(words: &[String]) -> u8 {
    let mut best = 0;
    // "Thanks, fixed" and "moved it, added a test" report; "the pointer, obtained by a copy" tells
    // of the pointer. A clause may open with its participle only while nothing else was said.
    let mut fresh = true;
    for clause in words.split(|it| is_break(it)) {
        let mut words = clause.iter().skip_while(|it| it.ends_with("ly"));
        let bare = words.next().is_some_and(|it| participle(it));
        let told = if bare && !fresh { 0 } else { done_clause(clause, fresh) };
        fresh = told > 1 || fresh && clause.iter().all(|it| among(it));
        best = best.max(told);
    }
    best
}

/// Opens with a report of work: "Done in …", "Removed the …".
pub fn opens(words: &[String]) -> bool {
    let first = words.iter().find(|it| !FILLERS.contains(it.as_str()) && *it != ",");
    !lists(words) && words.first().is_some_and(|it| it == "done")
        || first.is_some_and(|it| participle(it) && !LISTING.contains(it.as_str()))
}

/// Opens with putting something on a list, which leaves it to be done.
pub fn lists(words: &[String]) -> bool {
    let first = words.iter().find(|it| !FILLERS.contains(it.as_str()) && *it != ",");
    first.is_some_and(|it| LISTING.contains(it.as_str()))
}

static LISTING: LazyLock<HashSet<&str>> =
    LazyLock::new(|| set("added noted captured tracked logged recorded listed"));

fn among(word: &str) -> bool {
    FILLERS.contains(word) || NODS.contains(word)
}

/// The rest of "good idea", "makes sense", "you're right".
static NODS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    set(
        "idea point catch call suggestion makes make sense sounds works you're you are fair enough me for by fine with",
    )
});

fn is_break(word: &str) -> bool {
    matches!(word, "," | "and" | "but" | "—" | "-" | "–" | "because")
}

/// `first`: nothing but interjections came before in the sentence.
fn done_clause(clause: &[String], first: bool) -> u8 {
    let Some(at) = clause.iter().position(|it| participle(it)) else {
        return present_now(clause);
    };
    let (before, after) = (&clause[..at], &clause[at + 1..]);
    let said = |it: &str| before.iter().any(|word| word == it);
    if before.iter().any(|it| UNDOING.contains(it.as_str()))
        || after.first().is_some_and(|it| it == "not")
    {
        return 0;
    }
    let plain = before.iter().all(|it| {
        SUBJECTS.contains(it.as_str()) || FILLERS.contains(it.as_str()) || it.ends_with("ly")
    });
    let perfect = ["has", "have", "i've", "we've"].into_iter().any(said);
    let state = ["is", "are", "was", "were", "it's", "that's"].into_iter().any(said);
    let recent = said("now") || after.iter().any(|it| it == "now");
    let already = before.last().is_some_and(|it| it == "already");
    let short = clause.len() <= 4 && after.is_empty() && before.len() <= 3;
    match () {
        // "this is already gated": how things stand, unless the word itself means work.
        () if state && !perfect && !recent => {
            u8::from(plain) * 2 * u8::from(WORK.contains(clause[at].as_str()))
        }
        () if plain => 3,
        () if perfect || already || recent && state => 2,
        // "Proposal implemented", "typo fixed".
        () => u8::from(short) * (1 + u8::from(first)),
    }
}

/// Participles that mean work even after "is".
static WORK: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    set(
        " done fixed addressed resolved updated removed corrected implemented merged pushed reverted renamed ",
    )
});

fn participle(word: &str) -> bool {
    let whole = word.strip_prefix("re-").unwrap_or(word);
    let regular = word.len() > 4 && word.ends_with("ed") && whole.chars().all(char::is_alphabetic);
    (regular || IRREGULAR.contains(word)) && !STATIVE.contains(word)
}

/// "`f` now checks the length", "it works in place now".
fn present_now(clause: &[String]) -> u8 {
    let now = clause.iter().position(|it| it == "now");
    let tame = !clause.iter().any(|it| UNDOING.contains(it.as_str()));
    let verb = |it: &String| it.len() > 3 && it.ends_with('s') && !it.ends_with("ss");
    u8::from(now.is_some_and(|it| it > 0) && tame && clause.iter().any(verb))
}
