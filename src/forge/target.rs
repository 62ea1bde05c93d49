//! What a person names on the command line, told apart: a pull request, a file, a pipe, a range.
//! Must not open anything; it only asks whether a file of that name exists.

use crate::forge::Range;
use std::path::{Path, PathBuf};

/// A target, not read yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TargetSpec {
    /// `owner/name#12` or the address of a pull request's page.
    PullRequest(PullRequestName),
    /// A capture file or a unified diff; its content says which.
    File(PathBuf),
    /// `-`: either of them, from standard input.
    Stdin,
    /// `main..HEAD`.
    Range(Range),
}

/// A pull request's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PullRequestName {
    pub host: String,
    pub owner: String,
    pub repository: String,
    pub number: u64,
}

impl TargetSpec {
    /// What `text` names. A file that exists always wins, so a strange name can be opened.
    pub fn parse(text: &str) -> Self {
        Self::parse_at(text, "github.com")
    }

    /// The same where a short name, `owner/name#12`, is of this host.
    pub fn parse_at(text: &str, host: &str) -> Self {
        if text == "-" {
            return Self::Stdin;
        }
        if Path::new(text).exists() {
            return Self::File(PathBuf::from(text));
        }
        Self::by_shape(text, host)
    }

    /// What `text` names when no file has that name.
    fn by_shape(text: &str, host: &str) -> Self {
        if let Some(name) = address(text).or_else(|| short(text, host)) {
            return Self::PullRequest(name);
        }
        if is_range(text) {
            return Self::Range(Range { text: text.to_owned(), folder: None });
        }
        Self::File(PathBuf::from(text))
    }
}

impl std::fmt::Display for PullRequestName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}#{}", self.owner, self.repository, self.number)
    }
}

/// `https://host/owner/name/pull/12`, with whatever stands after it.
fn address(text: &str) -> Option<PullRequestName> {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"))?;
    let rest = rest.split(['?', '#']).next()?;
    let mut parts = rest.split('/');
    let host = parts.next().filter(|it| !it.is_empty())?;
    let (owner, repository) = (parts.next()?, parts.next()?);
    let pull = parts.next().filter(|it| *it == "pull" || *it == "pulls")?;
    let number = parts.next().filter(|_| !pull.is_empty())?.parse().ok()?;
    name(host, owner, repository, number)
}

/// `owner/name#12`.
fn short(text: &str, host: &str) -> Option<PullRequestName> {
    let (repository, number) = text.split_once('#')?;
    let (owner, repository) = repository.split_once('/')?;
    name(host, owner, repository, number.parse().ok()?)
}

fn name(host: &str, owner: &str, repository: &str, number: u64) -> Option<PullRequestName> {
    let plain = |it: &str| {
        let known = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        !it.is_empty() && it.chars().all(known)
    };
    (plain(owner) && plain(repository)).then(|| PullRequestName {
        host: host.to_owned(),
        owner: owner.to_owned(),
        repository: repository.to_owned(),
        number,
    })
}

/// Two dots between two names. `../x` and `a/../b` are paths.
fn is_range(text: &str) -> bool {
    let Some((left, right)) = text.split_once("..") else { return false };
    let right = right.strip_prefix('.').unwrap_or(right);
    let is_path = left.ends_with('/') || right.starts_with('/');
    !left.is_empty() && !left.starts_with('-') && !is_path && !text.contains(char::is_whitespace)
}

#[cfg(test)]
mod tests {
    use crate::forge::target::TargetSpec;

    fn check(text: &str, expected: &str) {
        let got = match TargetSpec::by_shape(text, "github.com") {
            TargetSpec::PullRequest(it) => format!("pull {} on {}", it, it.host),
            TargetSpec::File(path) => format!("file {}", path.display()),
            TargetSpec::Stdin => "stdin".to_owned(),
            TargetSpec::Range(range) => format!("range {}", range.text),
        };
        assert_eq!(got, expected, "{text}");
    }

    #[test]
    fn shapes_tell_targets_apart() {
        check("owner/repo#12", "pull owner/repo#12 on github.com");
        check("https://github.com/o/r/pull/7/files?w=1", "pull o/r#7 on github.com");
        check("https://git.example.org/o/r/pull/7#issue-1", "pull o/r#7 on git.example.org");
        check("https://github.com/o/r/issues/7", "file https://github.com/o/r/issues/7");
        check("main..HEAD", "range main..HEAD");
        check("main...", "range main...");
        check("v1.0..v1.1", "range v1.0..v1.1");
        check("../pr.json", "file ../pr.json");
        check("a/../pr.json", "file a/../pr.json");
        check("--output=x..y", "file --output=x..y");
        check("pr.json", "file pr.json");
        check("o/r#x", "file o/r#x");
    }
}
