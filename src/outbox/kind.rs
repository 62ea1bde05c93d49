//! The kinds of actions: their names in files and for people, and which may be done twice unharmed.
//! Must not know what an action carries.

use serde::{Deserialize, Serialize};

/// The kinds, without what they carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    ThreadReply,
    ResolveThread,
    UnresolveThread,
    InlineComment,
    IssueComment,
    SubmitReview,
    DeletePendingReview,
    DeleteOwnComment,
    DismissOwnReview,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 9] = [
        Self::ThreadReply,
        Self::ResolveThread,
        Self::UnresolveThread,
        Self::InlineComment,
        Self::IssueComment,
        Self::SubmitReview,
        Self::DeletePendingReview,
        Self::DeleteOwnComment,
        Self::DismissOwnReview,
    ];

    /// The name in files, markers and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::ThreadReply => "thread_reply",
            Self::ResolveThread => "resolve_thread",
            Self::UnresolveThread => "unresolve_thread",
            Self::InlineComment => "inline_comment",
            Self::IssueComment => "issue_comment",
            Self::SubmitReview => "submit_review",
            Self::DeletePendingReview => "delete_pending_review",
            Self::DeleteOwnComment => "delete_own_comment",
            Self::DismissOwnReview => "dismiss_own_review",
        }
    }

    /// For people: `reply`, `resolve`.
    pub fn words(self) -> &'static str {
        match self {
            Self::ThreadReply => "reply",
            Self::ResolveThread => "resolve",
            Self::UnresolveThread => "reopen",
            Self::InlineComment => "comment on code",
            Self::IssueComment => "comment",
            Self::SubmitReview => "review",
            Self::DeletePendingReview => "delete the empty draft review",
            Self::DeleteOwnComment => "delete the second copy",
            Self::DismissOwnReview => "take the approval back",
        }
    }

    /// Whether the pull request itself shows if it is done, and doing it again changes nothing.
    /// All others make something new each time.
    pub fn is_repeatable(self) -> bool {
        !matches!(
            self,
            Self::ThreadReply | Self::InlineComment | Self::IssueComment | Self::SubmitReview
        )
    }
}
