//! The layers of the settings, each knowing its name and place.
//! Must not judge values; `Config` is extracted from all layers together.

use crate::config::{ConfigError, DEFAULTS, Given, only, unknown};
use figment::{
    Metadata, Profile, Provider, Source,
    value::{Dict, Map, Value},
};
use std::{
    fs::File,
    io::{ErrorKind, Read as _},
    path::{Path, PathBuf},
};

/// The most a configuration may hold: parsers of nested text are the usual victim of long files.
const LIMIT: u64 = 1 << 20;

/// Some settings and where they stand.
#[derive(Debug, Clone)]
pub struct Layer {
    name: String,
    place: Option<PathBuf>,
    pub values: Dict,
}

impl Provider for Layer {
    fn metadata(&self) -> Metadata {
        let named = Metadata::named(self.name.clone());
        match &self.place {
            Some(place) => named.source(Source::File(place.clone())),
            None => named,
        }
    }

    fn data(&self) -> Result<Map<Profile, Dict>, figment::Error> {
        Ok(Map::from([(only(), self.values.clone())]))
    }
}

impl Layer {
    fn named(name: impl Into<String>, values: Dict) -> Self {
        Self { name: name.into(), place: None, values }
    }

    /// The settings of one `[profile.NAME]`, as a layer of its own.
    pub fn profile(&self, name: &str) -> Result<Self, ConfigError> {
        let empty = Dict::new();
        let profiles = self.values.get("profile").and_then(Value::as_dict).unwrap_or(&empty);
        let Some(values) = profiles.get(name).and_then(Value::as_dict) else {
            let known: Vec<&str> = profiles.keys().map(String::as_str).collect();
            return Err(no_profile(name, &known));
        };
        let name = format!("profile {name}");
        Ok(Self { name, place: self.place.clone(), values: values.clone() })
    }

    /// The file the layer was read from.
    pub fn place(&self) -> String {
        self.place.as_ref().map_or_else(|| self.name.clone(), |it| it.display().to_string())
    }
}

/// A profile that is nowhere.
pub fn no_profile(name: &str, known: &[&str]) -> ConfigError {
    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    ConfigError::Profile { name: name.to_owned(), known }
}

/// What is compiled in.
pub fn defaults() -> Layer {
    let values = parse(DEFAULTS).expect("the defaults are TOML; a test reads them");
    Layer::named("default", values)
}

/// A person's file; `None` when there is none.
pub fn file(path: &Path) -> Result<Option<Layer>, ConfigError> {
    let failed = |source| ConfigError::Read { path: path.to_owned(), source };
    let file = match File::open(path) {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        file => file.map_err(failed)?,
    };
    let mut text = Vec::new();
    file.take(LIMIT + 1).read_to_end(&mut text).map_err(failed)?;
    if text.len() as u64 > LIMIT {
        return Err(ConfigError::TooLarge { path: path.to_owned() });
    }
    let bad = |why: String| ConfigError::Toml { path: path.to_owned(), why };
    let text = String::from_utf8(text).map_err(|_| bad("it is not UTF-8 text".to_owned()))?;
    let values = parse(&text).map_err(bad)?;
    Ok(Some(Layer { name: "config file".to_owned(), place: Some(path.to_owned()), values }))
}

fn parse(text: &str) -> Result<Dict, String> {
    toml::from_str(text).map_err(|error: toml::de::Error| {
        let line = error.span().map(|it| text[..it.start].matches('\n').count() + 1);
        let what = error.message().trim().replace('\n', "; ");
        line.map_or(what.clone(), |line| format!("line {line}: {what}"))
    })
}

/// `CASEFILE_*` variables that name a setting; others (`CASEFILE_HOME`, tokens) are no settings.
pub fn environment() -> Layer {
    let mut values = Dict::new();
    for (key, default) in unknown::known() {
        let variable = format!("CASEFILE_{}", key.replace('.', "_").to_uppercase());
        let Ok(text) = std::env::var(&variable) else { continue };
        put(&mut values, &key, typed(text, &default));
    }
    Layer::named("environment", values)
}

/// Text as the kind of value the default has; text that does not fit stays text, so that the
/// extraction can say what was expected.
fn typed(text: String, default: &Value) -> Value {
    let fitting: Option<Value> = match default {
        Value::Bool(..) => text.parse::<bool>().ok().map(Into::into),
        Value::Num(..) => text.parse::<i64>().ok().map(Into::into),
        _ => None,
    };
    fitting.unwrap_or_else(|| text.into())
}

/// One flag.
pub fn flag(given: Given) -> Layer {
    let mut values = Dict::new();
    put(&mut values, given.key, given.value);
    Layer::named(given.flag, values)
}

fn put(values: &mut Dict, key: &str, value: Value) {
    match key.split_once('.') {
        None => {
            values.insert(key.to_owned(), value);
        }
        Some((table, rest)) => {
            let entry = values.entry(table.to_owned()).or_insert_with(|| Dict::new().into());
            if let Value::Dict(_, inner) = entry {
                put(inner, rest, value);
            }
        }
    }
}
