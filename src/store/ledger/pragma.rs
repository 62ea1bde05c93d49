//! Settings of a connection, each read back: `SQLite` accepts an unknown or refused setting in
//! silence (hazards, F10). Must not start with one that did not take.

use crate::store::error::StoreError;
use rusqlite::{Connection, types::Value};
use std::time::Duration;

/// How long a writer waits for another one.
const BUSY: Duration = Duration::from_secs(5);

/// Waiting for other writers; set before anything that may need to wait.
pub fn busy(connection: &Connection) -> Result<(), StoreError> {
    set(connection, "busy_timeout", &BUSY.as_millis().to_string())
}

/// Everything a writing connection needs, `busy_timeout` first. `synchronous` 2 is FULL.
pub fn all(connection: &Connection) -> Result<(), StoreError> {
    busy(connection)?;
    set(connection, "journal_mode", "wal")?;
    set(connection, "synchronous", "2")?;
    set(connection, "foreign_keys", "1")
}

/// Sets one and reads it back.
pub fn set(connection: &Connection, name: &str, wanted: &str) -> Result<(), StoreError> {
    let did_not_take = |found: String| StoreError::Pragma {
        name: name.to_owned(),
        wanted: wanted.to_owned(),
        found,
    };
    // Some settings answer with a row, some do not; an unknown name does neither.
    let set = connection.pragma_update(None, name, wanted);
    set.map_err(|error| did_not_take(error.to_string()))?;
    let read = connection.pragma_query_value(None, name, |row| row.get::<_, Value>(0));
    let found = match read {
        Ok(Value::Integer(it)) => it.to_string(),
        Ok(Value::Text(it)) => it,
        Ok(it) => format!("{it:?}"),
        Err(rusqlite::Error::QueryReturnedNoRows) => "not known".to_owned(),
        Err(error) => error.to_string(),
    };
    if found == wanted { Ok(()) } else { Err(did_not_take(found)) }
}

#[cfg(test)]
mod tests {
    use crate::store::{
        error::StoreError,
        ledger::pragma::{all, set},
    };
    use rusqlite::Connection;

    #[test]
    fn a_setting_that_does_not_take_is_an_error() {
        let temp = tempfile::tempdir().expect("a temporary folder");
        let connection = Connection::open(temp.path().join("x.db")).expect("opened");
        all(&connection).expect("all take");
        for (name, value) in [
            ("journal", "wal"),
            ("journalmode", "wal"),
            ("synchronus", "2"),
            ("foreign_key", "1"),
            ("busytimeout", "5000"),
            ("journal_mode", "wall"),
            ("synchronous", "FULLL"),
        ] {
            let set = set(&connection, name, value);
            assert!(matches!(set, Err(StoreError::Pragma { .. })), "{name} = {value}: {set:?}");
        }
    }

    #[test]
    fn a_database_without_a_file_cannot_have_a_log() {
        let connection = Connection::open_in_memory().expect("opened");
        let error = all(&connection).expect_err("WAL needs a file").to_string();
        assert!(error.contains("journal_mode") && error.contains("memory"), "{error}");
    }
}
