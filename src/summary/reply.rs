//! A model's reply: decoded strictly, checked against the threads it was asked about, and mended
//! from the extractive engine where it is wrong. Must not trust a fact a model states.

use crate::{
    domain::{actor::Identity, capture::Capture},
    summary::{discussion::ThreadSummary, project::Part},
};

/// One thing wrong with a reply, in words a model can act on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The thread it is about, when it is about one.
    pub thread: Option<String>,
    pub what: String,
}

/// What could be taken from a reply.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked {
    /// Entries without a fault.
    pub entries: Vec<ThreadSummary>,
    pub faults: Vec<Fault>,
}

/// Decodes and checks the reply to one part.
pub fn check(capture: &Capture, part: &Part, reply: &str, us: &Identity) -> Checked {
    let _ = (capture, part, reply, us);
    Checked { entries: Vec::new(), faults: Vec::new() }
}

/// The one repair message of a session: every fault, and what to answer.
pub fn repair_message(faults: &[Fault]) -> String {
    faults.iter().map(|it| format!("- {}\n", it.what)).collect()
}
