//! The clock and the pace of leases, injectable for crash tests.
//! Must be the only place in `store` and `driver` that reads a clock.

use std::time::Duration;

/// How often a running task says it is alive (dossier-and-tasks, section 4).
const HEARTBEAT: Duration = Duration::from_secs(5);
/// Without a sign of life for so long its process counts as dead.
const LEASE: Duration = Duration::from_secs(30);

/// Now, RFC 3339, UTC, to the millisecond.
pub fn now() -> String {
    timestamp(now_ms())
}

/// Now, in milliseconds since 1970.
pub fn now_ms() -> i64 {
    jiff::Timestamp::now().as_millisecond() + shift("CASEFILE_TEST_CLOCK_MS")
}

/// How often a lease is renewed.
pub fn heartbeat() -> Duration {
    paced("CASEFILE_TEST_HEARTBEAT_MS", HEARTBEAT)
}

/// How long a lease lasts without being renewed.
pub fn lease() -> Duration {
    paced("CASEFILE_TEST_LEASE_MS", LEASE)
}

/// Lets one step of work last as long as a crash test wants it to; nothing outside tests.
pub fn pause() {
    let step = paced("CASEFILE_TEST_STEP_MS", Duration::ZERO);
    if !step.is_zero() {
        std::thread::sleep(step);
    }
}

/// RFC 3339 with milliseconds.
pub fn timestamp(ms: i64) -> String {
    let at = jiff::Timestamp::from_millisecond(ms).unwrap_or_default();
    format!("{at:.3}")
}

/// `20251130T171702Z`: the form used in file names. `None` when the text is not a time.
pub fn compact(rfc3339: &str) -> Option<String> {
    let at: jiff::Timestamp = rfc3339.parse().ok()?;
    Some(at.strftime("%Y%m%dT%H%M%SZ").to_string())
}

#[cfg(feature = "test-support")]
fn paced(name: &str, default: Duration) -> Duration {
    let ms = std::env::var(name).ok().and_then(|it| it.parse().ok());
    ms.map_or(default, Duration::from_millis)
}

#[cfg(not(feature = "test-support"))]
fn paced(_name: &str, default: Duration) -> Duration {
    default
}

#[cfg(feature = "test-support")]
fn shift(name: &str) -> i64 {
    std::env::var(name).ok().and_then(|it| it.parse().ok()).unwrap_or_default()
}

#[cfg(not(feature = "test-support"))]
fn shift(_name: &str) -> i64 {
    0
}

#[cfg(test)]
mod tests {
    use crate::store::time::{compact, timestamp};

    #[test]
    fn forms() {
        assert_eq!(timestamp(1_764_523_022_007), "2025-11-30T17:17:02.007Z");
        assert_eq!(compact("2025-11-30T17:17:02Z").as_deref(), Some("20251130T171702Z"));
        assert_eq!(compact("2025-11-30T19:17:02+02:00").as_deref(), Some("20251130T171702Z"));
        assert_eq!(compact("yesterday"), None);
        assert_eq!(compact("9999999-11-30T17:17:02Z"), None);
    }
}
