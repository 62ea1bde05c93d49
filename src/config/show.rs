//! The settings in force as text, with the place each came from.
//! Must not show anything that is not a setting: variables with secrets never enter the layers.

use crate::config::{Loaded, unknown};
use figment::{Metadata, value::Value};

/// One setting a line: `key = value`, and with `origin` where it was set.
pub fn lines(loaded: &Loaded, origin: bool) -> Vec<String> {
    let value = |key: &str| loaded.layers.find_value(key).ok();
    let mut lines = Vec::new();
    for (key, default) in unknown::known() {
        let shown = plain(&value(&key).unwrap_or(default));
        let from = loaded.layers.find_metadata(&key).filter(|_| origin);
        lines.push(line(&key, &shown, from));
    }
    if let Some(Value::Dict(_, keys)) = value("keys") {
        for (action, chords) in &keys {
            let key = format!("keys.{action}");
            let from = loaded.layers.find_metadata(&key).filter(|_| origin);
            lines.push(line(&key, &plain(chords), from));
        }
    }
    lines
}

fn line(key: &str, value: &str, from: Option<&Metadata>) -> String {
    let setting = format!("{key} = {value}");
    from.map_or(setting.clone(), |it| format!("{setting:<40} # {}", self::origin(it)))
}

/// Where a layer stands, in words.
pub fn origin(from: &Metadata) -> String {
    match &from.source {
        Some(figment::Source::File(path)) => format!("{} {}", from.name, path.display()),
        _ => from.name.to_string(),
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(_, it) => toml::Value::String(it.clone()).to_string(),
        Value::Array(_, it) => {
            format!("[{}]", it.iter().map(plain).collect::<Vec<_>>().join(", "))
        }
        Value::Bool(_, it) => it.to_string(),
        Value::Num(_, it) => it.to_i128().map_or_else(|| format!("{it:?}"), |it| it.to_string()),
        other => format!("{other:?}"),
    }
}
