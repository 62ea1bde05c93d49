//! A discussion from its parts: entries of an engine, entries carried over, a person's corrections,
//! and facts from the capture, which always win. Must not ask an engine anything.

use crate::{
    domain::{
        actor::{self, Actor, Identity},
        capture::{Capture, Comment, Extent, Id, Thread},
        digest::Digest,
    },
    summary::{
        checks,
        discussion::{
            Discussion, NextActor, Omitted, Origin, Provenance, SCHEMA_VERSION, Status,
            ThreadSummary,
        },
        extract::{self, Extractor},
        maker::Made,
        project::Cuts,
        reply::CommentText,
        reuse, source,
    },
};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// A summary a person wrote in place of the engine's; one line of `corrections.jsonl`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Correction {
    pub thread_id: Id,
    /// The digest the person looked at: with another one the correction is stale.
    pub source_digest: Digest,
    pub status: Status,
    pub text: String,
    /// Comments the thread held then.
    #[serde(default)]
    pub comments_total: u64,
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
    let mut fresh: HashMap<Id, ThreadSummary> =
        entries.into_iter().map(|it| (it.thread_id.clone(), it)).collect();
    let previous = previous.filter(|it| reuse::made_alike(it, &made.maker));
    let old: HashMap<&Id, &ThreadSummary> =
        previous.iter().flat_map(|it| &it.threads).map(|it| (&it.thread_id, it)).collect();
    let reader = Extractor::of(capture, us);
    let threads = capture.review_threads.iter().enumerate().map(|(at, thread)| {
        let digest = source::source_digest(thread, us);
        let made_now = fresh.remove(&thread.id);
        let carried = || {
            let it = old.get(&thread.id).filter(|it| reuse::stands(it, &digest))?;
            Some(ThreadSummary { carried: true, ..(*it).clone() })
        };
        let mut it = made_now.or_else(carried).unwrap_or_else(|| reader.thread(thread));
        if cuts.threads.contains(&at) {
            it.checks.push("not-sent".into());
        }
        let it = corrected(it, thread, &digest, corrections);
        settle_facts(it, thread, digest, &reader, us)
    });
    Discussion {
        schema_version: SCHEMA_VERSION,
        pinned: false,
        omission_note: missing(capture),
        threads: threads.collect(),
        comments: reader.comments(),
        omitted: omitted(capture, cuts, us),
        provenance: provenance(capture, made, us),
    }
}

/// A person's text outranks an engine's while it rests on the same words; afterwards the engine's
/// text stands, and the check says how much came since.
fn corrected(
    mut it: ThreadSummary,
    thread: &Thread,
    digest: &Digest,
    corrections: &[Correction],
) -> ThreadSummary {
    it.checks.retain(|it| !it.starts_with("stale"));
    let Some(last) = corrections.iter().rev().find(|it| it.thread_id == thread.id) else {
        return it;
    };
    if last.source_digest != *digest {
        it.checks.push(checks::stale(last.comments_total, thread));
        return it;
    }
    it.status = last.status;
    it.text.clone_from(&last.text);
    it.origin = Origin::Person;
    if last.status != Status::Unresolved {
        it.next_actor = NextActor::None;
        it.open_question = None;
    }
    it
}

/// Facts belong to the capture: whatever an engine said of them is overwritten.
fn settle_facts(
    mut it: ThreadSummary,
    thread: &Thread,
    digest: Digest,
    reader: &Extractor<'_>,
    us: &Identity,
) -> ThreadSummary {
    let facts = extract::facts(thread, us);
    it.anchor = facts.anchor;
    it.resolved = facts.resolved;
    it.participants = facts.participants;
    it.comments_total = facts.comments_total;
    it.comments_omitted = it.comments_omitted.max(facts.comments_omitted);
    it.source_digest = digest;
    it.checks = checks::of(&it, &reader.talk(thread));
    it
}

/// What the export lacks of the discussion, in words; a summary of a part says so.
fn missing(capture: &Capture) -> Option<String> {
    let whole = &capture.completeness;
    let lists = [
        ("review threads", &whole.review_threads, capture.review_threads.len()),
        ("top-level comments", &whole.issue_comments, capture.issue_comments.len()),
    ];
    let part = |(name, extent, held): &(&str, &Extent, usize)| {
        let total = extent.total.filter(|it| *it > *held as u64)?;
        Some(format!("{held} of {total} {name}"))
    };
    let mut parts: Vec<String> = lists.iter().filter_map(part).collect();
    let cut = capture.review_threads.iter();
    let cut = cut.filter(|it| source::total(it) > it.comments.len() as u64).count();
    if cut > 0 {
        parts.push(format!("only a part of the comments of {cut} threads"));
    }
    (!parts.is_empty()).then(|| format!("The capture holds {}.", parts.join(", ")))
}

fn omitted(capture: &Capture, cuts: &Cuts, us: &Identity) -> Omitted {
    let inline = capture.review_threads.iter().flat_map(|it| &it.comments);
    let all = || capture.issue_comments.iter().chain(inline.clone());
    let count = |test: &dyn Fn(&Comment) -> bool| all().filter(|it| test(it)).count() as u64;
    let own = |it: &Comment| Actor::of(it, us) == Actor::Own;
    let noise = |it: &Comment| !own(it) && actor::is_process_noise(it);
    let hidden = |it: &Comment| !own(it) && !noise(it) && it.is_minimized == Some(true);
    Omitted {
        noise_comments: count(&noise),
        own_comments: count(&own),
        comments_omitted: cuts.comments + count(&hidden),
        threads_omitted: cuts.threads.len() as u64,
        chars_omitted: cuts.chars,
    }
}

/// Puts a model's texts of top-level comments in place of the extractive ones; refs it does not
/// know are ignored, since `reply` has reported them.
pub fn retell(discussion: &mut Discussion, texts: &[CommentText]) {
    for it in &mut discussion.comments {
        if let Some(text) = texts.iter().find(|text| text.reference == it.reference) {
            it.text.clone_from(&text.text);
            if !text.cites.is_empty() {
                it.cites.clone_from(&text.cites);
            }
        }
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
