//! Which theme and how many colours: from flags, configuration and what the terminal says about
//! itself. Must not read the environment; `Surroundings::read` does, once, at the start.

use crate::tui::theme::{
    Theme,
    colour::{Depth, contrast},
    file::{self, ThemeError},
};
use std::path::Path;

/// Kinds of terminal without colours, by `TERM` up to its first dash.
const COLOURLESS: [&str; 8] =
    ["dumb", "unknown", "vt52", "vt100", "vt102", "vt220", "vt320", "emacs"];
/// Values of `TERM` that are one terminal's own, and it shows 24 bits.
const EXACT_TERMS: [&str; 9] = [
    "alacritty",
    "contour",
    "foot",
    "foot-extra",
    "rio",
    "wezterm",
    "xterm-ghostty",
    "xterm-kitty",
    "zellij",
];
/// Values of `TERM_PROGRAM` whose terminals show 24 bits whatever else is set.
const EXACT_PROGRAMS: [&str; 7] =
    ["Hyper", "WezTerm", "ghostty", "iTerm.app", "mintty", "rio", "vscode"];

/// What the environment says about the terminal.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Surroundings {
    pub term: Option<String>,
    pub colorterm: Option<String>,
    /// The terminal's own name, where it says one (not through SSH or a multiplexer).
    pub term_program: Option<String>,
    /// `fg;bg` in the terminal's own sixteen, which a few terminals set.
    pub colorfgbg: Option<String>,
    /// Set and not empty: no colours (<https://no-color.org>).
    pub no_color: Option<String>,
    /// The terminal is reached over SSH.
    pub remote: bool,
    /// tmux stands between.
    pub tmux: bool,
    /// GNU screen stands between, and not tmux within it.
    pub screen: bool,
    /// What the terminal answered to the question after its background.
    pub background: Option<[u8; 3]>,
}

impl Surroundings {
    /// Reads the variables of this process.
    pub fn read() -> Self {
        let get = |name: &str| std::env::var(name).ok().filter(|it| !it.is_empty());
        let (term, tmux) = (get("TERM"), get("TMUX").is_some());
        let named_screen = term.as_deref().is_some_and(|it| it.starts_with("screen"));
        Self {
            screen: !tmux && (named_screen || get("STY").is_some()),
            term,
            term_program: get("TERM_PROGRAM"),
            colorterm: get("COLORTERM"),
            colorfgbg: get("COLORFGBG"),
            no_color: get("NO_COLOR"),
            remote: get("SSH_TTY").or_else(|| get("SSH_CONNECTION")).is_some(),
            tmux,
            background: None,
        }
    }

    /// How many colours to send. Libraries send 24 bits even to a dumb terminal, so this decides.
    ///
    /// `COLORTERM` outlives the terminal that set it: under GNU screen it is the outer one's, and
    /// screen garbles 24 bits.
    pub fn depth(&self) -> Depth {
        let term = self.term.as_deref().unwrap_or("dumb");
        let named = |name: Option<&str>, names: &[&str]| name.is_some_and(|it| names.contains(&it));
        let family = term.split_once('-').map_or(term, |it| it.0);
        if self.no_color.is_some() || COLOURLESS.contains(&family) || term.ends_with("-mono") {
            Depth::None
        } else if self.screen {
            if term.contains("256color") { Depth::Indexed } else { Depth::Sixteen }
        } else if named(self.colorterm.as_deref(), &["truecolor", "24bit"])
            || named(self.term_program.as_deref(), &EXACT_PROGRAMS)
            || named(Some(term), &EXACT_TERMS)
            || term.ends_with("-direct")
        {
            Depth::Exact
        } else if term.contains("256color")
            || named(self.term_program.as_deref(), &["Apple_Terminal"])
        {
            Depth::Indexed
        } else {
            Depth::Sixteen
        }
    }

    /// `light` or `dark`, by what the terminal answered, else by the background's number where it
    /// says that; else `dark`.
    pub fn brightness(&self) -> &'static str {
        if let Some(background) = self.background {
            let light = contrast(background, [0; 3]) > contrast(background, [255; 3]);
            return if light { "light" } else { "dark" };
        }
        let background = self.colorfgbg.as_deref().and_then(|it| it.rsplit(';').next());
        match background.and_then(|it| it.parse::<u8>().ok()) {
            Some(7 | 9..=15) => "light",
            _ => "dark",
        }
    }

    /// Whether asking the terminal for its background is of use and does no harm: a theme is to be
    /// found for it, and it is none that shows or hands on what it does not know. GNU screen keeps
    /// the question and puts it to the outer terminal later, for whoever is in front then.
    pub fn wants_answer(&self, wanted: Option<&str>) -> bool {
        wanted.is_none_or(|it| it == "auto") && self.depth() > Depth::Sixteen && !self.screen
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
