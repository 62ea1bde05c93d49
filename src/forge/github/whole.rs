//! A whole pull request as a capture: first what the first screen needs, in one round trip, then
//! everything else. Must not leave anything out silently, and must not write.

use crate::domain::capture::{
    Capture, Comment, Completeness, ForgeName, PullRequest, Review, Thread, Viewer,
};
use crate::forge::{
    github::{
        answer::{Refusal, refusal},
        convert,
        envelope::{Envelope, Fault},
        files::{self, Files},
        plain,
        read::{News, PAGE, Reader, Watch},
        talk::{self, Gathered, Talk},
        trouble::Why,
        wire::Node,
    },
    target::PullRequestName,
};
use serde_json::{Map, Value};
use std::time::Duration;

/// A capture, and what was odd on the way to it.
#[derive(Debug, Clone)]
pub struct Fetched {
    pub capture: Capture,
    /// One sentence each: lists the account may not see, items that could not be read.
    pub notices: Vec<String>,
}

/// The lists while they are gathered.
#[derive(Clone)]
struct Lists {
    pull: PullRequest,
    viewer: Option<Viewer>,
    changed: Option<u64>,
    files: Files,
    threads: Gathered<Talk>,
    remarks: Gathered<Comment>,
    verdicts: Gathered<Review>,
    notices: Vec<String>,
}

/// Reads it. `first` gets a capture that is good enough for a first screen, as soon as there is
/// one; `taken_at` is the time of the capture (RFC 3339).
pub fn read(
    reader: &Reader<'_>,
    name: &PullRequestName,
    taken_at: &str,
    first: &mut dyn FnMut(Fetched),
) -> Result<Fetched, Why> {
    let whose = talk::named(&name.owner, &name.repository, name.number);
    let mut lists = begin(reader, name, &whose)?;
    let whole = lists.is_whole();
    if !whole {
        first(lists.clone().capture(name, taken_at));
    }
    files::rest(reader, name, &mut lists.files, lists.changed)?;
    talk::rest(
        reader,
        &mut lists.threads,
        ("Threads", "reviewThreads", "threads"),
        &whose,
        talk::thread,
    )?;
    talk::further(reader, &mut lists.threads.items)?;
    talk::rest(
        reader,
        &mut lists.remarks,
        ("Remarks", "comments", "remarks"),
        &whose,
        talk::remark,
    )?;
    talk::rest(
        reader,
        &mut lists.verdicts,
        ("Verdicts", "reviews", "reviews"),
        &whose,
        talk::verdict,
    )?;
    files::again(reader, name, &mut lists.files, lists.changed)?;
    look_again(reader, &mut lists, &whose)?;
    Ok(lists.capture(name, taken_at))
}

/// The first page of everything, side by side: one round trip.
fn begin(
    reader: &Reader<'_>,
    name: &PullRequestName,
    whose: &Map<String, Value>,
) -> Result<Lists, Why> {
    let (lists, files) = std::thread::scope(|scope| {
        let files = scope.spawn(|| files::first(reader, name));
        let lists = match discussion(reader, name, whose) {
            Err(why @ (Why::Limit { .. } | Why::Trouble(_) | Why::Invalid(_))) => {
                without_graphql(reader, name, why)
            }
            other => other,
        };
        let fault = || Err(Why::Invalid(Some("a fault of ours".to_owned())));
        (lists, files.join().unwrap_or_else(|_| fault()))
    });
    let mut lists = lists?;
    match files {
        Ok(files) => lists.files = files,
        Err(Why::Cancelled) => return Err(Why::Cancelled),
        // The discussion alone is worth a screen; that the files are missing is said.
        Err(why) => lists.notices.push(format!("the changed files could not be read: {why}")),
    }
    Ok(lists)
}

/// How long a limit of GraphQL is waited out before REST is tried, whose quota is another.
const SHORT: Duration = Duration::from_secs(60);

/// The pull request and the first page of its discussion.
fn discussion(
    reader: &Reader<'_>,
    name: &PullRequestName,
    whose: &Map<String, Value>,
) -> Result<Lists, Why> {
    let watch = Watch { longest: reader.watch.longest.min(SHORT), ..reader.watch };
    let (mut envelope, answer) = Reader { watch, ..*reader }.document("Pull", &|page| {
        let mut variables = whose.clone();
        variables.insert("page".into(), page.into());
        variables.insert("comments".into(), PAGE.into());
        Value::Object(variables)
    })?;
    let value = envelope.take(&["repository", "pullRequest"]);
    let Some(pull) = value.as_ref().and_then(Node::new) else { return Err(missing(&envelope)) };
    let mut notices: Vec<String> = envelope.errors.iter().map(partial).collect();
    if let Some(sso) = answer.header("x-github-sso") {
        notices.push(format!(
            "parts are hidden until the token is authorised for single sign-on ({sso})"
        ));
    }
    let mut lists = Lists {
        pull: convert::pull(pull, name.number),
        viewer: envelope.at(&["viewer"]).and_then(Node::new).map(convert::viewer),
        changed: pull.number("changedFiles"),
        files: Files::default(),
        threads: Gathered::default(),
        remarks: Gathered::default(),
        verdicts: Gathered::default(),
        notices,
    };
    lists.threads.take(pull.page("reviewThreads"), talk::thread);
    lists.remarks.take(pull.page("comments"), talk::remark);
    lists.verdicts.take(pull.page("reviews"), talk::verdict);
    Ok(lists)
}

/// The same over REST. If that fails too, the first reason is the one to tell.
fn without_graphql(reader: &Reader<'_>, name: &PullRequestName, why: Why) -> Result<Lists, Why> {
    let plain = match plain::read(reader, name) {
        Ok(plain) => plain,
        Err(Why::Cancelled) => return Err(Why::Cancelled),
        Err(_) => return Err(why),
    };
    let notice = format!(
        "whether threads are resolved is not known, since GraphQL did not answer ({why}); what was said is here"
    );
    Ok(Lists {
        pull: plain.pull,
        viewer: None,
        changed: plain.changed,
        files: Files::default(),
        threads: Gathered::whole(plain.threads.into_iter().map(Talk::whole).collect()),
        remarks: Gathered::whole(plain.remarks),
        verdicts: Gathered::whole(plain.verdicts),
        notices: vec![notice],
    })
}

/// Cursors shift too when threads come and go: one more pass when some are missing.
fn look_again(
    reader: &Reader<'_>,
    lists: &mut Lists,
    whose: &Map<String, Value>,
) -> Result<(), Why> {
    let threads = &mut lists.threads;
    let here = threads.items.len() as u64 + threads.skipped;
    if threads.broken || threads.total.is_none_or(|it| it <= here) {
        return Ok(());
    }
    (reader.watch.tell)(News::Read { list: "threads", here, total: threads.total });
    // The document for further pages with no cursor begins at the first.
    let (mut envelope, _) = reader.document("Threads", &|page| {
        let mut variables = whose.clone();
        variables.insert("page".into(), page.into());
        variables.insert("comments".into(), PAGE.into());
        Value::Object(variables)
    })?;
    let pull = envelope.take(&["repository", "pullRequest"]);
    threads.take(
        pull.as_ref().and_then(Node::new).and_then(|it| it.page("reviewThreads")),
        talk::thread,
    );
    talk::rest(reader, threads, ("Threads", "reviewThreads", "threads"), whose, talk::thread)?;
    talk::further(reader, &mut threads.items)
}

/// Why there is no pull request in an answer that has data.
fn missing(envelope: &Envelope) -> Why {
    envelope.errors.first().map_or(Why::Missing, |it| match refusal(it) {
        Refusal::Invalid { says } if says.is_empty() => Why::Missing,
        it => it.into(),
    })
}

/// An error beside data, in words: what is missing, and why.
fn partial(fault: &Fault) -> String {
    let place = fault.path.as_deref().unwrap_or_default().iter();
    let place: Vec<String> = place
        .map(|it| it.as_str().map_or_else(|| it.to_string(), str::to_owned))
        .filter(|it| it != "repository" && it != "pullRequest")
        .collect();
    let place = if place.is_empty() { "a part".to_owned() } else { place.join(".") };
    let why = match refusal(fault) {
        Refusal::Forbidden { .. } => "this account may not see it".to_owned(),
        Refusal::SingleSignOn { .. } => "the token is not authorised for single sign-on".to_owned(),
        Refusal::Missing => "it is not there".to_owned(),
        _ => fault.message.clone().unwrap_or_else(|| "no reason given".to_owned()),
    };
    format!("{place} is missing: {why}")
}

impl Lists {
    /// Whether one round trip was all it took.
    fn is_whole(&self) -> bool {
        let files = self.changed.is_none_or(|it| self.files.files.len() as u64 >= it);
        files
            && self.threads.next.is_none()
            && self.remarks.next.is_none()
            && self.verdicts.next.is_none()
            && self.threads.items.iter().all(|it| it.comments.next.is_none())
    }

    /// What is here now, as a capture.
    fn capture(self, name: &PullRequestName, taken_at: &str) -> Fetched {
        let skipped: u64 = self.threads.items.iter().map(|it| it.comments.skipped).sum();
        let mut notices = self.notices;
        if skipped > 0 {
            notices.push(format!("{skipped} comments in threads could not be read"));
        }
        let completeness = Completeness {
            files: self.files.extent(self.changed),
            review_threads: self.threads.extent(),
            issue_comments: self.remarks.extent(),
            reviews: self.verdicts.extent(),
        };
        let threads = self.threads.items.into_iter().map(|it| {
            let comments_total = it.comments.extent().total;
            Thread { comments: it.comments.items, comments_total, ..it.thread }
        });
        let capture = Capture {
            format: "casefile-capture".to_owned(),
            version: 1,
            captured_at: Some(taken_at.to_owned()),
            forge: Some(ForgeName {
                kind: Some("github".to_owned()),
                host: Some(name.host.clone()),
            }),
            repository: format!("{}/{}", name.owner, name.repository),
            pull_request: self.pull,
            files: Some(self.files.files),
            issue_comments: self.remarks.items,
            review_threads: threads.collect(),
            reviews: self.verdicts.items,
            completeness,
            viewer: self.viewer,
        };
        Fetched { capture, notices }
    }
}
