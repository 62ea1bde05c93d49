//! The fault script: which call breaks, and how. Must not know what a call means.
//!
//! A script is a JSON list. Each fault names the calls it waits for and what it does then:
//!
//! ```json
//! [{"when": {"method": "POST", "path": "/graphql", "operation": "Threads", "nth": 2, "times": 1},
//!   "do": {"status": 502, "headers": {"retry-after": "60"}, "body": "<html>…"}}]
//! ```
//!
//! `when`: `path` is a part of the path, `operation` the name of a GraphQL operation, `nth` the
//! first matching call that breaks (1), `times` how many do (1; 0 is all from there on).
//!
//! `do`, any of:
//!
//! | key | what |
//! |---|---|
//! | `status`, `headers`, `body` | the answer; a `body` that is no text is sent as JSON |
//! | `html` | a status (502) with an HTML page |
//! | `apply` | with `status` or `html`: the call is carried out all the same |
//! | `die` | `"before"` or `"after"` the call is carried out: the connection closes without a word |
//! | `cut` | `"headers"`, or a number of bytes of the body, then the connection closes |
//! | `hang` | `"connect"` (the next connection is never read), `"headers"`, `"body"` (half of it) |
//! | `envelope` | a GraphQL answer in one of the shapes of `envelope` |
//! | `set`, `drop` | changes inside a true answer, by `pointer` |
//! | `lag_ms` | what the call writes stays out of lists for so long |
//! | `edit`, `edit_after` | changes by others (see `edit`) before or after the call |

use serde::Deserialize;
use serde_json::{Map, Value};

#[derive(Debug, Default)]
pub(crate) struct Script(Vec<Fault>);

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Fault {
    #[serde(default)]
    when: When,
    #[serde(rename = "do")]
    act: Act,
    #[serde(skip)]
    seen: u64,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct When {
    method: Option<String>,
    path: Option<String>,
    operation: Option<String>,
    nth: Option<u64>,
    times: Option<u64>,
}

/// What happens instead of, or besides, a true answer.
#[derive(Debug, Default, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Act {
    pub(crate) status: Option<u16>,
    pub(crate) headers: Map<String, Value>,
    pub(crate) body: Option<Value>,
    pub(crate) html: Option<u16>,
    pub(crate) apply: bool,
    pub(crate) die: Option<Moment>,
    pub(crate) cut: Option<Value>,
    pub(crate) hang: Option<Hang>,
    pub(crate) envelope: Option<String>,
    pub(crate) set: Map<String, Value>,
    pub(crate) drop: Vec<String>,
    pub(crate) lag_ms: Option<i64>,
    pub(crate) edit: Vec<Value>,
    pub(crate) edit_after: Vec<Value>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Moment {
    Before,
    After,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Hang {
    Connect,
    Headers,
    Body,
}

/// What is known of a call when faults are looked for.
pub(crate) struct Call<'a> {
    pub(crate) method: &'a str,
    pub(crate) path: &'a str,
    pub(crate) operation: Option<&'a str>,
}

impl Script {
    /// Adds faults from a script's text.
    pub(crate) fn add(&mut self, text: &str) -> Result<(), String> {
        let faults: Vec<Fault> =
            serde_json::from_str(text).map_err(|it| format!("the fault script: {it}"))?;
        for it in &faults {
            if let Some(name) = &it.act.envelope
                && !crate::envelope::SHAPES.contains(&name.as_str())
            {
                return Err(format!("no envelope is called {name}"));
            }
        }
        self.0.extend(faults);
        Ok(())
    }

    pub(crate) fn forget(&mut self) {
        self.0.clear();
    }

    /// What happens to this call. Every fault counts the calls it waits for.
    pub(crate) fn strike(&mut self, call: &Call<'_>) -> Option<Act> {
        let mut found = None;
        for fault in &mut self.0 {
            let waits_for_connections = fault.act.hang == Some(Hang::Connect);
            if waits_for_connections || !fault.when.fits(call) {
                continue;
            }
            if fault.counts() && found.is_none() {
                found = Some(fault.act.clone());
            }
        }
        found
    }

    /// Whether a new connection is left unread.
    pub(crate) fn strike_connection(&mut self) -> bool {
        let mut waiting = self.0.iter_mut().filter(|it| it.act.hang == Some(Hang::Connect));
        waiting.any(Fault::counts)
    }
}

impl Fault {
    fn counts(&mut self) -> bool {
        self.seen += 1;
        let first = self.when.nth.unwrap_or(1).max(1);
        let times = self.when.times.unwrap_or(1);
        self.seen >= first && (times == 0 || self.seen < first + times)
    }
}

impl When {
    fn fits(&self, call: &Call<'_>) -> bool {
        self.method.as_deref().is_none_or(|it| it.eq_ignore_ascii_case(call.method))
            && self.path.as_deref().is_none_or(|it| call.path.contains(it))
            && self.operation.as_deref().is_none_or(|it| call.operation == Some(it))
    }
}
