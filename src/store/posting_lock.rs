//! The lock of posting: one process at a time writes to a pull request, over look, send and record.
//! Must not be a row or a time: the kernel holds it, over any pause, and frees it with the process.
//!
//! With leases in rows alone, long pauses gave duplicates (hazards, F6). It is per ledger and pull
//! request, never per head or base.

use crate::store::{
    error::StoreError,
    ledger::{
        file::{beside, lock_file},
        lease::Owner,
    },
    time,
};
use serde::{Deserialize, Serialize};
use std::{
    fs::{self, File, TryLockError},
    io::{self, Read as _, Seek as _, Write as _},
    path::{Path, PathBuf},
};

/// Held until it is dropped.
#[derive(Debug)]
pub struct PostingLock {
    file: File,
}

/// Who holds it, for display alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    pub pid: u32,
    pub host: String,
    /// RFC 3339.
    pub since: String,
}

impl PostingLock {
    /// Takes the lock of a pull request, or says who has it. `target` is its name in the ledger.
    pub fn take(ledger: &Path, target: &str) -> Result<Result<Self, Option<Holder>>, StoreError> {
        let path = place(ledger, target);
        let failed = |source| StoreError::Disk { doing: "lock", path: path.clone(), source };
        let folder = path.parent().unwrap_or(Path::new(""));
        make_private(folder).map_err(failed)?;
        let mut file = File::from(lock_file(&path)?);
        match file.try_lock() {
            Ok(()) => {
                // Display alone: a full disk must not keep anybody from the lock.
                let _ = sign(&mut file);
                Ok(Ok(Self { file }))
            }
            Err(TryLockError::WouldBlock) => Ok(Err(holder(&mut file))),
            Err(TryLockError::Error(error)) => Err(failed(error)),
        }
    }
}

impl Drop for PostingLock {
    fn drop(&mut self) {
        // Closing the file unlocks it too.
        let _ = self.file.set_len(0);
        let _ = self.file.unlock();
    }
}

/// Beside the ledger, so that everybody who uses the ledger meets there. The name is for people; its
/// end tells apart what the letters cannot.
fn place(ledger: &Path, target: &str) -> PathBuf {
    let plain = |it: char| if it.is_ascii_alphanumeric() || "-._".contains(it) { it } else { '-' };
    let name: String = target.chars().map(plain).take(120).collect();
    let digest = crate::domain::digest::Digest::of(target);
    let digits = digest.as_str().get(..8).unwrap_or_default();
    beside(ledger, "-posting").join(format!("{name}-{digits}.lock"))
}

fn make_private(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    match fs::DirBuilder::new().mode(0o700).create(folder) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        it => it,
    }
}

fn sign(file: &mut File) -> io::Result<()> {
    let Owner { host, pid, .. } = Owner::this_process();
    let holder = Holder { pid, host, since: time::now() };
    file.set_len(0)?;
    file.rewind()?;
    file.write_all(serde_json::to_string(&holder).map_err(io::Error::other)?.as_bytes())
}

fn holder(file: &mut File) -> Option<Holder> {
    let mut text = String::new();
    file.take(4_096).read_to_string(&mut text).ok()?;
    serde_json::from_str(&text).ok()
}

#[cfg(test)]
mod tests {
    use crate::store::posting_lock::PostingLock;

    #[test]
    fn one_holder_a_pull_request() {
        let temp = tempfile::tempdir().expect("a temporary folder");
        let ledger = temp.path().join("ledger.db");
        let take = |target| PostingLock::take(&ledger, target).expect("a disk");
        let held = take("github.com/acme/store#482").expect("free");
        let Err(Some(holder)) = take("github.com/acme/store#482") else { panic!("taken twice") };
        assert_eq!(holder.pid, std::process::id());
        // Names that look the same in a file system are still two.
        let other = take("github.com/acme/store-482").expect("another one");
        drop(held);
        assert!(take("github.com/acme/store#482").is_ok());
        drop(other);
    }
}
