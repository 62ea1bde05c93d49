//! Which settings exist, and which nearby name a person may have meant.
//! Must not stop anything: a key of a newer or older casefile is a warning.

use crate::config::layers::{self, Layer};
use figment::value::{Dict, Value};

/// Tables whose keys are names that a person chooses.
const OPEN: [&str; 2] = ["keys", "profile"];

/// Every setting as a dotted key with its default, in alphabetical order.
pub fn known() -> Vec<(String, Value)> {
    let mut found = Vec::new();
    collect(&layers::defaults().values, "", &mut found);
    found
}

fn collect(values: &Dict, prefix: &str, found: &mut Vec<(String, Value)>) {
    for (key, value) in values {
        let path = format!("{prefix}{key}");
        match value {
            Value::Dict(_, inner) if !OPEN.contains(&path.as_str()) => {
                collect(inner, &format!("{path}."), found);
            }
            Value::Dict(..) => (),
            _ => found.push((path, value.clone())),
        }
    }
}

/// A sentence for each key of a file that no setting has.
pub fn warnings(file: &Layer) -> Vec<String> {
    let known: Vec<String> = known().into_iter().map(|(key, _)| key).collect();
    let mut strange = Vec::new();
    strange_keys(&file.values, "", &known, &mut strange);
    let place = file.place();
    let say = |key: String| {
        let bare = key.strip_prefix("profile.").and_then(|it| it.split_once('.'));
        let bare = bare.map_or(key.as_str(), |(_, it)| it);
        let near = nearest(bare, known.iter().map(String::as_str));
        let near = near.map_or_else(String::new, |it| format!("; did you mean `{it}`?"));
        format!("{place}: there is no setting `{key}`{near}")
    };
    strange.into_iter().map(say).collect()
}

fn strange_keys(values: &Dict, prefix: &str, known: &[String], strange: &mut Vec<String>) {
    for (key, value) in values {
        let path = format!("{prefix}{key}");
        let inside = format!("{path}.");
        let is_table = known.iter().any(|it| it.starts_with(&inside));
        match value {
            Value::Dict(_, profiles) if path == "profile" => {
                for (name, profile) in profiles {
                    let inner = profile.as_dict().cloned().unwrap_or_default();
                    let mut found = Vec::new();
                    strange_keys(&inner, "", known, &mut found);
                    strange.extend(found.into_iter().map(|it| format!("profile.{name}.{it}")));
                }
            }
            Value::Dict(..) if path == "keys" => (),
            Value::Dict(_, inner) if is_table => strange_keys(inner, &inside, known, strange),
            _ if known.contains(&path) || is_table || OPEN.contains(&path.as_str()) => (),
            _ => strange.push(path),
        }
    }
}

/// The known name most like `name`, if any is like it at all.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let rated = known.into_iter().map(|it| (strsim::jaro_winkler(name, it), it));
    let best = rated.max_by(|a, b| a.0.total_cmp(&b.0))?;
    (best.0 > 0.8).then_some(best.1)
}
