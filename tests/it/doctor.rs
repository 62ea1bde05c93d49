//! `casefile doctor` at a forge: who we are, what is missing, and the one thing to do. Row 31 of
//! the small cases: token missing, wrong, without scope, single sign-on, a server, out of reach.

use crate::{
    bench::Bench,
    listener::{Heard, Listener, Reply},
};
use serde_json::Value;
use std::{net::TcpListener, process::Command};

const CANARY: &str = "ghp_doctorcanary0123456789";

/// What doctor says of one thing: whether all is well, what it says, what to do.
struct Said {
    code: i32,
    checks: Vec<Value>,
}

impl Said {
    fn of(&self, name: &str) -> (bool, String, String) {
        let found = self.checks.iter().find(|it| it["name"] == name);
        let it = found.unwrap_or_else(|| panic!("nothing on {name}: {:?}", self.checks));
        let text = |key: &str| it[key].as_str().unwrap_or_default().to_owned();
        (it["ok"] == true, text("says"), text("todo"))
    }

    fn has(&self, name: &str) -> bool {
        self.checks.iter().any(|it| it["name"] == name)
    }
}

fn doctor(bench: &Bench, variables: &[(&str, &str)]) -> Said {
    let mut texts = Vec::new();
    for json in [&["doctor", "--json"][..], &["doctor"]] {
        let mut command = bench.command();
        command.envs(variables.iter().copied()).args(json);
        let output = command.output().expect("it starts");
        for bytes in [&output.stdout, &output.stderr] {
            let text = String::from_utf8_lossy(bytes);
            assert!(!text.contains(CANARY), "a token is shown: {text}");
        }
        texts.push((output.status.code().expect("no signal"), output.stdout));
    }
    assert_eq!(texts[0].0, texts[1].0, "both forms end alike");
    let value: Value = serde_json::from_slice(&texts[0].1).expect("JSON");
    let checks = value["checks"].as_array().expect("a list").clone();
    Said { code: texts[0].0, checks }
}

fn at(api: &str) -> [(&str, &str); 2] {
    [("CASEFILE_FORGE_API", api), ("CASEFILE_TOKEN", CANARY)]
}

fn account() -> Reply {
    Reply::json(200, r#"{"login": "alice", "id": 583231}"#)
}

/// A GitHub that answers `/user` like this, and everything else emptily.
fn forge(user: impl Fn() -> Reply + Send + Sync + 'static) -> Listener {
    Listener::start(move |heard: &Heard| match heard.path.as_str() {
        "/user" | "/api/v3/user" => user(),
        _ => Reply::json(200, "[]"),
    })
}

#[test]
fn who_we_are_and_by_which_token() {
    let fake = forge(|| {
        account()
            .with("x-oauth-scopes", "repo, gist")
            .with("x-ratelimit-remaining", "4987")
            .with("x-ratelimit-limit", "5000")
            .with("github-authentication-token-expiration", "2999-01-01 00:00:00 UTC")
    });
    let bench = Bench::new();
    let said = doctor(&bench, &at(&fake.address));
    assert_eq!(said.code, 0);
    let who = "alice (id 583231) at github.com, by the token from CASEFILE_TOKEN";
    assert_eq!(said.of("sign-in"), (true, who.into(), String::new()));
    assert_eq!(said.of("scopes").1, "repo, gist: enough to read and to write");
    assert_eq!(said.of("limit").1, "4987 of 5000 requests left");
    assert_eq!(said.of("token ends").1, "2999-01-01");
    assert!(said.of("forge").1.ends_with(" answers"));
    let given = fake.heard().iter().filter(|it| it.header("authorization").is_some()).count();
    assert_eq!(given, fake.heard().len(), "its own host gets the token");
    let file = bench.file("token", format!("{CANARY}\n"));
    let mut command = bench.command();
    command.env("CASEFILE_FORGE_API", &fake.address).args(["doctor", "--token-file", &file]);
    let text = String::from_utf8(command.output().expect("it starts").stdout).expect("UTF-8");
    assert!(text.contains("by the token from the token file") && !text.contains(CANARY), "{text}");
}

#[test]
fn each_trouble_has_one_thing_to_do() {
    let bench = Bench::new();
    let check = |user: fn() -> Reply, code: i32, name: &str, says: &str, todo: &str| {
        let fake = forge(user);
        let said = doctor(&bench, &at(&fake.address));
        let got = said.of(name);
        assert!(!got.0 && got.1.contains(says) && got.2.contains(todo), "{name}: {got:?}");
        assert_eq!(said.code, code, "{name}");
    };
    let wrong = || Reply::json(401, r#"{"message": "Bad credentials"}"#);
    check(wrong, 3, "sign-in", "does not accept the token (401)", "CASEFILE_TOKEN");
    let poor = || account().with("x-oauth-scopes", "gist");
    check(poor, 3, "scopes", "nothing can be written", "the scope repo");
    let sso = || {
        let address = "required; url=https://github.com/orgs/acme/sso?authorization_request=A";
        Reply::json(403, r#"{"message": "Resource protected by organization SAML"}"#)
            .with("x-github-sso", address)
    };
    check(sso, 3, "sign-in", "single sign-on", "CASEFILE_TOKEN");
    let ends =
        || account().with("github-authentication-token-expiration", "2001-01-01 00:00:00 UTC");
    check(ends, 3, "token ends", "2001-01-01", "make a new one");
    let clock = || account().with("date", "Thu, 01 Jan 2004 00:00:00 GMT");
    check(clock, 3, "clock", "ahead of", "set the clock");
    let spent = || account().with("x-ratelimit-remaining", "0").with("x-ratelimit-limit", "5000");
    check(spent, 3, "limit", "0 of 5000", "wait");
    let down = || Reply { status: 502, headers: Vec::new(), body: "<html>".into() };
    check(down, 5, "forge", "status 502", "try again");
    let limited = || {
        Reply::json(403, r#"{"message": "API rate limit exceeded"}"#)
            .with("x-ratelimit-remaining", "0")
            .with("x-ratelimit-reset", "4000000000")
    };
    check(limited, 5, "forge", "limit is reached", "try again");
}

#[test]
fn organisations_that_hide_their_part_are_told() {
    let fake = Listener::start(|heard: &Heard| match heard.path.as_str() {
        "/user" => account().with("x-oauth-scopes", "repo"),
        _ => Reply::json(200, "[]").with("x-github-sso", "partial-results; organizations=1,2"),
    });
    let said = doctor(&Bench::new(), &at(&fake.address));
    let (ok, says, todo) = said.of("sso");
    assert!(!ok && says.starts_with("2 organisations") && todo.contains("Configure SSO"), "{says}");
}

#[test]
fn without_a_token_it_says_where_it_looked() {
    let fake = Listener::start(|_| Reply::json(200, "{}"));
    let bench = Bench::new();
    let said = doctor(&bench, &[("CASEFILE_FORGE_API", &fake.address), ("GH_TOKEN", CANARY)]);
    let (ok, says, todo) = said.of("sign-in");
    assert!(!ok && says.contains("looked at: --token-file and CASEFILE_TOKEN"), "{says}");
    assert_eq!((said.code, todo.as_str()), (3, "set CASEFILE_TOKEN"));
    let variables = said.of("variables").1;
    assert!(variables.starts_with("GH_TOKEN is set and not used: a stand-in"), "{variables}");
    assert!(fake.heard().iter().all(|it| it.path == "/rate_limit"), "{:?}", fake.heard());
    assert!(fake.heard().iter().all(|it| it.header("authorization").is_none()));
}

#[test]
fn an_enterprise_server_is_asked_below_its_own_path() {
    let fake = forge(|| account().with("x-github-enterprise-version", "3.14.2"));
    let api = format!("{}/api/v3", fake.address);
    let said = doctor(&Bench::new(), &at(&api));
    let (ok, says, _) = said.of("forge");
    assert!(ok && says.ends_with("/api/v3 answers, Enterprise Server 3.14.2"), "{says}");
    assert!(fake.heard().iter().all(|it| it.path.starts_with("/api/v3/user")));
    assert!(said.of("scopes").1.starts_with("not listed"));
}

#[test]
fn out_of_reach_ends_with_five_and_offline_asks_nobody() {
    let free = TcpListener::bind("127.0.0.1:0").expect("a port");
    let api = format!("http://{}", free.local_addr().expect("an address"));
    drop(free);
    let bench = Bench::new();
    let said = doctor(&bench, &at(&api));
    let (ok, says, todo) = said.of("forge");
    assert!(!ok && says.contains("connection failed"), "{says}");
    assert!(todo.contains("stays readable"), "{todo}");
    assert_eq!(said.code, 5);
    let fake = forge(account);
    let mut command = bench.command();
    command.envs(at(&fake.address)).args(["doctor", "--offline"]);
    let output = command.output().expect("it starts");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(text.contains("a token for github.com from CASEFILE_TOKEN; not tried"), "{text}");
    assert!(output.status.success() && fake.heard().is_empty());
}

#[test]
fn the_clone_one_stands_in_says_its_host() {
    let check = |address: &str, ok: bool, says: &str, todo: &str| {
        let bench = Bench::new();
        let git = |args: &[&str]| {
            let done = Command::new("git").args(args).current_dir(bench.path(".")).output();
            assert!(done.expect("git").status.success(), "{args:?}");
        };
        git(&["init", "-q"]);
        git(&["remote", "add", "origin", address]);
        let fake = forge(account);
        let said = doctor(&bench, &at(&fake.address));
        let got = said.of("remote");
        assert!(got.0 == ok && got.1.contains(says) && got.2.contains(todo), "{got:?}");
    };
    check("git@github.com:acme/store.git", true, "origin is acme/store at github.com", "");
    let server = "ssh://git@git.example.org:2222/acme/store.git";
    check(server, true, "[forge] host = \"git.example.org\"", "");
    check("https://github.com.example.org/a/b", true, "only looks like GitHub", "");
    let secret = format!("https://alice:{CANARY}@github.com/acme/store");
    let todo = "git remote set-url origin https://github.com/acme/store.git";
    check(&secret, false, "holds a password or token", todo);
    let said = doctor(&Bench::new(), &at(&forge(account).address));
    assert!(!said.has("remote"), "no clone, no word about one");
}
