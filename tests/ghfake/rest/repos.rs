//! A repository in REST. Must only read.

use crate::{
    rest::{Asked, people},
    store::{Repo, User, World},
};
use serde_json::{Map, Value, json};

const SINCE: &str = "2020-01-01T00:00:00Z";
/// Addresses every repository has below its own, by the field that holds them.
const BELOW: &str = "archive assignees blobs branches collaborators comments commits compare contents \
    contributors deployments downloads events forks hooks issues keys labels languages merges \
    milestones notifications pulls releases stargazers statuses subscribers subscription tags teams";

/// A repository with everything GitHub says of one.
pub(crate) fn full(world: &World, asked: &Asked<'_>, repo: &Repo) -> Value {
    let url = format!("{}/repos/{}", asked.base, repo.full_name());
    let mut all = Map::new();
    for name in BELOW.split_whitespace() {
        all.insert(format!("{name}_url"), format!("{url}/{name}").into());
    }
    for (name, path) in [
        ("git_commits_url", "git/commits"),
        ("git_refs_url", "git/refs"),
        ("git_tags_url", "git/tags"),
        ("issue_comment_url", "issues/comments"),
        ("issue_events_url", "issues/events"),
        ("trees_url", "git/trees"),
    ] {
        all.insert(name.into(), format!("{url}/{path}").into());
    }
    let git = format!("{}/{}", repo.host, repo.full_name());
    let more = json!({
        "id": repo.id, "node_id": format!("R_kgDO{}", repo.id), "name": repo.name,
        "full_name": repo.full_name(), "owner": owner(world, asked, repo), "private": false,
        "html_url": repo.html(), "description": null, "fork": false, "url": url,
        "clone_url": format!("https://{git}.git"), "git_url": format!("git://{git}.git"),
        "ssh_url": format!("git@{git}.git"), "svn_url": repo.html(), "mirror_url": null,
        "homepage": null, "language": null, "license": null, "default_branch": "main",
        "permissions": { "admin": false, "push": repo.can_write, "pull": true },
    });
    let figures = json!({
        "forks": 0, "forks_count": 0, "stargazers_count": 0, "watchers": 0, "watchers_count": 0,
        "open_issues": 0, "open_issues_count": 0, "size": 1, "network_count": 0,
        "subscribers_count": 0, "has_issues": true, "has_projects": false, "has_wiki": false,
        "has_pages": false, "has_downloads": false, "has_discussions": false, "archived": false,
        "disabled": false, "pushed_at": SINCE, "created_at": SINCE, "updated_at": SINCE,
    });
    for part in [more, figures] {
        if let Value::Object(part) = part {
            all.extend(part);
        }
    }
    all.into()
}

/// The owner, who need not be somebody we know.
pub(crate) fn owner(world: &World, asked: &Asked<'_>, repo: &Repo) -> Value {
    if let Some(at) = world.logins.get(&repo.owner) {
        people::simple(world, asked, Some(*at))
    } else {
        let user = User { id: 900_000 + repo.id, login: repo.owner.clone(), is_bot: false };
        people::shape(&user, &asked.base)
    }
}
