//! What changed since an earlier head, found on a thread of its own. Must not know how; whoever
//! read the target does.

use crate::{
    app::{
        event::{Event, Request},
        since::Point,
    },
    driver::report::Cancel,
    tui::{
        Message,
        effects::failed,
        opening::{Finder, Reading},
    },
};
use std::sync::Arc;

/// The way to such a change for what is open, and the question under way.
#[derive(Default)]
pub struct Comparing {
    /// None when nothing is open that has an earlier head.
    pub finder: Option<Arc<Finder>>,
    asking: Cancel,
}

impl Comparing {
    /// The work that answers. The newest question counts; an older one is given up.
    pub fn ask(
        &mut self,
        request: Request,
        point: Point,
    ) -> impl FnOnce(&(dyn Fn(Message) + Sync)) + Send + use<> {
        self.stop();
        self.asking = Cancel::default();
        let (cancel, finder) = (self.asking.clone(), self.finder.clone());
        move |answer| {
            let tell = |text| answer(Message::App(Event::Notice(text)));
            let stopped = || cancel.is_cancelled();
            let watch = Reading { part: &|_| (), hear: &|_| (), tell: &tell, stopped: &stopped };
            let found = match finder {
                Some(find) => find(point, &watch),
                None => Err("what is open has no earlier head to compare with".to_owned()),
            };
            answer(match found {
                Ok(since) => Message::App(Event::Since { request, since: Box::new(since) }),
                Err(message) => failed(Some(request))(message),
            });
        }
    }

    pub fn stop(&self) {
        self.asking.cancel();
    }
}
