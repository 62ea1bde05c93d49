//! The virtual clock: it runs with the real one, can be set forward and can be frozen.
//! Must be the only clock here.

use std::time::{SystemTime, UNIX_EPOCH};

/// Milliseconds since 1970, as this GitHub sees them.
#[derive(Debug, Default)]
pub(crate) struct Clock {
    ahead_ms: i64,
    frozen_at: Option<i64>,
}

impl Clock {
    pub(crate) fn now_ms(&self) -> i64 {
        self.frozen_at.unwrap_or_else(|| real() + self.ahead_ms)
    }

    pub(crate) fn advance(&mut self, ms: i64) {
        match &mut self.frozen_at {
            Some(at) => *at += ms,
            None => self.ahead_ms += ms,
        }
    }

    pub(crate) fn set_frozen(&mut self, frozen: bool) {
        let now = self.now_ms();
        self.frozen_at = frozen.then_some(now);
        self.ahead_ms = now - real();
    }

    /// RFC 3339 to the second, as GitHub writes times.
    pub(crate) fn now(&self) -> String {
        stamp(self.now_ms())
    }
}

pub(crate) fn stamp(ms: i64) -> String {
    let at = jiff::Timestamp::from_millisecond(ms).unwrap_or_default();
    at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

fn real() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |it| i64::try_from(it.as_millis()).unwrap_or(i64::MAX))
}
