//! Names of tasks. Must not become path parts as they are: a thread id may be anything, and
//! `store` encodes it.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The name of a task, unique within a run.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TaskId(String);

impl TaskId {
    /// The summary of a discussion.
    pub fn discussion_summary() -> Self {
        Self("dossier-discussion-summary".into())
    }

    /// A task by the name it was kept under.
    pub fn named(name: &str) -> Self {
        Self(name.into())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
