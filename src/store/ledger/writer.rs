//! The one thread that writes to the ledger, fed by a channel; between orders it renews the leases
//! this process holds. Must not be on the thread that draws.

use crate::store::{
    error::StoreError,
    fail,
    ledger::{
        file::ledger_error,
        lease::{self, Owner},
    },
    time,
};
use rusqlite::{Connection, Transaction, TransactionBehavior};
use rustix::{fs::FlockOperation, io::Errno};
use std::{
    os::fd::OwnedFd,
    path::{Path, PathBuf},
    sync::mpsc::{self, RecvTimeoutError, Sender},
    thread::JoinHandle,
    time::Duration,
};

/// How often a waiting writer looks whether it is its turn.
const LOOK: Duration = Duration::from_millis(1);
/// How long it looks.
const PATIENCE_MS: i64 = 5_000;

type Order = Box<dyn FnOnce(&mut Connection) + Send>;

/// The way to the writing thread. Dropping it ends the thread after the last order.
#[derive(Debug)]
pub struct Writer {
    path: PathBuf,
    orders: Option<Sender<Order>>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    /// Starts the thread. `turn` is a file the writers of all processes queue at.
    pub fn start(mut connection: Connection, turn: OwnedFd, path: &Path, owner: Owner) -> Self {
        let (orders, inbox) = mpsc::channel::<Order>();
        let work = move || {
            let mut beat = time::now_ms();
            loop {
                match inbox.recv_timeout(time::heartbeat()) {
                    Ok(order) => in_turn(&turn, || order(&mut connection)),
                    Err(RecvTimeoutError::Timeout) => (),
                    Err(RecvTimeoutError::Disconnected) => break,
                }
                if time::now_ms() - beat >= time::heartbeat().as_millis() as i64 {
                    beat = time::now_ms();
                    // A missed beat only makes the lease look old; the next one mends it.
                    in_turn(&turn, || drop(lease::renew(&connection, &owner)));
                }
            }
        };
        let thread = std::thread::Builder::new().name("ledger".into()).spawn(work);
        let thread = Some(thread.expect("a process may start a thread"));
        Self { path: path.to_owned(), orders: Some(orders), thread }
    }

    /// Does something inside one `BEGIN IMMEDIATE` transaction and waits until it is committed.
    pub fn write<T: Send + 'static>(
        &self,
        doing: &'static str,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (answer, done) = mpsc::channel();
        let path = self.path.clone();
        self.send(Box::new(move |connection| {
            // Nobody waits for the answer only when the process is ending.
            let _ = answer.send(commit(connection, &path, doing, work));
        }))?;
        done.recv().map_err(|_| StoreError::WriterGone)?
    }

    /// The same without waiting, for what may be lost: progress of a lease.
    pub fn write_later(
        &self,
        doing: &'static str,
        work: impl FnOnce(&Transaction<'_>) -> Result<(), StoreError> + Send + 'static,
    ) {
        let path = self.path.clone();
        // Progress is for display: a lost step is not worth an error.
        let _ = self.send(Box::new(move |connection| {
            let _ = commit(connection, &path, doing, work);
        }));
    }

    /// The ledger's path, for messages.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn send(&self, order: Order) -> Result<(), StoreError> {
        let orders = self.orders.as_ref().ok_or(StoreError::WriterGone)?;
        orders.send(order).map_err(|_| StoreError::WriterGone)
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.orders = None;
        if let Some(thread) = self.thread.take() {
            // A panic in there was printed already.
            let _ = thread.join();
        }
    }
}

/// Does something while holding the turn. `SQLite`'s waiting writers look again every 100 ms, and an
/// unlucky one waits for seconds; looking every ms they come nearly in order. Only for fairness:
/// whoever does not get the turn in time (its holder may be stopped) goes on to `SQLite`'s lock.
fn in_turn(turn: &OwnedFd, work: impl FnOnce()) {
    let until = time::now_ms() + PATIENCE_MS;
    let mut waited = false;
    while let Err(error) = rustix::fs::flock(turn, FlockOperation::NonBlockingLockExclusive) {
        if error != Errno::WOULDBLOCK || time::now_ms() >= until {
            break;
        }
        waited = true;
        std::thread::sleep(LOOK);
    }
    work();
    // Unlocking what was not locked does nothing.
    let _ = rustix::fs::flock(turn, FlockOperation::Unlock);
    if waited {
        // Others wait too: without a breath we would have it again before they look.
        std::thread::sleep(2 * LOOK);
    }
}

fn commit<T>(
    connection: &mut Connection,
    path: &Path,
    doing: &'static str,
    work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let failed = |source| ledger_error(doing, path, source);
    let point = |stage| {
        let name = doing.replace(' ', "-");
        fail::point(&format!("ledger.{name}"), stage).map_err(|source| StoreError::Disk {
            doing,
            path: path.to_owned(),
            source,
        })
    };
    point("before")?;
    let transaction =
        connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
    let done = work(&transaction)?;
    point("inside")?;
    transaction.commit().map_err(failed)?;
    point("committed")?;
    Ok(done)
}
