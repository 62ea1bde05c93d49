//! What a person writes on the open review: corrections read and saved, drafts kept as they are
//! typed. Must not start threads of its own but for the drafts; whoever performs effects does.

use crate::{
    app::event::{Event, Request},
    domain::capture::{Capture, Id},
    driver::{
        correct::{self, Written},
        settings::Settings,
        status::root_of,
    },
    summary::correction::{Correction, Said},
    tui::{
        Message,
        drafts::{self, Drafts},
        effects::failed,
    },
};
use std::{path::PathBuf, sync::mpsc::Sender};

/// Where a person's words of the open review go.
pub struct Writing {
    /// None until something is open.
    root: Option<PathBuf>,
    author: String,
    drafts: Drafts,
}

impl Writing {
    /// Nothing is open yet. `author` signs; failures of drafts go to `messages`.
    pub fn start(messages: Sender<Message>, author: String) -> Self {
        let drafts = Drafts::start(move |it| {
            // A loop that has ended needs no answer.
            let _ = messages.send(failed(None)(it));
        });
        Self { root: None, author, drafts }
    }

    /// From now on it is about this capture.
    pub fn opened(&mut self, capture: &Capture, settings: &Settings) {
        self.root = Some(root_of(capture, settings));
    }

    pub fn keep(&self, draft: Box<Said>) {
        if let Some(root) = self.root.clone() {
            self.drafts.keep(root, draft);
        }
    }

    pub fn discard(&self, thread: Id) {
        if let Some(root) = self.root.clone() {
            self.drafts.discard(root, thread);
        }
    }

    /// The work that reads what was written. Blocks; for a thread of its own.
    pub fn load(&self, request: Request) -> impl FnOnce(&(dyn Fn(Message) + Sync)) + Send + use<> {
        let root = self.root.clone().unwrap_or_default();
        let flush = self.drafts.flush();
        move |answer| {
            // What was typed a moment ago belongs to what is kept.
            flush.into_iter().for_each(drafts::Flush::wait);
            match correct::load(&root) {
                Ok(Written { corrections: kept, drafts, faults }) => {
                    answer(Message::App(Event::Corrections { request, kept, drafts }));
                    faults.into_iter().map(Event::Notice).map(Message::App).for_each(answer);
                }
                Err(cause) => answer(failed(Some(request))(cause.to_string())),
            }
        }
    }

    /// The work that saves a correction. Blocks; for a thread of its own.
    pub fn save(
        &self,
        request: Request,
        correction: Correction,
    ) -> impl FnOnce(&(dyn Fn(Message) + Sync)) + Send + use<> {
        let (root, author) = (self.root.clone().unwrap_or_default(), self.author.clone());
        move |answer| match correct::save(&root, correction, &author) {
            Ok(kept) => answer(Message::App(Event::Corrected { request, kept })),
            Err(cause) => answer(failed(Some(request))(cause.to_string())),
        }
    }
}
