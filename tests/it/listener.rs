//! A plain HTTP listener for tests: answers what a test says, and remembers what it was asked with
//! which headers. Knows nothing of GitHub.

use std::{
    fmt::Write as _,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread,
};

/// A request as it arrived.
#[derive(Debug, Clone)]
pub(crate) struct Heard {
    pub(crate) path: String,
    /// Names in lower case.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

/// An answer.
#[derive(Debug, Clone)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

/// A listener on this machine. It goes on until the test's process ends.
pub(crate) struct Listener {
    pub(crate) address: String,
    heard: Arc<Mutex<Vec<Heard>>>,
}

impl Heard {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|it| it.0 == name).map(|it| it.1.as_str())
    }
}

impl Reply {
    pub(crate) fn json(status: u16, body: &str) -> Self {
        let headers = vec![("content-type".into(), "application/json".into())];
        Self { status, headers, body: body.into() }
    }

    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }
}

impl Listener {
    pub(crate) fn start(answer: impl Fn(&Heard) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let heard = Arc::<Mutex<Vec<Heard>>>::default();
        let kept = Arc::clone(&heard);
        let answer = Arc::new(answer);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (answer, kept) = (Arc::clone(&answer), Arc::clone(&kept));
                thread::spawn(move || serve(&stream, &*answer, &kept));
            }
        });
        Self { address, heard }
    }

    /// Everything that was asked so far.
    pub(crate) fn heard(&self) -> Vec<Heard> {
        self.heard.lock().expect("no panic").clone()
    }
}

fn serve(mut stream: &TcpStream, answer: &dyn Fn(&Heard) -> Reply, kept: &Mutex<Vec<Heard>>) {
    let mut reader = BufReader::new(stream.try_clone().expect("a second handle"));
    let Some(heard) = read(&mut reader) else { return };
    let reply = answer(&heard);
    kept.lock().expect("no panic").push(heard);
    let mut text = format!("HTTP/1.1 {} x\r\nconnection: close\r\n", reply.status);
    for (name, value) in &reply.headers {
        write!(text, "{name}: {value}\r\n").expect("text takes all");
    }
    write!(text, "content-length: {}\r\n\r\n{}", reply.body.len(), reply.body)
        .expect("text takes all");
    // Who has gone away needs no answer.
    let _ = stream.write_all(text.as_bytes());
}

fn read(reader: &mut BufReader<TcpStream>) -> Option<Heard> {
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|it| *it > 0)?;
    let mut words = line.split(' ');
    let path = words.nth(1)?.to_owned();
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.push((name.to_lowercase(), value.trim().to_owned()));
    }
    let mut heard = Heard { path, headers, body: String::new() };
    let length = heard.header("content-length").and_then(|it| it.parse().ok()).unwrap_or(0);
    reader.take(length).read_to_string(&mut heard.body).ok()?;
    Some(heard)
}
