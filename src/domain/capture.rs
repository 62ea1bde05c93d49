//! The capture: everything the forge said about one pull request at one moment, uninterpreted.
//! Must not read files, judge, repair or drop anything; `forge` decodes it, `store` keeps it.
//!
//! The shapes are capture file version 1. What an export lacked is `None` and stays `None`: in
//! real exports only `repository`, `pull_request.number` and a thread's `id` and `path` can be
//! relied on. Unknown fields survive in the raw artifacts, which are slices of the document.

use crate::domain::text::outside::Outside;
use serde::{Deserialize, Deserializer, Serialize};
use std::sync::Arc;

/// Everything the forge said about one pull request at one moment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Capture {
    pub format: String,
    pub version: u64,
    #[serde(default)]
    pub captured_at: Option<String>,
    #[serde(default)]
    pub forge: Option<ForgeName>,
    /// `owner/name`.
    pub repository: String,
    pub pull_request: PullRequest,
    /// `None`: the export holds no file list at all, which is not the same as an empty one.
    #[serde(default)]
    pub files: Option<Vec<ChangedFile>>,
    #[serde(default, deserialize_with = "null_is_empty")]
    pub issue_comments: Vec<Comment>,
    #[serde(default, deserialize_with = "null_is_empty")]
    pub review_threads: Vec<Thread>,
    #[serde(default, deserialize_with = "null_is_empty")]
    pub reviews: Vec<Review>,
    #[serde(default, deserialize_with = "null_is_empty")]
    pub completeness: Completeness,
    /// Whose eyes saw it: the account that was signed in when it was taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub viewer: Option<Viewer>,
}

/// An account.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Viewer {
    #[serde(default)]
    pub login: Option<Outside>,
    /// Logins change hands; ids do not.
    #[serde(default)]
    pub id: Option<Id>,
}

/// Which forge, and where.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ForgeName {
    #[serde(default)]
    pub kind: Option<String>,
    #[serde(default)]
    pub host: Option<String>,
}

/// The pull request itself.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PullRequest {
    pub number: u64,
    #[serde(default)]
    pub title: Option<Outside>,
    #[serde(default)]
    pub body: Option<Outside>,
    /// `None` may be a deleted account.
    #[serde(default)]
    pub author: Option<Outside>,
    #[serde(default)]
    pub author_is_bot: Option<bool>,
    #[serde(default)]
    pub author_id: Option<Id>,
    /// `open`, `closed` or `merged` as the forge spelled it.
    #[serde(default)]
    pub state: Option<Outside>,
    #[serde(default)]
    pub draft: Option<bool>,
    /// Only members may say more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locked: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lock_reason: Option<Outside>,
    #[serde(default)]
    pub base: Option<GitRef>,
    #[serde(default)]
    pub head: Option<GitRef>,
    #[serde(default)]
    pub merge_base: Option<String>,
    #[serde(default)]
    pub created_at: Option<String>,
    #[serde(default)]
    pub updated_at: Option<String>,
    #[serde(default)]
    pub url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub labels: Option<Vec<Outside>>,
}

/// A branch and the commit it stood at. `sha` may be `""` in real exports.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct GitRef {
    #[serde(default, rename = "ref")]
    pub name: Option<Outside>,
    #[serde(default)]
    pub sha: Option<String>,
}

/// One changed file, with its patch where the forge gave one.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ChangedFile {
    #[serde(default)]
    pub path: Option<Outside>,
    #[serde(default)]
    pub previous_path: Option<Outside>,
    /// `added`, `removed`, `modified`, `renamed`, `copied`, `changed`, `unchanged`.
    #[serde(default)]
    pub status: Option<Outside>,
    #[serde(default)]
    pub additions: Option<u64>,
    #[serde(default)]
    pub deletions: Option<u64>,
    #[serde(default)]
    pub changes: Option<u64>,
    #[serde(default)]
    pub binary: Option<bool>,
    /// Hunks from the first `@@` on, without file headers. Shared with the diff made of it.
    #[serde(default)]
    pub patch: Option<Outside<Arc<str>>>,
    #[serde(default)]
    pub patch_omitted: Option<bool>,
}

/// A top-level comment, or one comment of a thread.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Comment {
    #[serde(default)]
    pub id: Option<Id>,
    #[serde(default)]
    pub node_id: Option<String>,
    #[serde(default)]
    pub author: Option<Outside>,
    #[serde(default)]
    pub author_is_bot: Option<bool>,
    #[serde(default)]
    pub author_id: Option<Id>,
    #[serde(default)]
    pub author_association: Option<Outside>,
    #[serde(default)]
    pub body: Option<Outside>,
    #[serde(default)]
    pub created_at: Option<String>,
    #[serde(default)]
    pub updated_at: Option<String>,
    /// When its text was last changed; absent when it never was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_edited_at: Option<String>,
    #[serde(default)]
    pub diff_hunk: Option<Outside>,
    #[serde(default)]
    pub url: Option<String>,
    #[serde(default)]
    pub in_reply_to_id: Option<Id>,
    #[serde(default)]
    pub is_minimized: Option<bool>,
    #[serde(default)]
    pub minimized_reason: Option<Outside>,
    /// `PENDING` for a draft only its author sees; otherwise `SUBMITTED` or absent.
    #[serde(default)]
    pub state: Option<Outside>,
}

/// An inline thread: where it was said, and what was said, oldest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thread {
    pub id: Id,
    pub path: Outside,
    /// Line in the newest diff on `side`; `None` when outdated or unknown.
    #[serde(default)]
    pub line: Option<u64>,
    #[serde(default)]
    pub original_line: Option<u64>,
    #[serde(default)]
    pub start_line: Option<u64>,
    #[serde(default)]
    pub original_start_line: Option<u64>,
    /// `LEFT` or `RIGHT`, as the forge spelled it.
    #[serde(default)]
    pub side: Option<String>,
    #[serde(default)]
    pub start_side: Option<String>,
    #[serde(default)]
    pub is_resolved: Option<bool>,
    #[serde(default)]
    pub resolved_by: Option<Outside>,
    #[serde(default)]
    pub is_outdated: Option<bool>,
    /// `line` or `file`.
    #[serde(default)]
    pub subject_type: Option<String>,
    #[serde(default)]
    pub commit_id: Option<String>,
    #[serde(default)]
    pub original_commit_id: Option<String>,
    #[serde(default)]
    pub viewer_can_reply: Option<bool>,
    #[serde(default)]
    pub viewer_can_resolve: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub viewer_can_unresolve: Option<bool>,
    #[serde(default, deserialize_with = "null_is_empty")]
    pub comments: Vec<Comment>,
    /// How many comments the forge says there are; more than `comments` when the export was cut.
    #[serde(default)]
    pub comments_total: Option<u64>,
}

/// A submitted (or pending) review event.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Review {
    #[serde(default)]
    pub id: Option<Id>,
    #[serde(default)]
    pub author: Option<Outside>,
    #[serde(default)]
    pub author_is_bot: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author_id: Option<Id>,
    #[serde(default)]
    pub state: Option<Outside>,
    #[serde(default)]
    pub body: Option<Outside>,
    #[serde(default)]
    pub submitted_at: Option<String>,
    #[serde(default)]
    pub commit_id: Option<String>,
}

/// How much of each list the export holds.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Completeness {
    #[serde(default, deserialize_with = "null_is_empty")]
    pub files: Extent,
    #[serde(default, deserialize_with = "null_is_empty")]
    pub review_threads: Extent,
    #[serde(default, deserialize_with = "null_is_empty")]
    pub issue_comments: Extent,
    #[serde(default, deserialize_with = "null_is_empty")]
    pub reviews: Extent,
}

/// Fetched and existing items of one list; `None` when the export does not say.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Extent {
    #[serde(default)]
    pub fetched: Option<u64>,
    #[serde(default)]
    pub total: Option<u64>,
    #[serde(default)]
    pub note: Option<Outside>,
}

/// An identifier: a number from REST, a string from GraphQL.
#[derive(
    Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(untagged)]
pub enum Id {
    Number(u64),
    Text(String),
}

impl std::fmt::Display for Id {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(it) => it.fmt(f),
            Self::Text(it) => it.fmt(f),
        }
    }
}

impl Capture {
    /// `github.com` unless the capture names another host.
    pub fn host(&self) -> &str {
        self.forge.as_ref().and_then(|it| it.host.as_deref()).unwrap_or("github.com")
    }

    /// The head commit; an empty string in the export counts as none.
    pub fn head_sha(&self) -> Option<&str> {
        sha(self.pull_request.head.as_ref())
    }

    /// Lists that hold less than the forge has: name, items here, items there.
    pub fn partial_lists(&self) -> Vec<(&'static str, u64, u64)> {
        let held = &self.completeness;
        let here = |it: usize| it as u64;
        [
            ("files", self.files.as_ref().map_or(0, |it| here(it.len())), &held.files),
            ("review_threads", here(self.review_threads.len()), &held.review_threads),
            ("issue_comments", here(self.issue_comments.len()), &held.issue_comments),
            ("reviews", here(self.reviews.len()), &held.reviews),
        ]
        .into_iter()
        .filter_map(|(list, here, said)| Some((list, here, said.total.filter(|it| *it > here)?)))
        .collect()
    }

    /// The base commit; an empty string in the export counts as none.
    pub fn base_sha(&self) -> Option<&str> {
        sha(self.pull_request.base.as_ref())
    }
}

/// The sum of counts as a document states them. Nobody vouches for them, so it saturates: a made-up
/// count must neither stop the program nor wrap round to a small one.
pub fn sum(counts: impl Iterator<Item = u64>) -> u64 {
    counts.fold(0, u64::saturating_add)
}

fn sha(it: Option<&GitRef>) -> Option<&str> {
    it.and_then(|it| it.sha.as_deref()).filter(|it| !it.is_empty())
}

fn null_is_empty<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(
    from: D,
) -> Result<T, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or_default())
}
