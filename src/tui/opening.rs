//! How a target is read for the workbench: in parts while it takes long, and until somebody no
//! longer waits. Must not know what a target is; whoever starts the workbench does.

use crate::{
    app::{
        event::{Arrives, Found, Progress, Request, Taken},
        listed::ListNews,
        since::{Point, Since},
    },
    domain::review::Review,
    driver::{report::Cancel, settings::Target},
};
use std::{
    sync::{
        Arc,
        mpsc::{Receiver, Sender, channel},
    },
    time::Duration,
};

/// What a person wants to open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    Target(String),
    /// The bundled pull request.
    Demo,
}

/// A target, read and placed.
pub struct Loaded {
    /// What a person calls it.
    pub label: String,
    pub review: Review,
    /// The same as a run takes it. Asked for when a run starts, as it may cost a long document.
    /// None while only a part of it is here.
    pub target: Option<Box<dyn Fn() -> Result<Target, String> + Send + Sync>>,
    pub arrives: Arrives,
    pub taken: Taken,
    /// Finds what changed since an earlier head, and blocks until that is done.
    pub since: Option<Arc<Finder>>,
}

/// An error is a sentence for people.
pub type Finder = dyn Fn(Point, &Reading<'_>) -> Result<Since, String> + Send + Sync;

/// Somebody who waits for a target.
pub struct Reading<'a> {
    /// Takes what is there already of a target that is read for long.
    pub part: &'a dyn Fn(Loaded),
    /// Takes news of how far it has come.
    pub hear: &'a (dyn Fn(Progress) + Sync),
    /// Takes a sentence for the person: what is odd.
    pub tell: &'a (dyn Fn(String) + Sync),
    /// Nobody waits any more.
    pub stopped: &'a (dyn Fn() -> bool + Sync),
}

/// Reads a target and blocks until that is done. An error is a sentence for people.
pub type Opener = Arc<dyn Fn(&Wanted, &Reading<'_>) -> Result<Loaded, String> + Send + Sync>;

/// Reads the forge's lists for home and blocks until that is done: what is kept first. The last
/// news says that it is the last.
pub type Lister = Arc<dyn Fn(&(dyn Fn(ListNews) + Sync), &(dyn Fn() -> bool + Sync)) + Send + Sync>;

/// Looks at what is set up, and blocks until that is done.
pub type Doctor = Arc<dyn Fn() -> Vec<Found> + Send + Sync>;

/// The ways to what lies outside, given by whoever starts the workbench.
pub struct Ways {
    pub opener: Opener,
    pub lister: Lister,
    pub doctor: Doctor,
}

/// A target that is being read.
pub struct Underway {
    pub cancel: Cancel,
    request: Request,
    /// Has lost its sender when the reading is over.
    ended: Receiver<()>,
}

/// How long leaving waits for a reading to stop.
const PATIENCE: Duration = Duration::from_millis(300);

impl Underway {
    /// A reading, and what has to be dropped when it is over.
    pub fn begin(request: Request) -> (Self, Sender<()>) {
        let (ending, ended) = channel();
        (Self { cancel: Cancel::default(), request, ended }, ending)
    }

    /// Nobody waits for this request any more.
    pub fn stop(&self, request: Request) {
        if self.request == request {
            self.cancel.cancel();
        }
    }

    /// Stops it, and waits a moment: its git must not outlive us.
    pub fn end(self) {
        self.cancel.cancel();
        let _ = self.ended.recv_timeout(PATIENCE);
    }
}
