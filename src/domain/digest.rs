//! Digests: SHA-256 over named, length-delimited fields.
//! Must not hash anything that differs between machines: no times, paths or session names.

use sha2::{Digest as _, Sha256};

/// 64 lower-case hex digits.
#[derive(
    Debug,
    Clone,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    serde::Serialize,
    serde::Deserialize,
    schemars::JsonSchema,
)]
#[serde(transparent)]
pub struct Digest(String);

impl Digest {
    /// The digest of bytes as they stand.
    pub fn of(bytes: impl AsRef<[u8]>) -> Self {
        Self(hex(&Sha256::digest(bytes.as_ref())))
    }

    /// The hex digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The first eight digits, for people.
    pub fn short(&self) -> &str {
        self.0.get(..8).unwrap_or(&self.0)
    }
}

impl std::fmt::Display for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Collects fields into a digest. Each field is written as `name`, a tag and its length, so no
/// two different lists of fields can give the same bytes.
#[derive(Clone, Default)]
pub struct Fields(Sha256);

impl Fields {
    /// A text field.
    #[must_use]
    pub fn text(self, name: &str, value: &str) -> Self {
        self.put(name, b'=', value.as_bytes())
    }

    /// A field that may be absent; absent and empty differ.
    #[must_use]
    pub fn maybe(self, name: &str, value: Option<impl ToString>) -> Self {
        match value {
            Some(value) => self.text(name, &value.to_string()),
            None => self.put(name, b'-', b""),
        }
    }

    /// The digest of all fields so far.
    pub fn finish(self) -> Digest {
        Digest(hex(&self.0.finalize()))
    }

    fn put(mut self, name: &str, tag: u8, value: &[u8]) -> Self {
        for part in [name.as_bytes(), value] {
            self.0.update((part.len() as u64).to_le_bytes());
            self.0.update([tag]);
            self.0.update(part);
        }
        self
    }
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(64), |mut text, byte| {
        write!(text, "{byte:02x}").expect("writing to a String cannot fail");
        text
    })
}
