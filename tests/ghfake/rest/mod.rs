//! REST: a path and a method become a read or a write. Must refuse as GitHub does: 401 without a good
//! token, 404 for what is not there, 406 and 422 with their words.

mod people;
mod pulls;
mod reads;
mod repos;
mod talk;
mod writes;

use crate::{
    graphql::Trouble,
    http::{Answer, Request, decoded},
    store::World,
};
use serde_json::{Value, json};

const DOCS: &str = "https://docs.github.com/rest";

/// A request with what routing found out.
pub(crate) struct Asked<'r> {
    pub(crate) request: &'r Request,
    /// Where the API begins, as the client wrote it: `http://127.0.0.1:1234/api/v3`.
    pub(crate) base: String,
    pub(crate) body: Value,
}

impl Asked<'_> {
    pub(crate) fn text(&self, name: &str) -> &str {
        self.body[name].as_str().unwrap_or_default()
    }

    /// Whether one of the media types asked for holds this word.
    pub(crate) fn wants(&self, word: &str) -> bool {
        self.request.header("accept").is_some_and(|it| it.contains(word))
    }
}

/// A refusal in GitHub's words.
pub(crate) fn refusal(status: u16, message: &str) -> Answer {
    let body =
        json!({ "message": message, "documentation_url": DOCS, "status": status.to_string() });
    Answer::json(status, &body)
}

pub(crate) fn not_found() -> Answer {
    refusal(404, "Not Found")
}

/// 422 with the list of what is wrong.
pub(crate) fn unprocessable(why: &str) -> Answer {
    let body = json!({
        "message": "Unprocessable Entity", "errors": [why], "documentation_url": DOCS, "status": "422",
    });
    Answer::json(422, &body)
}

pub(crate) fn troubled(trouble: &Trouble) -> Answer {
    match trouble.kind {
        "NOT_FOUND" => not_found(),
        "FORBIDDEN" => refusal(403, &trouble.message),
        _ => unprocessable(&trouble.message),
    }
}

/// Whether the token is good. Public reads need none.
pub(crate) fn signed_in(world: &World, request: &Request, needed: bool) -> Result<(), Answer> {
    let header = request.header("authorization");
    let token = header.and_then(|it| it.split_once(' ')).map(|it| it.1.trim());
    let good = match (&world.token, token) {
        (_, None) => header.is_none() && !needed,
        (None, Some(token)) => !token.is_empty(),
        (Some(wanted), Some(token)) => wanted == token,
    };
    match (good, header.is_some()) {
        (true, _) => Ok(()),
        (false, true) => Err(refusal(401, "Bad credentials")),
        (false, false) => Err(refusal(401, "Requires authentication")),
    }
}

pub(crate) fn answer(world: &mut World, request: &Request) -> Answer {
    let (prefix, path) = match request.path.strip_prefix("/api/v3") {
        Some(rest) => ("/api/v3", rest),
        None => ("", request.path.as_str()),
    };
    let needed = request.method != "GET" || path == "/user";
    if let Err(answer) = signed_in(world, request, needed) {
        return answer;
    }
    let host = request.header("host").unwrap_or("127.0.0.1");
    let body = serde_json::from_slice(&request.body);
    if body.is_err() && !request.body.is_empty() {
        return refusal(400, "Problems parsing JSON");
    }
    let body = body.unwrap_or_default();
    let asked = Asked { request, base: format!("http://{host}{prefix}"), body };
    let parts: Vec<String> = path.trim_matches('/').split('/').map(decoded).collect();
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let read = request.method == "GET" || request.method == "HEAD";
    match parts[..] {
        [""] if read => {
            Answer::json(200, &json!({ "current_user_url": format!("{}/user", asked.base) }))
        }
        ["user"] if read => people::viewer(world, &asked),
        ["rate_limit"] if read => people::limits(world),
        ["search", "issues"] if read => reads::search(world, &asked),
        ["repos", owner, name] if read => reads::repo(world, &asked, owner, name),
        ["repos", owner, name, "pulls", number, ref rest @ ..] => {
            // A pull request's comment is reached without the pull request's number.
            if number == "comments" {
                return writes::inline(world, &asked, owner, name, rest);
            }
            let Some(at) = place(world, owner, name, number) else { return not_found() };
            if read {
                reads::pull(world, &asked, at, rest)
            } else {
                writes::pull(world, &asked, at, rest)
            }
        }
        ["repos", owner, name, "issues", "comments", id] => {
            writes::remark(world, &asked, owner, name, id)
        }
        ["repos", owner, name, "issues", number, "comments"] => {
            let Some(at) = place(world, owner, name, number) else { return not_found() };
            if read {
                reads::remarks(world, &asked, at)
            } else {
                writes::add_remark(world, &asked, at)
            }
        }
        ["repos", owner, name, "compare", range] if read => {
            reads::compare(world, &asked, owner, name, range)
        }
        ["repos", owner, name, "git", kind, sha] if read => {
            reads::object(world, &asked, (owner, name), kind, sha)
        }
        ["repos", owner, name, "contents", ref path @ ..] if read => {
            reads::contents(world, &asked, owner, name, &path.join("/"))
        }
        _ => not_found(),
    }
}

fn place(world: &World, owner: &str, name: &str, number: &str) -> Option<usize> {
    world.find_pull(owner, name, number.parse().ok()?)
}

/// One page of a list, with `Link` as GitHub writes it. Items are made only for the page.
pub(crate) fn page<T>(asked: &Asked<'_>, all: &[T], shape: impl Fn(&T) -> Value) -> Answer {
    let number = |name: &str| asked.request.argument(name).and_then(|it| it.parse::<usize>().ok());
    let size = number("per_page").unwrap_or(30).clamp(1, 100);
    let at = number("page").unwrap_or(1).max(1);
    let last = all.len().div_ceil(size).max(1);
    let items: Value = all.iter().skip((at - 1) * size).take(size).map(shape).collect();
    let mut answer = Answer::json(200, &items);
    let path = &asked.request.path;
    let host = asked.request.header("host").unwrap_or("127.0.0.1");
    let link = |page: usize, rel: &str| {
        let others = asked.request.query.iter().filter(|it| it.0 != "page");
        let mut query: Vec<String> = others.map(|it| format!("{}={}", it.0, it.1)).collect();
        query.push(format!("page={page}"));
        format!("<http://{host}{path}?{}>; rel=\"{rel}\"", query.join("&"))
    };
    let mut links = Vec::new();
    if at > 1 {
        links.push(link(at - 1, "prev"));
    }
    if at < last {
        links.push(link(at + 1, "next"));
        links.push(link(last, "last"));
    }
    if at > 1 {
        links.push(link(1, "first"));
    }
    if !links.is_empty() {
        answer.set("link", &links.join(", "));
    }
    answer
}
