//! Captures written to disk: whole or not at all, readable by their owner only.
//! Must not change the document.

use crate::forge::ForgeError;
use flate2::{Compression, write::GzEncoder};
use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write},
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
};

/// Writes a capture to `path`, compressed when its name ends in `.gz`.
pub fn capture(path: &Path, document: &[u8]) -> Result<(), ForgeError> {
    if path.extension().is_some_and(|it| it == "gz") {
        let failed = |source| ForgeError::Write { path: ForgeError::shown(path), source };
        return whole(path, &pack(document).map_err(failed)?);
    }
    whole(path, document)
}

/// Writes a file. What stood there before stays until the new content is safely on disk. Pipes
/// and devices are written to directly.
pub fn whole(path: &Path, bytes: &[u8]) -> Result<(), ForgeError> {
    let failed = |source| ForgeError::Write { path: ForgeError::shown(path), source };
    match fs::metadata(path) {
        Ok(meta) if meta.is_dir() => Err(failed(io::ErrorKind::IsADirectory.into())),
        Ok(meta) if !meta.is_file() => into(path, bytes).map_err(failed),
        // A link is followed, so that the file it names is replaced and not the link.
        Ok(_) => fs::canonicalize(path).and_then(|it| replace(&it, bytes)).map_err(failed),
        Err(_) => replace(path, bytes).map_err(failed),
    }
}

fn pack(document: &[u8]) -> io::Result<Vec<u8>> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::default());
    packer.write_all(document)?;
    packer.finish()
}

fn into(path: &Path, bytes: &[u8]) -> io::Result<()> {
    OpenOptions::new().write(true).open(path)?.write_all(bytes)
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut beside = name.to_os_string();
    beside.push(format!(".{}.part", std::process::id()));
    let beside: PathBuf = folder.join(beside);
    let done = written(&beside, bytes).and_then(|()| fs::rename(&beside, path));
    if done.is_err() {
        // Nothing to add when it is gone already.
        let _ = fs::remove_file(&beside);
    }
    done?;
    File::open(folder)?.sync_all()
}

fn written(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}
