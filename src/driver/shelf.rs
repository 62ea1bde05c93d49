//! The dossiers on disk: listed for the home screen, opened without a forge. Must only read; a
//! dossier that cannot be read is left out of the list, not an error.

use crate::domain::text::outside::Outside;
use crate::{
    domain::capture::{self, Id},
    driver::{OpenDossier, report::DriverError, summarise},
    store::{
        captures,
        folder::Folder,
        index,
        ledger::reader::Reader,
        root::{self, Root},
    },
    summary::discussion::{Discussion, Status},
    task::{
        dossier::{DossierEntry, ThreadCounts},
        phase::{Phase, PhaseStatus, status_of},
        state::State,
    },
};
use serde::Deserialize;
use std::{cmp::Reverse, collections::HashMap, path::Path};

/// `<host>/<owner>/<repository>/<n>` is the deepest a root lies.
const DEEPEST: u32 = 4;

/// The dossiers below a data dir, the newest capture first.
pub fn dossiers(home: &Path) -> Vec<DossierEntry> {
    let below = Folder::open(home).ok().flatten();
    let Some(folder) = below.and_then(|it| it.sub("dossiers").ok().flatten()) else {
        return Vec::new();
    };
    let ledger = Reader::open(&home.join("ledger.db")).ok().flatten();
    let mut entries = Vec::new();
    walk(&folder, DEEPEST, &mut |root| entries.extend(entry(root, ledger.as_ref())));
    entries.sort_by_cached_key(|it| (Reverse(it.captured_at.clone()), it.root.clone()));
    entries
}

/// The newest capture and the summary below a root.
pub fn open(path: &Path) -> Result<OpenDossier, DriverError> {
    let none = || {
        DriverError::Input(format!(
            "{} is not a dossier: it has no captures; name the folder that holds `captures/`",
            path.display()
        ))
    };
    let root = Root::open(path)?.ok_or_else(none)?;
    let (_, document) = captures::newest(&root)?.ok_or_else(none)?;
    let discussion = discussion(&root);
    Ok(OpenDossier { root: path.to_owned(), document, discussion })
}

/// One dossier as the list shows it.
pub fn entry(path: &Path, ledger: Option<&Reader>) -> Option<DossierEntry> {
    let root = Root::open(path).ok()??;
    let (name, document) = captures::newest(&root).ok()??;
    let glance: Glance = serde_json::from_slice(&document).ok()?;
    let files = glance.files.unwrap_or_default();
    let sum = |each: fn(&File) -> Option<u64>| capture::sum(files.iter().filter_map(each));
    let discussion = discussion(&root);
    let threads = count(&glance.review_threads.unwrap_or_default(), discussion.as_ref());
    Some(DossierEntry {
        root: path.to_owned(),
        capture: path.join("captures").join(name),
        host: root::host_of(&glance.repository, glance.forge.as_ref()),
        repository: glance.repository,
        number: glance.pull_request.number,
        title: glance.pull_request.title.unwrap_or_default(),
        author: glance.pull_request.author,
        state: glance.pull_request.state,
        additions: sum(|it| it.additions),
        deletions: sum(|it| it.deletions),
        captured_at: glance.captured_at,
        threads,
        phases: phases(path, discussion.as_ref(), ledger),
    })
}

/// The parts of a capture that a list needs; patches and bodies are skipped over.
#[derive(Deserialize)]
struct Glance {
    repository: String,
    captured_at: Option<String>,
    forge: Option<capture::ForgeName>,
    pull_request: Pull,
    files: Option<Vec<File>>,
    review_threads: Option<Vec<Flags>>,
}

#[derive(Deserialize)]
struct Pull {
    number: u64,
    title: Option<Outside>,
    author: Option<Outside>,
    state: Option<Outside>,
}

#[derive(Deserialize)]
struct Flags {
    id: Id,
    is_resolved: Option<bool>,
    is_outdated: Option<bool>,
}

#[derive(Deserialize)]
struct File {
    additions: Option<u64>,
    deletions: Option<u64>,
}

fn walk(folder: &Folder, depth: u32, found: &mut dyn FnMut(&Path)) {
    if folder.sub("captures").is_ok_and(|it| it.is_some()) {
        return found(folder.path());
    }
    if depth == 0 {
        return;
    }
    for name in folder.names().unwrap_or_default() {
        if let Ok(Some(inner)) = folder.sub(&name) {
            walk(&inner, depth - 1, found);
        }
    }
}

/// The summary as published, when it is the one the index names and decodes.
fn discussion(root: &Root) -> Option<Discussion> {
    let dossier = root.sub("dossier").ok()??;
    let bytes = dossier.sub("summary").ok()??.read("discussion.json").ok()??;
    index::read(&dossier).ok()??;
    summarise::decode(&bytes).ok()
}

fn count(threads: &[Flags], discussion: Option<&Discussion>) -> ThreadCounts {
    let summaries = discussion.map_or(&[][..], |it| &it.threads);
    let known: HashMap<&Id, Status> =
        summaries.iter().map(|it| (&it.thread_id, it.status)).collect();
    let mut counts = ThreadCounts { total: threads.len() as u64, ..ThreadCounts::default() };
    for thread in threads {
        match known.get(&thread.id) {
            Some(Status::Unresolved) => counts.unresolved += 1,
            Some(Status::Settled) => counts.settled += 1,
            Some(Status::Noted) => counts.noted += 1,
            None => {
                counts.unsummarised += 1;
                counts.unsummarised_resolved += u64::from(thread.is_resolved == Some(true));
            }
        }
        counts.outdated += u64::from(thread.is_outdated == Some(true));
    }
    counts
}

/// Phases by what the ledger says of the newest run, or else by what lies there.
fn phases(
    root: &Path,
    discussion: Option<&Discussion>,
    ledger: Option<&Reader>,
) -> Vec<(Phase, PhaseStatus)> {
    let run = ledger.and_then(|it| it.newest_run(root).ok().flatten());
    let states: Vec<State> =
        run.map_or_else(Vec::new, |(_, tasks)| tasks.into_iter().map(|it| it.state).collect());
    let dossier = match discussion {
        Some(it) if it.pinned => PhaseStatus::Skipped { reason: "pinned".into() },
        _ if !states.is_empty() => status_of(&states),
        Some(_) => PhaseStatus::Done,
        None => PhaseStatus::Waiting,
    };
    vec![(Phase::Capture, PhaseStatus::Done), (Phase::Dossier, dossier)]
}
