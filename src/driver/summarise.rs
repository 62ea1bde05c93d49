//! The discussion-summary task: what it rests on, and its work. Must not write outside its task
//! folder; the dossier phase does.

use crate::domain::text::outside::OutsideOption as _;
use crate::{
    domain::{
        actor::Identity,
        capture::{Capture, Comment, Thread},
        digest::{Digest, Fields},
    },
    driver::{
        ask, engines,
        settings::Settings,
        tasks::{Job, Work, WorkError},
    },
    store::{index::pretty, time},
    summary::{
        assemble,
        correction::{self, Correction},
        discussion::{Discussion, SCHEMA_VERSION, ThreadSummary, Usage},
        extract::Extractor,
        maker::{Made, Maker},
        project::Cuts,
        reuse, source,
    },
    task::{fingerprint::Inputs, id::TaskId, phase::Phase},
};

/// Everything the summary is made of, as read back from disk.
pub struct Source<'a> {
    /// From the raw artifacts; it has no reviews.
    pub capture: &'a Capture,
    pub capture_digest: &'a Digest,
    pub corrections: &'a [Correction],
    /// The newest verified summary, for threads that did not change.
    pub previous: Option<&'a Discussion>,
    pub settings: &'a Settings,
}

/// The engine of the settings, as a maker of summaries.
pub fn maker(settings: &Settings) -> Maker {
    match settings.engine.name.as_str() {
        engines::EXTRACTIVE => Maker::extractive(),
        name => Maker::model(name, settings.engine.model.as_deref()),
    }
}

/// What decides the summary. Digests of the artifacts are over what the summary can show of them:
/// white space, times, commits and fields we do not read do not make it stale.
pub fn inputs(source: &Source<'_>) -> Inputs {
    let (capture, us) = (source.capture, &source.settings.us);
    let maker = maker(source.settings);
    let corrections = pretty(&correction::in_force(source.corrections));
    let dependencies = [
        ("pull-request", pull_request(capture)),
        ("inline-threads", threads(capture, us)),
        ("top-level-comments", said(Fields::default(), &capture.issue_comments).finish()),
        ("corrections", Digest::of(corrections)),
    ];
    Inputs {
        task_id: TaskId::discussion_summary(),
        phase: Phase::Dossier,
        engine: maker.engine,
        model: maker.model,
        effort: source.settings.engine.effort.clone(),
        prompt_version: maker.prompt_version,
        prompt_digest: maker.prompt_digest,
        schema_version: SCHEMA_VERSION,
        input: settings(source.settings),
        dependencies: dependencies.map(|(name, it)| (name.to_owned(), it)).into(),
    }
}

/// Today's strict decoder of `output.json`.
pub fn decode(bytes: &[u8]) -> Result<Discussion, String> {
    let discussion: Discussion =
        serde_json::from_slice(bytes).map_err(|error| format!("it does not decode: {error}"))?;
    if discussion.schema_version != SCHEMA_VERSION {
        return Err(format!("its schema version is {}", discussion.schema_version));
    }
    Ok(discussion)
}

/// Summarises the threads that changed and carries the others over.
pub fn work(source: &Source<'_>, job: &mut Job<'_>) -> Result<Work, WorkError> {
    let (capture, settings) = (source.capture, source.settings);
    let maker = maker(settings);
    let fresh = reuse::plan(capture, source.previous, &maker, &settings.us).fresh;
    match engines::behind_prompt(&settings.engine) {
        Some(engine) if !fresh.is_empty() => {
            let asked = ask::ask(engine.as_ref(), capture, &fresh, settings, job)?;
            let made = made(source, maker, asked.projection.digest.clone(), asked.usage);
            let output = whole(source, asked.entries, &asked.projection.cuts, made);
            Ok(Work { output, usage: asked.usage, failed: asked.failed })
        }
        _ => {
            let entries = extract(source, &fresh, job)?;
            let digest = projection(capture, &fresh, &settings.us);
            let made = made(source, maker, digest, Usage::default());
            let output = whole(source, entries, &Cuts::default(), made);
            Ok(Work { output, usage: Usage::default(), failed: None })
        }
    }
}

/// The engine without a model, thread by thread.
fn extract(
    source: &Source<'_>,
    fresh: &[usize],
    job: &mut Job<'_>,
) -> Result<Vec<ThreadSummary>, WorkError> {
    let (capture, total) = (source.capture, fresh.len() as u64);
    let reader = Extractor::of(capture, &source.settings.us);
    let mut entries = Vec::with_capacity(fresh.len());
    for at in fresh {
        job.step(entries.len() as u64, total)?;
        entries.push(reader.thread(&capture.review_threads[*at]));
    }
    job.step(total, total)?;
    job.keep_answer(&pretty(&entries))?;
    Ok(entries)
}

fn whole(source: &Source<'_>, entries: Vec<ThreadSummary>, cuts: &Cuts, made: Made) -> Vec<u8> {
    let (previous, us) = (source.previous, &source.settings.us);
    pretty(&assemble::assemble(
        source.capture,
        entries,
        previous,
        source.corrections,
        cuts,
        made,
        us,
    ))
}

/// The note that stands for the discussion of a pinned review.
pub fn pinned(source: &Source<'_>, base: &str, head: &str) -> Discussion {
    let made = made(source, maker(source.settings), Digest::of(""), Usage::default());
    assemble::pinned(source.capture, base, head, made, &source.settings.us)
}

fn made(source: &Source<'_>, maker: Maker, projection_digest: Digest, usage: Usage) -> Made {
    let capture_digest = source.capture_digest.clone();
    Made { maker, capture_digest, projection_digest, made_at: time::now(), usage }
}

/// What the extractive engine looked at: the fresh threads, by their source digests.
fn projection(capture: &Capture, fresh: &[usize], us: &Identity) -> Digest {
    let threads = fresh.iter().map(|at| &capture.review_threads[*at]);
    let digests = threads.map(|it| source::source_digest(it, us));
    digests.fold(Fields::default(), |it, digest| it.text("thread", digest.as_str())).finish()
}

fn settings(settings: &Settings) -> Digest {
    let fields = Fields::default().maybe("us", settings.us.id.as_ref());
    if settings.engine.name == engines::EXTRACTIVE {
        return fields.finish();
    }
    let it = &settings.budgets;
    let limits = [it.top_level, it.threads, it.comments, it.body_chars, it.prompt_bytes, it.calls];
    limits.iter().fold(fields, |it, limit| it.text("limit", &limit.to_string())).finish()
}

fn pull_request(capture: &Capture) -> Digest {
    let pull = &capture.pull_request;
    Fields::default()
        .text("repository", &capture.repository)
        .text("number", &pull.number.to_string())
        .maybe("title", pull.title.raw())
        .maybe("author", pull.author.raw())
        .finish()
}

fn threads(capture: &Capture, us: &Identity) -> Digest {
    let each = |fields: Fields, thread: &Thread| {
        let anchor = pretty(&source::anchor(thread));
        let fields = fields
            .text("source", source::source_digest(thread, us).as_str())
            .text("anchor", &String::from_utf8_lossy(&anchor))
            .maybe("comments_total", thread.comments_total);
        said(fields, &thread.comments)
    };
    capture.review_threads.iter().fold(Fields::default(), each).finish()
}

/// Everything of comments that an entry can show or rest on.
fn said(fields: Fields, comments: &[Comment]) -> Fields {
    comments.iter().fold(fields, |fields, it| {
        fields
            .maybe("id", it.id.as_ref())
            .maybe("author", it.author.raw())
            .maybe("bot", it.author_is_bot)
            .maybe("association", it.author_association.raw())
            .maybe("body", it.body.raw())
            .maybe("url", it.url.as_deref())
            .maybe("minimized", it.is_minimized)
            .maybe("reason", it.minimized_reason.raw())
            .maybe("state", it.state.raw())
    })
}
