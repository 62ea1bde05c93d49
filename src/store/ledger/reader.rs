//! Reading the ledger on a connection of one's own. Must not make, change or block anything.

use crate::{
    store::{
        error::StoreError,
        ledger::{
            file::{self, ledger_error},
            lease::{self, Lease},
            root_name,
            runs::{self, RunRow},
            tasks,
        },
        time,
    },
    task::{
        id::TaskId,
        state::{State, TaskReport},
    },
};
use rusqlite::Connection;
use std::path::{Path, PathBuf};

/// A ledger open for reading.
#[derive(Debug)]
pub struct Reader {
    path: PathBuf,
    connection: Connection,
}

impl Reader {
    /// Opens a ledger, or `None` when there is none.
    pub fn open(path: &Path) -> Result<Option<Self>, StoreError> {
        let connection = file::open_to_read(path)?;
        Ok(connection.map(|connection| Self { path: path.to_owned(), connection }))
    }

    /// The newest run of a root, with its tasks. A running task whose process is gone is shown as
    /// interrupted, which is what the next run will make of it.
    pub fn newest_run(&self, root: &Path) -> Result<Option<(RunRow, Vec<TaskReport>)>, StoreError> {
        let failed = |source| ledger_error("read", &self.path, source);
        let name = root_name(&self.path, root);
        let Some(run) = runs::newest(&self.connection, &name).map_err(failed)? else {
            return Ok(None);
        };
        let mut tasks = tasks::of_run(&self.connection, &run.id).map_err(failed)?;
        for task in tasks.iter_mut().filter(|it| matches!(it.state, State::Running { .. })) {
            let holder = lease::holder(&self.connection, &name, &TaskId::named(&task.task_id));
            match holder.map_err(failed)?.filter(|it| it.expires_ms > time::now_ms()) {
                Some(lease) => task.progress = Some((lease.done, lease.total)),
                None => task.state = State::Interrupted,
            }
        }
        Ok(Some((run, tasks)))
    }

    /// The ledger's path, for messages.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// For reading alone.
    pub(in crate::store::ledger) fn connection(&self) -> &Connection {
        &self.connection
    }

    /// A run by its id.
    pub fn run(&self, id: &str) -> Result<Option<RunRow>, StoreError> {
        let found = runs::find(&self.connection, id);
        found.map_err(|source| ledger_error("read", &self.path, source))
    }

    /// Who works on a task of a root and is alive, and the task as it was last shown.
    pub fn at_work(
        &self,
        root: &Path,
        task: &TaskId,
    ) -> Result<Option<(Lease, Option<TaskReport>)>, StoreError> {
        let failed = |source| ledger_error("read", &self.path, source);
        let holder = lease::holder(&self.connection, &root_name(&self.path, root), task);
        let alive = |it: &Lease| it.expires_ms > time::now_ms();
        let Some(lease) = holder.map_err(failed)?.filter(alive) else { return Ok(None) };
        let tasks = tasks::of_run(&self.connection, &lease.run).map_err(failed)?;
        Ok(Some((lease, tasks.into_iter().find(|it| it.task_id == task.as_str()))))
    }

    /// What the full check of the file complains about.
    pub fn integrity(&self) -> Result<Option<String>, StoreError> {
        file::integrity_check(&self.connection, &self.path)
    }
}
