//! Which token signs us in at a host, and where it was found. A token goes to the host it was
//! given for and to no other.
//! Must not send a token anywhere, print one, or keep one on disk.

use crate::config::secret::Secret;
use crate::domain::host::{self, Kind};
use std::{
    fmt,
    fs::File,
    io::{self, Read as _},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

/// The service our entries have in the system's keyring; the account is the host.
pub const SERVICE: &str = "casefile";

/// How long another program or the keyring may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// No token is longer; GitHub's are below 300 characters.
const LONGEST: usize = 4_096;

/// Where a token was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    File(PathBuf),
    Variable(&'static str),
    /// `gh auth token`.
    Gh,
    Keyring,
}

/// A token and where it comes from.
#[derive(Debug, Clone)]
pub struct Token {
    pub secret: Secret,
    pub source: Source,
}

/// What a person or the surroundings give.
#[derive(Debug, Clone, Default)]
pub struct Given {
    /// `--token-file`.
    pub file: Option<PathBuf>,
    /// The host that `--token-file` and `CASEFILE_TOKEN` are for; the one of the settings.
    pub host: String,
    /// The interface answers elsewhere (a stand-in): only a token given for it will do.
    pub standing_in: bool,
}

/// Why no token could be taken although one was named.
#[derive(Debug, thiserror::Error)]
pub enum SignInError {
    #[error("the token file {path} could not be read: {source}")]
    File { path: PathBuf, source: io::Error },
    #[error("{place} holds no token: it is empty, too long, or more than one line")]
    NoToken { place: String },
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(f, "the token file {}", path.display()),
            Self::Variable(name) => f.write_str(name),
            Self::Gh => f.write_str("gh auth token"),
            Self::Keyring => f.write_str("the system's keyring"),
        }
    }
}

/// The stores of other programs, so that a test can stand in for them.
pub trait Stores {
    fn variable(&self, name: &str) -> Option<String>;
    /// `gh auth token --hostname HOST`.
    fn gh(&self, host: &str) -> Option<String>;
    fn keyring(&self, host: &str) -> Option<String>;
}

/// The first token for `host` in the order of the documentation: file, `CASEFILE_TOKEN`, the
/// variables of `gh` for that kind of host, `gh` itself, the keyring.
pub fn find(host: &str, given: &Given, stores: &dyn Stores) -> Result<Option<Token>, SignInError> {
    let host = host::normal(host);
    let ours = host == host::normal(&given.host);
    if let (true, Some(path)) = (ours, &given.file) {
        let source = Source::File(path.clone());
        return token(&file(path)?, source).map(Some);
    }
    let own = ours.then_some("CASEFILE_TOKEN");
    let theirs = match host::kind_of(&host) {
        _ if given.standing_in => [None, None],
        Kind::Cloud => [Some("GH_TOKEN"), Some("GITHUB_TOKEN")],
        Kind::Server if is_for_another(&host, given, stores) => [None, None],
        Kind::Server => [Some("GH_ENTERPRISE_TOKEN"), Some("GITHUB_ENTERPRISE_TOKEN")],
    };
    for name in [own].into_iter().chain(theirs).flatten() {
        // Set but empty is how people switch a variable off.
        if let Some(value) = stores.variable(name).filter(|it| !it.trim().is_empty()) {
            return token(&value, Source::Variable(name)).map(Some);
        }
    }
    if given.standing_in {
        return Ok(None);
    }
    if let Some(value) = stores.gh(&host) {
        return token(&value, Source::Gh).map(Some);
    }
    stores.keyring(&host).map(|it| token(&it, Source::Keyring)).transpose()
}

/// Whether the variables of Enterprise servers are meant for another server than this: the one
/// that the settings or `GH_HOST` name. Where none is named they are for any, as `gh` has it, but
/// for one that only looks like GitHub: a link is enough to lead a reader there.
fn is_for_another(host: &str, given: &Given, stores: &dyn Stores) -> bool {
    let named = [Some(given.host.clone()), stores.variable("GH_HOST")];
    let named = named.into_iter().flatten().map(|it| host::normal(&it));
    let servers: Vec<String> =
        named.filter(|it| !it.is_empty() && host::kind_of(it) == Kind::Server).collect();
    match servers.as_slice() {
        [] => host::is_look_alike(host),
        some => !some.iter().any(|it| it == host),
    }
}

/// Every variable that may hold a token.
const VARIABLES: [&str; 5] = [
    "CASEFILE_TOKEN",
    "GH_TOKEN",
    "GITHUB_TOKEN",
    "GH_ENTERPRISE_TOKEN",
    "GITHUB_ENTERPRISE_TOKEN",
];

/// Variables that are set and not used at a host, and why. `used` is what signs us in there.
pub fn passed_over(
    host: &str,
    given: &Given,
    stores: &dyn Stores,
    used: Option<&Source>,
) -> Vec<(&'static str, String)> {
    let host = host::normal(host);
    let is_set = |name: &str| stores.variable(name).is_some_and(|it| !it.trim().is_empty());
    let unused = |name: &&'static str| used != Some(&Source::Variable(name)) && is_set(name);
    let why = |name: &'static str| {
        let cloud = host::kind_of(&host) == Kind::Cloud;
        let before = used.map_or_else(String::new, |it| format!("{it} comes first"));
        match name {
            "CASEFILE_TOKEN" if host != host::normal(&given.host) => {
                format!("it is for {}, which the settings name", given.host)
            }
            "CASEFILE_TOKEN" => before,
            _ if given.standing_in => {
                "a stand-in gets only CASEFILE_TOKEN or --token-file".to_owned()
            }
            "GH_TOKEN" | "GITHUB_TOKEN" if !cloud => {
                format!("it is for github.com and NAME.ghe.com, and {host} is neither")
            }
            "GH_TOKEN" | "GITHUB_TOKEN" => before,
            _ if cloud => format!("it is for Enterprise servers, and {host} is none"),
            _ if is_for_another(&host, given, stores) => {
                "it is for the server that the settings or GH_HOST name".to_owned()
            }
            _ => before,
        }
    };
    VARIABLES.into_iter().filter(unused).map(|name| (name, why(name))).collect()
}

/// Everything that is looked at for a host, in order, for people.
pub fn places(host: &str, given: &Given) -> String {
    let variables = match host::kind_of(&host::normal(host)) {
        _ if given.standing_in => return "--token-file and CASEFILE_TOKEN".to_owned(),
        Kind::Cloud => "GH_TOKEN, GITHUB_TOKEN",
        Kind::Server => "GH_ENTERPRISE_TOKEN, GITHUB_ENTERPRISE_TOKEN",
    };
    format!("--token-file, CASEFILE_TOKEN, {variables}, gh auth token, the system's keyring")
}

/// The token in a text: one line of visible characters.
fn token(text: &str, source: Source) -> Result<Token, SignInError> {
    let plain = text.trim();
    let sound = plain.len() <= LONGEST && plain.bytes().all(|it| it.is_ascii_graphic());
    let secret = Secret::new(plain).filter(|_| sound);
    let place = || SignInError::NoToken { place: source.to_string() };
    let secret = secret.ok_or_else(place)?;
    Ok(Token { secret, source })
}

fn file(path: &Path) -> Result<String, SignInError> {
    let failed = |source| SignInError::File { path: path.to_owned(), source };
    let mut text = String::new();
    let file = File::open(path).map_err(failed)?;
    // One byte more than the longest, so that a longer one shows.
    file.take(LONGEST as u64 + 1).read_to_string(&mut text).map_err(failed)?;
    Ok(text)
}

/// The real stores of this machine.
pub struct Machine;

impl Stores for Machine {
    fn variable(&self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }

    fn gh(&self, host: &str) -> Option<String> {
        let mut child = Command::new("gh")
            .args(["auth", "token", "--hostname", host])
            .env("GH_PROMPT_DISABLED", "1")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let end = Instant::now() + PATIENCE;
        let done = loop {
            match child.try_wait() {
                Ok(Some(done)) => break done,
                Ok(None) if Instant::now() < end => thread::sleep(Duration::from_millis(5)),
                _ => {
                    // It has ended in between, or it is ended now.
                    let _ = child.kill();
                    let _ = child.wait();
                    return None;
                }
            }
        };
        let mut text = String::new();
        child.stdout?.take(LONGEST as u64).read_to_string(&mut text).ok()?;
        (done.success() && !text.trim().is_empty()).then_some(text)
    }

    /// A locked keyring may ask a person first, who may not be there: the answer is not waited
    /// for beyond our patience.
    fn keyring(&self, host: &str) -> Option<String> {
        let (answer, answered) = mpsc::channel();
        let host = host.to_owned();
        thread::Builder::new()
            .name("keyring".into())
            .spawn(move || {
                let entry = keyring::v1::Entry::new(SERVICE, &host);
                let found = entry.and_then(|it| it.get_password()).ok();
                let _ = answer.send(found);
            })
            .ok()?;
        answered.recv_timeout(PATIENCE).ok().flatten()
    }
}

#[cfg(test)]
mod tests;
