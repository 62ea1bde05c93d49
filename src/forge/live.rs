//! Live pull requests for those who open targets: one way to each host, kept while the program
//! runs, so that limits met by one request hold for the next.
//! Must not look for tokens; whoever made it says which token is for which host.

use crate::forge::{
    Class,
    github::{
        GitHub,
        host::{Host, HostError},
        transport::Times,
        trouble::LiveError,
    },
};
use secrecy::SecretString;
use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

/// Gives the token for a host, or why it could not be had.
pub type Tokens = dyn Fn(&str) -> Result<Option<SecretString>, String> + Send + Sync;

/// The ways to the hosts.
pub struct Live {
    /// Where the interface of `host` answers instead, if it is a stand-in.
    api: Option<String>,
    times: Times,
    tokens: Box<Tokens>,
    ways: Mutex<HashMap<String, Arc<GitHub>>>,
}

/// Why there is no way to a host.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoWay {
    #[error(transparent)]
    Host(#[from] HostError),
    #[error("{0}")]
    Token(String),
    #[error(transparent)]
    Live(#[from] LiveError),
    #[error("{0} was never read here, and --offline forbids to ask for it")]
    Offline(String),
}

impl Live {
    pub fn new(api: Option<String>, times: Times, tokens: Box<Tokens>) -> Self {
        Self { api, times, tokens, ways: Mutex::default() }
    }

    /// The way to a host; the first call prepares it, and sends nothing.
    pub fn github(&self, host: &str) -> Result<Arc<GitHub>, NoWay> {
        let host = match &self.api {
            Some(api) => Host::standing_in(host, api)?,
            None => Host::named(host)?,
        };
        let mut ways = self.ways.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(way) = ways.get(&host.name) {
            return Ok(Arc::clone(way));
        }
        let token = (self.tokens)(&host.name).map_err(NoWay::Token)?;
        let name = host.name.clone();
        let way = Arc::new(GitHub::new(host, token.as_ref(), self.times)?);
        ways.insert(name, Arc::clone(&way));
        Ok(way)
    }
}

impl Live {
    /// Forgets the way to a host: the token is looked for again. For one that was refused.
    pub fn forget(&self, host: &str) {
        let name = crate::domain::host::normal(host);
        self.ways.lock().unwrap_or_else(PoisonError::into_inner).remove(&name);
    }
}

impl fmt::Debug for Live {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Live").field("api", &self.api).finish_non_exhaustive()
    }
}

impl NoWay {
    /// Which kind of trouble this is.
    pub fn class(&self) -> Class {
        match self {
            Self::Live(it) => it.class(),
            Self::Host(_) => Class::Input,
            Self::Token(_) | Self::Offline(_) => Class::Config,
        }
    }

    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Live(it) => it.hint(),
            Self::Offline(_) => {
                Some("leave --offline out, or open a capture file of it".to_owned())
            }
            Self::Token(_) => Some("casefile doctor says where tokens are looked for".to_owned()),
            Self::Host(_) => None,
        }
    }
}
