//! Commands about casefile itself: completions, the manual page, the settings.
//! Must not touch dossiers.

use crate::app::action::TABLE;
use crate::batch::{self, document};
use crate::cli::{
    args::{Args, ConfigCommand},
    settings, workbench,
};
use crate::config::{ConfigError, DEFAULTS, places, schema, show};
use crate::failure::Failure;
use crate::telemetry::clean;
use crate::tui::theme::file;
use clap::CommandFactory as _;
use serde_json::json;
use std::{
    fmt::Write as _,
    fs::{self, OpenOptions},
    io::{self, Write as _},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
};

/// Prints the completions of a shell.
pub fn completions(shell: clap_complete::Shell) -> Result<u8, Failure> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "casefile", &mut text);
    print(&String::from_utf8_lossy(&text))
}

/// Prints the manual page.
pub fn man() -> Result<u8, Failure> {
    let mut text = Vec::new();
    let page = clap_mangen::Man::new(Args::command());
    page.render(&mut text).expect("memory takes all");
    print(&String::from_utf8_lossy(&text))
}

/// `casefile config …`.
pub fn config(what: &ConfigCommand, args: &Args) -> Result<u8, Failure> {
    match what {
        ConfigCommand::Path => print(&format!("{}\n", shown(&places::config_file()?))),
        ConfigCommand::Schema => print(&document::of(&schema::document())),
        ConfigCommand::Init => init(),
        ConfigCommand::Keys => keys(args),
        ConfigCommand::Show { origin } => {
            let loaded = settings::layers(args)?;
            let lines = show::lines(&loaded, *origin);
            let lines = lines.iter().map(|it| clean(it) + "\n");
            let warnings = loaded.warnings.iter().map(|it| format!("# {}\n", clean(it)));
            print(&lines.chain(warnings).collect::<String>())
        }
    }
}

/// `name = ["keys"]  # what it does`, as it may stand under `[keys]`.
fn keys(args: &Args) -> Result<u8, Failure> {
    let keymap = settings::keymap(&settings::load(args)?);
    let mut text = String::new();
    for entry in TABLE {
        let keys = toml::Value::from(keymap.keys_of(entry.action)).to_string();
        // A configuration may name characters that nobody can see.
        let setting = clean(&format!("{} = {keys}", entry.name));
        writeln!(text, "{setting:<44} # {}", clean(entry.help)).expect("text takes all");
    }
    print(&text)
}

/// The names a person may give to `--theme`: the built-in ones, and files of their own.
pub fn themes(args: &Args) -> Result<u8, Failure> {
    let folder = workbench::themes();
    let from = |it: Option<PathBuf>| it.map_or_else(|| "built in".to_owned(), |it| shown(&it));
    let names: Vec<_> =
        file::listed(folder.as_deref()).into_iter().map(|it| (it.0, from(it.1))).collect();
    if args.common.json {
        let list: Vec<_> = names.iter().map(|it| json!({ "name": it.0, "from": it.1 })).collect();
        return print(&document::of(&json!({ "ok": true, "exit": 0, "themes": list })));
    }
    let line = |it: &(String, String)| format!("{:<20} {}\n", clean(&it.0), it.1);
    print(&names.iter().map(line).collect::<String>())
}

fn init() -> Result<u8, Failure> {
    let path = places::config_file()?;
    create(&path).map_err(|source| match source.kind() {
        io::ErrorKind::AlreadyExists => ConfigError::Exists { path: path.clone() },
        _ => ConfigError::Write { path: path.clone(), source },
    })?;
    print(&format!("wrote {}\n", shown(&path)))
}

fn create(path: &Path) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(DEFAULTS.as_bytes())
}

fn shown(path: &Path) -> String {
    clean(&path.display().to_string())
}

fn print(text: &str) -> Result<u8, Failure> {
    batch::print(text)?;
    Ok(0)
}
