//! How long ago something was, in one word. Must not read a clock: now is data.

/// `now` against an RFC 3339 time: `12s`, `5m`, `3h`, `2d`, `7w`, `4mo`, `3y`; empty when the text is no
/// time or lies ahead.
pub fn age(then: Option<&str>, now: i64) -> String {
    let Some(then) = then.and_then(|it| it.parse::<jiff::Timestamp>().ok()) else {
        return String::new();
    };
    match now - then.as_second() {
        gone if gone < 0 => String::new(),
        gone if gone < 60 => format!("{gone}s"),
        gone if gone < 3_600 => format!("{}m", gone / 60),
        gone if gone < 86_400 => format!("{}h", gone / 3_600),
        gone if gone < 14 * 86_400 => format!("{}d", gone / 86_400),
        gone if gone < 60 * 86_400 => format!("{}w", gone / (7 * 86_400)),
        gone if gone < 730 * 86_400 => format!("{}mo", gone / (30 * 86_400)),
        gone => format!("{}y", gone / (365 * 86_400)),
    }
}

/// A duration: `0.4s`, `12s`, `3m 20s`.
pub fn span(milliseconds: u64) -> String {
    match milliseconds {
        short if short < 10_000 => format!("{}.{}s", short / 1_000, short % 1_000 / 100),
        long if long < 60_000 => format!("{}s", long / 1_000),
        long => format!("{}m {}s", long / 60_000, long % 60_000 / 1_000),
    }
}

#[cfg(test)]
mod tests {
    use crate::app::age::{age, span};

    #[test]
    fn ages_are_one_word() {
        let check = |then, now, expected| assert_eq!(age(Some(then), now), expected);
        check("1970-01-01T00:00:30Z", 42, "12s");
        check("1970-01-01T00:00:00Z", 7_200, "2h");
        check("1970-01-01T00:00:00Z", 3 * 86_400, "3d");
        check("1970-01-01T00:00:00Z", 400 * 86_400, "13mo");
        check("1970-01-01T00:00:00Z", 1_100 * 86_400, "3y");
        check("2030-01-01T00:00:00Z", 0, "");
        check("yesterday", 0, "");
        assert_eq!(span(420), "0.4s");
        assert_eq!(span(200_000), "3m 20s");
    }
}
