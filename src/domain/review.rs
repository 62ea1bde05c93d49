//! A review in memory: the capture, its diff, and where each thread stands.
//! Must not hold summaries; they arrive later and live beside it.

use crate::domain::{anchor::Placement, capture::Capture, diff::Diff};
use std::sync::Arc;

/// What the workbench opens. `diff`, a capture without threads, is what a `.diff` file gives.
#[derive(Debug, Clone)]
pub struct Review {
    pub capture: Arc<Capture>,
    pub diff: Arc<Diff>,
    pub placement: Placement,
}
