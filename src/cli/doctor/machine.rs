//! What the terminal, its colours and the programs beside it give.
//! Must not change anything.

use crate::cli::doctor::{Finding, bad, good};
use crate::forge::git;
use crate::tui::{
    question, terminal,
    theme::{choose::Surroundings, colour::Depth},
};

pub fn screen() -> Finding {
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

pub fn colours(surroundings: &Surroundings) -> Finding {
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
pub fn background(surroundings: &mut Surroundings) -> Finding {
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

pub fn clipboard(surroundings: &Surroundings) -> Finding {
    let says = match (surroundings.tmux, surroundings.remote) {
        (true, _) => "through tmux (OSC 52); needs `set -g set-clipboard on` there",
        (_, true) => "through the terminal (OSC 52), since this is a remote session",
        _ => "a clipboard command where there is one, else the terminal (OSC 52)",
    };
    good("clipboard", says)
}

pub fn git_found() -> Finding {
    match git::version() {
        Ok(version) => good("git", version.trim_start_matches("git version ").to_owned()),
        Err(why) => bad("git", why, "install git to open ranges; captures and diffs need none"),
    }
}
