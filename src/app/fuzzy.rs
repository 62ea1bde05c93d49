//! Fuzzy ranking of short texts. Must not know what they stand for.

use nucleo_matcher::{
    Config, Matcher, Utf32Str,
    pattern::{CaseMatching, Normalization, Pattern},
};

/// Indices of the texts that match, best first; the order stays when nothing is asked.
pub fn rank(query: &str, texts: impl Iterator<Item = String>) -> Vec<usize> {
    if query.trim().is_empty() {
        return (0..texts.count()).collect();
    }
    let mut matcher = Matcher::new(Config::DEFAULT);
    let pattern = Pattern::parse(query, CaseMatching::Smart, Normalization::Smart);
    let mut buffer = Vec::new();
    let mut found: Vec<(u32, usize)> = texts
        .enumerate()
        .filter_map(|(at, text)| {
            let score = pattern.score(Utf32Str::new(&text, &mut buffer), &mut matcher)?;
            Some((score, at))
        })
        .collect();
    found.sort_by_key(|(score, at)| (std::cmp::Reverse(*score), *at));
    found.into_iter().map(|it| it.1).collect()
}

#[cfg(test)]
mod tests {
    use crate::app::fuzzy::rank;

    #[test]
    fn the_best_comes_first() {
        let texts = ["next-thread", "threads", "wrap"].map(str::to_owned);
        assert_eq!(rank("thre", texts.clone().into_iter()), [1, 0]);
        assert_eq!(rank("", texts.into_iter()), [0, 1, 2]);
    }
}
