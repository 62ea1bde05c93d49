//! GraphQL: a document is parsed, its operation carried out on the store, and what it selects is read
//! generically. Must refuse what GitHub refuses: a connection without bounds, pages over a hundred,
//! more than 500,000 nodes, fields that do not exist.

mod connection;
mod fields;
pub(crate) mod mutate;
pub(crate) mod people;
mod select;
pub(crate) mod talk;

use crate::{
    http::{Answer, Request},
    store::World,
};
use apollo_compiler::{
    Node,
    ast::{
        Definition, Document, FragmentDefinition, OperationDefinition, OperationType, Value as Ast,
    },
};
use serde_json::{Map, Value, json};
use std::collections::HashMap;

/// An error as GitHub writes one.
pub(crate) struct Trouble {
    pub(crate) kind: &'static str,
    pub(crate) message: String,
}

impl Trouble {
    pub(crate) fn new(kind: &'static str, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }
}

/// Whether GraphQL is served at a path.
pub(crate) fn is_at(path: &str) -> bool {
    matches!(path, "/graphql" | "/api/graphql" | "/api/v3/graphql")
}

/// The name of the operation a body asks for, for fault scripts and the log.
pub(crate) fn operation_name(body: &[u8]) -> Option<String> {
    let body: Value = serde_json::from_slice(body).ok()?;
    if let Some(name) = body["operationName"].as_str() {
        return Some(name.to_owned());
    }
    let query = body["query"].as_str()?;
    let at = query.find("query ").or_else(|| query.find("mutation "))?;
    let rest = query[at..].split_once(' ')?.1.trim_start();
    let end = rest.find(|it: char| !it.is_alphanumeric() && it != '_').unwrap_or(rest.len());
    Some(rest[..end].to_owned()).filter(|it| !it.is_empty())
}

pub(crate) fn answer(world: &mut World, request: &Request) -> Answer {
    if let Err(answer) = crate::rest::signed_in(world, request, true) {
        return answer;
    }
    let Ok(body) = serde_json::from_slice::<Value>(&request.body) else {
        return Answer::json(400, &json!({ "message": "Problems parsing JSON" }));
    };
    let Some(query) = body["query"].as_str() else {
        return Answer::json(
            200,
            &only(&Trouble::new("", "A query attribute must be specified and must be a string.")),
        );
    };
    let document = match Document::parse(query, "query.graphql") {
        Ok(it) => it,
        Err(error) => {
            let text = error.errors.to_string();
            let first = text.lines().next().unwrap_or_default();
            return Answer::json(200, &only(&Trouble::new("", format!("Parse error: {first}"))));
        }
    };
    Answer::json(200, &run(world, &document, &body))
}

fn only(trouble: &Trouble) -> Value {
    json!({ "errors": [{ "message": trouble.message }] })
}

fn run(world: &mut World, document: &Document, body: &Value) -> Value {
    let name = body["operationName"].as_str();
    let (mut operations, mut fragments) = (Vec::new(), HashMap::new());
    for it in &document.definitions {
        match it {
            Definition::OperationDefinition(it) => operations.push(it),
            Definition::FragmentDefinition(it) => {
                fragments.insert(it.name.as_str(), it);
            }
            _ => (),
        }
    }
    let wanted = |it: &&&Node<OperationDefinition>| {
        name.is_none_or(|name| it.name.as_ref().is_some_and(|it| it.as_str() == name))
    };
    let Some(operation) = operations.iter().find(wanted) else {
        return only(&Trouble::new("", "No operation to run"));
    };
    let variables = match variables(operation, &body["variables"]) {
        Ok(it) => it,
        Err(trouble) => return only(&trouble),
    };
    let nodes = connection::cost(&operation.selection_set, &fragments, &variables, 1);
    if nodes > connection::MOST_NODES {
        let message = format!(
            "This query requests up to {nodes} possible nodes which exceeds the maximum limit of 500,000."
        );
        return json!({ "errors": [{ "type": "MAX_NODE_LIMIT_EXCEEDED", "message": message }] });
    }
    if operation.operation_type == OperationType::Mutation {
        return mutation(world, operation, &fragments, &variables);
    }
    let mut reading = select::Reading::new(world, &fragments, &variables);
    let data = reading.object(&fields::Thing::Query, &[&operation.selection_set]);
    finished(&data, &reading.errors, reading.refused)
}

/// Mutations run one after the other; each payload is read before the next one runs.
fn mutation(
    world: &mut World,
    operation: &OperationDefinition,
    fragments: &HashMap<&str, &Node<FragmentDefinition>>,
    variables: &Map<String, Value>,
) -> Value {
    let (mut data, mut errors) = (Map::new(), Vec::new());
    for it in &operation.selection_set {
        let Some(field) = it.as_field() else { continue };
        let key = field.response_name().to_string();
        let input = field.arguments.iter().find(|it| it.name == "input");
        let input = input.map_or(Value::Null, |it| plain(&it.value, variables));
        match mutate::run(world, field.name.as_str(), &input) {
            Ok(payload) => {
                let mut reading = select::Reading::new(world, fragments, variables);
                reading.path.push(key.clone().into());
                let thing = fields::Thing::Payload(&payload);
                let value = reading.object(&thing, &[&field.selection_set]);
                if reading.refused {
                    return finished(&Value::Null, &reading.errors, true);
                }
                errors.extend(reading.errors);
                data.insert(key, value);
            }
            Err(trouble) => {
                errors.push(json!({
                    "type": trouble.kind, "path": [key], "message": trouble.message,
                    "locations": [{ "line": 1, "column": 1 }],
                }));
                data.insert(key, Value::Null);
            }
        }
    }
    finished(&data.into(), &errors, false)
}

fn finished(data: &Value, errors: &[Value], refused: bool) -> Value {
    match (refused, errors.is_empty()) {
        // A document that does not fit the schema is not run at all.
        (true, _) => json!({ "errors": errors }),
        (false, true) => json!({ "data": data }),
        (false, false) => json!({ "data": data, "errors": errors }),
    }
}

fn variables(
    operation: &OperationDefinition,
    given: &Value,
) -> Result<Map<String, Value>, Trouble> {
    let mut all = Map::new();
    for it in &operation.variables {
        let name = it.name.as_str();
        let value = given.get(name).cloned().filter(|it| !it.is_null());
        let default = || it.default_value.as_ref().map(|it| plain(it, &Map::new()));
        match value.or_else(default) {
            Some(value) => {
                all.insert(name.to_owned(), value);
            }
            None if it.ty.is_non_null() => {
                let message =
                    format!("Variable ${name} of type {} was provided invalid value", it.ty);
                return Err(Trouble::new("", message));
            }
            None => {
                all.insert(name.to_owned(), Value::Null);
            }
        }
    }
    Ok(all)
}

/// A value of a document with its variables filled in.
pub(crate) fn plain(value: &Ast, variables: &Map<String, Value>) -> Value {
    match value {
        Ast::Null => Value::Null,
        Ast::Enum(it) => it.to_string().into(),
        Ast::Variable(it) => variables.get(it.as_str()).cloned().unwrap_or_default(),
        Ast::String(it) => it.clone().into(),
        Ast::Boolean(it) => (*it).into(),
        Ast::Int(it) => it.as_str().parse::<i64>().unwrap_or_default().into(),
        Ast::Float(it) => it.as_str().parse::<f64>().unwrap_or_default().into(),
        Ast::List(it) => it.iter().map(|it| plain(it, variables)).collect(),
        Ast::Object(it) => {
            let pairs = it.iter().map(|it| (it.0.to_string(), plain(&it.1, variables)));
            Value::Object(pairs.collect())
        }
    }
}
