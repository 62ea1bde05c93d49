//! Bytes of a target, from a file or standard input, plain or gzip, never more than a limit.
//! Must not look into what the bytes mean beyond telling text from what is plainly none.
//!
//! The limits stand before the reading, so that a file of zeros or a compressed bomb costs a
//! moment and little memory (`docs/CLI.md` names them).

use crate::forge::ForgeError;
use flate2::bufread::MultiGzDecoder;
use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read},
    path::Path,
};

/// The most a target may hold, unpacked: 256 MiB. The greatest real capture seen has 30 MiB.
pub const LIMIT: u64 = 256 << 20;

/// The most one page of an API's answer may hold: 20 MiB. A hundred files of GitHub's largest patches
/// stay below it.
pub const PAGE_LIMIT: u64 = 20 << 20;

/// How far a compressed file may grow before it is a bomb, once it is over [`BOMB_FROM`]. Real
/// captures shrink to a fifth, made-up ones with much repetition to a fiftieth.
const BOMB_RATIO: u64 = 200;
const BOMB_FROM: u64 = 16 << 20;

/// A NUL this early means a binary file. Later ones may stand in a diff made with `--text`.
const NUL_WINDOW: usize = 512;

const GZIP: [u8; 2] = [0x1f, 0x8b];

/// The content of a file, unpacked.
pub fn file(path: &Path) -> Result<Vec<u8>, ForgeError> {
    let name = ForgeError::shown(path);
    let file = File::open(path).map_err(|error| refused(&name, error))?;
    let meta = file.metadata().map_err(|error| refused(&name, error))?;
    if meta.is_dir() {
        return Err(ForgeError::Folder { path: name });
    }
    content(BufReader::with_capacity(64 << 10, file), &name, meta.len())
}

/// Standard input to its end, unpacked.
pub fn stdin() -> Result<Vec<u8>, ForgeError> {
    content(io::stdin().lock(), "standard input", 0)
}

fn refused(name: &str, error: io::Error) -> ForgeError {
    let path = name.to_owned();
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => ForgeError::Missing { path },
        io::ErrorKind::IsADirectory => ForgeError::Folder { path },
        _ => ForgeError::Read { path, source: error },
    }
}

/// `size` is what the file claims, `0` when nothing is known.
fn content(mut from: impl BufRead, name: &str, size: u64) -> Result<Vec<u8>, ForgeError> {
    let head = from.fill_buf().map_err(|error| refused(name, error))?;
    let bytes = if head.starts_with(&GZIP) {
        unpack(from, name)?
    } else {
        text_only(head, name)?;
        plain(from, name, size)?
    };
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(ForgeError::Empty { path: name.to_owned() });
    }
    Ok(bytes)
}

fn plain(from: impl BufRead, name: &str, size: u64) -> Result<Vec<u8>, ForgeError> {
    if size > LIMIT {
        return Err(too_large(name));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0) + 1);
    from.take(LIMIT + 1).read_to_end(&mut bytes).map_err(|error| refused(name, error))?;
    if bytes.len() as u64 > LIMIT { Err(too_large(name)) } else { Ok(bytes) }
}

fn unpack(from: impl BufRead, name: &str) -> Result<Vec<u8>, ForgeError> {
    let mut unpacker = MultiGzDecoder::new(Counted { inner: from, taken: 0 });
    let mut bytes = Vec::new();
    let mut chunk = vec![0; 64 << 10];
    loop {
        let got = unpacker.read(&mut chunk).map_err(|error| damaged(name, &error))?;
        if got == 0 {
            return Ok(bytes);
        }
        if bytes.is_empty() {
            text_only(&chunk[..got], name)?;
        }
        bytes.extend_from_slice(&chunk[..got]);
        let (grown, taken) = (bytes.len() as u64, unpacker.get_ref().taken);
        if grown > BOMB_FROM && grown / BOMB_RATIO > taken {
            return Err(ForgeError::Bomb { path: name.to_owned(), limit: BOMB_RATIO });
        }
        if grown > LIMIT {
            return Err(too_large(name));
        }
    }
}

fn too_large(name: &str) -> ForgeError {
    ForgeError::TooLarge { path: name.to_owned(), limit_mib: LIMIT >> 20 }
}

fn damaged(name: &str, error: &io::Error) -> ForgeError {
    let why = match error.kind() {
        io::ErrorKind::UnexpectedEof => "it is cut off".to_owned(),
        _ => error.to_string(),
    };
    ForgeError::Compressed { path: name.to_owned(), why }
}

/// Refuses what is plainly no text, by its first bytes.
fn text_only(head: &[u8], name: &str) -> Result<(), ForgeError> {
    let no = |why: &str| Err(ForgeError::NotText { path: name.to_owned(), why: why.to_owned() });
    if head.starts_with(&[0xff, 0xfe]) || head.starts_with(&[0xfe, 0xff]) {
        return no("it is UTF-16; save it as UTF-8");
    }
    if head.iter().take(NUL_WINDOW).any(|it| *it == 0) {
        return no("it begins with binary data (zero bytes)");
    }
    Ok(())
}

/// Counts what the unpacker took.
struct Counted<R> {
    inner: R,
    taken: u64,
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let got = self.inner.read(into)?;
        self.taken += got as u64;
        Ok(got)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.taken += amount as u64;
        self.inner.consume(amount);
    }
}

#[cfg(test)]
mod tests {
    use crate::forge::read::content;
    use flate2::{Compression, write::GzEncoder};
    use std::io::{Cursor, Write as _};

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut packer = GzEncoder::new(Vec::new(), Compression::default());
        packer.write_all(bytes).expect("memory takes all");
        packer.finish().expect("memory takes all")
    }

    fn check(bytes: &[u8], expected: &str) {
        let got = match content(Cursor::new(bytes), "x", bytes.len() as u64) {
            Ok(bytes) => format!("{} bytes", bytes.len()),
            Err(error) => error.to_string(),
        };
        assert_eq!(got, expected);
    }

    #[test]
    fn content_is_told_by_its_bytes() {
        check(b"{}", "2 bytes");
        check(&gzip(b"{ }"), "3 bytes");
        check(&[gzip(b"{ "), gzip(b"}")].concat(), "3 bytes");
        check(b"", "x is empty");
        check(b" \n\t", "x is empty");
        check(&gzip(b""), "x is empty");
        check(&[0; 9], "x is not UTF-8 text: it begins with binary data (zero bytes)");
        check(&gzip(&[0; 99]), "x is not UTF-8 text: it begins with binary data (zero bytes)");
        check(b"\xff\xfe{\0}\0", "x is not UTF-8 text: it is UTF-16; save it as UTF-8");
        let whole = gzip(b"{\"format\": \"casefile-capture\"}");
        check(&whole[..whole.len() - 9], "x could not be decompressed: it is cut off");
        check(&whole[..12], "x could not be decompressed: it is cut off");
    }

    #[test]
    fn a_bomb_is_refused_long_before_its_end() {
        let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
        packer.write_all(&vec![b' '; 40 << 20]).expect("memory takes all");
        let bomb = packer.finish().expect("memory takes all");
        check(&bomb, "x unpacks to more than 200 times its size; that is no capture");
    }
}
