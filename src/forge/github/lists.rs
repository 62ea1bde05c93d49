//! The lists of home: what waits for the reader's review, and what is their own.
//! Must not read a whole pull request.

use crate::domain::capture::Viewer;
use crate::domain::text::outside::Outside;
use crate::forge::github::{convert, read::Reader, trouble::Why, wire::Node};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Pull requests a list names at most; GitHub's search gives no more than 1,000.
const LONGEST: u32 = 50;

/// What waits for review, and what is the reader's own.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lists {
    pub viewer: Viewer,
    pub requested: List,
    pub mine: List,
}

/// One list, the most recently updated first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct List {
    pub rows: Vec<Row>,
    /// How many GitHub finds in all.
    pub total: u64,
}

/// One pull request of a list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// `owner/name`.
    pub repository: String,
    pub number: u64,
    pub title: Outside,
    pub author: Option<Outside>,
    /// `open`, `closed`, `merged`.
    pub state: String,
    pub draft: bool,
    pub additions: u64,
    pub deletions: u64,
    pub threads: u64,
    pub updated_at: Option<String>,
    pub head: Option<String>,
}

/// Reads both lists in one request.
pub fn read(reader: &Reader<'_>) -> Result<Lists, Why> {
    let (envelope, _) = reader.document("Lists", &|_| {
        let open = "is:open is:pr archived:false sort:updated-desc";
        json!({
            "requested": format!("{open} review-requested:@me"),
            "mine": format!("{open} author:@me"),
            "page": LONGEST,
        })
    })?;
    let list = |name: &str| envelope.at(&[name]).and_then(Node::new).map(list).unwrap_or_default();
    let viewer = envelope.at(&["viewer"]).and_then(Node::new).map(convert::viewer);
    Ok(Lists {
        viewer: viewer.unwrap_or_default(),
        requested: list("requested"),
        mine: list("mine"),
    })
}

fn list(node: Node<'_>) -> List {
    let rows: Vec<Row> = node.list("nodes").iter().filter_map(Node::new).filter_map(row).collect();
    let total = node.number("issueCount").unwrap_or(0).max(rows.len() as u64);
    List { rows, total }
}

fn row(node: Node<'_>) -> Option<Row> {
    let text = |name: &str| node.text(name).map(str::to_owned);
    Some(Row {
        repository: node.inner("repository")?.text("nameWithOwner")?.to_owned(),
        number: node.number("number")?,
        title: node.text("title").unwrap_or_default().into(),
        author: node.inner("author").and_then(|it| it.text("login")).map(Into::into),
        state: node.text("state").unwrap_or_default().to_lowercase(),
        draft: node.flag("isDraft") == Some(true),
        additions: node.number("additions").unwrap_or(0),
        deletions: node.number("deletions").unwrap_or(0),
        threads: node.inner("reviewThreads").and_then(|it| it.number("totalCount")).unwrap_or(0),
        updated_at: text("updatedAt"),
        head: text("headRefOid"),
    })
}
