//! A review in memory: the capture, its diff, and where each thread stands.
//! Must not hold summaries; they arrive later and live beside it.

use crate::domain::{
    anchor::{Placement, place, place_between},
    capture::Capture,
    diff::Diff,
    patch,
};
use std::sync::Arc;

/// What the workbench opens. `diff`, a capture without threads, is what a `.diff` file gives.
#[derive(Debug, Clone)]
pub struct Review {
    pub capture: Arc<Capture>,
    pub diff: Arc<Diff>,
    pub placement: Placement,
}

impl Review {
    /// A review whose diff is in the capture's own patches.
    pub fn of(capture: Arc<Capture>) -> Self {
        let diff = Arc::new(patch::of_capture(&capture));
        Self::with_diff(capture, diff)
    }

    /// A review whose diff came whole (a `.diff` file, a git range), which says more than the
    /// patches of a capture: modes, exact paths, links.
    pub fn with_diff(capture: Arc<Capture>, diff: Arc<Diff>) -> Self {
        let placement = place(&capture, &diff);
        Self { capture, diff, placement }
    }

    /// The same pull request as what changed in it since its older head `old`.
    pub fn since(capture: Arc<Capture>, diff: Arc<Diff>, old: &str) -> Self {
        let placement = place_between(&capture, &diff, old);
        Self { capture, diff, placement }
    }
}
