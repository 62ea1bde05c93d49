//! Where a GitHub answers: github.com, a company's own cloud, a server, or a stand-in on this
//! machine. Must not speak to any of them.

use crate::domain::host::{Kind, kind_of, normal};

/// A GitHub and where its interfaces lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Host {
    /// As it stands in addresses of pages: `github.com`.
    pub name: String,
    /// Scheme and authority that requests go to, without a path: `https://api.github.com`.
    pub origin: String,
    /// What stands before the path of a REST request: empty, or `/api/v3`.
    pub rest: &'static str,
    /// The path of the GraphQL interface.
    pub graphql: &'static str,
}

/// Why an address for the interface cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HostError {
    #[error("{0} is not the name of a host")]
    Name(String),
    #[error("{0} is not an address of the form https://HOST or http://127.0.0.1:PORT")]
    Address(String),
    #[error("{0} is not encrypted; plain http is for this machine alone (127.0.0.1)")]
    Plain(String),
}

impl Host {
    /// The host as its name says. `name` may be written in any case and end with a dot.
    pub fn named(name: &str) -> Result<Self, HostError> {
        let name = normal(name);
        if !is_host(&name) {
            return Err(HostError::Name(name));
        }
        let (origin, rest, graphql) = match kind_of(&name) {
            Kind::Cloud => (format!("https://api.{name}"), "", "/graphql"),
            Kind::Server => (format!("https://{name}"), "/api/v3", "/api/graphql"),
        };
        Ok(Self { name, origin, rest, graphql })
    }

    /// A host whose interface answers at `address` instead: a stand-in for tests and offline
    /// work. Its tokens are those given for it, never github.com's by habit.
    pub fn standing_in(name: &str, address: &str) -> Result<Self, HostError> {
        let name = normal(name);
        if !is_host(&name) {
            return Err(HostError::Name(name));
        }
        let address = address.trim_end_matches('/');
        // An Enterprise server's interfaces lie below its pages.
        let (origin, rest, graphql) = match address.strip_suffix("/api/v3") {
            Some(origin) => (origin.to_owned(), "/api/v3", "/api/graphql"),
            None => (address.to_owned(), "", "/graphql"),
        };
        let wrong = || HostError::Address(address.to_owned());
        let (scheme, authority) = origin.split_once("://").ok_or_else(wrong)?;
        let plain =
            |it: char| it.is_ascii_alphanumeric() || matches!(it, '.' | ':' | '-' | '[' | ']');
        if authority.is_empty() || !authority.chars().all(plain) {
            return Err(wrong());
        }
        match scheme {
            "https" => {}
            "http" if is_this_machine(authority) => {}
            "http" => return Err(HostError::Plain(address.to_owned())),
            _ => return Err(wrong()),
        }
        Ok(Self { name, origin, rest, graphql })
    }

    /// Which variables and stores hold tokens for this host.
    pub fn kind(&self) -> Kind {
        kind_of(&self.name)
    }
}

fn is_host(name: &str) -> bool {
    let (host, port) =
        name.rsplit_once(':').map_or((name, None), |(host, port)| (host, Some(port)));
    let label = |it: &str| {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
        !it.is_empty() && it.len() <= 63 && it.chars().all(plain)
    };
    let port = port.is_none_or(|it| it.parse::<u16>().is_ok());
    port && host.len() <= 253 && host.split('.').all(label)
}

fn is_this_machine(authority: &str) -> bool {
    let host = match authority.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => authority.split(':').next().unwrap_or_default(),
    };
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|it| it.is_loopback())
}

#[cfg(test)]
mod tests {
    use crate::forge::github::host::Host;

    #[test]
    fn a_name_says_where_requests_go() {
        let check = |name: &str, expected: &str| {
            let got =
                Host::named(name).map(|it| format!("{}{} {}", it.origin, it.rest, it.graphql));
            assert_eq!(got.unwrap_or_else(|it| it.to_string()), expected, "{name}");
        };
        check("github.com", "https://api.github.com /graphql");
        check("GitHub.com.", "https://api.github.com /graphql");
        check("ssh.github.com", "https://api.github.com /graphql");
        check("acme.ghe.com", "https://api.acme.ghe.com /graphql");
        check("git.example.org", "https://git.example.org/api/v3 /api/graphql");
        check("git.example.org:8443", "https://git.example.org:8443/api/v3 /api/graphql");
        check("github.com@evil.example", "github.com@evil.example is not the name of a host");
        check("a/b", "a/b is not the name of a host");
        check("", " is not the name of a host");
    }

    #[test]
    fn a_stand_in_may_be_like_a_server() {
        let check = |address: &str, expected: [&str; 3]| {
            let host = Host::standing_in("github.com", address).expect("an address");
            assert_eq!([&*host.origin, host.rest, host.graphql], expected);
        };
        check("http://127.0.0.1:80/", ["http://127.0.0.1:80", "", "/graphql"]);
        let server = ["http://127.0.0.1:80", "/api/v3", "/api/graphql"];
        check("http://127.0.0.1:80/api/v3", server);
    }

    #[test]
    fn plain_http_is_for_this_machine() {
        let check = |address: &str, right: bool| {
            assert_eq!(Host::standing_in("github.com", address).is_ok(), right, "{address}");
        };
        check("http://127.0.0.1:8080", true);
        check("http://[::1]:8080/", true);
        check("http://localhost:1", true);
        check("https://git.example.org", true);
        check("http://git.example.org", false);
        check("http://127.0.0.1.example.org", false);
        check("http://user@127.0.0.1", false);
        check("ftp://127.0.0.1", false);
        check("127.0.0.1:80", false);
    }
}
