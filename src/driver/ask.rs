//! Summaries from a model: projected, asked, checked, repaired once, mended. Must never send more
//! than the projection allows, and must never take a fact from the model.

use crate::{
    domain::capture::Capture,
    driver::{
        settings::Settings,
        tasks::{Job, WorkError},
    },
    llm::{Answer, Engine, EngineError, LARGEST_ANSWER, Session},
    summary::{
        discussion::{ThreadSummary, Usage},
        project::{self, Part, Projection},
        prompt,
        reply::{self, Checked, Fault},
    },
    telemetry::scrub::without_credentials,
};
use serde_json::json;

/// What asking gave.
pub struct Asked {
    pub entries: Vec<ThreadSummary>,
    pub projection: Projection,
    pub usage: Usage,
    /// The engine failed; the entries it owed are extractive and say so.
    pub failed: Option<String>,
}

/// Everything said in one attempt, and its cost.
struct Talk<'a, 'b> {
    job: &'a mut Job<'b>,
    usage: Usage,
    /// One JSON object a line: the part and the answer, word for word.
    raw: Vec<u8>,
}

/// Asks an engine about the given threads (indices into `review_threads`).
pub fn ask(
    engine: &dyn Engine,
    capture: &Capture,
    fresh: &[usize],
    settings: &Settings,
    job: &mut Job<'_>,
) -> Result<Asked, WorkError> {
    let us = &settings.us;
    let projection = project::project(capture, fresh, &settings.budgets, us)
        .map_err(|it| WorkError::OverBudget(it.to_string()))?;
    let total: usize = projection.parts.iter().map(|it| it.threads.len()).sum();
    let mut talk = Talk { job, usage: Usage::default(), raw: Vec::new() };
    let (mut entries, mut failed) = (Vec::new(), None);
    for at in 0..projection.parts.len() {
        talk.job.step(entries.len() as u64, total as u64)?;
        let part = &projection.parts[at];
        let checked = match talk.part(engine, capture, &projection, at, settings)? {
            Ok(checked) => checked,
            Err(error) => {
                failed = Some(said(&error));
                unanswered(&error)
            }
        };
        entries.extend(reply::mend(capture, part, checked, us));
    }
    talk.job.step(total as u64, total as u64)?;
    let usage = talk.usage;
    Ok(Asked { entries, projection, usage, failed })
}

impl Talk<'_, '_> {
    /// One part: asked, and asked again once on the same session with the list of faults. The outer
    /// error ends the task, the inner one is the engine's.
    fn part(
        &mut self,
        engine: &dyn Engine,
        capture: &Capture,
        projection: &Projection,
        at: usize,
        settings: &Settings,
    ) -> Result<Result<Checked, EngineError>, WorkError> {
        let part = &projection.parts[at];
        let mut session = engine.open();
        let question = prompt::render(projection, at);
        let first = match self.call(session.as_mut(), at, &question)? {
            Ok(answer) => self::check(capture, part, &answer, settings),
            Err(error) => return Ok(Err(error)),
        };
        if first.faults.is_empty() {
            return Ok(Ok(first));
        }
        let repair = reply::repair_message(&first.faults);
        match self.call(session.as_mut(), at, &repair)? {
            Ok(answer) => Ok(Ok(better(first, self::check(capture, part, &answer, settings)))),
            // The first answer stands as far as it was right.
            Err(_) => Ok(Ok(first)),
        }
    }

    fn call(
        &mut self,
        session: &mut dyn Session,
        part: usize,
        prompt: &str,
    ) -> Result<Result<Answer, EngineError>, WorkError> {
        self.usage.calls += 1;
        let answer = session.ask(prompt).and_then(|it| match it.text.len() {
            bytes if bytes > LARGEST_ANSWER => Err(EngineError::TooLong { bytes }),
            _ => Ok(it),
        });
        let line = match &answer {
            Ok(it) => json!({ "part": part, "answer": it.text }),
            Err(error) => json!({ "part": part, "error": said(error) }),
        };
        self.raw.extend(line.to_string().bytes());
        self.raw.push(b'\n');
        self.job.keep_answer(&self.raw)?;
        if let Ok(it) = &answer {
            add(&mut self.usage.input_tokens, it.tokens.input);
            add(&mut self.usage.output_tokens, it.tokens.output);
            add(&mut self.usage.cached_tokens, it.tokens.cached);
            if let Some(cost) = it.tokens.cost_usd {
                self.usage.cost_usd = Some(self.usage.cost_usd.unwrap_or_default() + cost);
            }
        }
        Ok(answer)
    }
}

/// An engine's figures are its own; a made-up one must not stop the run.
fn add(total: &mut u64, more: u64) {
    *total = total.saturating_add(more);
}

fn check(capture: &Capture, part: &Part, answer: &Answer, settings: &Settings) -> Checked {
    reply::check(capture, part, answer.text.raw(), &settings.us)
}

/// The second answer, and from the first what only that had right.
fn better(first: Checked, mut second: Checked) -> Checked {
    for entry in first.entries {
        if !second.entries.iter().any(|it| it.thread_id == entry.thread_id) {
            second.entries.push(entry);
        }
    }
    second
}

/// What an engine says of its failure may quote the request it could not send.
fn said(error: &EngineError) -> String {
    without_credentials(&error.to_string()).into_owned()
}

fn unanswered(error: &EngineError) -> Checked {
    let fault = Fault { thread: None, what: said(error) };
    Checked { entries: Vec::new(), comments: Vec::new(), faults: vec![fault] }
}
