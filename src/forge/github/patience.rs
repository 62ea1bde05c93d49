//! How long a read is waited for: which answers are asked again, when, and when to give up.
//! Must not sleep or send; it says what to do next. Writes are not for it: a write is sent once.

use crate::forge::github::answer::{Limit, Trouble, Verdict};
use std::time::Duration;

/// Tries of one read that meets trouble on the other side or on the way.
const TRIES: u32 = 4;
/// The first pause after trouble; each further one is twice as long.
const FIRST: Duration = Duration::from_secs(1);
/// What GitHub asks for when a burst limit names no time; twice as long each time it returns.
const BURST: Duration = Duration::from_secs(60);
/// Pauses for limits that one read waits through.
const LIMITS: u32 = 6;
/// The smallest page that is asked for.
const LEAST: u32 = 5;

/// What to do next with a read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// The answer is final, good or not.
    Take,
    /// Ask again after this pause. `limit`: the pause holds for every request of the identity.
    Pause { pause: Duration, why: String, limit: bool },
    /// Ask again for a page of this size.
    Shrink { page: u32 },
    /// Nothing more to hope for.
    GiveUp(GaveUp),
}

/// Why a read was given up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GaveUp {
    /// The other side, or the way to it.
    Trouble(Trouble),
    /// A limit that lasts longer than anybody waits here.
    Limit { pause: Duration },
}

/// The patience with one read.
#[derive(Debug, Clone)]
pub struct Patience {
    /// The longest pause for a limit. A person can wait and cancel; a batch run is rather told.
    longest: Duration,
    tries: u32,
    bursts: u32,
    /// Pauses for limits so far. A limit that returns after every pause never ends.
    limits: u32,
}

impl Patience {
    pub fn new(longest: Duration) -> Self {
        Self { longest, tries: 0, bursts: 0, limits: 0 }
    }

    /// For who wants to know how things stand rather than to have an answer.
    pub fn of_one_try() -> Self {
        Self { longest: Duration::ZERO, tries: TRIES - 1, bursts: 0, limits: 0 }
    }

    /// What to do after an answer. `now` is Unix time; `page` the size asked for, if any;
    /// `dice` a number that differs between processes, so that they do not return all at once.
    pub fn after(&mut self, verdict: &Verdict, now: u64, page: Option<u32>, dice: u64) -> Step {
        match verdict {
            Verdict::Good | Verdict::Unchanged | Verdict::Refused(_) => Step::Take,
            Verdict::Wait(limit) => self.limit(*limit, now),
            Verdict::Smaller(trouble) => match page {
                Some(page) if page > LEAST => Step::Shrink { page: (page / 2).max(LEAST) },
                _ => self.trouble(trouble, dice),
            },
            Verdict::Again(trouble) => self.trouble(trouble, dice),
        }
    }

    fn limit(&mut self, limit: Limit, now: u64) -> Step {
        let (pause, why) = match limit {
            Limit::Quota { reset } => {
                // A second more: the clocks need not agree.
                let seconds = reset.map_or(BURST.as_secs(), |it| it.saturating_sub(now) + 1);
                (Duration::from_secs(seconds), "GitHub's hourly limit is used up")
            }
            Limit::Burst { pause } => {
                let grown = BURST.saturating_mul(1 << self.bursts.min(6));
                self.bursts += 1;
                (pause.unwrap_or(grown), "GitHub asks for a pause (too many requests at once)")
            }
        };
        if pause > self.longest || self.limits >= LIMITS {
            return Step::GiveUp(GaveUp::Limit { pause });
        }
        self.limits += 1;
        Step::Pause { pause, why: why.to_owned(), limit: true }
    }

    /// Half of the pause is sure, the other half is the dice's.
    fn trouble(&mut self, trouble: &Trouble, dice: u64) -> Step {
        self.tries += 1;
        if self.tries >= TRIES {
            return Step::GiveUp(GaveUp::Trouble(trouble.clone()));
        }
        let whole = FIRST * (1 << (self.tries - 1));
        let half = whole / 2;
        let pause = half + half.mul_f64((dice % 1_000) as f64 / 1_000.0);
        Step::Pause { pause, why: format!("GitHub has trouble ({})", trouble.what), limit: false }
    }
}

#[cfg(test)]
mod tests {
    use crate::forge::github::{
        answer::{Limit, Trouble, Verdict},
        patience::{GaveUp, Patience, Step},
    };
    use std::time::Duration;

    fn trouble() -> Trouble {
        Trouble { what: "status 500".into(), request: None }
    }

    #[test]
    fn trouble_is_met_with_longer_pauses_and_an_end() {
        let mut patience = Patience::new(Duration::from_secs(3_600));
        let again = Verdict::Again(trouble());
        for (least, most) in [(500, 1_000), (1_000, 2_000), (2_000, 4_000)] {
            let Step::Pause { pause, limit: false, .. } = patience.after(&again, 0, None, 999)
            else {
                panic!("no pause")
            };
            let millis = pause.as_millis();
            assert!((least..=most).contains(&millis), "{millis} is not in {least}..={most}");
        }
        let last = patience.after(&again, 0, None, 0);
        assert_eq!(last, Step::GiveUp(GaveUp::Trouble(trouble())));
    }

    #[test]
    fn limits_are_waited_out_unless_that_takes_too_long() {
        let mut patience = Patience::new(Duration::from_secs(600));
        let mut check = |limit, now, expected: Option<u64>| {
            let got = match patience.after(&Verdict::Wait(limit), now, None, 0) {
                Step::Pause { pause, limit: true, .. } => Some(pause.as_secs()),
                Step::GiveUp(GaveUp::Limit { .. }) => None,
                other => panic!("{other:?}"),
            };
            assert_eq!(got, expected, "{limit:?}");
        };
        check(Limit::Quota { reset: Some(1_100) }, 1_000, Some(101));
        check(Limit::Quota { reset: Some(900) }, 1_000, Some(1));
        check(Limit::Quota { reset: Some(9_000) }, 1_000, None);
        check(Limit::Burst { pause: Some(Duration::from_secs(7)) }, 0, Some(7));
        check(Limit::Burst { pause: None }, 0, Some(120));
        check(Limit::Burst { pause: None }, 0, Some(240));
        check(Limit::Burst { pause: None }, 0, Some(480));
        check(Limit::Burst { pause: None }, 0, None);
    }

    #[test]
    fn a_limit_that_never_ends_is_given_up() {
        let mut patience = Patience::new(Duration::from_secs(600));
        let limit = Verdict::Wait(Limit::Quota { reset: Some(1) });
        let pauses = (0..20)
            .filter(|_| matches!(patience.after(&limit, 1_000, None, 0), Step::Pause { .. }));
        assert_eq!(pauses.count(), 6);
    }

    #[test]
    fn pages_shrink_to_five_and_then_it_is_trouble() {
        let mut patience = Patience::new(Duration::ZERO);
        let smaller = Verdict::Smaller(trouble());
        let mut page = 100;
        let mut sizes = Vec::new();
        while let Step::Shrink { page: next } = patience.after(&smaller, 0, Some(page), 0) {
            sizes.push(next);
            page = next;
        }
        assert_eq!(sizes, [50, 25, 12, 6, 5]);
        assert!(matches!(patience.after(&smaller, 0, Some(5), 0), Step::Pause { .. }));
    }
}
