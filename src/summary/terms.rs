//! The words that carry a subject: identifiers and content words. Must not know sentences' roles.

use crate::summary::cues::set;
use std::{collections::HashSet, sync::LazyLock};

/// Names, paths, symbols, numbers and addresses in a text, in order, without their punctuation.
pub fn identifiers(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    for (at, part) in text.split('`').enumerate() {
        let inside_code = at % 2 == 1;
        for word in part.split_whitespace() {
            let word = bare(word);
            if !word.is_empty() && (inside_code || is_identifier(word)) {
                out.push(word.to_owned());
            }
        }
    }
    out
}

/// A word without the punctuation around it.
fn bare(word: &str) -> &str {
    let edge = |it: char| ",;:!?()[]{}\"'“”‘’…*«»<>".contains(it);
    let word = word.trim_start_matches(edge).trim_end_matches(|it| it == '.' || edge(it));
    word.strip_suffix("'s").or_else(|| word.strip_suffix("’s")).unwrap_or(word)
}

/// A name rather than a word: `snake_case`, `CamelCase`, `a::b`, `a/b`, `f()`, `SHA256`, `x.rs`.
fn is_identifier(word: &str) -> bool {
    if word.contains("://") {
        return true;
    }
    let letters = word.chars().filter(|it| it.is_alphabetic()).count();
    let inner = word.chars().skip(1).any(char::is_uppercase);
    let joined =
        word.contains('_') || word.contains("::") || word.contains("()") || word.starts_with("--");
    let dotted =
        word.split_once('.').is_some_and(|(a, b)| a.len() > 1 && b.len() > 1 && !b.contains("..."));
    let path = word.contains('/') && word.len() > 4 && !word.contains("//");
    let digits = word.chars().any(|it| it.is_ascii_digit());
    letters >= 2 && (joined || dotted || path || inner || digits)
}

/// Common words that carry no subject.
static STOP: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    set(
        " about above after again all also although always and another any anyway are aren't around because been \
    before being below better both but can can't cannot case comment could did didn't does doesn't doing don't done down each either \
    else even ever every fine first for from get gets going good had has hasn't have here how however i'd i'll i'm i've if in \
    instead into is isn't it it's its itself just keep know least less let like line look looks make makes many maybe mean means might more most much must \
    need needs never nit not now of off often okay one only or other otherwise our out over own perhaps please point possible pretty probably \
    quite rather really right same seems seen see should shouldn't since so some something still such sure suggestion than thank thanks that that's the their \
    them then there there's these they thing things think this those though thought through to too try two under unless until up update use used \
    uses using usually very want was wasn't way we well were what what's when where whether which while who whole why will with within without won't work \
    works would wouldn't yeah yes yet you you're your ",
    )
});

/// Lower-case words of a text that say what it is about.
pub fn content_words(text: &str) -> Vec<String> {
    let split =
        |it: char| !(it.is_alphanumeric() || it == '_' || it == '\'' || it == '’' || it == '-');
    let words = text
        .split(split)
        .map(|it| it.trim_matches(['\'', '’', '-']).to_lowercase().replace('’', "'"));
    words.filter(|it| it.chars().count() >= 3 && !STOP.contains(it.as_str())).collect()
}

#[cfg(test)]
mod tests {
    use crate::summary::terms::{content_words, identifiers};

    #[test]
    fn names_are_told_from_words() {
        let check =
            |text: &str, expected: &[&str]| assert_eq!(identifiers(text), expected, "{text}");
        check("Rename `foo bar` in src/lib.rs.", &["foo", "bar", "src/lib.rs"]);
        check("Please use SHA256 and max_size, e.g. here", &["SHA256", "max_size"]);
        check("A CamelCase name (Vec::new())", &["CamelCase", "Vec::new"]);
        check("and/or is fine. Yes.", &["and/or"]);
        check("(see c6cbdf1a90). Then", &["c6cbdf1a90"]);
        check("see https://x.org/a", &["https://x.org/a"]);
    }

    #[test]
    fn common_words_carry_nothing() {
        assert_eq!(content_words("I think that we should use the table"), ["table"]);
    }
}
