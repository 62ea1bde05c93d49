//! `casefile capture`: a target saved as a capture file.
//! Must not change what the source said.

use crate::batch::{document::escaped, work};
use crate::cli::{access, args::Args, settings};
use crate::driver::report::Cancel;
use crate::failure::{Failure, Kind};
use crate::forge::write;
use std::{
    borrow::Cow,
    io::{self, IsTerminal as _, Write as _},
    path::Path,
};

/// Reads the target and writes it to `output`, or to standard output for `-`.
pub fn save(target: &str, output: &Path, args: &Args) -> Result<u8, Failure> {
    let source = access::source(args, &settings::load(args)?)?;
    let opened = work::read(target, &source, &access::tell(args), &Cancel::default())?;
    let document = opened.document();
    if output.as_os_str() == "-" {
        let mut out = io::stdout().lock();
        let document =
            if out.is_terminal() { for_eyes(&document) } else { Cow::Borrowed(&document[..]) };
        match out.write_all(&document).and_then(|()| out.flush()) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                let cause = format!("standard output could not be written: {error}");
                return Err(Failure::new(Kind::Disk, cause));
            }
            _ => return Ok(0),
        }
    }
    write::capture(output, &document)?;
    Ok(0)
}

/// A document as a terminal may show it. A pipe gets the bytes as they stand.
fn for_eyes(document: &[u8]) -> Cow<'static, [u8]> {
    Cow::Owned(escaped(&String::from_utf8_lossy(document)).into_bytes())
}
