//! Running git so that the answer depends on the commits alone: no settings of the system, the
//! user or the repository, no external program, no pager, no network, no lock.
//! Must not be called with anything but object names and options written here.

use crate::forge::read::LIMIT;
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::Errno,
};
use std::{
    ffi::OsString,
    io::{self, ErrorKind, Read as _},
    path::{Path, PathBuf},
    process::{Child, ChildStdout, Command, Stdio},
    thread::JoinHandle,
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
    /// Nobody's marks of safe folders are looked at until git asks for one: see `trust`.
    pub(super) fn at(folder: Option<&Path>) -> Self {
        Self { folder: folder.map(Path::to_owned), safe: Vec::new() }
    }

    /// Whether git refused a repository of another owner, and the user has folders marked as safe;
    /// they hold from now on.
    pub(super) fn trust(&mut self, why: &str) -> bool {
        if why.contains("dubious ownership") && self.safe.is_empty() {
            self.safe = trusted();
        }
        why.contains("dubious ownership") && !self.safe.is_empty()
    }

    /// One line of output. The error is git's own reason, empty when it gave none.
    pub(super) fn line(&self, args: &[&str]) -> Result<String, String> {
        let bytes = self.bytes(args)?;
        Ok(String::from_utf8_lossy(&bytes).trim_end_matches('\n').to_owned())
    }

    /// Starts the diff between two commits (or a tree and a commit), which goes on by itself.
    pub(super) fn diff(&self, from: &str, to: &str) -> Result<Running, String> {
        let mut args = DIFF.to_vec();
        args.extend(["-O/dev/null", "--end-of-options", from, to]);
        self.start(&args)
    }

    pub(super) fn bytes(&self, args: &[&str]) -> Result<Vec<u8>, String> {
        let mut out = Vec::new();
        self.start(args)?.read(&|| false, &mut |bytes| out.extend_from_slice(bytes))?;
        Ok(out)
    }

    fn start(&self, args: &[&str]) -> Result<Running, String> {
        let mut child = self.command(args).spawn().map_err(|error| match error.kind() {
            ErrorKind::NotFound => "git is not installed, or the folder does not exist".to_owned(),
            _ => format!("git did not start: {error}"),
        })?;
        let out = child.stdout.take().expect("stdout is piped");
        let mut errors = child.stderr.take().expect("stderr is piped");
        let errors = std::thread::spawn(move || {
            let mut text = Vec::new();
            // What stood before a failing read is still worth showing.
            let _ = errors.by_ref().take(64 << 10).read_to_end(&mut text);
            let _ = io::copy(&mut errors, &mut io::sink());
            text
        });
        Ok(Running { child, out, errors: Some(errors) })
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

/// A git at work. Dropping it ends git.
pub(super) struct Running {
    child: Child,
    out: ChildStdout,
    errors: Option<JoinHandle<Vec<u8>>>,
}

/// How often somebody who waits is asked whether they still do, in nanoseconds.
const GLANCE: i64 = 50_000_000;
/// What a pipe holds.
const PIPE: usize = 64 << 10;

impl Running {
    /// Gives the output as it comes, to its end. The error is git's own reason, empty when it gave
    /// none.
    pub(super) fn read(
        mut self,
        stopped: &dyn Fn() -> bool,
        take: &mut dyn FnMut(&[u8]),
    ) -> Result<(), String> {
        let mut room = vec![0; PIPE];
        let mut read = 0;
        loop {
            if stopped() {
                return Err("it was stopped".to_owned());
            }
            let got = match self
                .wait()
                .and_then(|ready| if ready { self.out.read(&mut room).map(Some) } else { Ok(None) })
            {
                Ok(None) => continue,
                Ok(Some(0)) => break,
                Ok(Some(got)) => got,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(format!("its output could not be read: {error}")),
            };
            read += got as u64;
            if read > LIMIT {
                return Err(format!("the diff is larger than {} MiB", LIMIT >> 20));
            }
            take(&room[..got]);
        }
        let status = self.child.wait().map_err(|error| format!("git was lost: {error}"))?;
        let errors = self.errors.take().and_then(|it| it.join().ok()).unwrap_or_default();
        if status.success() {
            return Ok(());
        }
        let why = reason(&errors);
        Err(if read > 0 && why.is_empty() { format!("git ended early ({status})") } else { why })
    }

    /// Waits a moment for output; whether there is some, or its end.
    fn wait(&self) -> io::Result<bool> {
        let mut fds = [PollFd::new(&self.out, PollFlags::IN)];
        match poll(&mut fds, Some(&Timespec { tv_sec: 0, tv_nsec: GLANCE })) {
            Ok(ready) => Ok(ready > 0),
            Err(Errno::INTR) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Both do nothing when it has ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
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
