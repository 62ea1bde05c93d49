//! When the next write may leave: spacing, a budget a minute, and pauses GitHub asked for.
//! Must not wait; it names the time.
//!
//! GitHub asks for writes one at a time, a second apart, and to honour `retry-after`, then the
//! reset, else a minute, growing (docs.github.com, "Best practices for using the REST API").

/// The least time between two writes, ms.
pub const APART: i64 = 1_000;
/// Writes a minute. GitHub's limit for content is said to be 80.
pub const A_MINUTE: usize = 20;
const MINUTE: i64 = 60_000;
/// The longest pause when none was named, ms: an hour.
const MOST: i64 = 3_600_000;

/// What one identity did lately. Times are Unix ms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manners {
    apart: i64,
    a_minute: usize,
    writes: Vec<i64>,
    until: i64,
    /// Limits in a row for which no pause was named.
    nameless: u32,
}

impl Default for Manners {
    fn default() -> Self {
        Self { apart: APART, a_minute: A_MINUTE, writes: Vec::new(), until: 0, nameless: 0 }
    }
}

impl Manners {
    /// Others than the defaults: slower by the person's wish, quicker for tests alone.
    pub fn new(apart: i64, a_minute: usize) -> Self {
        Self { apart, a_minute: a_minute.max(1), ..Self::default() }
    }

    /// When the next write may leave; `now` or earlier means at once.
    pub fn next(&self, now: i64) -> i64 {
        let spaced = self.writes.last().map_or(now, |it| it + self.apart);
        let full = self.writes.len().checked_sub(self.a_minute);
        let budget = full.map_or(now, |it| self.writes[it] + MINUTE);
        spaced.max(budget).max(self.until)
    }

    /// Until when a limit holds every request of this identity, reads too.
    pub fn limited_until(&self) -> i64 {
        self.until
    }

    /// A write left.
    pub fn wrote(&mut self, at: i64) {
        self.writes.retain(|it| at - it < MINUTE);
        self.writes.push(at);
    }

    /// A write came back with an answer that was no limit.
    pub fn answered(&mut self) {
        self.nameless = 0;
    }

    /// A limit. Without a named pause: a minute, and twice as long each time it returns.
    pub fn limited(&mut self, now: i64, pause: Option<u64>) {
        let pause = pause.map_or_else(
            || {
                let grown = MINUTE.saturating_mul(1 << self.nameless.min(6)).min(MOST);
                self.nameless += 1;
                grown
            },
            |it| i64::try_from(it).unwrap_or(MOST),
        );
        self.until = self.until.max(now.saturating_add(pause));
    }
}

#[cfg(test)]
mod tests {
    use crate::outbox::manners::Manners;

    #[test]
    fn writes_are_a_second_apart_and_twenty_a_minute() {
        let mut manners = Manners::default();
        let mut now = 5;
        let mut times = Vec::new();
        for _ in 0..60 {
            now = manners.next(now).max(now);
            manners.wrote(now);
            times.push(now);
        }
        assert!(times.windows(2).all(|it| it[1] - it[0] >= 1_000));
        assert!(times.windows(21).all(|it| it[20] - it[0] >= 60_000), "{times:?}");
        assert_eq!(times[19], 19_005);
        assert_eq!(times[20], 60_005);
    }

    #[test]
    fn nameless_limits_grow_and_named_ones_are_taken_as_said() {
        let mut manners = Manners::default();
        let mut check = |pause, expected| {
            let before = manners.limited_until().max(0);
            manners.limited(before, pause);
            assert_eq!(manners.limited_until() - before, expected);
        };
        check(None, 60_000);
        check(None, 120_000);
        check(None, 240_000);
        check(Some(7_000), 7_000);
        manners.answered();
        manners.limited(1_000_000, None);
        assert_eq!(manners.limited_until(), 1_060_000);
    }
}
