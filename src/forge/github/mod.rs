//! GitHub, live: what stands in one pull request, and which ones wait for the reader.
//! Must not write anything there, and must not know about screens.

pub mod answer;
pub mod contents;
pub mod convert;
pub mod documents;
pub mod envelope;
pub mod files;
pub mod host;
pub mod lists;
pub mod patches;
pub mod patience;
pub mod pulse;
pub mod plain;
pub mod read;
pub mod talk;
pub mod transport;
pub mod trouble;
pub mod whole;
pub mod wire;

use crate::domain::capture::{ChangedFile, Viewer};
use crate::forge::{
    github::{
        contents::{Ends, Wanted},
        host::Host,
        lists::Lists,
        pulse::Pulse,
        read::{Manners, NoPantry, Pantry, Reader, Watch},
        transport::{Times, Transport},
        trouble::{LiveError, Why},
        whole::Fetched,
    },
    target::PullRequestName,
};
use secrecy::SecretString;

/// One GitHub, as one account sees it.
pub struct GitHub {
    transport: Transport,
    manners: Manners,
    signed_in: bool,
}

/// Who is signed in, and what the token may do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedIn {
    pub viewer: Viewer,
    /// The scopes of a classic token; `None` for tokens that have permissions instead.
    pub scopes: Option<Vec<String>>,
    /// When the token ends, as GitHub writes it.
    pub expires: Option<String>,
}

impl GitHub {
    /// Prepares the way to a host; nothing is sent. The token is given to that host alone.
    pub fn new(host: Host, token: Option<&SecretString>, times: Times) -> Result<Self, LiveError> {
        let name = host.name.clone();
        let transport = Transport::new(host, token, times).map_err(|it| LiveError {
            what: "the connection".into(),
            host: name,
            why: it.into(),
        })?;
        Ok(Self { transport, manners: Manners::default(), signed_in: token.is_some() })
    }

    pub fn host(&self) -> &Host {
        self.transport.host()
    }

    /// Requests sent so far, repeated ones included.
    pub fn requests(&self) -> u64 {
        self.manners.sent()
    }

    /// Everything about one pull request. `first` gets what makes a first screen, as soon as it is
    /// there, unless everything came with it; `taken_at` is the capture's time (RFC 3339).
    pub fn pull_request(
        &self,
        name: &PullRequestName,
        taken_at: &str,
        pantry: &dyn Pantry,
        watch: Watch<'_>,
        first: &mut dyn FnMut(Fetched),
    ) -> Result<Fetched, LiveError> {
        let reader = self.reader(pantry, watch);
        let fetched = whole::read(&reader, name, taken_at, first).and_then(|mut fetched| {
            let filled = patches::fill(&reader, name, &mut fetched.capture)?;
            fetched.notices.extend(filled);
            Ok(fetched)
        });
        fetched.map_err(|why| self.error(&name.to_string(), why))
    }

    /// The given files as they differ between two commits of the repository. `Ok(None)`: GitHub no
    /// longer has one of the commits.
    pub fn between(
        &self,
        name: &PullRequestName,
        ends: Ends<'_>,
        files: &[Wanted],
        pantry: &dyn Pantry,
        watch: Watch<'_>,
    ) -> Result<Option<Vec<ChangedFile>>, LiveError> {
        let reader = self.reader(pantry, watch);
        let read = || {
            for commit in [ends.old, ends.new] {
                if !contents::has_commit(&reader, name, commit)? {
                    return Ok(None);
                }
            }
            contents::changed(&reader, name, ends, files).map(Some)
        };
        read().map_err(|why| self.error(&format!("the files of {name}"), why))
    }

    /// The pull requests that wait for the account's review, and its own.
    pub fn lists(&self, pantry: &dyn Pantry, watch: Watch<'_>) -> Result<Lists, LiveError> {
        if !self.signed_in {
            // Nobody's lists are no lists; nothing is sent.
            return Err(self.error("the lists of pull requests", Why::NoToken));
        }
        let lists = lists::read(&self.reader(pantry, watch));
        lists.map_err(|why| self.error("the lists of pull requests", why))
    }

    /// How it answers right now: asked once, without patience.
    pub fn pulse(&self, watch: Watch<'_>) -> Result<Pulse, LiveError> {
        let read = pulse::read(&self.reader(&NoPantry, watch), self.signed_in);
        read.map_err(|why| self.error("the account", why))
    }

    fn reader<'a>(&'a self, pantry: &'a dyn Pantry, watch: Watch<'a>) -> Reader<'a> {
        Reader { transport: &self.transport, manners: &self.manners, pantry, watch }
    }

    /// Without a token, what looks like a wrong one or a wrong name is that nobody is signed in.
    fn error(&self, what: &str, why: Why) -> LiveError {
        let why = match why {
            Why::SignIn | Why::Forbidden { .. } if !self.signed_in => Why::NoToken,
            other => other,
        };
        LiveError { what: what.to_owned(), host: self.host().name.clone(), why }
    }
}
