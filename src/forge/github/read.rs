//! One read, seen through: sent, waited for, asked again or in smaller pages, until it is there or
//! there is no hope. Must not know what is asked for, and never sends a write.

use crate::forge::github::{
    answer::{Answer, Trouble, Verdict},
    documents,
    envelope::Envelope,
    patience::{Patience, Step},
    transport::{Ask, NoAnswer, Transport},
    trouble::Why,
};
use serde_json::{Value, json};
use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU32, AtomicU64, Ordering},
    },
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

/// The most items a page can have.
pub const PAGE: u32 = 100;

/// What is told while something is read, and whether it is still wanted.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    pub tell: &'a (dyn Fn(News) + Sync),
    pub cancelled: &'a (dyn Fn() -> bool + Sync),
    /// The longest pause for a limit that is waited out.
    pub longest: Duration,
}

/// One piece of news.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum News {
    /// So much of a list is here.
    Read { list: &'static str, here: u64, total: Option<u64> },
    /// Nothing goes on for so long, and why.
    Waiting { pause: Duration, why: String },
    /// The waiting is over.
    GoingOn,
}

/// Answers kept from earlier reads, for requests of the kind "if it has changed since".
pub trait Pantry: Sync {
    fn get(&self, path: &str) -> Option<Kept>;
    fn keep(&self, path: &str, kept: &Kept);
}

/// A kept answer. `next` tells whether another page followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    pub etag: String,
    pub body: Vec<u8>,
}

/// A pantry for those who keep nothing.
pub struct NoPantry;

impl Pantry for NoPantry {
    fn get(&self, _: &str) -> Option<Kept> {
        None
    }

    fn keep(&self, _: &str, _: &Kept) {}
}

/// What all reads of one identity share.
#[derive(Debug)]
pub struct Manners {
    /// Nothing is sent before: a limit holds for the identity, not for one request.
    not_before: Mutex<Option<Instant>>,
    /// The page size that worked last.
    page: AtomicU32,
    /// Requests sent so far.
    sent: AtomicU64,
}

impl Default for Manners {
    fn default() -> Self {
        Self { not_before: Mutex::new(None), page: AtomicU32::new(PAGE), sent: AtomicU64::new(0) }
    }
}

impl Manners {
    /// The page size to begin with.
    pub fn page(&self) -> u32 {
        self.page.load(Ordering::Relaxed)
    }

    /// Requests sent so far, repeated ones included.
    pub fn sent(&self) -> u64 {
        self.sent.load(Ordering::Relaxed)
    }

    fn held_for(&self) -> Duration {
        let until = *self.not_before.lock().unwrap_or_else(PoisonError::into_inner);
        until.map_or(Duration::ZERO, |it| it.saturating_duration_since(Instant::now()))
    }

    fn hold(&self, pause: Duration) {
        let mut until = self.not_before.lock().unwrap_or_else(PoisonError::into_inner);
        let this = Instant::now() + pause;
        *until = Some(until.map_or(this, |it| it.max(this)));
    }
}

/// Sends reads on one way, with the manners of one identity.
#[derive(Clone, Copy)]
pub struct Reader<'a> {
    pub transport: &'a Transport,
    pub manners: &'a Manners,
    pub pantry: &'a dyn Pantry,
    pub watch: Watch<'a>,
}

impl Reader<'_> {
    /// A REST answer with status 2xx. One that is known not to have changed comes from the pantry.
    pub fn get(&self, path: &str, accept: Option<&'static str>) -> Result<Answer, Why> {
        let host = self.transport.host();
        let path = format!("{}{path}", host.rest);
        let key = format!("{}{path} {}", host.origin, accept.unwrap_or_default());
        let kept = self.pantry.get(&key);
        let etag = kept.as_ref().map(|it| it.etag.clone());
        let ask = Ask::Get { path, accept, etag };
        let mut patience = Patience::new(self.watch.longest);
        loop {
            let judge = if accept.is_none() { Answer::rest_json } else { Answer::rest };
            let (answer, verdict) = self.once(&ask, judge)?;
            match patience.after(&verdict, now(), None, dice()) {
                Step::Take => {}
                step => {
                    self.step(step)?;
                    continue;
                }
            }
            let Some(mut answer) = answer else { continue };
            match (verdict, kept) {
                (Verdict::Unchanged, Some(kept)) => {
                    answer.body = kept.body;
                    return Ok(answer);
                }
                (Verdict::Refused(it), _) => return Err(it.into()),
                _ => {}
            }
            if let Some(etag) = answer.header("etag") {
                self.pantry.keep(&key, &Kept { etag: etag.to_owned(), body: answer.body.clone() });
            }
            return Ok(answer);
        }
    }

    /// A REST answer with status 2xx, asked for once: whatever stands in the way is told at once.
    pub fn get_once(&self, path: &str) -> Result<Answer, Why> {
        let path = format!("{}{path}", self.transport.host().rest);
        let ask = Ask::Get { path, accept: None, etag: None };
        let (answer, verdict) = self.once(&ask, Answer::rest)?;
        let mut patience = Patience::of_one_try();
        match (patience.after(&verdict, now(), None, dice()), verdict, answer) {
            (Step::GiveUp(it), ..) => Err(it.into()),
            (_, Verdict::Refused(it), _) => Err(it.into()),
            (Step::Take, _, Some(answer)) => Ok(answer),
            _ => Err(Why::Invalid(None)),
        }
    }

    /// A GraphQL answer with data in it, at least in part. `variables` makes them for a page size;
    /// the size that worked comes back with the answer.
    pub fn query(
        &self,
        document: &str,
        page: u32,
        variables: &dyn Fn(u32) -> Value,
    ) -> Result<(Envelope, Answer), Why> {
        let mut patience = Patience::new(self.watch.longest);
        let mut page = page;
        loop {
            let body = json!({ "query": document, "variables": variables(page) });
            let mut envelope = None;
            let (answer, verdict) = self.once(&Ask::Query { body }, |it| {
                let (verdict, read) = it.graphql();
                envelope = read;
                verdict
            })?;
            match patience.after(&verdict, now(), Some(page), dice()) {
                Step::Take => {}
                Step::Shrink { page: smaller } => {
                    page = smaller;
                    self.manners.page.store(smaller, Ordering::Relaxed);
                    continue;
                }
                step => {
                    self.step(step)?;
                    continue;
                }
            }
            if let Verdict::Refused(it) = verdict {
                return Err(it.into());
            }
            if let (Some(envelope), Some(answer)) = (envelope, answer) {
                return Ok((envelope, answer));
            }
        }
    }

    /// One of our documents by name.
    pub fn document(
        &self,
        name: &str,
        variables: &dyn Fn(u32) -> Value,
    ) -> Result<(Envelope, Answer), Why> {
        self.query(&documents::document(name), self.manners.page(), variables)
    }

    /// Sends once, and judges what comes. A connection that fails is trouble on the way: a read
    /// may be repeated.
    fn once(
        &self,
        ask: &Ask,
        judge: impl FnOnce(&Answer) -> Verdict,
    ) -> Result<(Option<Answer>, Verdict), Why> {
        let held = self.manners.held_for();
        if !held.is_zero() {
            self.wait(held, "GitHub asked for a pause")?;
        }
        self.manners.sent.fetch_add(1, Ordering::Relaxed);
        match self.transport.send(ask, self.watch.cancelled) {
            Ok(answer) => {
                let verdict = judge(&answer);
                tracing::debug!(status = answer.status, bytes = answer.body.len(), "answer");
                Ok((Some(answer), verdict))
            }
            Err(NoAnswer::Cancelled) => Err(Why::Cancelled),
            // Asking again for what is too large or took the whole time changes nothing.
            Err(it @ NoAnswer::Late(_)) => Err(it.into()),
            Err(NoAnswer::TooLarge) => {
                let what = NoAnswer::TooLarge.to_string();
                Ok((None, Verdict::Smaller(Trouble { what, request: None })))
            }
            Err(it @ NoAnswer::Lost(_)) => {
                Ok((None, Verdict::Again(Trouble { what: it.to_string(), request: None })))
            }
        }
    }

    fn step(&self, step: Step) -> Result<(), Why> {
        match step {
            Step::Pause { pause, why, limit } => {
                if limit {
                    self.manners.hold(paced(pause));
                }
                self.wait(pause, &why)
            }
            Step::GiveUp(it) => Err(it.into()),
            Step::Take | Step::Shrink { .. } => Ok(()),
        }
    }

    fn wait(&self, pause: Duration, why: &str) -> Result<(), Why> {
        (self.watch.tell)(News::Waiting { pause, why: why.to_owned() });
        if !Transport::pause(paced(pause), self.watch.cancelled) {
            return Err(Why::Cancelled);
        }
        (self.watch.tell)(News::GoingOn);
        Ok(())
    }
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |it| it.as_secs())
}

/// Differs from process to process and from moment to moment; no secret hangs on it.
fn dice() -> u64 {
    let nanos = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |it| it.subsec_nanos());
    u64::from(nanos) ^ u64::from(std::process::id())
}

/// Pauses at the pace of the tests, where there is one: a thousandth of a second for a second.
#[cfg(feature = "test-support")]
fn paced(pause: Duration) -> Duration {
    if std::env::var_os("CASEFILE_TEST_PACE").is_some() { pause / 1_000 } else { pause }
}

#[cfg(not(feature = "test-support"))]
fn paced(pause: Duration) -> Duration {
    pause
}
