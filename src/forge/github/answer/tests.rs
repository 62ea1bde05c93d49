use crate::forge::github::answer::{Answer, Verdict};

fn answer(status: u16, headers: &[(&'static str, &str)], body: &str) -> Answer {
    let headers = headers.iter().map(|(name, value)| {
        (http::HeaderName::from_static(name), value.parse().expect("a header's value"))
    });
    Answer { status, headers: headers.collect(), body: body.as_bytes().to_vec() }
}

fn shown(verdict: &Verdict) -> String {
    format!("{verdict:?}")
}

#[test]
fn rest_answers_have_one_meaning_each() {
    let check = |status, headers: &[(&'static str, &str)], body: &str, expected: &str| {
        let got = shown(&answer(status, headers, body).rest());
        assert!(got.starts_with(expected), "{status} {headers:?} {body}: {got}");
    };
    let secondary = r#"{"message":"You have exceeded a secondary rate limit. Please wait"}"#;
    let primary = r#"{"message":"API rate limit exceeded for user ID 1."}"#;
    check(200, &[], "", "Good");
    check(304, &[], "", "Unchanged");
    check(
        301,
        &[("location", "/repositories/1")],
        "",
        "Refused(Moved { to: \"/repositories/1\" })",
    );
    check(307, &[], "", "Refused(Strange");
    check(401, &[], r#"{"message":"Bad credentials"}"#, "Refused(SignIn)");
    check(403, &[("retry-after", "7")], secondary, "Wait(Burst { pause: Some(7s) })");
    check(403, &[("x-ratelimit-remaining", "9")], secondary, "Wait(Burst { pause: None })");
    check(429, &[], "", "Wait(Burst { pause: None })");
    check(
        429,
        &[
            ("retry-after", "Mon, 30 Nov 2026 10:00:30 GMT"),
            ("date", "Mon, 30 Nov 2026 10:00:00 GMT"),
        ],
        "",
        "Wait(Burst { pause: Some(30s) })",
    );
    check(
        403,
        &[("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "1700")],
        primary,
        "Wait(Quota { reset: Some(1700) })",
    );
    check(
        403,
        &[("x-github-sso", "required; url=https://github.com/orgs/a/sso?x=1")],
        "{}",
        "Refused(SingleSignOn { address: Some(\"https://github.com/orgs/a/sso?x=1\") })",
    );
    check(
        403,
        &[("x-accepted-oauth-scopes", "repo")],
        r#"{"message":"Must have admin rights"}"#,
        "Refused(Forbidden { says: \"Must have admin rights\", needs: Some(\"repo\") })",
    );
    check(404, &[], r#"{"message":"Not Found"}"#, "Refused(Missing)");
    check(406, &[], r#"{"message":"too_large"}"#, "Refused(TooLarge { says: \"too_large\" })");
    check(422, &[], r#"{"message":"Validation Failed"}"#, "Refused(Invalid");
    check(
        500,
        &[("x-github-request-id", "A:1")],
        "<html>",
        "Again(Trouble { what: \"status 500\", request: Some(\"A:1\") })",
    );
    check(503, &[], "", "Again");
    check(418, &[], "<html>", "Refused(Strange { status: 418, says: \"\" })");
}

#[test]
fn graphql_answers_have_one_meaning_each() {
    let check = |status, body: &str, expected: &str, has_envelope: bool| {
        let (verdict, envelope) = answer(status, &[("x-ratelimit-reset", "1700")], body).graphql();
        assert!(shown(&verdict).starts_with(expected), "{status} {body}: {verdict:?}");
        assert_eq!(envelope.is_some(), has_envelope, "{status} {body}");
    };
    check(200, r#"{"data":{"a":1}}"#, "Good", true);
    check(200, r#"{"data":{"a":1},"errors":[{"type":"FORBIDDEN","path":["b"]}]}"#, "Good", true);
    check(200, r#"{"data":null,"errors":[{"type":"NOT_FOUND"}]}"#, "Refused(Missing)", true);
    check(
        200,
        r#"{"errors":[{"type":"FORBIDDEN","message":"no","extensions":{"saml_failure":true}}]}"#,
        "Refused(SingleSignOn",
        true,
    );
    check(
        200,
        r#"{"errors":[{"type":"RATE_LIMITED"}]}"#,
        "Wait(Quota { reset: Some(1700) })",
        true,
    );
    check(
        200,
        r#"{"data":{"a":null},"errors":[{"type":"RESOURCE_LIMITS_EXCEEDED","message":"m"}]}"#,
        "Smaller",
        true,
    );
    check(200, r#"{"errors":[{"type":"MAX_NODE_LIMIT_EXCEEDED"}]}"#, "Smaller", true);
    check(
        200,
        r#"{"errors":[{"message":"Something went wrong while executing your query. This may be the result of a timeout"}]}"#,
        "Smaller",
        true,
    );
    check(200, r#"{"errors":[{"message":"Field 'x' doesn't exist"}]}"#, "Refused(Invalid", true);
    check(200, "<html>unicorn</html>", "Again", false);
    check(200, r#"{"data":{"a":"#, "Again", false);
    check(401, r#"{"message":"Bad credentials"}"#, "Refused(SignIn)", false);
    check(502, "<html>", "Smaller", false);
    check(504, "", "Smaller", false);
    check(500, "", "Again", false);
}
