//! Pull requests, their files and commits in REST. Must only read.

use crate::{
    http,
    rest::{Asked, people, repos},
    store::{Commit, File, Pull, Repo, Tip, World},
};
use serde_json::{Value, json};

/// `GET …/pulls/{n}`
pub(crate) fn whole(world: &World, asked: &Asked<'_>, pull: &Pull) -> Value {
    let repo = &world.repos[pull.repo];
    let api = format!("{}/repos/{}", asked.base, repo.full_name());
    let (url, issue) =
        (format!("{api}/pulls/{}", pull.number), format!("{api}/issues/{}", pull.number));
    let html = format!("{}/pull/{}", repo.html(), pull.number);
    let link = |it: String| json!({ "href": it });
    let inline: usize = pull.threads.iter().map(|it| it.said.len()).sum();
    let merged = pull.state == "MERGED";
    let open = pull.state == "OPEN";
    let requested: Vec<Value> =
        pull.requested.iter().map(|it| people::simple(world, asked, Some(*it))).collect();
    let mut it = json!({
        "url": url, "id": pull.id, "node_id": pull.node, "html_url": html,
        "diff_url": format!("{html}.diff"), "patch_url": format!("{html}.patch"), "issue_url": issue,
        "commits_url": format!("{url}/commits"), "review_comments_url": format!("{url}/comments"),
        "review_comment_url": format!("{api}/pulls/comments{{/number}}"),
        "comments_url": format!("{issue}/comments"),
        "statuses_url": format!("{api}/statuses/{}", pull.head.sha),
        "number": pull.number, "state": if open { "open" } else { "closed" }, "locked": pull.locked,
        "active_lock_reason": null, "title": pull.title, "body": pull.body,
        "user": people::simple(world, asked, pull.author), "labels": labels(pull, &api),
        "milestone": null, "created_at": pull.created, "updated_at": pull.updated,
        "closed_at": (!open).then_some(&pull.updated), "merged_at": merged.then_some(&pull.updated),
        "merge_commit_sha": null, "assignee": null, "assignees": [], "requested_reviewers": requested,
        "requested_teams": [], "author_association": "CONTRIBUTOR", "auto_merge": null,
        "draft": pull.draft,
    });
    it["head"] = tip(world, asked, repo, &pull.head);
    it["base"] = tip(world, asked, repo, &pull.base);
    it["_links"] = json!({
        "self": link(url.clone()), "html": link(html), "issue": link(issue.clone()),
        "comments": link(format!("{issue}/comments")), "review_comments": link(format!("{url}/comments")),
        "review_comment": link(format!("{api}/pulls/comments{{/number}}")),
        "commits": link(format!("{url}/commits")), "statuses": link(format!("{api}/statuses")),
    });
    let counts = json!({
        "merged": merged, "mergeable": true, "rebaseable": true, "mergeable_state": "clean",
        "merged_by": null, "comments": pull.remarks.len(), "review_comments": inline,
        "maintainer_can_modify": false, "commits": pull.commits.len(),
        "additions": pull.additions(), "deletions": pull.deletions(), "changed_files": pull.files.len(),
    });
    if let (Value::Object(all), Value::Object(counts)) = (&mut it, counts) {
        all.extend(counts);
    }
    it
}

fn labels(pull: &Pull, api: &str) -> Vec<Value> {
    let label = |(at, it): (usize, &String)| {
        json!({
            "id": at + 1, "node_id": format!("LA_{at}"), "url": format!("{api}/labels/{it}"),
            "name": it, "description": null, "color": "ededed", "default": false,
        })
    };
    pull.labels.iter().enumerate().map(label).collect()
}

fn tip(world: &World, asked: &Asked<'_>, repo: &Repo, it: &Tip) -> Value {
    json!({
        "label": format!("{}:{}", repo.owner, it.name), "ref": it.name, "sha": it.sha,
        "user": repos::owner(world, asked, repo), "repo": repos::full(world, asked, repo),
    })
}

/// One entry of `GET …/pulls/{n}/files`. Without a patch where GitHub gives none.
pub(crate) fn file(asked: &Asked<'_>, repo: &Repo, head: &str, it: &File) -> Value {
    let html = repo.html();
    let path = http::encoded(&it.path);
    let mut entry = json!({
        "sha": it.sha, "filename": it.path, "status": it.status, "additions": it.additions,
        "deletions": it.deletions, "changes": it.additions + it.deletions,
        "blob_url": format!("{html}/blob/{head}/{path}"), "raw_url": format!("{html}/raw/{head}/{path}"),
        "contents_url": format!("{}/repos/{}/contents/{path}?ref={head}", asked.base, repo.full_name()),
    });
    if let Some(patch) = &it.patch {
        entry["patch"] = patch.clone().into();
    }
    if let Some(previous) = &it.previous {
        entry["previous_filename"] = previous.clone().into();
    }
    entry
}

pub(crate) fn commit(world: &World, asked: &Asked<'_>, pull: &Pull, it: &Commit) -> Value {
    let repo = &world.repos[pull.repo];
    let url = format!("{}/repos/{}/commits/{}", asked.base, repo.full_name(), it.sha);
    let name = world.login(pull.author).unwrap_or("somebody");
    let person = json!({ "name": name, "email": "somebody@example.com", "date": it.at });
    let by = people::simple(world, asked, pull.author);
    json!({
        "url": url, "sha": it.sha, "node_id": format!("C_{}", it.sha),
        "html_url": format!("{}/commit/{}", repo.html(), it.sha), "comments_url": format!("{url}/comments"),
        "commit": {
            "url": url, "author": person, "committer": person, "message": it.message,
            "comment_count": 0, "tree": { "sha": it.sha, "url": format!("{url}/tree") },
        },
        "author": by, "committer": by, "parents": [],
    })
}

/// One item of `GET /search/issues`.
pub(crate) fn found(world: &World, asked: &Asked<'_>, pull: &Pull) -> Value {
    let repo = &world.repos[pull.repo];
    let api = format!("{}/repos/{}", asked.base, repo.full_name());
    let url = format!("{api}/issues/{}", pull.number);
    let html = format!("{}/pull/{}", repo.html(), pull.number);
    json!({
        "url": url, "repository_url": api, "labels_url": format!("{url}/labels{{/name}}"),
        "comments_url": format!("{url}/comments"), "events_url": format!("{url}/events"),
        "html_url": html, "id": pull.id, "node_id": pull.node, "number": pull.number,
        "title": pull.title, "user": people::simple(world, asked, pull.author), "labels": [],
        "state": if pull.state == "OPEN" { "open" } else { "closed" }, "locked": pull.locked,
        "assignee": null, "assignees": [], "milestone": null, "comments": pull.remarks.len(),
        "created_at": pull.created, "updated_at": pull.updated,
        "closed_at": (pull.state != "OPEN").then_some(&pull.updated),
        "author_association": "CONTRIBUTOR", "draft": pull.draft, "body": pull.body, "score": 1.0,
        "pull_request": {
            "url": format!("{api}/pulls/{}", pull.number), "html_url": html,
            "diff_url": format!("{html}.diff"), "patch_url": format!("{html}.patch"), "merged_at": null,
        },
    })
}
