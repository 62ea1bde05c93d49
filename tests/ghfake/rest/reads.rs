//! What REST reads. Must change nothing.

use crate::{
    graphql,
    http::Answer,
    patch,
    rest::{Asked, not_found, page, people, pulls, refusal, repos, talk},
    store::{File, Pull, Said, Thread, World, sha},
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

/// GitHub lists no more files than this.
const MOST_FILES: usize = 3_000;

/// `GET /repos/{owner}/{repo}`
pub(crate) fn repo(world: &World, asked: &Asked<'_>, owner: &str, name: &str) -> Answer {
    let Some(at) = world.find_repo(owner, name) else { return not_found() };
    Answer::json(200, &repos::full(world, asked, &world.repos[at]))
}

/// Everything below `GET …/pulls/{n}`.
pub(crate) fn pull(world: &World, asked: &Asked<'_>, at: usize, rest: &[&str]) -> Answer {
    let pull = &world.pulls[at];
    match rest {
        [] if asked.wants("diff") || asked.wants(".patch") => diff(pull),
        [] => Answer::json(200, &pulls::whole(world, asked, pull)),
        ["files"] => {
            let listed = &pull.files[..pull.files.len().min(MOST_FILES)];
            let repo = &world.repos[pull.repo];
            page(asked, listed, |it| pulls::file(asked, repo, &pull.head.sha, it))
        }
        ["comments"] => {
            page(asked, &inline(world, pull), |it| talk::inline(world, asked, pull, it.0, it.1))
        }
        ["commits"] => page(asked, &pull.commits, |it| pulls::commit(world, asked, pull, it)),
        ["reviews"] => {
            let seen: Vec<_> = pull.reviews.iter().filter(|it| world.sees_review(it)).collect();
            page(asked, &seen, |it| talk::review(world, asked, pull, it))
        }
        ["reviews", id] => {
            let found = pull.reviews.iter().find(|it| it.id.to_string() == *id);
            let shown = found.map(|it| Answer::json(200, &talk::review(world, asked, pull, it)));
            shown.unwrap_or_else(not_found)
        }
        ["reviews", id, "comments"] => {
            let mut own = inline(world, pull);
            own.retain(|it| it.1.review.is_some_and(|it| it.to_string() == *id));
            page(asked, &own, |it| talk::inline(world, asked, pull, it.0, it.1))
        }
        ["requested_reviewers"] => {
            let people: Vec<Value> =
                pull.requested.iter().map(|it| people::simple(world, asked, Some(*it))).collect();
            Answer::json(200, &json!({ "users": people, "teams": [] }))
        }
        _ => not_found(),
    }
}

fn diff(pull: &Pull) -> Answer {
    if let Some(text) = patch::diff(pull) {
        Answer::plain(200, "application/vnd.github.v3.diff; charset=utf-8", text)
    } else {
        let message = "Sorry, the diff exceeded the maximum number of files (300). Consider using \
                       'List pull requests files' API or locally cloning the repository instead.";
        let errors = json!([{ "resource": "PullRequest", "field": "diff", "code": "too_large" }]);
        let mut body = json!({ "message": message, "errors": errors, "status": "406" });
        body["documentation_url"] = "https://docs.github.com/rest/pulls/pulls".into();
        Answer::json(406, &body)
    }
}

/// Every comment of every thread, the oldest first, as REST lists them.
fn inline<'w>(world: &World, pull: &'w Pull) -> Vec<(&'w Thread, &'w Said)> {
    let seen = |it: &&Said| world.sees(it) && !it.pending;
    let all = pull.threads.iter().flat_map(|it| it.said.iter().filter(seen).map(move |s| (it, s)));
    let mut all: Vec<_> = all.collect();
    all.sort_by_key(|it| it.1.id);
    all
}

/// `GET …/issues/{n}/comments`
pub(crate) fn remarks(world: &World, asked: &Asked<'_>, at: usize) -> Answer {
    let pull = &world.pulls[at];
    let seen: Vec<_> = pull.remarks.iter().filter(|it| world.sees(it)).collect();
    page(asked, &seen, |it| talk::remark(world, asked, pull, it))
}

/// `GET …/compare/{base}...{head}`
pub(crate) fn compare(
    world: &World,
    asked: &Asked<'_>,
    owner: &str,
    name: &str,
    range: &str,
) -> Answer {
    let Some(repo) = world.find_repo(owner, name) else { return not_found() };
    let Some((base, head)) = range.split_once("...") else { return not_found() };
    let known = |pull: &Pull, at: &str| {
        [&pull.head.sha, &pull.head.name, &pull.base.sha, &pull.base.name, &pull.merge_base]
            .iter()
            .any(|it| it.as_str() == at)
            || pull.commits.iter().any(|it| it.sha == at)
    };
    let mut own = world.pulls.iter().filter(|it| it.repo == repo);
    let Some(pull) = own.find(|it| known(it, base) && known(it, head)) else { return not_found() };
    let at_base = base == pull.base.sha || base == pull.base.name || base == pull.merge_base;
    // Between two heads nothing is known but that both are there: no file changed.
    let files: &[File] = if at_base && base != head { &pull.files } else { &[] };
    let files: Vec<Value> = files
        .iter()
        .take(300)
        .map(|it| pulls::file(asked, &world.repos[repo], &pull.head.sha, it))
        .collect();
    let base_commit = crate::store::Commit {
        sha: pull.merge_base.clone(),
        message: "base".into(),
        at: pull.created.clone(),
        files: Vec::new(),
    };
    let base_commit = pulls::commit(world, asked, pull, &base_commit);
    let commits: Vec<Value> =
        pull.commits.iter().map(|it| pulls::commit(world, asked, pull, it)).collect();
    let html = format!("{}/compare/{range}", world.repos[repo].html());
    Answer::json(
        200,
        &json!({
            "url": format!("{}{}", asked.base, asked.request.path), "html_url": html,
            "permalink_url": html, "diff_url": format!("{html}.diff"), "patch_url": format!("{html}.patch"),
            "base_commit": base_commit, "merge_base_commit": base_commit, "status": "ahead",
            "ahead_by": commits.len(), "behind_by": 0, "total_commits": commits.len(),
            "commits": commits, "files": files,
        }),
    )
}

/// `GET …/contents/{path}?ref=…`
pub(crate) fn contents(
    world: &World,
    asked: &Asked<'_>,
    owner: &str,
    name: &str,
    path: &str,
) -> Answer {
    let Some(repo) = world.find_repo(owner, name) else { return not_found() };
    let at = asked.request.argument("ref").unwrap_or("main");
    let own = world.pulls.iter().filter(|it| it.repo == repo);
    for pull in own {
        let old = [&pull.base.sha, &pull.base.name, &pull.merge_base].iter().any(|it| *it == at);
        let past = pull.commits.iter().find(|it| it.sha == at && at != pull.head.sha);
        let new = at == pull.head.sha || at == pull.head.name || past.is_some();
        let named = |it: &&File| it.path == path || (old && it.previous.as_deref() == Some(path));
        let files = past.map_or(&pull.files, |it| &it.files);
        let file = files.iter().find(named).filter(|_| old || new);
        if let Some(text) = file.and_then(|it| patch::content(it, old)) {
            if asked.wants("raw") {
                return Answer::plain(200, "application/vnd.github.raw; charset=utf-8", text);
            }
            return Answer::json(200, &content(world, asked, repo, path, at, &text));
        }
    }
    not_found()
}

/// `GET …/git/{commits,blobs}/{sha}`
pub(crate) fn object(
    world: &World,
    asked: &Asked<'_>,
    (owner, name): (&str, &str),
    kind: &str,
    sha: &str,
) -> Answer {
    match kind {
        "commits" => commit(world, asked, owner, name, sha),
        "blobs" => blob(world, asked, owner, name, sha),
        _ => not_found(),
    }
}

/// `GET …/git/commits/{sha}`: the branch's commits; a force push forgets those before.
fn commit(world: &World, asked: &Asked<'_>, owner: &str, name: &str, wanted: &str) -> Answer {
    let Some(repo) = world.find_repo(owner, name) else { return not_found() };
    let own = world.pulls.iter().filter(|it| it.repo == repo);
    let found = own.flat_map(|it| &it.commits).find(|it| it.sha == wanted);
    let Some(it) = found else { return not_found() };
    let repo = &world.repos[repo];
    let url = format!("{}/repos/{}/git/commits/{wanted}", asked.base, repo.full_name());
    let html = format!("{}/commit/{wanted}", repo.html());
    let person = json!({ "name": "somebody", "email": "somebody@example.com", "date": it.at });
    Answer::json(
        200,
        &json!({
            "sha": wanted, "node_id": format!("C_{wanted}"), "url": url, "html_url": html,
            "author": person, "committer": person, "message": it.message, "parents": [],
            "tree": { "sha": wanted, "url": format!("{url}/tree") },
            "verification": {
                "verified": false, "reason": "unsigned", "signature": null, "payload": null,
                "verified_at": null,
            },
        }),
    )
}

fn content(
    world: &World,
    asked: &Asked<'_>,
    repo: usize,
    path: &str,
    at: &str,
    text: &str,
) -> Value {
    let repo = &world.repos[repo];
    let url = format!("{}/repos/{}/contents/{path}?ref={at}", asked.base, repo.full_name());
    let blob = sha(text);
    let git = format!("{}/repos/{}/git/blobs/{blob}", asked.base, repo.full_name());
    let html = format!("{}/blob/{at}/{path}", repo.html());
    json!({
        "type": "file", "encoding": "base64", "size": text.len(), "name": path.rsplit('/').next(),
        "path": path, "content": STANDARD.encode(text), "sha": blob, "url": url, "git_url": git,
        "html_url": html, "download_url": html,
        "_links": { "self": url, "git": git, "html": html },
    })
}

/// `GET …/git/blobs/{sha}`: by the name a file's entry or its contents gave.
fn blob(world: &World, asked: &Asked<'_>, owner: &str, name: &str, wanted: &str) -> Answer {
    let Some(repo) = world.find_repo(owner, name) else { return not_found() };
    let files = world.pulls.iter().filter(|it| it.repo == repo).flat_map(|it| &it.files);
    let text = files.flat_map(|it| {
        let entry = (it.sha == wanted).then(|| patch::content(it, false)).flatten();
        let sides = [false, true].into_iter().filter_map(|old| patch::content(it, old));
        entry.into_iter().chain(sides.filter(|it| sha(it) == wanted))
    });
    let Some(text) = text.into_iter().next() else { return not_found() };
    if asked.wants("raw") {
        return Answer::plain(200, "application/vnd.github.raw; charset=utf-8", text);
    }
    Answer::json(
        200,
        &json!({
            "sha": wanted, "node_id": format!("B_{wanted}"), "size": text.len(), "encoding": "base64",
            "url": format!("{}{}", asked.base, asked.request.path), "content": STANDARD.encode(text),
        }),
    )
}

/// `GET /search/issues`
pub(crate) fn search(world: &World, asked: &Asked<'_>) -> Answer {
    let Some(query) = asked.request.argument("q") else {
        return refusal(422, "Validation Failed");
    };
    let found = graphql::people::search(world, query);
    let mut answer = page(asked, &found, |it| pulls::found(world, asked, it));
    let items: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
    let body = json!({ "total_count": found.len(), "incomplete_results": false, "search_type": "lexical", "items": items });
    answer.body = body.to_string().into_bytes();
    answer
}
