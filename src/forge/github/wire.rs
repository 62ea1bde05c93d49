//! GitHub's answers as they lie on the wire: only the fields that are read, each of which may be
//! missing, null or of another form without spoiling its neighbours.
//! Must not know what a capture looks like; `convert` does.

use serde_json::Value;

/// One object of an answer. A field that is not there, is null or has another form gives `None`.
#[derive(Debug, Clone, Copy)]
pub struct Node<'a>(&'a Value);

impl<'a> Node<'a> {
    /// An object; anything else is none.
    pub fn new(value: &'a Value) -> Option<Self> {
        value.is_object().then_some(Self(value))
    }

    pub fn text(self, name: &str) -> Option<&'a str> {
        self.0.get(name)?.as_str()
    }

    pub fn flag(self, name: &str) -> Option<bool> {
        self.0.get(name)?.as_bool()
    }

    /// A number. `BigInt` comes as text: ids have outgrown 32 bits.
    pub fn number(self, name: &str) -> Option<u64> {
        let value = self.0.get(name)?;
        value.as_u64().or_else(|| value.as_str()?.parse().ok())
    }

    pub fn inner(self, name: &str) -> Option<Node<'a>> {
        Node::new(self.0.get(name)?)
    }

    /// The items of a plain list.
    pub fn list(self, name: &str) -> &'a [Value] {
        self.0.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    /// One page of a connection. `None`: the whole connection is missing.
    pub fn page(self, name: &str) -> Option<Page<'a>> {
        let it = self.inner(name)?;
        let info = it.inner("pageInfo");
        let more = info.and_then(|it| it.flag("hasNextPage")) == Some(true);
        let cursor = info.and_then(|it| it.text("endCursor"));
        Some(Page {
            total: it.number("totalCount"),
            next: cursor.filter(|_| more).map(str::to_owned),
            nodes: it.list("nodes"),
        })
    }
}

/// One page of a connection.
#[derive(Debug, Clone, Default)]
pub struct Page<'a> {
    /// How many items there are in all, as GitHub says.
    pub total: Option<u64>,
    /// The cursor of the next page, if there is one.
    pub next: Option<String>,
    /// The items; null where GitHub gave none.
    pub nodes: &'a [Value],
}

#[cfg(test)]
mod tests {
    use crate::forge::github::wire::Node;
    use serde_json::json;

    #[test]
    fn a_field_of_another_form_is_none() {
        let value =
            json!({"a": "x", "b": null, "c": 7, "d": "12345678901", "e": {"f": true}, "g": []});
        let node = Node::new(&value).expect("an object");
        assert_eq!(node.text("a"), Some("x"));
        assert_eq!((node.text("b"), node.text("c"), node.text("z")), (None, None, None));
        assert_eq!(
            (node.number("c"), node.number("d"), node.number("a")),
            (Some(7), Some(12_345_678_901), None)
        );
        assert_eq!(node.inner("e").and_then(|it| it.flag("f")), Some(true));
        assert!(node.inner("a").is_none() && node.page("g").is_none() && node.page("b").is_none());
        assert!(Node::new(&json!(null)).is_none());
    }

    #[test]
    fn a_page_says_whether_there_is_another() {
        let check = |info: serde_json::Value, expected: Option<&str>| {
            let value = json!({"list": {"totalCount": 3, "pageInfo": info, "nodes": [null, {}]}});
            let page = Node::new(&value).and_then(|it| it.page("list")).expect("a page");
            assert_eq!(page.next.as_deref(), expected);
            assert_eq!((page.total, page.nodes.len()), (Some(3), 2));
        };
        check(json!({"hasNextPage": true, "endCursor": "abc"}), Some("abc"));
        check(json!({"hasNextPage": false, "endCursor": "abc"}), None);
        check(json!({"hasNextPage": true, "endCursor": null}), None);
        check(json!(null), None);
    }
}
