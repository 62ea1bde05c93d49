//! What each tone and each kind of syntax looks like. Must not decide what a tone means (`view`
//! does) and must not read the environment (`choose` takes it as data).

pub mod choose;
pub mod colour;
pub mod file;
mod legible;

#[cfg(test)]
mod tests;

use crate::{
    tui::theme::{
        colour::{Depth, Paint},
        file::ThemeError,
    },
    view::line::Tone,
};
use ratatui::style::{Modifier, Style};

/// A theme ready to paint with: one style per tone and per syntax class, at the terminal's depth.
#[derive(Debug, Clone)]
pub struct Theme {
    pub name: String,
    /// The style of cells nothing covers.
    pub canvas: Style,
    tones: Vec<Style>,
    bars: Vec<Vec<Style>>,
    syntax: Vec<Style>,
}

/// How one tone looks, as a theme file says it. `None` means "as what lies below".
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Look {
    pub fg: Option<Paint>,
    pub bg: Option<Paint>,
    pub modifiers: Modifier,
    /// Marks it says no to, where a name before a dot would give them.
    pub without: Modifier,
}

/// The kinds of code a theme colours, after the scope names editors share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Syntax {
    Comment,
    String,
    Escape,
    Number,
    Constant,
    Keyword,
    Operator,
    Punctuation,
    Function,
    Macro,
    Type,
    Namespace,
    Variable,
    Parameter,
    Property,
    Tag,
    Attribute,
    Heading,
    Emphasis,
    Bold,
    Raw,
    Link,
    Inserted,
    Deleted,
}

impl Syntax {
    /// Every class, in order; `class as usize` is its index here.
    pub const ALL: &[Self] = &[
        Self::Comment,
        Self::String,
        Self::Escape,
        Self::Number,
        Self::Constant,
        Self::Keyword,
        Self::Operator,
        Self::Punctuation,
        Self::Function,
        Self::Macro,
        Self::Type,
        Self::Namespace,
        Self::Variable,
        Self::Parameter,
        Self::Property,
        Self::Tag,
        Self::Attribute,
        Self::Heading,
        Self::Emphasis,
        Self::Bold,
        Self::Raw,
        Self::Link,
        Self::Inserted,
        Self::Deleted,
    ];
}

/// Tones that lie under a whole line and show through its spans.
const BARS: [Tone; 3] = [Tone::Cursor, Tone::CursorDim, Tone::Selection];

impl Theme {
    /// Resolves a theme file for a terminal of `depth`.
    pub fn new(file: &file::ThemeFile, depth: Depth) -> Self {
        let mut theme = Self::at(file, depth);
        if depth == Depth::Indexed {
            legible::mend(&mut theme, &Self::at(file, Depth::Exact));
        }
        theme
    }

    /// Each colour by itself.
    fn at(file: &file::ThemeFile, depth: Depth) -> Self {
        let style = |look: Look| style(look, depth);
        let text = file.tone(Tone::Text);
        let plain = |tone: Tone| {
            // Plain text is the canvas: it has no background of its own.
            let look = file.tone(tone);
            Look { bg: look.bg.filter(|_| tone != Tone::Text), ..look }
        };
        let looks: Vec<Look> = Tone::ALL.iter().map(|it| plain(*it)).collect();
        let under = |bar: Tone| {
            let bar = file.tone(bar);
            looks.iter().map(|it| style(over(bar, *it))).collect()
        };
        Self {
            name: file.name.clone(),
            canvas: style(text),
            tones: looks.iter().map(|it| style(*it)).collect(),
            bars: BARS.map(under).into(),
            syntax: Syntax::ALL.iter().map(|it| style(file.syntax(*it))).collect(),
        }
    }

    /// The built-in theme of that name at a depth.
    pub fn built_in(name: &str, depth: Depth) -> Result<Self, ThemeError> {
        Ok(Self::new(&file::built_in(name)?, depth))
    }

    /// A span or a line's fill in this tone. No background: what lies below shows.
    pub fn tone(&self, tone: Tone) -> Style {
        self.tones[tone as usize]
    }

    /// A span in this tone on a line filled with `fill`: bars keep their background under it.
    pub fn span(&self, fill: Tone, tone: Tone) -> Style {
        let bar = BARS.iter().position(|it| *it == fill);
        bar.map_or_else(|| self.tone(tone), |it| self.bars[it][tone as usize])
    }

    /// The foreground and modifiers that lie over code of this class.
    pub fn syntax(&self, class: Syntax) -> Style {
        self.syntax[class as usize]
    }
}

/// A contrast of two grounds above which one is a mark that stays itself under a bar.
const STANDS_OUT: f64 = 2.5;

/// A tone on a bar: the bar's background, tinted by the tone's own where both are exact colours,
/// so that an added line still looks added under the cursor.
fn over(bar: Look, tone: Look) -> Look {
    let own = tone.bg.filter(|it| *it != Paint::Below);
    let bg = match (bar.bg, own) {
        (Some(Paint::Rgb { rgb: bar, .. }), Some(own @ Paint::Rgb { rgb, .. })) => {
            let stands_out = colour::contrast(bar, rgb) > STANDS_OUT;
            Some(if stands_out { own } else { Paint::exact(colour::mix(bar, rgb)) })
        }
        (bar, own) => bar.or(own),
    };
    Look { fg: tone.fg, bg, modifiers: tone.modifiers | bar.modifiers, ..tone }
}

fn style(look: Look, depth: Depth) -> Style {
    let colour = |paint: Paint| paint.at(depth);
    let style =
        Style { fg: look.fg.and_then(colour), bg: look.bg.and_then(colour), ..Style::new() };
    style.add_modifier(look.modifiers)
}
