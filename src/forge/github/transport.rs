//! Requests on the wire: one request, one answer, within its times, never repeated by itself.
//! Must not judge answers (`answer` does) or follow where they point: a token goes to its host.
//!
//! octocrab brings the connection, TLS and the header with the token. Its own helpers lose status
//! and headers of answers that are not JSON and send failing writes again, so only its raw
//! requests are used, in a build without its retries and redirects.

use crate::forge::github::{answer::Answer, host::Host};
use http::{HeaderMap, HeaderValue, Method, header};
use http_body_util::{BodyExt as _, Limited};
use octocrab::Octocrab;
use secrecy::{ExposeSecret as _, SecretString};
use std::{
    sync::Once,
    time::{Duration, Instant},
};
use tokio::runtime::Runtime;

/// The most one answer may hold: 20 MiB. A page of 100 files with long patches is about 3.
const MOST: usize = 20 << 20;
/// How soon a cancelled request ends.
const LOOK: Duration = Duration::from_millis(40);

/// How long each part of a request may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Times {
    pub connect: Duration,
    /// Between two pieces of the answer.
    pub read: Duration,
    /// The request as a whole.
    pub whole: Duration,
}

impl Default for Times {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self { connect: seconds(10), read: seconds(15), whole: seconds(30) }
    }
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoAnswer {
    #[error("no answer within {} s", .0.as_secs_f32())]
    Late(Duration),
    #[error("the connection failed: {0}")]
    Lost(String),
    #[error("the answer is larger than {} MiB", MOST >> 20)]
    TooLarge,
    #[error("cancelled")]
    Cancelled,
}

/// A read, as it goes on the wire.
#[derive(Debug, Clone, PartialEq)]
pub enum Ask {
    /// A path below the host's origin. `etag`: answer 304 if nothing changed since.
    Get { path: String, accept: Option<&'static str>, etag: Option<String> },
    /// A GraphQL document with its variables. It only ever reads: documents of writes are sent by
    /// the outbox.
    Query { body: serde_json::Value },
}

/// The way to one host.
pub struct Transport {
    host: Host,
    times: Times,
    runtime: Runtime,
    crab: Octocrab,
}

impl Transport {
    /// Prepares the way; nothing is sent. The token is given to this host alone.
    pub fn new(host: Host, token: Option<&SecretString>, times: Times) -> Result<Self, NoAnswer> {
        install_crypto();
        let lost = |it: &dyn std::fmt::Display| NoAnswer::Lost(it.to_string());
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("forge")
            .enable_all()
            .build()
            .map_err(|it| lost(&it))?;
        // octocrab starts a task when it is built.
        let inside = runtime.enter();
        let mut builder = Octocrab::builder()
            .base_uri(host.origin.as_str())
            .map_err(|it| lost(&it))?
            .set_connect_timeout(Some(times.connect))
            .set_read_timeout(Some(times.read))
            .set_write_timeout(Some(times.read));
        if let Some(token) = token {
            builder = builder.personal_token(token.expose_secret().to_owned());
        }
        let crab = builder.build().map_err(|it| lost(&it))?;
        drop(inside);
        Ok(Self { host, times, runtime, crab })
    }

    pub fn host(&self) -> &Host {
        &self.host
    }

    /// Sends one read and waits for its whole answer, or until `cancelled` says so.
    pub fn send(
        &self,
        ask: &Ask,
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<Answer, NoAnswer> {
        self.runtime.block_on(async {
            tokio::select! {
                answer = tokio::time::timeout(self.times.whole, self.exchange(ask)) => {
                    answer.unwrap_or(Err(NoAnswer::Late(self.times.whole)))
                }
                () = until(cancelled) => Err(NoAnswer::Cancelled),
            }
        })
    }

    /// Pauses, in slices short enough to be cancelled. Whether the pause was whole.
    pub fn pause(pause: Duration, cancelled: &(dyn Fn() -> bool + Sync)) -> bool {
        let end = Instant::now() + pause;
        loop {
            if cancelled() {
                return false;
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return true;
            }
            std::thread::sleep(left.min(LOOK));
        }
    }

    async fn exchange(&self, ask: &Ask) -> Result<Answer, NoAnswer> {
        let sent = match ask {
            Ask::Get { path, accept, etag } => {
                let mut headers = HeaderMap::new();
                let accept = accept.unwrap_or("application/vnd.github+json");
                headers.insert(header::ACCEPT, HeaderValue::from_static(accept));
                if let Some(etag) = etag.as_deref().and_then(|it| it.parse().ok()) {
                    headers.insert(header::IF_NONE_MATCH, etag);
                }
                self.request(Method::GET, path, headers, None).await
            }
            Ask::Query { body } => {
                self.request(Method::POST, self.host.graphql, HeaderMap::new(), Some(body)).await
            }
        };
        let response = sent?;
        let (parts, body) = response.into_parts();
        let body = Limited::new(body, MOST).collect().await.map_err(|error| {
            if error.is::<http_body_util::LengthLimitError>() {
                NoAnswer::TooLarge
            } else {
                NoAnswer::Lost(chain(error.as_ref()))
            }
        })?;
        let body = body.to_bytes().to_vec();
        Ok(Answer { status: parts.status.as_u16(), headers: parts.headers, body })
    }

    async fn request(
        &self,
        method: Method,
        path: &str,
        headers: HeaderMap,
        body: Option<&serde_json::Value>,
    ) -> Result<
        http::Response<impl http_body_util::BodyExt<Data: Send, Error = octocrab::Error>>,
        NoAnswer,
    > {
        let mut builder = http::Request::builder().method(method).uri(path);
        for (name, value) in &headers {
            builder = builder.header(name, value);
        }
        let lost = |it: &octocrab::Error| NoAnswer::Lost(chain(it));
        let request = self.crab.build_request(builder, body).map_err(|it| lost(&it))?;
        self.crab.execute(request).await.map_err(|it| lost(&it))
    }
}

/// Ends when `cancelled` says so.
async fn until(cancelled: &(dyn Fn() -> bool + Sync)) {
    while !cancelled() {
        tokio::time::sleep(LOOK).await;
    }
}

/// The innermost causes of an error, which is where hyper says what happened.
fn chain(error: &(dyn std::error::Error + 'static)) -> String {
    let mut said: Vec<String> = Vec::new();
    let mut at = Some(error);
    while let Some(error) = at {
        let text = error.to_string();
        if !said.iter().any(|it| it.contains(&text)) {
            said.push(text);
        }
        at = error.source();
    }
    said.last().cloned().unwrap_or_default()
}

/// Two providers linked without a choice panic at the first request.
fn install_crypto() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // An error says that one is installed already, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
}
