//! `ghfake` as a child of a test, and the smallest client that can talk to it: one connection a
//! request, the bytes as they came.

use serde_json::{Value, json};
use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    process::{Child, Command, Stdio},
    time::Duration,
};

/// No answer takes so long unless it never comes.
const LONG: Duration = Duration::from_secs(30);

/// A GitHub of one's own. It ends with the test.
pub(crate) struct Fake {
    child: Child,
    /// `http://127.0.0.1:PORT`
    pub(crate) url: String,
    host: String,
}

/// What came back, as far as it came.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    /// Fewer bytes than the head promised.
    pub(crate) cut: bool,
}

impl Fake {
    /// Starts it with the arguments of `tests/ghfake/main.rs`.
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ghfake"));
        command.args(arguments).arg("--with-stdin").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("ghfake starts");
        let mut line = String::new();
        let out = child.stdout.take().expect("piped");
        BufReader::new(out).read_line(&mut line).expect("it says where it is");
        let url = line.trim().strip_prefix("listening on ").expect("an address").to_owned();
        let host = url.strip_prefix("http://").expect("plain HTTP").to_owned();
        Self { child, url, host }
    }

    /// Sends a request with a token and reads the answer, as far as it comes. `None`: not a byte did.
    pub(crate) fn ask(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Option<Reply> {
        self.ask_within(LONG, method, path, headers, body)
    }

    /// The same, giving up when nothing comes for so long.
    pub(crate) fn ask_within(
        &self,
        limit: Duration,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Option<Reply> {
        let mut stream = TcpStream::connect(&self.host).expect("it listens");
        let mut head = format!("{method} {path} HTTP/1.1\r\nhost: {}\r\n", self.host);
        head += "connection: close\r\nauthorization: Bearer canary-token\r\n";
        head.extend(headers.iter().map(|it| format!("{}: {}\r\n", it.0, it.1)));
        head.extend([format!("content-length: {}\r\n\r\n", body.len())]);
        stream.write_all(&[head.as_bytes(), body.as_bytes()].concat()).ok()?;
        stream.set_read_timeout(Some(limit)).expect("a limit");
        let mut bytes = Vec::new();
        let mut chunk = vec![0; 1 << 16];
        while let Ok(count @ 1..) = stream.read(&mut chunk) {
            bytes.extend_from_slice(&chunk[..count]);
            if whole(&bytes) {
                break;
            }
        }
        reply(&bytes)
    }

    pub(crate) fn get(&self, path: &str) -> Reply {
        self.ask("GET", path, &[], "").unwrap_or_else(|| panic!("no answer to {path}"))
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Reply {
        let reply = self.ask("POST", path, &[], &body.to_string());
        reply.unwrap_or_else(|| panic!("no answer to {path}"))
    }

    pub(crate) fn graphql(&self, query: &str, variables: &Value) -> Value {
        self.post("/graphql", &json!({ "query": query, "variables": variables })).json()
    }

    /// Adds faults in place of all before.
    pub(crate) fn faults(&self, faults: &Value) {
        let reply = self.post("/_fault?reset", faults);
        assert_eq!(reply.status, 200, "{}", reply.text());
    }

    /// Adds one fault.
    pub(crate) fn fault(&self, when: &Value, act: &Value) {
        let faults = json!([{ "when": when, "do": act }]);
        assert_eq!(self.post("/_fault", &faults).status, 200);
    }

    /// Takes every fault away.
    pub(crate) fn heal(&self) {
        assert_eq!(self.post("/_fault?reset", &json!([])).status, 200);
    }

    /// Changes by others.
    pub(crate) fn edit(&self, edits: &Value) {
        assert_eq!(self.post("/_edit", edits).status, 200);
    }

    /// Forgets the requests so far.
    pub(crate) fn forget(&self) {
        assert_eq!(self.ask("DELETE", "/_log", &[], "").expect("an answer").status, 200);
    }

    pub(crate) fn log(&self) -> Vec<Value> {
        self.get("/_log").json().as_array().expect("a list").clone()
    }

    pub(crate) fn store(&self) -> Value {
        self.get("/_store").json()["pulls"][0].clone()
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Reply {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|it| it.0.eq_ignore_ascii_case(name));
        found.map(|it| it.1.as_str())
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|it| panic!("{it}: {}", self.text()))
    }
}

fn head_of(bytes: &[u8]) -> Option<usize> {
    bytes.windows(4).position(|it| it == b"\r\n\r\n").map(|it| it + 4)
}

fn whole(bytes: &[u8]) -> bool {
    let end = head_of(bytes);
    end.is_some_and(|end| length(&bytes[..end]).is_none_or(|it| bytes.len() >= end + it))
}

fn length(head: &[u8]) -> Option<usize> {
    let text = String::from_utf8_lossy(head).to_lowercase();
    let line = text.lines().find_map(|it| it.strip_prefix("content-length: ").map(str::to_owned));
    line.and_then(|it| it.trim().parse().ok())
}

fn reply(bytes: &[u8]) -> Option<Reply> {
    let end = head_of(bytes)?;
    let text = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let mut lines = text.lines();
    let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
    let pair = |it: &str| it.split_once(": ").map(|it| (it.0.to_owned(), it.1.to_owned()));
    let body = bytes[end..].to_vec();
    let cut = length(&bytes[..end]).is_some_and(|it| body.len() < it);
    Some(Reply { status, headers: lines.filter_map(pair).collect(), body, cut })
}
