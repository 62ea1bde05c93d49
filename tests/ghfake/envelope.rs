//! The shapes in which GraphQL answers come, good and bad. Must be given a true answer first.

use crate::http::Answer;
use serde_json::{Value, json};

/// Their names in a fault script.
pub(crate) const SHAPES: [&str; 12] = [
    "ok",
    "errors_null_node",
    "errors_partial",
    "errors_no_data",
    "data_null",
    "empty_errors",
    "saml",
    "path_into_list",
    "payload_null",
    "message_only",
    "html_200",
    "truncated",
];

/// A true answer in one of the shapes.
pub(crate) fn shaped(name: &str, answer: &Answer) -> Answer {
    let mut whole: Value = serde_json::from_slice(&answer.body).unwrap_or_else(|_| json!({}));
    let error = |kind: &str, text: &str, path: Value| json!({ "type": kind, "path": path, "locations": [{ "line": 2, "column": 3 }], "message": text });
    let first = whole["data"].as_object().and_then(|it| it.keys().next_back().cloned());
    let first = first.unwrap_or_else(|| "repository".into());
    let forbidden = "Resource not accessible by personal access token";
    match name {
        "errors_null_node" => {
            whole["data"][&first] = Value::Null;
            whole["errors"] = json!([error("FORBIDDEN", forbidden, json!([first]))]);
        }
        "errors_partial" => {
            let path = null_in_list(&mut whole["data"], &mut Vec::new());
            whole["errors"] =
                json!([error("FORBIDDEN", forbidden, json!(path.unwrap_or_default()))]);
        }
        "errors_no_data" => {
            whole = json!({ "errors": [error("NOT_FOUND", "Could not resolve to a node.", json!([first]))] });
        }
        "data_null" => whole = json!({ "data": null }),
        "empty_errors" => whole["errors"] = json!([]),
        "saml" => {
            let path = null_in_list(&mut whole["data"], &mut Vec::new()).unwrap_or_default();
            let text = "Resource protected by organization SAML enforcement. You must grant your \
                        Personal Access token access to this organization.";
            let mut it = error("FORBIDDEN", text, json!(path));
            it["extensions"] = json!({ "saml_failure": true });
            whole["errors"] = json!([it]);
            let mut answer = Answer::json(200, &whole);
            answer.set("x-github-sso", "partial-results; organizations=21955855");
            return answer;
        }
        "path_into_list" => {
            let path = json!([first, "pullRequest", "reviewThreads", "nodes", 0, "comments"]);
            whole["errors"] =
                json!([error("RESOURCE_LIMITS_EXCEEDED", "Too much asked for.", path)]);
        }
        "payload_null" => whole = json!({ "data": { first: null } }),
        "message_only" => {
            let url = "https://docs.github.com/graphql";
            let body = json!({ "message": "Bad credentials", "documentation_url": url });
            return Answer::json(401, &body);
        }
        "html_200" => return html(200),
        "truncated" => {
            let mut answer = answer.clone();
            answer.body.truncate(answer.body.len() / 2);
            return answer;
        }
        _ => (),
    }
    Answer { body: whole.to_string().into_bytes(), ..answer.clone() }
}

/// The page a load balancer sends.
pub(crate) fn html(status: u16) -> Answer {
    let page = "<html>\n<head><title>Unicorn! &middot; GitHub</title></head>\n<body>\
                <script>alert(1)</script><p>We had issues producing the response.</p></body></html>";
    Answer::plain(status, "text/html; charset=utf-8", page)
}

/// Makes the first item of the first non-empty list null and gives its path.
fn null_in_list(at: &mut Value, path: &mut Vec<Value>) -> Option<Vec<Value>> {
    match at {
        Value::Array(list) if !list.is_empty() => {
            list[0] = Value::Null;
            path.push(0.into());
            Some(path.clone())
        }
        Value::Object(map) => map.iter_mut().find_map(|(name, it)| {
            path.push(name.clone().into());
            let found = null_in_list(it, path);
            path.pop();
            found
        }),
        _ => None,
    }
}
