//! A pull request over REST alone, for when the GraphQL interface will not answer: its quota is
//! another one. Threads are put together from replies; whether one is resolved, REST does not
//! know, and that is said. Must not guess it.

use crate::domain::capture::{Comment, GitRef, Id, PullRequest, Review, Thread, Viewer};
use crate::forge::{
    github::{
        read::{News, PAGE, Reader},
        trouble::Why,
        wire::Node,
    },
    target::PullRequestName,
};
use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// The most pages of one list: 100 pages of 100 are more than any pull request has.
const PAGES: u32 = 100;

/// The discussion as REST gives it.
#[derive(Debug, Clone, Default)]
pub struct Plain {
    pub pull: PullRequest,
    pub changed: Option<u64>,
    pub threads: Vec<Thread>,
    pub remarks: Vec<Comment>,
    pub verdicts: Vec<Review>,
    /// Rows that could not be read.
    pub skipped: u64,
}

/// Reads it.
pub fn read(reader: &Reader<'_>, name: &PullRequestName) -> Result<Plain, Why> {
    let PullRequestName { owner, repository, number, .. } = name;
    let pull = format!("/repos/{owner}/{repository}/pulls/{number}");
    let issue = format!("/repos/{owner}/{repository}/issues/{number}");
    let body = reader.get(&pull, None)?.body;
    let value: Value = serde_json::from_slice(&body).map_err(|it| not_json(&it))?;
    let node = Node::new(&value).ok_or(Why::Invalid(None))?;
    let mut plain = Plain {
        pull: pull_request(node, *number),
        changed: node.number("changed_files"),
        ..Plain::default()
    };
    let (rows, skipped) = list(reader, &format!("{pull}/comments"), "comments", said)?;
    plain.threads = threads(rows);
    plain.skipped += skipped;
    let (rows, skipped) = list(reader, &format!("{issue}/comments"), "remarks", remark)?;
    plain.remarks = rows;
    plain.skipped += skipped;
    let (rows, skipped) = list(reader, &format!("{pull}/reviews"), "reviews", verdict)?;
    plain.verdicts = rows;
    plain.skipped += skipped;
    Ok(plain)
}

fn not_json(error: &serde_json::Error) -> Why {
    Why::Invalid(Some(format!("the answer is not JSON: {error}")))
}

/// All pages of a list: its rows, each once by id, and how many could not be read.
fn list<T>(
    reader: &Reader<'_>,
    path: &str,
    label: &'static str,
    convert: fn(Node<'_>) -> Option<(Id, T)>,
) -> Result<(Vec<T>, u64), Why> {
    let (mut rows, mut known, mut skipped) = (Vec::new(), HashSet::new(), 0);
    for page in 1..=PAGES {
        let answer = reader.get(&format!("{path}?per_page={PAGE}&page={page}"), None)?;
        let values: Vec<Value> =
            serde_json::from_slice(&answer.body).map_err(|it| not_json(&it))?;
        for value in &values {
            match Node::new(value).and_then(convert) {
                Some((id, row)) if known.insert(id.clone()) => rows.push(row),
                Some(_) => {}
                None => skipped += 1,
            }
        }
        (reader.watch.tell)(News::Read { list: label, here: rows.len() as u64, total: None });
        // The `Link` header names the next page; where it is missing, a full page has one.
        let full = values.len() as u64 >= u64::from(PAGE);
        let more = answer.header("link").map_or(full, |it| it.contains("rel=\"next\""));
        if !more {
            break;
        }
    }
    Ok((rows, skipped))
}

/// The pull request itself.
pub fn pull_request(node: Node<'_>, number: u64) -> PullRequest {
    let text = |name: &str| node.text(name);
    let user = node.inner("user");
    let end = |name: &str| {
        let end = node.inner(name)?;
        Some(GitRef { name: end.text("ref").map(Into::into), sha: end.text("sha").map(Into::into) })
    };
    let merged = node.flag("merged") == Some(true) || text("merged_at").is_some();
    let state = if merged { Some("merged") } else { text("state") };
    let labels = node.list("labels").iter().filter_map(Node::new);
    PullRequest {
        number: node.number("number").unwrap_or(number),
        title: text("title").map(Into::into),
        body: text("body").map(Into::into),
        author: login(user).map(Into::into),
        author_is_bot: user.and_then(is_bot),
        author_id: user.and_then(|it| it.number("id")).map(Id::Number),
        state: state.map(Into::into),
        draft: node.flag("draft"),
        locked: node.flag("locked"),
        lock_reason: text("active_lock_reason").map(Into::into),
        base: end("base"),
        head: end("head"),
        merge_base: None,
        created_at: text("created_at").map(Into::into),
        updated_at: text("updated_at").map(Into::into),
        url: text("html_url").map(Into::into),
        labels: Some(labels.filter_map(|it| it.text("name")).map(Into::into).collect()),
    }
}

/// A comment on a line, with the thread it would be alone.
pub fn said(node: Node<'_>) -> Option<(Id, Thread)> {
    let id = node.number("id")?;
    let path = node.text("path")?;
    let comment = Comment {
        diff_hunk: node.text("diff_hunk").map(Into::into),
        in_reply_to_id: node.number("in_reply_to_id").map(Id::Number),
        ..common(node)
    };
    // An outdated comment has no line; its position is 1, which says nothing.
    let line = node.number("line");
    let original_line = node.number("original_line");
    let subject_type = node.text("subject_type").map(str::to_owned);
    let on_line = subject_type.as_deref() != Some("file");
    let thread = Thread {
        id: Id::Text(format!("derived:{id}")),
        path: path.into(),
        line,
        original_line,
        start_line: node.number("start_line"),
        original_start_line: node.number("original_start_line"),
        side: node.text("side").map(Into::into),
        start_side: node.text("start_side").map(Into::into),
        is_resolved: None,
        resolved_by: None,
        is_outdated: Some(on_line && line.is_none() && original_line.is_some()),
        subject_type,
        commit_id: node.text("commit_id").map(Into::into),
        original_commit_id: node.text("original_commit_id").map(Into::into),
        viewer_can_reply: None,
        viewer_can_resolve: None,
        viewer_can_unresolve: None,
        comments: vec![comment],
        comments_total: None,
    };
    Some((Id::Number(id), thread))
}

/// Replies put under what they answer, in the order they came. A reply whose root is gone begins
/// the thread, and further replies to that root join it.
pub fn threads(rows: Vec<Thread>) -> Vec<Thread> {
    let mut threads: Vec<Thread> = Vec::new();
    let mut home: HashMap<Id, usize> = HashMap::new();
    for mut row in rows {
        let own = row.comments.first().and_then(|it| it.id.clone());
        let root = row.comments.first().and_then(|it| it.in_reply_to_id.clone());
        if let Some(at) = root.as_ref().and_then(|it| home.get(it)).copied() {
            threads[at].comments.append(&mut row.comments);
        } else {
            let at = threads.len();
            home.extend(own.into_iter().chain(root).map(|it| (it, at)));
            threads.push(row);
        }
    }
    for thread in &mut threads {
        thread.comments_total = Some(thread.comments.len() as u64);
    }
    threads
}

/// A top-level comment.
pub fn remark(node: Node<'_>) -> Option<(Id, Comment)> {
    Some((Id::Number(node.number("id")?), common(node)))
}

/// A review event.
pub fn verdict(node: Node<'_>) -> Option<(Id, Review)> {
    let id = Id::Number(node.number("id")?);
    let user = node.inner("user");
    let review = Review {
        id: Some(id.clone()),
        author: login(user).map(Into::into),
        author_is_bot: user.and_then(is_bot),
        author_id: user.and_then(|it| it.number("id")).map(Id::Number),
        state: node.text("state").map(Into::into),
        body: node.text("body").map(Into::into),
        submitted_at: node.text("submitted_at").map(Into::into),
        commit_id: node.text("commit_id").map(Into::into),
    };
    Some((id, review))
}

/// An account.
pub fn account(node: Node<'_>) -> Viewer {
    Viewer { login: node.text("login").map(Into::into), id: node.number("id").map(Id::Number) }
}

fn common(node: Node<'_>) -> Comment {
    let user = node.inner("user");
    Comment {
        id: node.number("id").map(Id::Number),
        node_id: node.text("node_id").map(Into::into),
        author: login(user).map(Into::into),
        author_is_bot: user.and_then(is_bot),
        author_id: user.and_then(|it| it.number("id")).map(Id::Number),
        author_association: node.text("author_association").map(Into::into),
        body: node.text("body").map(Into::into),
        created_at: node.text("created_at").map(Into::into),
        updated_at: node.text("updated_at").map(Into::into),
        url: node.text("html_url").map(Into::into),
        ..Comment::default()
    }
}

fn login(user: Option<Node<'_>>) -> Option<&str> {
    user?.text("login")
}

fn is_bot(user: Node<'_>) -> Option<bool> {
    Some(user.text("type")? == "Bot")
}
