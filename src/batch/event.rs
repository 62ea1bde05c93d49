//! One thing that happened, as ordered fields: a line for people and scripts, an object for files.
//! Must not leave out the order `op`, `task_id`, `phase`: scripts read it.

use crate::domain::text::{Surface, display};
use crate::driver::report::Report;
use crate::task::{
    phase::{Phase, PhaseStatus},
    state::{State, TaskReport},
};
use crate::{
    batch::{document::escaped, result::reason},
    telemetry::scrub::without_credentials,
};
use serde_json::{Map, Value};

/// The fields of one event, in order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Event {
    fields: Map<String, Value>,
    /// A step inside a running task: for files and the bar, not for lines.
    pub is_step: bool,
}

impl Event {
    /// What a report says about a target; `None` for reports that carry data only.
    pub fn of(report: &Report, target: &str) -> Option<Self> {
        let event = match report {
            Report::Task { op, task } => task_event(op.name(), task),
            Report::Phase { phase, status } => phase_event(*phase, status),
            Report::Notice(text) => Self::default().text("notice", text),
            Report::Began { root, .. } => {
                Self::default().text("status", "began").text("root", &root.to_string_lossy())
            }
            Report::Summary(_) => return None,
        };
        Some(event.text("target", target))
    }

    /// The end of a target.
    pub fn ended(target: &str, code: u8, error: Option<&str>) -> Self {
        let status = if error.is_some() { "failed" } else { "ended" };
        let event = Self::default().text("status", status).number("exit", u64::from(code));
        event.maybe("error", error).text("target", target)
    }

    fn text(mut self, name: &str, value: &str) -> Self {
        self.fields.insert(name.to_owned(), without_credentials(value).into());
        self
    }

    fn maybe(self, name: &str, value: Option<&str>) -> Self {
        match value {
            Some(value) => self.text(name, value),
            None => self,
        }
    }

    fn number(mut self, name: &str, value: u64) -> Self {
        self.fields.insert(name.to_owned(), value.into());
        self
    }

    fn counted(self, name: &str, value: u64) -> Self {
        if value == 0 { self } else { self.number(name, value) }
    }

    /// How far the work is that the event speaks of, as `done/total`.
    pub fn step(&self) -> Option<String> {
        Some(format!("{}/{}", self.fields.get("done")?, self.fields.get("total")?))
    }

    /// `name="value" name=3`, on one line, safe for a terminal.
    pub fn line(&self) -> String {
        let shown = |(name, value): (&String, &Value)| match value {
            Value::String(it) => format!("{name}={}", quoted(it)),
            other => format!("{name}={other}"),
        };
        self.fields.iter().map(shown).collect::<Vec<_>>().join(" ")
    }

    /// The object for `--events`, with the fields every event has first.
    pub fn object(&self, at: &str, run: Option<&str>) -> String {
        let mut object = Map::new();
        object.insert("at".into(), at.into());
        object.insert("run".into(), run.into());
        for name in ["op", "task_id", "phase", "status"] {
            object.insert(name.into(), self.fields.get(name).cloned().unwrap_or(Value::Null));
        }
        for (name, value) in &self.fields {
            object.insert(name.clone(), value.clone());
        }
        escaped(&format!("{}\n", Value::Object(object)))
    }
}

/// Text in quotes; a quote inside is escaped, so that a line can be taken apart again.
fn quoted(text: &str) -> String {
    let text = display(text, Surface::Inline);
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn phase_event(phase: Phase, status: &PhaseStatus) -> Event {
    let mut event = Event::default().text("phase", phase.name()).text("status", status.word());
    if let PhaseStatus::Running { done, total } = status {
        event = event.counted("done", *done).counted("total", *total);
    }
    event.maybe("reason", reason(status))
}

fn task_event(op: &str, task: &TaskReport) -> Event {
    let event = Event::default().text("op", op).text("task_id", &task.task_id);
    let event = event.text("phase", &task.phase).text("status", word(&task.state));
    let mut event = event
        .number("attempt", u64::from(task.attempt))
        .maybe("source", task.source.as_deref())
        .text("engine", &task.engine)
        .maybe("model", task.model.as_deref())
        .text("fingerprint", &task.fingerprint)
        .maybe("stale", task.stale.as_deref())
        .counted("tokens_in", task.tokens_in)
        .counted("tokens_out", task.tokens_out)
        .counted("tokens_cached", task.tokens_cached)
        .number("elapsed_ms", task.elapsed_ms);
    if let Some((done, total)) = task.progress {
        event = event.number("done", done).number("total", total);
    }
    if let Some(cost) = task.cost_usd {
        event.fields.insert("cost_usd".into(), cost.into());
    }
    event.maybe("run", task.run.as_deref()).maybe("error", error(&task.state))
}

/// The word for a state, the same in lines and objects.
pub fn word(state: &State) -> &'static str {
    match state {
        State::Queued => "queued",
        State::Running { .. } => "running",
        State::Succeeded => "succeeded",
        State::Loaded => "loaded",
        State::FailedIsolated { .. } => "failed_isolated",
        State::FailedBlocking { .. } => "failed_blocking",
        State::Cancelled => "cancelled",
        State::Interrupted => "interrupted",
        State::Skipped { .. } => "skipped",
        State::OverBudget { .. } => "over_budget",
    }
}

fn error(state: &State) -> Option<&str> {
    match state {
        State::FailedIsolated { error }
        | State::FailedBlocking { error }
        | State::OverBudget { error } => Some(error),
        State::Skipped { reason } => Some(reason),
        _ => None,
    }
}
