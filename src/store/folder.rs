//! A folder held open by its descriptor: everything below it is reached one part at a time and no
//! symbolic link is followed. Folders are made 0700, files 0600, at creation. Writes are atomic: a
//! temporary file, fsync, rename, fsync of the folder. Must not know what it keeps.

use crate::store::{error::StoreError, fail};
use rustix::{
    fs::{AtFlags, CWD, FileType, FlockOperation, Mode, OFlags},
    io::Errno,
};
use std::{
    ffi::OsStr,
    fs::File,
    io::{self, Read, Write},
    os::fd::OwnedFd,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
};

const PRIVATE_FOLDER: Mode = Mode::RWXU;
const PRIVATE_FILE: Mode = Mode::RUSR.union(Mode::WUSR);
const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
/// The most a file of ours may hold: as much as a capture (`forge::read::LIMIT`).
pub const LARGEST: u64 = 256 << 20;
/// First letters of a file that is still being written.
const TEMPORARY: &str = ".tmp-";

/// An open folder. Names are single path parts; encode foreign ones with `store::name` first.
#[derive(Debug)]
pub struct Folder {
    fd: OwnedFd,
    path: PathBuf,
}

/// Held while this process works in a folder. The kernel drops it when the process dies and keeps
/// it over a pause.
#[derive(Debug)]
pub struct Lock(#[expect(dead_code, reason = "holding it is its use")] OwnedFd);

impl Folder {
    /// Opens a folder a person named; links in the name itself are theirs to make.
    /// `None` when there is none.
    pub fn open(path: &Path) -> Result<Option<Self>, StoreError> {
        match rustix::fs::openat(CWD, path, FOLDER, Mode::empty()) {
            Ok(fd) => Ok(Some(Self { fd, path: path.to_owned() })),
            Err(Errno::NOENT) => Ok(None),
            Err(error) => Err(disk("open the folder", path, error.into())),
        }
    }

    /// Opens a folder a person named, making it and missing parents 0700.
    pub fn create(path: &Path) -> Result<Self, StoreError> {
        use std::os::unix::fs::DirBuilderExt;
        let made = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(path);
        made.map_err(|error| disk("make the folder", path, error))?;
        let missing = || disk("open the folder", path, io::ErrorKind::NotFound.into());
        Self::open(path)?.ok_or_else(missing)
    }

    /// Where it is, for messages and for what lies beside it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Opens a folder inside, or `None` when there is none.
    pub fn sub(&self, name: &str) -> Result<Option<Self>, StoreError> {
        let path = self.inside(name);
        match rustix::fs::openat(&self.fd, name, FOLDER | OFlags::NOFOLLOW, Mode::empty()) {
            Ok(fd) => Ok(Some(Self { fd, path })),
            Err(Errno::NOENT) => Ok(None),
            Err(Errno::LOOP | Errno::NOTDIR) => Err(StoreError::NotPlain { path }),
            Err(error) => Err(disk("open the folder", &path, error.into())),
        }
    }

    /// Opens a folder inside, made 0700 when there is none.
    pub fn make(&self, name: &str) -> Result<Self, StoreError> {
        let path = self.inside(name);
        match rustix::fs::mkdirat(&self.fd, name, PRIVATE_FOLDER) {
            Ok(()) => self.sync()?,
            Err(Errno::EXIST) => (),
            Err(error) => return Err(disk("make the folder", &path, error.into())),
        }
        let missing = || disk("open the folder", &path, io::ErrorKind::NotFound.into());
        self.sub(name)?.ok_or_else(missing)
    }

    /// The bytes of a plain file, or `None` when there is none. A file above [`LARGEST`] is refused.
    pub fn read(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.read_at_most(name, LARGEST)
    }

    /// The bytes of a plain file that has no more than `most` of them.
    pub fn read_at_most(&self, name: &str, most: u64) -> Result<Option<Vec<u8>>, StoreError> {
        let path = self.inside(name);
        let Some((file, length)) = self.plain(name)? else { return Ok(None) };
        if length > most {
            return Err(StoreError::TooLarge { path, most });
        }
        let mut bytes = Vec::new();
        let read = (&file).take(most + 1).read_to_end(&mut bytes);
        read.map_err(|error| disk("read", &path, error))?;
        if bytes.len() as u64 > most {
            return Err(StoreError::TooLarge { path, most });
        }
        Ok(Some(bytes))
    }

    /// A plain file and its length.
    fn plain(&self, name: &str) -> Result<Option<(File, u64)>, StoreError> {
        let path = self.inside(name);
        // NONBLOCK: a planted pipe must not hold us up.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
        let file = match rustix::fs::openat(&self.fd, name, flags, Mode::empty()) {
            Ok(fd) => File::from(fd),
            Err(Errno::NOENT) => return Ok(None),
            Err(Errno::LOOP) => return Err(StoreError::NotPlain { path }),
            Err(error) => return Err(disk("read", &path, error.into())),
        };
        let meta = file.metadata().map_err(|error| disk("read", &path, error))?;
        if meta.is_file() {
            Ok(Some((file, meta.len())))
        } else {
            Err(StoreError::NotPlain { path })
        }
    }

    /// Whether a plain file holds exactly these bytes. They are compared piece by piece: a capture
    /// is long.
    fn holds(&self, name: &str, bytes: &[u8]) -> Result<bool, StoreError> {
        let Some((mut file, length)) = self.plain(name)? else { return Ok(false) };
        if length != bytes.len() as u64 {
            return Ok(false);
        }
        let mut piece = vec![0; bytes.len().min(64 << 10)];
        for expected in bytes.chunks(piece.len().max(1)) {
            let read = file.read_exact(&mut piece[..expected.len()]);
            match read {
                Ok(()) if piece[..expected.len()] == *expected => {}
                Ok(()) => return Ok(false),
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(false),
                Err(error) => return Err(disk("read", &self.inside(name), error)),
            }
        }
        Ok(true)
    }

    /// Writes a file so that a reader sees the old bytes or the new ones, never a part.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        self.refuse_link(name)?;
        let failed = |error| disk("write", &self.inside(name), error);
        fail::point(name, "before").map_err(failed)?;
        let temporary = temporary_name();
        let written = self.write_temporary(&temporary, name, bytes).and_then(|()| {
            rustix::fs::renameat(&self.fd, &temporary, &self.fd, name)?;
            fail::point(name, "renamed")
        });
        if let Err(error) = written {
            // Best effort: a left-over is swept at the next run, the first error matters.
            let _ = rustix::fs::unlinkat(&self.fd, &temporary, AtFlags::empty());
            return Err(failed(error));
        }
        self.sync()?;
        fail::point(name, "synced").map_err(failed)
    }

    /// Writes a file unless it holds exactly these bytes; says whether it wrote.
    pub fn update(&self, name: &str, bytes: &[u8]) -> Result<bool, StoreError> {
        if self.holds(name, bytes)? {
            return Ok(false);
        }
        self.write(name, bytes)?;
        Ok(true)
    }

    /// Opens a plain file for reading and appending, made 0600 when there is none. The caller syncs
    /// the file, then this folder.
    pub fn open_for_append(&self, name: &str) -> Result<File, StoreError> {
        let path = self.inside(name);
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::APPEND | OFlags::CLOEXEC;
        let flags = flags | OFlags::NOFOLLOW | OFlags::NONBLOCK;
        let file = match rustix::fs::openat(&self.fd, name, flags, PRIVATE_FILE) {
            Ok(fd) => File::from(fd),
            Err(Errno::LOOP | Errno::ISDIR) => return Err(StoreError::NotPlain { path }),
            Err(error) => return Err(disk("write", &path, error.into())),
        };
        let plain = file.metadata().map_err(|error| disk("write", &path, error))?.is_file();
        if plain { Ok(file) } else { Err(StoreError::NotPlain { path }) }
    }

    /// Names inside, sorted; unfinished writes left out, and names that are not UTF-8, which
    /// are never ours.
    pub fn names(&self) -> Result<Vec<String>, StoreError> {
        let failed = |error: Errno| disk("list", &self.path, error.into());
        let mut names = Vec::new();
        for entry in rustix::fs::Dir::read_from(&self.fd).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            if let Ok(name) = entry.file_name().to_str()
                && !matches!(name, "." | "..")
                && !name.starts_with(TEMPORARY)
            {
                names.push(name.to_owned());
            }
        }
        names.sort();
        Ok(names)
    }

    /// Renames something damaged to `<name>.damaged-<n>`, never over another; gives the new name.
    pub fn set_aside(&self, name: &str) -> Result<String, StoreError> {
        let taken = self.names()?;
        let free =
            (1..=u32::MAX).map(|n| format!("{name}.damaged-{n}")).find(|it| !taken.contains(it));
        let aside = free.expect("fewer files than numbers");
        let failed = |error: Errno| disk("set aside", &self.inside(name), error.into());
        rustix::fs::renameat(&self.fd, name, &self.fd, &aside).map_err(failed)?;
        self.sync()?;
        Ok(aside)
    }

    /// Removes a file, synced. None there is as good.
    pub fn remove(&self, name: &str) -> Result<(), StoreError> {
        match rustix::fs::unlinkat(&self.fd, name, AtFlags::empty()) {
            Ok(()) => self.sync(),
            Err(Errno::NOENT) => Ok(()),
            Err(error) => Err(disk("remove", &self.inside(name), error.into())),
        }
    }

    /// Removes what writes of dead processes left. Only while the folder is locked.
    pub fn sweep(&self) -> Result<(), StoreError> {
        let failed = |error: Errno| disk("list", &self.path, error.into());
        for entry in rustix::fs::Dir::read_from(&self.fd).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            if entry.file_name().to_bytes().starts_with(TEMPORARY.as_bytes()) {
                let gone = rustix::fs::unlinkat(&self.fd, entry.file_name(), AtFlags::empty());
                gone.map_err(failed)?;
            }
        }
        Ok(())
    }

    /// Takes the folder's lock if nobody holds it.
    pub fn try_lock(&self) -> Result<Option<Lock>, StoreError> {
        self.flock(FlockOperation::NonBlockingLockExclusive)
    }

    /// Waits for the folder's lock. Only for work that ends quickly.
    pub fn lock(&self) -> Result<Lock, StoreError> {
        let gone = || disk("lock", &self.path, io::ErrorKind::WouldBlock.into());
        self.flock(FlockOperation::LockExclusive)?.ok_or_else(gone)
    }

    fn flock(&self, how: FlockOperation) -> Result<Option<Lock>, StoreError> {
        let failed = |error: Errno| disk("lock", &self.path, error.into());
        // A description of its own: the lock must not outlive the `Lock` through `self.fd`.
        let fd = rustix::fs::openat(&self.fd, ".", FOLDER, Mode::empty()).map_err(failed)?;
        loop {
            match rustix::fs::flock(&fd, how) {
                Ok(()) => return Ok(Some(Lock(fd))),
                Err(Errno::WOULDBLOCK) => return Ok(None),
                Err(Errno::INTR) => (),
                Err(error) => return Err(failed(error)),
            }
        }
    }

    fn write_temporary(&self, temporary: &str, name: &str, bytes: &[u8]) -> io::Result<()> {
        let flags =
            OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mut file = File::from(rustix::fs::openat(&self.fd, temporary, flags, PRIVATE_FILE)?);
        let half = bytes.len() / 2;
        file.write_all(&bytes[..half])?;
        fail::point(name, "half")?;
        file.write_all(&bytes[half..])?;
        file.sync_all()?;
        fail::point(name, "written")
    }

    fn refuse_link(&self, name: &str) -> Result<(), StoreError> {
        match rustix::fs::statat(&self.fd, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(it) if FileType::from_raw_mode(it.st_mode) != FileType::RegularFile => {
                Err(StoreError::NotPlain { path: self.inside(name) })
            }
            _ => Ok(()),
        }
    }

    /// Makes names that were added or removed durable.
    pub fn sync(&self) -> Result<(), StoreError> {
        rustix::fs::fsync(&self.fd).map_err(|error| disk("sync", &self.path, error.into()))
    }

    fn inside(&self, name: &str) -> PathBuf {
        debug_assert!(
            Path::new(name).file_name() == Some(OsStr::new(name)),
            "`{name}` is not one path part"
        );
        self.path.join(name)
    }
}

/// Unique among the threads of all processes on this disk.
fn temporary_name() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("{TEMPORARY}{}-{count}-{}", std::process::id(), crate::store::time::now_ms())
}

fn disk(doing: &'static str, path: &Path, source: io::Error) -> StoreError {
    StoreError::Disk { doing, path: path.to_owned(), source }
}

#[cfg(test)]
mod tests {
    use crate::store::{error::StoreError, folder::Folder};
    use std::os::unix::fs::{MetadataExt, symlink};

    fn folder() -> (tempfile::TempDir, Folder) {
        let temp = tempfile::tempdir().expect("a temporary folder");
        let folder = Folder::create(&temp.path().join("root")).expect("made");
        (temp, folder)
    }

    #[test]
    fn what_is_made_is_private_and_reads_back() {
        let (_temp, folder) = folder();
        let inner = folder.make("a").expect("made").make("b").expect("made");
        inner.write("x", b"one").expect("written");
        inner.write("x", b"two").expect("written over");
        assert_eq!(inner.read("x").expect("read").as_deref(), Some(&b"two"[..]));
        assert_eq!(inner.names().expect("listed"), ["x"], "no temporary file is left");
        let mode = |path: &std::path::Path| path.metadata().expect("there").mode() & 0o777;
        assert_eq!(mode(folder.path()), 0o700);
        assert_eq!(mode(inner.path()), 0o700);
        assert_eq!(mode(&inner.path().join("x")), 0o600);
    }

    #[test]
    fn update_writes_only_what_changed() {
        let (_temp, folder) = folder();
        assert!(folder.update("x", b"one").expect("written"));
        let inode = || folder.path().join("x").metadata().expect("there").ino();
        let before = inode();
        assert!(!folder.update("x", b"one").expect("kept"));
        assert_eq!(inode(), before);
        assert!(folder.update("x", b"two").expect("written"));
    }

    #[test]
    fn planted_links_are_refused_and_nothing_behind_them_changes() {
        let (temp, folder) = folder();
        let outside = temp.path().join("outside");
        std::fs::create_dir(&outside).expect("made");
        std::fs::write(outside.join("file"), "theirs").expect("written");
        symlink(&outside, folder.path().join("dir")).expect("planted");
        symlink(outside.join("file"), folder.path().join("file")).expect("planted");
        symlink(outside.join("new"), folder.path().join("new")).expect("planted");
        let refused = |it: Result<(), StoreError>| {
            assert!(matches!(it, Err(StoreError::NotPlain { .. })), "{it:?}");
        };
        refused(folder.sub("dir").map(drop));
        refused(folder.make("dir").map(drop));
        refused(folder.read("file").map(drop));
        refused(folder.write("file", b"ours"));
        refused(folder.write("new", b"ours"));
        assert_eq!(std::fs::read(outside.join("file")).expect("there"), b"theirs");
        assert_eq!(std::fs::read_dir(&outside).expect("there").count(), 1);
    }

    #[test]
    fn a_folder_or_pipe_in_the_place_of_a_file_is_refused() {
        let (_temp, folder) = folder();
        folder.make("x").expect("made");
        assert!(matches!(folder.read("x"), Err(StoreError::NotPlain { .. })));
        assert!(matches!(folder.write("x", b""), Err(StoreError::NotPlain { .. })));
    }

    #[test]
    fn what_is_damaged_is_kept_aside() {
        let (_temp, folder) = folder();
        for expected in ["x.damaged-1", "x.damaged-2"] {
            folder.write("x", b"bad").expect("written");
            assert_eq!(folder.set_aside("x").expect("renamed"), expected);
        }
        assert_eq!(folder.read("x").expect("read"), None);
    }

    #[test]
    fn one_lock_at_a_time() {
        let (_temp, folder) = folder();
        let held = folder.try_lock().expect("asked").expect("free");
        assert!(folder.try_lock().expect("asked").is_none());
        drop(held);
        assert!(folder.try_lock().expect("asked").is_some());
    }

    #[test]
    fn sweep_takes_only_unfinished_writes() {
        let (_temp, folder) = folder();
        folder.write("x", b"kept").expect("written");
        std::fs::write(folder.path().join(".tmp-1-2-3"), "half").expect("written");
        folder.sweep().expect("swept");
        assert_eq!(std::fs::read_dir(folder.path()).expect("there").count(), 1);
    }
}
