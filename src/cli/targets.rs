//! The targets of a command: names from standard input, and advice when a name is none.
//! Must not open them.

use crate::cli::args::command_names;
use crate::config::unknown::nearest;
use crate::failure::{Failure, Kind};
use crate::forge::ForgeError;
use std::{
    io::{self, Read as _},
    path::Path,
};

/// The most a list of targets may hold: 1 MiB of names.
const LIMIT: u64 = 1 << 20;

/// The targets with `@-` replaced by the lines of standard input. Blank lines and lines that
/// begin with `#` are none.
pub fn expand(named: &[String]) -> Result<Vec<String>, Failure> {
    let twice = named.iter().filter(|it| *it == "@-" || *it == "-").count() > 1;
    if twice {
        return Err(Failure::new(Kind::Usage, "standard input can be read once only"));
    }
    let mut targets = Vec::new();
    for name in named {
        if name == "@-" {
            targets.extend(listed()?);
        } else {
            targets.push(name.clone());
        }
    }
    Ok(targets)
}

fn listed() -> Result<Vec<String>, Failure> {
    let mut text = String::new();
    let read = io::stdin().lock().take(LIMIT).read_to_string(&mut text);
    read.map_err(|error| {
        Failure::new(
            Kind::Input,
            format!("the targets could not be read from standard input: {error}"),
        )
    })?;
    let lines = text.lines().map(str::trim);
    Ok(lines.filter(|it| !it.is_empty() && !it.starts_with('#')).map(str::to_owned).collect())
}

/// What to say of a single target that is neither a file nor anything else: it may be a command,
/// misspelt.
pub fn unknown(name: &str) -> Option<Failure> {
    let plain = name.chars().all(|it| it.is_ascii_lowercase() || it == '-');
    if name == "-" || !plain || Path::new(name).exists() {
        return None;
    }
    let missing = ForgeError::Missing { path: name.to_owned() };
    let failure = Failure::new(Kind::Usage, format!("{missing}, and casefile has no such command"));
    let names = command_names();
    Some(match nearest(name, names.iter().map(String::as_str)) {
        Some(near) => failure.hint(format!("did you mean `casefile {near}`?")),
        None => failure.hint("`casefile --help` lists the commands and shows examples"),
    })
}

#[cfg(test)]
mod tests {
    use crate::cli::targets::unknown;

    #[test]
    fn only_what_could_be_a_command_is_refused_unread() {
        let check = |name, refused| assert_eq!(unknown(name).is_some(), refused, "{name}");
        check("exprot", true);
        check("no-such-command", true);
        check("-", false);
        check("missing.json", false);
        check("main..HEAD", false);
        check("owner/repo#12", false);
    }
}
