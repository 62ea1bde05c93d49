//! A posting pass as a state machine: what was seen and answered goes in, what to do next comes
//! out. Must not act: the driver looks, records, sends and waits, one thing at a time, and tells.
//!
//! Before each request the pull request is looked at: what landed already is found by its mark,
//! what rests on something that changed is held. `sending` is recorded before the request leaves.
//! Whoever drives it holds the posting lock of the pull request from the first effect to the last.

use crate::domain::text::outside::Outside;
use crate::outbox::{
    action::{Action, ActionId},
    effect::{Effect, Input, Move, Stop},
    kind::Kind,
    manners::Manners,
    marker::{Key, Verifier},
    outcome::{Class, Outcome, Receipt},
    premise::{self, Change},
    sight::Sight,
    state::{Event, Standing, State},
    unit,
};

/// When, after an answer was lost, the pull request is looked at, ms. GitHub's lists show what
/// landed within 30 s (the promise rests on that).
pub const LOOKS: [i64; 4] = [0, 2_000, 10_000, 30_000];
/// How often in a row a look or a connection may fail before the pass ends.
const PATIENCE: u32 = 3;

/// One pass over the actions of one pull request.
#[derive(Debug, Clone)]
pub struct Pass {
    all: Vec<Standing>,
    key: Key,
    looks: Vec<i64>,
    pub manners: Manners,
    /// For what an answer was lost of: when, and how many looks were made since.
    lost: Vec<(ActionId, i64, usize)>,
    recording: Vec<Move>,
    unit: Vec<usize>,
    /// A refused review is read back before anything else.
    look_back: bool,
    failures: u32,
    stop: Option<Stop>,
}

impl Pass {
    /// A pass over what the ledger has for a pull request, final ones included.
    pub fn new(all: Vec<Standing>, key: Key, manners: Manners, looks: &[i64]) -> Self {
        Self {
            all,
            key,
            looks: looks.to_vec(),
            manners,
            lost: Vec::new(),
            recording: Vec::new(),
            unit: Vec::new(),
            look_back: false,
            failures: 0,
            stop: None,
        }
    }

    /// Where everything stands.
    pub fn standings(&self) -> &[Standing] {
        &self.all
    }

    /// Tells our posts from others when a capture is turned into a sight.
    pub fn verifier(&self) -> Verifier<'_> {
        Verifier::new(&self.key, self.all.iter().map(|it| &it.action))
    }

    /// Takes what happened; says what to do next.
    pub fn step(&mut self, input: Input, now: i64) -> Effect {
        match input {
            Input::Begin => self.begin(now),
            Input::Looked(sight) => {
                self.failures = 0;
                self.look_back = false;
                self.judge(&sight, now)
            }
            Input::LookLimited { pause } => {
                self.manners.limited(now, pause);
                self.next(now)
            }
            Input::LookRefused { class: Class::Auth, says } => self.end(Stop::SignIn { says }),
            Input::LookRefused { says, .. } => self.end(Stop::Unreachable { why: says }),
            Input::LookFailed { why } => self.failed(why, now),
            Input::Recorded => self.recorded(now),
            Input::Moved(others) => {
                self.recording.clear();
                self.unit.clear();
                self.take(others);
                self.next(now)
            }
            Input::NotRecorded { why } => self.end(Stop::Disk { why }),
            Input::Answered(outcome) => self.answered(&outcome, now),
            Input::Woke => self.next(now),
            Input::Cancelled => self.end(Stop::Cancelled),
        }
    }

    /// What stands in `sending` was left by a process that died: nobody knows whether it left.
    fn begin(&mut self, now: i64) -> Effect {
        let left = self.all.iter().filter(|it| it.state == State::Sending);
        let why = "the process ended while it was sent";
        let moves: Vec<Move> =
            left.map(|it| moved(it, Event::Lost { why: why.to_owned() })).collect();
        let unknown = |it: &&Standing| matches!(it.state, State::Sending | State::Unknown { .. });
        self.lost =
            self.all.iter().filter(unknown).map(|it| (it.action.id.clone(), now, 0)).collect();
        self.record(moves, now)
    }

    fn end(&mut self, stop: Stop) -> Effect {
        self.stop = Some(stop.clone());
        Effect::Done(stop)
    }

    fn failed(&mut self, why: String, now: i64) -> Effect {
        self.failures += 1;
        if self.failures >= PATIENCE {
            return self.end(Stop::Unreachable { why });
        }
        Effect::Wait { until: now + (1_000 << self.failures), limit: false }
    }

    /// Others decided or posted meanwhile; theirs is newer.
    fn take(&mut self, others: Vec<Standing>) {
        for other in others {
            match self.all.iter_mut().find(|it| it.action.id == other.action.id) {
                Some(ours) => *ours = other,
                None => self.all.push(other),
            }
        }
        let still =
            |id: &ActionId| self.all.iter().any(|it| it.action.id == *id && is_unknown(&it.state));
        self.lost.retain(|it| still(&it.0));
    }

    fn record(&mut self, moves: Vec<Move>, now: i64) -> Effect {
        if moves.is_empty() {
            return self.next(now);
        }
        self.recording.clone_from(&moves);
        Effect::Record(moves)
    }

    /// The moves stand on disk; now they stand here, and a request that was prepared may leave.
    fn recorded(&mut self, now: i64) -> Effect {
        for it in std::mem::take(&mut self.recording) {
            let standing = self.all.iter_mut().find(|at| at.action.id == it.id);
            let standing = standing.expect("a pass records moves of its own actions");
            standing.step(&it.event).expect("a pass asks for legal moves only");
        }
        let still = |id: &ActionId, all: &[Standing]| {
            all.iter().any(|it| {
                it.action.id == *id && matches!(it.state, State::Unknown { needs_check: false, .. })
            })
        };
        self.lost.retain(|it| still(&it.0, &self.all));
        if self.unit.is_empty() {
            return self.stop.clone().map_or_else(|| self.next(now), Effect::Done);
        }
        if let Some(order) = unit::order(&self.all, &self.unit, &self.key) {
            self.manners.wrote(now);
            return Effect::Send(order);
        }
        // Cannot be: it was approved and ready a moment ago. Nothing leaves.
        let why = "it was not ready after all".to_owned();
        self.answered(&Outcome::NotSent { why }, now)
    }

    /// The next thing to do when nothing is under way.
    fn next(&mut self, now: i64) -> Effect {
        let held = self.manners.limited_until();
        let send = (!self.ready().is_empty()).then(|| self.manners.next(now));
        let look = self.lost.iter().filter_map(|it| Some(it.1 + self.looks.get(it.2)?)).min();
        let back = self.look_back.then_some(now);
        let Some(due) = [send, look, back].into_iter().flatten().min() else {
            return self.end(Stop::Finished);
        };
        match due.max(held) {
            until if until > now => Effect::Wait { until, limit: until == held },
            _ => Effect::Look,
        }
    }

    /// Approved ones whose turn it may be.
    fn ready(&self) -> Vec<usize> {
        let posted =
            |id: &ActionId| self.all.iter().any(|it| it.action.id == *id && it.state.is_posted());
        let is_ready = |it: &Standing| {
            it.state == State::Approved && it.action.after.as_ref().is_none_or(posted)
        };
        (0..self.all.len()).filter(|it| is_ready(&self.all[*it])).collect()
    }

    /// What a look means for everything that is not at its end, and which request leaves now.
    fn judge(&mut self, sight: &Sight, now: i64) -> Effect {
        let mut moves = Vec::new();
        for at in 0..self.all.len() {
            if let Some(event) = self.seen(at, sight, now) {
                moves.push(moved(&self.all[at], event));
            }
        }
        let touched = |at: &usize| moves.iter().any(|it| it.id == self.all[*at].action.id);
        let ready: Vec<usize> = self.ready().into_iter().filter(|it| !touched(it)).collect();
        if self.manners.next(now) <= now {
            self.unit = unit::next(&self.all, &ready);
            for at in &self.unit {
                let attempt = self.all[*at].attempt + 1;
                moves.push(moved(&self.all[*at], Event::Sending { attempt }));
            }
        }
        self.record(moves, now)
    }

    fn seen(&mut self, at: usize, sight: &Sight, now: i64) -> Option<Event> {
        let standing = &self.all[at];
        if standing.state.is_final() || standing.state == State::Rejected && !standing.doubt {
            return None;
        }
        if standing.attempt > 0
            && let Some(receipt) = sight.found(standing).into_iter().next()
        {
            return Some(Event::Found { receipt });
        }
        match &standing.state {
            State::Unknown { needs_check, .. } => {
                let needs_check = *needs_check;
                self.unseen(at, needs_check, now)
            }
            State::Approved => self.still(at, sight),
            _ => None,
        }
    }

    /// An unknown one was not seen.
    fn unseen(&mut self, at: usize, needs_check: bool, now: i64) -> Option<Event> {
        let standing = &self.all[at];
        if standing.action.payload.kind().is_repeatable() {
            return Some(Event::Repeatable);
        }
        let lost = self.lost.iter_mut().find(|it| it.0 == standing.action.id)?;
        while self.looks.get(lost.2).is_some_and(|it| lost.1 + it <= now) {
            lost.2 += 1;
        }
        (lost.2 >= self.looks.len() && !needs_check).then_some(Event::NotFound)
    }

    /// Whether an approved one may still go.
    fn still(&self, at: usize, sight: &Sight) -> Option<Event> {
        let standing = &self.all[at];
        let action = &standing.action;
        let before = action.after.as_ref().map(|id| {
            let found = self.all.iter().find(|it| it.action.id == *id);
            found.map(|it| &it.state)
        });
        let never = |it: &State| matches!(it, State::Rejected | State::Superseded { .. });
        let kind = action.payload.kind();
        match before {
            Some(None) => return Some(gone(action)),
            Some(Some(state)) if never(state) => return Some(gone(action)),
            // A dismissal is looked at when its approval stands.
            Some(Some(state)) if !state.is_posted() && kind == Kind::DismissOwnReview => {
                return None;
            }
            _ => {}
        }
        if kind == Kind::DismissOwnReview {
            return self.needless(at, sight);
        }
        if kind.is_repeatable() && !sight.found(standing).is_empty() {
            return Some(Event::Superseded { why: "it is so already".to_owned() });
        }
        if !standing.is_approved() {
            let now = premise::now(action, sight);
            return Some(Event::Held { changes: vec![Change::Edited], now });
        }
        let changes = premise::changes(action, sight);
        let now = premise::now(action, sight);
        (!changes.is_empty()).then_some(Event::Held { changes, now })
    }

    /// An approval that stands on the head it was for needs no taking back.
    fn needless(&self, at: usize, sight: &Sight) -> Option<Event> {
        let of = self.all[at].action.after.as_ref()?;
        let approval = self.all.iter().find(|it| it.action.id == *of)?;
        let moved =
            approval.action.premises.head.is_some() && approval.action.premises.head != sight.head;
        (!moved).then(|| Event::Superseded { why: "the head had not moved".to_owned() })
    }

    /// What an answer means for every action of the request.
    fn answered(&mut self, outcome: &Outcome, now: i64) -> Effect {
        let unit = std::mem::take(&mut self.unit);
        match outcome {
            Outcome::Limited { pause } => self.manners.limited(now, *pause),
            Outcome::NotSent { .. } => self.failures += 1,
            _ => self.manners.answered(),
        }
        if !matches!(outcome, Outcome::NotSent { .. }) {
            self.failures = 0;
        }
        match outcome {
            Outcome::Refused { class: Class::Auth, says } => {
                self.stop = Some(Stop::SignIn { says: says.inline().into_owned() });
            }
            Outcome::NotSent { why } if self.failures >= PATIENCE => {
                self.stop = Some(Stop::Unreachable { why: why.clone() });
            }
            Outcome::Refused { class: Class::Invalid, .. } => self.look_back = true,
            Outcome::Unknown { .. } => {
                let ids = unit.iter().map(|it| self.all[*it].action.id.clone());
                self.lost.extend(ids.map(|it| (it, now, 0)));
            }
            _ => {}
        }
        let moves = unit.iter().enumerate().map(|(nth, at)| {
            let standing = &self.all[*at];
            moved(standing, event(standing, outcome, nth == 0))
        });
        let moves = moves.collect();
        self.record(moves, now)
    }
}

fn is_unknown(state: &State) -> bool {
    matches!(state, State::Unknown { .. })
}

fn moved(standing: &Standing, event: Event) -> Move {
    Move {
        id: standing.action.id.clone(),
        from: standing.state.name(),
        attempt: standing.attempt,
        event,
    }
}

/// What follows when what had to go first never will.
fn gone(action: &Action) -> Event {
    if action.payload.kind() == Kind::DismissOwnReview {
        return Event::Superseded { why: "what it would take back was not posted".to_owned() };
    }
    Event::Held { changes: vec![Change::FirstIsGone], now: action.premises.clone() }
}

/// What an answer means for one action. The first of a request is what the receipt speaks of.
fn event(standing: &Standing, outcome: &Outcome, first: bool) -> Event {
    match outcome {
        Outcome::Landed(receipt)
            if receipt.resolved == Some(false)
                && standing.action.payload.kind() == Kind::ResolveThread =>
        {
            let says = "GitHub said yes, but the thread is still unresolved";
            Event::Refused { class: Class::Invalid, says: Outside::from(says) }
        }
        Outcome::Landed(receipt) if first => Event::Landed { receipt: receipt.clone() },
        Outcome::Landed(_) => Event::Landed { receipt: Receipt::default() },
        Outcome::Refused { class, says } => Event::Refused { class: *class, says: says.clone() },
        Outcome::Limited { .. } => Event::PutOff { why: "GitHub asks for a pause".to_owned() },
        Outcome::NotSent { why } => Event::PutOff { why: why.clone() },
        Outcome::Unknown { why } => Event::Lost { why: why.clone() },
    }
}
