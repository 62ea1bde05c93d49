//! A live pull request, opened: what is kept of it at once, then what the forge says now; and the
//! kept one alone when the forge is out of reach. Must not write to the forge.

use crate::domain::capture::Capture;
use crate::forge::{
    Document, ForgeError, Opened, capture_file,
    github::{
        lists::Lists,
        read::{self, Kept, News},
        whole::Fetched,
    },
    live::{Live, NoWay},
    target::PullRequestName,
};
use crate::store::{captures, pantry::Pantry, root};
use serde::{Deserialize, Serialize};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

/// Where live pull requests come from, and where what was read of them is kept.
#[derive(Debug, Clone)]
pub struct Source {
    pub live: Arc<Live>,
    /// The data dir.
    pub home: PathBuf,
    /// Never ask the forge.
    pub offline: bool,
    /// The longest pause for a limit that is waited out.
    pub longest: Duration,
    /// The host that a short name, `owner/name#12`, is of.
    pub host: String,
}

/// Somebody who waits.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// Takes a capture that is good enough to show while more is read.
    pub part: &'a dyn Fn(Opened, Part),
    pub tell: &'a (dyn Fn(News) + Sync),
    pub cancelled: &'a (dyn Fn() -> bool + Sync),
}

/// What a capture that is shown early is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// What was read an earlier time.
    Kept,
    /// The beginning of what is read now.
    First,
}

/// A capture, and what is to be said about it.
pub struct Read {
    pub opened: Opened,
    /// One sentence each.
    pub notices: Vec<String>,
    /// When the forge said so (RFC 3339); `None` when it was not heard.
    pub at: Option<String>,
    /// Why the forge was not heard, and an earlier capture stands in.
    pub offline: Option<String>,
}

impl Watch<'_> {
    /// Watches for nobody: nothing is shown early, told or cancelled.
    pub fn nobody() -> Self {
        Self { part: &|_, _| (), tell: &|_| (), cancelled: &|| false }
    }
}

/// Opens it. Where the forge cannot be reached and something is kept, that is what is opened, with
/// a notice.
pub fn open(
    name: &PullRequestName,
    source: &Source,
    watch: &Watch<'_>,
) -> Result<Read, ForgeError> {
    let kept = kept(&source.home, name);
    if source.offline {
        let opened = kept.ok_or_else(|| NoWay::Offline(name.to_string()))?;
        let offline = Some("offline, as asked".to_owned());
        return Ok(Read { opened, notices: Vec::new(), at: None, offline });
    }
    if let Some(kept) = &kept {
        (watch.part)(kept.clone(), Part::Kept);
    }
    match fetch(name, source, watch, kept.is_none()) {
        Ok(fetched) => Ok(settled(name, fetched, kept.as_ref())),
        Err(error) => fall_back(error, kept, watch),
    }
}

fn fetch(
    name: &PullRequestName,
    source: &Source,
    watch: &Watch<'_>,
    show_first: bool,
) -> Result<Fetched, ForgeError> {
    let github = source.live.github(&name.host)?;
    let pantry = Cupboard(Pantry::new(&source.home));
    let now = crate::store::time::now();
    let mut first = |fetched: Fetched| {
        // What is kept is whole already: the beginning of the new one would be a step back.
        if show_first {
            (watch.part)(opened(name, fetched.capture), Part::First);
        }
    };
    let watch =
        read::Watch { tell: watch.tell, cancelled: watch.cancelled, longest: source.longest };
    Ok(github.pull_request(name, &now, &pantry, watch, &mut first)?)
}

/// A capture that says the same as the kept one is the kept one: nothing that rests on it is
/// stale, and it is not kept twice.
fn settled(name: &PullRequestName, fetched: Fetched, kept: Option<&Opened>) -> Read {
    let Fetched { mut capture, mut notices } = fetched;
    if let Some(kept) = kept {
        let taken = capture.captured_at.take();
        capture.captured_at.clone_from(&kept.capture.captured_at);
        if capture == *kept.capture {
            notices.push(format!("nothing has changed on {} since the last look", name.host));
            return Read { opened: kept.clone(), notices, at: taken, offline: None };
        }
        capture.captured_at = taken;
    }
    let at = capture.captured_at.clone();
    Read { opened: opened(name, capture), notices, at, offline: None }
}

fn fall_back(
    error: ForgeError,
    kept: Option<Opened>,
    watch: &Watch<'_>,
) -> Result<Read, ForgeError> {
    match kept {
        Some(opened) if !(watch.cancelled)() => {
            let when = opened.capture.captured_at.as_deref().unwrap_or("an earlier time");
            let notices = vec![format!("{error}; this is what was read at {when}")];
            Ok(Read { opened, notices, at: None, offline: Some(error.to_string()) })
        }
        _ => Err(error),
    }
}

fn opened(name: &PullRequestName, capture: Capture) -> Opened {
    let (label, capture) = (name.to_string(), Arc::new(capture));
    Opened { label, capture, diff: None, document: Document::Derived }
}

/// What was kept of a pull request when it was last read.
pub fn kept(home: &Path, name: &PullRequestName) -> Option<Opened> {
    let repository = format!("{}/{}", name.owner, name.repository);
    let place = root::place_on_forge(&name.host, &repository, name.number);
    let path = place.iter().fold(home.join("dossiers"), |path, part| path.join(part));
    let root = root::Root::open(&path).ok()??;
    let (_, document) = captures::newest(&root).ok()??;
    let opened = capture_file::of_document(&name.to_string(), document).ok()?;
    Some(Opened { label: name.to_string(), ..opened })
}

/// The store's pantry, as the forge takes it.
pub(crate) struct Cupboard(pub(crate) Pantry);

impl read::Pantry for Cupboard {
    fn get(&self, path: &str) -> Option<Kept> {
        self.0.get(path).map(|(etag, body)| Kept { etag, body })
    }

    fn keep(&self, path: &str, kept: &Kept) {
        // A full disk costs a request more next time, not this answer.
        if let Err(error) = self.0.keep(path, &kept.etag, &kept.body) {
            tracing::debug!(%error, "an answer was not kept");
        }
    }
}

/// The lists of home as they were last read, with the time.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptLists {
    /// RFC 3339.
    pub read_at: String,
    pub lists: Lists,
}

/// Under which key the lists of a host are kept.
fn lists_key(host: &str) -> String {
    format!("lists of {host}")
}

/// The lists as they were last read, without asking anybody.
pub fn kept_lists(home: &Path, host: &str) -> Option<KeptLists> {
    let (read_at, body) = Pantry::new(home).get(&lists_key(host))?;
    Some(KeptLists { read_at, lists: serde_json::from_slice(&body).ok()? })
}

/// Asks for the lists, and keeps them.
pub fn lists(host: &str, source: &Source, watch: read::Watch<'_>) -> Result<KeptLists, ForgeError> {
    let pantry = Pantry::new(&source.home);
    let github = source.live.github(host)?;
    let lists = github.lists(&Cupboard(pantry.clone()), watch)?;
    let read_at = crate::store::time::now();
    let body = serde_json::to_vec(&lists).expect("lists have text keys only");
    if let Err(error) = pantry.keep(&lists_key(host), &read_at, &body) {
        tracing::debug!(%error, "the lists were not kept");
    }
    Ok(KeptLists { read_at, lists })
}
