//! Comments and reviews in REST. Must only read.

use crate::{
    graphql,
    rest::{Asked, people},
    store::{Pull, Review, Said, Thread, World},
};
use serde_json::{Value, json};

/// A comment of a thread. REST knows neither the thread's id nor whether it is resolved.
pub(crate) fn inline(
    world: &World,
    asked: &Asked<'_>,
    pull: &Pull,
    thread: &Thread,
    it: &Said,
) -> Value {
    let api = format!("{}/repos/{}/pulls", asked.base, world.repos[pull.repo].full_name());
    let (url, of) = (format!("{api}/comments/{}", it.id), format!("{api}/{}", pull.number));
    let html = graphql::talk::url(world, pull, it, "discussion_r");
    let side = thread.side.as_deref().unwrap_or("RIGHT");
    let start = thread.start_line.or(thread.original_start_line);
    let start_side = start.map(|_| thread.start_side.as_deref().unwrap_or(side));
    let mut shape = json!({
        "url": url, "pull_request_review_id": it.review, "id": it.id, "node_id": it.node,
        "diff_hunk": it.hunk, "path": thread.path, "commit_id": thread.commit,
        "original_commit_id": thread.original_commit,
        "user": people::simple(world, asked, it.author), "body": it.body,
        "created_at": it.created, "updated_at": it.updated, "html_url": html, "pull_request_url": of,
        "author_association": it.association, "reactions": reactions(&url),
        "_links": { "self": { "href": url }, "html": { "href": html }, "pull_request": { "href": of } },
        // An outdated comment has no line, yet almost always this position.
        "position": 1, "original_position": 1,
        "line": thread.line, "original_line": thread.original_line,
        "start_line": thread.start_line, "original_start_line": thread.original_start_line,
        "start_side": start_side, "side": side,
        "subject_type": if thread.is_file { "file" } else { "line" },
    });
    if let Some(root) = it.reply_to {
        shape["in_reply_to_id"] = root.into();
    }
    shape
}

/// A comment of the pull request itself.
pub(crate) fn remark(world: &World, asked: &Asked<'_>, pull: &Pull, it: &Said) -> Value {
    let api = format!("{}/repos/{}/issues", asked.base, world.repos[pull.repo].full_name());
    let url = format!("{api}/comments/{}", it.id);
    json!({
        "url": url, "html_url": graphql::talk::url(world, pull, it, "issuecomment-"),
        "issue_url": format!("{api}/{}", pull.number), "id": it.id, "node_id": it.node,
        "user": people::simple(world, asked, it.author), "created_at": it.created,
        "updated_at": it.updated, "body": it.body, "author_association": it.association,
        "reactions": reactions(&url), "performed_via_github_app": null,
    })
}

pub(crate) fn review(world: &World, asked: &Asked<'_>, pull: &Pull, it: &Review) -> Value {
    let repo = &world.repos[pull.repo];
    let of = format!("{}/repos/{}/pulls/{}", asked.base, repo.full_name(), pull.number);
    let html = format!("{}/pull/{}#pullrequestreview-{}", repo.html(), pull.number, it.id);
    let mut shape = json!({
        "id": it.id, "node_id": it.node, "user": people::simple(world, asked, it.author),
        "body": it.body, "state": it.state, "html_url": html, "pull_request_url": of,
        "_links": { "html": { "href": html }, "pull_request": { "href": of } },
        "commit_id": it.commit, "author_association": it.association,
    });
    if let Some(at) = &it.submitted {
        shape["submitted_at"] = at.clone().into();
    }
    shape
}

fn reactions(url: &str) -> Value {
    json!({
        "url": format!("{url}/reactions"), "total_count": 0, "+1": 0, "-1": 0, "laugh": 0, "hooray": 0,
        "confused": 0, "heart": 0, "rocket": 0, "eyes": 0,
    })
}
