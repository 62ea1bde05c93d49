//! The bounded view of a discussion that a model may see. Must be deterministic and must count
//! every cut; must never cut the first or the newest comment of a thread it keeps.

use crate::{
    domain::{actor::Identity, capture::Capture, digest::Digest},
    summary::budget::{Budgets, OverBudget},
};

/// The bounded view, split into the calls it takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Projection {
    /// One per engine call.
    pub parts: Vec<Part>,
    pub cuts: Cuts,
    pub digest: Digest,
}

/// What one call shows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Part {
    /// Indices into `review_threads`.
    pub threads: Vec<usize>,
}

/// What was left out, and how much of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cuts {
    /// Indices into `review_threads` of threads no model saw.
    pub threads: Vec<usize>,
    pub comments: u64,
    pub chars: u64,
}

/// Projects the given threads (indices into `review_threads`) and the top-level comments.
pub fn project(
    capture: &Capture,
    threads: &[usize],
    budgets: &Budgets,
    us: &Identity,
) -> Result<Projection, OverBudget> {
    let _ = (capture, budgets, us);
    Ok(Projection {
        parts: vec![Part { threads: threads.to_vec() }],
        cuts: Cuts::default(),
        digest: Digest::of(""),
    })
}
