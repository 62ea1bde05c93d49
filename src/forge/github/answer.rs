//! What an answer of GitHub means for a read: done, wait, ask for less, ask again, or refused.
//! Must not wait, send or decide how often; `patience` does. The rules are GitHub's own
//! (rate limits and REST troubleshooting pages) and what its clients met.

use crate::forge::github::envelope::{Envelope, Fault};
use http::HeaderMap;
use std::time::Duration;

/// What came back for a request, whole.
#[derive(Debug, Clone)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

/// What to do with an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    Good,
    /// 304: what is kept is still right.
    Unchanged,
    /// A limit: nothing more for this identity before then.
    Wait(Limit),
    /// Too heavy for the other side: the same for a smaller page.
    Smaller(Trouble),
    /// Their trouble, and a read may be asked again.
    Again(Trouble),
    Refused(Refusal),
}

/// A limit that was run into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// The hourly quota is used up; Unix time of the reset when it was said.
    Quota { reset: Option<u64> },
    /// Too much too quickly; how long to wait when it was said.
    Burst { pause: Option<Duration> },
}

/// Trouble on the other side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trouble {
    /// A few words for people: `status 502`, `the answer is not JSON`.
    pub what: String,
    /// GitHub's name for the request, to ask its support about.
    pub request: Option<String>,
}

/// An answer that asking again would not change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// 401: the token is wrong, expired or revoked.
    SignIn,
    /// The organisation wants the token authorised; the address where, when it was said.
    SingleSignOn { address: Option<String> },
    /// The token may not do this. `needs` are the scopes that would do, when GitHub says so.
    Forbidden { says: String, needs: Option<String> },
    /// It is not there, or not for these eyes: GitHub does not tell which.
    Missing,
    /// 406: a diff over 300 files or 20,000 lines.
    TooLarge { says: String },
    /// 422 and other complaints about what was asked.
    Invalid { says: String },
    /// It has moved to this address.
    Moved { to: String },
    /// Anything else.
    Strange { status: u16, says: String },
}

impl Answer {
    /// A header's value, if it is text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    fn number(&self, name: &str) -> Option<u64> {
        self.header(name)?.trim().parse().ok()
    }

    fn request(&self) -> Option<String> {
        self.header("x-github-request-id").map(str::to_owned)
    }

    fn trouble(&self, what: impl Into<String>) -> Trouble {
        Trouble { what: what.into(), request: self.request() }
    }

    /// What GitHub says in words. Pages of HTML and other bodies are not for people: they give
    /// an empty text.
    pub fn says(&self) -> String {
        let Ok(value) = serde_json::from_slice::<serde_json::Value>(&self.body) else {
            return String::new();
        };
        value.get("message").and_then(serde_json::Value::as_str).unwrap_or_default().to_owned()
    }

    /// The pause that `retry-after` asks for: seconds, or until a date.
    fn retry_after(&self) -> Option<Duration> {
        let said = self.header("retry-after")?.trim();
        if let Ok(seconds) = said.parse() {
            return Some(Duration::from_secs(seconds));
        }
        let until = jiff::fmt::rfc2822::parse(said).ok()?.timestamp();
        let now = self.header("date").and_then(|it| jiff::fmt::rfc2822::parse(it).ok())?;
        let seconds = until.as_second().saturating_sub(now.timestamp().as_second());
        Some(Duration::from_secs(seconds.max(0).unsigned_abs()))
    }

    /// What this means for a REST read.
    pub fn rest(&self) -> Verdict {
        match self.status {
            200..=299 => Verdict::Good,
            304 => Verdict::Unchanged,
            301 | 302 | 303 | 307 | 308 => Verdict::Refused(match self.header("location") {
                Some(to) => Refusal::Moved { to: to.to_owned() },
                None => Refusal::Strange { status: self.status, says: self.says() },
            }),
            401 => Verdict::Refused(Refusal::SignIn),
            403 | 429 => self.limit_or_forbidden(),
            404 | 410 | 451 => Verdict::Refused(Refusal::Missing),
            406 => Verdict::Refused(Refusal::TooLarge { says: self.says() }),
            400 | 409 | 422 => Verdict::Refused(Refusal::Invalid { says: self.says() }),
            408 | 500..=599 => Verdict::Again(self.trouble(format!("status {}", self.status))),
            status => Verdict::Refused(Refusal::Strange { status, says: self.says() }),
        }
    }

    /// The same for a read whose answer is JSON. A body that is none, or is cut, is trouble on the
    /// way like any other.
    pub fn rest_json(&self) -> Verdict {
        match self.rest() {
            Verdict::Good => match serde_json::from_slice::<serde::de::IgnoredAny>(&self.body) {
                Ok(_) => Verdict::Good,
                Err(error) => {
                    Verdict::Again(self.trouble(format!("the answer is not JSON: {error}")))
                }
            },
            other => other,
        }
    }

    fn limit_or_forbidden(&self) -> Verdict {
        if let Some(sso) = self.header("x-github-sso") {
            let address = sso.split_once("url=").map(|(_, it)| it.trim().to_owned());
            return Verdict::Refused(Refusal::SingleSignOn { address });
        }
        let says = self.says();
        let lower = says.to_lowercase();
        let burst = lower.contains("secondary rate limit") || lower.contains("abuse detection");
        let pause = self.retry_after();
        if burst || pause.is_some() {
            return Verdict::Wait(Limit::Burst { pause });
        }
        if self.number("x-ratelimit-remaining") == Some(0) || lower.contains("rate limit exceeded")
        {
            return Verdict::Wait(Limit::Quota { reset: self.number("x-ratelimit-reset") });
        }
        if self.status == 429 {
            return Verdict::Wait(Limit::Burst { pause: None });
        }
        let needs = self.header("x-accepted-oauth-scopes").filter(|it| !it.is_empty());
        Verdict::Refused(Refusal::Forbidden { says, needs: needs.map(str::to_owned) })
    }

    /// What this means for a GraphQL read, with its envelope when there is one to work with.
    pub fn graphql(&self) -> (Verdict, Option<Envelope>) {
        match self.rest() {
            Verdict::Good => {}
            // A query that takes over ten seconds is cut off at the gate.
            Verdict::Again(trouble) if matches!(self.status, 502 | 504) => {
                return (Verdict::Smaller(trouble), None);
            }
            other => return (other, None),
        }
        match Envelope::read(&self.body) {
            // An HTML page or a cut body with status 200: theirs, and a read may be repeated.
            Err(error) => (Verdict::Again(self.trouble(error.to_string())), None),
            Ok(envelope) => (self.judge(&envelope), Some(envelope)),
        }
    }

    fn judge(&self, envelope: &Envelope) -> Verdict {
        for fault in &envelope.errors {
            let says = fault.message.as_deref().unwrap_or_default();
            match fault.kind.as_deref() {
                Some("RATE_LIMITED" | "RATE_LIMIT") => {
                    let reset = self.number("x-ratelimit-reset");
                    return Verdict::Wait(Limit::Quota { reset });
                }
                Some("RESOURCE_LIMITS_EXCEEDED" | "MAX_NODE_LIMIT_EXCEEDED") => {
                    return Verdict::Smaller(self.trouble(says));
                }
                _ if says.to_lowercase().contains("secondary rate limit") => {
                    return Verdict::Wait(Limit::Burst { pause: self.retry_after() });
                }
                _ if envelope.data.is_none() && is_timeout(says) => {
                    return Verdict::Smaller(self.trouble("the query took too long"));
                }
                _ => {}
            }
        }
        if envelope.data.is_some() {
            return Verdict::Good;
        }
        let first = envelope.errors.first().cloned().unwrap_or_default();
        Verdict::Refused(refusal(&first))
    }
}

/// GitHub's words for a query that it gave up on.
fn is_timeout(says: &str) -> bool {
    let lower = says.to_lowercase();
    lower.contains("something went wrong while executing your query") || lower.contains("timeout")
}

/// What an error of a GraphQL answer means where nothing else came.
pub fn refusal(fault: &Fault) -> Refusal {
    let says = fault.message.clone().unwrap_or_default();
    let saml = fault.extensions.as_ref().and_then(|it| it.get("saml_failure"));
    match fault.kind.as_deref() {
        _ if saml.and_then(serde_json::Value::as_bool) == Some(true) => {
            Refusal::SingleSignOn { address: None }
        }
        Some("NOT_FOUND") => Refusal::Missing,
        Some("FORBIDDEN" | "INSUFFICIENT_SCOPES") => Refusal::Forbidden { says, needs: None },
        None if says == "Bad credentials" => Refusal::SignIn,
        _ => Refusal::Invalid { says },
    }
}

#[cfg(test)]
mod tests;
