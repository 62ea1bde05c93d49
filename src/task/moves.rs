//! Which moves between states are legal: one pure function, used live and on recovery.
//! Must not know why a move is asked for; the driver asks, the store records, replay repeats.

use crate::task::state::State;
use serde::{Deserialize, Serialize};

/// Something that happened to a task. The ledger keeps these; the state is their replay.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// An attempt begins; they count from 1 without a gap.
    Started {
        attempt: u32,
    },
    /// An earlier artifact was verified and taken.
    Loaded,
    /// The output is on disk, synced.
    Succeeded,
    FailedIsolated {
        error: String,
    },
    FailedBlocking {
        error: String,
    },
    Cancelled,
    /// Its process is gone.
    Interrupted,
    Skipped {
        reason: String,
    },
    ExceededBudget {
        error: String,
    },
    /// It is to be done again: a retry, a damaged artifact, a changed input.
    Requeued {
        why: String,
    },
}

/// A move the table does not allow.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a task that is {state:?} cannot move on {event:?}")]
pub struct IllegalMove {
    pub state: State,
    pub event: Event,
}

/// The state after an event.
pub fn moved(state: &State, event: &Event) -> Result<State, IllegalMove> {
    let next = match (state, event) {
        (State::Queued, Event::Started { attempt: 1.. }) => start(event),
        (State::Running { attempt }, Event::Started { attempt: next }) if *next == attempt + 1 => {
            start(event)
        }
        (State::Queued, Event::Loaded) => Some(State::Loaded),
        (State::Queued, Event::Skipped { reason }) => {
            Some(State::Skipped { reason: reason.clone() })
        }
        (State::Queued | State::Running { .. }, Event::Cancelled) => Some(State::Cancelled),
        (State::Running { .. }, _) => ended(event),
        (_, Event::Requeued { .. }) if is_settled(state) => Some(State::Queued),
        _ => None,
    };
    next.ok_or_else(|| IllegalMove { state: state.clone(), event: event.clone() })
}

/// The state after all events, from queued. What a ledger keeps must replay, or it is damaged.
pub fn replay<'a>(events: impl IntoIterator<Item = &'a Event>) -> Result<State, IllegalMove> {
    events.into_iter().try_fold(State::Queued, |state, event| moved(&state, event))
}

/// Whether nothing more happens to the task unless somebody asks.
pub fn is_settled(state: &State) -> bool {
    !matches!(state, State::Queued | State::Running { .. })
}

fn start(event: &Event) -> Option<State> {
    match event {
        Event::Started { attempt } => Some(State::Running { attempt: *attempt }),
        _ => None,
    }
}

/// How a running task may end.
fn ended(event: &Event) -> Option<State> {
    Some(match event {
        Event::Succeeded => State::Succeeded,
        Event::FailedIsolated { error } => State::FailedIsolated { error: error.clone() },
        Event::FailedBlocking { error } => State::FailedBlocking { error: error.clone() },
        Event::Interrupted => State::Interrupted,
        Event::ExceededBudget { error } => State::OverBudget { error: error.clone() },
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{Event, moved, replay};
    use crate::task::state::State;

    fn events() -> Vec<Event> {
        let error = || "e".to_owned();
        vec![
            Event::Started { attempt: 1 },
            Event::Started { attempt: 2 },
            Event::Loaded,
            Event::Succeeded,
            Event::FailedIsolated { error: error() },
            Event::FailedBlocking { error: error() },
            Event::Cancelled,
            Event::Interrupted,
            Event::Skipped { reason: error() },
            Event::ExceededBudget { error: error() },
            Event::Requeued { why: error() },
        ]
    }

    /// Every state against every event: `.` is refused, a letter names the state it becomes.
    #[test]
    fn the_whole_table() {
        let name = |state: &State| match state {
            State::Queued => 'q',
            State::Running { attempt } => char::from_digit(*attempt, 10).expect("a digit"),
            State::Succeeded => 's',
            State::Loaded => 'l',
            State::FailedIsolated { .. } => 'i',
            State::FailedBlocking { .. } => 'b',
            State::Cancelled => 'c',
            State::Interrupted => 'x',
            State::Skipped { .. } => 'k',
            State::OverBudget { .. } => 'o',
        };
        let check = |state: State, expected: &str| {
            let row: String = events()
                .iter()
                .map(|event| moved(&state, event).as_ref().map_or('.', name))
                .collect();
            assert_eq!(row, expected, "{state:?}");
        };
        let error = || "e".to_owned();
        //            12lsibcxkoq
        check(State::Queued, "12l...c.k..");
        check(State::Running { attempt: 1 }, ".2.sibcx.o.");
        check(State::Running { attempt: 3 }, "...sibcx.o.");
        check(State::Succeeded, "..........q");
        check(State::Loaded, "..........q");
        check(State::FailedIsolated { error: error() }, "..........q");
        check(State::FailedBlocking { error: error() }, "..........q");
        check(State::Cancelled, "..........q");
        check(State::Interrupted, "..........q");
        check(State::Skipped { reason: error() }, "..........q");
        check(State::OverBudget { error: error() }, "..........q");
    }

    #[test]
    fn attempt_zero_never_starts() {
        assert!(moved(&State::Queued, &Event::Started { attempt: 0 }).is_err());
    }

    #[test]
    fn replay_repeats_history_and_refuses_what_cannot_have_happened() {
        let again = Event::Requeued { why: "its process is gone".into() };
        let crash = [Event::Started { attempt: 1 }, Event::Interrupted, again];
        assert_eq!(replay(&crash), Ok(State::Queued));
        let history = [&crash[0], &crash[1], &crash[2], &Event::Started { attempt: 2 }];
        assert_eq!(replay(history), Ok(State::Running { attempt: 2 }));
        assert!(replay(&[Event::Succeeded]).is_err());
        assert_eq!(replay(&[]), Ok(State::Queued));
    }
}
