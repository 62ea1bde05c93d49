//! The name of a host and which kind of GitHub it is. Whose token it may see hangs on it.
//! Must not know where a host answers; `forge` does.

/// Which kind of GitHub a host is; tokens of one kind are not for another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// github.com or a tenant below ghe.com.
    Cloud,
    /// GitHub Enterprise Server.
    Server,
}

/// The one spelling of a host's name. `www.github.com` and `ssh.github.com` are github.com.
pub fn normal(name: &str) -> String {
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    match name.as_str() {
        "www.github.com" | "ssh.github.com" | "api.github.com" => "github.com".to_owned(),
        _ => name,
    }
}

/// Which kind of GitHub a name in its one spelling is. Only whole labels count: `notghe.com` and
/// `github.com.example.org` are somebody else's.
pub fn kind_of(name: &str) -> Kind {
    let tenant =
        name.strip_suffix(".ghe.com").is_some_and(|it| !it.is_empty() && !it.contains('.'));
    if name == "github.com" || tenant { Kind::Cloud } else { Kind::Server }
}

/// Whether a name takes itself for GitHub without being it: `github.com.example.org`,
/// `xgithub.com`, `notghe.com`. No token finds its way there by habit.
pub fn is_look_alike(name: &str) -> bool {
    let labels: Vec<&str> = name.split('.').collect();
    let within = labels.windows(2).any(|it| it == ["github", "com"] || it == ["ghe", "com"]);
    let ends =
        ["github.com", "ghe.com", "githubusercontent.com"].iter().any(|it| name.ends_with(it));
    kind_of(name) == Kind::Server && (within || ends)
}

#[cfg(test)]
mod tests {
    use crate::domain::host::{Kind, is_look_alike, kind_of};

    #[test]
    fn look_alikes_are_known() {
        let check = |name, expected| assert_eq!(is_look_alike(name), expected, "{name}");
        check("github.com", false);
        check("acme.ghe.com", false);
        check("github.example.org", false);
        check("github.company.com", false);
        check("git.example.org", false);
        check("github.com.example.org", true);
        check("xgithub.com", true);
        check("gist.github.com", true);
        check("a.b.ghe.com", true);
        check("notghe.com", true);
        check("avatars.githubusercontent.com", true);
    }

    #[test]
    fn only_whole_labels_make_a_cloud() {
        let check = |name, kind| assert_eq!(kind_of(name), kind, "{name}");
        check("github.com", Kind::Cloud);
        check("acme.ghe.com", Kind::Cloud);
        check("ghe.com", Kind::Server);
        check("notghe.com", Kind::Server);
        check("a.b.ghe.com", Kind::Server);
        check("github.com.example.org", Kind::Server);
        check("xgithub.com", Kind::Server);
    }
}
