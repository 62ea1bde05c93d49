//! One run's page in the ledger: what happens to its tasks is taken down here.
//! Must not exist when no run was allocated: then the ledger is not even opened.

use crate::{
    domain::digest::Digest,
    driver::{
        report::DriverError,
        settings::{EngineChoice, Pin, Settings, Target},
    },
    store::{
        captures::KeptCapture,
        error::StoreError,
        ledger::{
            Ledger,
            runs::NewRun,
            tasks::{Entry, TaskKey},
        },
        root::Root,
        tasks::TaskRecord,
        time,
    },
    task::{
        id::TaskId,
        moves::Event,
        state::{State, TaskReport},
    },
};
use serde::{Deserialize, Serialize};
use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{
        Mutex,
        atomic::{AtomicI64, Ordering},
    },
};

/// Shortest time between two steps of progress in the ledger, milliseconds.
const BREATH_MS: i64 = 200;

/// The ledger as one run sees it.
pub struct Journal {
    ledger: Ledger,
    run: String,
    /// Where this process left each task; a task that stands elsewhere was moved by another.
    states: Mutex<HashMap<TaskId, State>>,
    told_ms: AtomicI64,
}

/// What a run was asked to do, as the ledger keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    pub engine: EngineChoice,
    pub pin: Option<Pin>,
}

/// The ledger of these settings.
pub fn ledger_path(settings: &Settings) -> PathBuf {
    settings.ledger.clone().unwrap_or_else(|| settings.home.join("ledger.db"))
}

impl Journal {
    /// Opens the ledger and allocates the run, or resumes one. The caller holds the root's lock.
    /// Also gives what the person should know.
    pub fn open(
        root: &Root,
        kept: &KeptCapture,
        target: &Target,
        settings: &Settings,
    ) -> Result<(Self, Vec<String>), DriverError> {
        let (ledger, notices) = Ledger::open(&ledger_path(settings))?;
        let work = work(&ledger, root, kept, target, settings);
        let run = match &settings.resume {
            None => ledger.allocate_run(work)?.0,
            Some(id) => {
                let unknown = || DriverError::Usage(format!("there is no run `{id}` to resume"));
                let row = ledger.resume_run(id)?.ok_or_else(unknown)?;
                if row.work.root != work.root {
                    return Err(DriverError::Usage(format!(
                        "run `{id}` belongs to {}, not to {}",
                        row.work.root, work.root
                    )));
                }
                row.id
            }
        };
        let (states, told_ms) = (Mutex::default(), AtomicI64::new(0));
        Ok((Self { ledger, run, states, told_ms }, notices))
    }

    pub fn run(&self) -> &str {
        &self.run
    }

    /// Brings a task to `queued` and gives the last attempt anybody made.
    pub fn queue(&self, report: &TaskReport) -> Result<u32, StoreError> {
        let key = self.key(report);
        let attempt = self.ledger.queue_task(&key, report)?;
        self.states.lock().expect("no holder panics").insert(key.task, State::Queued);
        Ok(attempt)
    }

    /// Takes down what happened to a task.
    pub fn note(
        &self,
        event: &Event,
        report: &TaskReport,
        output: Option<&Digest>,
    ) -> Result<(), StoreError> {
        let key = self.key(report);
        let mut states = self.states.lock().expect("no holder panics");
        let from = states.get(&key.task).cloned().unwrap_or(State::Queued);
        let (event, report, output) = (event.clone(), report.clone(), output.cloned());
        let task = key.task.clone();
        let next = self.ledger.move_task(Entry { key, from, event, report, output })?;
        states.insert(task, next);
        Ok(())
    }

    /// Says how far a task is, now and then.
    pub fn progress(&self, task: &str, done: u64, total: u64) {
        let now = time::now_ms();
        if done == 0 || now - self.told_ms.load(Ordering::Relaxed) >= BREATH_MS {
            self.told_ms.store(now, Ordering::Relaxed);
            self.ledger.advance_task(&TaskId::named(task), done, total);
        }
    }

    /// Why the ledger contradicts a task's record, if it does.
    pub fn contradiction(&self, record: &TaskRecord) -> Result<Option<String>, StoreError> {
        self.ledger.contradiction(record)
    }

    /// Ends the run: `done`, `failed` or `cancelled`.
    pub fn end(&self, state: &'static str) -> Result<(), StoreError> {
        self.ledger.end_run(&self.run, state)
    }

    fn key(&self, report: &TaskReport) -> TaskKey {
        TaskKey { run: self.run.clone(), task: TaskId::named(&report.task_id) }
    }
}

fn work(
    ledger: &Ledger,
    root: &Root,
    kept: &KeptCapture,
    target: &Target,
    settings: &Settings,
) -> NewRun {
    let asked = Asked { engine: settings.engine.clone(), pin: settings.pin.clone() };
    NewRun {
        root: ledger.root_name(root.path()),
        label: target.label.clone(),
        capture: kept.path.clone(),
        capture_digest: kept.digest.to_string(),
        base_sha: target.capture.base_sha().map(Into::into),
        head_sha: target.capture.head_sha().map(Into::into),
        settings: serde_json::to_string(&asked).expect("our own shapes serialise"),
    }
}
