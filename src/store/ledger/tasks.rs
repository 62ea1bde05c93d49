//! Tasks in the ledger. Events are kept; a state is their replay; a move is compare-and-set.
//! Must not decide a move.

use crate::{
    domain::digest::Digest,
    store::{
        error::StoreError,
        ledger::{Ledger, file::ledger_error, lease},
        tasks::TaskRecord,
        time,
    },
    task::{
        id::TaskId,
        moves::{self, Event},
        state::{State, TaskReport},
    },
    telemetry::scrub::without_credentials,
};
use rusqlite::{Connection, OptionalExtension, params};
use std::path::Path;

/// A task of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskKey {
    pub run: String,
    pub task: TaskId,
}

/// One thing that happened, and what is kept with it.
#[derive(Debug, Clone)]
pub struct Entry {
    pub key: TaskKey,
    /// Where the caller knows the task to be; anything else means somebody moved it.
    pub from: State,
    pub event: Event,
    /// The task as it will be shown.
    pub report: TaskReport,
    pub output: Option<Digest>,
}

impl Ledger {
    /// Brings a task to `queued`, whatever an earlier process left: a running one is taken down as
    /// interrupted first. Gives the last attempt. The caller holds the folder's lock.
    pub fn queue_task(&self, key: &TaskKey, report: &TaskReport) -> Result<u32, StoreError> {
        let (path, key, mut report) = (self.path.clone(), key.clone(), report.clone());
        self.writer.write("queue the task", move |on| {
            let failed = |source| ledger_error("queue the task", &path, source);
            let Some((state, attempt)) = replayed(on, &key)? else {
                insert(on, &key, &report).map_err(failed)?;
                return Ok(0);
            };
            let dead = matches!(state, State::Running { .. }).then_some(Event::Interrupted);
            let again = Event::Requeued { why: format!("taken up after {}", state.word()) };
            let again = (state != State::Queued).then_some(again);
            let mut now = state;
            for event in [dead, again].into_iter().flatten() {
                let next = moves::moved(&now, &event)?;
                report.attempt = attempt;
                let entry = Entry {
                    key: key.clone(),
                    from: now,
                    event,
                    report: report.clone(),
                    output: None,
                };
                if !append(on, &entry, &next, attempt).map_err(failed)? {
                    return Err(moved_meanwhile(&key));
                }
                now = next;
            }
            Ok(attempt)
        })
    }

    /// Moves a task. The new state is what the one table of moves says.
    pub fn move_task(&self, entry: Entry) -> Result<State, StoreError> {
        let (path, owner) = (self.path.clone(), self.owner.clone());
        self.writer.write("move the task", move |on| {
            let failed = |source| ledger_error("move the task", &path, source);
            let moved = || moved_meanwhile(&entry.key);
            let (state, attempt) = replayed(on, &entry.key)?.ok_or_else(moved)?;
            if state != entry.from {
                return Err(moved());
            }
            let next = moves::moved(&state, &entry.event)?;
            let attempt = match next {
                State::Running { attempt } => attempt,
                _ => attempt,
            };
            if !append(on, &entry, &next, attempt).map_err(failed)? {
                return Err(moved());
            }
            if matches!(next, State::Running { .. }) {
                let root = root_of(on, &entry.key.run).map_err(failed)?;
                lease::take(on, &owner, &root, &entry.key.run, &entry.key.task).map_err(failed)?;
            } else {
                lease::give_back(on, &owner, &entry.key.task).map_err(failed)?;
            }
            Ok(next)
        })
    }

    /// Says how far a running task is. May be lost.
    pub fn advance_task(&self, task: &TaskId, done: u64, total: u64) {
        let (path, owner, task) = (self.path.clone(), self.owner.clone(), task.clone());
        self.writer.write_later("advance the task", move |on| {
            let advanced = lease::advance(on, &owner, &task, done, total);
            advanced.map_err(|source| ledger_error("advance the task", &path, source))
        });
    }

    /// Why the ledger contradicts a task's record, if it does. A run this ledger never heard of
    /// proves nothing: the artifacts may have come from elsewhere.
    pub fn contradiction(&self, record: &TaskRecord) -> Result<Option<String>, StoreError> {
        let Some(run) = record.run.clone() else { return Ok(None) };
        let (path, record) = (self.path.clone(), record.clone());
        self.writer.write("compare the task", move |on| {
            let failed = |source| ledger_error("compare the task", &path, source);
            if crate::store::ledger::runs::find(on, &run).map_err(failed)?.is_none() {
                return Ok(None);
            }
            let sql = "SELECT 1 FROM task_events WHERE run_id = ?1 AND task_id = ?2
                       AND fingerprint = ?3 AND output_sha256 = ?4";
            let same = params![
                run,
                record.task_id.as_str(),
                record.fingerprint.as_str(),
                record.output_sha256.as_str()
            ];
            let known: Option<i64> =
                on.query_row(sql, same, |row| row.get(0)).optional().map_err(failed)?;
            Ok(known.is_none().then(|| format!("the ledger knows no such output of run {run}")))
        })
    }
}

/// Takes down that the process of a run is gone: each of its running tasks is interrupted.
pub fn interrupt(on: &Connection, path: &Path, run: &str) -> Result<(), StoreError> {
    let failed = |source| ledger_error("interrupt the tasks", path, source);
    for report in of_run(on, run).map_err(failed)? {
        let key = TaskKey { run: run.to_owned(), task: TaskId::named(&report.task_id) };
        let Some((from @ State::Running { attempt }, _)) = replayed(on, &key)? else { continue };
        let event = Event::Interrupted;
        let next = moves::moved(&from, &event)?;
        let entry = Entry { key, from, event, report, output: None };
        if !append(on, &entry, &next, attempt).map_err(failed)? {
            return Err(moved_meanwhile(&entry.key));
        }
    }
    Ok(())
}

/// The tasks of a run as they were last shown.
pub fn of_run(on: &Connection, run: &str) -> rusqlite::Result<Vec<TaskReport>> {
    let mut query = on.prepare("SELECT report FROM tasks WHERE run_id = ?1 ORDER BY task_id")?;
    let reports = query.query_map([run], |row| row.get::<_, String>(0))?;
    let mut decoded = Vec::new();
    for report in reports {
        decoded.extend(serde_json::from_str(&report?));
    }
    Ok(decoded)
}

/// The events of a task, oldest first.
pub fn events(on: &Connection, key: &TaskKey) -> Result<Vec<(String, Event)>, StoreError> {
    let failed = |source| StoreError::Ledger { doing: "read the history", path: "".into(), source };
    let sql = "SELECT at, event FROM task_events WHERE run_id = ?1 AND task_id = ?2 ORDER BY seq";
    let mut query = on.prepare(sql).map_err(failed)?;
    let pair = |row: &rusqlite::Row<'_>| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?));
    let rows = query.query_map(params![key.run, key.task.as_str()], pair).map_err(failed)?;
    let mut events = Vec::new();
    for row in rows {
        let (at, event) = row.map_err(failed)?;
        let event = serde_json::from_str(&event).map_err(|error| StoreError::Unreadable {
            path: format!("task {} of run {}", key.task, key.run).into(),
            why: format!("one of its events does not decode: {error}"),
        })?;
        events.push((at, event));
    }
    Ok(events)
}

/// The state as the replay of its events, which must be what the row says; and the last attempt.
fn replayed(on: &Connection, key: &TaskKey) -> Result<Option<(State, u32)>, StoreError> {
    let sql = "SELECT state, attempt FROM tasks WHERE run_id = ?1 AND task_id = ?2";
    let pair = |row: &rusqlite::Row<'_>| Ok((row.get::<_, String>(0)?, row.get::<_, u32>(1)?));
    let row = on.query_row(sql, params![key.run, key.task.as_str()], pair).optional();
    let row = row.map_err(|source| StoreError::Ledger {
        doing: "read the task",
        path: "".into(),
        source,
    })?;
    let Some((word, attempt)) = row else { return Ok(None) };
    let events = events(on, key)?;
    let state = moves::replay(events.iter().map(|it| &it.1))?;
    if state.word() != word {
        return Err(moved_meanwhile(key));
    }
    Ok(Some((state, attempt)))
}

fn insert(on: &Connection, key: &TaskKey, report: &TaskReport) -> rusqlite::Result<()> {
    on.execute(
        "INSERT INTO tasks (run_id, task_id, state, attempt, report) VALUES (?1, ?2, 'queued', 0, ?3)",
        params![key.run, key.task.as_str(), json(report)],
    )?;
    Ok(())
}

/// Adds the event and moves the row; false when the row no longer stands where the event starts.
fn append(on: &Connection, entry: &Entry, next: &State, attempt: u32) -> rusqlite::Result<bool> {
    let (key, now) = (&entry.key, time::now());
    on.execute(
        "INSERT INTO task_events (run_id, task_id, at, event, fingerprint, output_sha256)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        params![
            key.run,
            key.task.as_str(),
            now,
            json(&entry.event),
            entry.report.fingerprint,
            entry.output.as_ref().map(Digest::as_str)
        ],
    )?;
    let report = TaskReport { state: next.clone(), ..entry.report.clone() };
    let changed = on.execute(
        "UPDATE tasks SET state = ?4, attempt = ?5, report = ?6
         WHERE run_id = ?1 AND task_id = ?2 AND state = ?3",
        params![key.run, key.task.as_str(), entry.from.word(), next.word(), attempt, json(&report)],
    )?;
    Ok(changed == 1)
}

fn moved_meanwhile(key: &TaskKey) -> StoreError {
    StoreError::MovedMeanwhile { what: format!("task {}", key.task) }
}

fn root_of(on: &Connection, run: &str) -> rusqlite::Result<String> {
    on.query_row("SELECT root FROM runs WHERE run_id = ?1", [run], |row| row.get(0))
}

/// JSON for the ledger. What an engine, a forge or a tool said of a failure stands in it, so no
/// credential may.
fn json(value: &impl serde::Serialize) -> String {
    let json = serde_json::to_string(value).expect("our own shapes serialise");
    without_credentials(&json).into_owned()
}
