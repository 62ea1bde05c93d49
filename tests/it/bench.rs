//! A folder of its own for each test, the real binary in it, and small captures to feed it.

use assert_cmd::Command;
use serde_json::{Value, json};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Everything one test may write to.
pub(crate) struct Bench {
    folder: tempfile::TempDir,
}

/// What a run left behind.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder") }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file and answers its path.
    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(&path, content).expect("written");
        path.to_str().expect("a plain path").to_owned()
    }

    /// The binary, seeing nothing of the person who runs the tests.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::cargo_bin("casefile").expect("the binary is built");
        command.env_clear().env("NO_COLOR", "1").env("HOME", self.path("person"));
        for (name, folder) in
            [("CASEFILE_HOME", "data"), ("XDG_CONFIG_HOME", "config"), ("XDG_DATA_HOME", "share")]
        {
            command.env(name, self.path(folder));
        }
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.current_dir(self.folder.path());
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        self.fed(args, "")
    }

    /// Runs the binary with something on standard input.
    pub(crate) fn fed(&self, args: &[&str], input: impl Into<Vec<u8>>) -> Ran {
        let output = self.command().args(args).write_stdin(input).output().expect("it starts");
        Ran {
            code: output.status.code().expect("no signal"),
            out: String::from_utf8(output.stdout).expect("UTF-8 on standard output"),
            err: String::from_utf8(output.stderr).expect("UTF-8 on standard error"),
        }
    }

    /// Every file and folder below `name`, relative; empty when it does not exist.
    pub(crate) fn below(&self, name: &str) -> Vec<String> {
        let root = self.path(name);
        let mut found = Vec::new();
        walk(&root, &root, &mut found);
        found.sort();
        found
    }
}

impl Ran {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}", self.out))
    }
}

fn walk(root: &Path, folder: &Path, found: &mut Vec<String>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries {
        let path = entry.expect("an entry").path();
        let name = path.strip_prefix(root).expect("below the root");
        found.push(name.to_string_lossy().into_owned());
        walk(root, &path, found);
    }
}

/// A pull request with two files and three threads: one asks, one is answered, one is noise.
pub(crate) fn capture(number: u64) -> Value {
    json!({
        "format": "casefile-capture", "version": 1, "captured_at": "2024-05-01T10:00:00Z",
        "forge": { "kind": "github", "host": "github.com" }, "repository": "example/engine",
        "pull_request": {
            "number": number, "title": "Cache the parsed index", "body": "Saves a read.",
            "author": "ada", "author_is_bot": false, "state": "open", "draft": false,
            "base": { "ref": "main", "sha": "a".repeat(40) },
            "head": { "ref": "cache", "sha": "b".repeat(40) },
        },
        "files": [{
            "path": "src/index.rs", "status": "modified", "additions": 2, "deletions": 1,
            "patch": "@@ -1,3 +1,4 @@\n fn load() {\n-    read()\n+    cached()\n+        .or_read()\n }",
        }],
        "issue_comments": [comment(1, "bob", "Thanks for this, a few remarks inline.")],
        "review_threads": [
            thread("T1", 2, &[comment(11, "bob", "What happens when the file changes under us?")]),
            thread("T2", 3, &[
                comment(21, "bob", "Should this fall back to a read?"),
                comment(22, "ada", "Yes, done in the last commit."),
                comment(23, "bob", "Looks good, thanks."),
            ]),
        ],
        "reviews": [],
        "completeness": { "review_threads": { "fetched": 2, "total": 5 } },
    })
}

pub(crate) fn thread(id: &str, line: u64, comments: &[Value]) -> Value {
    json!({ "id": id, "path": "src/index.rs", "line": line, "side": "RIGHT", "comments": comments })
}

pub(crate) fn comment(id: u64, author: &str, body: &str) -> Value {
    json!({
        "id": id, "author": author, "author_is_bot": false, "body": body,
        "created_at": "2024-05-01T09:00:00Z",
    })
}
