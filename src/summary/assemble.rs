//! A discussion from its parts: entries of an engine, entries carried over, a person's corrections,
//! and facts from the capture, which always win. Must not ask an engine anything.

use crate::{
    domain::{actor::Identity, capture::Capture},
    summary::{
        discussion::{Discussion, Omitted, Provenance, SCHEMA_VERSION, ThreadSummary},
        extract,
        maker::Made,
        project::Cuts,
        reuse, source,
    },
};
use serde::{Deserialize, Serialize};

/// A summary a person wrote in place of the engine's; one line of `corrections.jsonl`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Correction {
    pub thread_id: crate::domain::capture::Id,
    /// The digest the person looked at: with another one the correction is stale.
    pub source_digest: crate::domain::digest::Digest,
    pub status: crate::summary::discussion::Status,
    pub text: String,
    pub author: String,
    /// RFC 3339, UTC.
    pub at: String,
}

/// Builds the discussion of a capture. `entries` are those an engine made now, in any order;
/// a thread without one carries its last entry over, and without that is extracted.
/// `cuts` is what a projection left out (`Cuts::default()` without a model).
pub fn assemble(
    capture: &Capture,
    entries: Vec<ThreadSummary>,
    previous: Option<&Discussion>,
    corrections: &[Correction],
    cuts: &Cuts,
    made: Made,
    us: &Identity,
) -> Discussion {
    let _ = (corrections, cuts);
    let previous = previous.filter(|it| reuse::made_alike(it, &made.maker));
    let threads = capture.review_threads.iter().enumerate().map(|(at, thread)| {
        let digest = source::source_digest(thread, us);
        let fresh = entries.iter().find(|it| it.thread_id == thread.id).cloned();
        let mut it = fresh
            .or_else(|| {
                let old = previous.and_then(|it| reuse::entry(it, thread, &digest))?;
                Some(ThreadSummary { carried: true, ..old.clone() })
            })
            .unwrap_or_else(|| extract::some(capture, &[at], us).remove(0));
        it.anchor = source::anchor(thread);
        it.resolved = thread.is_resolved;
        it.source_digest = digest;
        it
    });
    Discussion {
        schema_version: SCHEMA_VERSION,
        pinned: false,
        omission_note: None,
        threads: threads.collect(),
        comments: Vec::new(),
        omitted: Omitted::default(),
        provenance: provenance(capture, made, us),
    }
}

/// The discussion of a pinned review: left out on purpose, and saying so.
pub fn pinned(capture: &Capture, base: &str, head: &str, made: Made, us: &Identity) -> Discussion {
    Discussion {
        schema_version: SCHEMA_VERSION,
        pinned: true,
        omission_note: Some(format!(
            "Discussion left out: this review is pinned to {base}..{head}, and comments may speak of other commits."
        )),
        threads: Vec::new(),
        comments: Vec::new(),
        omitted: Omitted::default(),
        provenance: provenance(capture, made, us),
    }
}

fn provenance(capture: &Capture, made: Made, us: &Identity) -> Provenance {
    Provenance {
        discussion_digest: source::discussion_digest(capture, us),
        capture_digest: made.capture_digest,
        projection_digest: made.projection_digest,
        engine: made.maker.engine,
        model: made.maker.model,
        prompt_version: made.maker.prompt_version,
        prompt_digest: made.maker.prompt_digest,
        schema_version: SCHEMA_VERSION,
        made_at: made.made_at,
        usage: made.usage,
    }
}
