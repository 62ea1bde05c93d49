//! The remotes of a clone: which host each is on, also where the address says it by an alias.
//! Must not hand out what signs in: user names and passwords of an address stay here.

use crate::domain::host::normal;
use crate::forge::git::run::Git;
use std::{
    path::Path,
    process::{Command, Stdio},
};

/// A remote, as far as its address says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remote {
    /// `origin`
    pub name: String,
    /// The real host.
    pub host: String,
    /// What the address calls the host, where that is an alias of the SSH settings.
    pub alias: Option<String>,
    /// `owner/name`
    pub repository: String,
    /// The address holds a password or token.
    pub has_secret: bool,
}

/// The remotes of the clone in a folder, `origin` first. None outside of one.
pub fn all(folder: Option<&Path>) -> Vec<Remote> {
    let mut git = Git::at(folder);
    let ask = ["config", "--local", "--get-regexp", r"^remote\..*\.url$"];
    let listed =
        git.line(&ask).or_else(|why| if git.trust(&why) { git.line(&ask) } else { Err(why) });
    let listed = listed.unwrap_or_default();
    let mut remotes: Vec<Remote> = listed.lines().filter_map(|it| remote(it, &resolved)).collect();
    remotes.sort_by_key(|it| it.name != "origin");
    remotes
}

/// A line of git's answer: `remote.NAME.url ADDRESS`.
fn remote(line: &str, resolve: &dyn Fn(&str) -> Option<String>) -> Option<Remote> {
    let (key, address) = line.split_once(' ')?;
    let name = key.strip_prefix("remote.")?.strip_suffix(".url")?.to_owned();
    let (ssh, user, host, path) = parts(address)?;
    let repository = path.trim_matches('/').trim_end_matches(".git").to_owned();
    let host = normal(host);
    let asked = if ssh { resolve(&host) } else { None };
    let real = normal(&asked.unwrap_or_else(|| host.clone()));
    let alias = (real != host).then_some(host);
    // `ssh://git@host` names a user and no secret; over https the name may be the token itself.
    let has_secret = user.is_some_and(|it| it.contains(':') || !ssh && !it.is_empty());
    Some(Remote { name, host: real, alias, repository, has_secret })
}

/// Whether an address goes over SSH, its user part, host and path. A folder has none of these.
fn parts(address: &str) -> Option<(bool, Option<&str>, &str, &str)> {
    let user_and_host = |it| -> (Option<&str>, &str) {
        let it: &str = it;
        it.rsplit_once('@').map_or((None, it), |(user, host)| (Some(user), host))
    };
    if let Some((scheme, rest)) = address.split_once("://") {
        let (authority, path) = rest.split_once('/')?;
        let (user, host) = user_and_host(authority);
        let ssh = matches!(scheme, "ssh" | "git+ssh" | "ssh+git");
        let web = matches!(scheme, "https" | "http" | "git");
        // The port of SSH says nothing of where pages are.
        let host = if ssh { host.split(':').next().unwrap_or(host) } else { host };
        return ((ssh || web) && !host.is_empty()).then_some((ssh, user, host, path));
    }
    let (authority, path) = address.split_once(':')?;
    let (user, host) = user_and_host(authority);
    (!host.is_empty() && !host.contains('/')).then_some((true, user, host, path))
}

/// The host that the SSH settings give an alias. SSH itself is asked; nothing is connected.
fn resolved(alias: &str) -> Option<String> {
    let plain = |it: char| it.is_ascii_alphanumeric() || matches!(it, '-' | '_' | '.');
    if alias.starts_with('-') || !alias.chars().all(plain) {
        return None;
    }
    let output = Command::new("ssh")
        .args(["-G", alias])
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let said = String::from_utf8_lossy(&output.stdout);
    let host = said.lines().find_map(|it| it.strip_prefix("hostname "))?.trim();
    (!host.is_empty()).then(|| host.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use crate::forge::git::remote::remote;

    fn check(address: &str, expected: &str) {
        let resolve = |alias: &str| (alias == "work").then(|| "github.com".to_owned());
        let got = remote(&format!("remote.origin.url {address}"), &resolve).map(|it| {
            let alias = it.alias.map(|it| format!(" by {it}")).unwrap_or_default();
            let secret = if it.has_secret { " with a secret" } else { "" };
            format!("{} {}{alias}{secret}", it.host, it.repository)
        });
        assert_eq!(got.unwrap_or_default(), expected, "{address}");
    }

    #[test]
    fn addresses_of_remotes_say_their_host() {
        check("git@github.com:acme/store.git", "github.com acme/store");
        check("work:acme/store.git", "github.com acme/store by work");
        check("git@work:acme/store", "github.com acme/store by work");
        check("ssh://git@git.example.org:2222/acme/store.git", "git.example.org acme/store");
        check("https://git.example.org:8443/acme/store", "git.example.org:8443 acme/store");
        check("https://GitHub.com/acme/store.git", "github.com acme/store");
        check("https://ghp_canary@github.com/acme/store", "github.com acme/store with a secret");
        check("https://u:p@github.com/acme/store", "github.com acme/store with a secret");
        check("https://work/acme/store", "work acme/store");
        check("/srv/git/store.git", "");
        check("../store", "");
        check("file:///srv/git/store.git", "");
    }
}
