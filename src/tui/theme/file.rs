//! Theme files: TOML with a palette, tones and syntax classes, names falling back at each dot.
//! Must not know the terminal.
//!
//! A tone's name is its variant with a dot before each inner capital: `AddedWord` is
//! `added.word`, and takes from `added` what it does not say itself. The foreground falls back to
//! `text`; a background does not, so that what lies below shows.

use crate::{
    tui::theme::{Look, Syntax, colour::Paint},
    view::line::Tone,
};
use ratatui::style::Modifier;
use serde::Deserialize;
use std::{
    collections::BTreeMap,
    fs::File,
    io::Read as _,
    path::{Path, PathBuf},
};

/// A theme as its file says it.
#[derive(Debug, Clone)]
pub struct ThemeFile {
    pub name: String,
    tones: BTreeMap<String, Look>,
    syntax: BTreeMap<String, Look>,
}

/// Why a theme could not be taken.
#[derive(Debug, thiserror::Error)]
pub enum ThemeError {
    #[error("no theme is called `{0}`; there are {names}", names = names())]
    Unknown(String),
    #[error("theme file {path}: {cause}; fix the file or choose another theme")]
    Read { path: PathBuf, cause: String },
    #[error("theme {name}: {cause}; fix the file or choose another theme")]
    Invalid { name: String, cause: String },
}

/// The themes that are compiled in.
pub const BUILT_IN: &[(&str, &str)] = &[
    ("dark", include_str!("../../../themes/dark.toml")),
    ("light", include_str!("../../../themes/light.toml")),
    ("sixteen", include_str!("../../../themes/sixteen.toml")),
    ("blue-orange", include_str!("../../../themes/blue-orange.toml")),
    ("blue-orange-light", include_str!("../../../themes/blue-orange-light.toml")),
    ("high-contrast-dark", include_str!("../../../themes/high-contrast-dark.toml")),
    ("high-contrast-light", include_str!("../../../themes/high-contrast-light.toml")),
    ("dusk", include_str!("../../../themes/dusk.toml")),
    ("sepia", include_str!("../../../themes/sepia.toml")),
];

/// A theme file is small; a larger one is a mistake or an attack.
const LARGEST: u64 = 1 << 20;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    #[serde(default)]
    colours: BTreeMap<String, String>,
    tones: BTreeMap<String, RawLook>,
    #[serde(default)]
    syntax: BTreeMap<String, RawLook>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawLook {
    fg: Option<String>,
    bg: Option<String>,
    bold: Option<bool>,
    dim: Option<bool>,
    italic: Option<bool>,
    underline: Option<bool>,
    reverse: Option<bool>,
}

impl ThemeFile {
    /// Reads a theme from its text.
    pub fn parse(name: &str, text: &str) -> Result<Self, ThemeError> {
        let invalid = |cause: String| ThemeError::Invalid { name: name.into(), cause };
        let raw: Raw = toml::from_str(text).map_err(|it| invalid(it.message().into()))?;
        let looks = |from: &BTreeMap<String, RawLook>| {
            let look = |(key, it): (&String, &RawLook)| Ok((key.clone(), it.look(&raw.colours)?));
            from.iter().map(look).collect::<Result<BTreeMap<_, _>, String>>()
        };
        let (tones, syntax) =
            (looks(&raw.tones).map_err(invalid)?, looks(&raw.syntax).map_err(invalid)?);
        let file = Self { name: name.into(), tones, syntax };
        file.check_names().map_err(invalid)?;
        Ok(file)
    }

    /// How a tone looks, with what it takes from the names before its dots.
    pub fn tone(&self, tone: Tone) -> Look {
        let look = resolve(&self.tones, &name(&format!("{tone:?}")));
        let text = self.tones.get("text").copied().unwrap_or_default();
        Look { fg: look.fg.or(text.fg), ..look }
    }

    /// How a syntax class looks: what it does not say is left to the tone below.
    pub fn syntax(&self, class: Syntax) -> Look {
        resolve(&self.syntax, &name(&format!("{class:?}")))
    }

    /// Whether the file says something for this tone or for a name before one of its dots.
    pub fn knows(&self, tone: Tone) -> bool {
        ancestry(&name(&format!("{tone:?}"))).any(|it| self.tones.contains_key(it))
    }

    fn check_names(&self) -> Result<(), String> {
        let tones: Vec<_> = Tone::ALL.iter().map(|it| name(&format!("{it:?}"))).collect();
        let classes: Vec<_> = Syntax::ALL.iter().map(|it| name(&format!("{it:?}"))).collect();
        let known = |all: &[String], it: &str| all.iter().any(|all| ancestry(all).any(|a| a == it));
        let strange = (self.tones.keys().find(|it| !known(&tones, it)))
            .or_else(|| self.syntax.keys().find(|it| !known(&classes, it)));
        strange.map_or(Ok(()), |it| Err(format!("nothing is called `{it}`")))
    }
}

impl RawLook {
    fn look(&self, palette: &BTreeMap<String, String>) -> Result<Look, String> {
        let paint = |text: &Option<String>| {
            let Some(text) = text else { return Ok(None) };
            let value = palette.get(text).unwrap_or(text);
            Paint::parse(value).map(Some).ok_or_else(|| format!("`{value}` is not a colour"))
        };
        let marks = [
            (self.bold, Modifier::BOLD),
            (self.dim, Modifier::DIM),
            (self.italic, Modifier::ITALIC),
            (self.underline, Modifier::UNDERLINED),
            (self.reverse, Modifier::REVERSED),
        ];
        let says = |what| marks.iter().filter(|it| it.0 == Some(what)).map(|it| it.1).collect();
        let (modifiers, without) = (says(true), says(false));
        Ok(Look { fg: paint(&self.fg)?, bg: paint(&self.bg)?, modifiers, without })
    }
}

/// The built-in theme of that name.
pub fn built_in(name: &str) -> Result<ThemeFile, ThemeError> {
    let found = BUILT_IN.iter().find(|it| it.0 == name);
    let (name, text) = found.ok_or_else(|| ThemeError::Unknown(name.into()))?;
    ThemeFile::parse(name, text)
}

/// The theme of that name: the person's own `folder/NAME.toml`, or the built-in one. A name that
/// ends in `.toml` is a path.
pub fn find(name: &str, folder: Option<&Path>) -> Result<ThemeFile, ThemeError> {
    let own = folder.filter(|_| is_plain(name)).map(|it| it.join(format!("{name}.toml")));
    let given =
        Some(PathBuf::from(name)).filter(|it| it.extension().is_some_and(|it| it == "toml"));
    let Some(path) = given.or(own.filter(|it| it.exists())) else {
        return built_in(name);
    };
    let read = |cause: String| ThemeError::Read { path: path.clone(), cause };
    let file = File::open(&path).map_err(|it| read(it.to_string()))?;
    // What a file says of its size may be wrong (a device says 0), so the reading stops itself.
    let mut text = String::new();
    file.take(LARGEST + 1).read_to_string(&mut text).map_err(|it| read(it.to_string()))?;
    if text.len() as u64 > LARGEST {
        return Err(read(format!("more than the {LARGEST} bytes a theme may have")));
    }
    ThemeFile::parse(name, &text)
}

/// A theme's name is a file's stem, never a path.
fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|it| it.is_ascii_alphanumeric() || "-_".contains(it))
}

/// Every theme there is, with the file it comes from; none for the built-in ones. A person's own
/// theme stands where the built-in one of its name stood.
pub fn listed(folder: Option<&Path>) -> Vec<(String, Option<PathBuf>)> {
    let mut own = BTreeMap::new();
    for entry in folder.and_then(|it| std::fs::read_dir(it).ok()).into_iter().flatten().flatten() {
        let path = entry.path();
        let stem = path.file_stem().and_then(|it| it.to_str()).filter(|it| is_plain(it));
        if let Some(stem) = stem.filter(|_| path.extension().is_some_and(|it| it == "toml")) {
            own.insert(stem.to_owned(), path);
        }
    }
    let built_in = BUILT_IN.iter().map(|it| it.0.to_owned());
    let mut all: Vec<_> = built_in.map(|it| (own.remove(&it), it)).map(|it| (it.1, it.0)).collect();
    all.extend(own.into_iter().map(|it| (it.0, Some(it.1))));
    all
}

fn names() -> String {
    BUILT_IN.iter().map(|it| it.0).collect::<Vec<_>>().join(", ")
}

/// `AddedWord` → `added.word`.
fn name(variant: &str) -> String {
    let mut name = String::new();
    for (at, it) in variant.char_indices() {
        if it.is_ascii_uppercase() && at > 0 {
            name.push('.');
        }
        name.push(it.to_ascii_lowercase());
    }
    name
}

/// `a.b.c`, `a.b`, `a`.
fn ancestry(name: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(name), |it| it.rsplit_once('.').map(|it| it.0))
}

fn resolve(looks: &BTreeMap<String, Look>, name: &str) -> Look {
    let mut look = Look::default();
    for own in ancestry(name).filter_map(|it| looks.get(it)) {
        look.fg = look.fg.or(own.fg);
        look.bg = look.bg.or(own.bg);
        look.modifiers |= own.modifiers - look.without;
        look.without |= own.without;
    }
    look
}
