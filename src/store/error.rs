//! Everything that can go wrong on disk, one variant per failed operation. Each text says what
//! happened, to what, and what to do next. Must not be decided on by its words.

use std::{io, path::PathBuf};

/// A failed operation on disk.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("cannot {doing} {}: {source}{}", path.display(), next(source))]
    Disk { doing: &'static str, path: PathBuf, source: io::Error },
    #[error(
        "{} is a symbolic link or not a plain file; nothing inside an artifact folder is followed: \
         move it away and run again",
        path.display()
    )]
    NotPlain { path: PathBuf },
    #[error("{} has more than the {most} bytes it may have: move it away and run again", path.display())]
    TooLarge { path: PathBuf, most: u64 },
    #[error("{} does not hold what it should: {why}", path.display())]
    Unreadable { path: PathBuf, why: String },
    #[error(
        "the ledger {} is on a network file system ({kind}), where SQLite loses data: name one on \
         a local disk with --ledger FILE",
        path.display()
    )]
    NetworkDisk { path: PathBuf, kind: String },
    #[error(
        "the ledger {} has schema version {found}, this casefile knows up to {known}: use the \
         newer casefile that wrote it, or another ledger with --ledger FILE; it was not touched",
        path.display()
    )]
    NewerLedger { path: PathBuf, found: i64, known: i64 },
    #[error(
        "{} is not a casefile ledger ({why}): name another one with --ledger FILE; it was not \
         touched",
        path.display()
    )]
    ForeignLedger { path: PathBuf, why: String },
    #[error("the ledger setting {name} = {wanted} did not take (it is {found}); not started")]
    Pragma { name: String, wanted: String, found: String },
    #[error("cannot {doing} in the ledger {}: {source}", path.display())]
    Ledger { doing: &'static str, path: PathBuf, source: rusqlite::Error },
    #[error("another process moved {what} meanwhile; this one stops, run again to see where it is")]
    MovedMeanwhile { what: String },
    #[error("the ledger says something that cannot have happened: {0}; run `casefile doctor`")]
    IllegalMove(#[from] crate::task::moves::IllegalMove),
    #[error("{0}; look at it again, it may have changed meanwhile")]
    IllegalAction(#[from] crate::outbox::state::IllegalMove),
    #[error("the ledger's writer ended before its time; see the messages above")]
    WriterGone,
}

/// What a person can do about an error of the disk, where that is known.
fn next(error: &io::Error) -> &'static str {
    use io::ErrorKind as Kind;
    match error.kind() {
        Kind::StorageFull | Kind::QuotaExceeded => {
            "; make room and run again, what was finished is kept"
        }
        Kind::ReadOnlyFilesystem | Kind::PermissionDenied => {
            "; name a folder you may write to with CASEFILE_HOME or --artifacts"
        }
        Kind::AlreadyExists | Kind::NotADirectory | Kind::IsADirectory => {
            "; something else is in its place: move it away, or name another folder with \
             CASEFILE_HOME or --artifacts"
        }
        _ => "",
    }
}

impl StoreError {
    /// Whether the ledger failed, not an artifact.
    pub fn is_ledger(&self) -> bool {
        !matches!(
            self,
            Self::Disk { .. }
                | Self::NotPlain { .. }
                | Self::TooLarge { .. }
                | Self::Unreadable { .. }
        )
    }
}
