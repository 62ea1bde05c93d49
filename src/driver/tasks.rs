//! The one way in for every piece of long work: `run_or_load`. Same fingerprint and verified
//! output: it is loaded. Anything else: it runs, and its marker is written last. Must not know what
//! a task does.

use crate::{
    domain::digest::Digest,
    driver::{
        journal::Journal,
        report::{Cancel, DriverError, Op, Report},
    },
    store::{
        error::StoreError,
        folder::Folder,
        tasks::{self, Damage, Kept, OUTPUT, SCHEMA_VERSION, TaskRecord, Working},
        time,
    },
    summary::discussion::Usage,
    task::{
        fingerprint::{Fingerprint, Inputs, stale},
        moves::Event,
        state::{State, TaskReport},
    },
};

/// What a task is, apart from its work.
pub struct Spec<'a, T> {
    pub inputs: Inputs,
    /// `llm-tasks/<task-id>/`
    pub folder: &'a Folder,
    /// Today's strict decoder of the output.
    pub decode: fn(&[u8]) -> Result<T, String>,
    /// A failure ends the run.
    pub blocking: bool,
    /// It is done again whatever is kept.
    pub again: bool,
}

/// Where a task reports and whether it may go on.
pub struct Desk<'a> {
    pub report: &'a (dyn Fn(Report) + Sync),
    pub cancel: &'a Cancel,
    /// None without a run: then the ledger is neither read nor written.
    pub journal: Option<&'a Journal>,
}

/// A task that ended well.
pub struct Finished<T> {
    pub value: T,
    /// The output's bytes as they lie in the task folder.
    pub output: Vec<u8>,
    pub report: TaskReport,
}

/// A task that ended badly, and why.
pub struct Broken {
    pub report: TaskReport,
    pub error: DriverError,
}

impl Broken {
    fn of(report: TaskReport, error: DriverError) -> Box<Self> {
        Box::new(Self { report, error })
    }
}

/// What the work of a task gives back.
pub struct Work {
    pub output: Vec<u8>,
    pub usage: Usage,
    /// The engine failed, and the output only stands in for what it owed: it is shown, and the task
    /// is not done.
    pub failed: Option<String>,
}

/// Why the work of a task did not end.
#[derive(Debug)]
pub enum WorkError {
    Cancelled,
    OverBudget(String),
    Failed(String),
    Store(StoreError),
}

impl From<StoreError> for WorkError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// What the work of a task may use.
pub struct Job<'a> {
    desk: &'a Desk<'a>,
    working: Working,
    report: TaskReport,
    started_ms: i64,
}

impl Job<'_> {
    /// Says how far it is; an error when somebody asked to stop.
    pub fn step(&mut self, done: u64, total: u64) -> Result<(), WorkError> {
        if self.desk.cancel.is_cancelled() {
            return Err(WorkError::Cancelled);
        }
        time::pause();
        self.report.progress = Some((done, total));
        self.report.elapsed_ms = elapsed(self.started_ms);
        if let Some(journal) = self.desk.journal {
            journal.progress(&self.report.task_id, done, total);
        }
        let task = Box::new(self.report.clone());
        (self.desk.report)(Report::Task { op: Op::Run, task });
        Ok(())
    }

    /// Keeps an engine's answer, whatever becomes of it.
    pub fn keep_answer(&self, answer: &[u8]) -> Result<(), WorkError> {
        Ok(self.working.keep_answer(answer)?)
    }
}

/// Loads the task when its artifact verifies, and does it otherwise. The caller holds the lock of
/// the task's folder, so no other process is at it.
pub fn run_or_load<T>(
    spec: &Spec<'_, T>,
    desk: &Desk<'_>,
    work: impl FnOnce(&mut Job<'_>) -> Result<Work, WorkError>,
) -> Result<Finished<T>, Box<Broken>> {
    let mut report = blank(&spec.inputs, desk);
    let before = match desk.journal.map_or(Ok(0), |it| it.queue(&report)) {
        Ok(attempt) => attempt,
        Err(error) => return Err(Broken::of(report, error.into())),
    };
    let kept = if spec.again { Ok(None) } else { verified(spec, desk) };
    match kept {
        Ok(Some((record, output, value))) => {
            report.source = Some("reuse".into());
            report.attempt = record.attempt;
            if let Err(error) = desk.note(&Event::Loaded, &report, Some(&record.output_sha256)) {
                return Err(Broken::of(report, error.into()));
            }
            report.state = State::Loaded;
            tell(desk, Op::Load, &report);
            Ok(Finished { value, output, report })
        }
        Ok(None) => run(spec, desk, (report, before), work),
        Err(error) => Err(Broken::of(report, error.into())),
    }
}

type Verified<T> = (TaskRecord, Vec<u8>, T);

/// The kept artifact when all of it holds. What is damaged is named and kept aside.
fn verified<T>(spec: &Spec<'_, T>, desk: &Desk<'_>) -> Result<Option<Verified<T>>, StoreError> {
    if let Some(folder) = spec.folder.sub(spec.inputs.fingerprint().as_str())? {
        folder.sweep()?;
    }
    let damage = match tasks::load(spec.folder, &spec.inputs)? {
        Kept::Nothing => return Ok(None),
        Kept::Damaged(damage) => damage,
        Kept::Verified(record, output) => match agreed(spec, desk, &record, &output)? {
            Ok(value) => return Ok(Some((*record, output, value))),
            Err(damage) => damage,
        },
    };
    let aside = spec.folder.set_aside(spec.inputs.fingerprint().as_str())?;
    (desk.report)(Report::Notice(format!(
        "{} of task {} is damaged: {}; kept aside as {aside}, the task runs again",
        damage.file, spec.inputs.task_id, damage.why
    )));
    Ok(None)
}

/// Whether today's decoder reads the output and the ledger does not contradict it.
fn agreed<T>(
    spec: &Spec<'_, T>,
    desk: &Desk<'_>,
    record: &TaskRecord,
    output: &[u8],
) -> Result<Result<T, Damage>, StoreError> {
    let damage = |file: &str, why: String| {
        Err(Damage { file: format!("{}/{file}", record.fingerprint), why })
    };
    if let Some(journal) = desk.journal
        && let Some(why) = journal.contradiction(record)?
    {
        return Ok(damage(tasks::TASK, why));
    }
    Ok((spec.decode)(output).or_else(|why| damage(OUTPUT, why)))
}

fn run<T>(
    spec: &Spec<'_, T>,
    desk: &Desk<'_>,
    (mut report, before): (TaskReport, u32),
    work: impl FnOnce(&mut Job<'_>) -> Result<Work, WorkError>,
) -> Result<Finished<T>, Box<Broken>> {
    let mut job = match begin(spec, desk, &mut report, before) {
        Ok(working) => Job { desk, working, report: report.clone(), started_ms: time::now_ms() },
        Err(error) => return Err(Broken::of(report, error.into())),
    };
    tell(desk, Op::Run, &report);
    let finished = work(&mut job).and_then(|done| {
        count(&mut report, &done.usage);
        report.elapsed_ms = elapsed(job.started_ms);
        let value = (spec.decode)(&done.output).map_err(WorkError::Failed)?;
        let state = match done.failed.clone() {
            None => finish(spec, desk, &job.working, &report, &done)?,
            Some(error) if spec.blocking => return Err(WorkError::Failed(error)),
            Some(error) => stand_in(desk, &report, error)?,
        };
        Ok((value, done.output, state))
    });
    report.progress = job.report.progress;
    match finished {
        Ok((value, output, state)) => {
            report.state = state;
            tell(desk, Op::Run, &report);
            Ok(Finished { value, output, report })
        }
        Err(error) => {
            report.elapsed_ms = elapsed(job.started_ms);
            Err(failed(spec, desk, report, error))
        }
    }
}

/// The attempt begins: folder, ledger, and what the report says of it.
fn begin<T>(
    spec: &Spec<'_, T>,
    desk: &Desk<'_>,
    report: &mut TaskReport,
    before: u32,
) -> Result<Working, StoreError> {
    if let Some((last, _)) = tasks::newest(spec.folder)? {
        report.stale = stale(&last.inputs, &spec.inputs);
    }
    let working = Working::begin(spec.folder, &spec.inputs, before)?;
    report.attempt = working.attempt();
    let source = if report.attempt > 1 { "resume" } else { "execute" };
    report.source = Some(source.into());
    report.started_at = Some(time::now());
    desk.note(&Event::Started { attempt: report.attempt }, report, None)?;
    report.state = State::Running { attempt: report.attempt };
    Ok(working)
}

/// Output, ledger row, marker: in this order, each synced before the next.
fn finish<T>(
    spec: &Spec<'_, T>,
    desk: &Desk<'_>,
    working: &Working,
    report: &TaskReport,
    done: &Work,
) -> Result<State, StoreError> {
    working.write_output(&done.output)?;
    let digest = Digest::of(&done.output);
    desk.note(&Event::Succeeded, report, Some(&digest))?;
    working.commit(&TaskRecord {
        schema_version: SCHEMA_VERSION,
        task_id: spec.inputs.task_id.clone(),
        phase: spec.inputs.phase,
        run: report.run.clone(),
        fingerprint: spec.inputs.fingerprint(),
        inputs: spec.inputs.clone(),
        attempt: report.attempt,
        output: OUTPUT.into(),
        output_sha256: digest,
        output_bytes: done.output.len() as u64,
        usage: done.usage,
        started_at: report.started_at.clone().unwrap_or_default(),
        finished_at: time::now(),
        elapsed_ms: report.elapsed_ms,
    })?;
    Ok(State::Succeeded)
}

/// Takes down that the engine failed. Nothing is committed, so the next run tries again.
fn stand_in(desk: &Desk<'_>, report: &TaskReport, error: String) -> Result<State, StoreError> {
    desk.note(&Event::FailedIsolated { error: error.clone() }, report, None)?;
    (desk.report)(Report::Notice(format!("{error}; the summaries it owes are extractive")));
    Ok(State::FailedIsolated { error })
}

/// Records how a task ended badly; a ledger that cannot be written does not hide the cause.
fn failed<T>(
    spec: &Spec<'_, T>,
    desk: &Desk<'_>,
    mut report: TaskReport,
    error: WorkError,
) -> Box<Broken> {
    let (event, state, error) = match error {
        WorkError::Cancelled => (Event::Cancelled, State::Cancelled, DriverError::Cancelled),
        WorkError::OverBudget(error) => (
            Event::ExceededBudget { error: error.clone() },
            State::OverBudget { error: error.clone() },
            DriverError::OverBudget(error),
        ),
        WorkError::Failed(error) => broken(spec.blocking, DriverError::Task(error)),
        // A disk that fails is not a summary that fails: nothing after it could be kept either.
        WorkError::Store(error) => broken(true, error.into()),
    };
    report.state = state;
    if let Err(second) = desk.note(&event, &report, None) {
        (desk.report)(Report::Notice(format!("the ledger could not take that down: {second}")));
    }
    tell(desk, Op::Run, &report);
    Broken::of(report, error)
}

fn broken(blocking: bool, error: DriverError) -> (Event, State, DriverError) {
    let text = error.to_string();
    let (event, state) = if blocking {
        (Event::FailedBlocking { error: text.clone() }, State::FailedBlocking { error: text })
    } else {
        (Event::FailedIsolated { error: text.clone() }, State::FailedIsolated { error: text })
    };
    (event, state, error)
}

impl Desk<'_> {
    fn note(
        &self,
        event: &Event,
        report: &TaskReport,
        output: Option<&Digest>,
    ) -> Result<(), StoreError> {
        self.journal.map_or(Ok(()), |it| it.note(event, report, output))
    }
}

/// A report of a task nothing happened to yet.
pub fn blank(inputs: &Inputs, desk: &Desk<'_>) -> TaskReport {
    let fingerprint: Fingerprint = inputs.fingerprint();
    TaskReport {
        task_id: inputs.task_id.to_string(),
        phase: inputs.phase.name().into(),
        run: desk.journal.map(|it| it.run().to_owned()),
        state: State::Queued,
        fingerprint: fingerprint.to_string(),
        attempt: 0,
        source: None,
        engine: inputs.engine.clone(),
        model: inputs.model.clone(),
        tokens_in: 0,
        tokens_out: 0,
        tokens_cached: 0,
        cost_usd: None,
        elapsed_ms: 0,
        progress: None,
        stale: None,
        started_at: None,
    }
}

fn count(report: &mut TaskReport, usage: &Usage) {
    report.tokens_in = usage.input_tokens;
    report.tokens_out = usage.output_tokens;
    report.tokens_cached = usage.cached_tokens;
    report.cost_usd = usage.cost_usd;
}

fn elapsed(since_ms: i64) -> u64 {
    u64::try_from(time::now_ms() - since_ms).unwrap_or(0)
}

/// One progress line: a `tracing` event and a report with the same fields.
fn tell(desk: &Desk<'_>, op: Op, report: &TaskReport) {
    tracing::info!(
        target: "casefile::task",
        op = op.name(),
        task_id = report.task_id.as_str(),
        phase = report.phase.as_str(),
        run = report.run.as_deref(),
        fingerprint = report.fingerprint.as_str(),
        attempt = report.attempt,
        source = report.source.as_deref(),
        status = report.state.word(),
        engine = report.engine.as_str(),
        model = report.model.as_deref(),
        tokens_in = report.tokens_in,
        tokens_out = report.tokens_out,
        tokens_cached = report.tokens_cached,
        cost_usd = report.cost_usd,
        elapsed_ms = report.elapsed_ms,
        stale = report.stale.as_deref(),
    );
    (desk.report)(Report::Task { op, task: Box::new(report.clone()) });
}
