//! Selections read off things: fields merged over fragments, in the order they were asked for. Must
//! not know a single field of GitHub's.

use crate::{
    graphql::{
        Trouble,
        connection::{self, Page},
        fields::{self, Found, Thing},
        plain,
    },
    store::World,
};
use apollo_compiler::{
    Node,
    ast::{DirectiveList, Field, FragmentDefinition, Selection},
};
use serde_json::{Map, Value, json};
use std::collections::HashMap;

/// One operation being read.
pub(crate) struct Reading<'a, 'd> {
    world: &'a World,
    fragments: &'d HashMap<&'d str, &'d Node<FragmentDefinition>>,
    variables: &'d Map<String, Value>,
    pub(crate) errors: Vec<Value>,
    /// The document does not fit the schema.
    pub(crate) refused: bool,
    pub(crate) path: Vec<Value>,
}

/// A field with everything that is selected below it.
struct Merged<'d> {
    key: String,
    field: &'d Field,
    below: Vec<&'d [Selection]>,
}

impl<'a, 'd> Reading<'a, 'd> {
    pub(crate) fn new(
        world: &'a World,
        fragments: &'d HashMap<&'d str, &'d Node<FragmentDefinition>>,
        variables: &'d Map<String, Value>,
    ) -> Self {
        Self { world, fragments, variables, errors: Vec::new(), refused: false, path: Vec::new() }
    }

    /// What the selections say of a thing.
    pub(crate) fn object(&mut self, thing: &Thing<'a>, sets: &[&'d [Selection]]) -> Value {
        let mut merged = Vec::new();
        for set in sets {
            self.merge(thing, set, &mut merged);
        }
        let mut object = Map::new();
        for it in merged {
            self.path.push(it.key.clone().into());
            let value = self.field(thing, it.field, &it.below);
            self.path.pop();
            object.insert(it.key, value);
        }
        object.into()
    }

    fn merge(&self, thing: &Thing<'a>, set: &'d [Selection], into: &mut Vec<Merged<'d>>) {
        for it in set {
            match it {
                Selection::Field(field) if self.included(&field.directives) => {
                    let key = field.response_name().to_string();
                    match into.iter_mut().find(|it| it.key == key) {
                        Some(it) => it.below.push(&field.selection_set),
                        None => {
                            into.push(Merged { key, field, below: vec![&field.selection_set] });
                        }
                    }
                }
                Selection::InlineFragment(it)
                    if self.included(&it.directives)
                        && it.type_condition.as_ref().is_none_or(|it| thing.is(it.as_str())) =>
                {
                    self.merge(thing, &it.selection_set, into);
                }
                Selection::FragmentSpread(it) if self.included(&it.directives) => {
                    if let Some(fragment) = self.fragments.get(it.fragment_name.as_str())
                        && thing.is(fragment.type_condition.as_str())
                    {
                        self.merge(thing, &fragment.selection_set, into);
                    }
                }
                _ => (),
            }
        }
    }

    fn included(&self, directives: &DirectiveList) -> bool {
        directives.0.iter().all(|it| {
            let given = it.arguments.iter().find(|it| it.name == "if");
            let given =
                given.is_some_and(|it| plain(&it.value, self.variables) == Value::Bool(true));
            match it.name.as_str() {
                "include" => given,
                "skip" => !given,
                _ => true,
            }
        })
    }

    fn field(&mut self, thing: &Thing<'a>, field: &'d Field, below: &[&'d [Selection]]) -> Value {
        let name = field.name.as_str();
        if name == "__typename" {
            return thing.kind().into();
        }
        let given = connection::arguments(&field.arguments, self.variables);
        match fields::find(self.world, thing, name, &given) {
            Ok(Found::Value(value)) => value,
            Ok(Found::One(None)) => Value::Null,
            Ok(Found::One(Some(it))) => self.object(&it, below),
            Ok(Found::Many(list)) => self.list(list.into_iter(), below),
            Ok(Found::List(kind, all)) => match Page::cut(name, kind, all, &given) {
                Ok(page) => self.page(page, below),
                Err(trouble) => self.trouble(&trouble),
            },
            Ok(Found::Unknown) => {
                self.refused = true;
                let message = format!("Field '{name}' doesn't exist on type '{}'", thing.kind());
                let path = json!(self.path);
                self.errors.push(json!({
                    "path": path, "message": message,
                    "extensions": { "code": "undefinedField", "typeName": thing.kind(), "fieldName": name },
                }));
                Value::Null
            }
            Err(trouble) => self.trouble(&trouble),
        }
    }

    fn list(&mut self, list: impl Iterator<Item = Thing<'a>>, below: &[&'d [Selection]]) -> Value {
        let mut values = Vec::new();
        for (at, it) in list.enumerate() {
            self.path.push(at.into());
            values.push(self.object(&it, below));
            self.path.pop();
        }
        values.into()
    }

    /// A page's own fields: how many there are in all, where it stands, and what is in it.
    fn page(&mut self, page: Page<'a>, below: &[&'d [Selection]]) -> Value {
        let mut merged = Vec::new();
        let thing = Thing::Made(page.kind, json!({}));
        for set in below {
            self.merge(&thing, set, &mut merged);
        }
        let (mut object, info) = (Map::new(), page.info());
        let cursors: Vec<_> = (0..page.items.len()).map(|it| page.cursor(it)).collect();
        let mut items = Some(page.items);
        for it in merged {
            self.path.push(it.key.clone().into());
            let value = match it.field.name.as_str() {
                "__typename" => page.kind.into(),
                "totalCount" | "issueCount" => page.total.into(),
                "pageInfo" => self.object(&Thing::Made("PageInfo", info.clone()), &it.below),
                "nodes" => self.list(items.take().unwrap_or_default().into_iter(), &it.below),
                "edges" => {
                    let all = items.take().unwrap_or_default().into_iter().zip(cursors.clone());
                    let edges = all.map(|it| Thing::Edge(Box::new(it.0), it.1)).collect::<Vec<_>>();
                    self.list(edges.into_iter(), &it.below)
                }
                name => {
                    self.refused = true;
                    let message = format!("Field '{name}' doesn't exist on type '{}'", page.kind);
                    self.errors.push(json!({ "path": self.path, "message": message }));
                    Value::Null
                }
            };
            self.path.pop();
            object.insert(it.key, value);
        }
        object.into()
    }

    fn trouble(&mut self, trouble: &Trouble) -> Value {
        self.errors.push(json!({
            "type": trouble.kind, "path": self.path, "message": trouble.message,
            "locations": [{ "line": 1, "column": 1 }],
        }));
        Value::Null
    }
}
