//! People and limits in REST. Must only read.

use crate::{
    graphql,
    http::Answer,
    limits::{self, Resource},
    rest::Asked,
    store::{User, World},
};
use serde_json::{Value, json};

const SINCE: &str = "2020-01-01T00:00:00Z";

/// A person as others' answers hold them; null for a ghost.
pub(crate) fn simple(world: &World, asked: &Asked<'_>, user: Option<usize>) -> Value {
    user.map_or(Value::Null, |it| shape(&world.users[it], &asked.base))
}

pub(crate) fn shape(user: &User, base: &str) -> Value {
    let login = if user.is_bot { format!("{}[bot]", user.login) } else { user.login.clone() };
    let at = |path: &str| format!("{base}/users/{login}{path}");
    json!({
        "login": login, "id": user.id, "node_id": graphql::people::id(user),
        "avatar_url": format!("https://avatars.githubusercontent.com/u/{}?v=4", user.id),
        "gravatar_id": "", "url": at(""), "html_url": format!("https://github.com/{}", user.login),
        "followers_url": at("/followers"), "following_url": at("/following{/other_user}"),
        "gists_url": at("/gists{/gist_id}"), "starred_url": at("/starred{/owner}{/repo}"),
        "subscriptions_url": at("/subscriptions"), "organizations_url": at("/orgs"),
        "repos_url": at("/repos"), "events_url": at("/events{/privacy}"),
        "received_events_url": at("/received_events"),
        "type": if user.is_bot { "Bot" } else { "User" }, "user_view_type": "public",
        "site_admin": false,
    })
}

/// `GET /user`
pub(crate) fn viewer(world: &World, asked: &Asked<'_>) -> Answer {
    let mut it = shape(&world.users[world.viewer], &asked.base);
    let more = json!({
        "name": null, "company": null, "blog": "", "location": null, "email": null,
        "hireable": null, "bio": null, "twitter_username": null, "public_repos": 1,
        "public_gists": 0, "followers": 0, "following": 0, "created_at": SINCE, "updated_at": SINCE,
    });
    if let (Value::Object(all), Value::Object(more)) = (&mut it, more) {
        all.extend(more);
    }
    Answer::json(200, &it)
}

/// `GET /rate_limit`
pub(crate) fn limits(world: &World) -> Answer {
    let reset = limits::reset(world.clock.now_ms());
    let one = |resource| {
        let (limit, used, _) = world.limits.of(resource);
        json!({ "limit": limit, "used": used, "remaining": limit.saturating_sub(used), "reset": reset })
    };
    let core = one(Resource::Core);
    Answer::json(
        200,
        &json!({
            "resources": { "core": core, "graphql": one(Resource::Graphql), "search": one(Resource::Search) },
            "rate": core,
        }),
    )
}
