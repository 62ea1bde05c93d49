//! The dossier as JSON, version 1: facts, talk and summaries together, for programs.
//! Must not show or escape: raw text stays as the forge sent it, and a program that prints it must
//! treat it as untrusted. `docs/dossier.schema.json` is made from the shapes below.

use crate::domain::text::outside::OutsideOption as _;
use crate::{
    domain::{
        anchor::{Absence, Place},
        capture::{Comment, Completeness, Id},
        diff::{Body, Change, Diff, FileDiff},
    },
    export::{
        join::{Dossier, Entry, actor, left_out},
        notices::{Weight, hidden_in, notices},
    },
    summary::discussion::{CommentSummary, Omitted, Provenance, ThreadSummary},
};
use schemars::JsonSchema;
use serde::Serialize;

/// Raised when a field changes meaning.
pub const VERSION: u32 = 1;

/// The document.
pub fn document(dossier: &Dossier<'_>) -> String {
    let mut text = serde_json::to_string_pretty(&Document::of(dossier))
        .expect("strings, numbers and lists always serialise");
    text.push('\n');
    text
}

/// The schema of the document, as it is published.
pub fn schema() -> String {
    let schema = schemars::schema_for!(Document<'_>);
    let mut text = serde_json::to_string_pretty(&schema).expect("a schema is JSON");
    text.push('\n');
    text
}

/// A dossier: one pull request, its files, its discussion, and the summary of it.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "casefile dossier", rename = "Dossier")]
#[serde(deny_unknown_fields)]
struct Document<'a> {
    /// `casefile-dossier`.
    format: &'static str,
    version: u32,
    pull_request: PullRequest<'a>,
    /// How much of each list the capture holds.
    completeness: &'a Completeness,
    /// What a reader must know before believing the rest.
    notices: Vec<NoticeForm>,
    counts: CountsForm,
    files: Vec<FileForm<'a>>,
    /// Every thread of the capture, in its order.
    threads: Vec<ThreadForm<'a>>,
    /// Every top-level comment of the capture, in its order.
    comments: Vec<CommentForm<'a>>,
    discussion: DiscussionForm<'a>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "PullRequest")]
#[serde(deny_unknown_fields)]
struct PullRequest<'a> {
    host: &'a str,
    /// `owner/name`.
    repository: &'a str,
    number: u64,
    title: Option<&'a str>,
    body: Option<&'a str>,
    author: Option<&'a str>,
    url: Option<&'a str>,
    base_sha: Option<&'a str>,
    head_sha: Option<&'a str>,
    /// RFC 3339.
    captured_at: Option<&'a str>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Notice")]
#[serde(deny_unknown_fields)]
struct NoticeForm {
    /// The document is not all there is, or a summary should not be taken alone.
    warning: bool,
    text: String,
}

/// Threads by status; the first four add up to `total`.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Counts")]
#[serde(deny_unknown_fields)]
struct CountsForm {
    total: usize,
    unresolved: usize,
    settled: usize,
    noted: usize,
    without_summary: usize,
    outdated: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "File")]
#[serde(deny_unknown_fields)]
struct FileForm<'a> {
    path: &'a str,
    previous_path: Option<&'a str>,
    change: ChangeForm,
    /// In percent, of a rename or a copy, where the diff says it.
    similarity: Option<u8>,
    additions: u32,
    deletions: u32,
    content: ContentForm,
    /// Why the content is not here.
    reason: Option<&'a str>,
    /// Characters of the path and the lines that a reader would not see.
    hidden_characters: usize,
    /// Numbers of the threads that stand in this file.
    threads: Vec<usize>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Change")]
#[serde(rename_all = "snake_case")]
enum ChangeForm {
    Added,
    Removed,
    Modified,
    Renamed,
    Copied,
    TypeChanged,
    ModeChanged,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Content")]
#[serde(rename_all = "snake_case")]
enum ContentForm {
    Text,
    Binary,
    Submodule,
    Empty,
    Unchanged,
    NotLoaded,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Thread")]
#[serde(deny_unknown_fields)]
struct ThreadForm<'a> {
    /// 1-based place in the capture.
    number: usize,
    id: &'a Id,
    /// As the forge spelled it, which may be a name before a rename.
    path: &'a str,
    place: PlaceForm<'a>,
    /// Comments the forge says there are, where it says so; more than `comments` when cut.
    comments_total: Option<u64>,
    comments: Vec<CommentForm<'a>>,
    /// `null` when the discussion was left out.
    summary: Option<&'a ThreadSummary>,
}

/// Where a thread stands in this diff.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Place")]
#[serde(deny_unknown_fields)]
struct PlaceForm<'a> {
    kind: PlaceKind,
    /// The file's path in this diff.
    file: Option<&'a str>,
    /// For people: `R118`, `L3–R7`, `whole file`.
    position: String,
    /// The forge named no side; this one was found.
    side_guessed: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum PlaceKind {
    Line,
    File,
    Outdated,
    PositionUnknown,
    NoFiles,
    PathNotInDiff,
    LineNotShown,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Comment")]
#[serde(deny_unknown_fields)]
struct CommentForm<'a> {
    /// `c1`, `c2`… in a thread, `m1`, `m2`… at the top level.
    #[serde(rename = "ref")]
    reference: String,
    id: Option<&'a Id>,
    author: Option<&'a str>,
    /// `human`, `bot`, `self` or `ghost`.
    actor: &'static str,
    body: Option<&'a str>,
    created_at: Option<&'a str>,
    url: Option<&'a str>,
    minimized: bool,
    pending: bool,
    /// Process chatter, which no summary rests on.
    left_out: bool,
    /// Of a top-level comment that was kept.
    summary: Option<&'a CommentSummary>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Discussion")]
#[serde(deny_unknown_fields)]
struct DiscussionForm<'a> {
    schema_version: u32,
    pinned: bool,
    omission_note: Option<&'a str>,
    omitted: &'a Omitted,
    provenance: &'a Provenance,
}

impl<'a> Document<'a> {
    fn of(dossier: &'a Dossier<'a>) -> Self {
        let discussion = dossier.discussion;
        let comments = dossier.capture.issue_comments.iter().enumerate();
        Self {
            format: "casefile-dossier",
            version: VERSION,
            pull_request: PullRequest::of(dossier),
            completeness: &dossier.capture.completeness,
            notices: (notices(dossier).into_iter())
                .map(|it| NoticeForm { warning: it.weight == Weight::Warning, text: it.text })
                .collect(),
            counts: CountsForm::of(dossier),
            files: (0..dossier.diff.files.len()).map(|it| FileForm::of(dossier, it)).collect(),
            threads: dossier.threads.iter().map(|it| ThreadForm::of(dossier.diff, it)).collect(),
            comments: (comments)
                .map(|(at, it)| CommentForm {
                    summary: dossier.top_level(at),
                    ..CommentForm::of('m', at, it)
                })
                .collect(),
            discussion: DiscussionForm {
                schema_version: discussion.schema_version,
                pinned: discussion.pinned,
                omission_note: discussion.omission_note.as_deref(),
                omitted: &discussion.omitted,
                provenance: &discussion.provenance,
            },
        }
    }
}

impl<'a> PullRequest<'a> {
    fn of(dossier: &Dossier<'a>) -> Self {
        let capture = dossier.capture;
        let it = &capture.pull_request;
        Self {
            host: capture.host(),
            repository: &capture.repository,
            number: it.number,
            title: it.title.raw(),
            body: it.body.raw(),
            author: it.author.raw(),
            url: it.url.as_deref(),
            base_sha: capture.base_sha(),
            head_sha: capture.head_sha(),
            captured_at: capture.captured_at.as_deref(),
        }
    }
}

impl CountsForm {
    fn of(dossier: &Dossier<'_>) -> Self {
        let counts = dossier.counts();
        Self {
            total: dossier.threads.len(),
            unresolved: counts.unresolved,
            settled: counts.settled,
            noted: counts.noted,
            without_summary: counts.bare,
            outdated: counts.outdated,
        }
    }
}

impl<'a> FileForm<'a> {
    fn of(dossier: &'a Dossier<'a>, at: usize) -> Self {
        let it: &FileDiff = &dossier.diff.files[at];
        let (change, similarity) = match it.change {
            Change::Added => (ChangeForm::Added, None),
            Change::Removed => (ChangeForm::Removed, None),
            Change::Modified => (ChangeForm::Modified, None),
            Change::Renamed(similar) => (ChangeForm::Renamed, similar),
            Change::Copied(similar) => (ChangeForm::Copied, similar),
            Change::TypeChanged => (ChangeForm::TypeChanged, None),
            Change::ModeChanged => (ChangeForm::ModeChanged, None),
        };
        let (content, reason) = match &it.body {
            Body::Text => (ContentForm::Text, None),
            Body::Binary => (ContentForm::Binary, None),
            Body::Submodule { .. } => (ContentForm::Submodule, None),
            Body::Empty => (ContentForm::Empty, None),
            Body::NoContentChange => (ContentForm::Unchanged, None),
            Body::NotLoaded(reason) => (ContentForm::NotLoaded, Some(reason.as_str())),
        };
        Self {
            path: it.path.raw(),
            previous_path: it.previous_path.raw(),
            change,
            similarity,
            additions: it.additions,
            deletions: it.deletions,
            content,
            reason,
            hidden_characters: hidden_in(it),
            threads: dossier.threads_of(at).iter().map(|it| it.number).collect(),
        }
    }
}

impl<'a> ThreadForm<'a> {
    fn of(diff: &'a Diff, entry: &Entry<'a>) -> Self {
        let (kind, file) = match &entry.place {
            Place::Line { file, .. } => (PlaceKind::Line, Some(file)),
            Place::Outdated { file } => (PlaceKind::Outdated, Some(file)),
            Place::File { file } => (PlaceKind::File, Some(file)),
            Place::Unknown { file } => (PlaceKind::PositionUnknown, Some(file)),
            Place::Elsewhere(Absence::NoFiles) => (PlaceKind::NoFiles, None),
            Place::Elsewhere(Absence::PathNotInDiff) => (PlaceKind::PathNotInDiff, None),
            Place::Elsewhere(Absence::LineNotShown) => (PlaceKind::LineNotShown, None),
        };
        let comments = entry.thread.comments.iter().enumerate();
        Self {
            number: entry.number,
            id: &entry.thread.id,
            path: entry.thread.path.raw(),
            place: PlaceForm {
                kind,
                file: file.map(|it| diff.files[*it as usize].path.raw()),
                position: entry.position(diff),
                side_guessed: matches!(entry.place, Place::Line { side_guessed: true, .. }),
            },
            comments_total: entry.thread.comments_total,
            comments: comments.map(|(at, it)| CommentForm::of('c', at, it)).collect(),
            summary: entry.summary,
        }
    }
}

impl<'a> CommentForm<'a> {
    fn of(letter: char, at: usize, it: &'a Comment) -> Self {
        Self {
            reference: format!("{letter}{}", at + 1),
            id: it.id.as_ref(),
            author: it.author.raw(),
            actor: actor(it).name(),
            body: it.body.raw(),
            created_at: it.created_at.as_deref(),
            url: it.url.as_deref(),
            minimized: it.is_minimized == Some(true),
            pending: it.state.raw() == Some("PENDING"),
            left_out: left_out(it),
            summary: None,
        }
    }
}
