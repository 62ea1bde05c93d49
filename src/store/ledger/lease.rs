//! Leases: who works on a task and how far it is. For display, and to tell dead work from living;
//! never a guard (a paused process outlives its lease, hazards F6).

use crate::{
    domain::digest::{Digest, Fields},
    store::time,
    task::id::TaskId,
};
use rusqlite::{Connection, OptionalExtension, Row, params};

/// A process, told apart from every other one on any machine and after any restart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owner {
    pub host: String,
    pub pid: u32,
    pub boot_id: String,
    pub nonce: String,
}

/// One piece of work in progress.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    pub owner: Owner,
    pub run: String,
    pub task: TaskId,
    pub done: u64,
    pub total: u64,
    /// Milliseconds since 1970: after that its process counts as dead.
    pub expires_ms: i64,
}

impl Owner {
    /// This process.
    pub fn this_process() -> Self {
        use std::hash::{BuildHasher, Hasher};
        let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
        let boot_id = std::fs::read_to_string("/proc/sys/kernel/random/boot_id");
        // The standard library seeds each of these from the system's randomness.
        let random = std::collections::hash_map::RandomState::new().build_hasher().finish();
        let nonce = Fields::default()
            .text("random", &random.to_string())
            .text("now", &time::now_ms().to_string())
            .text("pid", &std::process::id().to_string())
            .finish();
        Self {
            host,
            pid: std::process::id(),
            boot_id: boot_id.unwrap_or_default().trim().to_owned(),
            nonce: short(&nonce),
        }
    }
}

fn short(digest: &Digest) -> String {
    digest.as_str()[..16].to_owned()
}

/// Takes the lease of a task. The caller holds the folder's lock, so whoever had it is gone.
pub fn take(
    on: &Connection,
    owner: &Owner,
    root: &str,
    run: &str,
    task: &TaskId,
) -> rusqlite::Result<()> {
    let now = time::now_ms();
    on.execute(
        "INSERT OR REPLACE INTO leases (root, task_id, run_id, host, pid, boot_id, nonce, beat_ms,
         expires_ms, done, total) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 0, 0)",
        params![
            root,
            task.as_str(),
            run,
            owner.host,
            owner.pid,
            owner.boot_id,
            owner.nonce,
            now,
            now + time::lease().as_millis() as i64
        ],
    )?;
    Ok(())
}

/// Says how far the task is, and that its process lives.
pub fn advance(
    on: &Connection,
    owner: &Owner,
    task: &TaskId,
    done: u64,
    total: u64,
) -> rusqlite::Result<()> {
    let now = time::now_ms();
    on.execute(
        "UPDATE leases SET done = ?3, total = ?4, beat_ms = ?5, expires_ms = ?6
         WHERE nonce = ?1 AND task_id = ?2",
        params![
            owner.nonce,
            task.as_str(),
            done as i64,
            total as i64,
            now,
            now + time::lease().as_millis() as i64
        ],
    )?;
    Ok(())
}

/// Renews every lease of a process.
pub fn renew(on: &Connection, owner: &Owner) -> rusqlite::Result<usize> {
    let now = time::now_ms();
    on.execute(
        "UPDATE leases SET beat_ms = ?2, expires_ms = ?3 WHERE nonce = ?1",
        params![owner.nonce, now, now + time::lease().as_millis() as i64],
    )
}

/// Gives the lease of a task back.
pub fn give_back(on: &Connection, owner: &Owner, task: &TaskId) -> rusqlite::Result<()> {
    let sql = "DELETE FROM leases WHERE nonce = ?1 AND task_id = ?2";
    on.execute(sql, params![owner.nonce, task.as_str()])?;
    Ok(())
}

/// Who works on a task of a root, living or not.
pub fn holder(on: &Connection, root: &str, task: &TaskId) -> rusqlite::Result<Option<Lease>> {
    let sql = "SELECT host, pid, boot_id, nonce, run_id, task_id, done, total, expires_ms
               FROM leases WHERE root = ?1 AND task_id = ?2";
    on.query_row(sql, params![root, task.as_str()], lease).optional()
}

fn lease(row: &Row<'_>) -> rusqlite::Result<Lease> {
    let owner =
        Owner { host: row.get(0)?, pid: row.get(1)?, boot_id: row.get(2)?, nonce: row.get(3)? };
    Ok(Lease {
        owner,
        run: row.get(4)?,
        task: TaskId::named(&row.get::<_, String>(5)?),
        done: row.get::<_, i64>(6)?.unsigned_abs(),
        total: row.get::<_, i64>(7)?.unsigned_abs(),
        expires_ms: row.get(8)?,
    })
}
