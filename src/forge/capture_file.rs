//! Capture files, version 1, as targets; and what else a file may turn out to be.
//! Must not repair what an export says, and must not drop fields it does not know: the bytes of
//! the document go along untouched.

use crate::domain::capture::Capture;
use crate::forge::{Document, Forge, ForgeError, Opened, explain, patch_file, read};
use std::{path::PathBuf, sync::Arc};

/// The value of the `format` field.
pub const FORMAT: &str = "casefile-capture";

/// The version this program reads and writes.
pub const VERSION: u64 = 1;

/// A file or standard input that holds a capture or a diff.
#[derive(Debug, Clone)]
pub struct Source {
    path: Option<PathBuf>,
}

impl Source {
    /// A file on disk.
    pub fn file(path: PathBuf) -> Self {
        Self { path: Some(path) }
    }

    /// Standard input, read to its end.
    pub fn stdin() -> Self {
        Self { path: None }
    }

    fn name(&self) -> String {
        self.path.as_deref().map_or_else(|| "standard input".to_owned(), ForgeError::shown)
    }

    fn ends_with(&self, endings: &[&str]) -> bool {
        let ending = self.path.as_deref().and_then(|it| it.extension()?.to_str());
        ending.is_some_and(|it| endings.contains(&it))
    }
}

impl Forge for Source {
    fn open(&self) -> Result<Opened, ForgeError> {
        let name = self.name();
        let bytes = match &self.path {
            Some(path) => read::file(path)?,
            None => read::stdin()?,
        };
        if self.ends_with(&["diff", "patch"]) || (!is_json(&bytes) && is_diff(&bytes)) {
            return patch_file::open_bytes(&name, &bytes);
        }
        if is_json(&bytes) || self.ends_with(&["json"]) {
            return of_document(&name, bytes);
        }
        Err(ForgeError::Unknown { path: name })
    }
}

/// A capture from its bytes, plain JSON. `name` is for messages only.
///
/// The mark some editors put in front is not kept: whoever reads the document later cuts JSON out
/// of it.
pub fn of_document(name: &str, mut bytes: Vec<u8>) -> Result<Opened, ForgeError> {
    bytes.drain(..bytes.len() - without_mark(&bytes).len());
    let capture = decode(name, &bytes)?;
    let label = format!("{}#{}", capture.repository, capture.pull_request.number);
    Ok(Opened {
        label,
        capture: Arc::new(capture),
        diff: None,
        document: Document::Kept(Arc::new(bytes)),
    })
}

/// Decodes a capture. The quick way is taken first; only a document that fails is read a second
/// time, slowly, to say where.
pub fn decode(name: &str, bytes: &[u8]) -> Result<Capture, ForgeError> {
    let text = std::str::from_utf8(without_mark(bytes)).map_err(|error| {
        let why = format!("byte {} is not part of a character", error.valid_up_to());
        ForgeError::NotText { path: name.to_owned(), why }
    })?;
    // A list would decode too, field by field in order; a capture is an object.
    let is_object = text.trim_start().starts_with('{');
    match serde_json::from_str::<Capture>(text) {
        Ok(capture) if is_object && capture.format == FORMAT && capture.version == VERSION => {
            named(capture, name)
        }
        _ => Err(explain::refusal(name, text)),
    }
}

/// A capture without a repository has no place to be kept.
fn named(capture: Capture, name: &str) -> Result<Capture, ForgeError> {
    if capture.repository.trim().is_empty() {
        let (field, why) = ("repository".to_owned(), "is empty".to_owned());
        return Err(ForgeError::Field { path: name.to_owned(), field, why });
    }
    Ok(capture)
}

/// Without the byte order mark that some editors put in front.
fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

fn is_json(bytes: &[u8]) -> bool {
    without_mark(bytes).trim_ascii_start().starts_with(b"{")
}

/// Whether some line can begin a file or hunk of a unified diff. A diff may have a letter in
/// front of it (`git format-patch`), so the first line does not decide.
fn is_diff(bytes: &[u8]) -> bool {
    ["diff --git ", "diff --cc ", "diff --combined ", "--- ", "@@ -", "Index: ", "Submodule "]
        .iter()
        .any(|start| has_line(bytes, start.as_bytes()))
}

fn has_line(bytes: &[u8], start: &[u8]) -> bool {
    let at_start = |at: usize| at == 0 || bytes[at - 1] == b'\n';
    memchr::memmem::find_iter(bytes, start).any(at_start)
}

#[cfg(test)]
mod tests;
