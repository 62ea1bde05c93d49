//! Why something of a live pull request could not be had, in words for people, with what to do.
//! Must not decide exit codes; it says which class of trouble it is.

use crate::forge::{
    Class,
    github::{
        answer::{Refusal, Trouble},
        patience::GaveUp,
        transport::NoAnswer,
    },
};
use std::time::Duration;

/// Why a read failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what} could not be read from {host}: {why}")]
pub struct LiveError {
    /// What was asked for: `acme/store#482`, `its changed files`.
    pub what: String,
    pub host: String,
    pub why: Why,
}

/// What stood in the way.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Why {
    #[error("GitHub does not accept the token (401)")]
    SignIn,
    #[error("nobody is signed in")]
    NoToken,
    #[error("the organisation asks for single sign-on")]
    SingleSignOn { address: Option<String> },
    #[error("the token may not read it{}", .says.as_deref().map(|it| format!(" ({it})")).unwrap_or_default())]
    Forbidden { says: Option<String>, needs: Option<String> },
    #[error("it is not there, or not for this account")]
    Missing,
    #[error("the diff is larger than GitHub shows (406)")]
    TooLarge,
    #[error("GitHub refused the request{}", .0.as_deref().map(|it| format!(" ({it})")).unwrap_or_default())]
    Invalid(Option<String>),
    #[error("it has moved to {0}")]
    Moved(String),
    #[error("GitHub has trouble: {}{}", .0.what, .0.request.as_deref().map(|it| format!(", request {it}")).unwrap_or_default())]
    Trouble(Trouble),
    #[error("GitHub's limit is reached; it asks to wait {}", shown(*.pause))]
    Limit { pause: Duration },
    #[error("{0}")]
    NoAnswer(NoAnswer),
    #[error("cancelled")]
    Cancelled,
}

impl LiveError {
    /// Which kind of trouble this is.
    pub fn class(&self) -> Class {
        match self.why {
            Why::SignIn | Why::NoToken | Why::SingleSignOn { .. } | Why::Forbidden { .. } => {
                Class::Config
            }
            Why::Missing | Why::TooLarge | Why::Invalid(_) | Why::Moved(_) => Class::Input,
            Why::Trouble(_) | Why::Limit { .. } | Why::NoAnswer(_) | Why::Cancelled => {
                Class::Unreachable
            }
        }
    }

    /// The one thing to do.
    pub fn hint(&self) -> Option<String> {
        let host = &self.host;
        Some(match &self.why {
            Why::SignIn => format!("make a new token, or sign in again: gh auth login --hostname {host}; casefile doctor says which token is used"),
            Why::NoToken => format!("sign in with gh auth login --hostname {host}, or set GH_TOKEN; casefile doctor shows what was looked at"),
            Why::SingleSignOn { address: Some(address) } => format!("authorise the token at {address}"),
            Why::SingleSignOn { address: None } => "authorise the token for the organisation, under Settings, Developer settings, Tokens, Configure SSO".into(),
            Why::Forbidden { needs: Some(needs), .. } => format!("the token needs one of these scopes: {needs}"),
            Why::Forbidden { .. } => "use a token that may read this repository's pull requests (scope repo, or pull requests and contents: read)".into(),
            Why::Missing => "check the name; for a private repository, use a token that may read it (casefile doctor says who is signed in)".into(),
            Why::TooLarge => "open it in a clone of the repository, where git makes the diff".into(),
            Why::Moved(_) => "the repository was renamed or moved; open it by its new name".into(),
            Why::Trouble(_) => "try again later; what was read before stays readable".into(),
            Why::Limit { .. } => "try again after that; what was read before stays readable".into(),
            Why::NoAnswer(_) => format!("check the connection to {host}; what was read before stays readable with --offline"),
            Why::Invalid(_) | Why::Cancelled => return None,
        })
    }
}

impl From<Refusal> for Why {
    fn from(refusal: Refusal) -> Self {
        let said = |it: String| Some(it).filter(|it| !it.is_empty());
        match refusal {
            Refusal::SignIn => Self::SignIn,
            Refusal::SingleSignOn { address } => Self::SingleSignOn { address },
            Refusal::Forbidden { says, needs } => Self::Forbidden { says: said(says), needs },
            Refusal::Missing => Self::Missing,
            Refusal::TooLarge { .. } => Self::TooLarge,
            Refusal::Invalid { says } => Self::Invalid(said(says)),
            Refusal::Moved { to } => Self::Moved(to),
            Refusal::Strange { status, says } => {
                Self::Invalid(said(says).or_else(|| Some(format!("status {status}"))))
            }
        }
    }
}

impl From<GaveUp> for Why {
    fn from(gave_up: GaveUp) -> Self {
        match gave_up {
            GaveUp::Trouble(trouble) => Self::Trouble(trouble),
            GaveUp::Limit { pause } => Self::Limit { pause },
        }
    }
}

impl From<NoAnswer> for Why {
    fn from(it: NoAnswer) -> Self {
        match it {
            NoAnswer::Cancelled => Self::Cancelled,
            other => Self::NoAnswer(other),
        }
    }
}

/// A pause in words: `40 s`, `12 min`, `1 h 5 min`.
pub fn shown(pause: Duration) -> String {
    match pause.as_secs() {
        it @ 0..=119 => format!("{it} s"),
        it @ 120..=5_399 => format!("{} min", it.div_ceil(60)),
        it => format!("{} h {} min", it / 3_600, it % 3_600 / 60),
    }
}
