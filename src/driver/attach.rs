//! Two processes, one dossier: the first works, the second shows its progress and then loads.
//! Must not let two at the work; the kernel's lock on the folder sees to that, over a pause and
//! until the holder dies. The ledger is only read, to know who it is and how far.

use crate::{
    driver::{
        journal::ledger_path,
        report::{Cancel, Op, Report},
        settings::Settings,
    },
    store::{
        error::StoreError,
        folder::{Folder, Lock},
        ledger::reader::Reader,
        root::Root,
    },
    task::{
        id::TaskId,
        state::{State, TaskReport},
    },
};
use std::time::Duration;

/// How often a waiting process tries the lock.
const LOOK: Duration = Duration::from_millis(25);
/// Tries between two looks at the other's progress.
const LOOKS_A_GLANCE: u32 = 10;

/// The dossier's lock, after waiting for whoever holds it. `None`: somebody asked to stop.
pub fn lock(
    dossier: &Folder,
    root: &Root,
    settings: &Settings,
    report: &(dyn Fn(Report) + Sync),
    cancel: &Cancel,
) -> Result<Option<Lock>, StoreError> {
    let mut shown: Option<Shown> = None;
    for look in 0u32.. {
        if let Some(lock) = dossier.try_lock()? {
            return Ok(Some(lock));
        }
        if cancel.is_cancelled() {
            return Ok(None);
        }
        // A wait too short to notice is not worth a sentence that outlives it.
        if look == LOOKS_A_GLANCE {
            let root = root.path().display();
            report(Report::Notice(format!("another casefile works on {root}; waiting for it")));
        }
        if look % LOOKS_A_GLANCE == 1
            && let Some(task) = at_work(root, settings)
            && shown.as_ref() != Some(&shown_of(&task))
        {
            shown = Some(shown_of(&task));
            report(Report::Task { op: Op::Attach, task: Box::new(task) });
        }
        std::thread::sleep(LOOK);
    }
    Ok(None)
}

/// What makes one progress report differ from the last.
type Shown = (u32, Option<(u64, u64)>);

fn shown_of(task: &TaskReport) -> Shown {
    (task.attempt, task.progress)
}

/// The other's task, when the ledger tells of one. A ledger that cannot be read now is no reason
/// to stop waiting; opening it for our own run will say what is wrong.
fn at_work(root: &Root, settings: &Settings) -> Option<TaskReport> {
    if !settings.has_run() {
        return None;
    }
    let reader = Reader::open(&ledger_path(settings)).ok()??;
    let at_work = reader.at_work(root.path(), &TaskId::discussion_summary());
    let (lease, task) = at_work.ok()??;
    let mut task = task?;
    if !matches!(task.state, State::Running { .. }) {
        return None;
    }
    task.progress = Some((lease.done, lease.total));
    Some(task)
}
