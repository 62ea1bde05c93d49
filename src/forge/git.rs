//! A git range as a target. (being written)

use crate::forge::{ForgeError, Opened, Range};

/// The diff between the two ends of a range.
pub fn open_range(range: &Range) -> Result<Opened, ForgeError> {
    Err(ForgeError::Git { range: range.text.clone(), why: "not built yet".to_owned() })
}
