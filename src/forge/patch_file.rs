//! A unified diff as a target. (being written)

use crate::forge::{ForgeError, Opened};

/// A `.diff` file's content, parsed. `label` is what the person named.
pub fn open_bytes(label: &str, bytes: Vec<u8>) -> Result<Opened, ForgeError> {
    drop(bytes);
    Err(ForgeError::Diff { path: label.to_owned(), why: "not built yet".to_owned() })
}
