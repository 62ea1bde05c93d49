//! The defaults are complete, every setting is explained, and odd files are told so.

use crate::config::{Config, DEFAULTS, layers, schema, unknown};
use figment::Figment;
use std::path::Path;

#[test]
fn the_defaults_give_every_setting() {
    let config: Config = Figment::from(layers::defaults()).extract().expect("complete defaults");
    assert_eq!(config.engine, "extractive");
    assert_eq!(config.budgets.prompt_kib, 256);
    assert!(config.keys.is_empty());
}

#[test]
fn the_schema_explains_every_setting() {
    let schema = schema::document();
    for (key, default) in unknown::known() {
        let pointer = format!("/properties/{}", key.replace('.', "/properties/"));
        let about = schema.pointer(&pointer).unwrap_or_else(|| panic!("{key} is missing"));
        assert!(about["description"].as_str().is_some_and(|it| it.len() > 5), "{key}: {about}");
        assert!(about.get("default").is_some(), "{key}: {default:?}");
    }
}

fn file(text: &str) -> layers::Layer {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("config.toml");
    std::fs::write(&path, text).expect("written");
    layers::file(&path).expect("readable").expect("there")
}

#[test]
fn unknown_keys_are_named_with_the_nearest_one() {
    let file = file(
        "themes = 'x'\n[budgets]\ncals = 1\n[profile.work]\nmosue = true\n[keys]\nanything = ['x']\n",
    );
    let warnings = unknown::warnings(&file);
    let ends: Vec<&str> =
        warnings.iter().filter_map(|it| it.split_once(": ")).map(|it| it.1).collect();
    assert_eq!(
        ends,
        [
            "there is no setting `budgets.cals`; did you mean `budgets.calls`?",
            "there is no setting `profile.work.mosue`; did you mean `mouse`?",
            "there is no setting `themes`; did you mean `theme`?",
        ]
    );
}

#[test]
fn a_missing_profile_names_the_known_ones() {
    let file = file("[profile.work]\ntheme = 'light'\n[profile.home]\n");
    let error = file.profile("wrok").expect_err("no such profile").to_string();
    assert_eq!(error, "there is no profile `wrok`; known are: home, work");
    assert!(file.profile("work").is_ok());
}

#[test]
fn bad_files_are_refused_with_the_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("config.toml");
    let check = |text: &[u8], expected: &str| {
        std::fs::write(&path, text).expect("written");
        let error = layers::file(&path).expect_err("refused").to_string();
        assert!(error.ends_with(expected), "{error}");
    };
    check(b"a = 1\nb =\n", "line 2: string values must be quoted, expected literal string");
    check(b"\xff", "it is not UTF-8 text");
    check(&vec![b'#'; (1 << 20) + 1], "is larger than the 1 MiB a configuration may have");
    let deep = format!("a = {}1{}", "[".repeat(5000), "]".repeat(5000));
    std::fs::write(&path, deep).expect("written");
    layers::file(&path).expect_err("nesting has a limit");
    assert!(layers::file(Path::new("no/such/file")).expect("no error").is_none());
    assert!(DEFAULTS.len() < 4096);
}
