//! Wire shapes as a capture. Must not repair or judge: what GitHub left null stays null, a value
//! it may have added since is kept as it spells it.

use crate::domain::capture::{
    ChangedFile, Comment, GitRef, Id, PullRequest, Review, Thread, Viewer,
};
use crate::forge::github::wire::{Node, Page};

/// A thread, and the first page of its comments.
pub fn thread(node: Node<'_>) -> Option<(Thread, Page<'_>)> {
    let page = node.page("comments").unwrap_or_default();
    let comments: Vec<Comment> = page.nodes.iter().filter_map(Node::new).map(said).collect();
    let first = page.nodes.iter().find_map(Node::new);
    let commit = |name: &str| Some(first?.inner(name)?.text("oid")?.to_owned());
    let thread = Thread {
        id: Id::Text(node.text("id")?.to_owned()),
        path: node.text("path")?.into(),
        line: node.number("line"),
        original_line: node.number("originalLine"),
        start_line: node.number("startLine"),
        original_start_line: node.number("originalStartLine"),
        side: node.text("diffSide").map(Into::into),
        start_side: node.text("startDiffSide").map(Into::into),
        is_resolved: node.flag("isResolved"),
        resolved_by: login(node.inner("resolvedBy")).map(Into::into),
        is_outdated: node.flag("isOutdated"),
        subject_type: node.text("subjectType").map(str::to_lowercase),
        commit_id: commit("commit"),
        original_commit_id: commit("originalCommit"),
        viewer_can_reply: node.flag("viewerCanReply"),
        viewer_can_resolve: node.flag("viewerCanResolve"),
        viewer_can_unresolve: node.flag("viewerCanUnresolve"),
        comments,
        comments_total: page.total,
    };
    Some((thread, page))
}

/// A comment of a thread.
pub fn said(node: Node<'_>) -> Comment {
    Comment {
        diff_hunk: node.text("diffHunk").map(Into::into),
        in_reply_to_id: node.inner("replyTo").and_then(database_id),
        state: node.text("state").map(Into::into),
        ..remark(node)
    }
}

/// A top-level comment, which is what all comments have in common.
pub fn remark(node: Node<'_>) -> Comment {
    let author = node.inner("author");
    Comment {
        id: database_id(node),
        node_id: node.text("id").map(Into::into),
        author: login(author).map(Into::into),
        author_is_bot: author.and_then(is_bot),
        author_id: author.and_then(|it| it.number("databaseId")).map(Id::Number),
        author_association: node.text("authorAssociation").map(Into::into),
        body: node.text("body").map(Into::into),
        created_at: node.text("createdAt").map(Into::into),
        updated_at: node.text("updatedAt").map(Into::into),
        last_edited_at: node.text("lastEditedAt").map(Into::into),
        url: node.text("url").map(Into::into),
        is_minimized: node.flag("isMinimized"),
        minimized_reason: node.text("minimizedReason").map(Into::into),
        ..Comment::default()
    }
}

/// A review event.
pub fn verdict(node: Node<'_>) -> Review {
    let author = node.inner("author");
    Review {
        id: database_id(node),
        author: login(author).map(Into::into),
        author_is_bot: author.and_then(is_bot),
        author_id: author.and_then(|it| it.number("databaseId")).map(Id::Number),
        state: node.text("state").map(Into::into),
        body: node.text("body").map(Into::into),
        submitted_at: node.text("submittedAt").map(Into::into),
        commit_id: node.inner("commit").and_then(|it| it.text("oid")).map(Into::into),
    }
}

/// The pull request itself. `number` is what was asked for.
pub fn pull(node: Node<'_>, number: u64) -> PullRequest {
    let author = node.inner("author");
    let commit = |name: &str, oid: &str| {
        let (name, sha) = (node.text(name), node.text(oid));
        (name.is_some() || sha.is_some())
            .then(|| GitRef { name: name.map(Into::into), sha: sha.map(Into::into) })
    };
    let labels = node.inner("labels").map_or(&[][..], |it| it.list("nodes"));
    let labels = labels.iter().filter_map(Node::new).filter_map(|it| it.text("name"));
    PullRequest {
        number: node.number("number").unwrap_or(number),
        title: node.text("title").map(Into::into),
        body: node.text("body").map(Into::into),
        author: login(author).map(Into::into),
        author_is_bot: author.and_then(is_bot),
        author_id: author.and_then(|it| it.number("databaseId")).map(Id::Number),
        state: node.text("state").map(|it| it.to_lowercase().into()),
        draft: node.flag("isDraft"),
        locked: node.flag("locked"),
        lock_reason: node.text("activeLockReason").map(|it| it.to_lowercase().into()),
        base: commit("baseRefName", "baseRefOid"),
        head: commit("headRefName", "headRefOid"),
        merge_base: None,
        created_at: node.text("createdAt").map(Into::into),
        updated_at: node.text("updatedAt").map(Into::into),
        url: node.text("url").map(Into::into),
        labels: Some(labels.map(Into::into).collect()),
    }
}

/// A row of the files list. It comes over REST; a patch that was left out shows by its absence.
pub fn file(node: Node<'_>) -> Option<ChangedFile> {
    let (additions, deletions) = (node.number("additions"), node.number("deletions"));
    let changes = node.number("changes");
    let patch = node.text("patch");
    // GitHub gives neither patch nor counts for a binary file, and counts without a patch for
    // one whose diff it finds too large.
    let silent = patch.is_none() && !is_pure_move(node, changes);
    Some(ChangedFile {
        path: Some(node.text("filename")?.into()),
        previous_path: node.text("previous_filename").map(Into::into),
        status: node.text("status").map(Into::into),
        additions,
        deletions,
        changes,
        binary: None,
        patch: patch.map(Into::into),
        patch_omitted: Some(silent && changes.is_some_and(|it| it > 0)),
    })
}

fn is_pure_move(node: Node<'_>, changes: Option<u64>) -> bool {
    node.text("previous_filename").is_some() && changes == Some(0)
}

/// Who reads.
pub fn viewer(node: Node<'_>) -> Viewer {
    Viewer {
        login: node.text("login").map(Into::into),
        id: node.number("databaseId").map(Id::Number),
    }
}

fn login(actor: Option<Node<'_>>) -> Option<&str> {
    actor?.text("login")
}

/// GraphQL tells bots by their type, never by their name: anybody may be called `x[bot]`.
fn is_bot(actor: Node<'_>) -> Option<bool> {
    Some(actor.text("__typename")? == "Bot")
}

/// The REST id: the full one, or the older field that servers have, which is too narrow for new
/// ids.
fn database_id(node: Node<'_>) -> Option<Id> {
    node.number("fullDatabaseId").or_else(|| node.number("databaseId")).map(Id::Number)
}
