//! What tests ask and tell this GitHub beside its own API: `/_log`, `/_store`, `/_fault`, `/_clock`,
//! `/_edit`. Must not be counted or logged.

use crate::{
    edit,
    http::{Answer, Request},
    server::State,
    store::{Pull, Said, World},
};
use serde_json::{Value, json};

pub(crate) fn answer(state: &mut State, request: &Request) -> Answer {
    let text = String::from_utf8_lossy(&request.body).into_owned();
    let done = match (request.method.as_str(), request.path.as_str()) {
        ("GET", "/_log") => Ok(json!(state.log)),
        ("DELETE", "/_log") => {
            state.log.clear();
            Ok(json!({}))
        }
        ("GET", "/_store") => Ok(whole(&state.world)),
        ("POST", "/_fault") => {
            if request.query.iter().any(|it| it.0 == "reset") {
                state.faults.forget();
            }
            state.faults.add(&text).map(|()| json!({}))
        }
        ("POST", "/_clock") => clock(state, &text),
        ("POST", "/_edit") => match serde_json::from_str::<Vec<Value>>(&text) {
            Ok(list) => {
                edit::all(&mut state.world, &list);
                Ok(json!({}))
            }
            Err(error) => Err(error.to_string()),
        },
        _ => Err(format!("no such control: {} {}", request.method, request.path)),
    };
    match done {
        Ok(value) => Answer::json(200, &value),
        Err(why) => Answer::json(400, &json!({ "message": why })),
    }
}

fn clock(state: &mut State, text: &str) -> Result<Value, String> {
    let wanted: Value = serde_json::from_str(text).map_err(|it| it.to_string())?;
    let clock = &mut state.world.clock;
    if let Some(frozen) = wanted["frozen"].as_bool() {
        clock.set_frozen(frozen);
    }
    clock.advance(wanted["advance_ms"].as_i64().unwrap_or(0));
    Ok(json!({ "now_ms": clock.now_ms() }))
}

/// Everything kept, for a test's verdict: pending and lagging things too.
fn whole(world: &World) -> Value {
    let pulls: Vec<Value> = world.pulls.iter().map(|it| pull(world, it)).collect();
    json!({ "viewer": world.login(Some(world.viewer)), "pulls": pulls })
}

fn pull(world: &World, pull: &Pull) -> Value {
    let threads = pull.threads.iter().map(|it| {
        json!({
            "id": it.node, "path": it.path, "line": it.line, "side": it.side,
            "start_line": it.start_line, "start_side": it.start_side,
            "is_resolved": it.is_resolved, "resolved_by": world.login(it.resolved_by),
            "is_outdated": it.is_outdated,
            "comments": it.said.iter().map(|it| said(world, it)).collect::<Vec<_>>(),
        })
    });
    let reviews = pull.reviews.iter().map(|it| {
        json!({
            "id": it.id, "node_id": it.node, "author": world.login(it.author), "state": it.state,
            "body": it.body, "commit_id": it.commit, "submitted_at": it.submitted,
        })
    });
    json!({
        "repository": world.repos[pull.repo].full_name(), "number": pull.number,
        "state": pull.state, "head": pull.head.sha, "base": pull.base.sha,
        "files": pull.files.len(),
        "threads": threads.collect::<Vec<_>>(),
        "issue_comments": pull.remarks.iter().map(|it| said(world, it)).collect::<Vec<_>>(),
        "reviews": reviews.collect::<Vec<_>>(),
    })
}

fn said(world: &World, it: &Said) -> Value {
    json!({
        "id": it.id, "node_id": it.node, "author": world.login(it.author), "body": it.body,
        "created_at": it.created, "reply_to": it.reply_to, "review": it.review,
        "pending": it.pending, "minimized": it.minimized,
    })
}
