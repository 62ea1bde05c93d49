//! Connections: pages of lists, with GitHub's bounds. Must not know what is listed.

use crate::graphql::{Trouble, fields::Thing, plain};
use apollo_compiler::{
    Node,
    ast::{Argument, FragmentDefinition, Selection},
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Map, Value, json};
use std::collections::HashMap;

/// Nodes one query may ask for.
pub(crate) const MOST_NODES: u64 = 500_000;
/// Items of one page.
const MOST: u64 = 100;

/// One page of a list.
pub(crate) struct Page<'a> {
    pub(crate) items: Vec<Thing<'a>>,
    pub(crate) total: usize,
    /// Where the page begins in the list.
    from: usize,
    pub(crate) kind: &'static str,
}

impl<'a> Page<'a> {
    /// Cuts a page out of a list, as the arguments of a field say.
    pub(crate) fn cut(
        field: &str,
        kind: &'static str,
        all: Vec<Thing<'a>>,
        arguments: &Map<String, Value>,
    ) -> Result<Self, Trouble> {
        let number = |name: &str| arguments.get(name).and_then(Value::as_u64);
        let (first, last) = (number("first"), number("last"));
        for (name, count) in [("first", first), ("last", last)] {
            if let Some(count) = count.filter(|it| *it > MOST) {
                let message = format!(
                    "Requesting {count} records on the `{field}` connection exceeds the `{name}` limit of 100 records."
                );
                return Err(Trouble::new("EXCESSIVE_PAGINATION", message));
            }
        }
        if first.is_none() && last.is_none() {
            let message = format!(
                "You must provide a `first` or `last` value to properly paginate the `{field}` connection."
            );
            return Err(Trouble::new("MISSING_PAGINATION_BOUNDARIES", message));
        }
        let total = all.len();
        let place = |name: &str| arguments.get(name).and_then(Value::as_str).map(place);
        let (after, before) = (place("after"), place("before"));
        if after == Some(None) || before == Some(None) {
            let message = "`invalid` does not appear to be a valid cursor.";
            return Err(Trouble::new("INVALID_CURSOR_ARGUMENTS", message));
        }
        let (mut from, mut to) = (after.flatten().unwrap_or(0).min(total), total);
        if let Some(at) = before.flatten() {
            to = at.saturating_sub(1).clamp(from, total);
        }
        match (first, last) {
            (Some(count), _) => to = to.min(from + count as usize),
            (None, Some(count)) => from = from.max(to.saturating_sub(count as usize)),
            (None, None) => (),
        }
        let items = all.into_iter().skip(from).take(to - from).collect();
        Ok(Self { items, total, from, kind })
    }

    pub(crate) fn info(&self) -> Value {
        let to = self.from + self.items.len();
        let at = |it: usize| if self.items.is_empty() { Value::Null } else { cursor(it).into() };
        json!({
            "hasNextPage": to < self.total, "hasPreviousPage": self.from > 0,
            "startCursor": at(self.from + 1), "endCursor": at(to),
        })
    }

    /// The cursor of an item of the page.
    pub(crate) fn cursor(&self, nth: usize) -> String {
        cursor(self.from + nth + 1)
    }
}

/// A cursor names how many items stand up to and with its own, so that a list that changes between two
/// pages shifts, as GitHub's do.
fn cursor(at: usize) -> String {
    STANDARD.encode(format!("cursor:v2:{at}"))
}

fn place(cursor: &str) -> Option<usize> {
    let text = String::from_utf8(STANDARD.decode(cursor).ok()?).ok()?;
    text.strip_prefix("cursor:v2:")?.parse().ok()
}

/// The arguments of a field, with variables filled in.
pub(crate) fn arguments(
    all: &[Node<Argument>],
    variables: &Map<String, Value>,
) -> Map<String, Value> {
    all.iter().map(|it| (it.name.to_string(), plain(&it.value, variables))).collect()
}

/// How many nodes a selection asks for at most: GitHub multiplies the page sizes.
pub(crate) fn cost(
    selections: &[Selection],
    fragments: &HashMap<&str, &Node<FragmentDefinition>>,
    variables: &Map<String, Value>,
    times: u64,
) -> u64 {
    let mut sum = 0_u64;
    for it in selections {
        let more = match it {
            Selection::Field(field) => {
                let given = arguments(&field.arguments, variables);
                let size = ["first", "last"].iter().find_map(|it| given.get(*it)?.as_u64());
                let inner = times.saturating_mul(size.unwrap_or(1));
                let below = cost(&field.selection_set, fragments, variables, inner);
                below.saturating_add(if size.is_some() { inner } else { 0 })
            }
            Selection::InlineFragment(it) => cost(&it.selection_set, fragments, variables, times),
            Selection::FragmentSpread(it) => fragments
                .get(it.fragment_name.as_str())
                .map_or(0, |it| cost(&it.selection_set, fragments, variables, times)),
        };
        sum = sum.saturating_add(more);
    }
    sum
}
