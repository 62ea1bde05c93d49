//! Where configuration and data live: the XDG folders, or `$CASEFILE_HOME` for the data.
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

fn xdg() -> Result<Xdg, ConfigError> {
    Xdg::new().map_err(|_| ConfigError::NoHome)
}
