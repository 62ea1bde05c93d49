//! Screens as text: what stands where, and in which tone.

use crate::{
    app::{fixture, model::Model},
    domain::text,
    view::{
        line::{Screen, Tone},
        screen,
    },
};
use std::fmt::Write as _;
use unicode_segmentation::UnicodeSegmentation as _;

/// The cells of a screen, as `tui` paints them: a grapheme and its tone each.
fn cells(screen: &Screen, width: usize, height: usize) -> Vec<Vec<(String, Tone)>> {
    let mut cells = vec![vec![(" ".to_owned(), Tone::Text); width]; height];
    for block in &screen.blocks {
        for y in 0..block.area.height {
            let line = block.lines.get(usize::from(y));
            let row = &mut cells[usize::from(block.area.y + y)];
            let start = usize::from(block.area.x);
            let end = start + usize::from(block.area.width);
            let fill = line.map_or(block.fill, |it| it.fill);
            row[start..end].fill((" ".to_owned(), fill));
            let mut x = start;
            for span in line.map(|it| it.spans.as_slice()).unwrap_or_default() {
                for grapheme in span.text.graphemes(true) {
                    let wide = text::width(grapheme);
                    if x + wide <= end && wide > 0 {
                        row[x] = (grapheme.to_owned(), span.tone);
                        for follow in &mut row[x + 1..x + wide] {
                            *follow = (String::new(), span.tone);
                        }
                    }
                    x += wide;
                }
            }
            assert!(x <= end, "a line runs over its block: {:?}", line.map(|it| &it.spans));
        }
    }
    cells
}

/// Paints the screen, which checks that no line runs over its block.
pub(crate) fn cells_of(model: &Model) -> usize {
    let (width, height) = (model.size.width, model.size.height);
    cells(&screen(model, width, height), usize::from(width), usize::from(height)).len()
}

/// The screen as text, with the tones of each line behind it.
pub(crate) fn picture(model: &Model) -> String {
    let (width, height) = (model.size.width, model.size.height);
    let shown = screen(model, width, height);
    let mut out = String::new();
    for row in cells(&shown, usize::from(width), usize::from(height)) {
        let text: String = row.iter().map(|it| it.0.as_str()).collect();
        let mut tones: Vec<(usize, Tone)> = Vec::new();
        for (at, (_, tone)) in row.iter().enumerate() {
            if tones.last().is_none_or(|it| it.1 != *tone) {
                tones.push((at, *tone));
            }
        }
        let tones = tones.iter().filter(|it| it.1 != Tone::Text);
        let tones: Vec<_> = tones.map(|(at, tone)| format!("{at}:{tone:?}")).collect();
        let _ = writeln!(out, "{}\n    ⟨{}⟩", text.trim_end(), tones.join(" "));
    }
    out
}

/// The words of the screen alone.
pub(crate) fn words(model: &Model) -> String {
    let picture = picture(model);
    picture.lines().filter(|it| !it.starts_with("    ⟨")).collect::<Vec<_>>().join("\n")
}

#[test]
fn look() {
    for (w, h) in [(160, 48), (80, 24)] {
        let model = fixture::model(w, h);
        println!("{}", words(&model));
    }
}
