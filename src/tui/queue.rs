//! Messages in the order they came, and those taken early while something particular was waited
//! for. Must not act on any.

use crate::{app::event::Event, tui::Message};
use std::{
    collections::VecDeque,
    sync::mpsc::{Receiver, RecvTimeoutError},
    time::Duration,
};

/// Messages, and those taken early while a frame waited for its colours.
pub(crate) struct Queue {
    received: Receiver<Message>,
    early: VecDeque<Message>,
    /// The model has more work in slices, for when nothing else waits.
    pub(crate) wake: bool,
}

impl Queue {
    pub(crate) fn new(received: Receiver<Message>) -> Self {
        Self { received, early: VecDeque::new(), wake: false }
    }

    /// The next message that has not come yet, past those kept. None when it does not come in time.
    pub(crate) fn peek(&self, limit: Duration) -> Option<Message> {
        self.received.recv_timeout(limit).ok()
    }

    /// Keeps a message for when its turn comes.
    pub(crate) fn keep(&mut self, message: Message) {
        self.early.push_back(message);
    }

    pub(crate) fn ready(&mut self) -> Option<Message> {
        self.early.pop_front().or_else(|| self.received.try_recv().ok())
    }

    /// The next message, waiting at most `limit`. None when the time is over.
    pub(crate) fn next(&mut self, limit: Option<Duration>) -> Option<Message> {
        if let Some(ready) = self.ready() {
            return Some(ready);
        }
        if std::mem::take(&mut self.wake) {
            return Some(Message::App(Event::Woken));
        }
        let lost = || Message::Ended(signal_hook::consts::SIGHUP);
        match limit {
            None => Some(self.received.recv().unwrap_or_else(|_| lost())),
            Some(limit) => match self.received.recv_timeout(limit) {
                Ok(message) => Some(message),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => Some(lost()),
            },
        }
    }
}
