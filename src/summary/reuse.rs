//! Which threads must be summarised again, and which carry over from the last summary.
//! Must not look at anything but digests: an unchanged digest under the same maker means no work.

use crate::{
    domain::{
        actor::Identity,
        capture::{Capture, Id},
        digest::Digest,
    },
    summary::{
        discussion::{Discussion, Origin, ThreadSummary},
        maker::Maker,
        source,
    },
};

use std::collections::HashMap;

/// The split of a capture's threads.
#[derive(Debug, Clone, PartialEq)]
pub struct Reuse {
    /// Indices into `review_threads` of the threads to summarise.
    pub fresh: Vec<usize>,
    /// Indices of the threads whose last entry still stands.
    pub carried: Vec<usize>,
}

/// Splits the threads of a capture into those to do again and those that carry over.
pub fn plan(
    capture: &Capture,
    previous: Option<&Discussion>,
    maker: &Maker,
    us: &Identity,
) -> Reuse {
    let previous = previous.filter(|it| made_alike(it, maker));
    let old: HashMap<&Id, &ThreadSummary> =
        previous.iter().flat_map(|it| &it.threads).map(|it| (&it.thread_id, it)).collect();
    let (carried, fresh) = (0..capture.review_threads.len()).partition(|at| {
        let thread = &capture.review_threads[*at];
        let digest = source::source_digest(thread, us);
        old.get(&thread.id).is_some_and(|it| stands(it, &digest))
    });
    Reuse { fresh, carried }
}

/// Whether a summary's own entries would come out the same today.
pub fn made_alike(previous: &Discussion, maker: &Maker) -> bool {
    let it = &previous.provenance;
    !previous.pinned
        && it.engine == maker.engine
        && it.model == maker.model
        && it.prompt_version == maker.prompt_version
        && it.prompt_digest == maker.prompt_digest
}

/// Whether an entry may stand again: it rests on the same digest, and it is an engine's own. A
/// person's text is applied from the corrections each time, and a degraded entry is tried again.
pub fn stands(entry: &ThreadSummary, digest: &Digest) -> bool {
    entry.source_digest == *digest
        && entry.origin != Origin::Person
        && !entry.checks.iter().any(|check| check.starts_with("degraded"))
}

/// Puts the engine's own entries of an older summary where a person's stand in a newer one, when
/// they rest on the same words: an engine is not asked twice because a person wrote meanwhile.
/// Says whether a person's entry is left.
pub fn restore(newer: &mut Discussion, older: &Discussion) -> bool {
    let (a, b) = (&newer.provenance, &older.provenance);
    let alike = a.engine == b.engine
        && a.model == b.model
        && a.prompt_version == b.prompt_version
        && a.prompt_digest == b.prompt_digest;
    let old: HashMap<&Id, &ThreadSummary> =
        older.threads.iter().filter(|_| alike).map(|it| (&it.thread_id, it)).collect();
    let mut left = false;
    for entry in newer.threads.iter_mut().filter(|it| it.origin == Origin::Person) {
        match old.get(&entry.thread_id).filter(|it| stands(it, &entry.source_digest)) {
            Some(own) => *entry = (*own).clone(),
            None => left = true,
        }
    }
    left
}
