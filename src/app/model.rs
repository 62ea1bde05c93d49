//! The state of the interface: a few fields, each screen owning its own.
//! Must not hold terminal state or anything that acts.

use crate::app::{
    event::{Effect, Opened, Request},
    keymap::Keymap,
};
use std::sync::Arc;

/// Everything the screens are drawn from.
#[derive(Debug)]
pub struct Model {
    pub size: Size,
    /// Seconds since 1970, as the last tick said.
    pub now: i64,
    pub keymap: Arc<Keymap>,
    pub opened: Option<Opened>,
    last_request: Request,
}

/// The terminal in cells.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Size {
    pub width: u16,
    pub height: u16,
}

/// How the interface starts.
#[derive(Debug, Clone, Default)]
pub struct Start {
    pub size: Size,
    pub now: i64,
    pub first: First,
    pub keymap: Keymap,
    /// Draw with ASCII alone.
    pub ascii: bool,
    /// Capture the mouse.
    pub mouse: bool,
}

/// What to show first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum First {
    #[default]
    Home,
    Demo,
    Target(String),
}

impl Model {
    /// The first state, and what has to be done to fill it.
    pub fn start(start: Start) -> (Self, Vec<Effect>) {
        let mut model = Self {
            size: start.size,
            now: start.now,
            keymap: Arc::new(start.keymap),
            opened: None,
            last_request: 0,
        };
        let request = model.request();
        let effect = match start.first {
            First::Home => Effect::LoadDossiers { request },
            First::Demo => Effect::OpenDemo { request },
            First::Target(target) => Effect::Open { request, target },
        };
        (model, vec![effect])
    }

    /// A number for the next request.
    pub fn request(&mut self) -> Request {
        self.last_request += 1;
        self.last_request
    }
}
