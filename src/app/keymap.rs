//! Which keys run which action. Bindings are data: `assets/keymap.toml`, patched by a user's file.
//! Must not know what an action does.

/// The bindings in force.
#[derive(Debug, Clone, Default)]
pub struct Keymap {}

impl Keymap {
    /// The compiled-in bindings patched by a person's own (`[keys]` of the config, as TOML text).
    /// All faults come back at once, one sentence each.
    pub fn with_user(_user: &str) -> Result<Self, Vec<String>> {
        Ok(Self {})
    }
}
