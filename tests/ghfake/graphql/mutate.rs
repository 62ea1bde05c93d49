//! Mutations: what they change and what they answer. Must refuse what GitHub refuses: a second
//! pending review, approving one's own pull request, resolving without the right to.

use crate::{
    edit,
    graphql::{
        Trouble,
        fields::{self, Found, Thing},
    },
    store::{Review, Said, Thread, World},
};
use serde_json::Value;

/// What a mutation answers: its type, and the things in it by their ids.
#[derive(Debug)]
pub(crate) struct Payload {
    pub(crate) kind: &'static str,
    things: Vec<(&'static str, String)>,
    client: Value,
}

impl Payload {
    pub(crate) fn field<'a>(&self, world: &'a World, name: &str) -> Found<'a> {
        if name == "clientMutationId" {
            return Found::Value(self.client.clone());
        }
        let found = self.things.iter().find(|it| it.0 == name);
        let Some((_, id)) = found else { return Found::Unknown };
        let thing = match fields::by_id(world, id) {
            Some(it) if name.ends_with("Edge") => Thing::Edge(Box::new(it), id.clone()),
            Some(it) => it,
            None => return Found::One(None),
        };
        Found::One(Some(thing))
    }
}

type Done = Result<(&'static str, Vec<(&'static str, String)>), Trouble>;

/// Runs a mutation.
pub(crate) fn run(world: &mut World, name: &str, input: &Value) -> Result<Payload, Trouble> {
    let (kind, things) = match name {
        "addPullRequestReview" => add_review(world, input)?,
        "addPullRequestReviewThread" => add_thread(world, input)?,
        "addPullRequestReviewThreadReply" => add_reply(world, input)?,
        "resolveReviewThread" => resolve(world, input, true)?,
        "unresolveReviewThread" => resolve(world, input, false)?,
        "submitPullRequestReview" => submit(world, input)?,
        "deletePullRequestReview" => delete_review(world, input)?,
        "dismissPullRequestReview" => dismiss(world, input)?,
        "addComment" => add_comment(world, input)?,
        "minimizeComment" => minimize(world, input)?,
        "deletePullRequestReviewComment" | "deleteIssueComment" => delete(world, input)?,
        "updatePullRequestReviewComment" | "updateIssueComment" => update(world, input)?,
        _ => {
            let message = format!("Field '{name}' doesn't exist on type 'Mutation'");
            return Err(Trouble::new("undefinedField", message));
        }
    };
    Ok(Payload { kind, things, client: input["clientMutationId"].clone() })
}

fn text<'v>(input: &'v Value, name: &str) -> &'v str {
    input[name].as_str().unwrap_or_default()
}

fn missing(id: &str) -> Trouble {
    Trouble::new("NOT_FOUND", format!("Could not resolve to a node with the global id of '{id}'"))
}

fn unprocessable(message: &str) -> Trouble {
    Trouble::new("UNPROCESSABLE", message)
}

fn pull(world: &World, id: &str) -> Result<usize, Trouble> {
    world.pulls.iter().position(|it| it.node == id).ok_or_else(|| missing(id))
}

/// The pull request and place of a thread.
fn thread(world: &World, id: &str) -> Result<(usize, usize), Trouble> {
    let place = |it: &crate::store::Pull| it.threads.iter().position(|it| it.node == id);
    let mut all = world.pulls.iter().enumerate();
    all.find_map(|(at, it)| Some((at, place(it)?))).ok_or_else(|| missing(id))
}

fn review(world: &World, id: &str) -> Result<(usize, usize), Trouble> {
    let place = |it: &crate::store::Pull| it.reviews.iter().position(|it| it.node == id);
    let mut all = world.pulls.iter().enumerate();
    all.find_map(|(at, it)| Some((at, place(it)?))).ok_or_else(|| missing(id))
}

/// The viewer's review that was not submitted.
pub(crate) fn pending(world: &World, pull: usize) -> Option<usize> {
    let ours = |it: &Review| it.state == "PENDING" && it.author == Some(world.viewer);
    world.pulls[pull].reviews.iter().position(ours)
}

/// A comment of the viewer's, made now.
pub(crate) fn say(world: &mut World, body: &str, kind: &str) -> Result<Said, Trouble> {
    if body.trim().is_empty() {
        return Err(unprocessable("Body can't be blank"));
    }
    if body.chars().count() > 65_536 {
        return Err(unprocessable("Body is too long (maximum is 65536 characters)"));
    }
    let (id, now) = (world.fresh(), world.clock.now());
    Ok(Said {
        id,
        node: format!("{kind}kwDO{id}"),
        author: Some(world.viewer),
        association: "MEMBER".into(),
        body: body.to_owned(),
        created: now.clone(),
        updated: now,
        seen_at: world.seen_at(),
        ..Said::default()
    })
}

/// A new review of the viewer's. `event` is none for a pending one.
pub(crate) fn new_review(
    world: &mut World,
    pull: usize,
    event: Option<&str>,
    body: &str,
    commit: Option<&str>,
) -> Result<u64, Trouble> {
    if pending(world, pull).is_some() {
        return Err(unprocessable("User can only have one pending review per pull request"));
    }
    let own = world.pulls[pull].author == Some(world.viewer);
    let state = state_of(event, own)?;
    if matches!(event, Some("COMMENT" | "REQUEST_CHANGES")) && body.trim().is_empty() {
        return Err(unprocessable("Body can't be blank"));
    }
    Ok(push_review(world, pull, state, body, commit))
}

/// A submitted review without a body, as one comes with comments.
pub(crate) fn empty_review(world: &mut World, pull: usize, commit: &str) -> Result<u64, Trouble> {
    if pending(world, pull).is_some() {
        return Err(unprocessable("User can only have one pending review per pull request"));
    }
    let commit = Some(commit).filter(|it| !it.is_empty());
    Ok(push_review(world, pull, "COMMENTED", "", commit))
}

fn push_review(
    world: &mut World,
    pull: usize,
    state: &str,
    body: &str,
    commit: Option<&str>,
) -> u64 {
    let (id, now) = (world.fresh(), world.clock.now());
    let head = world.pulls[pull].head.sha.clone();
    let review = Review {
        id,
        node: format!("PRR_kwDO{id}"),
        author: Some(world.viewer),
        association: "MEMBER".into(),
        state: state.to_owned(),
        body: body.to_owned(),
        submitted: (state != "PENDING").then_some(now),
        commit: commit.map_or(head, str::to_owned),
        seen_at: world.seen_at(),
    };
    world.pulls[pull].reviews.push(review);
    id
}

fn state_of(event: Option<&str>, own: bool) -> Result<&'static str, Trouble> {
    match event {
        None => Ok("PENDING"),
        Some("COMMENT") => Ok("COMMENTED"),
        Some("APPROVE") if own => Err(unprocessable("Can not approve your own pull request")),
        Some("REQUEST_CHANGES") if own => {
            Err(unprocessable("Can not request changes on your own pull request"))
        }
        Some("APPROVE") => Ok("APPROVED"),
        Some("REQUEST_CHANGES") => Ok("CHANGES_REQUESTED"),
        Some(other) => Err(unprocessable(&format!("No such event: {other}"))),
    }
}

/// Whether a pull request has a commit.
pub(crate) fn has_commit(world: &World, pull: usize, sha: &str) -> bool {
    let pull = &world.pulls[pull];
    pull.head.sha == sha || pull.commits.iter().any(|it| it.sha == sha)
}

fn add_review(world: &mut World, input: &Value) -> Done {
    let at = pull(world, text(input, "pullRequestId"))?;
    let commit = input["commitOID"].as_str();
    if commit.is_some_and(|it| !has_commit(world, at, it)) {
        return Err(unprocessable("The provided commit is not part of the pull request"));
    }
    let event = input["event"].as_str();
    let id = new_review(world, at, event, text(input, "body"), commit)?;
    for it in input["threads"].as_array().cloned().unwrap_or_default() {
        place_thread(world, at, &it, Some(id))?;
    }
    let node = format!("PRR_kwDO{id}");
    Ok((
        "AddPullRequestReviewPayload",
        vec![("pullRequestReview", node.clone()), ("reviewEdge", node)],
    ))
}

fn add_thread(world: &mut World, input: &Value) -> Done {
    let (at, id) = if let Some(id) = input["pullRequestReviewId"].as_str() {
        let (at, nth) = review(world, id)?;
        (at, world.pulls[at].reviews[nth].id)
    } else {
        let at = pull(world, text(input, "pullRequestId"))?;
        let there = pending(world, at).map(|it| world.pulls[at].reviews[it].id);
        (at, there.map_or_else(|| new_review(world, at, None, "", None), Ok)?)
    };
    let node = place_thread(world, at, input, Some(id))?;
    Ok(("AddPullRequestReviewThreadPayload", vec![("thread", node)]))
}

/// A new thread at a line or on a file. Like GitHub's GraphQL it takes a line outside every hunk.
pub(crate) fn place_thread(
    world: &mut World,
    at: usize,
    input: &Value,
    review: Option<u64>,
) -> Result<String, Trouble> {
    let path = text(input, "path").to_owned();
    if !world.pulls[at].files.iter().any(|it| it.path == path) {
        return Err(unprocessable("Path could not be resolved"));
    }
    let (line, start) = (input["line"].as_u64(), input["startLine"].as_u64());
    if let (Some(line), Some(start)) = (line, start)
        && start >= line
    {
        return Err(unprocessable("Start line must precede the end line."));
    }
    let mut said = say(world, text(input, "body"), "PRRC_")?;
    said.review = review;
    let of = world.pulls[at].reviews.iter().find(|it| Some(it.id) == review);
    said.pending = of.is_some_and(|it| it.state == "PENDING");
    let side = |name: &str| input[name].as_str().unwrap_or("RIGHT").to_owned();
    let head = world.pulls[at].head.sha.clone();
    let node = format!("PRRT_kwDO{}", said.id);
    world.pulls[at].threads.push(Thread {
        node: node.clone(),
        path,
        line,
        original_line: line,
        start_line: start,
        original_start_line: start,
        side: Some(side("side")),
        start_side: start.map(|_| side("startSide")),
        is_file: input["subjectType"] == "FILE" || line.is_none(),
        is_resolved: false,
        resolved_by: None,
        is_outdated: false,
        commit: head.clone(),
        original_commit: head,
        can_reply: true,
        can_resolve: true,
        said: vec![said],
    });
    Ok(node)
}

fn add_reply(world: &mut World, input: &Value) -> Done {
    let (at, nth) = thread(world, text(input, "pullRequestReviewThreadId"))?;
    let mut said = say(world, text(input, "body"), "PRRC_")?;
    if let Some(id) = input["pullRequestReviewId"].as_str() {
        let (_, of) = review(world, id)?;
        said.review = Some(world.pulls[at].reviews[of].id);
        said.pending = world.pulls[at].reviews[of].state == "PENDING";
    } else if let Some(of) = pending(world, at) {
        said.review = Some(world.pulls[at].reviews[of].id);
        said.pending = true;
    }
    let node = reply(world, at, nth, said);
    Ok(("AddPullRequestReviewThreadReplyPayload", vec![("comment", node)]))
}

/// Adds a comment at the end of a thread and gives its id.
pub(crate) fn reply(world: &mut World, at: usize, nth: usize, mut said: Said) -> String {
    let thread = &mut world.pulls[at].threads[nth];
    said.reply_to = thread.said.first().map(|it| it.id);
    said.hunk = thread.said.first().map_or_else(String::new, |it| it.hunk.clone());
    let node = said.node.clone();
    thread.said.push(said);
    node
}

fn resolve(world: &mut World, input: &Value, resolved: bool) -> Done {
    let id = text(input, "threadId");
    let (at, nth) = thread(world, id)?;
    if !world.repos[world.pulls[at].repo].can_write || !world.pulls[at].threads[nth].can_resolve {
        return Err(Trouble::new("FORBIDDEN", "Resource not accessible by personal access token"));
    }
    let viewer = world.viewer;
    let thread = &mut world.pulls[at].threads[nth];
    thread.is_resolved = resolved;
    thread.resolved_by = resolved.then_some(viewer);
    let kind = if resolved { "ResolveReviewThreadPayload" } else { "UnresolveReviewThreadPayload" };
    Ok((kind, vec![("thread", id.to_owned())]))
}

fn submit(world: &mut World, input: &Value) -> Done {
    let (at, nth) = if let Some(id) = input["pullRequestReviewId"].as_str() {
        review(world, id)?
    } else {
        let at = pull(world, text(input, "pullRequestId"))?;
        (at, pending(world, at).ok_or_else(|| unprocessable("No pending review"))?)
    };
    submit_at(world, at, nth, text(input, "event"), input["body"].as_str())?;
    let node = world.pulls[at].reviews[nth].node.clone();
    Ok(("SubmitPullRequestReviewPayload", vec![("pullRequestReview", node)]))
}

/// Submits a pending review and everything in it.
pub(crate) fn submit_at(
    world: &mut World,
    at: usize,
    nth: usize,
    event: &str,
    body: Option<&str>,
) -> Result<(), Trouble> {
    let own = world.pulls[at].author == Some(world.viewer);
    let (state, now) = (state_of(Some(event), own)?, world.clock.now());
    let pull = &mut world.pulls[at];
    let review = &mut pull.reviews[nth];
    if review.state != "PENDING" {
        return Err(unprocessable("Could not submit a review that is not pending"));
    }
    state.clone_into(&mut review.state);
    review.submitted = Some(now);
    if let Some(body) = body {
        body.clone_into(&mut review.body);
    }
    let id = review.id;
    let mine = pull.threads.iter_mut().flat_map(|it| &mut it.said);
    mine.filter(|it| it.review == Some(id)).for_each(|it| it.pending = false);
    Ok(())
}

fn delete_review(world: &mut World, input: &Value) -> Done {
    let id = text(input, "pullRequestReviewId");
    let (at, nth) = review(world, id)?;
    delete_review_at(world, at, nth)?;
    Ok(("DeletePullRequestReviewPayload", vec![("pullRequestReview", id.to_owned())]))
}

/// Deletes a pending review with its comments; a submitted one stays.
pub(crate) fn delete_review_at(world: &mut World, at: usize, nth: usize) -> Result<(), Trouble> {
    let pull = &mut world.pulls[at];
    if pull.reviews[nth].state != "PENDING" {
        return Err(unprocessable("Can not delete a non-pending pull request review"));
    }
    let id = pull.reviews.remove(nth).id;
    for it in &mut pull.threads {
        it.said.retain(|it| it.review != Some(id));
    }
    pull.threads.retain(|it| !it.said.is_empty());
    Ok(())
}

fn dismiss(world: &mut World, input: &Value) -> Done {
    let id = text(input, "pullRequestReviewId");
    let (at, nth) = review(world, id)?;
    "DISMISSED".clone_into(&mut world.pulls[at].reviews[nth].state);
    Ok(("DismissPullRequestReviewPayload", vec![("pullRequestReview", id.to_owned())]))
}

fn add_comment(world: &mut World, input: &Value) -> Done {
    let id = text(input, "subjectId");
    let at = pull(world, id)?;
    let said = say(world, text(input, "body"), "IC_")?;
    let node = said.node.clone();
    world.pulls[at].remarks.push(said);
    Ok(("AddCommentPayload", vec![("commentEdge", node), ("subject", id.to_owned())]))
}

fn numbered(world: &World, node: &str) -> Result<(usize, u64), Trouble> {
    let mut pulls = world.pulls.iter().enumerate();
    let found = pulls.find_map(|(at, it)| {
        let mut all = it.threads.iter().flat_map(|it| &it.said).chain(&it.remarks);
        all.find(|it| it.node == node).map(|it| (at, it.id))
    });
    found.ok_or_else(|| missing(node))
}

fn minimize(world: &mut World, input: &Value) -> Done {
    let node = text(input, "subjectId");
    let (at, id) = numbered(world, node)?;
    if let Some(it) = edit::find(&mut world.pulls[at], id) {
        it.minimized = Some(text(input, "classifier").to_lowercase());
    }
    Ok(("MinimizeCommentPayload", vec![("minimizedComment", node.to_owned())]))
}

fn delete(world: &mut World, input: &Value) -> Done {
    let (at, id) = numbered(world, text(input, "id"))?;
    edit::delete(&mut world.pulls[at], id);
    Ok(("DeletePayload", Vec::new()))
}

fn update(world: &mut World, input: &Value) -> Done {
    let node = input["pullRequestReviewCommentId"].as_str().unwrap_or_else(|| text(input, "id"));
    let (at, id) = numbered(world, node)?;
    let now = world.clock.now();
    if let Some(it) = edit::find(&mut world.pulls[at], id) {
        text(input, "body").clone_into(&mut it.body);
        it.updated = now;
    }
    let name = if input["id"].is_string() { "issueComment" } else { "pullRequestReviewComment" };
    Ok(("UpdatePayload", vec![(name, node.to_owned())]))
}
