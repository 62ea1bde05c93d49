//! The things GraphQL can reach and the fields of the larger ones, named as in GitHub's schema. Must
//! only read.

use crate::{
    graphql::{Trouble, mutate::Payload, people, talk},
    limits,
    store::{Commit, File, Pull, Repo, Review, Said, Thread, User, World},
};
use serde_json::{Map, Value, json};

/// Something with fields.
pub(crate) enum Thing<'a> {
    Query,
    Payload(&'a Payload),
    User(&'a User),
    Repo(&'a Repo),
    Pull(&'a Pull),
    Thread(&'a Pull, &'a Thread),
    /// A comment of a thread.
    Inline(&'a Pull, &'a Thread, &'a Said),
    /// A comment of the pull request itself.
    Remark(&'a Pull, &'a Said),
    Review(&'a Pull, &'a Review),
    File(&'a File),
    Commit(&'a Pull, Commit),
    /// A commit in a pull request's list.
    Listed(&'a Pull, Commit),
    /// A thing with nothing behind it: its type and its fields.
    Made(&'static str, Value),
    Edge(Box<Thing<'a>>, String),
}

/// What a field gives.
pub(crate) enum Found<'a> {
    Value(Value),
    One(Option<Thing<'a>>),
    Many(Vec<Thing<'a>>),
    /// A whole list, of which a page is cut; with the connection's type.
    List(&'static str, Vec<Thing<'a>>),
    Unknown,
}

pub(crate) type Answer<'a> = Result<Found<'a>, Trouble>;

impl Thing<'_> {
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Query => "Query",
            Self::Payload(it) => it.kind,
            Self::User(it) if it.is_bot => "Bot",
            Self::User(_) => "User",
            Self::Repo(_) => "Repository",
            Self::Pull(_) => "PullRequest",
            Self::Thread(..) => "PullRequestReviewThread",
            Self::Inline(..) => "PullRequestReviewComment",
            Self::Remark(..) => "IssueComment",
            Self::Review(..) => "PullRequestReview",
            Self::File(_) => "PullRequestChangedFile",
            Self::Commit(..) => "Commit",
            Self::Listed(..) => "PullRequestCommit",
            Self::Made(kind, _) => kind,
            Self::Edge(..) => "Edge",
        }
    }

    /// Whether a type condition fits.
    pub(crate) fn is(&self, condition: &str) -> bool {
        let said = matches!(self, Self::Inline(..) | Self::Remark(..) | Self::Review(..));
        match condition {
            "Actor" | "RequestedReviewer" => matches!(self, Self::User(_)),
            "Node" => !matches!(self, Self::Query | Self::Made(..) | Self::Edge(..)),
            "Comment" | "Updatable" | "Deletable" | "Reactable" => {
                said || matches!(self, Self::Pull(_))
            }
            "Minimizable" => matches!(self, Self::Inline(..) | Self::Remark(..)),
            "SearchResultItem" | "Closable" | "Lockable" => matches!(self, Self::Pull(_)),
            "UniformResourceLocatable" => said || matches!(self, Self::Pull(_) | Self::Repo(_)),
            name => name == self.kind(),
        }
    }
}

/// A field of a thing.
pub(crate) fn find<'a>(
    world: &'a World,
    thing: &Thing<'a>,
    name: &str,
    given: &Map<String, Value>,
) -> Answer<'a> {
    match thing {
        Thing::Query => query(world, name, given),
        Thing::Payload(it) => Ok(it.field(world, name)),
        Thing::User(it) => Ok(people::user(it, name)),
        Thing::Repo(it) => repo(world, it, name, given),
        Thing::Pull(it) => Ok(pull(world, it, name, given)),
        Thing::Thread(pull, it) => Ok(talk::thread(world, pull, it, name)),
        Thing::Inline(pull, thread, it) => Ok(talk::inline(world, pull, thread, it, name)),
        Thing::Remark(pull, it) => Ok(talk::remark(world, pull, it, name)),
        Thing::Review(pull, it) => Ok(talk::review(world, pull, it, name)),
        Thing::File(it) => Ok(file(it, name)),
        Thing::Commit(pull, it) => Ok(commit(world, pull, it, name)),
        Thing::Listed(pull, it) => Ok(match name {
            "id" => Found::Value(format!("PURC_{}", it.sha).into()),
            "commit" => Found::One(Some(Thing::Commit(pull, it.clone()))),
            _ => Found::Unknown,
        }),
        Thing::Made(_, fields) => Ok(match fields.get(name) {
            None => Found::Unknown,
            Some(it @ Value::Object(_)) => Found::One(Some(Thing::Made("User", it.clone()))),
            Some(it) => Found::Value(it.clone()),
        }),
        Thing::Edge(it, cursor) => Ok(match name {
            "cursor" => Found::Value(cursor.clone().into()),
            "node" => Found::One(Some(copied(it))),
            _ => Found::Unknown,
        }),
    }
}

fn query<'a>(world: &'a World, name: &str, given: &Map<String, Value>) -> Answer<'a> {
    let text = |name: &str| given.get(name).and_then(Value::as_str).unwrap_or_default();
    Ok(match name {
        "viewer" => Found::One(Some(Thing::User(&world.users[world.viewer]))),
        "user" => {
            Found::One(world.logins.get(text("login")).map(|it| Thing::User(&world.users[*it])))
        }
        "rateLimit" => {
            let (limit, used, _) = world.limits.of(limits::Resource::Graphql);
            let reset = crate::clock::stamp(limits::reset(world.clock.now_ms()) * 1_000);
            let fields = json!({
                "limit": limit, "used": used, "remaining": limit.saturating_sub(used), "cost": 1,
                "nodeCount": 0, "resetAt": reset,
            });
            Found::One(Some(Thing::Made("RateLimit", fields)))
        }
        "repository" => {
            let (owner, name) = (text("owner"), text("name"));
            let Some(at) = world.find_repo(owner, name) else {
                let message =
                    format!("Could not resolve to a Repository with the name '{owner}/{name}'.");
                return Err(Trouble::new("NOT_FOUND", message));
            };
            Found::One(Some(Thing::Repo(&world.repos[at])))
        }
        "node" => match by_id(world, text("id")) {
            Some(it) => Found::One(Some(it)),
            None => return Err(unresolved(text("id"))),
        },
        "nodes" => {
            let ids = given.get("ids").and_then(Value::as_array).into_iter().flatten();
            let all = ids.filter_map(Value::as_str);
            let found = all.map(|it| by_id(world, it).ok_or_else(|| unresolved(it)));
            Found::Many(found.collect::<Result<_, _>>()?)
        }
        "search" => {
            let found = people::search(world, text("query"));
            Found::List("SearchResultItemConnection", found.into_iter().map(Thing::Pull).collect())
        }
        _ => Found::Unknown,
    })
}

fn unresolved(id: &str) -> Trouble {
    Trouble::new("NOT_FOUND", format!("Could not resolve to a node with the global id of '{id}'"))
}

/// The thing of a global id, where the viewer sees it.
pub(crate) fn by_id<'a>(world: &'a World, id: &str) -> Option<Thing<'a>> {
    for pull in &world.pulls {
        if pull.node == id {
            return Some(Thing::Pull(pull));
        }
        if let Some(it) = pull.threads.iter().find(|it| it.node == id && world.sees_thread(it)) {
            return Some(Thing::Thread(pull, it));
        }
        if let Some(it) = pull.reviews.iter().find(|it| it.node == id) {
            return Some(Thing::Review(pull, it));
        }
        if let Some(it) = pull.remarks.iter().find(|it| it.node == id) {
            return Some(Thing::Remark(pull, it));
        }
        for thread in &pull.threads {
            if let Some(it) = thread.said.iter().find(|it| it.node == id) {
                return Some(Thing::Inline(pull, thread, it));
            }
        }
    }
    world.users.iter().find(|it| people::id(it) == id).map(Thing::User)
}

fn repo<'a>(
    world: &'a World,
    repo: &'a Repo,
    name: &str,
    given: &Map<String, Value>,
) -> Answer<'a> {
    Ok(match name {
        "id" => Found::Value(format!("R_kgDO{}", repo.id).into()),
        "databaseId" => Found::Value(repo.id.into()),
        "name" => Found::Value(repo.name.clone().into()),
        "nameWithOwner" => Found::Value(repo.full_name().into()),
        "url" => Found::Value(repo.html().into()),
        "isPrivate" | "isFork" | "isArchived" => Found::Value(false.into()),
        "viewerPermission" => Found::Value(if repo.can_write { "WRITE" } else { "READ" }.into()),
        "owner" => Found::One(Some(people::actor(world, &repo.owner))),
        "pullRequest" => {
            let number = given.get("number").and_then(Value::as_u64).unwrap_or(0);
            let Some(at) = world.find_pull(&repo.owner, &repo.name, number) else {
                let message =
                    format!("Could not resolve to a PullRequest with the number of {number}.");
                return Err(Trouble::new("NOT_FOUND", message));
            };
            Found::One(Some(Thing::Pull(&world.pulls[at])))
        }
        "pullRequests" => {
            let own = world.pulls.iter().filter(|it| world.repos[it.repo].id == repo.id);
            Found::List("PullRequestConnection", own.map(Thing::Pull).collect())
        }
        _ => Found::Unknown,
    })
}

fn pull<'a>(world: &'a World, pull: &'a Pull, name: &str, given: &Map<String, Value>) -> Found<'a> {
    let repo = &world.repos[pull.repo];
    let at = |path: &str| format!("{}/pull/{}{path}", repo.html(), pull.number);
    let merged = pull.state == "MERGED";
    Found::Value(match name {
        "id" => pull.node.clone().into(),
        "fullDatabaseId" => pull.id.to_string().into(),
        "number" => pull.number.into(),
        "title" => pull.title.clone().into(),
        "body" => pull.body.clone().unwrap_or_default().into(),
        "url" => at("").into(),
        "state" => pull.state.clone().into(),
        "isDraft" => pull.draft.into(),
        "locked" => pull.locked.into(),
        // Its number is too long for GraphQL's `Int`.
        "databaseId" | "activeLockReason" | "mergeCommit" | "lastEditedAt" | "reviewDecision" => {
            Value::Null
        }
        "closed" => (pull.state != "OPEN").into(),
        "merged" => merged.into(),
        "mergeable" => "MERGEABLE".into(),
        "createdAt" => pull.created.clone().into(),
        "updatedAt" => pull.updated.clone().into(),
        "mergedAt" => merged.then(|| pull.updated.clone()).into(),
        "closedAt" => (pull.state != "OPEN").then(|| pull.updated.clone()).into(),
        "additions" => pull.additions().into(),
        "deletions" => pull.deletions().into(),
        "changedFiles" => pull.files.len().into(),
        "baseRefName" => pull.base.name.clone().into(),
        "baseRefOid" => pull.base.sha.clone().into(),
        "headRefName" => pull.head.name.clone().into(),
        "headRefOid" => pull.head.sha.clone().into(),
        "isCrossRepository" => false.into(),
        "authorAssociation" => "CONTRIBUTOR".into(),
        "viewerDidAuthor" => (pull.author == Some(world.viewer)).into(),
        "viewerCanUpdate" => repo.can_write.into(),
        _ => return parts(world, pull, name, given),
    })
}

/// What a pull request is made of.
fn parts<'a>(
    world: &'a World,
    pull: &'a Pull,
    name: &str,
    given: &Map<String, Value>,
) -> Found<'a> {
    match name {
        "author" => Found::One(people::of(world, pull.author)),
        "repository" | "baseRepository" | "headRepository" => {
            Found::One(Some(Thing::Repo(&world.repos[pull.repo])))
        }
        "reviewThreads" => {
            let all = pull.threads.iter().filter(|it| world.sees_thread(it));
            let all = all.map(|it| Thing::Thread(pull, it)).collect();
            Found::List("PullRequestReviewThreadConnection", all)
        }
        "comments" => {
            let all = pull.remarks.iter().filter(|it| world.sees(it));
            Found::List("IssueCommentConnection", all.map(|it| Thing::Remark(pull, it)).collect())
        }
        "reviews" | "latestReviews" => {
            let states = given.get("states").and_then(Value::as_array);
            let wanted = |it: &&Review| {
                states.is_none_or(|all| all.iter().any(|state| *state == it.state.as_str()))
            };
            let all = pull.reviews.iter().filter(|it| world.sees_review(it)).filter(wanted);
            Found::List(
                "PullRequestReviewConnection",
                all.map(|it| Thing::Review(pull, it)).collect(),
            )
        }
        "files" => {
            let all = pull.files.iter().map(Thing::File).collect();
            Found::List("PullRequestChangedFileConnection", all)
        }
        "commits" => {
            let all = pull.commits.iter().map(|it| Thing::Listed(pull, it.clone()));
            Found::List("PullRequestCommitConnection", all.collect())
        }
        "labels" => {
            let label =
                |it: &String| Thing::Made("Label", json!({ "name": it, "color": "ededed" }));
            Found::List("LabelConnection", pull.labels.iter().map(label).collect())
        }
        "reviewRequests" => {
            let all = pull.requested.iter().map(|it| &world.users[*it]);
            Found::List("ReviewRequestConnection", all.map(people::request).collect())
        }
        _ => Found::Unknown,
    }
}

fn file<'a>(file: &'a File, name: &str) -> Found<'a> {
    Found::Value(match name {
        "path" => file.path.clone().into(),
        "additions" => file.additions.into(),
        "deletions" => file.deletions.into(),
        "changeType" => match file.status.as_str() {
            "removed" => "DELETED".into(),
            other => other.to_uppercase().into(),
        },
        "viewerViewedState" => "UNVIEWED".into(),
        _ => return Found::Unknown,
    })
}

/// A commit of a pull request.
fn commit<'a>(world: &'a World, pull: &'a Pull, it: &Commit, name: &str) -> Found<'a> {
    Found::Value(match name {
        "oid" | "id" => it.sha.clone().into(),
        "abbreviatedOid" => it.sha.chars().take(7).collect::<String>().into(),
        "message" | "messageHeadline" => it.message.clone().into(),
        "committedDate" | "authoredDate" => it.at.clone().into(),
        "url" => format!("{}/commit/{}", world.repos[pull.repo].html(), it.sha).into(),
        _ => return Found::Unknown,
    })
}

/// The same thing once more; things are references.
fn copied<'a>(thing: &Thing<'a>) -> Thing<'a> {
    match thing {
        Thing::Query => Thing::Query,
        Thing::Payload(it) => Thing::Payload(it),
        Thing::User(it) => Thing::User(it),
        Thing::Repo(it) => Thing::Repo(it),
        Thing::Pull(it) => Thing::Pull(it),
        Thing::Thread(pull, it) => Thing::Thread(pull, it),
        Thing::Inline(pull, thread, it) => Thing::Inline(pull, thread, it),
        Thing::Remark(pull, it) => Thing::Remark(pull, it),
        Thing::Review(pull, it) => Thing::Review(pull, it),
        Thing::File(it) => Thing::File(it),
        Thing::Commit(pull, it) => Thing::Commit(pull, it.clone()),
        Thing::Listed(pull, it) => Thing::Listed(pull, it.clone()),
        Thing::Made(kind, it) => Thing::Made(kind, it.clone()),
        Thing::Edge(it, cursor) => Thing::Edge(Box::new(copied(it)), cursor.clone()),
    }
}
