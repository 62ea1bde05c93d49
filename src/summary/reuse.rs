//! Which threads must be summarised again, and which carry over from the last summary.
//! Must not look at anything but digests: an unchanged digest under the same maker means no work.

use crate::{
    domain::{actor::Identity, capture::Capture},
    summary::{
        discussion::{Discussion, Origin, ThreadSummary},
        maker::Maker,
        source,
    },
};

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
    let (carried, fresh) = (0..capture.review_threads.len()).partition(|at| {
        let thread = &capture.review_threads[*at];
        let digest = source::source_digest(thread, us);
        previous.is_some_and(|it| entry(it, thread, &digest).is_some())
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

/// The last entry of a thread, when it rests on the same digest and may stand again. A person's
/// text is applied from the corrections each time, and a degraded entry is tried again.
pub fn entry<'a>(
    previous: &'a Discussion,
    thread: &crate::domain::capture::Thread,
    digest: &crate::domain::digest::Digest,
) -> Option<&'a ThreadSummary> {
    previous.threads.iter().find(|it| {
        it.thread_id == thread.id
            && it.source_digest == *digest
            && it.origin != Origin::Person
            && !it.checks.iter().any(|check| check.starts_with("degraded"))
    })
}
