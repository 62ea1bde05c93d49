//! Colours as theme files write them, and what is left of them at each colour depth.
//! Must not know tones.

use ratatui::style::Color;

/// How many colours the terminal shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// No colour at all; bold, reverse and underline stay.
    None,
    /// The terminal's own sixteen.
    Sixteen,
    /// The 6×6×6 cube and the greys.
    Indexed,
    /// 24-bit.
    Exact,
}

/// One colour of a theme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paint {
    /// Whatever lies below, where a name before a dot would give something else.
    Below,
    /// What the terminal uses when nobody asks.
    Default,
    /// One of the terminal's own sixteen.
    Ansi(u8),
    /// An exact colour and the indexed one a theme prefers for it, where it names one.
    Rgb { rgb: [u8; 3], indexed: Option<u8> },
}

/// The names of the terminal's own colours, by number.
const ANSI: [&str; 16] = [
    "black",
    "red",
    "green",
    "yellow",
    "blue",
    "magenta",
    "cyan",
    "white",
    "bright-black",
    "bright-red",
    "bright-green",
    "bright-yellow",
    "bright-blue",
    "bright-magenta",
    "bright-cyan",
    "bright-white",
];

impl Paint {
    /// An exact colour with no preferred index.
    pub fn exact(rgb: [u8; 3]) -> Self {
        Self::Rgb { rgb, indexed: None }
    }

    /// Reads `below`, `default`, one of the sixteen names, `#rrggbb`, or `#rrggbb/n` with the indexed colour
    /// to use where 24 bits are too many.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "below" => return Some(Self::Below),
            "default" => return Some(Self::Default),
            _ => {}
        }
        if let Some(at) = ANSI.iter().position(|it| *it == text) {
            return Some(Self::Ansi(at as u8));
        }
        let (hex, indexed) = match text.strip_prefix('#')?.split_once('/') {
            Some((hex, index)) => (hex, Some(index.parse().ok()?)),
            None => (text.strip_prefix('#')?, None),
        };
        let plain = hex.len() == 6 && hex.bytes().all(|it| it.is_ascii_hexdigit());
        let value = u32::from_str_radix(hex, 16).ok().filter(|_| plain)?;
        let [_, r, g, b] = value.to_be_bytes();
        Some(Self::Rgb { rgb: [r, g, b], indexed })
    }

    /// The colour to send to a terminal of this depth; none when it shows none.
    pub fn at(self, depth: Depth) -> Option<Color> {
        match (self, depth) {
            (Self::Below, _) | (_, Depth::None) => None,
            (Self::Default, _) => Some(Color::Reset),
            (Self::Ansi(it), _) => Some(Color::Indexed(it)),
            (Self::Rgb { rgb: [r, g, b], .. }, Depth::Exact) => Some(Color::Rgb(r, g, b)),
            (Self::Rgb { rgb, indexed }, Depth::Indexed) => {
                Some(Color::Indexed(indexed.unwrap_or_else(|| nearest_indexed(rgb))))
            }
            (Self::Rgb { rgb, .. }, Depth::Sixteen) => Some(Color::Indexed(nearest_ansi(rgb))),
        }
    }
}

/// Halfway between two colours.
pub fn mix(one: [u8; 3], other: [u8; 3]) -> [u8; 3] {
    [0, 1, 2].map(|it| u16::midpoint(u16::from(one[it]), u16::from(other[it])) as u8)
}

/// The contrast of two colours, 1 to 21, by the formula of WCAG 2.
pub fn contrast(one: [u8; 3], other: [u8; 3]) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

fn luminance(rgb: [u8; 3]) -> f64 {
    let [r, g, b] = rgb.map(|it| {
        let it = f64::from(it) / 255.0;
        if it <= 0.040_45 { it / 12.92 } else { ((it + 0.055) / 1.055).powf(2.4) }
    });
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

/// The steps of one channel of the indexed cube, as every terminal defines them.
const CUBE: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// The nearest of the 240 indexed colours that do not depend on the person's own palette.
fn nearest_indexed(rgb: [u8; 3]) -> u8 {
    (16..=255).min_by_key(|it| distance(rgb, indexed_rgb(*it))).unwrap_or(16)
}

/// What an indexed colour from 16 on looks like.
pub fn indexed_rgb(index: u8) -> [u8; 3] {
    if index >= 232 {
        return [8 + (index - 232) * 10; 3];
    }
    let index = index.saturating_sub(16);
    [index / 36, index / 6 % 6, index % 6].map(|it| CUBE[it as usize])
}

/// The nearest of the sixteen, taking the common values for them.
fn nearest_ansi(rgb: [u8; 3]) -> u8 {
    let usual = |it: u8| match it {
        7 => [229; 3],
        8 => [127; 3],
        _ => [0, 1, 2].map(|bit| {
            let on = it >> bit & 1 == 1;
            if !on {
                0
            } else if it < 8 {
                205
            } else {
                255
            }
        }),
    };
    (0..16).min_by_key(|it| distance(rgb, usual(*it))).unwrap_or(7)
}

/// How far two colours are apart.
pub(crate) fn distance(one: [u8; 3], other: [u8; 3]) -> u32 {
    (0..3).map(|it| u32::from(one[it].abs_diff(other[it])).pow(2)).sum()
}
