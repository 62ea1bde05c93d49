//! What would happen if a target were run now: what is loaded, what runs again and why, and what it
//! would cost. Must only read.

use crate::{
    domain::{
        capture::{self, Capture},
        digest::Digest,
    },
    driver::{
        dossier,
        journal::ledger_path,
        report::DriverError,
        settings::{Settings, Target},
        shelf,
        summarise::{self, Source},
    },
    store::{
        corrections,
        folder::Folder,
        ledger::reader::Reader,
        root::{self, Root},
        tasks,
    },
    summary::{discussion::Discussion, project, prompt, reuse},
    task::{
        dossier::{DossierEntry, DossierStatus, TaskStatus, ThreadCounts, Verdict},
        fingerprint::{Inputs, stale},
        id::TaskId,
        phase::{Phase, PhaseStatus},
    },
};
use std::path::PathBuf;

/// Bytes of English a token stands for, on average; an upper bound for code.
const BYTES_PER_TOKEN: u64 = 3;

/// The state of one target.
pub fn status(target: &Target, settings: &Settings) -> Result<DossierStatus, DriverError> {
    let path = root_path(target, settings);
    let ledger =
        if settings.artifacts.is_none() { Reader::open(&ledger_path(settings))? } else { None };
    let entry = shelf::entry(&path, ledger.as_ref()).unwrap_or_else(|| unseen(target, &path));
    let root = Root::open(&path)?;
    let mut task = summary(target, settings, root.as_ref())?;
    if let Some((_, reports)) = ledger.map_or(Ok(None), |it| it.newest_run(&path))? {
        task.last = reports.into_iter().find(|it| it.task_id == task.task_id);
    }
    Ok(DossierStatus { entry, tasks: vec![task] })
}

/// Where the target's root is or would be.
pub fn root_path(target: &Target, settings: &Settings) -> PathBuf {
    root_of(&target.capture, settings)
}

/// Where the root of a capture is or would be.
pub fn root_of(capture: &Capture, settings: &Settings) -> PathBuf {
    let place = root::place_path(capture);
    match &settings.artifacts {
        Some(it) if it.several => it.dir.join(place),
        Some(it) => it.dir.clone(),
        None => settings.home.join("dossiers").join(place),
    }
}

fn summary(
    target: &Target,
    settings: &Settings,
    root: Option<&Root>,
) -> Result<TaskStatus, DriverError> {
    let id = TaskId::discussion_summary();
    let kept_in = root.map_or(Ok(None), |it| it.sub("dossier"))?;
    let folder = root.map_or(Ok(None), |it| it.task_if_any(&id))?;
    let kept = kept_in.as_ref().map_or(Ok(corrections::Kept::default()), corrections::read)?;
    let newest = folder.as_ref().map_or(Ok(None), tasks::newest)?;
    let previous = folder.as_ref().map_or(Ok(None), |it| dossier::previous(it, None))?;
    let capture = Capture { reviews: Vec::new(), ..Capture::clone(&target.capture) };
    let source = Source {
        capture: &capture,
        capture_digest: &Digest::of(&*target.document),
        corrections: &kept.corrections,
        previous: previous.as_ref(),
        settings,
    };
    let inputs = summarise::inputs(&source);
    let before = newest.map(|it| it.0.inputs);
    let verdict = verdict(folder.as_ref(), &inputs, before.as_ref(), settings)?;
    let total = capture.review_threads.len() as u64;
    let (again, calls, tokens) = match verdict {
        Verdict::Fresh | Verdict::Pinned => (0, 0, 0),
        _ => cost(&capture, previous.as_ref(), settings)?,
    };
    let task_id = id.to_string();
    Ok(TaskStatus { last: None, task_id, verdict, threads: (again, total), calls, tokens })
}

fn verdict(
    folder: Option<&Folder>,
    inputs: &Inputs,
    before: Option<&Inputs>,
    settings: &Settings,
) -> Result<Verdict, DriverError> {
    if settings.pin.is_some() {
        return Ok(Verdict::Pinned);
    }
    let kept = folder.map_or(Ok(tasks::Kept::Nothing), |it| tasks::load(it, inputs))?;
    Ok(match (kept, before) {
        (tasks::Kept::Damaged(it), _) => Verdict::Damaged(format!("{}: {}", it.file, it.why)),
        (tasks::Kept::Verified(record, output), _) => match summarise::decode(&output) {
            Ok(_) => Verdict::Fresh,
            Err(why) => {
                Verdict::Damaged(format!("{}/{}: {why}", record.fingerprint, record.output))
            }
        },
        (tasks::Kept::Nothing, Some(before)) => {
            Verdict::Stale(stale(before, inputs).unwrap_or_else(|| "its marker is gone".into()))
        }
        (tasks::Kept::Nothing, None) => Verdict::Missing,
    })
}

/// Threads to summarise again, calls to a model and the tokens they would send at most.
fn cost(
    capture: &Capture,
    previous: Option<&Discussion>,
    settings: &Settings,
) -> Result<(u64, u64, u64), DriverError> {
    let maker = summarise::maker(settings);
    let fresh = reuse::plan(capture, previous, &maker, &settings.us).fresh;
    let again = fresh.len() as u64;
    if maker.model.is_none() || fresh.is_empty() {
        return Ok((again, 0, 0));
    }
    let projection = project::project(capture, &fresh, &settings.budgets, &settings.us);
    let projection = projection.map_err(|it| DriverError::OverBudget(it.to_string()))?;
    let calls = projection.parts.len();
    let bytes: usize = (0..calls).map(|part| prompt::render(&projection, part).len()).sum();
    Ok((again, calls as u64, (bytes as u64).div_ceil(BYTES_PER_TOKEN)))
}

/// A target nothing was kept of yet.
fn unseen(target: &Target, path: &std::path::Path) -> DossierEntry {
    let capture = &target.capture;
    let files = capture.files.as_deref().unwrap_or_default();
    let total = capture.review_threads.len() as u64;
    DossierEntry {
        root: path.to_owned(),
        capture: PathBuf::new(),
        host: root::host_of(&capture.repository, capture.forge.as_ref()),
        repository: capture.repository.clone(),
        number: capture.pull_request.number,
        title: capture.pull_request.title.clone().unwrap_or_default(),
        author: capture.pull_request.author.clone(),
        state: capture.pull_request.state.clone(),
        additions: capture::sum(files.iter().filter_map(|it| it.additions)),
        deletions: capture::sum(files.iter().filter_map(|it| it.deletions)),
        captured_at: capture.captured_at.clone(),
        threads: ThreadCounts { total, unsummarised: total, ..ThreadCounts::default() },
        phases: Phase::ALL.into_iter().map(|it| (it, PhaseStatus::Waiting)).collect(),
    }
}
