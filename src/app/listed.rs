//! Pull requests a forge lists for its reader, and news of the lists. Data only.
//! Must not ask a forge or know how one is asked.

use crate::domain::text::outside::Outside;

/// What waits for the reader's review, and what is their own.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lists {
    /// The host asked.
    pub host: String,
    /// Who is signed in there.
    pub login: Option<Outside>,
    /// When the forge said so, RFC 3339.
    pub read_at: Option<String>,
    pub requested: List,
    pub mine: List,
}

/// One list, the most recently updated first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct List {
    pub rows: Vec<Listed>,
    /// How many the forge finds in all.
    pub total: u64,
}

/// One pull request of a list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listed {
    /// What `Effect::Open` takes: the address of its page.
    pub target: String,
    /// `owner/repo#12`.
    pub label: String,
    pub title: Outside,
    pub author: Option<Outside>,
    pub state: Outside,
    pub draft: bool,
    pub additions: u64,
    pub deletions: u64,
    pub threads: u64,
    /// RFC 3339.
    pub updated_at: Option<String>,
    pub mark: Mark,
}

/// Whether a pull request changed since it was last opened here.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Mark {
    #[default]
    Known,
    New,
    Updated,
}

/// News of a request for the lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ListNews {
    /// What was kept of an earlier time; more news comes.
    Kept(Box<Lists>),
    /// What was kept, and nobody is asked: `--offline`. The last news.
    Offline(Option<Box<Lists>>),
    /// The lists as they are now. The last news.
    Read(Box<Lists>),
    /// The forge asked for a pause of so many seconds.
    Waiting { why: String, seconds: u64 },
    /// They could not be read. The last news.
    Failed(Trouble),
}

/// Why the lists could not be read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trouble {
    /// A sentence for people.
    pub says: String,
    /// The one thing to do.
    pub todo: Option<String>,
    /// The forge gives no answer for so many seconds.
    pub pause: Option<u64>,
    /// Asking again changes nothing until a person has done something.
    pub lasting: bool,
}
