//! Who we are at the forge, by which token, what that may do, and how the forge answers.
//! Must not show a token, and must not send one anywhere but to the host of the settings.

use crate::cli::{
    access,
    args::Args,
    doctor::{Finding, bad, good},
};
use crate::config::{
    Config,
    sign_in::{self, Given, Machine, Source, Token},
};
use crate::domain::{
    capture::Id,
    host::{self, Kind as HostKind},
    text::outside::Outside,
};
use crate::failure::Kind;
use crate::forge::{
    Class,
    git::remote::{self, Remote},
    github::{
        GitHub, SignedIn,
        host::Host,
        pulse::{Pulse, Rate},
        read::Watch,
        transport::Times,
        trouble::LiveError,
    },
};
use jiff::Timestamp;
use std::time::Duration;

/// Nobody waits longer for the forge here.
const TIMES: Times = Times {
    connect: Duration::from_secs(5),
    read: Duration::from_secs(8),
    whole: Duration::from_secs(10),
};
/// A token that ends within so many seconds is told of: a week.
const SOON: i64 = 7 * 86_400;
/// Clocks further apart break signatures and ages: five minutes.
const SKEW: i64 = 300;

/// Everything about the forge.
pub fn findings(args: &Args, config: &Config) -> Vec<Finding> {
    let given = access::given(args, config);
    let name = host::normal(&config.forge.host);
    let found = sign_in::find(&name, &given, &Machine);
    let used = found.as_ref().ok().and_then(|it| it.as_ref()).map(|it| it.source.clone());
    let mut findings = match (found, host_of(config, &name)) {
        (_, Err(why)) => vec![bad("forge", why, "mend [forge] host or api in the settings")],
        (Err(why), _) => vec![bad("sign-in", why.to_string(), "put the token there, or unset it")],
        (Ok(token), Ok(host)) => at_host(args, &given, host, token.as_ref()),
    };
    let passed = sign_in::passed_over(&name, &given, &Machine, used.as_ref());
    if !passed.is_empty() {
        let each: Vec<_> =
            passed.iter().map(|(name, why)| format!("{name} is set and not used: {why}")).collect();
        findings.push(good("variables", each.join("; ")));
    }
    findings.extend(remote::all(None).first().map(|it| on_remote(it, &name)));
    findings
}

fn host_of(config: &Config, name: &str) -> Result<Host, String> {
    let api = &config.forge.api;
    let host = if api.is_empty() { Host::named(name) } else { Host::standing_in(name, api) };
    host.map_err(|it| it.to_string())
}

fn at_host(args: &Args, given: &Given, host: Host, token: Option<&Token>) -> Vec<Finding> {
    let name = host.name.clone();
    let place = format!("{}{}", host.origin, host.rest);
    if args.common.work.offline {
        let says = match token {
            Some(it) => format!("a token for {name} from {}; not tried: --offline", it.source),
            None => format!("no token for {name}; live pull requests need one"),
        };
        return vec![good("sign-in", says)];
    }
    let secret = token.map(|it| it.secret.for_wire());
    let watch = Watch { tell: &|_| (), cancelled: &|| false, longest: Duration::ZERO };
    let github = GitHub::new(host, secret.as_ref(), TIMES);
    let nobody = token.is_none().then(|| nobody(&name, given));
    let pulse = match github.and_then(|it| it.pulse(watch)) {
        Ok(it) => it,
        Err(error) => {
            return nobody.into_iter().chain([failed(&error, &place, given, token)]).collect();
        }
    };
    let account = pulse.account.iter().zip(token);
    let said = account.flat_map(|(it, token)| signed_in(it, &name, &token.source));
    let sso = single_sign_on(pulse.unauthorised, &name);
    nobody.into_iter().chain(said).chain(sso).chain(answering(&pulse, &place)).collect()
}

fn nobody(name: &str, given: &Given) -> Finding {
    let places = sign_in::places(name, given);
    let says = format!("nobody is signed in at {name}; looked at: {places}");
    let todo = if given.standing_in {
        "set CASEFILE_TOKEN".to_owned()
    } else {
        format!("gh auth login --hostname {name}, or set {}", variable(name))
    };
    bad("sign-in", says, todo)
}

/// The variable that holds a token for such a host.
fn variable(name: &str) -> &'static str {
    match host::kind_of(name) {
        HostKind::Cloud => "GH_TOKEN",
        HostKind::Server => "GH_ENTERPRISE_TOKEN",
    }
}

fn failed(error: &LiveError, place: &str, given: &Given, token: Option<&Token>) -> Finding {
    let todo = error.hint().unwrap_or_else(|| format!("look at what {place} answers"));
    match (error.class(), token) {
        (Class::Unreachable, _) => {
            let says = format!("{place}: {}", error.why);
            let kind = Kind::Unreachable;
            Finding { name: "forge", says, todo: Some(todo), kind }
        }
        (_, Some(token)) => {
            let from = &token.source;
            let todo = match from {
                Source::Variable(name) if given.standing_in => {
                    format!("put a good token into {name}")
                }
                _ => todo,
            };
            bad("sign-in", format!("the token from {from}, at {place}: {}", error.why), todo)
        }
        (_, None) => bad("forge", format!("{place}: {}", error.why), todo),
    }
}

/// Who it is, what the token may do, and when it ends.
fn signed_in(account: &SignedIn, name: &str, source: &Source) -> Vec<Finding> {
    let login = account.viewer.login.as_ref().map_or("somebody".into(), Outside::inline);
    let id = match &account.viewer.id {
        Some(Id::Number(it)) => format!(" (id {it})"),
        Some(Id::Text(it)) => format!(" (id {it})"),
        None => String::new(),
    };
    let who = good("sign-in", format!("{login}{id} at {name}, by the token from {source}"));
    let mut findings = vec![who, scopes(account.scopes.as_deref(), name, source)];
    findings.extend(account.expires.as_deref().and_then(|it| ending(it, name, Timestamp::now())));
    findings
}

/// What the token may do, as far as GitHub says.
fn scopes(scopes: Option<&[String]>, name: &str, source: &Source) -> Finding {
    let Some(scopes) = scopes else {
        return good(
            "scopes",
            "not listed: the token has permissions instead (fine-grained, or of an app). To read: \
             Metadata, Contents and Pull requests, read; to comment and review: Pull requests, write",
        );
    };
    let has = |name: &str| scopes.iter().any(|it| it == name);
    let listed = if scopes.is_empty() { "none".to_owned() } else { scopes.join(", ") };
    if has("repo") {
        return good("scopes", format!("{listed}: enough to read and to write"));
    }
    if has("public_repo") {
        let says = format!("{listed}: enough for public repositories; private ones need repo");
        return good("scopes", says);
    }
    let todo = match source {
        Source::Gh => format!("gh auth refresh --hostname {name} --scopes repo"),
        _ => format!(
            "make a token with the scope repo (or public_repo) at https://{name}/settings/tokens"
        ),
    };
    bad(
        "scopes",
        format!("{listed}: public pull requests can be read, nothing can be written"),
        todo,
    )
}

/// When the token ends: `2026-03-05 10:00:00 UTC`, or with an offset.
fn ending(said: &str, name: &str, now: Timestamp) -> Option<Finding> {
    let plain = said.trim().trim_end_matches(" UTC");
    let civil = |it: &str| it.parse::<jiff::civil::DateTime>().ok();
    let at = match civil(plain) {
        Some(it) => jiff::tz::TimeZone::UTC.to_timestamp(it).ok()?,
        None => {
            jiff::fmt::strtime::parse("%Y-%m-%d %H:%M:%S %z", plain).ok()?.to_timestamp().ok()?
        }
    };
    let left = at.as_second() - now.as_second();
    let day = at.strftime("%Y-%m-%d");
    if left > SOON {
        return Some(good("token ends", day.to_string()));
    }
    let says = format!("{day}, in {}", words(left.max(0)));
    Some(bad("token ends", says, format!("make a new one at https://{name}/settings/tokens")))
}

fn single_sign_on(unauthorised: usize, name: &str) -> Option<Finding> {
    let what = match unauthorised {
        1 => "1 organisation leaves its".to_owned(),
        some => format!("{some} organisations leave their"),
    };
    let says = format!("{what} part out until the token is authorised for single sign-on");
    let todo = format!("https://{name}/settings/tokens, then Configure SSO beside the token");
    (unauthorised > 0).then(|| bad("sso", says, todo))
}

/// Where the interface answers, what is left of the limit, and whether the clocks agree.
fn answering(pulse: &Pulse, place: &str) -> Vec<Finding> {
    let now = Timestamp::now().as_second();
    let server = pulse.server.as_deref().map(|it| format!(", Enterprise Server {it}"));
    let mut findings =
        vec![good("forge", format!("{place} answers{}", server.unwrap_or_default()))];
    findings.extend(pulse.rate.map(|it| rate(it, now)));
    let date = pulse.date.as_deref().and_then(|it| jiff::fmt::rfc2822::parse(it).ok());
    findings.extend(date.map(|it| clock(now - it.timestamp().as_second())));
    findings
}

fn rate(rate: Rate, now: i64) -> Finding {
    let reset = rate.reset.and_then(|it| i64::try_from(it).ok()).map(|it| (it - now).max(0));
    let again = reset.map(|it| format!(", whole again in {}", words(it))).unwrap_or_default();
    let says = format!("{} of {} requests left{again}", rate.left, rate.limit);
    if rate.left == 0 {
        return bad("limit", says, "wait until then; what was read before stays readable");
    }
    good("limit", says)
}

fn clock(ahead: i64) -> Finding {
    if ahead.abs() <= SKEW {
        return good("clock", "agrees with the forge's");
    }
    let side = if ahead > 0 { "ahead of" } else { "behind" };
    let says = format!("{} {side} the forge's", words(ahead.abs()));
    bad("clock", says, "set the clock; ages and the end of limits are wrong until then")
}

/// Seconds in a word or two.
fn words(seconds: i64) -> String {
    match seconds {
        it if it < 120 => format!("{it} s"),
        it if it < 7_200 => format!("{} min", it / 60),
        it if it < 172_800 => format!("{} h", it / 3_600),
        it => format!("{} days", it / 86_400),
    }
}

/// What the clone in the current folder belongs to.
fn on_remote(remote: &Remote, ours: &str) -> Finding {
    let Remote { name, host, alias, repository, has_secret } = remote;
    let alias = alias.as_ref().map(|it| format!(" (by the SSH alias {it})")).unwrap_or_default();
    let says = format!("{name} is {repository} at {host}{alias}");
    if *has_secret {
        let todo = format!("git remote set-url {name} https://{host}/{repository}.git");
        return bad("remote", format!("{says}; its address holds a password or token"), todo);
    }
    if host == ours {
        return good("remote", says);
    }
    let more = match host::kind_of(host) {
        _ if host::is_look_alike(host) => "that only looks like GitHub".to_owned(),
        HostKind::Cloud => format!("short names are of {ours}"),
        HostKind::Server => {
            format!(
                "if that is a GitHub Enterprise Server, [forge] host = \"{host}\" makes it the one for short names"
            )
        }
    };
    good("remote", format!("{says}; {more}"))
}

#[cfg(test)]
mod tests {
    use crate::cli::doctor::sign_in::{clock, ending, rate, scopes, single_sign_on};
    use crate::config::sign_in::Source;
    use crate::forge::github::pulse::Rate;
    use jiff::Timestamp;

    #[test]
    fn scopes_say_what_is_missing() {
        let check = |listed: Option<&[&str]>, source: &Source, says: &str, todo: Option<&str>| {
            let listed: Option<Vec<String>> =
                listed.map(|it| it.iter().map(|it| (*it).to_owned()).collect());
            let it = scopes(listed.as_deref(), "github.com", source);
            assert!(it.says.contains(says), "{}", it.says);
            assert_eq!(it.todo.as_deref(), todo);
        };
        let gh = Source::Gh;
        check(Some(&["gist", "repo"]), &gh, "gist, repo: enough to read and to write", None);
        check(Some(&["public_repo"]), &gh, "private ones need repo", None);
        check(None, &gh, "not listed", None);
        let refresh = "gh auth refresh --hostname github.com --scopes repo";
        check(Some(&["gist"]), &gh, "gist: public pull requests", Some(refresh));
        let make = "make a token with the scope repo (or public_repo) at https://github.com/settings/tokens";
        check(Some(&[]), &Source::Variable("GH_TOKEN"), "none: ", Some(make));
    }

    #[test]
    fn a_token_that_ends_soon_is_told() {
        let now: Timestamp = "2026-03-01T00:00:00Z".parse().expect("a time");
        let check = |said: &str, says: Option<(&str, bool)>| {
            let it = ending(said, "github.com", now);
            let got = it.as_ref().map(|it| (it.says.as_str(), it.todo.is_some()));
            assert_eq!(got, says, "{said}");
        };
        check("2026-06-01 10:00:00 UTC", Some(("2026-06-01", false)));
        check("2026-03-04 10:00:00 UTC", Some(("2026-03-04, in 3 days", true)));
        check("2026-03-04 01:00:00 +0200", Some(("2026-03-03, in 2 days", true)));
        check("soon", None);
    }

    #[test]
    fn limits_clocks_and_sign_on_are_told_in_words() {
        let it = rate(Rate { left: 12, limit: 60, reset: Some(1_900) }, 100);
        assert_eq!(it.says, "12 of 60 requests left, whole again in 30 min");
        assert!(rate(Rate { left: 0, limit: 60, reset: None }, 100).todo.is_some());
        assert!(clock(-200).todo.is_none());
        assert_eq!(clock(-600).says, "10 min behind the forge's");
        assert!(clock(600).todo.is_some());
        assert!(single_sign_on(0, "github.com").is_none());
        let says = |it| single_sign_on(it, "github.com").map(|it| it.says).unwrap_or_default();
        assert!(says(1).starts_with("1 organisation leaves its part"), "{}", says(1));
        assert!(says(2).starts_with("2 organisations leave their part"), "{}", says(2));
    }
}
