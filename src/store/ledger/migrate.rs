//! From an older schema to today's: a copy first, then every step inside one transaction.
//! Must leave the ledger either old or new, never between.

use crate::store::{
    error::StoreError,
    fail,
    ledger::{
        file::{beside, ledger_error, private_file},
        schema::{APPLICATION_ID, MIGRATIONS, VERSION},
    },
    time,
};
use rusqlite::{Connection, TransactionBehavior};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Copies the ledger beside itself and migrates it. Gives the copy's path. Two processes may come
/// here at once: the second finds the work done.
pub fn up(connection: &mut Connection, path: &Path, from: i64) -> Result<PathBuf, StoreError> {
    let copy = copy(connection, path, from)?;
    let disk = |source| StoreError::Disk { doing: "migrate", path: path.to_owned(), source };
    fail::point("ledger.migrate", "copied").map_err(disk)?;
    steps(connection, from).map_err(|source| ledger_error("migrate", path, source))?;
    fail::point("ledger.migrate", "done").map_err(disk)?;
    Ok(copy)
}

/// Every step from a version on, in one transaction. Version 0 is an empty file.
pub fn steps(connection: &mut Connection, from: i64) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Asked again inside the transaction: another process may have been quicker.
    let now: i64 = transaction.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    for (at, sql) in MIGRATIONS.iter().enumerate() {
        if at as i64 >= now.max(from) {
            transaction.execute_batch(sql)?;
            fail::point("ledger.migrate", "step")
                .map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))?;
        }
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", VERSION)?;
    transaction.commit()
}

/// A whole copy, private from its first moment, under its final name only when it is complete.
fn copy(connection: &Connection, path: &Path, from: i64) -> Result<PathBuf, StoreError> {
    let now = time::compact(&time::now()).expect("our own times have our own form");
    let name = beside(path, &format!(".v{from}-{now}-{}", std::process::id()));
    let unfinished = beside(path, &format!(".copy-{}-{}", std::process::id(), time::now_ms()));
    private_file(&unfinished)?;
    let text = unfinished.to_str().ok_or_else(|| StoreError::Unreadable {
        path: unfinished.clone(),
        why: "its name is not UTF-8".into(),
    })?;
    let copied = connection.execute("VACUUM INTO ?1", [text]);
    copied.map_err(|source| ledger_error("copy", path, source))?;
    let disk = |source| StoreError::Disk { doing: "copy", path: path.to_owned(), source };
    fs::File::open(&unfinished).and_then(|it| it.sync_all()).map_err(disk)?;
    fs::rename(&unfinished, &name).map_err(disk)?;
    Ok(name)
}
