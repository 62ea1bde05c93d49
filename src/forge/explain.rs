//! Why a document is not a capture: one sentence that names the place.
//! Must only be asked about documents that failed; it reads them again, slowly.

use crate::domain::capture::Capture;
use crate::forge::{
    ForgeError,
    capture_file::{FORMAT, VERSION},
};
use serde::{Deserialize, de::IgnoredAny};
use serde_json::{Value, error::Category};

/// How much of a wrong value a message repeats, in characters.
const SHOWN: usize = 40;

/// What decides whether the rest is worth reading.
#[derive(Deserialize)]
struct Head {
    #[serde(default)]
    format: Option<Value>,
    #[serde(default)]
    version: Option<Value>,
}

/// The reason, most basic first: not JSON, another format, another version, a field.
pub fn refusal(name: &str, text: &str) -> ForgeError {
    let path = name.to_owned();
    if let Err(error) = serde_json::from_str::<IgnoredAny>(text) {
        return unreadable(path, &error);
    }
    if !text.trim_start().starts_with('{') {
        let found = "its outermost value is not an object".to_owned();
        return ForgeError::Format { path, found };
    }
    let head = match serde_json::from_str::<Head>(text) {
        Ok(head) => head,
        Err(error) => return unreadable(path, &error),
    };
    match &head.format {
        Some(Value::String(it)) if it == FORMAT => (),
        Some(other) => {
            let found = format!("`format` is {}, expected \"{FORMAT}\"", shown(other));
            return ForgeError::Format { path, found };
        }
        None => return ForgeError::Format { path, found: "it has no `format` field".to_owned() },
    }
    match &head.version {
        Some(it) if it.as_u64() == Some(VERSION) => field(path, text),
        Some(other) => ForgeError::Version { path, found: shown(other) },
        None => missing(path, "version"),
    }
}

fn missing(path: String, field: &str) -> ForgeError {
    ForgeError::Field { path, field: field.to_owned(), why: "is missing".to_owned() }
}

fn unreadable(path: String, error: &serde_json::Error) -> ForgeError {
    let (line, column) = (error.line(), error.column());
    match error.classify() {
        Category::Eof => ForgeError::Truncated { path, line },
        Category::Data => {
            let found = format!("{} at line {line}", plain(&error.to_string()));
            ForgeError::Format { path, found }
        }
        Category::Syntax | Category::Io => {
            ForgeError::NotJson { path, why: plain(&error.to_string()), line, column }
        }
    }
}

/// Names the field that has the wrong type or is missing.
fn field(path: String, text: &str) -> ForgeError {
    let mut from = serde_json::Deserializer::from_str(text);
    let Err(error) = serde_path_to_error::deserialize::<_, Capture>(&mut from) else {
        return missing(path, "repository");
    };
    let line = error.inner().line();
    let parent = error.path().to_string();
    let said = plain(&error.inner().to_string());
    let (field, why) = match said.strip_prefix("missing field `").and_then(|it| it.split_once('`'))
    {
        Some((name, _)) if parent == "." => (name.to_owned(), "is missing".to_owned()),
        Some((name, _)) => (format!("{parent}.{name}"), "is missing".to_owned()),
        None => (parent, wrong(&said)),
    };
    ForgeError::Field { path, field, why: format!("{why} (line {line})") }
}

/// `invalid type: null, expected a string` as a person would say it.
fn wrong(said: &str) -> String {
    if said.starts_with("data did not match any variant of untagged enum Id") {
        return "is neither a text nor a whole number".to_owned();
    }
    let rest = said.strip_prefix("invalid type: ").or_else(|| said.strip_prefix("invalid value: "));
    rest.map_or_else(|| format!("is wrong: {said}"), |it| format!("is {it}"))
}

/// A message of `serde_json` without the position it ends with.
fn plain(said: &str) -> String {
    said.split(" at line ").next().unwrap_or(said).to_owned()
}

/// A value in a message, cut when it is long.
fn shown(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}
