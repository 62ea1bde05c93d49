use crate::config::sign_in::{Given, Source, Stores, find, passed_over};
use std::collections::HashMap;

/// Stores that hold what a test puts in.
#[derive(Default)]
struct Shelf {
    variables: HashMap<&'static str, &'static str>,
    gh: HashMap<&'static str, &'static str>,
    keyring: HashMap<&'static str, &'static str>,
}

impl Stores for Shelf {
    fn variable(&self, name: &str) -> Option<String> {
        self.variables.get(name).map(|it| (*it).to_owned())
    }

    fn gh(&self, host: &str) -> Option<String> {
        self.gh.get(host).map(|it| (*it).to_owned())
    }

    fn keyring(&self, host: &str) -> Option<String> {
        self.keyring.get(host).map(|it| (*it).to_owned())
    }
}

const NAMES: [&str; 4] =
    ["GH_TOKEN", "GITHUB_TOKEN", "GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"];

fn github() -> Given {
    Given { host: "github.com".into(), ..Given::default() }
}

fn found(host: &str, given: &Given, shelf: &Shelf) -> Option<String> {
    let token = find(host, given, shelf).expect("no fault")?;
    Some(format!("{} from {}", token.secret.expose(), token.source))
}

/// Promise D5: the four variables, each set or not, by kind of host, with and without a stored
/// token: 32 rows for a cloud host and as many for a server.
#[test]
fn variables_are_for_their_kind_of_host() {
    for set in 0..16_u32 {
        for stored in [false, true] {
            let is_set = |at: usize| set & (1 << at) != 0;
            let mut shelf = Shelf::default();
            for (at, name) in NAMES.into_iter().enumerate() {
                if is_set(at) {
                    shelf.variables.insert(name, name);
                }
            }
            if stored {
                shelf.gh.extend([
                    ("github.com", "gh"),
                    ("acme.ghe.com", "gh"),
                    ("git.example.org", "gh"),
                ]);
            }
            for (host, first) in [("github.com", 0), ("acme.ghe.com", 0), ("git.example.org", 2)] {
                let expected = match (is_set(first), is_set(first + 1)) {
                    (true, _) => Some(format!("{0} from {0}", NAMES[first])),
                    (_, true) => Some(format!("{0} from {0}", NAMES[first + 1])),
                    _ => stored.then(|| "gh from gh auth token".to_owned()),
                };
                assert_eq!(found(host, &github(), &shelf), expected, "{host} {set:04b} {stored}");
            }
        }
    }
}

#[test]
fn what_is_given_to_us_comes_first_but_only_at_its_host() {
    let mut shelf = Shelf::default();
    shelf.variables.extend([
        ("CASEFILE_TOKEN", "own"),
        ("GH_TOKEN", "gh"),
        ("GH_ENTERPRISE_TOKEN", "ent"),
    ]);
    let check = |host: &str, given: &Given, expected: &str| {
        assert_eq!(found(host, given, &shelf).as_deref(), Some(expected), "{host} {given:?}");
    };
    check("github.com", &github(), "own from CASEFILE_TOKEN");
    check("WWW.GitHub.com", &github(), "own from CASEFILE_TOKEN");
    check("git.example.org", &github(), "ent from GH_ENTERPRISE_TOKEN");
    let server = Given { host: "git.example.org".into(), ..Given::default() };
    check("git.example.org", &server, "own from CASEFILE_TOKEN");
    check("github.com", &server, "gh from GH_TOKEN");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("token");
    std::fs::write(&file, "  filed \n").expect("written");
    let given = Given { file: Some(file.clone()), ..github() };
    check("github.com", &given, &format!("filed from the token file {}", file.display()));
    check("git.example.org", &given, "ent from GH_ENTERPRISE_TOKEN");
}

#[test]
fn a_stand_in_gets_only_what_was_given_for_it() {
    let mut shelf = Shelf::default();
    shelf.variables.extend([("GH_TOKEN", "gh"), ("GITHUB_TOKEN", "gh")]);
    shelf.gh.insert("github.com", "gh");
    shelf.keyring.insert("github.com", "key");
    let given = Given { standing_in: true, ..github() };
    assert_eq!(found("github.com", &given, &shelf), None);
    shelf.variables.insert("CASEFILE_TOKEN", "own");
    assert_eq!(found("github.com", &given, &shelf).as_deref(), Some("own from CASEFILE_TOKEN"));
}

#[test]
fn stores_are_asked_in_order_and_empty_variables_are_off() {
    let mut shelf = Shelf::default();
    shelf.variables.insert("GH_TOKEN", " ");
    shelf.keyring.insert("github.com", "key");
    let expected = format!("key from {}", Source::Keyring);
    assert_eq!(found("github.com", &github(), &shelf), Some(expected));
    shelf.gh.insert("github.com", "gh");
    assert_eq!(found("github.com", &github(), &shelf).as_deref(), Some("gh from gh auth token"));
}

#[test]
fn what_is_no_token_is_refused_without_being_shown() {
    let check = |value: &'static str| {
        let mut shelf = Shelf::default();
        shelf.variables.insert("GH_TOKEN", value);
        let error = find("github.com", &github(), &shelf).expect_err("a fault").to_string();
        assert!(
            error.starts_with("GH_TOKEN holds no token") && !error.contains("sesame"),
            "{error}"
        );
    };
    check("two sesame");
    check("ghp_sesame\nghp_sesame");
    check("sesame\u{1b}[2J");
}

/// Promise D3, who may get which token: hosts of every kind, look-alikes and image hosts among
/// them, against settings that name one host, another, or none. `-` is no token at all.
#[test]
fn a_token_goes_to_its_own_host_alone() {
    let mut shelf = Shelf::default();
    for name in ["CASEFILE_TOKEN", "GH_TOKEN", "GH_ENTERPRISE_TOKEN"] {
        shelf.variables.insert(name, name);
    }
    let rows = [
        // host asked, then the token by the host that the settings name:
        // github.com, acme.ghe.com, git.example.org
        ("github.com", ["CASEFILE_TOKEN", "GH_TOKEN", "GH_TOKEN"]),
        ("acme.ghe.com", ["GH_TOKEN", "CASEFILE_TOKEN", "GH_TOKEN"]),
        ("other.ghe.com", ["GH_TOKEN", "GH_TOKEN", "GH_TOKEN"]),
        ("git.example.org", ["GH_ENTERPRISE_TOKEN", "GH_ENTERPRISE_TOKEN", "CASEFILE_TOKEN"]),
        ("git.example.com", ["GH_ENTERPRISE_TOKEN", "GH_ENTERPRISE_TOKEN", "-"]),
        ("git.example.org:8443", ["GH_ENTERPRISE_TOKEN", "GH_ENTERPRISE_TOKEN", "-"]),
        ("evil.git.example.org", ["GH_ENTERPRISE_TOKEN", "GH_ENTERPRISE_TOKEN", "-"]),
        ("github.com.example.org", ["-", "-", "-"]),
        ("xgithub.com", ["-", "-", "-"]),
        ("gist.github.com", ["-", "-", "-"]),
        ("notghe.com", ["-", "-", "-"]),
        ("a.acme.ghe.com", ["-", "-", "-"]),
        ("avatars.githubusercontent.com", ["-", "-", "-"]),
        ("raw.githubusercontent.com", ["-", "-", "-"]),
    ];
    for (host, expected) in rows {
        for (named, expected) in
            ["github.com", "acme.ghe.com", "git.example.org"].iter().zip(expected)
        {
            let given = Given { host: (*named).into(), ..Given::default() };
            let got = found(host, &given, &shelf).unwrap_or_else(|| "- from".into());
            let token = got.split(" from").next();
            assert_eq!(token, Some(expected), "{host} where the settings name {named}");
        }
    }
}

#[test]
fn gh_host_names_the_server_that_enterprise_tokens_are_for() {
    let mut shelf = Shelf::default();
    shelf.variables.extend([("GH_HOST", "git.example.org"), ("GH_ENTERPRISE_TOKEN", "ent")]);
    let got = |host| found(host, &github(), &shelf);
    assert_eq!(got("git.example.org").as_deref(), Some("ent from GH_ENTERPRISE_TOKEN"));
    assert_eq!(got("git.example.com"), None);
}

#[test]
fn what_is_set_and_not_used_is_named_with_its_reason() {
    let mut shelf = Shelf::default();
    shelf.variables.extend([
        ("GH_TOKEN", "a"),
        ("GITHUB_TOKEN", "b"),
        ("GH_ENTERPRISE_TOKEN", "c"),
    ]);
    let check = |host, given: &Given, used: Option<&'static str>, expected: &[&str]| {
        let used = used.map(Source::Variable);
        let got = passed_over(host, given, &shelf, used.as_ref());
        let got: Vec<String> =
            got.into_iter().map(|(name, why)| format!("{name}: {why}")).collect();
        assert_eq!(got, expected);
    };
    check(
        "github.com",
        &github(),
        Some("GH_TOKEN"),
        &[
            "GITHUB_TOKEN: GH_TOKEN comes first",
            "GH_ENTERPRISE_TOKEN: it is for Enterprise servers, and github.com is none",
        ],
    );
    check(
        "git.example.org",
        &github(),
        Some("GH_ENTERPRISE_TOKEN"),
        &[
            "GH_TOKEN: it is for github.com and NAME.ghe.com, and git.example.org is neither",
            "GITHUB_TOKEN: it is for github.com and NAME.ghe.com, and git.example.org is neither",
        ],
    );
    let given = Given { standing_in: true, ..github() };
    let why = "a stand-in gets only CASEFILE_TOKEN or --token-file";
    let all = ["GH_TOKEN", "GITHUB_TOKEN", "GH_ENTERPRISE_TOKEN"].map(|it| format!("{it}: {why}"));
    check("github.com", &given, None, &all.each_ref().map(String::as_str));
}
