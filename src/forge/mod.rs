//! Where captures come from: GitHub, a capture file, a unified diff, a git range.
//! Must not interpret what was said, store anything in a dossier, or know about screens.

pub mod capture_file;
pub mod derive;
pub mod explain;
pub mod git;
pub mod github;
pub mod live;
pub mod patch_file;
pub mod read;
pub mod target;
pub mod write;

use crate::domain::{capture::Capture, diff::Diff};
use crate::forge::{github::trouble::LiveError, live::NoWay, target::TargetSpec};
use std::{io, path::PathBuf, sync::Arc};

/// A source of captures.
pub trait Forge {
    /// Everything it says about its one target, at this moment.
    fn open(&self) -> Result<Opened, ForgeError>;
}

/// A target, read.
#[derive(Debug, Clone)]
pub struct Opened {
    /// What a person would call it: `owner/name#12`, or the file's or range's name.
    pub label: String,
    pub capture: Arc<Capture>,
    /// Already parsed, when the source is a diff. A capture's own patches are parsed by
    /// `patch::of_capture` when somebody looks at them.
    pub diff: Option<Arc<Diff>>,
    pub document: Document,
}

/// The capture as JSON.
#[derive(Debug, Clone)]
pub enum Document {
    /// The bytes of the capture file, decompressed, exactly as they stood: fields this version
    /// does not know survive in them.
    Kept(Arc<Vec<u8>>),
    /// Not written yet. The first frame of a long diff must not pay for it.
    Derived,
}

/// Somebody who waits for a target while it is read.
pub struct Watch<'a> {
    /// Takes the files of a diff that are there already; each time all of the last one and more.
    pub part: &'a dyn Fn(Opened),
    /// Whether nobody waits any more.
    pub stopped: &'a dyn Fn() -> bool,
}

/// What can go wrong while a target is read or a capture is written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ForgeError {
    #[error("{path} does not exist")]
    Missing { path: String },
    #[error("{path} is a folder; a capture or a diff is one file")]
    Folder { path: String },
    #[error("{path} could not be read: {source}")]
    Read { path: String, source: io::Error },
    #[error("{path} is empty")]
    Empty { path: String },
    #[error("{path} holds more than the {limit_mib} MiB a target may have")]
    TooLarge { path: String, limit_mib: u64 },
    #[error("{path} unpacks to more than {limit} times its size; that is no capture")]
    Bomb { path: String, limit: u64 },
    #[error("{path} could not be decompressed: {why}")]
    Compressed { path: String, why: String },
    #[error("{path} is not UTF-8 text: {why}")]
    NotText { path: String, why: String },
    #[error("{path} is neither a capture (JSON) nor a unified diff")]
    Unknown { path: String },
    #[error("{path} is not JSON: {why} at line {line}, column {column}")]
    NotJson { path: String, why: String, line: usize, column: usize },
    #[error("{path} is cut off: the JSON ends inside line {line}")]
    Truncated { path: String, line: usize },
    #[error("{path} is JSON but not a capture: {found}")]
    Format { path: String, found: String },
    #[error("{path} is a capture of version {found}; this casefile reads version 1")]
    Version { path: String, found: String },
    #[error("{path}: the field `{field}` {why}")]
    Field { path: String, field: String, why: String },
    #[error(transparent)]
    Live(#[from] LiveError),
    #[error(transparent)]
    NoWay(#[from] NoWay),
    #[error("{path} could not be written: {source}")]
    Write { path: String, source: io::Error },
    #[error("the diff in {path} could not be read: {why}")]
    Diff { path: String, why: String },
    #[error("git could not show {range}: {why}")]
    Git { range: String, why: String },
}

/// What kind of trouble an error is, so that the binary can choose an exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// The input itself.
    Input,
    /// Sign-in or set-up.
    Config,
    /// Out of reach for now.
    Unreachable,
    /// This machine's disk.
    Disk,
}

/// Reads a target, whatever it is, and shows parts of it where it takes long.
pub fn stream(spec: &TargetSpec, watch: &Watch<'_>) -> Result<Opened, ForgeError> {
    match spec {
        TargetSpec::Range(range) => git::stream_range(range, watch),
        other => open(other),
    }
}

/// Reads a target, whatever it is.
pub fn open(spec: &TargetSpec) -> Result<Opened, ForgeError> {
    match spec {
        TargetSpec::PullRequest(it) => Err(NoWay::Offline(it.to_string()).into()),
        TargetSpec::File(path) => capture_file::Source::file(path.clone()).open(),
        TargetSpec::Stdin => capture_file::Source::stdin().open(),
        TargetSpec::Range(range) => git::open_range(range),
    }
}

impl Opened {
    /// The capture as JSON, made now when the source was no capture file.
    pub fn document(&self) -> Arc<Vec<u8>> {
        match &self.document {
            Document::Kept(bytes) => Arc::clone(bytes),
            Document::Derived => Arc::new(derive::document(&self.capture, self.diff.as_deref())),
        }
    }

    /// The capture as the document has it, without the patches of a diff: see `derive::outline`.
    pub fn outline(&self) -> Arc<Capture> {
        match &self.document {
            Document::Kept(_) => Arc::clone(&self.capture),
            Document::Derived => Arc::new(derive::outline(&self.capture, self.diff.as_deref())),
        }
    }
}

impl ForgeError {
    /// Which kind of trouble this is.
    pub fn class(&self) -> Class {
        match self {
            Self::Live(it) => it.class(),
            Self::NoWay(it) => it.class(),
            Self::Write { .. } => Class::Disk,
            _ => Class::Input,
        }
    }

    /// What a person can do about it, where that is not plain from the message.
    pub fn hint(&self) -> Option<String> {
        let text = match self {
            Self::Live(it) => return it.hint(),
            Self::NoWay(it) => return it.hint(),
            Self::Missing { .. } => {
                "a target is a capture file, a .diff file, `-` for standard input, or a git range like main..HEAD"
            }
            Self::Truncated { .. } | Self::Compressed { .. } => {
                "fetch or copy the file again; it was not stored whole"
            }
            Self::Version { .. } => "open it with the casefile that wrote it, or update this one",
            Self::Folder { .. } => {
                "name the file inside it, or run casefile in it with a git range"
            }
            Self::Unknown { .. } | Self::Format { .. } => {
                "`casefile capture TARGET -o FILE` writes files of the right form"
            }
            _ => return None,
        };
        Some(text.to_owned())
    }

    /// The file an error speaks of, as a reader named it.
    pub fn shown(path: &std::path::Path) -> String {
        path.display().to_string()
    }
}

/// A git range as a person wrote it, and where it is looked up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Range {
    /// `main..HEAD` or `main...HEAD`, as written.
    pub text: String,
    /// The folder git runs in; `None` is the current one.
    pub folder: Option<PathBuf>,
}
