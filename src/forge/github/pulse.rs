//! How a GitHub answers right now: whether it does, who we are there, what the token may do, what
//! is left of the limits. Asked once, without patience, for those who look after a set-up.
//! Must not read anything of a pull request.

use crate::forge::github::{
    SignedIn, answer::Answer, plain, read::Reader, trouble::Why, wire::Node,
};

/// What one answer said.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pulse {
    /// Who is signed in; `None` without a token.
    pub account: Option<SignedIn>,
    /// The other side's clock, as its `Date` header says.
    pub date: Option<String>,
    pub rate: Option<Rate>,
    /// The version of an Enterprise server.
    pub server: Option<String>,
    /// Organisations that leave their part out until the token is authorised for single sign-on.
    pub unauthorised: usize,
}

/// What is left of the hourly limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    pub left: u64,
    pub limit: u64,
    /// Unix time at which it is whole again.
    pub reset: Option<u64>,
}

/// Asks for the account, or without a token for the limits. A server without limits has no such
/// page, which is an answer too.
pub fn read(reader: &Reader<'_>, signed_in: bool) -> Result<Pulse, Why> {
    if !signed_in {
        return match reader.get_once("/rate_limit") {
            Ok(answer) => Ok(heard(&answer)),
            Err(Why::Missing) => Ok(Pulse::default()),
            Err(why) => Err(why),
        };
    }
    let answer = reader.get_once("/user")?;
    let value: serde_json::Value = serde_json::from_slice(&answer.body)
        .map_err(|it| Why::Invalid(Some(format!("the answer is not JSON: {it}"))))?;
    let node = Node::new(&value).ok_or(Why::Invalid(None))?;
    let scopes = answer.header("x-oauth-scopes").map(|it| {
        it.split(',').map(str::trim).filter(|it| !it.is_empty()).map(str::to_owned).collect()
    });
    let expires = answer.header("github-authentication-token-expiration").map(str::to_owned);
    let account = Some(SignedIn { viewer: plain::account(node), scopes, expires });
    // A list over all organisations is where GitHub says which of them it left out.
    let listed = reader.get_once("/user/repos?per_page=1");
    let unauthorised = listed.as_ref().map_or(0, left_out);
    Ok(Pulse { account, unauthorised, ..heard(&answer) })
}

fn heard(answer: &Answer) -> Pulse {
    let number = |name: &str| answer.header(name)?.trim().parse().ok();
    let text = |name: &str| answer.header(name).map(str::to_owned);
    let rate = match (number("x-ratelimit-remaining"), number("x-ratelimit-limit")) {
        (Some(left), Some(limit)) => Some(Rate { left, limit, reset: number("x-ratelimit-reset") }),
        _ => None,
    };
    Pulse {
        date: text("date"),
        rate,
        server: text("x-github-enterprise-version"),
        ..Pulse::default()
    }
}

/// `partial-results; organizations=21955855,20582480`
fn left_out(answer: &Answer) -> usize {
    let said = answer.header("x-github-sso").filter(|it| it.starts_with("partial-results"));
    let ids = said.and_then(|it| it.split_once("organizations="));
    ids.map_or(0, |it| it.1.split(',').filter(|it| !it.trim().is_empty()).count())
}
