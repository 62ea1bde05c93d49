//! `casefile doctor`: what this machine gives, and the one thing to do where something is amiss.
//! Must not repair or create anything, and must not show a token.

pub mod machine;
pub mod sign_in;

use crate::app::event::Found;
use crate::batch::{self, document};
use crate::cli::{args::Args, settings, workbench};
use crate::config::{Config, places};
use crate::driver;
use crate::failure::{Failure, Kind};
use crate::telemetry::clean;
use crate::tui::{opening::Doctor, theme::choose::Surroundings};
use serde_json::{Value, json};
use std::{
    fs, io,
    os::unix::fs::{MetadataExt as _, PermissionsExt as _},
    path::Path,
    sync::Arc,
};

/// What was found about one thing.
pub struct Finding {
    pub name: &'static str,
    pub says: String,
    /// What to do; `None` when all is well.
    pub todo: Option<String>,
    /// What kind of trouble it is, where there is something to do.
    pub kind: Kind,
}

/// Looks at everything and prints it. Exit code 3 when something is to be done, 5 when it is only
/// that the forge is out of reach.
pub fn print(args: &Args) -> Result<u8, Failure> {
    let mut surroundings = Surroundings::read();
    let ground = machine::background(&mut surroundings);
    let mut found = vec![machine::screen(), machine::colours(&surroundings), ground];
    found.push(machine::clipboard(&surroundings));
    found.extend(outside_the_terminal(args, &surroundings)?);
    let todo = found.iter().filter(|it| it.todo.is_some());
    let code = todo.map(|it| it.kind).max().map_or(0, Kind::exit_code);
    let text = if args.common.json { document(code, &found) } else { readable(&found) };
    batch::print(&text)?;
    Ok(code)
}

/// The same for a screen that is up already.
pub fn for_the_workbench(args: &Args) -> Doctor {
    let args = args.clone();
    Arc::new(move || {
        let found = outside_the_terminal(&args, &Surroundings::read());
        let found = found.unwrap_or_else(|it| vec![bad("settings", it.cause, "mend what it says")]);
        let shown = found.into_iter().map(|it| Found {
            name: it.name.to_owned(),
            says: clean(&it.says),
            todo: it.todo.as_deref().map(clean),
        });
        shown.collect()
    })
}

/// What a person sets up: everything but the terminal, which the workbench looks after itself.
pub fn outside_the_terminal(
    args: &Args,
    surroundings: &Surroundings,
) -> Result<Vec<Finding>, Failure> {
    let mut found = vec![machine::git_found()];
    match settings::layers(args) {
        Err(failure) => {
            found.push(bad("settings", failure.cause, "mend the setting or file named"));
        }
        Ok(loaded) => {
            found.push(file(&loaded.warnings)?);
            found.push(theme(&loaded.config, surroundings));
            found.extend(work(args, &loaded.config));
            found.extend(sign_in::findings(args, &loaded.config));
        }
    }
    found.push(data(&places::data_home()?));
    Ok(found)
}

pub fn good(name: &'static str, says: impl Into<String>) -> Finding {
    Finding { name, says: says.into(), todo: None, kind: Kind::Config }
}

pub fn bad(name: &'static str, says: impl Into<String>, todo: impl Into<String>) -> Finding {
    Finding { name, says: says.into(), todo: Some(todo.into()), kind: Kind::Config }
}

fn file(warnings: &[String]) -> Result<Finding, Failure> {
    let path = places::config_file()?;
    if let Some(first) = warnings.first() {
        return Ok(bad("settings", first.clone(), "take the key out or spell it as suggested"));
    }
    let says = if path.exists() {
        path.display().to_string()
    } else {
        format!("defaults; `casefile config init` writes {}", path.display())
    };
    Ok(good("settings", says))
}

fn theme(config: &Config, surroundings: &Surroundings) -> Finding {
    let folder = workbench::themes();
    match surroundings.theme(Some(config.theme.as_str()), folder.as_deref()) {
        Ok(_) => good("theme", config.theme.clone()),
        Err(error) => bad("theme", error.to_string(), "`casefile themes` lists the names"),
    }
}

/// The engine and the ledger that a run would use.
fn work(args: &Args, config: &Config) -> Vec<Finding> {
    let settings = match settings::driver(args, config, false) {
        Ok(settings) => settings,
        Err(failure) => return vec![bad("engine", failure.cause, "set engine = \"extractive\"")],
    };
    let ledger = match driver::ledger_fault(&settings) {
        Ok(None) => good("ledger", "sound, or not there yet"),
        Ok(Some(fault)) => {
            bad("ledger", fault, "move it away; dossiers are kept, runs are forgotten")
        }
        Err(error) => {
            bad("ledger", error.to_string(), "mend what it says, or name another with --ledger")
        }
    };
    vec![good("engine", settings.engine.name), ledger]
}

/// The data folder: there and ours alone, or to be made with the first dossier.
fn data(home: &Path) -> Finding {
    let shown = home.display();
    match fs::metadata(home) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            good("data", format!("{shown} is made with the first dossier"))
        }
        Err(error) => {
            bad("data", format!("{shown}: {error}"), "set CASEFILE_HOME to a folder of yours")
        }
        Ok(meta) if !meta.is_dir() => bad(
            "data",
            format!("{shown} is not a folder"),
            "set CASEFILE_HOME to a folder of yours",
        ),
        Ok(meta) if meta.permissions().mode() & 0o077 != 0 => {
            bad("data", format!("{shown} can be read by others"), format!("chmod 700 {shown}"))
        }
        Ok(meta) if meta.uid() != rustix::process::getuid().as_raw() => bad(
            "data",
            format!("{shown} belongs to somebody else"),
            "set CASEFILE_HOME to a folder of yours",
        ),
        Ok(_) => good("data", shown.to_string()),
    }
}

fn readable(found: &[Finding]) -> String {
    let line = |it: &Finding| {
        let mark = if it.todo.is_some() { "!!" } else { "ok" };
        let todo =
            it.todo.as_deref().map_or_else(String::new, |it| format!("\n{:15}{}", "", clean(it)));
        format!("{mark} {:<10}  {}{todo}\n", it.name, clean(&it.says))
    };
    found.iter().map(line).collect()
}

fn document(code: u8, found: &[Finding]) -> String {
    let checks: Vec<Value> = found
        .iter()
        .map(|it| json!({ "name": it.name, "ok": it.todo.is_none(), "says": it.says, "todo": it.todo }))
        .collect();
    document::of(&json!({ "ok": code == 0, "exit": code, "checks": checks }))
}
