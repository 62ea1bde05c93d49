//! The ledger's tables, one migration a version. Must only ever be added to: a migration that has
//! been released never changes.

/// `case`, in the file's header: tells our ledgers from other `SQLite` files.
pub const APPLICATION_ID: i64 = 0x6361_7365;

/// Migration `n` (counted from 1) leads from version `n - 1` to version `n`.
pub const MIGRATIONS: [&str; 3] = [RUNS_AND_TASKS, LEASES, ACTIONS];

/// The version this program writes.
pub const VERSION: i64 = MIGRATIONS.len() as i64;

/// Runs, their tasks, and every event a task's state is the replay of.
/// `runs.root` is relative to the ledger's folder where it lies inside it, so a data dir can move.
const RUNS_AND_TASKS: &str = "
CREATE TABLE runs (
    run_id TEXT PRIMARY KEY,
    root TEXT NOT NULL,
    label TEXT NOT NULL,
    capture TEXT NOT NULL,
    capture_digest TEXT NOT NULL,
    base_sha TEXT,
    head_sha TEXT,
    settings TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('open', 'done', 'failed', 'cancelled', 'interrupted')),
    created_at TEXT NOT NULL,
    ended_at TEXT
) STRICT;
CREATE INDEX runs_by_root ON runs (root, created_at);
CREATE TABLE tasks (
    run_id TEXT NOT NULL REFERENCES runs (run_id),
    task_id TEXT NOT NULL,
    state TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    report TEXT NOT NULL,
    PRIMARY KEY (run_id, task_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE task_events (
    seq INTEGER PRIMARY KEY,
    run_id TEXT NOT NULL,
    task_id TEXT NOT NULL,
    at TEXT NOT NULL,
    event TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    output_sha256 TEXT,
    FOREIGN KEY (run_id, task_id) REFERENCES tasks (run_id, task_id)
) STRICT;
CREATE INDEX task_events_by_task ON task_events (run_id, task_id, seq);
";

/// Who works on what, and how far: for display and for finding dead work, never a guard.
const LEASES: &str = "
CREATE TABLE leases (
    root TEXT NOT NULL,
    task_id TEXT NOT NULL,
    run_id TEXT NOT NULL REFERENCES runs (run_id),
    host TEXT NOT NULL,
    pid INTEGER NOT NULL,
    boot_id TEXT NOT NULL,
    nonce TEXT NOT NULL,
    beat_ms INTEGER NOT NULL,
    expires_ms INTEGER NOT NULL,
    done INTEGER NOT NULL,
    total INTEGER NOT NULL,
    PRIMARY KEY (root, task_id)
) STRICT, WITHOUT ROWID;
";

/// Planned actions as they were planned and as they stand, every event between, and the key that
/// signs the marks of our posts.
const ACTIONS: &str = "
CREATE TABLE actions (
    seq INTEGER PRIMARY KEY,
    action_id TEXT NOT NULL UNIQUE,
    target TEXT NOT NULL,
    planned_at TEXT NOT NULL,
    planned TEXT NOT NULL,
    standing TEXT NOT NULL,
    state TEXT NOT NULL,
    attempt INTEGER NOT NULL
) STRICT;
CREATE INDEX actions_by_target ON actions (target, seq);
CREATE TABLE action_events (
    seq INTEGER PRIMARY KEY,
    action_id TEXT NOT NULL REFERENCES actions (action_id),
    at TEXT NOT NULL,
    event TEXT NOT NULL
) STRICT;
CREATE INDEX action_events_by_action ON action_events (action_id, seq);
CREATE TABLE keys (
    name TEXT PRIMARY KEY,
    bytes BLOB NOT NULL
) STRICT, WITHOUT ROWID;
";
