//! The model drawn as lines of toned text. Must not know colours, terminals or time.

pub mod line;

use crate::{
    app::model::Model,
    view::line::{Area, Block, Line, Screen, Span, Tone},
};

/// The whole screen, for a terminal of this size.
pub fn screen(model: &Model, width: u16, height: u16) -> Screen {
    let label = model.desk.as_ref().map_or("casefile", |it| it.label.as_str());
    let span = Span { text: label.to_owned(), tone: Tone::Title, code: None };
    let line = Line { spans: vec![span], fill: Tone::Header };
    let area = Area { x: 0, y: 0, width, height };
    Screen { blocks: vec![Block { area, lines: vec![line], fill: Tone::Text }], cursor: None }
}
