//! The rig itself: `ghfake` answers in GitHub's own shapes, pages as GitHub does, keeps what it is
//! told and breaks where its script says. And what is built on it first: one write is one request.

use crate::{bench, fake::Fake, shared::shared};
use serde_json::{Value, json};
use std::{collections::BTreeSet, fs, time::Duration};

const PULL: &str = "/repos/example/engine/pulls/7";

/// The small pull request of the other tests, served.
fn small() -> (Fake, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("pr.json");
    fs::write(&file, bench::capture(7).to_string()).expect("written");
    (Fake::start(&["--capture", file.to_str().expect("a plain path")]), folder)
}

/// GitHub's description says `nullable` where JSON Schema says `null`.
fn without_nullable(it: &mut Value) {
    match it {
        Value::Object(map) => {
            map.values_mut().for_each(without_nullable);
            if map.remove("nullable") == Some(Value::Bool(true)) {
                let inner = std::mem::take(map);
                map.insert("anyOf".into(), json!([{ "type": "null" }, inner]));
            }
        }
        Value::Array(list) => list.iter_mut().for_each(without_nullable),
        _ => (),
    }
}

/// What GitHub's description says of an answer; `None` for the status it does not name.
fn schema(whole: &Value, path: &str, method: &str, status: &str) -> Value {
    let mut response = &whole["paths"][path][method]["responses"][status];
    if let Some(name) = response["$ref"].as_str() {
        response = &whole["components"]["responses"][name.rsplit('/').next().expect("a name")];
    }
    let mut schema = response["content"]["application/json"]["schema"].clone();
    assert!(schema.is_object(), "{method} {path} {status} is not described");
    schema["components"] = whole["components"].clone();
    schema
}

#[test]
#[expect(clippy::too_many_lines, reason = "one list of every answer")]
fn answers_have_githubs_shapes() {
    let Some(file) = shared("contracts/github-rest.json") else { return };
    let text = fs::read_to_string(file).expect("readable");
    let mut whole: Value = serde_json::from_str(&text).expect("JSON");
    without_nullable(&mut whole);
    let (fake, _folder) = small();
    let check = |path: &str, described: &str, method: &str, status: u16, body: &Value| {
        let reply = fake.ask(&method.to_uppercase(), path, &[], &body.to_string());
        let reply = reply.unwrap_or_else(|| panic!("no answer to {method} {path}"));
        assert_eq!(reply.status, status, "{method} {path}: {}", reply.text());
        assert!(reply.header("x-ratelimit-remaining").is_some(), "{path}");
        assert!(reply.header("x-github-request-id").is_some(), "{path}");
        assert_eq!(reply.header("x-oauth-scopes"), Some("repo, read:org"), "{path}");
        let schema = schema(&whole, described, method, &status.to_string());
        let validator = jsonschema::validator_for(&schema).expect("a schema");
        let answer = reply.json();
        let faults: Vec<_> = validator
            .iter_errors(&answer)
            .map(|it| format!("{}: {it:.200}", it.instance_path()))
            .collect();
        assert_eq!(faults, Vec::<String>::new(), "{method} {path}");
        answer
    };
    let repo = "/repos/{owner}/{repo}";
    let one = format!("{repo}/pulls/{{pull_number}}");
    let get = |path: &str, described: &str| {
        for prefix in ["", "/api/v3"] {
            check(&format!("{prefix}{path}"), described, "get", 200, &Value::Null);
        }
    };
    get("/user", "/user");
    get("/rate_limit", "/rate_limit");
    get("/repos/example/engine", repo);
    get(PULL, &one);
    for list in ["files", "comments", "commits", "reviews"] {
        get(&format!("{PULL}/{list}"), &format!("{one}/{list}"));
    }
    let remarks = format!("{repo}/issues/{{issue_number}}/comments");
    get("/repos/example/engine/issues/7/comments", &remarks);
    get("/repos/example/engine/compare/main...cache", &format!("{repo}/compare/{{basehead}}"));
    let contents = "/repos/example/engine/contents/src/index.rs?ref=cache";
    get(contents, &format!("{repo}/contents/{{path}}"));
    get("/search/issues?q=is:pr+author:ada", "/search/issues");

    let said = json!({ "body": "It reads twice." });
    check("/repos/example/engine/issues/7/comments", &remarks, "post", 201, &said);
    let anchored = json!({
        "body": "Here.", "path": "src/index.rs", "line": 2, "side": "RIGHT", "commit_id": "b".repeat(40),
    });
    let inline = format!("{one}/comments");
    let made = check(&format!("{PULL}/comments"), &inline, "post", 201, &anchored);
    let replies = format!("{PULL}/comments/{}/replies", made["id"]);
    check(&replies, &format!("{inline}/{{comment_id}}/replies"), "post", 201, &said);
    let review = json!({ "body": "Good.", "event": "APPROVE" });
    let reviews = format!("{one}/reviews");
    let made = check(&format!("{PULL}/reviews"), &reviews, "post", 200, &review);
    let away = format!("{PULL}/reviews/{}/dismissals", made["id"]);
    let reason = json!({ "message": "moved" });
    check(&away, &format!("{reviews}/{{review_id}}/dismissals"), "put", 200, &reason);
    let far = json!({
        "body": "Far.", "path": "src/index.rs", "line": 900, "side": "RIGHT", "commit_id": "b".repeat(40),
    });
    check(&format!("{PULL}/comments"), &inline, "post", 422, &far);
    check("/repos/example/none", repo, "get", 404, &Value::Null);
}

/// Every document of ours is answered, without an error and without a field that is missing.
#[test]
fn our_own_documents_are_answered() {
    let (fake, _folder) = small();
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/forge/github/queries");
    let read = |it: &std::path::Path| fs::read_to_string(it).expect("readable");
    let parts = read(&folder.join("parts.graphql"));
    let variables = json!({
        "owner": "example", "name": "engine", "number": 7, "page": 50, "comments": 50, "after": null,
        "requested": "is:open is:pr review-requested:@me", "mine": "is:pr author:ada", "id": "T2",
        "thread": "T2", "login": "ada",
    });
    let mut asked = 0;
    for entry in fs::read_dir(&folder).expect("listed") {
        let path = entry.expect("an entry").path();
        if path.ends_with("parts.graphql") {
            continue;
        }
        let answer = fake.graphql(&format!("{}\n{parts}", read(&path)), &variables);
        assert!(answer["errors"].is_null(), "{}: {}", path.display(), answer["errors"]);
        assert!(answer["data"].is_object(), "{}: {answer}", path.display());
        asked += 1;
    }
    assert!(asked >= 5, "only {asked} documents");
}

#[test]
fn lists_come_in_pages_and_all_of_them() {
    let fake = Fake::start(&["--synthetic", "3100,0,0"]);
    let pull = "/repos/example/huge/pulls/1";
    let (mut seen, mut next, mut pages) =
        (BTreeSet::new(), Some(format!("{pull}/files?per_page=100")), 0);
    while let Some(path) = next.take() {
        let reply = fake.get(&path);
        for it in reply.json().as_array().expect("a list") {
            assert!(seen.insert(it["filename"].to_string()), "{it} came twice");
        }
        let links = reply.header("link").unwrap_or_default().split(", ");
        let link = links.filter(|it| it.ends_with("rel=\"next\"")).map(str::to_owned).next();
        next = link.map(|it| {
            let address = it.trim_start_matches('<').split_once('>').expect("a link").0.to_owned();
            address.strip_prefix(&fake.url).expect("here").to_owned()
        });
        pages += 1;
    }
    assert_eq!((seen.len(), pages), (3_000, 30), "GitHub stops at 3,000 files");
    assert_eq!(fake.get(pull).json()["changed_files"], 3_100);
    let accept = [("accept", "application/vnd.github.diff")];
    let diff = fake.ask("GET", pull, &accept, "").expect("an answer");
    assert_eq!((diff.status, diff.json()["errors"][0]["code"].as_str()), (406, Some("too_large")));
}

/// Both levels of threads and comments, every one once: a fifth of the promise by default.
#[test]
fn connections_come_in_pages_and_all_of_them() {
    let full = std::env::var_os("CASEFILE_FULL").is_some();
    let (threads, comments) = if full { (500, 125) } else { (130, 115) };
    let fake = Fake::start(&["--synthetic", &format!("10,{threads},{comments}")]);
    let list = "totalCount pageInfo { hasNextPage endCursor } nodes { id";
    let outer = format!(
        "query Outer($after: String) {{ repository(owner: \"example\", name: \"huge\") {{
           pullRequest(number: 1) {{ reviewThreads(first: 100, after: $after) {{ {list}
             comments(first: 100) {{ {list} }} }} }} }} }} }} }}"
    );
    let inner = format!(
        "query Inner($id: ID!, $after: String) {{ node(id: $id) {{ ... on PullRequestReviewThread {{
           comments(first: 100, after: $after) {{ {list} }} }} }} }} }}"
    );
    let mut seen = BTreeSet::new();
    let mut take = |page: &Value| {
        for it in page["nodes"].as_array().expect("a list") {
            assert!(seen.insert(it["id"].to_string()), "{it} came twice");
        }
        let more = page["pageInfo"]["hasNextPage"] == true;
        more.then(|| page["pageInfo"]["endCursor"].clone())
    };
    let mut after = Some(Value::Null);
    while let Some(at) = after.take() {
        let answer = fake.graphql(&outer, &json!({ "after": at }));
        let page = &answer["data"]["repository"]["pullRequest"]["reviewThreads"];
        assert_eq!(page["totalCount"], threads, "{}", answer["errors"]);
        for thread in page["nodes"].as_array().expect("a list") {
            let mut rest = take(&thread["comments"]);
            while let Some(at) = rest.take() {
                let variables = json!({ "id": thread["id"], "after": at });
                rest = take(&fake.graphql(&inner, &variables)["data"]["node"]["comments"]);
            }
        }
        let info = &page["pageInfo"];
        after = (info["hasNextPage"] == true).then(|| info["endCursor"].clone());
    }
    assert_eq!(seen.len(), threads * comments);
}

#[test]
fn what_github_refuses_is_refused() {
    let (fake, _folder) = small();
    let threads = |arguments: &str, inner: &str| {
        let query = format!(
            "{{ repository(owner: \"example\", name: \"engine\") {{ pullRequest(number: 7) {{
               reviewThreads{arguments} {{ nodes {{ id {inner} }} }} }} }} }}"
        );
        fake.graphql(&query, &json!({}))
    };
    let kind = |it: &Value| it["errors"][0]["type"].as_str().unwrap_or_default().to_owned();
    assert_eq!(kind(&threads("", "")), "MISSING_PAGINATION_BOUNDARIES");
    assert_eq!(kind(&threads("(first: 101)", "")), "EXCESSIVE_PAGINATION");
    let nested =
        "comments(first: 100) { nodes { id pullRequest { reviews(first: 100) { totalCount } } } }";
    assert_eq!(kind(&threads("(first: 100)", nested)), "MAX_NODE_LIMIT_EXCEEDED");
    let unknown = threads("(first: 1)", "isDone");
    assert_eq!(unknown["errors"][0]["extensions"]["code"], "undefinedField");
    assert!(unknown.get("data").is_none(), "{unknown}");
    let answer = fake.graphql("{ repository(owner: \"a\", name: \"b\") { id } }", &json!({}));
    assert_eq!((kind(&answer), &answer["data"]["repository"]), ("NOT_FOUND".into(), &Value::Null));

    let closed = Fake::start(&["--synthetic", "1,1,1", "--token", "right"]);
    assert_eq!(closed.get("/user").status, 401);
    assert_eq!(closed.post("/graphql", &json!({ "query": "{ viewer { login } }" })).status, 401);
}

#[test]
fn what_is_known_costs_nothing() {
    let (fake, _folder) = small();
    let first = fake.get(PULL);
    let etag = first.header("etag").expect("an etag").to_owned();
    let left = |it: &crate::fake::Reply| it.header("x-ratelimit-remaining").map(str::to_owned);
    let again = fake.ask("GET", PULL, &[("if-none-match", &etag)], "").expect("an answer");
    assert_eq!((again.status, again.body.len()), (304, 0));
    assert_eq!(left(&again), left(&first), "a 304 does not count");
    assert_ne!(left(&fake.get(PULL)), left(&first));
    fake.post("/_edit", &json!([{ "op": "push", "sha": "c".repeat(40) }]));
    let moved = fake.ask("GET", PULL, &[("if-none-match", &etag)], "").expect("an answer");
    assert_eq!((moved.status, moved.json()["head"]["sha"].clone()), (200, json!("c".repeat(40))));
    let log = fake.log();
    let digest = log[0]["authorization_sha256"].as_str().expect("one");
    assert_eq!(digest.len(), 64);
    assert!(!json!(log).to_string().contains("canary-token"), "the token itself is not kept");
}

const REMARKS: &str = "/repos/example/engine/issues/7/comments";

#[test]
fn faults_break_where_the_script_says() {
    let (fake, _folder) = small();
    let said = json!({ "body": "once" }).to_string();
    let kept = || fake.store()["issue_comments"].as_array().expect("a list").len();
    let post = || fake.ask("POST", REMARKS, &[], &said);
    // Long enough to see what comes at once, and too short for what never does.
    let short = Duration::from_millis(300);
    let post_shortly = || fake.ask_within(short, "POST", REMARKS, &[], &said);
    let act = |act: Value| {
        fake.faults(&json!([{ "when": { "method": "POST", "path": REMARKS }, "do": act }]));
    };
    assert_eq!(kept(), 1);

    act(json!({ "die": "before" }));
    assert!(post().is_none());
    assert_eq!(kept(), 1, "died before it was carried out");
    act(json!({ "die": "after" }));
    assert!(post().is_none());
    assert_eq!(kept(), 2, "carried out, then died");
    act(json!({ "hang": "headers" }));
    assert!(post_shortly().is_none());
    assert_eq!(kept(), 2);
    act(json!({ "cut": "headers" }));
    let reply = post().expect("a head");
    assert_eq!((reply.status, reply.cut, reply.body.len()), (201, true, 0));
    act(json!({ "cut": 10 }));
    let reply = post().expect("a head");
    assert_eq!((reply.cut, reply.body.len()), (true, 10));
    act(json!({ "hang": "body" }));
    let reply = post_shortly().expect("a head");
    assert!(reply.cut && !reply.body.is_empty());
    assert_eq!(kept(), 5, "all three were carried out");
    act(json!({ "html": 502 }));
    let reply = post().expect("a page");
    assert_eq!((reply.status, reply.text().contains("<html>")), (502, true));
    assert_eq!(kept(), 5);
    act(json!({ "status": 500, "apply": true }));
    assert_eq!(post().expect("an answer").status, 500);
    assert_eq!(kept(), 6, "a 500 that was carried out");
    act(
        json!({ "status": 403, "headers": { "retry-after": "60" }, "body": { "message": "secondary" } }),
    );
    let reply = post().expect("an answer");
    assert_eq!((reply.status, reply.header("retry-after")), (403, Some("60")));
    assert_eq!(post().expect("an answer").status, 201, "a fault strikes once");
    fake.faults(&json!([{ "do": { "hang": "connect" } }]));
    assert!(post_shortly().is_none());
    assert_eq!(post().expect("an answer").status, 201);
    let nth = json!([{ "when": { "path": PULL, "nth": 2, "times": 2 }, "do": { "status": 503 } }]);
    fake.faults(&nth);
    let statuses: Vec<u16> = (0..4).map(|_| fake.get(PULL).status).collect();
    assert_eq!(statuses, [200, 503, 503, 200]);
    assert_eq!(
        fake.ask("POST", "/_fault", &[], "[{\"do\":{\"typo\":1}}]").expect("one").status,
        400
    );
}

#[test]
fn lists_lag_and_things_move_between_calls() {
    let (fake, _folder) = small();
    let listed = || fake.get(REMARKS).json().as_array().expect("a list").len();
    fake.faults(&json!([{ "when": { "method": "POST" }, "do": { "lag_ms": 30_000 } }]));
    assert_eq!(fake.post(REMARKS, &json!({ "body": "late" })).status, 201);
    assert_eq!(listed(), 1, "not listed yet");
    fake.post("/_clock", &json!({ "advance_ms": 29_000 }));
    assert_eq!(listed(), 1);
    fake.post("/_clock", &json!({ "advance_ms": 2_000 }));
    assert_eq!(listed(), 2);
    let head = json!([{ "when": { "path": PULL, "nth": 2 },
        "do": { "edit": [{ "op": "push", "sha": "d".repeat(40) }] } }]);
    fake.faults(&head);
    let heads = [fake.get(PULL), fake.get(PULL)].map(|it| it.json()["head"]["sha"].clone());
    assert_eq!(heads, [json!("b".repeat(40)), json!("d".repeat(40))]);
}

#[test]
fn graphql_comes_in_every_shape() {
    let (fake, _folder) = small();
    let query = "query Shapes { viewer { login } repository(owner: \"example\", name: \"engine\") {
        pullRequest(number: 7) { reviewThreads(first: 5) { nodes { id isResolved } } } } }";
    let ask = || fake.post("/graphql", &json!({ "query": query }));
    let shaped = |name: &str| {
        fake.faults(&json!([{ "when": { "operation": "Shapes" }, "do": { "envelope": name } }]));
        ask()
    };
    let nodes =
        |it: &Value| it["data"]["repository"]["pullRequest"]["reviewThreads"]["nodes"].clone();
    assert_eq!(nodes(&shaped("ok").json()).as_array().map(Vec::len), Some(2));
    let it = shaped("errors_null_node").json();
    assert_eq!(
        (&it["data"]["repository"], it["errors"][0]["type"].as_str()),
        (&Value::Null, Some("FORBIDDEN"))
    );
    assert_eq!(nodes(&shaped("errors_partial").json())[0], Value::Null);
    assert!(shaped("errors_no_data").json().get("data").is_none());
    assert_eq!(shaped("data_null").json(), json!({ "data": null }));
    assert_eq!(shaped("empty_errors").json()["errors"], json!([]));
    let it = shaped("saml");
    assert!(it.header("x-github-sso").is_some());
    assert_eq!(it.json()["errors"][0]["extensions"]["saml_failure"], true);
    assert!(
        shaped("path_into_list").json()["errors"][0]["path"].to_string().contains("\"nodes\",0")
    );
    assert_eq!(shaped("payload_null").json(), json!({ "data": { "repository": null } }));
    let it = shaped("message_only");
    assert_eq!((it.status, it.json()["message"].as_str()), (401, Some("Bad credentials")));
    let it = shaped("html_200");
    assert!(it.status == 200 && it.text().starts_with("<html>"));
    assert!(serde_json::from_slice::<Value>(&shaped("truncated").body).is_err());
    let at = "/data/repository/pullRequest/reviewThreads/nodes";
    let set =
        json!({ format!("{at}/*/isResolved"): null, format!("{at}/1"): { "__typename": "Novel" } });
    fake.faults(&json!([{ "when": { "operation": "Shapes" }, "do": { "set": set } }]));
    assert_eq!(
        nodes(&ask().json()),
        json!([{ "id": "T1", "isResolved": null }, { "__typename": "Novel" }])
    );
}

#[test]
fn writes_are_kept_and_rules_held() {
    let (fake, _folder) = small();
    let pull = fake.get(PULL).json()["node_id"].clone();
    let run = |name: &str, input: Value, below: &str| {
        let query = format!("mutation M($input: Any!) {{ {name}(input: $input) {{ {below} }} }}");
        let answer = fake.graphql(&query, &json!({ "input": input }));
        (answer["data"][name].clone(), answer["errors"][0]["message"].clone())
    };
    let reply = json!({ "pullRequestReviewThreadId": "T1", "body": "Fixed." });
    let (made, _) =
        run("addPullRequestReviewThreadReply", reply, "comment { body author { login } }");
    assert_eq!(made["comment"], json!({ "body": "Fixed.", "author": { "login": "viewer" } }));
    let (made, _) =
        run("resolveReviewThread", json!({ "threadId": "T1" }), "thread { isResolved }");
    assert_eq!(made["thread"]["isResolved"], true);
    let (made, _) = run(
        "addPullRequestReview",
        json!({ "pullRequestId": pull }),
        "pullRequestReview { id state }",
    );
    assert_eq!(made["pullRequestReview"]["state"], "PENDING");
    let review = made["pullRequestReview"]["id"].clone();
    let (_, why) =
        run("addPullRequestReview", json!({ "pullRequestId": pull }), "clientMutationId");
    assert!(why.as_str().is_some_and(|it| it.contains("one pending review")), "{why}");
    let thread = json!({ "pullRequestReviewId": review, "path": "src/index.rs", "line": 2, "body": "Here." });
    run("addPullRequestReviewThread", thread, "thread { id line diffSide }");
    let unseen = fake.get(&format!("{PULL}/comments")).json().to_string();
    assert!(!unseen.contains("Here."), "pending comments are not in REST's list");
    let submit = json!({ "pullRequestReviewId": review, "event": "COMMENT" });
    let (made, _) = run("submitPullRequestReview", submit, "pullRequestReview { state }");
    assert_eq!(made["pullRequestReview"]["state"], "COMMENTED");
    assert!(fake.get(&format!("{PULL}/comments")).json().to_string().contains("Here."));
    let store = fake.store();
    assert_eq!(store["threads"][0]["is_resolved"], true);
    assert_eq!(store["threads"][0]["comments"][1]["body"], "Fixed.");
    assert_eq!(store["reviews"][0]["state"], "COMMENTED");
    fake.post("/_edit", &json!([{ "op": "can_write", "value": false }]));
    let (made, why) = run("unresolveReviewThread", json!({ "threadId": "T1" }), "thread { id }");
    assert_eq!(
        (made, why.as_str()),
        (Value::Null, Some("Resource not accessible by personal access token"))
    );

    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("pr.json");
    fs::write(&file, bench::capture(7).to_string()).expect("written");
    let own = Fake::start(&["--capture", file.to_str().expect("plain"), "--viewer", "ada"]);
    let refused = own.post(&format!("{PULL}/reviews"), &json!({ "event": "APPROVE" }));
    assert_eq!(
        (refused.status, refused.json()["errors"][0].as_str()),
        (422, Some("Can not approve your own pull request"))
    );
}

/// Hazard F1: with its default features octocrab sends a failing POST four times, at once, whatever
/// the answer. Its feature `retry` is off here (`deny.toml` keeps it off), and this fails when a write
/// is ever sent again below our own outbox.
#[test]
fn a_failing_write_is_one_request_on_the_wire() {
    let (fake, _folder) = small();
    let faults = [
        json!({ "status": 500 }),
        json!({ "html": 502 }),
        json!({ "status": 429, "headers": { "retry-after": "60" } }),
        json!({ "status": 403, "body": { "message": "You have exceeded a secondary rate limit" } }),
        json!({ "status": 307, "headers": { "location": "/repos/example/engine/issues/7/comments" } }),
        json!({ "die": "before" }),
        json!({ "die": "after" }),
        json!({ "cut": "headers" }),
        json!({ "cut": 5 }),
    ];
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    let runtime = runtime.expect("a runtime");
    for fault in faults {
        fake.ask("DELETE", "/_log", &[], "").expect("an answer");
        fake.faults(
            &json!([{ "when": { "method": "POST", "path": REMARKS, "times": 0 }, "do": fault }]),
        );
        runtime.block_on(async {
            let client = octocrab::Octocrab::builder().base_uri(&fake.url).expect("an address");
            let client = client.personal_token("canary-token").build().expect("a client");
            let body = json!({ "body": "once" });
            let sent: octocrab::Result<Value> = client.post(REMARKS, Some(&body)).await;
            assert!(sent.is_err(), "{fault}: {sent:?}");
        });
        let posts = fake.log().iter().filter(|it| it["method"] == "POST").count();
        assert_eq!(posts, 1, "{fault}: {posts} requests");
    }
}
