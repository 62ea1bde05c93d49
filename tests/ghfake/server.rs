//! Connections: each in a thread, each call looked at by the fault script, carried out, logged and
//! written as far as the script lets it. Must not know GitHub's shapes.

use crate::{
    control, edit, envelope,
    faults::{Act, Call, Hang, Moment, Script},
    graphql,
    http::{self, Answer, Request, Until},
    limits::Resource,
    pointer, rest,
    store::{World, sha},
};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use std::{
    io::Read as _,
    net::{Shutdown, TcpListener, TcpStream},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
};

/// What all connections share.
pub(crate) struct Shared(Mutex<State>);

pub(crate) struct State {
    pub(crate) world: World,
    pub(crate) faults: Script,
    pub(crate) log: Vec<Value>,
}

/// An answer and how much of it is written.
struct Plan {
    answer: Option<Answer>,
    until: Until,
    /// The connection stays open and silent afterwards.
    hangs: bool,
}

impl Shared {
    pub(crate) fn new(world: World, faults: Script) -> Self {
        Self(Mutex::new(State { world, faults, log: Vec::new() }))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Serves for ever.
pub(crate) fn serve(listener: &TcpListener, shared: &Arc<Shared>) {
    for stream in listener.incoming().flatten() {
        let shared = Arc::clone(shared);
        thread::spawn(move || connection(stream, &shared));
    }
}

fn connection(mut stream: TcpStream, shared: &Shared) {
    // A cut in the middle of an answer must not wait for more bytes to go out with it.
    let _ = stream.set_nodelay(true);
    if shared.lock().faults.strike_connection() {
        return silent(&stream);
    }
    let mut kept = Vec::new();
    while let Ok(Some(request)) = http::read(&mut stream, &mut kept) {
        let plan = shared.lock().plan(&request);
        let whole = plan.until == Until::End && !plan.hangs;
        let written = plan.answer.map(|it| http::write(&mut stream, &it, plan.until));
        if plan.hangs {
            return silent(&stream);
        }
        let closes =
            request.header("connection").is_some_and(|it| it.eq_ignore_ascii_case("close"));
        if !whole || closes || written.is_none_or(|it| it.is_err()) {
            // Closing is the end the other side sees; it may have closed before.
            let _ = stream.shutdown(Shutdown::Both);
            return;
        }
    }
}

/// Keeps a connection open without a word until the other side gives up.
fn silent(mut stream: &TcpStream) {
    let mut chunk = [0; 4096];
    while stream.read(&mut chunk).is_ok_and(|it| it > 0) {}
}

impl State {
    fn plan(&mut self, request: &Request) -> Plan {
        if request.path.starts_with("/_") {
            let answer = Some(control::answer(self, request));
            return Plan { answer, until: Until::End, hangs: false };
        }
        let operation =
            graphql::is_at(&request.path).then(|| graphql::operation_name(&request.body)).flatten();
        let at = self.log.len();
        self.log.push(entry(request, operation.as_deref(), self.world.clock.now_ms()));
        let call =
            Call { method: &request.method, path: &request.path, operation: operation.as_deref() };
        let plan = match self.faults.strike(&call) {
            Some(act) => self.broken(request, &act),
            None => {
                Plan { answer: Some(self.true_answer(request)), until: Until::End, hangs: false }
            }
        };
        self.log[at]["status"] = plan.answer.as_ref().map_or(Value::Null, |it| it.status.into());
        self.log[at]["bytes"] = plan.answer.as_ref().map_or(0, |it| it.body.len()).into();
        plan
    }

    fn broken(&mut self, request: &Request, act: &Act) -> Plan {
        let silence = |hangs| Plan { answer: None, until: Until::Head, hangs };
        edit::all(&mut self.world, &act.edit);
        if act.die == Some(Moment::Before) || act.hang == Some(Hang::Headers) {
            return silence(act.die.is_none());
        }
        let invented = act.status.is_some() || act.html.is_some();
        let mut answer = if invented && !act.apply {
            Answer::empty(200)
        } else {
            self.world.lag_ms = act.lag_ms.unwrap_or(0);
            let answer = self.true_answer(request);
            self.world.lag_ms = 0;
            answer
        };
        edit::all(&mut self.world, &act.edit_after);
        if act.die == Some(Moment::After) {
            return silence(false);
        }
        if invented {
            answer = told(act);
        }
        if let Some(name) = &act.envelope {
            answer = envelope::shaped(name, &answer);
        }
        change(&mut answer, act);
        for (name, value) in &act.headers {
            answer.set(name, &value.as_str().map_or_else(|| value.to_string(), str::to_owned));
        }
        if !answer.headers.iter().any(|it| it.0 == "x-github-request-id") {
            answer.set("x-github-request-id", "FAKE:FAULT:0001");
        }
        let half = answer.body.len() / 2;
        let until = match (&act.cut, act.hang) {
            (Some(Value::Number(bytes)), _) => Until::Body(bytes.as_u64().unwrap_or(0) as usize),
            (Some(_), _) => Until::Head,
            (None, Some(Hang::Body)) => Until::Body(half),
            _ => Until::End,
        };
        Plan { answer: Some(answer), until, hangs: act.hang.is_some() }
    }

    /// What GitHub would answer.
    fn true_answer(&mut self, request: &Request) -> Answer {
        let (mut answer, resource) = if graphql::is_at(&request.path) {
            (graphql::answer(&mut self.world, request), Resource::Graphql)
        } else if request.path.contains("/search/") {
            (rest::answer(&mut self.world, request), Resource::Search)
        } else {
            (rest::answer(&mut self.world, request), Resource::Core)
        };
        if request.method == "GET" && answer.status == 200 {
            let body = String::from_utf8_lossy(&answer.body);
            let etag = format!("W/\"{}\"", sha(&body));
            let known = request.header("if-none-match").is_some_and(|it| it == etag);
            if known {
                answer.status = 304;
                answer.body.clear();
            }
            answer.set("etag", &etag);
        }
        // A 304 costs nothing, and the limit may be asked for as often as one likes.
        if answer.status != 304 && !request.path.ends_with("/rate_limit") {
            self.world.limits.count(resource);
        }
        let now = self.world.clock.now_ms();
        answer.headers.extend(self.world.limits.headers(resource, now));
        answer.set("x-oauth-scopes", &self.world.scopes.clone());
        let id = format!("FAKE:{:04X}:{:06X}", self.log.len(), now & 0xff_ffff);
        answer.set("x-github-request-id", &id);
        answer
    }
}

fn told(act: &Act) -> Answer {
    if let Some(status) = act.html {
        return envelope::html(status);
    }
    let status = act.status.unwrap_or(500);
    match &act.body {
        Some(Value::String(text)) => {
            Answer::plain(status, "text/html; charset=utf-8", text.clone())
        }
        Some(value) => Answer::json(status, value),
        None => Answer::json(
            status,
            &json!({ "message": "a scripted answer", "status": status.to_string() }),
        ),
    }
}

fn change(answer: &mut Answer, act: &Act) {
    if act.set.is_empty() && act.drop.is_empty() {
        return;
    }
    let Ok(mut whole) = serde_json::from_slice::<Value>(&answer.body) else { return };
    for (at, value) in &act.set {
        pointer::set(&mut whole, at, value);
    }
    for at in &act.drop {
        pointer::drop(&mut whole, at);
    }
    answer.body = whole.to_string().into_bytes();
}

/// A request as the log keeps it. Of a token only its digest.
fn entry(request: &Request, operation: Option<&str>, now_ms: i64) -> Value {
    let token = request.header("authorization").map(|it| {
        let token = it.rsplit(' ').next().unwrap_or_default();
        format!("{:x}", Sha256::digest(token))
    });
    let shown = request.headers.iter().filter(|it| it.0 != "authorization");
    let headers: serde_json::Map<String, Value> =
        shown.map(|it| (it.0.clone(), it.1.clone().into())).collect();
    let query: Vec<String> = request.query.iter().map(|it| format!("{}={}", it.0, it.1)).collect();
    json!({
        "at_ms": now_ms,
        "method": request.method,
        "path": request.path,
        "query": query.join("&"),
        "operation": operation,
        "headers": headers,
        "authorization_sha256": token,
        "body_sha256_40": sha(&String::from_utf8_lossy(&request.body)),
        "body_bytes": request.body.len(),
    })
}
