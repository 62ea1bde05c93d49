//! One run's page in the ledger: what happens to its tasks is taken down here.
//! Must not exist when no run was allocated.

use crate::{
    domain::digest::Digest,
    store::{error::StoreError, tasks::TaskRecord},
    task::{id::TaskId, moves::Event, state::TaskReport},
};

/// The ledger as one run sees it.
pub struct Journal {
    run: String,
}

impl Journal {
    pub fn run(&self) -> &str {
        &self.run
    }

    pub fn progress(&self, _done: u64, _total: u64) {}

    pub fn contradiction(&self, _record: &TaskRecord) -> Result<Option<String>, StoreError> {
        Ok(None)
    }

    pub fn last_attempt(&self, _task: &TaskId) -> Result<u32, StoreError> {
        Ok(0)
    }

    pub fn note(
        &self,
        _event: &Event,
        _report: &TaskReport,
        _output: Option<&Digest>,
    ) -> Result<(), StoreError> {
        Ok(())
    }
}
