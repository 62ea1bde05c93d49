//! Planned actions in the ledger. Events are kept; where an action stands is their replay; a move
//! is compare-and-set, and several moves are one transaction.
//! Must not decide a move: `outbox` does, live and on replay.

use crate::{
    outbox::{
        action::{Action, ActionId},
        effect::Move,
        marker::Key,
        state::{Event, Standing},
    },
    store::{
        error::StoreError,
        ledger::{Ledger, file::ledger_error, reader::Reader},
        time,
    },
};
use rusqlite::{Connection, OptionalExtension, params};
use serde::{Serialize, de::DeserializeOwned};
use std::path::Path;

/// What came of moves.
#[derive(Debug, Clone, PartialEq)]
pub enum Moved {
    /// All of them stand, and this is where their actions are now.
    All(Vec<Standing>),
    /// Somebody else moved one of them meanwhile. Nothing was changed; this is how all actions of
    /// the pull request stand.
    Elsewhere(Vec<Standing>),
}

/// One thing that happened to an action, and when.
#[derive(Debug, Clone, PartialEq)]
pub struct Happened {
    /// RFC 3339.
    pub at: String,
    pub event: Event,
}

/// Which key signs the marks of our posts.
const MARKS: &str = "marks";

impl Ledger {
    /// Takes actions in, in their order. One whose id is known already stays as it stands: planning
    /// the same again changes nothing.
    pub fn plan_actions(&self, new: Vec<Standing>) -> Result<Vec<Standing>, StoreError> {
        let path = self.path.clone();
        self.writer.write("plan the actions", move |on| {
            let failed = |source| ledger_error("plan the actions", &path, source);
            let mut stand = Vec::new();
            for standing in new {
                if let Some(known) = find(on, &standing.action.id, &path)? {
                    stand.push(known);
                    continue;
                }
                insert(on, &standing).map_err(failed)?;
                stand.push(standing);
            }
            Ok(stand)
        })
    }

    /// Moves actions of one pull request, all or none.
    pub fn move_actions(&self, target: &str, moves: Vec<Move>) -> Result<Moved, StoreError> {
        let (path, target) = (self.path.clone(), target.to_owned());
        self.writer.write("move the actions", move |on| {
            let mut stand = Vec::new();
            for it in &moves {
                let found = find(on, &it.id, &path)?;
                let as_said =
                    |at: &Standing| at.state.name() == it.from && at.attempt == it.attempt;
                let Some(mut standing) = found.filter(as_said) else {
                    return Ok(Moved::Elsewhere(of_target(on, &target, &path)?));
                };
                standing.step(&it.event)?;
                stand.push(standing);
            }
            let failed = |source| ledger_error("move the actions", &path, source);
            for (standing, it) in stand.iter().zip(&moves) {
                update(on, standing, &it.event).map_err(failed)?;
            }
            Ok(Moved::All(stand))
        })
    }

    /// Every action of a pull request, final ones too, in the order they were planned.
    pub fn actions(&self, target: &str) -> Result<Vec<Standing>, StoreError> {
        let (path, target) = (self.path.clone(), target.to_owned());
        self.writer.write("read the actions", move |on| of_target(on, &target, &path))
    }

    /// What signs our marks; made of `fresh` the first time.
    pub fn marks_key(&self, fresh: [u8; 32]) -> Result<Key, StoreError> {
        let path = self.path.clone();
        self.writer.write("read the key of the marks", move |on| {
            let failed = |source| ledger_error("read the key of the marks", &path, source);
            let sql = "INSERT OR IGNORE INTO keys (name, bytes) VALUES (?1, ?2)";
            on.execute(sql, params![MARKS, fresh]).map_err(failed)?;
            let sql = "SELECT bytes FROM keys WHERE name = ?1";
            let bytes = on.query_row(sql, [MARKS], |row| row.get::<_, [u8; 32]>(0));
            bytes.map(Key::new).map_err(failed)
        })
    }
}

impl Reader {
    /// Every action of a pull request, final ones too, in the order they were planned. None for a
    /// ledger from before there were actions.
    pub fn actions(&self, target: &str) -> Result<Vec<Standing>, StoreError> {
        if !self.has_actions()? {
            return Ok(Vec::new());
        }
        of_target(self.connection(), target, self.path())
    }

    /// The pull requests with actions that wait for a person, and how many.
    pub fn waiting_actions(&self) -> Result<Vec<(String, u64)>, StoreError> {
        if !self.has_actions()? {
            return Ok(Vec::new());
        }
        let failed = |source| ledger_error("read the actions", self.path(), source);
        let sql = "SELECT target, count(*) FROM actions
                   WHERE state IN ('planned', 'held', 'failed', 'unknown')
                   GROUP BY target ORDER BY target";
        let mut query = self.connection().prepare(sql).map_err(failed)?;
        let rows = query
            .query_map([], |row| Ok((row.get(0)?, row.get::<_, i64>(1)?.unsigned_abs())))
            .map_err(failed)?;
        rows.collect::<Result<Vec<_>, _>>().map_err(failed)
    }

    /// What happened to an action, oldest first.
    pub fn history(&self, id: &ActionId) -> Result<Vec<Happened>, StoreError> {
        if !self.has_actions()? {
            return Ok(Vec::new());
        }
        let failed = |source| ledger_error("read the actions", self.path(), source);
        let sql = "SELECT at, event FROM action_events WHERE action_id = ?1 ORDER BY seq";
        let mut query = self.connection().prepare(sql).map_err(failed)?;
        let rows = query
            .query_map([id.as_str()], |row| Ok((row.get(0)?, row.get::<_, String>(1)?)))
            .map_err(failed)?;
        let mut all = Vec::new();
        for row in rows {
            let (at, event) = row.map_err(failed)?;
            all.push(Happened { at, event: decoded(&event, self.path())? });
        }
        Ok(all)
    }

    fn has_actions(&self) -> Result<bool, StoreError> {
        let sql = "SELECT count(*) FROM sqlite_schema WHERE name = 'actions'";
        let count = self.connection().query_row(sql, [], |row| row.get::<_, i64>(0));
        let count = count.map_err(|source| ledger_error("read the actions", self.path(), source));
        Ok(count? > 0)
    }
}

fn find(on: &Connection, id: &ActionId, path: &Path) -> Result<Option<Standing>, StoreError> {
    let sql = "SELECT standing FROM actions WHERE action_id = ?1";
    let found = on.query_row(sql, [id.as_str()], |row| row.get::<_, String>(0)).optional();
    let found = found.map_err(|source| ledger_error("read the actions", path, source))?;
    found.map(|it| decoded(&it, path)).transpose()
}

fn of_target(on: &Connection, target: &str, path: &Path) -> Result<Vec<Standing>, StoreError> {
    let failed = |source| ledger_error("read the actions", path, source);
    let sql = "SELECT standing FROM actions WHERE target = ?1 ORDER BY seq";
    let mut query = on.prepare(sql).map_err(failed)?;
    let rows = query.query_map([target], |row| row.get::<_, String>(0)).map_err(failed)?;
    rows.map(|it| decoded(&it.map_err(failed)?, path)).collect()
}

fn insert(on: &Connection, standing: &Standing) -> rusqlite::Result<()> {
    let Action { id, target, .. } = &standing.action;
    let sql =
        "INSERT INTO actions (action_id, target, planned_at, planned, standing, state, attempt)
               VALUES (?1, ?2, ?3, ?4, ?4, ?5, ?6)";
    let row = params![
        id.as_str(),
        target.key(),
        time::now(),
        json(standing),
        standing.state.name(),
        standing.attempt
    ];
    on.execute(sql, row).map(drop)
}

fn update(on: &Connection, standing: &Standing, event: &Event) -> rusqlite::Result<()> {
    let id = standing.action.id.as_str();
    let sql = "UPDATE actions SET standing = ?2, state = ?3, attempt = ?4 WHERE action_id = ?1";
    on.execute(sql, params![id, json(standing), standing.state.name(), standing.attempt])?;
    let sql = "INSERT INTO action_events (action_id, at, event) VALUES (?1, ?2, ?3)";
    on.execute(sql, params![id, time::now(), json(event)]).map(drop)
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("plain values become JSON")
}

fn decoded<T: DeserializeOwned>(text: &str, path: &Path) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|error| StoreError::Unreadable {
        path: path.to_owned(),
        why: format!("an action in it is not understood: {error}"),
    })
}

#[cfg(test)]
mod tests {
    use crate::{
        domain::text::outside::Outside,
        outbox::{
            action::{Action, ActionId, Origin, Payload, Premises, Target},
            effect::Move,
            outcome::Receipt,
            state::{By, Event, Standing, State},
        },
        store::ledger::{Ledger, actions::Moved, reader::Reader},
    };

    fn action(name: &str) -> Action {
        Action {
            id: ActionId::from_seed(name),
            target: Target {
                host: "github.com".into(),
                owner: "acme".into(),
                repository: "store".into(),
                number: 482,
            },
            payload: Payload::IssueComment { body: Outside::from(format!("words of {name}")) },
            premises: Premises::default(),
            origin: Origin::Person,
            why: None,
            after: None,
            run: String::new(),
        }
    }

    fn step(at: &Standing, event: Event) -> Move {
        Move { id: at.action.id.clone(), from: at.state.name(), attempt: at.attempt, event }
    }

    fn all(moved: Moved) -> Vec<Standing> {
        match moved {
            Moved::All(it) => it,
            Moved::Elsewhere(it) => panic!("moved elsewhere: {it:?}"),
        }
    }

    #[test]
    fn where_an_action_stands_is_the_replay_of_its_events() {
        let temp = tempfile::tempdir().expect("a temporary folder");
        let (ledger, _) = Ledger::open(&temp.path().join("ledger.db")).expect("opened");
        let new = |name| Standing::new(action(name), false);
        let key = action("a").target.key();
        let both = ledger.plan_actions(vec![new("a"), new("b")]).expect("planned");
        let digest = both[0].action.digest();
        let events = [
            Event::Approved { by: By::Person, digest },
            Event::Sending { attempt: 1 },
            Event::Lost { why: "cut".into() },
            Event::Found { receipt: Receipt { url: Some("u".into()), ..Receipt::default() } },
        ];
        let mut now = both[0].clone();
        for event in &events {
            let moves = vec![step(&now, event.clone())];
            now = all(ledger.move_actions(&key, moves).expect("moved")).remove(0);
        }
        // Planned once more: it stays as it stands.
        let again = ledger.plan_actions(vec![new("a")]).expect("planned");
        assert_eq!(again, [now.clone()]);
        drop(ledger);
        let reader = Reader::open(&temp.path().join("ledger.db")).expect("read").expect("there");
        let kept = reader.actions(&key).expect("read");
        assert_eq!(kept, [now.clone(), both[1].clone()]);
        let history = reader.history(&now.action.id).expect("read");
        let mut replayed = both[0].clone();
        for it in &history {
            replayed.step(&it.event).expect("legal");
        }
        assert_eq!((history.len(), replayed), (4, now));
        assert_eq!(reader.waiting_actions().expect("read"), [(key, 1)]);
    }

    #[test]
    fn several_moves_are_one_and_a_stale_one_changes_nothing() {
        let temp = tempfile::tempdir().expect("a temporary folder");
        let (ledger, _) = Ledger::open(&temp.path().join("ledger.db")).expect("opened");
        let new = |name| Standing::new(action(name), false);
        let key = action("a").target.key();
        let both = ledger.plan_actions(vec![new("a"), new("b")]).expect("planned");
        let yes = |at: &Standing| {
            step(at, Event::Approved { by: By::Person, digest: at.action.digest() })
        };
        all(ledger.move_actions(&key, vec![yes(&both[1])]).expect("moved"));
        // The second is known as planned, which it is no longer: the first stays planned too.
        let moved = ledger.move_actions(&key, both.iter().map(yes).collect()).expect("answered");
        let Moved::Elsewhere(now) = moved else { panic!("{moved:?}") };
        assert_eq!((&now[0].state, &now[1].state), (&State::Planned, &State::Approved));
        // A digest of other bytes approves nothing.
        let wrong =
            step(&both[0], Event::Approved { by: By::Person, digest: now[1].action.digest() });
        assert!(ledger.move_actions(&key, vec![wrong]).is_err());
        assert_eq!(ledger.actions(&key).expect("read"), now);
    }

    #[test]
    fn the_key_is_made_once() {
        let temp = tempfile::tempdir().expect("a temporary folder");
        let path = temp.path().join("ledger.db");
        let (one, _) = Ledger::open(&path).expect("opened");
        let (two, _) = Ledger::open(&path).expect("opened");
        let first = one.marks_key([1; 32]).expect("made");
        assert_eq!(two.marks_key([2; 32]).expect("read").bytes(), first.bytes());
    }
}
