//! `casefile doctor`: what this machine gives, and the one thing to do where something is amiss.
//! Must not repair or create anything.

use crate::batch::{self, document};
use crate::cli::{args::Args, settings, workbench};
use crate::config::{Config, places};
use crate::driver;
use crate::failure::{Failure, Kind};
use crate::forge::git;
use crate::telemetry::clean;
use crate::tui::{
    question, terminal,
    theme::{choose::Surroundings, colour::Depth},
};
use serde_json::{Value, json};
use std::{
    fs, io,
    os::unix::fs::{MetadataExt as _, PermissionsExt as _},
    path::Path,
};

/// What was found about one thing.
struct Finding {
    name: &'static str,
    says: String,
    /// What to do; `None` when all is well.
    todo: Option<String>,
}

/// Looks at everything and prints it. Exit code 3 when something is to be done.
pub fn print(args: &Args) -> Result<u8, Failure> {
    let mut surroundings = Surroundings::read();
    let ground = background(&mut surroundings);
    let mut found =
        vec![screen(), colours(&surroundings), ground, clipboard(&surroundings), git_found()];
    match settings::layers(args) {
        Err(failure) => {
            found.push(bad("settings", failure.cause, "mend the setting or file named"));
        }
        Ok(loaded) => {
            found.push(file(&loaded.warnings)?);
            found.push(theme(&loaded.config, &surroundings));
            found.extend(work(args, &loaded.config));
        }
    }
    found.push(data(&places::data_home()?));
    let code = if found.iter().any(|it| it.todo.is_some()) { Kind::Config.exit_code() } else { 0 };
    let text = if args.common.json { document(code, &found) } else { readable(&found) };
    batch::print(&text)?;
    Ok(code)
}

fn good(name: &'static str, says: impl Into<String>) -> Finding {
    Finding { name, says: says.into(), todo: None }
}

fn bad(name: &'static str, says: impl Into<String>, todo: impl Into<String>) -> Finding {
    Finding { name, says: says.into(), todo: Some(todo.into()) }
}

fn screen() -> Finding {
    if !terminal::is_terminal() {
        return good("terminal", "none here; `--batch` needs none");
    }
    let (width, height) = terminal::size();
    let says = format!("{width} by {height} cells");
    if width < 60 || height < 16 {
        return bad("terminal", says, "make the window at least 60 by 16 cells");
    }
    good("terminal", says)
}

fn colours(surroundings: &Surroundings) -> Finding {
    let term = surroundings.term.as_deref().unwrap_or("not set");
    match surroundings.depth() {
        Depth::Exact => good("colours", "24-bit"),
        Depth::Indexed => good("colours", "256"),
        Depth::None if surroundings.no_color.is_some() => good("colours", "none, as NO_COLOR asks"),
        Depth::Sixteen => good(
            "colours",
            format!("16 (TERM is {term}); set COLORTERM=truecolor if the terminal has more"),
        ),
        Depth::None if !terminal::is_terminal() => good("colours", "none without a terminal"),
        Depth::None => {
            bad("colours", format!("none: TERM is {term}"), "set TERM to what the terminal is")
        }
    }
}

/// Light or dark, and who says so.
fn background(surroundings: &mut Surroundings) -> Finding {
    let name = "background";
    if surroundings.depth() <= Depth::Sixteen {
        return good(name, "the terminal's own; the theme `sixteen` needs to know nothing of it");
    }
    if !terminal::is_terminal() || !surroundings.wants_answer(None) {
        let light = surroundings.brightness();
        return good(name, format!("taken as {light}; not asked here"));
    }
    surroundings.background = question::ask_and_wait();
    let light = surroundings.brightness();
    good(
        name,
        match (surroundings.background, &surroundings.colorfgbg) {
            (Some([r, g, b]), _) => {
                format!("{light}, as the terminal answers (#{r:02x}{g:02x}{b:02x})")
            }
            (None, Some(it)) => format!("{light}, as COLORFGBG says ({it})"),
            (None, None) => {
                format!("taken as {light}; the terminal does not say. `--theme` decides")
            }
        },
    )
}

fn clipboard(surroundings: &Surroundings) -> Finding {
    let says = match (surroundings.tmux, surroundings.remote) {
        (true, _) => "through tmux (OSC 52); needs `set -g set-clipboard on` there",
        (_, true) => "through the terminal (OSC 52), since this is a remote session",
        _ => "a clipboard command where there is one, else the terminal (OSC 52)",
    };
    good("clipboard", says)
}

fn git_found() -> Finding {
    match git::version() {
        Ok(version) => good("git", version.trim_start_matches("git version ").to_owned()),
        Err(why) => bad("git", why, "install git to open ranges; captures and diffs need none"),
    }
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
