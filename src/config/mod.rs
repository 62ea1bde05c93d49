//! Settings: defaults, a person's `config.toml`, `CASEFILE_*` variables, flags; later ones win.
//! Must not act on a setting, and must not stop for a key it does not know.

pub mod layers;
pub mod places;
pub mod schema;
pub mod secret;
pub mod show;
pub mod sign_in;
pub mod unknown;

use figment::{Figment, Profile, error::Kind};
use serde::Deserialize;
use std::path::PathBuf;

/// Every setting with its default and its explanation: the file `config init` writes.
pub const DEFAULTS: &str = include_str!("../../assets/config.toml");

/// The settings in force.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Config {
    pub theme: String,
    pub mouse: bool,
    pub ascii: bool,
    pub engine: String,
    /// Empty: the engine's own choice.
    pub model: String,
    /// Empty: the engine's own choice.
    pub effort: String,
    pub on_summary_failure: OnSummaryFailure,
    /// Empty: the login name.
    pub author: String,
    pub forge: Forge,
    pub budgets: Budgets,
    pub batch: Batch,
    /// Key bindings as written; the keymap judges them.
    pub keys: toml::Table,
}

/// What a failed summary does to a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnSummaryFailure {
    Continue,
    Fail,
}

/// Where live pull requests come from.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Forge {
    /// The host that short names are of.
    pub host: String,
    /// Where its interface answers, when that is somewhere else. Empty: where GitHub documents.
    pub api: String,
    /// Seconds one request may take.
    pub timeout: u32,
}

/// How much of a discussion one summary may send to a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct Budgets {
    pub top_level: u32,
    pub threads: u32,
    pub comments: u32,
    pub body_chars: u32,
    pub prompt_kib: u32,
    pub calls: u32,
}

/// Runs without a screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct Batch {
    pub side_by_side: u32,
}

/// Settings with where they came from and what was odd on the way.
#[derive(Debug)]
pub struct Loaded {
    pub config: Config,
    /// One sentence each; they do not stop anything.
    pub warnings: Vec<String>,
    /// The layers, for `config show --origin`.
    pub layers: Figment,
}

/// Why settings could not be read. Exit code 3.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    #[error("{path} could not be read: {source}")]
    Read { path: PathBuf, source: std::io::Error },
    #[error("{path} is larger than the 1 MiB a configuration may have")]
    TooLarge { path: PathBuf },
    #[error("{path} is not valid TOML: {why}")]
    Toml { path: PathBuf, why: String },
    #[error("{place}: the setting `{key}` {why}")]
    Setting { place: String, key: String, why: String },
    #[error("there is no profile `{name}`; known are: {known}")]
    Profile { name: String, known: String },
    #[error("{path} exists already; nothing was written")]
    Exists { path: PathBuf },
    #[error("{path} could not be written: {source}")]
    Write { path: PathBuf, source: std::io::Error },
    #[error("no home folder is known, so there is no place for the configuration or the data")]
    NoHome,
}

/// One setting given by a flag: its dotted key, the flag, its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Given {
    pub key: &'static str,
    pub flag: &'static str,
    pub value: figment::value::Value,
}

/// Reads the layers. `profile` is what `--profile` names.
pub fn load(profile: Option<&str>, flags: Vec<Given>) -> Result<Loaded, ConfigError> {
    let file = layers::file(&places::config_file()?)?;
    let mut layers = Figment::from(layers::defaults());
    let mut warnings = Vec::new();
    if let Some(file) = file {
        warnings = unknown::warnings(&file);
        layers = layers.merge(file.clone());
        if let Some(chosen) = chosen_profile(profile, &layers) {
            layers = layers.merge(file.profile(&chosen)?);
        }
    } else if let Some(name) = profile {
        return Err(layers::no_profile(name, &[]));
    }
    layers = layers.merge(layers::environment());
    for given in flags {
        layers = layers.merge(layers::flag(given));
    }
    let config = layers.extract().map_err(|error| wrong(&error))?;
    Ok(Loaded { config, warnings, layers })
}

fn chosen_profile(flag: Option<&str>, layers: &Figment) -> Option<String> {
    let named = |it: &Figment| it.extract_inner::<String>("active_profile").ok();
    let name = flag.map(str::to_owned);
    let name = name.or_else(|| named(&layers.clone().merge(layers::environment())));
    name.filter(|it| !it.is_empty())
}

fn wrong(error: &figment::Error) -> ConfigError {
    let key = error.path.join(".");
    let place = error.metadata.as_ref().map_or_else(|| "settings".to_owned(), show::origin);
    let why = match &error.kind {
        Kind::InvalidType(found, expected) | Kind::InvalidValue(found, expected) => {
            format!("is {found}, expected {expected}")
        }
        Kind::UnknownVariant(found, known) => {
            format!("is \"{found}\", expected one of: {}", known.join(", "))
        }
        other => format!("is wrong: {other}"),
    };
    ConfigError::Setting { place, key, why }
}

/// The one profile figment needs; casefile's own profiles are layers.
pub fn only() -> Profile {
    Profile::Default
}

#[cfg(test)]
mod tests;
