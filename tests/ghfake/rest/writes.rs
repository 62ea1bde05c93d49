//! What REST changes. Must keep what it accepts: tests read their verdict from the store.

use crate::{
    edit, graphql,
    http::Answer,
    rest::{Asked, not_found, refusal, talk, troubled, unprocessable},
    store::{Pull, World},
};
use serde_json::{Value, json};

/// Everything below `POST`, `PUT`, `DELETE …/pulls/{n}`.
pub(crate) fn pull(world: &mut World, asked: &Asked<'_>, at: usize, rest: &[&str]) -> Answer {
    match (asked.request.method.as_str(), rest) {
        ("POST", ["comments"]) => add_inline(world, asked, at),
        ("POST", ["comments", id, "replies"]) => reply(world, asked, at, id.parse().ok()),
        ("POST", ["reviews"]) => add_review(world, asked, at),
        (method, ["reviews", id, rest @ ..]) => {
            let place = world.pulls[at].reviews.iter().position(|it| it.id.to_string() == *id);
            let Some(nth) = place else { return not_found() };
            review(world, asked, at, nth, method, rest)
        }
        _ => not_found(),
    }
}

fn review(
    world: &mut World,
    asked: &Asked<'_>,
    at: usize,
    nth: usize,
    method: &str,
    rest: &[&str],
) -> Answer {
    let shown = |world: &World| {
        let pull = &world.pulls[at];
        Answer::json(200, &talk::review(world, asked, pull, &pull.reviews[nth]))
    };
    let done = match (method, rest) {
        ("POST", ["events"]) => {
            let body = asked.body["body"].as_str();
            graphql::mutate::submit_at(world, at, nth, asked.text("event"), body)
        }
        ("PUT", ["dismissals"]) => {
            if !world.repos[world.pulls[at].repo].can_write {
                return refusal(403, "Resource not accessible by personal access token");
            }
            "DISMISSED".clone_into(&mut world.pulls[at].reviews[nth].state);
            Ok(())
        }
        ("PUT", []) => {
            asked.text("body").clone_into(&mut world.pulls[at].reviews[nth].body);
            Ok(())
        }
        ("DELETE", []) => {
            let answer = shown(world);
            return match graphql::mutate::delete_review_at(world, at, nth) {
                Ok(()) => answer,
                Err(trouble) => troubled(&trouble),
            };
        }
        _ => return not_found(),
    };
    done.map_or_else(|it| troubled(&it), |()| shown(world))
}

fn add_inline(world: &mut World, asked: &Asked<'_>, at: usize) -> Answer {
    if let Some(root) = asked.body["in_reply_to"].as_u64() {
        return reply(world, asked, at, Some(root));
    }
    if graphql::mutate::pending(world, at).is_some() {
        return unprocessable("user_id can only have one pending review per pull request");
    }
    if !graphql::mutate::has_commit(world, at, asked.text("commit_id")) {
        return unprocessable("commit_id is not part of the pull request");
    }
    if let Some(why) = outside(&world.pulls[at], &asked.body) {
        return validation(&why);
    }
    let commit = asked.text("commit_id").to_owned();
    // A single comment comes in a review of its own, without a body.
    let placed = graphql::mutate::empty_review(world, at, &commit);
    match placed
        .and_then(|id| graphql::mutate::place_thread(world, at, &in_graphql(&asked.body), Some(id)))
    {
        Ok(node) => shown_inline(world, asked, at, &node),
        Err(trouble) => troubled(&trouble),
    }
}

/// REST names a few things otherwise.
fn in_graphql(body: &Value) -> Value {
    let upper = |name: &str| body[name].as_str().map(str::to_uppercase);
    json!({
        "path": body["path"], "body": body["body"], "line": body["line"], "side": body["side"],
        "startLine": body["start_line"], "startSide": body["start_side"],
        "subjectType": upper("subject_type"),
    })
}

/// Why REST refuses an anchor: the line is in no hunk of that side.
fn outside(pull: &Pull, body: &Value) -> Option<String> {
    let path = body["path"].as_str().unwrap_or_default();
    let file = pull.files.iter().find(|it| it.path == path)?;
    let line = body["line"].as_u64()?;
    let old = body["side"] == "LEFT";
    let inside = file.patch.as_deref().is_some_and(|it| in_hunks(it, line, old));
    (!inside).then(|| "pull_request_review_thread.line must be part of the diff".to_owned())
}

fn in_hunks(patch: &str, line: u64, old: bool) -> bool {
    patch.lines().filter(|it| it.starts_with("@@")).any(|header| {
        let part = header.split(' ').nth(if old { 1 } else { 2 }).unwrap_or_default();
        let numbers = part.trim_start_matches(['-', '+']);
        let (from, count) = numbers.split_once(',').unwrap_or((numbers, "1"));
        let (from, count) = (from.parse().unwrap_or(0), count.parse().unwrap_or(0_u64));
        (from..from + count).contains(&line)
    })
}

fn validation(why: &str) -> Answer {
    let body = json!({
        "message": "Validation Failed", "documentation_url": "https://docs.github.com/rest",
        "errors": [{ "resource": "PullRequestReviewComment", "code": "custom", "field": "line", "message": why }],
        "status": "422",
    });
    Answer::json(422, &body)
}

fn reply(world: &mut World, asked: &Asked<'_>, at: usize, root: Option<u64>) -> Answer {
    let has = |it: &crate::store::Thread| it.said.first().map(|it| it.id) == root && root.is_some();
    let Some(nth) = world.pulls[at].threads.iter().position(has) else { return not_found() };
    match graphql::mutate::say(world, asked.text("body"), "PRRC_") {
        Ok(said) => {
            let node = graphql::mutate::reply(world, at, nth, said);
            shown_inline(world, asked, at, &node)
        }
        Err(trouble) => troubled(&trouble),
    }
}

/// The comment of an id, or the first one of a thread's id.
fn shown_inline(world: &World, asked: &Asked<'_>, at: usize, node: &str) -> Answer {
    let pull = &world.pulls[at];
    for thread in &pull.threads {
        let whole = thread.node == node;
        if let Some(it) = thread.said.iter().find(|it| whole || it.node == node) {
            return Answer::json(201, &talk::inline(world, asked, pull, thread, it));
        }
    }
    not_found()
}

/// One review with its comments, all or nothing.
fn add_review(world: &mut World, asked: &Asked<'_>, at: usize) -> Answer {
    let comments = asked.body["comments"].as_array().cloned().unwrap_or_default();
    let commit = asked.body["commit_id"].as_str();
    if commit.is_some_and(|it| !graphql::mutate::has_commit(world, at, it)) {
        return unprocessable("commit_id is not part of the pull request");
    }
    let known =
        |it: &Value| world.pulls[at].files.iter().any(|file| it["path"] == file.path.as_str());
    if comments.iter().any(|it| !known(it)) {
        return unprocessable("Path could not be resolved");
    }
    if comments.iter().any(|it| outside(&world.pulls[at], it).is_some()) {
        return unprocessable("Line could not be resolved");
    }
    let event = asked.body["event"].as_str();
    let made = match (event, comments.is_empty()) {
        (Some("COMMENT"), false) if asked.text("body").is_empty() => {
            graphql::mutate::empty_review(world, at, commit.unwrap_or_default())
        }
        _ => graphql::mutate::new_review(world, at, event, asked.text("body"), commit),
    };
    let id = match made {
        Ok(id) => id,
        Err(trouble) => return troubled(&trouble),
    };
    for it in &comments {
        if let Err(trouble) = graphql::mutate::place_thread(world, at, &in_graphql(it), Some(id)) {
            // Nothing of a refused review stays.
            let pull = &mut world.pulls[at];
            pull.reviews.retain(|it| it.id != id);
            pull.threads.retain(|it| it.said.first().is_none_or(|it| it.review != Some(id)));
            return troubled(&trouble);
        }
    }
    let pull = &world.pulls[at];
    let found = pull.reviews.iter().find(|it| it.id == id);
    found.map_or_else(not_found, |it| Answer::json(200, &talk::review(world, asked, pull, it)))
}

/// `POST …/issues/{n}/comments`
pub(crate) fn add_remark(world: &mut World, asked: &Asked<'_>, at: usize) -> Answer {
    match graphql::mutate::say(world, asked.text("body"), "IC_") {
        Ok(said) => {
            world.pulls[at].remarks.push(said.clone());
            Answer::json(201, &talk::remark(world, asked, &world.pulls[at], &said))
        }
        Err(trouble) => troubled(&trouble),
    }
}

/// `…/pulls/comments/{id}`
pub(crate) fn inline(
    world: &mut World,
    asked: &Asked<'_>,
    owner: &str,
    name: &str,
    rest: &[&str],
) -> Answer {
    let [id] = rest else { return not_found() };
    one(world, asked, owner, name, id, true)
}

/// `…/issues/comments/{id}`
pub(crate) fn remark(
    world: &mut World,
    asked: &Asked<'_>,
    owner: &str,
    name: &str,
    id: &str,
) -> Answer {
    one(world, asked, owner, name, id, false)
}

fn one(
    world: &mut World,
    asked: &Asked<'_>,
    owner: &str,
    name: &str,
    id: &str,
    inline: bool,
) -> Answer {
    let Some(repo) = world.find_repo(owner, name) else { return not_found() };
    let Ok(id) = id.parse::<u64>() else { return not_found() };
    let has = |it: &Pull| {
        let mut all = it.threads.iter().flat_map(|it| &it.said);
        it.repo == repo
            && if inline {
                all.any(|it| it.id == id)
            } else {
                it.remarks.iter().any(|it| it.id == id)
            }
    };
    let Some(at) = world.pulls.iter().position(has) else { return not_found() };
    let now = world.clock.now();
    match asked.request.method.as_str() {
        "DELETE" => {
            edit::delete(&mut world.pulls[at], id);
            return Answer::empty(204);
        }
        "PATCH" => {
            if let Some(it) = edit::find(&mut world.pulls[at], id) {
                asked.text("body").clone_into(&mut it.body);
                it.updated = now;
            }
        }
        "GET" => (),
        _ => return not_found(),
    }
    let pull = &world.pulls[at];
    if let Some(it) = pull.remarks.iter().find(|it| it.id == id) {
        return Answer::json(200, &talk::remark(world, asked, pull, it));
    }
    let mut all = pull.threads.iter().flat_map(|it| it.said.iter().map(move |said| (it, said)));
    let found = all.find(|it| it.1.id == id);
    found.map_or_else(not_found, |it| {
        Answer::json(200, &talk::inline(world, asked, pull, it.0, it.1))
    })
}
