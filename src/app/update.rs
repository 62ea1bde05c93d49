//! One event in, a changed model and effects out. Routes to the screens and does little itself.

use crate::app::{
    event::{Effect, Event},
    key::{Chord, Key},
    model::{Model, Size},
};

/// Applies one event.
pub fn update(model: &mut Model, event: Event) -> Vec<Effect> {
    match event {
        Event::Resize { width, height } => model.size = Size { width, height },
        Event::Tick { now } => model.now = now,
        Event::Opened { opened, .. } => model.opened = Some(*opened),
        Event::Key(Chord { key: Key::Char('q'), .. }) => return vec![Effect::Quit],
        _ => {}
    }
    Vec::new()
}
