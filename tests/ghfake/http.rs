//! HTTP/1.1 by hand, for exact control over where an answer breaks off. Must not know what a
//! request is about.

use std::{
    io::{self, Read, Write},
    net::TcpStream,
};

/// Larger heads are no requests of ours.
const LARGEST_HEAD: usize = 64 << 10;
const LARGEST_BODY: usize = 32 << 20;

#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) method: String,
    /// Without the query.
    pub(crate) path: String,
    pub(crate) query: Vec<(String, String)>,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

/// Where a written answer ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Until {
    End,
    /// The head alone goes out.
    Head,
    /// So many bytes of the body.
    Body(usize),
}

impl Request {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let same = |it: &&(String, String)| it.0.eq_ignore_ascii_case(name);
        self.headers.iter().find(same).map(|it| it.1.as_str())
    }

    pub(crate) fn argument(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|it| it.0 == name).map(|it| it.1.as_str())
    }
}

impl Answer {
    pub(crate) fn json(status: u16, value: &serde_json::Value) -> Self {
        let mut answer = Self::plain(status, "application/json; charset=utf-8", value.to_string());
        answer.headers.push(("x-github-media-type".into(), "github.v3; format=json".into()));
        answer
    }

    pub(crate) fn plain(status: u16, kind: &str, body: impl Into<Vec<u8>>) -> Self {
        Self { status, headers: vec![("content-type".into(), kind.into())], body: body.into() }
    }

    pub(crate) fn empty(status: u16) -> Self {
        Self { status, headers: Vec::new(), body: Vec::new() }
    }

    /// Puts a header in place of one of that name.
    pub(crate) fn set(&mut self, name: &str, value: &str) {
        self.headers.retain(|it| !it.0.eq_ignore_ascii_case(name));
        self.headers.push((name.to_owned(), value.to_owned()));
    }
}

/// The next request of a connection; `None` when the other side has closed it.
pub(crate) fn read(stream: &mut TcpStream, kept: &mut Vec<u8>) -> io::Result<Option<Request>> {
    loop {
        if let Some((mut request, used)) = head(kept)? {
            kept.drain(..used);
            let length =
                request.header("content-length").and_then(|it| it.parse().ok()).unwrap_or(0);
            if length > LARGEST_BODY {
                return Err(io::ErrorKind::InvalidData.into());
            }
            if request.header("expect").is_some() {
                stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
            }
            while kept.len() < length {
                if more(stream, kept)? == 0 {
                    return Ok(None);
                }
            }
            request.body = kept.drain(..length).collect();
            return Ok(Some(request));
        }
        if kept.len() > LARGEST_HEAD {
            return Err(io::ErrorKind::InvalidData.into());
        }
        if more(stream, kept)? == 0 {
            return Ok(None);
        }
    }
}

fn more(stream: &mut TcpStream, kept: &mut Vec<u8>) -> io::Result<usize> {
    let mut chunk = [0; 16 << 10];
    let got = stream.read(&mut chunk)?;
    kept.extend_from_slice(&chunk[..got]);
    Ok(got)
}

/// A whole head and its length.
fn head(bytes: &[u8]) -> io::Result<Option<(Request, usize)>> {
    let mut headers = [httparse::EMPTY_HEADER; 100];
    let mut parsed = httparse::Request::new(&mut headers);
    let bad = |_| io::Error::from(io::ErrorKind::InvalidData);
    let httparse::Status::Complete(used) = parsed.parse(bytes).map_err(bad)? else {
        return Ok(None);
    };
    let target = parsed.path.unwrap_or("/");
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let pairs = query.split('&').filter(|it| !it.is_empty()).map(|it| {
        let (name, value) = it.split_once('=').unwrap_or((it, ""));
        (decoded(&name.replace('+', " ")), decoded(&value.replace('+', " ")))
    });
    let header = |it: &httparse::Header<'_>| {
        (it.name.to_lowercase(), String::from_utf8_lossy(it.value).into_owned())
    };
    let request = Request {
        method: parsed.method.unwrap_or("GET").to_owned(),
        path: path.to_owned(),
        query: pairs.collect(),
        headers: parsed.headers.iter().map(header).collect(),
        body: Vec::new(),
    };
    Ok(Some((request, used)))
}

/// A path as it stands in an address.
pub(crate) fn encoded(path: &str) -> String {
    path.bytes().fold(String::new(), |out, it| match it {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
            out + &char::from(it).to_string()
        }
        other => out + &format!("%{other:02X}"),
    })
}

/// Without percent signs.
pub(crate) fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let (mut out, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while at < bytes.len() {
        let hex = text.get(at + 1..at + 3).and_then(|it| u8::from_str_radix(it, 16).ok());
        if let Some(byte) = hex.filter(|_| bytes[at] == b'%') {
            out.push(byte);
            at += 3;
        } else {
            out.push(bytes[at]);
            at += 1;
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// Writes an answer up to a point. The length it claims is always that of the whole.
pub(crate) fn write(stream: &mut TcpStream, answer: &Answer, until: Until) -> io::Result<()> {
    use std::fmt::Write as _;
    let mut head = format!("HTTP/1.1 {} {}\r\n", answer.status, reason(answer.status));
    for (name, value) in &answer.headers {
        write!(head, "{name}: {value}\r\n").expect("text takes all");
    }
    if answer.status != 304 && answer.status != 204 {
        write!(head, "content-length: {}\r\n", answer.body.len()).expect("text takes all");
    }
    head.push_str("\r\n");
    let mut bytes = head.into_bytes();
    match until {
        Until::End => bytes.extend_from_slice(&answer.body),
        Until::Head => (),
        Until::Body(most) => bytes.extend_from_slice(&answer.body[..most.min(answer.body.len())]),
    }
    stream.write_all(&bytes)?;
    stream.flush()
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        201 => "Created",
        204 => "No Content",
        304 => "Not Modified",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        406 => "Not Acceptable",
        422 => "Unprocessable Entity",
        429 => "Too Many Requests",
        502 => "Bad Gateway",
        _ => "Answer",
    }
}
