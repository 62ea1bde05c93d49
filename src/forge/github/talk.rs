//! The discussion of a pull request, page by page, on both levels: threads and their comments.
//! Must not lose an item silently: what is missing at the end shows in the completeness.

use crate::domain::capture::{Comment, Extent, Id, Review, Thread};
use crate::forge::github::{
    convert, documents,
    read::{News, PAGE, Reader},
    trouble::Why,
    wire::{Node, Page},
};
use serde_json::{Map, Value, json};
use std::collections::{HashMap, HashSet};

/// How a connection's items become ours: the item, and the key it is known by.
type Convert<T> = fn(Node<'_>) -> Option<(Id, T)>;

/// A list that is being gathered.
#[derive(Debug, Clone)]
pub struct Gathered<T> {
    pub items: Vec<T>,
    known: HashSet<Id>,
    /// The largest total GitHub named.
    pub total: Option<u64>,
    /// Where the next page begins.
    pub next: Option<String>,
    /// Items that were null or had no identity.
    pub skipped: u64,
    /// The connection itself was missing at some point.
    pub broken: bool,
}

impl<T> Default for Gathered<T> {
    fn default() -> Self {
        let (items, known) = (Vec::new(), HashSet::new());
        Self { items, known, total: None, next: None, skipped: 0, broken: false }
    }
}

impl<T> Gathered<T> {
    /// A list that came whole.
    pub fn whole(items: Vec<T>) -> Self {
        let total = Some(items.len() as u64);
        Self { items, total, ..Self::default() }
    }

    /// Takes a page in. Items that are here already (pages shift) are not taken twice.
    pub fn take(&mut self, page: Option<Page<'_>>, convert: impl Fn(Node<'_>) -> Option<(Id, T)>) {
        let Some(page) = page else {
            self.broken = true;
            self.next = None;
            return;
        };
        self.total = self.total.max(page.total);
        for value in page.nodes {
            match Node::new(value).and_then(&convert) {
                Some((id, item)) if self.known.insert(id.clone()) => self.items.push(item),
                Some(_) => {}
                None => self.skipped += 1,
            }
        }
        self.next = page.next;
    }

    /// How much of the list is here, for the capture.
    pub fn extent(&self) -> Extent {
        let here = self.items.len() as u64;
        let note = match (self.skipped, self.broken) {
            (0, false) => None,
            (0, true) => Some("the forge did not send the rest".to_owned()),
            (1, _) => Some("1 item could not be read".to_owned()),
            (some, _) => Some(format!("{some} items could not be read")),
        };
        // A list that broke off with nobody saying how long it is holds at least one more.
        let least = here + self.skipped + u64::from(self.broken && self.total.is_none());
        Extent {
            fetched: Some(here),
            total: Some(self.total.unwrap_or(0).max(least)),
            note: note.map(Into::into),
        }
    }
}

/// A comment by its node id, its number, or else its place in the answer.
pub fn remark(node: Node<'_>) -> Option<(Id, Comment)> {
    let comment = convert::remark(node);
    Some((comment_key(&comment)?, comment))
}

/// A comment of a thread.
pub fn said(node: Node<'_>) -> Option<(Id, Comment)> {
    let comment = convert::said(node);
    Some((comment_key(&comment)?, comment))
}

/// A comment without any id still counts as itself when it says something: it is known by all
/// it says.
fn comment_key(comment: &Comment) -> Option<Id> {
    let node = comment.node_id.clone().map(Id::Text);
    node.or_else(|| comment.id.clone()).or_else(|| {
        let body = comment.body.as_ref()?;
        let when = comment.created_at.as_deref().unwrap_or_default();
        Some(Id::Text(format!("{when} {}", body.raw())))
    })
}

/// A review event.
pub fn verdict(node: Node<'_>) -> Option<(Id, Review)> {
    let id = node.text("id").map(|it| Id::Text(it.to_owned()));
    let id = id.or_else(|| node.number("fullDatabaseId").map(Id::Number))?;
    Some((id, convert::verdict(node)))
}

/// A thread with what is known of its comments.
#[derive(Debug, Clone)]
pub struct Talk {
    pub thread: Thread,
    pub comments: Gathered<Comment>,
}

impl Talk {
    /// A thread whose comments are all there.
    pub fn whole(mut thread: Thread) -> Self {
        let comments = Gathered::whole(std::mem::take(&mut thread.comments));
        Self { thread, comments }
    }
}

/// A thread and the first page of its comments.
pub fn thread(node: Node<'_>) -> Option<(Id, Talk)> {
    let (mut thread, page) = convert::thread(node)?;
    let has_page = node.inner("comments").is_some();
    thread.comments = Vec::new();
    let mut comments = Gathered::default();
    comments.take(has_page.then_some(page), said);
    Some((thread.id.clone(), Talk { thread, comments }))
}

/// Which pull request, as variables.
pub fn named(owner: &str, name: &str, number: u64) -> Map<String, Value> {
    let mut map = Map::new();
    map.insert("owner".into(), owner.into());
    map.insert("name".into(), name.into());
    map.insert("number".into(), number.into());
    map
}

/// Reads the further pages of a list of the pull request until there is none.
pub fn rest<T>(
    reader: &Reader<'_>,
    list: &mut Gathered<T>,
    (document, connection, label): (&str, &str, &'static str),
    whose: &Map<String, Value>,
    convert: Convert<T>,
) -> Result<(), Why> {
    while let Some(after) = list.next.take() {
        let (mut envelope, _) = reader.document(document, &|page| {
            let mut variables = whose.clone();
            variables.insert("page".into(), page.into());
            variables.insert("after".into(), after.clone().into());
            if document == "Threads" {
                variables.insert("comments".into(), PAGE.into());
            }
            Value::Object(variables)
        })?;
        let pull = envelope.take(&["repository", "pullRequest"]);
        let node = pull.as_ref().and_then(Node::new);
        list.take(node.and_then(|it| it.page(connection)), convert);
        let here = list.items.len() as u64;
        (reader.watch.tell)(News::Read { list: label, here, total: list.total });
        // The same cursor again would go on for ever.
        if list.next.as_deref() == Some(after.as_str()) {
            list.next = None;
            list.broken = true;
        }
    }
    Ok(())
}

/// Reads the further comments of every thread that has some, many threads in one request.
pub fn further(reader: &Reader<'_>, talks: &mut [Talk]) -> Result<(), Why> {
    loop {
        let waiting: Vec<usize> =
            (0..talks.len()).filter(|it| talks[*it].comments.next.is_some()).collect();
        if waiting.is_empty() {
            return Ok(());
        }
        for batch in waiting.chunks(documents::ALONGSIDE) {
            further_of(reader, talks, batch)?;
        }
    }
}

fn further_of(reader: &Reader<'_>, talks: &mut [Talk], batch: &[usize]) -> Result<(), Why> {
    let mut asked = HashMap::new();
    let mut whose = Map::new();
    for (at, index) in batch.iter().enumerate() {
        let talk = &mut talks[*index];
        let after =
            talk.comments.next.take().expect("only threads with another page are asked for");
        whose.insert(format!("i{at}"), json!(talk.thread.id));
        whose.insert(format!("a{at}"), after.clone().into());
        asked.insert(*index, after);
    }
    let document = documents::further(batch.len());
    let (envelope, _) = reader.query(&document, PAGE, &|page| {
        let mut variables = whose.clone();
        variables.insert("page".into(), page.into());
        Value::Object(variables)
    })?;
    for (at, index) in batch.iter().enumerate() {
        let node = envelope.at(&[&format!("t{at}")]).and_then(Node::new);
        let comments = &mut talks[*index].comments;
        comments.take(node.and_then(|it| it.page("comments")), said);
        if comments.next.is_some() && comments.next.as_ref() == asked.get(index) {
            comments.next = None;
            comments.broken = true;
        }
    }
    let here = talks.iter().map(|it| it.comments.items.len() as u64).sum();
    let total = talks.iter().map(|it| it.comments.total.unwrap_or(0)).sum();
    (reader.watch.tell)(News::Read { list: "comments", here, total: Some(total) });
    Ok(())
}
