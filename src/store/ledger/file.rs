//! The ledger's file: made whole or not at all, looked at before it is opened for writing, never
//! touched when it is not ours or from the future, set aside when it is damaged.
//! Must not know what the tables mean.

use crate::store::{
    error::StoreError,
    fail,
    folder::Folder,
    ledger::{
        disk, migrate, pragma,
        schema::{APPLICATION_ID, VERSION},
    },
    time,
};
use rusqlite::{Connection, ErrorCode, OpenFlags};
use rustix::fs::{FlockOperation, Mode, OFlags};
use std::{
    fmt::Write as _,
    fs, io,
    os::{fd::OwnedFd, unix::ffi::OsStrExt as _},
    path::{Path, PathBuf},
};

/// An open ledger file, ready for writing, and what the person should know about it.
#[derive(Debug)]
pub struct Opened {
    pub connection: Connection,
    /// Held, shared, as long as the ledger is open: whoever gets it alone knows that nobody else
    /// has the ledger open.
    pub presence: OwnedFd,
    pub notices: Vec<String>,
}

/// Opens a ledger for writing, making it (and its folder, 0700) when there is none.
pub fn open(path: &Path) -> Result<Opened, StoreError> {
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Folder::create(folder)?;
    if let Some(kind) = disk::network_kind(folder) {
        return Err(StoreError::NetworkDisk { path: path.to_owned(), kind });
    }
    let (presence, alone) = presence(path)?;
    let mut notices = Vec::new();
    if alone {
        sweep(folder, path);
    }
    if !exists(path)? {
        make(path)?;
    }
    // With nobody else at it, a log that was not folded in means an unclean end.
    let unclean = alone && has_log(path);
    let version = look(path)?;
    let mut connection = connect(path)?;
    if unclean && let Some(why) = quick_check(&connection, path)? {
        drop(connection);
        let aside = set_aside(path)?;
        notices.push(format!(
            "the ledger was damaged when the last casefile ended ({why}); it is kept as {} and a \
             new one was begun",
            aside.display()
        ));
        make(path)?;
        connection = connect(path)?;
    } else if version < VERSION {
        let copy = migrate::up(&mut connection, path, version)?;
        notices.push(format!(
            "the ledger went from version {version} to {VERSION}; the old one is kept as {}",
            copy.display()
        ));
    }
    if alone {
        let shared = rustix::fs::flock(&presence, FlockOperation::LockShared);
        shared.map_err(|error| disk_error("share", path, error.into()))?;
    }
    Ok(Opened { connection, presence, notices })
}

/// Opens a ledger for reading, or `None` when there is none. Nothing is made or changed.
pub fn open_to_read(path: &Path) -> Result<Option<Connection>, StoreError> {
    if !exists(path)? {
        return Ok(None);
    }
    look(path)?;
    let connection = read_only(path).map_err(|source| ledger_error("open", path, source))?;
    pragma::busy(&connection)?;
    Ok(Some(connection))
}

/// A connection that cannot write. Beside a ledger in WAL mode `SQLite` makes a file even to read;
/// where the folder takes none (a read-only disk, somebody else's copy) and no log waits to be
/// folded in, the file is read as it stands.
fn read_only(path: &Path) -> Result<Connection, rusqlite::Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    let first = connection.query_row("PRAGMA application_id", [], |row| row.get::<_, i64>(0));
    match first {
        Err(error) if is_shut(&error) && !has_log(path) => {
            let mut name = "file:".to_owned();
            for byte in path.as_os_str().as_bytes() {
                let _ = match byte {
                    b'/' | b'.' | b'-' | b'_' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => {
                        write!(name, "{}", char::from(*byte))
                    }
                    _ => write!(name, "%{byte:02x}"),
                };
            }
            name.push_str("?immutable=1");
            Connection::open_with_flags(name, flags | OpenFlags::SQLITE_OPEN_URI)
        }
        _ => Ok(connection),
    }
}

/// `SQLite` could not make or open a file it needs.
fn is_shut(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied)
    )
}

/// What the quick check complains about.
pub fn quick_check(connection: &Connection, path: &Path) -> Result<Option<String>, StoreError> {
    check(connection, path, "PRAGMA quick_check(1)")
}

/// What the full check complains about.
pub fn integrity_check(connection: &Connection, path: &Path) -> Result<Option<String>, StoreError> {
    check(connection, path, "PRAGMA integrity_check(1)")
}

fn check(connection: &Connection, path: &Path, sql: &str) -> Result<Option<String>, StoreError> {
    match connection.query_row(sql, [], |row| row.get::<_, String>(0)) {
        Ok(it) if it == "ok" => Ok(None),
        Ok(it) => Ok(Some(it.lines().next().unwrap_or_default().to_owned())),
        Err(error) if is_damage(&error) => Ok(Some(error.to_string())),
        Err(source) => Err(ledger_error("check", path, source)),
    }
}

/// The file's name with something after it: `ledger.db-wal`.
pub fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// Whether there is a log that was not folded into the file.
fn has_log(path: &Path) -> bool {
    fs::metadata(beside(path, "-wal")).is_ok_and(|it| it.len() > 0)
}

/// Our lock beside the file, and whether nobody else holds it. Alone it is exclusive, so that
/// others wait until the ledger is open; it becomes shared then.
fn presence(path: &Path) -> Result<(OwnedFd, bool), StoreError> {
    let lock = beside(path, "-lock");
    let failed = |error: rustix::io::Errno| disk_error("lock", &lock, error.into());
    let fd = lock_file(&lock)?;
    if rustix::fs::flock(&fd, FlockOperation::NonBlockingLockExclusive).is_ok() {
        return Ok((fd, true));
    }
    loop {
        match rustix::fs::flock(&fd, FlockOperation::LockShared) {
            Ok(()) => return Ok((fd, false)),
            Err(rustix::io::Errno::INTR) => (),
            Err(error) => return Err(failed(error)),
        }
    }
}

/// A file that is only there to be locked, 0600.
pub fn lock_file(path: &Path) -> Result<OwnedFd, StoreError> {
    let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let opened = rustix::fs::open(path, flags, Mode::RUSR | Mode::WUSR);
    opened.map_err(|error| disk_error("lock", path, error.into()))
}

/// A plain file is there; a link or anything else is refused.
fn exists(path: &Path) -> Result<bool, StoreError> {
    match fs::symlink_metadata(path) {
        Ok(it) if it.is_file() => Ok(true),
        Ok(_) => Err(StoreError::NotPlain { path: path.to_owned() }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(disk_error("look at", path, error)),
    }
}

/// Builds a whole ledger under another name and links it into place: a ledger that is there is
/// never half made. Another process may be quicker; then its file stands.
fn make(path: &Path) -> Result<(), StoreError> {
    let new = beside(path, &format!(".new-{}-{}", std::process::id(), time::now_ms()));
    let failed = |source| ledger_error("make", path, source);
    private_file(&new)?;
    let mut connection = Connection::open_with_flags(
        &new,
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )
    .map_err(failed)?;
    pragma::all(&connection)?;
    migrate::steps(&mut connection, 0).map_err(failed)?;
    connection.close().map_err(|(_, source)| failed(source))?;
    let point =
        |stage| fail::point("ledger.make", stage).map_err(|it| disk_error("make", path, it));
    point("before")?;
    let linked = fs::hard_link(&new, path);
    let removed = fs::remove_file(&new);
    match linked {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => (),
        it => it.and(removed).map_err(|error| disk_error("make", path, error))?,
    }
    if let Some(folder) = path.parent().and_then(|it| fs::File::open(it).ok()) {
        folder.sync_all().map_err(|error| disk_error("sync", path, error))?;
    }
    point("after")
}

/// Removes unfinished ledgers of dead processes. Best effort; only when nobody else is here.
fn sweep(folder: &Path, path: &Path) {
    let Some(name) = path.file_name().and_then(|it| it.to_str()) else { return };
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let file = entry.file_name();
        let unfinished = |it: &str| {
            it.strip_prefix(name)
                .is_some_and(|it| it.starts_with(".new-") || it.starts_with(".copy-"))
        };
        if file.to_str().is_some_and(unfinished) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The file's version, through a connection that cannot write. Anything that is not our ledger,
/// or is from the future, is refused and left as it is.
fn look(path: &Path) -> Result<i64, StoreError> {
    let foreign = |why: String| StoreError::ForeignLedger { path: path.to_owned(), why };
    let failed = |error: rusqlite::Error| {
        if is_damage(&error) {
            foreign(error.to_string())
        } else {
            ledger_error("open", path, error)
        }
    };
    let connection = read_only(path).map_err(failed)?;
    pragma::busy(&connection)?;
    let number = |sql| connection.query_row(sql, [], |row| row.get::<_, i64>(0)).map_err(failed);
    let id = number("PRAGMA application_id")?;
    if id != APPLICATION_ID {
        return Err(foreign(format!("its application id is {id}, ours is {APPLICATION_ID}")));
    }
    let found = number("PRAGMA user_version")?;
    if found > VERSION {
        let path = path.to_owned();
        return Err(StoreError::NewerLedger { path, found, known: VERSION });
    }
    if found < 1 {
        return Err(foreign(format!("its schema version is {found}")));
    }
    number("SELECT count(*) FROM sqlite_schema")?;
    let (page, pages) = (number("PRAGMA page_size")?, number("PRAGMA page_count")?);
    // `SQLite` rounds a cut page up and reads the rest of it as zeros. While there is a log, the
    // file may rightly be behind.
    let long = fs::metadata(path).map_or(0, |it| it.len());
    if !has_log(path) && long < (page * pages).unsigned_abs() {
        return Err(foreign(format!("it is cut short: {long} of {} bytes", page * pages)));
    }
    Ok(found)
}

fn connect(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags);
    let connection = connection.map_err(|source| ledger_error("open", path, source))?;
    pragma::all(&connection)?;
    Ok(connection)
}

/// Renames a damaged ledger and its log. Never deleted: somebody may save something from it.
fn set_aside(path: &Path) -> Result<PathBuf, StoreError> {
    let now = time::compact(&time::now()).expect("our own times have our own form");
    let names = (1..=u32::MAX).map(|n| beside(path, &format!(".damaged-{now}-{n}")));
    let mut free = names.filter(|it| !it.exists());
    let aside = free.next().expect("fewer files than numbers");
    for ending in ["-wal", "-shm", ""] {
        match fs::rename(beside(path, ending), beside(&aside, ending)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(disk_error("set aside", path, error));
            }
            _ => (),
        }
    }
    Ok(aside)
}

/// An empty file, 0600 from its first moment; `SQLite` gives its log the same mode.
pub fn private_file(path: &Path) -> Result<(), StoreError> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let made = rustix::fs::open(path, flags, Mode::RUSR | Mode::WUSR);
    made.map(drop).map_err(|error| disk_error("make", path, error.into()))
}

fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt))
}

fn disk_error(doing: &'static str, path: &Path, source: io::Error) -> StoreError {
    StoreError::Disk { doing, path: path.to_owned(), source }
}

/// A failed operation of `SQLite`.
pub fn ledger_error(doing: &'static str, path: &Path, source: rusqlite::Error) -> StoreError {
    StoreError::Ledger { doing, path: path.to_owned(), source }
}
