//! The discussion summary as it is kept in `dossier/summary/discussion.json`, schema version 1.
//! Must not compute anything: it is the shape that engines fill, checks read and screens show.

use crate::domain::text::outside::Outside;
use crate::domain::{capture::Id, digest::Digest};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Version of the shape below; raised when a field changes meaning.
pub const SCHEMA_VERSION: u32 = 1;

/// The summary of a whole discussion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Discussion {
    pub schema_version: u32,
    /// The review was pinned to given commits: the discussion was left out on purpose.
    pub pinned: bool,
    pub omission_note: Option<String>,
    /// Every thread of the capture, in capture order.
    pub threads: Vec<ThreadSummary>,
    /// Top-level comments that were kept, in capture order.
    pub comments: Vec<CommentSummary>,
    pub omitted: Omitted,
    pub provenance: Provenance,
}

/// What stands for one inline thread.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ThreadSummary {
    pub thread_id: Id,
    pub anchor: Anchor,
    pub resolved: Option<bool>,
    pub status: Status,
    /// At most 400 characters; one line of at most 160 for a settled bot thread.
    pub text: Outside,
    pub decision: Option<Outside>,
    pub open_question: Option<Outside>,
    pub positions: Vec<Position>,
    pub next_actor: NextActor,
    /// `c1`, `c2`… by place in the capture; when settled at most three, the deciding one first.
    pub cites: Vec<String>,
    pub participants: Participants,
    pub comments_total: u64,
    pub comments_omitted: u64,
    pub source_digest: Digest,
    pub origin: Origin,
    /// Taken over from the last run, since nothing this thread rests on changed.
    pub carried: bool,
    /// `status-mismatch`, `stale: n new comments`, `uncited-question`, `unknown-identifier`,
    /// `degraded: why`, `person-edited`, `not-sent`.
    pub checks: Vec<String>,
}

/// Where the thread was said, exactly as the capture says it (`null` stays `null`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Anchor {
    pub path: Outside,
    pub side: Option<String>,
    pub line: Option<u64>,
    pub start_line: Option<u64>,
    pub start_side: Option<String>,
    pub original_line: Option<u64>,
    pub original_start_line: Option<u64>,
    pub original_commit: Option<String>,
    pub subject_type: Option<String>,
    pub is_resolved: Option<bool>,
    pub resolved_by: Option<Outside>,
    pub is_outdated: Option<bool>,
    pub viewer_can_reply: Option<bool>,
    pub viewer_can_resolve: Option<bool>,
}

/// Whether a thread still asks for something.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    Unresolved,
    Settled,
    /// Nothing to decide.
    Noted,
}

/// Who has to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NextActor {
    Author,
    Reviewer,
    None,
}

/// Who wrote the entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    Model,
    Extractive,
    Person,
}

/// One side of a disagreement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Position {
    pub who: Outside,
    pub stance: Outside,
    pub cites: Vec<String>,
}

/// How many distinct people and bots spoke.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Participants {
    pub humans: u64,
    pub bots: u64,
}

/// A top-level comment that was kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CommentSummary {
    /// `m1`, `m2`… by place in the capture.
    #[serde(rename = "ref")]
    pub reference: String,
    /// `human`, `bot`, `self` or `ghost`.
    pub kind: String,
    pub author: Option<Outside>,
    pub url: Option<String>,
    pub text: Outside,
    pub cites: Vec<String>,
}

/// What was left out, and how much of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Omitted {
    /// Process chatter of bots (CI, coverage, merge queue…), threads and top-level together.
    pub noise_comments: u64,
    pub own_comments: u64,
    /// Beyond a budget, so never sent to a model.
    pub comments_omitted: u64,
    pub threads_omitted: u64,
    pub chars_omitted: u64,
}

/// Where the summary came from: enough to tell whether it would be made again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Provenance {
    /// Over the raw comments and threads.
    pub discussion_digest: Digest,
    pub capture_digest: Digest,
    pub projection_digest: Digest,
    pub engine: String,
    pub model: Option<String>,
    pub prompt_version: String,
    pub prompt_digest: Digest,
    pub schema_version: u32,
    /// RFC 3339, UTC.
    pub made_at: String,
    pub usage: Usage,
}

/// What the engine calls cost. All zero without a model.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Usage {
    pub calls: u64,
    pub input_tokens: u64,
    pub output_tokens: u64,
    pub cached_tokens: u64,
    /// US dollars, when the engine reports it.
    pub cost_usd: Option<f64>,
}
