//! The run behind the open review: its phases, its tasks, and what was said of them.
//! Must not start or stop anything; it asks by effects and believes the reports.

use crate::{
    app::event::{Phase, PhaseStatus, Request},
    task::state::{State, TaskReport},
};

/// Phases and tasks of the open review's run.
#[derive(Debug, Clone, Default)]
pub struct Work {
    pub phases: Vec<Phase>,
    /// One entry a task, in the order they were first heard of.
    pub tasks: Vec<TaskReport>,
    /// The request whose reports count; older ones are dropped.
    pub request: Option<Request>,
    pub ended: bool,
    pub error: Option<String>,
    /// Something changed while it ran: it runs once more.
    pub again: bool,
    pub cursor: usize,
    /// The task whose details show.
    pub opened: bool,
    told: Vec<(String, u32)>,
}

impl Work {
    /// Takes a phase's news in.
    pub fn phase(&mut self, phase: Phase) {
        match self.phases.iter_mut().find(|it| it.name == phase.name) {
            Some(it) => *it = phase,
            None => self.phases.push(phase),
        }
    }

    /// Takes a task's news in; gives what to announce when it finished, once for each attempt.
    pub fn task(&mut self, report: TaskReport) -> Option<String> {
        let said = finished(&report);
        let key = (report.task_id.clone(), report.attempt);
        match self.tasks.iter_mut().find(|it| it.task_id == report.task_id) {
            Some(it) => *it = report,
            None => self.tasks.push(report),
        }
        let said = said.filter(|_| !self.told.contains(&key))?;
        self.told.push(key);
        Some(said)
    }

    /// Tasks that run or wait.
    pub fn running(&self) -> usize {
        let busy = |it: &&TaskReport| matches!(it.state, State::Running { .. } | State::Queued);
        self.tasks.iter().filter(busy).count()
    }

    /// The run that can go on without this window: one that is in the ledger and works.
    pub fn to_hand_over(&self) -> Option<&str> {
        let busy = |it: &&TaskReport| matches!(it.state, State::Running { .. } | State::Queued);
        self.tasks.iter().filter(busy).find_map(|it| it.run.as_deref())
    }

    /// The phase that is going on.
    pub fn current_phase(&self) -> Option<&Phase> {
        self.phases.iter().find(|it| it.status == PhaseStatus::Running)
    }

    /// The task under the cursor of the list.
    pub fn current(&self) -> Option<&TaskReport> {
        self.tasks.get(self.cursor)
    }

    pub fn step(&mut self, rows: i64) {
        let last = self.tasks.len().saturating_sub(1);
        self.cursor = self.cursor.saturating_add_signed(rows as isize).min(last);
    }
}

/// The word of a state, for lists.
pub fn word(state: &State) -> &'static str {
    match state {
        State::Queued => "queued",
        State::Running { .. } => "running",
        State::Succeeded => "done",
        State::Loaded => "loaded",
        State::FailedIsolated { .. } | State::FailedBlocking { .. } => "failed",
        State::Cancelled => "cancelled",
        State::Interrupted => "interrupted",
        State::Skipped { .. } => "skipped",
        State::OverBudget { .. } => "over budget",
    }
}

/// What a state says beyond its word.
pub fn reason(state: &State) -> Option<&str> {
    match state {
        State::FailedIsolated { error }
        | State::FailedBlocking { error }
        | State::OverBudget { error } => Some(error),
        State::Skipped { reason } => Some(reason),
        _ => None,
    }
}

fn finished(report: &TaskReport) -> Option<String> {
    let name = &report.task_id;
    match &report.state {
        State::Succeeded if name == "dossier-discussion-summary" => {
            Some("the summaries are ready".to_owned())
        }
        State::Succeeded => Some(format!("{name} done")),
        State::FailedIsolated { .. } | State::FailedBlocking { .. } => {
            Some(format!("{name} failed; F8 says why, R runs it again"))
        }
        State::OverBudget { .. } => Some(format!("{name} is over its budget; F8 says by how much")),
        State::Cancelled => Some(format!("{name} cancelled; R runs it again")),
        _ => None,
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use crate::{
        app::work::Work,
        task::state::{State, TaskReport},
    };

    pub(crate) fn report(state: State) -> TaskReport {
        TaskReport {
            task_id: "dossier-discussion-summary".to_owned(),
            phase: "dossier".to_owned(),
            run: None,
            state,
            fingerprint: "f00d".to_owned(),
            attempt: 1,
            source: Some("execute".to_owned()),
            engine: "extractive".to_owned(),
            model: None,
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

    #[test]
    fn a_finished_task_is_announced_once() {
        let mut work = Work::default();
        assert_eq!(work.task(report(State::Running { attempt: 1 })), None);
        assert_eq!(work.running(), 1);
        let done = "the summaries are ready".to_owned();
        assert_eq!(work.task(report(State::Succeeded)), Some(done));
        assert_eq!(work.task(report(State::Succeeded)), None);
        assert_eq!(work.running(), 0);
    }
}
