//! Home in the real binary against a GitHub of the tests: lists appear, age, and open live.

use crate::{
    bench,
    ptyrig::{Rig, Start, casefile},
};
use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    path::Path,
    process::{Child, Command, Stdio},
};

/// A GitHub with three pull requests: one waits for ada's review, two are hers.
struct Fake {
    child: Child,
    address: String,
}

impl Fake {
    fn start(folder: &Path) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ghfake"));
        for (number, author) in [(7, "ada"), (8, "bob"), (9, "ada")] {
            let mut capture = bench::capture(number);
            capture["pull_request"]["author"] = author.into();
            capture["pull_request"]["title"] = format!("Change {number} of {author}").into();
            let path = folder.join(format!("{number}.json"));
            std::fs::write(&path, capture.to_string()).expect("written");
            command.arg("--capture").arg(path);
        }
        command.args(["--viewer", "ada", "--with-stdin"]);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
        let mut line = String::new();
        let out = child.stdout.take().expect("piped");
        BufReader::new(out).read_line(&mut line).expect("it says where it is");
        let address = line.trim().strip_prefix("listening on ").expect("an address").to_owned();
        let fake = Self { child, address };
        let body =
            r#"[{"op": "request", "login": "ada", "repository": "example/engine", "number": 8}]"#;
        fake.post("/_edit", body);
        fake
    }

    fn post(&self, path: &str, body: &str) {
        let host = self.address.strip_prefix("http://").expect("plain HTTP");
        let mut stream = TcpStream::connect(host).expect("it listens");
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all(format!("{head}{body}").as_bytes()).expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("answered");
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn at(fake: &str, arguments: &[&str], home: &Path) -> Start {
    casefile(arguments)
        .env("CASEFILE_FORGE_API", fake)
        .env("CASEFILE_TOKEN", "canary-of-home")
        .env("CASEFILE_HOME", home.to_str().expect("a plain path"))
}

fn quit(rig: &mut Rig) {
    assert_eq!(rig.quit(), 0);
    rig.assert_restored();
}

#[test]
fn what_waits_is_listed_opened_live_and_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let home = folder.path().join("data");
    let fake = Fake::start(folder.path());
    let mut rig = at(&fake.address, &[], &home).run();
    rig.wait("[review requested 1]");
    rig.wait("Change 8 of bob");
    rig.wait("github.com as ada");
    rig.press("3");
    rig.wait("[mine 2]");
    rig.wait("Change 9 of ada");
    rig.press("2\r");
    // The diff, and a thread of it.
    rig.wait("example/engine#8");
    rig.wait("What happens when the file changes under us?");
    // Its dossier is known by now, and the row says so.
    rig.wait("dossier ✓");
    rig.press("gh");
    rig.wait("⚑");
    quit(&mut rig);
    let address = fake.address.clone();
    drop(fake);
    // Out of reach: what was kept stands there, with its age.
    let mut rig = at(&address, &[], &home).run();
    rig.wait("[review requested 1]");
    rig.wait("Change 8 of bob");
    rig.wait_for("the kept list's age and the trouble", |it| {
        let text = it.contents();
        text.contains("as of ") && text.contains("check the connection")
            || text.contains("try again later")
    });
    rig.press("\r");
    rig.wait("What happens when the file changes under us?");
    quit(&mut rig);
    let mut rig = at(&address, &["--offline"], &home).run();
    rig.wait("offline");
    rig.wait("Change 8 of bob");
    quit(&mut rig);
}

#[test]
fn a_short_name_is_added_and_what_is_none_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let fake = Fake::start(folder.path());
    let mut rig = at(&fake.address, &[], &folder.path().join("data")).run();
    rig.wait("[review requested 1]");
    rig.press("aexample/engine#x\r");
    rig.wait("a short name looks like owner/repo#12");
    rig.press("\x7f7\r");
    rig.wait("Change 7 of ada");
    rig.wait("Should this fall back to a read?");
    quit(&mut rig);
}

#[test]
fn who_is_not_signed_in_is_told_what_to_do() {
    let mut rig = casefile(&[]).env("CASEFILE_FORGE_API", "http://127.0.0.1:9").run();
    rig.wait("Three ways to begin");
    rig.press("2");
    rig.wait("gh auth login");
    rig.press("4s");
    // What doctor says, without leaving the workbench.
    rig.wait("set CASEFILE_TOKEN");
    rig.press("x");
    quit(&mut rig);
}
