//! Our GraphQL documents against GitHub's published schema, and against the two rules of its
//! server that no schema holds: every connection says how much, and never asks for too much.

use crate::shared::shared;
use apollo_compiler::{
    ExecutableDocument, Schema,
    executable::{Selection, SelectionSet},
    validation::Valid,
};
use casefile::forge::github::documents::{ALL, ALONGSIDE, document, further};
use std::fs;

/// The most nodes one document may ask for, as GitHub documents.
const MOST_NODES: u64 = 500_000;
/// The longest page.
const LONGEST: u64 = 100;

fn schema() -> Option<Valid<Schema>> {
    let text = fs::read_to_string(shared("contracts/github.graphql")?).expect("a schema");
    // This release defines two fields twice, which the validator minds and GitHub does not.
    Some(match Schema::parse_and_validate(text, "github.graphql") {
        Ok(schema) => schema,
        Err(error) => Valid::assume_valid(error.partial),
    })
}

fn documents() -> Vec<(String, String)> {
    let ours = ALL.iter().map(|(name, _)| ((*name).to_owned(), document(name)));
    ours.chain([("Further".to_owned(), further(ALONGSIDE))]).collect()
}

#[test]
fn documents_are_valid_by_githubs_schema() {
    let Some(schema) = schema() else { return };
    for (name, text) in documents() {
        if let Err(error) = ExecutableDocument::parse_and_validate(&schema, &text, &name) {
            panic!("{name}: {}", error.errors);
        }
    }
}

#[test]
fn the_check_of_documents_can_fail() {
    let Some(schema) = schema() else { return };
    let wrong = document("Lists").replace("login", "logon");
    assert!(ExecutableDocument::parse_and_validate(&schema, wrong, "wrong").is_err());
}

#[test]
fn connections_say_how_much_and_never_ask_for_too_much() {
    let Some(schema) = schema() else { return };
    for (name, text) in documents() {
        let document = ExecutableDocument::parse_and_validate(&schema, &text, &name);
        let document = document.unwrap_or_else(|it| panic!("{name}: {}", it.errors));
        let operation = document.operations.iter().next().expect("an operation");
        let nodes = nodes(&name, &document, &operation.selection_set, 1);
        assert!(nodes <= MOST_NODES, "{name}: {nodes} nodes");
        println!("{name}: at most {nodes} nodes");
    }
}

/// How many nodes the selections can give, each reached `times` times.
fn nodes(name: &str, document: &ExecutableDocument, set: &SelectionSet, times: u64) -> u64 {
    let mut sum = 0;
    for selection in &set.selections {
        sum += match selection {
            Selection::FragmentSpread(it) => {
                let part = document.fragments.get(&it.fragment_name).expect("a valid document");
                nodes(name, document, &part.selection_set, times)
            }
            Selection::InlineFragment(it) => nodes(name, document, &it.selection_set, times),
            Selection::Field(field) => {
                let is_connection = field.ty().inner_named_type().ends_with("Connection");
                let asked =
                    field.arguments.iter().find(|it| it.name == "first" || it.name == "last");
                let inner = |times| nodes(name, document, &field.selection_set, times);
                match (is_connection, asked) {
                    (true, None) => panic!("{name}: {} does not say how much", field.name),
                    (true, Some(first)) => {
                        // A variable is a page, which is never longer than the longest.
                        let first = first
                            .value
                            .to_i32()
                            .map_or(LONGEST, |it| u64::try_from(it).expect("positive"));
                        assert!(first <= LONGEST, "{name}: {} asks for {first}", field.name);
                        let times = times.saturating_mul(first);
                        times.saturating_add(inner(times))
                    }
                    (false, _) => inner(times),
                }
            }
        };
    }
    sum
}
