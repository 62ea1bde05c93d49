//! Panics where a test asks for one: `CASEFILE_PANIC_KEY` names the key, `CASEFILE_PANIC_AT` the
//! place, `CASEFILE_PANIC_TEXT` what it says. Must not exist in a released binary.

use crate::app::{event::Event, key::Chord};

/// Panics when it is dropped.
struct Falling;

impl Drop for Falling {
    fn drop(&mut self) {
        panic!("a test asked for a panic in a drop");
    }
}

/// Whether this key springs the trap of that place.
pub(crate) fn springs(key: Chord, place: &str) -> bool {
    let wanted = std::env::var("CASEFILE_PANIC_AT");
    let here = wanted.as_deref().unwrap_or("loop") == place;
    here && std::env::var("CASEFILE_PANIC_KEY").is_ok_and(|it| it == key.to_string())
}

/// The traps of the drawing thread: a panic, one in a drop, and one while another unwinds.
pub(crate) fn on(event: &Event) {
    let Event::Key(key) = event else { return };
    if springs(*key, "drop") {
        drop(Falling);
    }
    let falling = springs(*key, "unwind").then(|| Falling);
    let said = std::env::var("CASEFILE_PANIC_TEXT").unwrap_or_default();
    assert!(falling.is_none() && !springs(*key, "loop"), "a test asked for a panic {said}");
}
