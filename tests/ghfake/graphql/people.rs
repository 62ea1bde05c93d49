//! People in GraphQL, and the search that finds pull requests by them. Must only read.

use crate::{
    graphql::fields::{Found, Thing},
    store::{Pull, User, World},
};
use serde_json::{Value, json};

pub(crate) fn id(user: &User) -> String {
    format!("{}{}", if user.is_bot { "BOT_kgDO" } else { "U_kgDO" }, user.id)
}

pub(crate) fn user<'a>(user: &User, name: &str) -> Found<'a> {
    Found::Value(match name {
        "id" => id(user).into(),
        "login" => user.login.clone().into(),
        "databaseId" => user.id.into(),
        "name" if !user.is_bot => Value::Null,
        "email" if !user.is_bot => "".into(),
        "url" => format!("https://github.com/{}", user.login).into(),
        "avatarUrl" => format!("https://avatars.githubusercontent.com/u/{}", user.id).into(),
        "isViewer" if !user.is_bot => false.into(),
        _ => return Found::Unknown,
    })
}

/// Who wrote something; nobody for a ghost.
pub(crate) fn of(world: &World, user: Option<usize>) -> Option<Thing<'_>> {
    user.map(|it| Thing::User(&world.users[it]))
}

/// An owner by login, who need not be somebody we know.
pub(crate) fn actor<'a>(world: &'a World, login: &str) -> Thing<'a> {
    match world.logins.get(login) {
        Some(at) => Thing::User(&world.users[*at]),
        None => Thing::Made("Organization", json!({ "login": login, "id": format!("O_{login}") })),
    }
}

pub(crate) fn request(user: &User) -> Thing<'_> {
    Thing::Made(
        "ReviewRequest",
        json!({
            "requestedReviewer": { "__typename": "User", "login": user.login, "databaseId": user.id },
            "asCodeOwner": false,
        }),
    )
}

/// Pull requests by the qualifiers of a search: `is:open`, `author:`, `review-requested:`,
/// `reviewed-by:`, `involves:`, `repo:`, `draft:`, `@me`. Other words are looked for in the title.
/// The newest first.
pub(crate) fn search<'a>(world: &'a World, query: &str) -> Vec<&'a Pull> {
    let mut found: Vec<_> = world.pulls.iter().filter(|it| fits(world, it, query)).collect();
    found.sort_by(|a, b| b.updated.cmp(&a.updated));
    found
}

fn fits(world: &World, pull: &Pull, query: &str) -> bool {
    query.split_whitespace().all(|word| {
        let (wanted, word) = word.strip_prefix('-').map_or((true, word), |it| (false, it));
        wanted == fits_word(world, pull, word)
    })
}

fn fits_word(world: &World, pull: &Pull, word: &str) -> bool {
    let Some((key, value)) = word.split_once(':') else {
        return pull.title.to_lowercase().contains(&word.to_lowercase());
    };
    let me = world.login(Some(world.viewer)).unwrap_or_default();
    let value = if value == "@me" { me } else { value };
    let is =
        |user: Option<usize>| world.login(user).is_some_and(|it| it.eq_ignore_ascii_case(value));
    let requested = || pull.requested.iter().any(|it| is(Some(*it)));
    let reviewed = || pull.reviews.iter().any(|it| is(it.author));
    match key {
        "is" | "type" | "state" => match value {
            "pr" => true,
            "draft" => pull.draft,
            "closed" => pull.state != "OPEN",
            "issue" => false,
            other => pull.state.eq_ignore_ascii_case(other),
        },
        "draft" => pull.draft == (value == "true"),
        "archived" => value == "false",
        "author" => is(pull.author),
        "review-requested" | "user-review-requested" => requested(),
        "reviewed-by" => reviewed(),
        "involves" => is(pull.author) || requested() || reviewed(),
        "repo" => world.repos[pull.repo].full_name().eq_ignore_ascii_case(value),
        "org" | "user" => world.repos[pull.repo].owner.eq_ignore_ascii_case(value),
        "sort" => true,
        _ => false,
    }
}
