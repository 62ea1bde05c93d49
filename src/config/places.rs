//! Where configuration and data live, and who is there: the XDG folders, or `$CASEFILE_HOME` for the data.
//! Must not create anything.

use crate::config::ConfigError;
use etcetera::base_strategy::{BaseStrategy as _, Xdg};
use std::path::PathBuf;

const NAME: &str = "casefile";

/// `$XDG_CONFIG_HOME/casefile/config.toml`.
pub fn config_file() -> Result<PathBuf, ConfigError> {
    Ok(xdg()?.config_dir().join(NAME).join("config.toml"))
}

/// `$CASEFILE_HOME`, or `$XDG_DATA_HOME/casefile`.
pub fn data_home() -> Result<PathBuf, ConfigError> {
    match std::env::var_os("CASEFILE_HOME").filter(|it| !it.is_empty()) {
        Some(home) => Ok(PathBuf::from(home)),
        None => Ok(xdg()?.data_dir().join(NAME)),
    }
}

/// The name a person is logged in with.
pub fn login() -> Option<String> {
    let named = |it| std::env::var(it).ok().filter(|it: &String| !it.trim().is_empty());
    named("USER").or_else(|| named("LOGNAME"))
}

fn xdg() -> Result<Xdg, ConfigError> {
    Xdg::new().map_err(|_| ConfigError::NoHome)
}
