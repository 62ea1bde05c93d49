//! Which theme and how many colours: from flags, configuration and what the terminal says about
//! itself. Must not read the environment; `Surroundings::read` does, once, at the start.

use crate::tui::theme::{
    Theme,
    colour::Depth,
    file::{self, ThemeError},
};
use std::path::Path;

/// What the environment says about the terminal.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Surroundings {
    pub term: Option<String>,
    pub colorterm: Option<String>,
    /// `fg;bg` in the terminal's own sixteen, which a few terminals set.
    pub colorfgbg: Option<String>,
    /// Set and not empty: no colours (<https://no-color.org>).
    pub no_color: Option<String>,
    /// The terminal is reached over SSH.
    pub remote: bool,
    /// A terminal multiplexer stands between.
    pub tmux: bool,
}

impl Surroundings {
    /// Reads the variables of this process.
    pub fn read() -> Self {
        let get = |name: &str| std::env::var(name).ok().filter(|it| !it.is_empty());
        Self {
            term: get("TERM"),
            colorterm: get("COLORTERM"),
            colorfgbg: get("COLORFGBG"),
            no_color: get("NO_COLOR"),
            remote: get("SSH_TTY").or_else(|| get("SSH_CONNECTION")).is_some(),
            tmux: get("TMUX").is_some(),
        }
    }

    /// How many colours to send. Libraries send 24 bits even to a dumb terminal, so this decides.
    pub fn depth(&self) -> Depth {
        let term = self.term.as_deref().unwrap_or("dumb");
        let says = |it: &str| self.colorterm.as_deref() == Some(it);
        if self.no_color.is_some() || term == "dumb" {
            Depth::None
        } else if says("truecolor") || says("24bit") || term.ends_with("-direct") {
            Depth::Exact
        } else if term.contains("256color") || ["alacritty", "xterm-kitty"].contains(&term) {
            Depth::Indexed
        } else {
            Depth::Sixteen
        }
    }

    /// `light` or `dark`, by the background's number where the terminal says it; else `dark`.
    pub fn brightness(&self) -> &'static str {
        let background = self.colorfgbg.as_deref().and_then(|it| it.rsplit(';').next());
        match background.and_then(|it| it.parse::<u8>().ok()) {
            Some(7 | 9..=15) => "light",
            _ => "dark",
        }
    }

    /// The theme to paint with. `wanted` is what a person asked for; `auto` is as good as nothing.
    /// A terminal with sixteen colours or none gets its own theme unless a person named one.
    pub fn theme(&self, wanted: Option<&str>, folder: Option<&Path>) -> Result<Theme, ThemeError> {
        let depth = self.depth();
        let name = match wanted.filter(|it| *it != "auto") {
            Some(wanted) if depth != Depth::None => wanted,
            _ if depth <= Depth::Sixteen => "sixteen",
            _ => self.brightness(),
        };
        Ok(Theme::new(&file::find(name, folder)?, depth))
    }
}
