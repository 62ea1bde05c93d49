//! Changes that somebody else makes, between or during calls. Must be able to fail silently: an edit
//! of something that is gone changes nothing.
//!
//! Each is an object with `op`, and `repository` (`owner/name`) and `number` where there is more than
//! one pull request: `push` (`sha`; `patches`, path to patch; `force` forgets the commits before),
//! `base` (`sha`), `comment` (`thread`, `body`, `author`), `thread` (`path`, `line`, `body`, `author`), `remark` (`body`, `author`), `delete_comment` (`id`),
//! `delete_first_comment`, `delete_thread` (`thread`), `resolve`/`unresolve` (`thread`),
//! `edit_comment` (`id`, `body`), `can_write` (`value`), `request` (`login`), `state` (`value`).

use crate::store::{Commit, Pull, Said, Thread, World};
use serde_json::Value;

pub(crate) fn all(world: &mut World, edits: &[Value]) {
    for it in edits {
        one(world, it);
    }
}

fn one(world: &mut World, it: &Value) -> Option<()> {
    let at = target(world, it)?;
    let text = |name: &str| it[name].as_str().unwrap_or_default().to_owned();
    let now = world.clock.now();
    match it["op"].as_str()? {
        "push" => push(&mut world.pulls[at], it, &now),
        "base" => world.pulls[at].base.sha = text("sha"),
        "comment" => {
            let mut said = said(world, it, "PRRC_");
            let thread = world.pulls[at].threads.iter_mut().find(|it| it.node == text("thread"))?;
            said.reply_to = thread.said.first().map(|it| it.id);
            thread.said.push(said);
        }
        "thread" => {
            let thread = thread(world, it, at);
            world.pulls[at].threads.push(thread);
        }
        "remark" => {
            let said = said(world, it, "IC_");
            world.pulls[at].remarks.push(said);
        }
        "delete_comment" => delete(&mut world.pulls[at], it["id"].as_u64()?),
        "delete_first_comment" => {
            let first = world.pulls[at].threads.first()?.said.first()?.id;
            delete(&mut world.pulls[at], first);
        }
        "delete_thread" => world.pulls[at].threads.retain(|it| it.node != text("thread")),
        op @ ("resolve" | "unresolve") => {
            let viewer = world.viewer;
            let thread = world.pulls[at].threads.iter_mut().find(|it| it.node == text("thread"))?;
            thread.is_resolved = op == "resolve";
            thread.resolved_by = (op == "resolve").then_some(viewer);
        }
        "edit_comment" => {
            let said = find(&mut world.pulls[at], it["id"].as_u64()?)?;
            said.body = text("body");
            said.updated = now;
        }
        "can_write" => {
            let repo = world.pulls[at].repo;
            world.repos[repo].can_write = it["value"].as_bool()?;
        }
        "request" => {
            let user = world.user(&text("login"), false, None);
            world.pulls[at].requested.push(user);
        }
        "state" => world.pulls[at].state = text("value"),
        _ => return None,
    }
    Some(())
}

fn target(world: &World, it: &Value) -> Option<usize> {
    match it["repository"].as_str().and_then(|it| it.split_once('/')) {
        Some((owner, name)) => world.find_pull(owner, name, it["number"].as_u64()?),
        None => (!world.pulls.is_empty()).then_some(0),
    }
}

/// A new head: threads stay where they were said and are outdated.
fn push(pull: &mut Pull, it: &Value, now: &str) {
    let sha = it["sha"].as_str().unwrap_or_default().to_owned();
    if let Some(last) = pull.commits.last_mut() {
        last.files.clone_from(&pull.files);
    }
    if it["force"] == true {
        pull.commits.clear();
    }
    for file in &mut pull.files {
        if let Some(patch) = it["patches"][&file.path].as_str() {
            file.patch = Some(patch.to_owned());
        }
    }
    for it in &mut pull.threads {
        it.is_outdated = true;
        it.line = None;
        it.start_line = None;
    }
    let message = "another commit".to_owned();
    pull.commits.push(Commit { sha: sha.clone(), message, at: now.to_owned(), files: Vec::new() });
    pull.head.sha = sha;
    now.clone_into(&mut pull.updated);
}

fn said(world: &mut World, it: &Value, kind: &str) -> Said {
    let id = world.fresh();
    let author = it["author"].as_str().unwrap_or("somebody");
    let now = world.clock.now();
    Said {
        id,
        node: format!("{kind}kwDO{id}"),
        author: Some(world.user(author, false, None)),
        association: "CONTRIBUTOR".into(),
        body: it["body"].as_str().unwrap_or_default().to_owned(),
        created: now.clone(),
        updated: now,
        ..Said::default()
    }
}

fn thread(world: &mut World, it: &Value, at: usize) -> Thread {
    let said = said(world, it, "PRRC_");
    let line = it["line"].as_u64();
    let head = world.pulls[at].head.sha.clone();
    Thread {
        node: format!("PRRT_kwDO{}", said.id),
        path: it["path"].as_str().unwrap_or_default().to_owned(),
        line,
        original_line: line,
        start_line: None,
        original_start_line: None,
        side: Some(it["side"].as_str().unwrap_or("RIGHT").to_owned()),
        start_side: None,
        is_file: line.is_none(),
        is_resolved: false,
        resolved_by: None,
        is_outdated: false,
        commit: head.clone(),
        original_commit: head,
        can_reply: true,
        can_resolve: true,
        said: vec![said],
    }
}

/// Removes a comment; a thread without one goes with it.
pub(crate) fn delete(pull: &mut Pull, id: u64) {
    for it in &mut pull.threads {
        it.said.retain(|it| it.id != id);
    }
    pull.threads.retain(|it| !it.said.is_empty());
    pull.remarks.retain(|it| it.id != id);
}

pub(crate) fn find(pull: &mut Pull, id: u64) -> Option<&mut Said> {
    let inline = pull.threads.iter_mut().flat_map(|it| &mut it.said);
    inline.chain(&mut pull.remarks).find(|it| it.id == id)
}
