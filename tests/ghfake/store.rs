//! What this GitHub keeps. Must not know how any of it is asked for or answered.

use crate::{clock::Clock, limits::Limits};
use std::collections::HashMap;

/// Everything.
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) clock: Clock,
    pub(crate) users: Vec<User>,
    pub(crate) logins: HashMap<String, usize>,
    pub(crate) repos: Vec<Repo>,
    pub(crate) pulls: Vec<Pull>,
    /// Index of the user the token belongs to.
    pub(crate) viewer: usize,
    pub(crate) scopes: String,
    /// The one token that is accepted; none: any.
    pub(crate) token: Option<String>,
    pub(crate) limits: Limits,
    /// How long what is written now stays out of lists.
    pub(crate) lag_ms: i64,
    next: u64,
}

#[derive(Debug, Clone)]
pub(crate) struct User {
    pub(crate) id: u64,
    /// As GraphQL says it; REST adds `[bot]` to a bot's.
    pub(crate) login: String,
    pub(crate) is_bot: bool,
}

#[derive(Debug)]
pub(crate) struct Repo {
    pub(crate) id: u64,
    pub(crate) host: String,
    pub(crate) owner: String,
    pub(crate) name: String,
    /// Whether the viewer may resolve, dismiss and merge.
    pub(crate) can_write: bool,
}

/// A branch and where it stands.
#[derive(Debug, Clone)]
pub(crate) struct Tip {
    pub(crate) name: String,
    pub(crate) sha: String,
}

#[derive(Debug)]
pub(crate) struct Pull {
    pub(crate) id: u64,
    pub(crate) node: String,
    pub(crate) repo: usize,
    pub(crate) number: u64,
    pub(crate) title: String,
    pub(crate) body: Option<String>,
    pub(crate) author: Option<usize>,
    /// `OPEN`, `CLOSED`, `MERGED`.
    pub(crate) state: String,
    pub(crate) draft: bool,
    pub(crate) locked: bool,
    pub(crate) base: Tip,
    pub(crate) head: Tip,
    pub(crate) merge_base: String,
    pub(crate) created: String,
    pub(crate) updated: String,
    pub(crate) files: Vec<File>,
    pub(crate) threads: Vec<Thread>,
    pub(crate) remarks: Vec<Said>,
    pub(crate) reviews: Vec<Review>,
    pub(crate) commits: Vec<Commit>,
    pub(crate) requested: Vec<usize>,
    pub(crate) labels: Vec<String>,
}

#[derive(Debug, Clone)]
pub(crate) struct Commit {
    pub(crate) sha: String,
    pub(crate) message: String,
    pub(crate) at: String,
    /// The pull request's files as they were at it; empty for its head, which has them now.
    pub(crate) files: Vec<File>,
}

#[derive(Debug, Clone)]
pub(crate) struct File {
    pub(crate) path: String,
    pub(crate) previous: Option<String>,
    pub(crate) status: String,
    pub(crate) additions: u64,
    pub(crate) deletions: u64,
    pub(crate) patch: Option<String>,
    pub(crate) sha: String,
}

#[derive(Debug, Clone)]
pub(crate) struct Thread {
    pub(crate) node: String,
    pub(crate) path: String,
    pub(crate) line: Option<u64>,
    pub(crate) original_line: Option<u64>,
    pub(crate) start_line: Option<u64>,
    pub(crate) original_start_line: Option<u64>,
    /// `LEFT` or `RIGHT`.
    pub(crate) side: Option<String>,
    pub(crate) start_side: Option<String>,
    pub(crate) is_file: bool,
    pub(crate) is_resolved: bool,
    pub(crate) resolved_by: Option<usize>,
    pub(crate) is_outdated: bool,
    pub(crate) commit: String,
    pub(crate) original_commit: String,
    pub(crate) can_reply: bool,
    pub(crate) can_resolve: bool,
    pub(crate) said: Vec<Said>,
}

/// A comment: of a thread, or of the pull request itself.
#[derive(Debug, Clone, Default)]
pub(crate) struct Said {
    pub(crate) id: u64,
    pub(crate) node: String,
    pub(crate) author: Option<usize>,
    pub(crate) association: String,
    pub(crate) body: String,
    pub(crate) created: String,
    pub(crate) updated: String,
    pub(crate) hunk: String,
    pub(crate) url: Option<String>,
    pub(crate) reply_to: Option<u64>,
    pub(crate) minimized: Option<String>,
    pub(crate) review: Option<u64>,
    /// Part of a review that was not submitted: only its author sees it.
    pub(crate) pending: bool,
    /// Milliseconds since 1970; lists hold it from then on.
    pub(crate) seen_at: i64,
}

#[derive(Debug, Clone)]
pub(crate) struct Review {
    pub(crate) id: u64,
    pub(crate) node: String,
    pub(crate) author: Option<usize>,
    pub(crate) association: String,
    /// `PENDING`, `COMMENTED`, `APPROVED`, `CHANGES_REQUESTED`, `DISMISSED`.
    pub(crate) state: String,
    pub(crate) body: String,
    pub(crate) submitted: Option<String>,
    pub(crate) commit: String,
    pub(crate) seen_at: i64,
}

impl World {
    pub(crate) fn new(viewer: &str, scopes: &str, token: Option<String>) -> Self {
        let mut world = Self {
            clock: Clock::default(),
            users: Vec::new(),
            logins: HashMap::new(),
            repos: Vec::new(),
            pulls: Vec::new(),
            viewer: 0,
            scopes: scopes.to_owned(),
            token,
            limits: Limits::default(),
            lag_ms: 0,
            // Above 2^31, as today's ids are, and below 2^53.
            next: 4_000_000_000,
        };
        world.viewer = world.user(viewer, false, None);
        world
    }

    /// A number nobody has yet.
    pub(crate) fn fresh(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    /// The user of a login, made when there is none. `[bot]` marks a bot as well.
    pub(crate) fn user(&mut self, login: &str, is_bot: bool, id: Option<u64>) -> usize {
        let (login, is_bot) = match login.strip_suffix("[bot]") {
            Some(bare) => (bare, true),
            None => (login, is_bot),
        };
        if let Some(at) = self.logins.get(login) {
            return *at;
        }
        let id = id.unwrap_or_else(|| 1_000 + self.users.len() as u64);
        self.users.push(User { id, login: login.to_owned(), is_bot });
        self.logins.insert(login.to_owned(), self.users.len() - 1);
        self.users.len() - 1
    }

    pub(crate) fn repo(&mut self, host: &str, owner: &str, name: &str) -> usize {
        if let Some(at) = self.find_repo(owner, name) {
            return at;
        }
        let id = 50_000 + self.repos.len() as u64;
        let (host, owner, name) = (host.to_owned(), owner.to_owned(), name.to_owned());
        self.repos.push(Repo { id, host, owner, name, can_write: true });
        self.repos.len() - 1
    }

    pub(crate) fn find_repo(&self, owner: &str, name: &str) -> Option<usize> {
        let same =
            |it: &Repo| it.owner.eq_ignore_ascii_case(owner) && it.name.eq_ignore_ascii_case(name);
        self.repos.iter().position(same)
    }

    pub(crate) fn find_pull(&self, owner: &str, name: &str, number: u64) -> Option<usize> {
        let repo = self.find_repo(owner, name)?;
        self.pulls.iter().position(|it| it.repo == repo && it.number == number)
    }

    /// When what is written now is listed.
    pub(crate) fn seen_at(&self) -> i64 {
        if self.lag_ms == 0 { 0 } else { self.clock.now_ms() + self.lag_ms }
    }

    /// Whether lists hold a comment for the viewer.
    pub(crate) fn sees(&self, said: &Said) -> bool {
        (!said.pending || said.author == Some(self.viewer)) && said.seen_at <= self.clock.now_ms()
    }

    pub(crate) fn sees_review(&self, review: &Review) -> bool {
        (review.state != "PENDING" || review.author == Some(self.viewer))
            && review.seen_at <= self.clock.now_ms()
    }

    /// A thread with nothing to see in it is not listed.
    pub(crate) fn sees_thread(&self, thread: &Thread) -> bool {
        thread.said.first().is_some_and(|it| self.sees(it))
    }

    pub(crate) fn login(&self, user: Option<usize>) -> Option<&str> {
        user.and_then(|it| self.users.get(it)).map(|it| it.login.as_str())
    }
}

impl Pull {
    pub(crate) fn additions(&self) -> u64 {
        self.files.iter().map(|it| it.additions).sum()
    }

    pub(crate) fn deletions(&self) -> u64 {
        self.files.iter().map(|it| it.deletions).sum()
    }
}

impl Repo {
    pub(crate) fn full_name(&self) -> String {
        format!("{}/{}", self.owner, self.name)
    }

    pub(crate) fn html(&self) -> String {
        format!("https://{}/{}/{}", self.host, self.owner, self.name)
    }
}

/// Forty hex digits that stand for some content.
pub(crate) fn sha(content: &str) -> String {
    use sha2::{Digest as _, Sha256};
    Sha256::digest(content).iter().take(20).fold(String::new(), |mut text, it| {
        use std::fmt::Write as _;
        write!(text, "{it:02x}").expect("text takes all");
        text
    })
}
