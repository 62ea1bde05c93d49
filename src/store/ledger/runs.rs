//! Runs in the ledger: allocated, found again, ended. Must not know what a run does.

use crate::{
    store::{
        error::StoreError,
        ledger::{Ledger, file::ledger_error, tasks},
        time,
    },
    telemetry::scrub::without_credentials,
};
use rusqlite::{Connection, OptionalExtension, Row, params};
use std::path::Path;

/// What identifies a run's work; an unfinished run of the same work is resumed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRun {
    /// As `Ledger::root_name` gives it.
    pub root: String,
    pub label: String,
    /// `captures/…`, relative to the root.
    pub capture: String,
    pub capture_digest: String,
    pub base_sha: Option<String>,
    pub head_sha: Option<String>,
    /// What the run was asked to do, as JSON.
    pub settings: String,
}

/// A run as the ledger knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunRow {
    pub id: String,
    pub work: NewRun,
    pub state: String,
    pub created_at: String,
    pub ended_at: Option<String>,
}

const COLUMNS: &str = "run_id, root, label, capture, capture_digest, base_sha, head_sha, settings, \
                       state, created_at, ended_at";

impl Ledger {
    /// The run for some work: the newest unfinished one of the same work, or a new one. The caller
    /// holds the root's lock, so an unfinished run belongs to nobody alive. Says whether it resumes.
    pub fn allocate_run(&self, work: NewRun) -> Result<(String, bool), StoreError> {
        let (path, nonce) = (self.path.clone(), self.owner.nonce.clone());
        self.writer.write("allocate the run", move |on| {
            let failed = |source| ledger_error("allocate the run", &path, source);
            bury(on, &path, &work.root)?;
            if let Some(id) = unfinished(on, &work).map_err(failed)? {
                reopen(on, &id).map_err(failed)?;
                return Ok((id, true));
            }
            let id = fresh_id(on, &nonce).map_err(failed)?;
            insert(on, &id, &work).map_err(failed)?;
            Ok((id, false))
        })
    }

    /// Opens a named run again. `None` when there is none of that name.
    pub fn resume_run(&self, id: &str) -> Result<Option<RunRow>, StoreError> {
        let (path, id) = (self.path.clone(), id.to_owned());
        self.writer.write("resume the run", move |on| {
            let failed = |source| ledger_error("resume the run", &path, source);
            let Some(row) = find(on, &id).map_err(failed)? else { return Ok(None) };
            bury(on, &path, &row.work.root)?;
            reopen(on, &id).map_err(failed)?;
            Ok(Some(row))
        })
    }

    /// Ends a run: `done`, `failed` or `cancelled`.
    pub fn end_run(&self, id: &str, state: &'static str) -> Result<(), StoreError> {
        let (path, id) = (self.path.clone(), id.to_owned());
        self.writer.write("end the run", move |on| {
            let sql =
                "UPDATE runs SET state = ?2, ended_at = ?3 WHERE run_id = ?1 AND state = 'open'";
            let changed = on.execute(sql, params![id, state, time::now()]);
            match changed.map_err(|source| ledger_error("end the run", &path, source))? {
                1 => Ok(()),
                _ => Err(StoreError::MovedMeanwhile { what: format!("run {id}") }),
            }
        })
    }
}

/// A run by its id.
pub fn find(on: &Connection, id: &str) -> rusqlite::Result<Option<RunRow>> {
    let sql = format!("SELECT {COLUMNS} FROM runs WHERE run_id = ?1");
    on.query_row(&sql, [id], row).optional()
}

/// The newest run of a root.
pub fn newest(on: &Connection, root: &str) -> rusqlite::Result<Option<RunRow>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM runs WHERE root = ?1 ORDER BY created_at DESC, run_id DESC LIMIT 1"
    );
    on.query_row(&sql, [root], row).optional()
}

/// Marks the open runs of a root and their tasks as interrupted: whoever had them is gone, its leases
/// too.
fn bury(on: &Connection, path: &Path, root: &str) -> Result<(), StoreError> {
    let failed = |source| ledger_error("look for dead runs", path, source);
    let sql = "SELECT run_id FROM runs WHERE root = ?1 AND state = 'open'";
    let mut query = on.prepare(sql).map_err(failed)?;
    let ids = query.query_map([root], |row| row.get::<_, String>(0)).map_err(failed)?;
    let dead = ids.collect::<Result<Vec<_>, _>>().map_err(failed)?;
    for run in dead {
        tasks::interrupt(on, path, &run)?;
        let sql = "UPDATE runs SET state = 'interrupted' WHERE run_id = ?1";
        on.execute(sql, [run]).map_err(failed)?;
    }
    on.execute("DELETE FROM leases WHERE root = ?1", [root]).map_err(failed)?;
    Ok(())
}

fn unfinished(on: &Connection, work: &NewRun) -> rusqlite::Result<Option<String>> {
    let sql = "SELECT run_id FROM runs WHERE root = ?1 AND capture_digest = ?2 AND settings = ?3
               AND state IN ('interrupted', 'cancelled', 'failed')
               AND created_at = (SELECT max(created_at) FROM runs WHERE root = ?1)
               ORDER BY run_id DESC LIMIT 1";
    let same = params![work.root, work.capture_digest, work.settings];
    on.query_row(sql, same, |row| row.get(0)).optional()
}

fn reopen(on: &Connection, id: &str) -> rusqlite::Result<()> {
    on.execute("UPDATE runs SET state = 'open', ended_at = NULL WHERE run_id = ?1", [id])?;
    Ok(())
}

/// Sorted by time, and never given twice: the time, four digits of this process, a count.
fn fresh_id(on: &Connection, nonce: &str) -> rusqlite::Result<String> {
    let now = time::compact(&time::now()).expect("our own times have our own form");
    let stem = format!("{}-{}", now.to_lowercase(), &nonce[..4]);
    for count in 1..u32::MAX {
        let id = if count == 1 { stem.clone() } else { format!("{stem}-{count}") };
        if find(on, &id)?.is_none() {
            return Ok(id);
        }
    }
    Ok(stem)
}

fn insert(on: &Connection, id: &str, work: &NewRun) -> rusqlite::Result<()> {
    on.execute(
        "INSERT INTO runs (run_id, root, label, capture, capture_digest, base_sha, head_sha,
         settings, state, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 'open', ?9)",
        params![
            id,
            work.root,
            without_credentials(&work.label),
            work.capture,
            work.capture_digest,
            work.base_sha,
            work.head_sha,
            work.settings,
            time::now()
        ],
    )?;
    Ok(())
}

fn row(row: &Row<'_>) -> rusqlite::Result<RunRow> {
    let work = NewRun {
        root: row.get(1)?,
        label: row.get(2)?,
        capture: row.get(3)?,
        capture_digest: row.get(4)?,
        base_sha: row.get(5)?,
        head_sha: row.get(6)?,
        settings: row.get(7)?,
    };
    Ok(RunRow {
        id: row.get(0)?,
        work,
        state: row.get(8)?,
        created_at: row.get(9)?,
        ended_at: row.get(10)?,
    })
}
