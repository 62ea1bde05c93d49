//! Running git so that the answer depends on the commits alone: no settings of the system, the
//! user or the repository, no external program, no pager, no network, no lock.
//! Must not be called with anything but object names and options written here.

use crate::forge::read::LIMIT;
use std::{
    ffi::OsString,
    io::{ErrorKind, Read as _},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// Settings a repository may carry that would change a diff or start a program.
const NEUTRAL: [&str; 11] = [
    "core.attributesFile=/dev/null",
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.quotePath=true",
    "color.ui=false",
    "diff.mnemonicPrefix=false",
    "diff.noprefix=false",
    "diff.suppressBlankEmpty=false",
    "diff.renameLimit=1000",
    "log.showSignature=false",
    "protocol.allow=never",
];

/// What makes a diff the same everywhere.
const DIFF: [&str; 17] = [
    "diff-tree",
    "-r",
    "-p",
    "-M",
    "--full-index",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--no-relative",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    "--unified=3",
    "--inter-hunk-context=0",
    "--diff-algorithm=myers",
    "--indent-heuristic",
    "--submodule=short",
    "--ignore-submodules=none",
];

/// The variables that say where a repository is; every other `GIT_…` of the caller is dropped.
const WHERE: [&str; 7] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_COMMON_DIR",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_CEILING_DIRECTORIES",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
];

/// git in one folder.
pub(super) struct Git {
    folder: Option<PathBuf>,
    /// `safe.directory` of the user, which says whose repositories may be read at all. It is the
    /// one setting that must not be dropped: without it no repository of another owner opens.
    safe: Vec<String>,
}

impl Git {
    pub(super) fn at(folder: Option<&Path>) -> Self {
        let mut git = Self { folder: folder.map(Path::to_owned), safe: Vec::new() };
        if let Err(why) = git.line(&["rev-parse", "--git-dir"])
            && why.contains("dubious ownership")
        {
            git.safe = trusted();
        }
        git
    }

    /// One line of output. The error is git's own reason, empty when it gave none.
    pub(super) fn line(&self, args: &[&str]) -> Result<String, String> {
        let bytes = self.bytes(args)?;
        Ok(String::from_utf8_lossy(&bytes).trim_end_matches('\n').to_owned())
    }

    /// The diff between two commits (or a tree and a commit), as one text.
    pub(super) fn diff(&self, from: &str, to: &str) -> Result<Vec<u8>, String> {
        let mut args = DIFF.to_vec();
        args.extend(["-O/dev/null", "--end-of-options", from, to]);
        self.bytes(&args)
    }

    pub(super) fn bytes(&self, args: &[&str]) -> Result<Vec<u8>, String> {
        let mut child = self.command(args).spawn().map_err(|error| match error.kind() {
            ErrorKind::NotFound => "git is not installed, or the folder does not exist".to_owned(),
            _ => format!("git did not start: {error}"),
        })?;
        let mut errors = child.stderr.take().expect("stderr is piped");
        let reader = std::thread::spawn(move || {
            let mut text = Vec::new();
            // What stood before a failing read is still worth showing.
            let _ = errors.by_ref().take(64 << 10).read_to_end(&mut text);
            let _ = std::io::copy(&mut errors, &mut std::io::sink());
            text
        });
        let mut out = Vec::new();
        let pipe = child.stdout.take().expect("stdout is piped");
        let read = pipe.take(LIMIT + 1).read_to_end(&mut out);
        let over = out.len() as u64 > LIMIT;
        if over {
            let _ = child.kill();
        }
        let status = child.wait().map_err(|error| format!("git was lost: {error}"))?;
        let errors = reader.join().unwrap_or_default();
        if over {
            return Err(format!("the diff is larger than {} MiB", LIMIT >> 20));
        }
        read.map_err(|error| format!("its output could not be read: {error}"))?;
        if status.success() { Ok(out) } else { Err(reason(&errors)) }
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new("git");
        let caller = std::env::vars_os().map(|it| it.0);
        for name in caller.filter(|it| is_git(it) && !WHERE.iter().any(|keep| it == keep)) {
            command.env_remove(name);
        }
        command
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_SYSTEM", "/dev/null")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("GIT_NO_LAZY_FETCH", "1")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("LC_ALL", "C")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .arg("--no-pager");
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        for setting in NEUTRAL {
            command.args(["-c", setting]);
        }
        for folder in &self.safe {
            command.arg("-c").arg(format!("safe.directory={folder}"));
        }
        command.args(args);
        command
    }
}

/// Folders the user marked as safe. Only this one key of their settings is read.
fn trusted() -> Vec<String> {
    let mut command = Command::new("git");
    command.args(["config", "--global", "--get-all", "safe.directory"]).stdin(Stdio::null());
    let out = command.output().map(|it| it.stdout).unwrap_or_default();
    String::from_utf8_lossy(&out).lines().map(str::to_owned).collect()
}

fn is_git(name: &OsString) -> bool {
    name.as_encoded_bytes().starts_with(b"GIT_")
}

/// The first line git complains with, without its `fatal: `.
fn reason(errors: &[u8]) -> String {
    let text = String::from_utf8_lossy(errors);
    let lines = || text.lines().map(str::trim).filter(|it| !it.is_empty());
    let line = lines().find(|it| it.starts_with("fatal: ") || it.starts_with("error: "));
    let line = line.or_else(|| lines().next()).unwrap_or_default();
    line.trim_start_matches("fatal: ").trim_start_matches("error: ").to_owned()
}
