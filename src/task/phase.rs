//! Phases of a run in their order, and the status of a phase as it follows from its tasks.
//! Must not run phases; the driver does, and asks here what they amount to.

use crate::task::state::State;
use serde::{Deserialize, Serialize};

/// A phase of a run. The order of the variants is the order of the phases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    Capture,
    Gate,
    Dossier,
}

impl Phase {
    /// All phases, in order.
    pub const ALL: [Self; 3] = [Self::Capture, Self::Gate, Self::Dossier];

    /// The name used on screens, in JSON and after `--until`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Capture => "capture",
            Self::Gate => "gate",
            Self::Dossier => "dossier",
        }
    }

    /// The phase of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }
}

/// Where a phase stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum PhaseStatus {
    Waiting,
    /// Steps done and all steps; `0/0` when there is nothing to count.
    Running {
        done: u64,
        total: u64,
    },
    Done,
    /// Every task of the phase was taken from an earlier run.
    Loaded,
    Skipped {
        reason: String,
    },
    Held {
        reason: String,
    },
    Failed {
        reason: String,
    },
    Interrupted,
}

impl PhaseStatus {
    /// The word used on screens and in JSON.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Running { .. } => "running",
            Self::Done => "done",
            Self::Loaded => "loaded",
            Self::Skipped { .. } => "skipped",
            Self::Held { .. } => "held",
            Self::Failed { .. } => "failed",
            Self::Interrupted => "interrupted",
        }
    }

    /// Steps done and all steps, while it runs and has some to count.
    pub fn progress(&self) -> Option<(u64, u64)> {
        match self {
            Self::Running { done, total } if *total > 0 => Some((*done, *total)),
            _ => None,
        }
    }

    /// Why, where there is a why.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::Skipped { reason } | Self::Held { reason } | Self::Failed { reason } => {
                Some(reason)
            }
            _ => None,
        }
    }
}

/// The status of a phase whose tasks stand like this. Any failed blocking task or one over its
/// budget makes it failed; a cancelled or interrupted one interrupted; all loaded makes it loaded.
pub fn status_of<'a>(tasks: impl IntoIterator<Item = &'a State>) -> PhaseStatus {
    let states: Vec<&State> = tasks.into_iter().collect();
    let failed = states.iter().find_map(|it| match it {
        State::FailedBlocking { error } | State::OverBudget { error } => Some(error.clone()),
        _ => None,
    });
    let any = |wanted: fn(&State) -> bool| states.iter().any(|it| wanted(it));
    let all = |wanted: fn(&State) -> bool| states.iter().all(|it| wanted(it));
    if let Some(reason) = failed {
        return PhaseStatus::Failed { reason };
    }
    if any(|it| matches!(it, State::Cancelled | State::Interrupted)) {
        return PhaseStatus::Interrupted;
    }
    if all(|it| matches!(it, State::Queued)) {
        return PhaseStatus::Waiting;
    }
    if any(|it| matches!(it, State::Queued | State::Running { .. })) {
        let open = |it: &&&State| !matches!(it, State::Queued | State::Running { .. });
        let done = states.iter().filter(open).count() as u64;
        return PhaseStatus::Running { done, total: states.len() as u64 };
    }
    if all(|it| matches!(it, State::Skipped { .. })) {
        let reason = states.iter().find_map(|it| match it {
            State::Skipped { reason } => Some(reason.clone()),
            _ => None,
        });
        return PhaseStatus::Skipped { reason: reason.unwrap_or_default() };
    }
    if all(|it| matches!(it, State::Loaded | State::Skipped { .. })) {
        return PhaseStatus::Loaded;
    }
    PhaseStatus::Done
}

#[cfg(test)]
mod tests {
    use crate::task::{
        phase::{Phase, status_of},
        state::State,
    };

    #[test]
    fn a_phase_is_the_sum_of_its_tasks() {
        let run = State::Running { attempt: 1 };
        let bad = State::FailedBlocking { error: "no".into() };
        let alone = State::FailedIsolated { error: "one".into() };
        let over = State::OverBudget { error: "big".into() };
        let skip = State::Skipped { reason: "pinned".into() };
        let check = |tasks: &[&State], expected: &str| {
            assert_eq!(status_of(tasks.iter().copied()).word(), expected, "{tasks:?}");
        };
        check(&[], "waiting");
        check(&[&State::Queued], "waiting");
        check(&[&State::Queued, &State::Loaded], "running");
        check(&[&run, &State::Succeeded], "running");
        check(&[&State::Succeeded, &State::Loaded], "done");
        check(&[&State::Loaded, &State::Loaded], "loaded");
        check(&[&State::Loaded, &skip], "loaded");
        check(&[&skip, &skip], "skipped");
        check(&[&State::Succeeded, &alone], "done");
        check(&[&State::Succeeded, &bad, &run], "failed");
        check(&[&over], "failed");
        check(&[&State::Cancelled, &State::Loaded], "interrupted");
        check(&[&State::Interrupted], "interrupted");
    }

    #[test]
    fn names_round_trip() {
        for phase in Phase::ALL {
            assert_eq!(Phase::named(phase.name()), Some(phase));
        }
        assert_eq!(Phase::named("nonsense"), None);
    }
}
