//! A key to an action: counts, sequences, and the prompt that takes keys first.

use crate::app::{
    event::Effect,
    key::{Chord, Key},
    keymap::Lookup,
    model::Model,
    update::{prompts, run},
};

/// Counts stop here; nobody means more rows than that.
const MOST: u32 = 1_000_000;

/// Applies a key.
pub fn key(model: &mut Model, chord: Chord) -> Vec<Effect> {
    if model.prompt.is_some() {
        return prompts::key(model, chord);
    }
    if model.typed.keys.is_empty()
        && !(model.typed.count.is_none() && is_bound(model, chord))
        && let Some(digit) = digit(chord, model.typed.count)
    {
        let count = model.typed.count.unwrap_or(0).saturating_mul(10).saturating_add(digit);
        model.typed.count = Some(count.min(MOST));
        return Vec::new();
    }
    let waiting = !model.typed.keys.is_empty() || model.typed.count.is_some();
    if waiting && chord == Chord::plain(Key::Esc) {
        model.typed = crate::app::model::Typed::default();
        return Vec::new();
    }
    model.typed.keys.push(chord);
    match model.keymap.lookup(&model.typed.keys, &model.scopes()) {
        Lookup::Prefix => Vec::new(),
        Lookup::Nothing => {
            model.typed = crate::app::model::Typed::default();
            Vec::new()
        }
        Lookup::Action(action) => {
            let count = std::mem::take(&mut model.typed).count;
            run::run(model, action, count)
        }
    }
}

/// A key with a meaning of its own here: a digit that is one begins no count.
fn is_bound(model: &Model, chord: Chord) -> bool {
    matches!(model.keymap.lookup(&[chord], &model.scopes()), Lookup::Action(_))
}

fn digit(chord: Chord, count: Option<u32>) -> Option<u32> {
    let digit = chord.typed()?.to_digit(10)?;
    (digit > 0 || count.is_some()).then_some(digit)
}
