//! The model drawn as lines of toned text. Must not know colours, terminals or time.

pub mod ascii;
pub mod chrome;
pub mod code;
pub mod correct;
pub mod diff;
pub mod file;
pub mod files;
pub mod home;
pub mod inspector;
pub mod line;
pub mod overview;
pub mod paint;
pub mod prompt;
pub mod standing;
pub mod talk;
pub mod tasks;
pub mod threads;
pub mod words;

use crate::{
    app::{
        geometry::{Rect, frame},
        model::{Model, Screen as Place, Size},
    },
    view::{
        line::{Block, Screen, Tone},
        paint::{block, plain},
    },
};

/// The whole screen, for a terminal of this size.
pub fn screen(model: &Model, width: u16, height: u16) -> Screen {
    let size = Size { width, height };
    if size.too_small() || model.size.too_small() {
        return too_small(size);
    }
    let mut screen = Screen::default();
    let (header, body, strip, footer) = frame(size);
    screen.blocks.push(chrome::header(model, header));
    screen.blocks.extend(main(model, body));
    screen.blocks.extend(strip.map(|rect| chrome::strip(model, rect)));
    let (line, cursor) = chrome::footer(model, footer);
    screen.blocks.push(line);
    screen.cursor = cursor;
    prompt::over(model, size, &mut screen);
    if model.options.ascii {
        ascii::only(&mut screen);
    }
    clip(&mut screen, size);
    screen
}

fn main(model: &Model, body: Rect) -> Vec<Block> {
    match (model.screen, &model.desk) {
        (Place::Diff, Some(desk)) => diff::screen(model, desk),
        (Place::Threads, Some(desk)) => threads::screen(model, desk, body),
        (Place::Tasks, Some(_)) => tasks::screen(model, body),
        _ => home::screen(model, body),
    }
}

fn too_small(size: Size) -> Screen {
    let rect = Rect { x: 0, y: 0, width: size.width, height: size.height };
    let text = format!("too small: {}×{}, casefile needs 40×10", size.width, size.height);
    let lines = vec![plain(&text, Tone::Warning, usize::from(size.width))];
    Screen { blocks: vec![block(rect, lines, Tone::Text)], cursor: None }
}

/// Keeps every block inside the terminal, whatever the model was laid out for.
fn clip(screen: &mut Screen, size: Size) {
    screen.blocks.retain(|it| it.area.x < size.width && it.area.y < size.height);
    for block in &mut screen.blocks {
        block.area.width = block.area.width.min(size.width - block.area.x);
        block.area.height = block.area.height.min(size.height - block.area.y);
        block.lines.truncate(usize::from(block.area.height));
    }
    screen.cursor = screen.cursor.filter(|it| it.0 < size.width && it.1 < size.height);
}

#[cfg(test)]
pub(crate) mod tests;
#[cfg(test)]
mod trouble_tests;
