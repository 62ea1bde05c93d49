//! `ghfake`: a GitHub for tests. It keeps a real store (people, repositories, pull requests,
//! threads, comments, reviews), answers REST and GraphQL in GitHub's own shapes, and breaks in
//! scripted ways. Must not know what casefile does with an answer.
//!
//! ```sh
//! cargo run --features test-support --bin ghfake -- --capture pr.json --port 0
//! # prints: listening on http://127.0.0.1:41234
//! ```
//!
//! The same answers stand at `/` (as on `api.github.com`; GraphQL at `/graphql`) and at `/api/v3`
//! (as on an Enterprise server; GraphQL at `/api/graphql`).
//!
//! | argument | what |
//! |---|---|
//! | `--capture FILE` | serves a capture file (`.json`, `.json.gz`); may be given several times |
//! | `--synthetic F,T,C` | serves `example/huge#1`: F files, T threads of C comments each |
//! | `--port N` | the port on 127.0.0.1; 0 (the default) takes a free one |
//! | `--viewer LOGIN` | whose token it is; `viewer` when not given |
//! | `--scopes LIST` | what `x-oauth-scopes` says; `repo, read:org` when not given |
//! | `--token TEXT` | the only token that is accepted; any token is when not given |
//! | `--faults FILE` | a fault script to begin with (see `faults`) |
//! | `--with-stdin` | ends when standard input does, so that it never outlives a test |
//!
//! Control: `POST /_fault` (adds faults; `[]` with `?reset` forgets all), `GET /_log` (every
//! request), `GET /_store` (everything kept), `POST /_clock` (`{"advance_ms": 60000}`,
//! `{"frozen": true}`), `POST /_edit` (changes by others: see `edit`).

mod clock;
mod control;
mod edit;
mod envelope;
mod faults;
mod graphql;
mod http;
mod limits;
mod load;
mod patch;
mod pointer;
mod rest;
mod server;
mod store;
mod synthetic;

use std::{
    io::{self, Read as _, Write as _},
    net::TcpListener,
    process::ExitCode,
    sync::Arc,
};

/// What the command line said.
struct Wanted {
    captures: Vec<String>,
    synthetic: Vec<(usize, usize, usize)>,
    faults: Option<String>,
    port: u16,
    viewer: String,
    scopes: String,
    token: Option<String>,
    with_stdin: bool,
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(cause) => {
            // Nobody is left to be told when standard error is closed.
            let _ = writeln!(io::stderr(), "ghfake: {cause}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), String> {
    let wanted = wanted(std::env::args().skip(1))?;
    let mut world = store::World::new(&wanted.viewer, &wanted.scopes, wanted.token.clone());
    for file in &wanted.captures {
        load::capture(&mut world, file)?;
    }
    for (files, threads, comments) in &wanted.synthetic {
        synthetic::add(&mut world, *files, *threads, *comments);
    }
    let mut faults = faults::Script::default();
    if let Some(file) = &wanted.faults {
        let text = std::fs::read_to_string(file).map_err(|it| format!("{file}: {it}"))?;
        faults.add(&text)?;
    }
    let listener = TcpListener::bind(("127.0.0.1", wanted.port));
    let listener = listener.map_err(|it| format!("port {}: {it}", wanted.port))?;
    let at = listener.local_addr().map_err(|it| it.to_string())?;
    let mut out = io::stdout();
    writeln!(out, "listening on http://{at}")
        .and_then(|()| out.flush())
        .map_err(|it| it.to_string())?;
    if wanted.with_stdin {
        std::thread::spawn(|| {
            let _ = io::stdin().read_to_end(&mut Vec::new());
            std::process::exit(0);
        });
    }
    server::serve(&listener, &Arc::new(server::Shared::new(world, faults)));
    Ok(())
}

fn wanted(mut words: impl Iterator<Item = String>) -> Result<Wanted, String> {
    let mut wanted = Wanted {
        captures: Vec::new(),
        synthetic: Vec::new(),
        faults: None,
        port: 0,
        viewer: "viewer".into(),
        scopes: "repo, read:org".into(),
        token: None,
        with_stdin: false,
    };
    while let Some(word) = words.next() {
        if word == "--with-stdin" {
            wanted.with_stdin = true;
            continue;
        }
        let value = words.next().ok_or_else(|| format!("{word} needs a value"))?;
        match word.as_str() {
            "--capture" => wanted.captures.push(value),
            "--synthetic" => wanted.synthetic.push(sizes(&value)?),
            "--faults" => wanted.faults = Some(value),
            "--port" => wanted.port = value.parse().map_err(|_| format!("no port: {value}"))?,
            "--viewer" => wanted.viewer = value,
            "--scopes" => wanted.scopes = value,
            "--token" => wanted.token = Some(value),
            other => return Err(format!("unknown argument {other}; see the top of main.rs")),
        }
    }
    Ok(wanted)
}

fn sizes(text: &str) -> Result<(usize, usize, usize), String> {
    let numbers: Vec<usize> = text.split(',').filter_map(|it| it.trim().parse().ok()).collect();
    match numbers[..] {
        [files, threads, comments] => Ok((files, threads, comments)),
        _ => Err(format!("--synthetic wants F,T,C and not {text}")),
    }
}
