//! Threads, comments and reviews in GraphQL. Must only read.

use crate::{
    graphql::{
        fields::{Found, Thing},
        people,
    },
    store::{Commit, Pull, Review, Said, Thread, World},
};
use serde_json::Value;

pub(crate) fn thread<'a>(
    world: &'a World,
    pull: &'a Pull,
    it: &'a Thread,
    name: &str,
) -> Found<'a> {
    let can_write = world.repos[pull.repo].can_write;
    Found::Value(match name {
        "id" => it.node.clone().into(),
        "path" => it.path.clone().into(),
        "line" => it.line.into(),
        "originalLine" => it.original_line.into(),
        "startLine" => it.start_line.into(),
        "originalStartLine" => it.original_start_line.into(),
        "diffSide" => it.side.clone().unwrap_or_else(|| "RIGHT".into()).into(),
        "startDiffSide" => match it.start_line.or(it.original_start_line) {
            Some(_) => it.start_side.clone().or_else(|| it.side.clone()).into(),
            None => Value::Null,
        },
        "subjectType" => if it.is_file { "FILE" } else { "LINE" }.into(),
        "isResolved" | "isCollapsed" => it.is_resolved.into(),
        "isOutdated" => it.is_outdated.into(),
        "viewerCanReply" => (it.can_reply && !pull.locked).into(),
        "viewerCanResolve" => (it.can_resolve && can_write && !it.is_resolved).into(),
        "viewerCanUnresolve" => (it.can_resolve && can_write && it.is_resolved).into(),
        "resolvedBy" => return Found::One(people::of(world, it.resolved_by)),
        "pullRequest" => return Found::One(Some(Thing::Pull(pull))),
        "repository" => return Found::One(Some(Thing::Repo(&world.repos[pull.repo]))),
        "comments" => {
            let all = it.said.iter().filter(|it| world.sees(it));
            let all = all.map(|said| Thing::Inline(pull, it, said)).collect();
            return Found::List("PullRequestReviewCommentConnection", all);
        }
        _ => return Found::Unknown,
    })
}

pub(crate) fn inline<'a>(
    world: &'a World,
    pull: &'a Pull,
    thread: &'a Thread,
    it: &'a Said,
    name: &str,
) -> Found<'a> {
    Found::Value(match name {
        "path" => thread.path.clone().into(),
        "line" => thread.line.into(),
        "originalLine" => thread.original_line.into(),
        "startLine" => thread.start_line.into(),
        "originalStartLine" => thread.original_start_line.into(),
        "diffHunk" => it.hunk.clone().into(),
        "outdated" => thread.is_outdated.into(),
        "subjectType" => if thread.is_file { "FILE" } else { "LINE" }.into(),
        "state" => if it.pending { "PENDING" } else { "SUBMITTED" }.into(),
        "url" => url(world, pull, it, "discussion_r").into(),
        "replyTo" => {
            let root = it.reply_to.and_then(|id| thread.said.iter().find(|it| it.id == id));
            return Found::One(root.map(|it| Thing::Inline(pull, thread, it)));
        }
        "commit" => return Found::One(Some(commit(pull, &thread.commit))),
        "originalCommit" => return Found::One(Some(commit(pull, &thread.original_commit))),
        "pullRequestReview" => {
            let review = it.review.and_then(|id| pull.reviews.iter().find(|it| it.id == id));
            return Found::One(review.map(|it| Thing::Review(pull, it)));
        }
        _ => return said(world, pull, it, name),
    })
}

pub(crate) fn remark<'a>(world: &'a World, pull: &'a Pull, it: &'a Said, name: &str) -> Found<'a> {
    match name {
        "url" => Found::Value(url(world, pull, it, "issuecomment-").into()),
        _ => said(world, pull, it, name),
    }
}

/// What every comment has.
fn said<'a>(world: &'a World, pull: &'a Pull, it: &'a Said, name: &str) -> Found<'a> {
    let ours = it.author == Some(world.viewer);
    Found::Value(match name {
        "id" => it.node.clone().into(),
        // Too long for GraphQL's `Int` today: GitHub gives null.
        "databaseId" => i32::try_from(it.id).ok().into(),
        "fullDatabaseId" => it.id.to_string().into(),
        "body" | "bodyText" => it.body.clone().into(),
        "authorAssociation" => it.association.clone().into(),
        "createdAt" | "publishedAt" => it.created.clone().into(),
        "updatedAt" => it.updated.clone().into(),
        "lastEditedAt" => (it.updated != it.created).then(|| it.updated.clone()).into(),
        "includesCreatedEdit" => false.into(),
        "isMinimized" => it.minimized.is_some().into(),
        "minimizedReason" => it.minimized.clone().into(),
        "viewerDidAuthor" | "viewerCanUpdate" | "viewerCanDelete" => ours.into(),
        "viewerCanMinimize" => world.repos[pull.repo].can_write.into(),
        "author" => return Found::One(people::of(world, it.author)),
        "pullRequest" => return Found::One(Some(Thing::Pull(pull))),
        _ => return Found::Unknown,
    })
}

pub(crate) fn review<'a>(
    world: &'a World,
    pull: &'a Pull,
    it: &'a Review,
    name: &str,
) -> Found<'a> {
    Found::Value(match name {
        "id" => it.node.clone().into(),
        "databaseId" => i32::try_from(it.id).ok().into(),
        "fullDatabaseId" => it.id.to_string().into(),
        "state" => it.state.clone().into(),
        "body" => it.body.clone().into(),
        "authorAssociation" => it.association.clone().into(),
        "submittedAt" | "createdAt" | "updatedAt" | "publishedAt" => it.submitted.clone().into(),
        "lastEditedAt" => Value::Null,
        "viewerDidAuthor" => (it.author == Some(world.viewer)).into(),
        "url" => {
            let html = world.repos[pull.repo].html();
            format!("{html}/pull/{}#pullrequestreview-{}", pull.number, it.id).into()
        }
        "author" => return Found::One(people::of(world, it.author)),
        "commit" => return Found::One(Some(commit(pull, &it.commit))),
        "pullRequest" => return Found::One(Some(Thing::Pull(pull))),
        "comments" => {
            let mut own = Vec::new();
            for thread in &pull.threads {
                let said = thread.said.iter().filter(|said| said.review == Some(it.id));
                own.extend(said.map(|said| Thing::Inline(pull, thread, said)));
            }
            return Found::List("PullRequestReviewCommentConnection", own);
        }
        _ => return Found::Unknown,
    })
}

fn commit<'a>(pull: &'a Pull, sha: &str) -> Thing<'a> {
    let known = pull.commits.iter().find(|it| it.sha == sha).cloned();
    let other = || Commit {
        sha: sha.to_owned(),
        message: String::new(),
        at: pull.created.clone(),
        files: Vec::new(),
    };
    Thing::Commit(pull, known.unwrap_or_else(other))
}

pub(crate) fn url(world: &World, pull: &Pull, it: &Said, fragment: &str) -> String {
    let made =
        || format!("{}/pull/{}#{fragment}{}", world.repos[pull.repo].html(), pull.number, it.id);
    it.url.clone().unwrap_or_else(made)
}
