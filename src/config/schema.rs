//! A JSON schema of `config.toml`, for editors. Made from the defaults and their comments, so it
//! cannot know less or more than they do.

use crate::config::DEFAULTS;
use serde_json::{Map, Value, json};

/// Settings with a closed list of values.
const CLOSED: [(&str, &[&str]); 1] = [("on_summary_failure", &["continue", "fail"])];

/// The schema.
pub fn document() -> Value {
    let defaults: toml::Table =
        toml::from_str(DEFAULTS).expect("the defaults are TOML; a test reads them");
    let mut schema = table(&defaults, "");
    let own = schema["properties"].clone();
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
    schema["title"] = "casefile config.toml".into();
    schema["properties"]["profile"]["additionalProperties"] =
        json!({ "type": "object", "properties": own });
    let chords = json!({ "type": ["string", "array"], "items": { "type": "string" } });
    schema["properties"]["keys"]["additionalProperties"] = chords;
    schema
}

fn table(values: &toml::Table, prefix: &str) -> Value {
    let mut properties = Map::new();
    for (key, value) in values {
        let path = format!("{prefix}{key}");
        let mut about = match value {
            toml::Value::Table(inner) => table(inner, &format!("{path}.")),
            other => json!({ "type": kind(other), "default": other }),
        };
        if let Some(text) = comment(key) {
            about["description"] = text.into();
        }
        if let Some((_, values)) = CLOSED.iter().find(|it| it.0 == path) {
            about["enum"] = json!(values);
        }
        properties.insert(key.clone(), about);
    }
    json!({ "type": "object", "properties": properties })
}

fn kind(value: &toml::Value) -> &'static str {
    match value {
        toml::Value::Integer(_) => "integer",
        toml::Value::Boolean(_) => "boolean",
        toml::Value::Array(_) => "array",
        _ => "string",
    }
}

/// The comment that stands right above a setting or table.
fn comment(key: &str) -> Option<String> {
    let lines: Vec<&str> = DEFAULTS.lines().collect();
    let is_it = |line: &&str| *line == format!("[{key}]") || line.starts_with(&format!("{key} = "));
    let at = lines.iter().position(is_it)?;
    let above = lines[..at].iter().rev().take_while(|it| it.starts_with('#'));
    let mut above: Vec<&str> = above.map(|it| it.trim_start_matches(['#', ' '])).collect();
    above.reverse();
    (!above.is_empty()).then(|| above.join(" "))
}
