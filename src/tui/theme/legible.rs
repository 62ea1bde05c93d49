//! Foregrounds that stay readable at 256 colours: stepping a colour down moves it and its ground
//! apart or together, so one that comes too close to its ground gives way to the nearest that does
//! not. Must not touch grounds.

use crate::{
    tui::theme::{
        BARS, Syntax, Theme,
        colour::{contrast, distance, indexed_rgb},
    },
    view::line::Tone,
};
use ratatui::style::{Color, Style};

/// What a reader needs, by WCAG 2 level AA and AAA, and what is enough on a marked word, which has
/// its neighbours to be told by.
const READABLE: f64 = 4.5;
const HIGH: f64 = 7.0;
const WORD: f64 = 3.8;

/// Tones of lines and frames: nobody reads them.
const LINES: [Tone; 3] = [Tone::Border, Tone::BorderFocused, Tone::ThreadBar];

/// A ground, and the contrast wanted on it.
type Ground = ([u8; 3], f64);

/// Mends a theme of 256 colours beside the same in exact ones.
pub(crate) fn mend(theme: &mut Theme, exact: &Theme) {
    let least = if is_high(exact) { HIGH } else { READABLE };
    let canvas = theme.canvas;
    let on = |style: &Style| ground(*style, canvas).map(|it| (it, least));
    for tone in Tone::ALL.iter().filter(|it| !LINES.contains(it)).map(|it| *it as usize) {
        let grounds = on(&theme.tones[tone]);
        settle(&mut theme.tones[tone], exact.tones[tone], grounds.as_slice());
        for bar in 0..BARS.len() {
            let grounds = on(&theme.bars[bar][tone]);
            settle(&mut theme.bars[bar][tone], exact.bars[bar][tone], grounds.as_slice());
        }
    }
    let grounds = under_code(theme, least);
    for class in 0..Syntax::ALL.len() {
        settle(&mut theme.syntax[class], exact.syntax[class], &grounds);
    }
}

/// What code stands on: each kind of line, plain and under each bar.
fn under_code(theme: &Theme, least: f64) -> Vec<Ground> {
    use Tone::{Added, AddedWord, CodeBlock, Context, Removed, RemovedWord};
    let mut grounds = Vec::new();
    for tone in [Context, Added, Removed, CodeBlock, AddedWord, RemovedWord] {
        for fill in [tone].into_iter().chain(BARS) {
            let marked = fill != tone || [AddedWord, RemovedWord].contains(&tone);
            let least = if marked && least < HIGH { WORD } else { least };
            grounds.extend(ground(theme.span(fill, tone), theme.canvas).map(|it| (it, least)));
        }
    }
    grounds
}

/// Whether all text of a theme has the contrast of level AAA.
fn is_high(exact: &Theme) -> bool {
    let read = Tone::ALL.iter().filter(|it| !LINES.contains(it));
    read.map(|it| exact.tone(*it)).all(|it| {
        let pair = it.fg.and_then(rgb).zip(ground(it, exact.canvas));
        pair.is_none_or(|(fg, bg)| contrast(fg, bg) >= HIGH)
    })
}

/// Takes another foreground if this one cannot be read on all of the grounds.
fn settle(style: &mut Style, exact: Style, grounds: &[Ground]) {
    let (Some(own), Some(wanted)) = (style.fg.and_then(rgb), exact.fg.and_then(rgb)) else {
        return;
    };
    let spare = |fg: [u8; 3]| {
        grounds.iter().map(|(bg, least)| contrast(fg, *bg) / least).fold(f64::MAX, f64::min)
    };
    if spare(own) >= 1.0 {
        return;
    }
    let all = || (16..=255).map(|it| (it, indexed_rgb(it)));
    let near = all().filter(|it| spare(it.1) >= 1.0).min_by_key(|it| distance(wanted, it.1));
    // No colour does for all of them: the one that comes nearest to it.
    let best = || all().max_by(|one, other| spare(one.1).total_cmp(&spare(other.1)));
    style.fg = near.or_else(best).map(|it| Color::Indexed(it.0));
}

fn ground(style: Style, canvas: Style) -> Option<[u8; 3]> {
    style.bg.or(canvas.bg).and_then(rgb)
}

fn rgb(colour: Color) -> Option<[u8; 3]> {
    match colour {
        Color::Rgb(r, g, b) => Some([r, g, b]),
        Color::Indexed(it @ 16..) => Some(indexed_rgb(it)),
        _ => None,
    }
}
