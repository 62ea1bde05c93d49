//! The marks our posts carry, so that a post can be found again: written, read strictly, verified.
//! Must not take a mark for true because of how it looks or who wrote it; the MAC and the place say.
//!
//! Line 1 is ours, line 2 is the form that the tool `cr` reads too. A quote reply copies hidden
//! text under the same author, and a person may paste anything: only a mark in the first bytes,
//! with the right MAC, in the place its action was for, counts.

use crate::domain::capture::Thread;
use crate::outbox::action::{Action, ActionId, Payload};
use hmac::{Hmac, Mac as _};
use sha2::Sha256;
use std::collections::HashMap;

/// What makes our marks ours; it lives in the ledger.
#[derive(Clone, PartialEq, Eq)]
pub struct Key([u8; 32]);

/// Where a text with a mark stands.
#[derive(Debug, Clone, Copy)]
pub enum Place<'a> {
    Thread { thread: &'a Thread, first: bool },
    Remark,
    Review,
}

/// The actions a mark can be of, and the key.
#[derive(Debug)]
pub struct Verifier<'a> {
    key: &'a Key,
    actions: HashMap<&'a str, &'a Action>,
}

impl Key {
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The bytes, for the ledger.
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The MAC of an action's mark: over its id, target, kind and payload digest.
    pub fn mac(&self, action: &Action) -> String {
        let sum = self.sum(action).finalize().into_bytes();
        sum.iter().take(16).fold(String::new(), |mut text, it| {
            use std::fmt::Write as _;
            write!(text, "{it:02x}").expect("text takes all");
            text
        })
    }

    fn sum(&self, action: &Action) -> Hmac<Sha256> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("a MAC takes any key");
        let parts = [
            action.id.as_str(),
            &action.target.key(),
            action.payload.kind().name(),
            action.payload_digest().as_str(),
        ]
        .map(str::to_owned);
        for part in parts {
            mac.update(&(part.len() as u64).to_be_bytes());
            mac.update(part.as_bytes());
        }
        mac
    }

    /// Our mark for an action, without a line end.
    pub fn mark(&self, action: &Action) -> String {
        format!("{OURS}action={}:mac={}{END}", action.id, self.mac(action))
    }
}

/// How our mark begins.
const OURS: &str = "<!-- casefile:v1:";
/// How every mark ends.
const END: &str = " -->";

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key")
    }
}

impl<'a> Verifier<'a> {
    pub fn new(key: &'a Key, actions: impl IntoIterator<Item = &'a Action>) -> Self {
        let actions = actions.into_iter().map(|it| (it.id.as_str(), it)).collect();
        Self { key, actions }
    }

    /// The action that wrote a text, if its mark says so, truly, and where that action belongs. The
    /// caller checks the author.
    pub fn verified(&self, body: &str, place: Place<'_>) -> Option<ActionId> {
        let (id, mac) = read(body)?;
        let action = *self.actions.get(id)?;
        (fits(action, place) && same(&self.key.mac(action), mac)).then(|| action.id.clone())
    }
}

/// The id and MAC of the mark a text begins with.
fn read(body: &str) -> Option<(&str, &str)> {
    let rest = body.strip_prefix(OURS)?.strip_prefix("action=")?;
    let (inside, rest) = rest.split_once(END)?;
    let alone = rest.is_empty() || rest.starts_with(['\n', '\r']);
    let (id, mac) = inside.split_once(":mac=")?;
    ActionId::parse(id)?;
    let hex = mac.len() == 32 && mac.bytes().all(|it| matches!(it, b'0'..=b'9' | b'a'..=b'f'));
    (alone && hex).then_some((id, mac))
}

/// Compared without telling by the time where they part.
fn same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

fn fits(action: &Action, place: Place<'_>) -> bool {
    match (&action.payload, place) {
        (Payload::ThreadReply { thread: wanted, .. }, Place::Thread { thread, first: false }) => {
            *wanted == thread.id
        }
        (Payload::InlineComment { spot, .. }, Place::Thread { thread, first: true }) => {
            spot.path == thread.path
        }
        (Payload::IssueComment { .. }, Place::Remark)
        | (Payload::SubmitReview { .. }, Place::Review) => true,
        _ => false,
    }
}
