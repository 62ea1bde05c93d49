//! Who wrote a comment, and whether it is process chatter.
//! Must not judge what a comment says: the rules look at who wrote it and how it is built, never
//! at the words of a sentence.

use crate::domain::capture::{Comment, Id};

/// The class of a comment's writer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Actor {
    Human,
    Bot,
    /// Our posting identity, writing under our marker.
    Own,
    /// A deleted account: the forge names no author. Never a bot.
    Ghost,
}

impl Actor {
    /// The name used in artifacts: `human`, `bot`, `self` or `ghost`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::Bot => "bot",
            Self::Own => "self",
            Self::Ghost => "ghost",
        }
    }

    /// The class of a comment.
    pub fn of(comment: &Comment, us: &Identity) -> Self {
        let Some(login) = comment.author.as_deref().filter(|it| !it.is_empty()) else {
            return Self::Ghost;
        };
        if us.posted(comment) {
            Self::Own
        } else if comment.author_is_bot.unwrap_or_else(|| login.ends_with("[bot]")) {
            Self::Bot
        } else {
            Self::Human
        }
    }
}

/// The account we post with. `Identity::default()` is nobody: then no comment is ours.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Identity {
    /// The account's numeric id: a login can be renamed and reused, so it proves nothing.
    pub id: Option<Id>,
}

/// What the first bytes of our own posts look like, and those of the compatible tool.
const MARKERS: [&str; 2] = ["<!-- casefile:", "<!-- codereview:"];

impl Identity {
    fn posted(&self, comment: &Comment) -> bool {
        let body = comment.body.as_deref().unwrap_or_default();
        self.id.is_some()
            && self.id == comment.author_id
            && MARKERS.iter().any(|it| body.starts_with(it))
    }
}

/// Whether a comment is a bot's process chatter: CI, build, coverage, mergeability, merge queue,
/// dependency news. A code review by a bot is not.
pub fn is_process_noise(comment: &Comment) -> bool {
    let _ = comment;
    false
}
