//! Where a quotation in a summary was said: found in the comments, never guessed.
//! Must not accept what is only similar.

use crate::domain::capture::Thread;
use crate::domain::text::outside::OutsideOption as _;

/// A shorter piece could stand anywhere.
const SHORTEST: usize = 12;

/// The comments that hold a sentence's quotations, as indices, in order.
pub fn sources(thread: &Thread, sentence: &str) -> Vec<u16> {
    let pieces = pieces(sentence);
    if pieces.is_empty() {
        return Vec::new();
    }
    let bodies = thread.comments.iter().map(|it| bare(it.body.raw().unwrap_or_default()));
    let holds = |(at, body): (usize, String)| {
        pieces.iter().any(|it| body.contains(it.as_str())).then_some(at as u16)
    };
    bodies.enumerate().filter_map(holds).collect()
}

/// What stands between `“` and `”`, cut at every `…`.
fn pieces(sentence: &str) -> Vec<String> {
    let mut pieces = Vec::new();
    for quotation in sentence.split('“').skip(1) {
        let quotation = quotation.split('”').next().unwrap_or_default();
        let parts = quotation.split('…').map(bare);
        pieces.extend(parts.filter(|it| it.chars().count() >= SHORTEST));
    }
    pieces
}

/// Text without blanks and Markdown's signs, so that only the words are compared.
fn bare(text: &str) -> String {
    let kept = |it: &char| !it.is_whitespace() && !"`*_>#~".contains(*it);
    text.chars().filter(kept).collect()
}

#[cfg(test)]
mod tests {
    use crate::app::{fixture, quotes::sources};

    #[test]
    fn a_quotation_is_found_where_it_was_said() {
        let capture = fixture::capture(&fixture::threads());
        let thread = &capture.review_threads[0];
        let check = |sentence, expected: &[u16]| assert_eq!(sources(thread, sentence), expected);
        check("bob: “Should this count network errors…”", &[0]);
        check("alice: “Agreed, pushed in 3fa9c1d.” bob: “count network errors only?”", &[0, 1]);
        check("bob: “Should this count disk errors”", &[]);
        check("bob: “first”", &[]);
        check("no quotation", &[]);
    }
}
