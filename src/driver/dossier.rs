//! The dossier phase: raw artifacts, the summary task, and the final files made from its output
//! alone. Must not give the final text anything but the summary.

use crate::{
    domain::{capture::Capture, digest::Digest},
    driver::{
        report::{DriverError, Report},
        settings::{Settings, Target},
        summarise::{self, Source},
        tasks::{Broken, Desk, Spec, run_or_load},
    },
    store::{
        captures::{self, KeptCapture, RawDigests},
        corrections,
        error::StoreError,
        folder::Folder,
        index::{Entry, Index, pretty},
        root::Root,
        tasks,
    },
    summary::{
        discussion::{Discussion, Origin},
        final_text, overview, reuse,
    },
    task::{
        fingerprint::Fingerprint,
        id::TaskId,
        phase::PhaseStatus,
        state::{State, TaskReport},
    },
};
use std::sync::Arc;

const DISCUSSION_JSON: &str = "dossier/summary/discussion.json";

/// What the final files rest on.
#[derive(Clone, Copy)]
struct MadeFrom<'a> {
    kept: &'a KeptCapture,
    raw: &'a RawDigests,
}

/// What the phase leaves behind.
pub struct Made {
    pub status: PhaseStatus,
    pub task: Option<TaskReport>,
    pub discussion: Option<Arc<Discussion>>,
    pub error: Option<DriverError>,
}

/// Runs the phase. The caller holds the dossier's lock.
pub fn run(
    root: &Root,
    kept: &KeptCapture,
    target: &Target,
    settings: &Settings,
    desk: &Desk<'_>,
) -> Result<Made, DriverError> {
    let dossier = root.dossier()?;
    dossier.sweep()?;
    let raw = captures::write_raw(&dossier, &target.document)?;
    let made_from = MadeFrom { kept, raw: &raw };
    let capture = captures::read_raw(&dossier, &target.capture)?;
    let corrections = corrections::read(&dossier)?;
    for fault in corrections.faults {
        (desk.report)(Report::Notice(fault));
    }
    let task = root.task(&TaskId::discussion_summary())?;
    let mut source = Source {
        capture: &capture,
        capture_digest: &kept.digest,
        corrections: &corrections.corrections,
        previous: None,
        settings,
    };
    let again = settings.retry.as_deref() == Some(TaskId::discussion_summary().as_str());
    let done_again = again.then(|| summarise::inputs(&source).fingerprint());
    let previous = previous(&task, done_again.as_ref())?;
    source.previous = previous.as_ref();
    match &settings.pin {
        Some(pin) => {
            let discussion = summarise::pinned(&source, &pin.base, &pin.head);
            let reason = "pinned".to_owned();
            let bytes = settled(&dossier, discussion)?;
            publish(&dossier, made_from, &capture, &bytes.0, &bytes.1)?;
            let status = PhaseStatus::Skipped { reason };
            Ok(told(desk, status, None, bytes.0))
        }
        None => summary(&dossier, &task, made_from, &source, desk),
    }
}

/// The summary task and, when it ended well, the final files.
fn summary(
    dossier: &Folder,
    task: &Folder,
    made_from: MadeFrom<'_>,
    source: &Source<'_>,
    desk: &Desk<'_>,
) -> Result<Made, DriverError> {
    let blocking = source.settings.on_summary_failure == crate::driver::settings::OnFailure::Fail;
    let inputs = summarise::inputs(source);
    let again = source.settings.retry.as_deref() == Some(inputs.task_id.as_str());
    let spec = Spec { inputs, folder: task, decode: summarise::decode, blocking, again };
    match run_or_load(&spec, desk, |job| summarise::work(source, job)) {
        Ok(finished) => {
            publish(dossier, made_from, source.capture, &finished.value, &finished.output)?;
            let status = crate::task::phase::status_of([&finished.report.state]);
            Ok(told(desk, status, Some(finished.report), finished.value))
        }
        Err(broken) => {
            let Broken { report, error } = *broken;
            let goes_on = matches!(report.state, State::FailedIsolated { .. });
            let status = match &report.state {
                State::Cancelled => PhaseStatus::Interrupted,
                _ => PhaseStatus::Failed { reason: error.to_string() },
            };
            if goes_on {
                (desk.report)(Report::Notice(format!("the discussion is not summarised: {error}")));
            }
            let error = (!goes_on).then_some(error);
            Ok(Made { status, task: Some(report), discussion: None, error })
        }
    }
}

fn told(
    desk: &Desk<'_>,
    status: PhaseStatus,
    task: Option<TaskReport>,
    discussion: Discussion,
) -> Made {
    let discussion = Arc::new(discussion);
    (desk.report)(Report::Summary(Arc::clone(&discussion)));
    Made { status, task, discussion: Some(discussion), error: None }
}

/// The note of a pinned review, and its bytes. When the one on disk differs only in the time it was
/// made, it stands: nothing changed.
fn settled(dossier: &Folder, new: Discussion) -> Result<(Discussion, Vec<u8>), StoreError> {
    let old = match dossier.sub("summary")? {
        Some(folder) => folder.read("discussion.json")?,
        None => None,
    };
    if let Some(bytes) = old
        && let Ok(mut old) = summarise::decode(&bytes)
    {
        let made_at =
            std::mem::replace(&mut old.provenance.made_at, new.provenance.made_at.clone());
        if old == new {
            old.provenance.made_at = made_at;
            return Ok((old, bytes));
        }
    }
    let bytes = pretty(&new);
    Ok((new, bytes))
}

/// The newest verified output of the task, for the threads that carry over. What is done although it
/// is done is done whole: nothing carries over from itself. Where a person's entries stand in it,
/// the engine's own come from the outputs before.
pub fn previous(
    task: &Folder,
    done_again: Option<&Fingerprint>,
) -> Result<Option<Discussion>, StoreError> {
    let records = tasks::records(task)?;
    let mut outputs = records.iter().filter_map(|it| tasks::output(task, it));
    let Some((record, output)) = outputs.next() else { return Ok(None) };
    let newest = summarise::decode(&output).ok();
    let Some(mut newest) = newest.filter(|_| done_again != Some(&record.fingerprint)) else {
        return Ok(None);
    };
    let by_a_person = newest.threads.iter().any(|it| it.origin == Origin::Person);
    for (record, output) in outputs.take_while(|_| by_a_person) {
        let older = summarise::decode(&output).ok();
        let older = older.filter(|_| done_again != Some(&record.fingerprint));
        if older.is_some_and(|it| !reuse::restore(&mut newest, &it)) {
            break;
        }
    }
    Ok(Some(newest))
}

/// Writes `summary/`, `final/` and the index; only files whose bytes changed.
fn publish(
    dossier: &Folder,
    made_from: MadeFrom<'_>,
    capture: &Capture,
    discussion: &Discussion,
    output: &[u8],
) -> Result<(), StoreError> {
    let text = final_text::markdown(discussion);
    let summary = dossier.make("summary")?;
    summary.sweep()?;
    summary.update("discussion.json", output)?;
    summary.update("discussion.md", text.as_bytes())?;
    let folder = dossier.make("final")?;
    folder.sweep()?;
    let raw = |name: &str| Entry {
        path: format!("dossier/raw/{name}"),
        sha256: made_from.raw.get(name).cloned().expect("each raw artifact was written"),
    };
    let summary = Entry { path: DISCUSSION_JSON.into(), sha256: Digest::of(output) };
    let pull = raw(captures::PULL_REQUEST);
    let files = [
        ("intent.md", overview::intent(capture), vec![pull.clone()]),
        ("change-map.md", overview::change_map(capture), vec![raw(captures::CHANGED_FILES)]),
        ("guidance.md", overview::guidance(&[]), Vec::new()),
        ("discussion.md", text, vec![summary]),
    ];
    let mut index = Index::of(made_from.kept);
    for (name, text, made_from) in files {
        folder.update(name, text.as_bytes())?;
        index.add(&format!("dossier/final/{name}"), text.as_bytes(), made_from);
    }
    index.write(dossier)?;
    Ok(())
}
