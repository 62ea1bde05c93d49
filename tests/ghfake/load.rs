//! A capture file as a part of the store. What an export lacks is made up the same way each time.
//! Must not refuse a capture for what it lacks.

use crate::store::{Commit, File, Pull, Review, Said, Thread, Tip, World, sha};
use flate2::read::MultiGzDecoder;
use serde_json::Value;
use std::io::Read as _;

/// When nothing says when.
const LONG_AGO: &str = "2024-01-01T00:00:00Z";

/// Reads a capture file into the store.
pub(crate) fn capture(world: &mut World, path: &str) -> Result<(), String> {
    let mut bytes = std::fs::read(path).map_err(|it| format!("{path}: {it}"))?;
    if bytes.starts_with(&[0x1f, 0x8b]) {
        let mut plain = Vec::new();
        let unpacked = MultiGzDecoder::new(&bytes[..]).read_to_end(&mut plain);
        unpacked.map_err(|it| format!("{path}: {it}"))?;
        bytes = plain;
    }
    let it: Value = serde_json::from_slice(&bytes).map_err(|it| format!("{path}: {it}"))?;
    if it["format"] != "casefile-capture" {
        return Err(format!("{path} is no capture file"));
    }
    let pull = pull(world, &it);
    world.pulls.push(pull);
    Ok(())
}

fn pull(world: &mut World, it: &Value) -> Pull {
    let given = &it["pull_request"];
    let host = text(&it["forge"], "host").unwrap_or_else(|| "github.com".into());
    let repository = text(it, "repository").unwrap_or_default();
    let (owner, name) = repository.split_once('/').unwrap_or(("example", &repository));
    let repo = world.repo(&host, owner, name);
    let number = given["number"].as_u64().unwrap_or(1);
    let author = person(world, given);
    let base = tip(&given["base"], "main", &repository);
    let head = tip(&given["head"], "topic", &format!("{repository}#{number}"));
    let state = text(given, "state").unwrap_or_else(|| "open".into()).to_uppercase();
    let created = text(given, "created_at").unwrap_or_else(|| LONG_AGO.into());
    let labels = given["labels"].as_array().into_iter().flatten();
    let id = world.fresh();
    Pull {
        id,
        node: format!("PR_kwDO{id}"),
        repo,
        number,
        title: text(given, "title").unwrap_or_default(),
        body: text(given, "body"),
        author,
        state,
        draft: given["draft"].as_bool().unwrap_or(false),
        locked: given["locked"].as_bool().unwrap_or(false),
        merge_base: text(given, "merge_base").unwrap_or_else(|| base.sha.clone()),
        updated: text(given, "updated_at").unwrap_or_else(|| created.clone()),
        files: list(&it["files"]).iter().map(file).collect(),
        threads: list(&it["review_threads"]).iter().map(|it| thread(world, it, &head)).collect(),
        remarks: list(&it["issue_comments"]).iter().map(|it| said(world, it, "IC_")).collect(),
        reviews: list(&it["reviews"]).iter().map(|it| review(world, it, &head)).collect(),
        commits: vec![Commit {
            sha: head.sha.clone(),
            message: text(given, "title").unwrap_or_default(),
            at: created.clone(),
            files: Vec::new(),
        }],
        requested: Vec::new(),
        labels: labels
            .filter_map(|it| it.as_str().map(str::to_owned).or(text(it, "name")))
            .collect(),
        created,
        base,
        head,
    }
}

fn tip(it: &Value, name: &str, seed: &str) -> Tip {
    Tip {
        name: text(it, "ref").unwrap_or_else(|| name.into()),
        sha: text(it, "sha").unwrap_or_else(|| sha(&format!("{seed} {name}"))),
    }
}

fn file(it: &Value) -> File {
    let path = text(it, "path").unwrap_or_default();
    let patch = text(it, "patch");
    File {
        previous: text(it, "previous_path"),
        status: text(it, "status").unwrap_or_else(|| "modified".into()),
        additions: it["additions"].as_u64().unwrap_or(0),
        deletions: it["deletions"].as_u64().unwrap_or(0),
        sha: sha(&format!("{path} {}", patch.as_deref().unwrap_or_default())),
        patch,
        path,
    }
}

fn thread(world: &mut World, it: &Value, head: &Tip) -> Thread {
    let number = |name: &str| it[name].as_u64();
    let side = |name: &str| text(it, name).map(|it| it.to_uppercase());
    let node = match &it["id"] {
        Value::String(id) => id.clone(),
        other => format!("PRRT_{other}"),
    };
    let resolved_by = text(it, "resolved_by").map(|it| world.user(&it, false, None));
    let mut said: Vec<Said> =
        list(&it["comments"]).iter().map(|it| self::said(world, it, "PRRC_")).collect();
    let root = said.first().map(|it| it.id);
    for (at, it) in said.iter_mut().enumerate() {
        it.reply_to = root.filter(|_| at > 0);
    }
    let commit = text(it, "commit_id").unwrap_or_else(|| head.sha.clone());
    Thread {
        node,
        path: text(it, "path").unwrap_or_default(),
        line: number("line"),
        original_line: number("original_line").or_else(|| number("line")),
        start_line: number("start_line"),
        original_start_line: number("original_start_line").or_else(|| number("start_line")),
        side: side("side"),
        start_side: side("start_side"),
        is_file: text(it, "subject_type").is_some_and(|it| it.eq_ignore_ascii_case("file")),
        is_resolved: it["is_resolved"].as_bool().unwrap_or(false),
        resolved_by,
        is_outdated: it["is_outdated"].as_bool().unwrap_or(false),
        original_commit: text(it, "original_commit_id").unwrap_or_else(|| commit.clone()),
        commit,
        can_reply: it["viewer_can_reply"].as_bool().unwrap_or(true),
        can_resolve: it["viewer_can_resolve"].as_bool().unwrap_or(true),
        said,
    }
}

fn said(world: &mut World, it: &Value, kind: &str) -> Said {
    let id = it["id"].as_u64().unwrap_or_else(|| world.fresh());
    let created = text(it, "created_at").unwrap_or_else(|| LONG_AGO.into());
    Said {
        id,
        node: text(it, "node_id").unwrap_or_else(|| format!("{kind}kwDO{id}")),
        author: person(world, it),
        association: text(it, "author_association").unwrap_or_else(|| "NONE".into()),
        body: text(it, "body").unwrap_or_default(),
        updated: text(it, "updated_at").unwrap_or_else(|| created.clone()),
        created,
        hunk: text(it, "diff_hunk").unwrap_or_default(),
        url: text(it, "url"),
        reply_to: None,
        minimized: it["is_minimized"]
            .as_bool()
            .filter(|it| *it)
            .map(|_| text(it, "minimized_reason").unwrap_or_else(|| "outdated".into())),
        review: it["pull_request_review_id"].as_u64(),
        pending: text(it, "state").is_some_and(|it| it == "PENDING"),
        seen_at: 0,
    }
}

fn review(world: &mut World, it: &Value, head: &Tip) -> Review {
    let id = it["id"].as_u64().unwrap_or_else(|| world.fresh());
    Review {
        id,
        node: text(it, "node_id").unwrap_or_else(|| format!("PRR_kwDO{id}")),
        author: person(world, it),
        association: text(it, "author_association").unwrap_or_else(|| "NONE".into()),
        state: text(it, "state").unwrap_or_else(|| "COMMENTED".into()).to_uppercase(),
        body: text(it, "body").unwrap_or_default(),
        submitted: text(it, "submitted_at"),
        commit: text(it, "commit_id").unwrap_or_else(|| head.sha.clone()),
        seen_at: 0,
    }
}

/// `None` where the capture names nobody: a ghost.
fn person(world: &mut World, it: &Value) -> Option<usize> {
    let login = text(it, "author")?;
    let is_bot = it["author_is_bot"].as_bool().unwrap_or(false);
    Some(world.user(&login, is_bot, it["author_id"].as_u64()))
}

fn text(it: &Value, name: &str) -> Option<String> {
    it[name].as_str().filter(|it| !it.is_empty()).map(str::to_owned)
}

fn list(it: &Value) -> Vec<Value> {
    it.as_array().cloned().unwrap_or_default()
}
