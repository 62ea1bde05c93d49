//! One event in, a changed model and effects out. Routes to the screens and does little itself.

pub mod command;
pub mod correct;
pub mod home;
pub mod keys;
pub mod lists;
pub mod mouse;
pub mod panes;
pub mod prompts;
pub mod reports;
pub mod run;
pub mod screens;
pub mod seek;

use crate::app::{
    desk::Focus,
    event::{Effect, Event},
    model::{Model, Screen, Size},
    since,
};

/// Applies one event.
pub fn update(model: &mut Model, event: Event) -> Vec<Effect> {
    let effects = match event {
        Event::Key(chord) => keys::key(model, chord),
        Event::Paste(text) => prompts::paste(model, &text),
        Event::Mouse(mouse) => mouse::mouse(model, mouse),
        Event::Resize { width, height } => {
            model.size = Size { width, height };
            Vec::new()
        }
        Event::Tick { now } => {
            model.now = now;
            home::tick(model)
        }
        Event::Woken => seek::go_on(model),
        Event::Notice(text) => {
            model.say(text);
            Vec::new()
        }
        Event::Opened { request, opened } => reports::opened(model, request, *opened),
        Event::Since { request, since } => since::found(model, request, *since),
        Event::Reading { request, progress } => {
            if model.requests.opening.as_ref().is_some_and(|it| it.0 == request) {
                model.requests.reading.hear(progress, model.now);
            }
            Vec::new()
        }
        Event::Dossiers { request, entries } => reports::dossiers(model, request, entries),
        Event::Around { request, found } => home::around(model, request, found),
        Event::Lists { request, news } => home::lists(model, request, news),
        Event::Run { request, report } => reports::run(model, request, report),
        Event::Corrections { request, kept, drafts } => {
            correct::loaded(model, request, kept, drafts)
        }
        Event::Corrected { request, kept } => correct::saved(model, request, kept),
        Event::Edited { text } => correct::edited(model, &text),
        Event::Failed { request, message } => reports::failed(model, request, message),
    };
    settle(model);
    effects
}

/// Brings everything that follows from the model up to date: sizes, viewports, the inspector.
/// Costs a screenful, never a document.
fn settle(model: &mut Model) {
    let panes = model.panes();
    let body = crate::app::geometry::frame(model.size).1;
    let screen = model.screen;
    let height = body.inner().height.saturating_sub(model.home.head_rows());
    let shelf = model.home.shelf_mut();
    shelf.top = window(shelf.top, shelf.cursor, height);
    if model.size.too_small() {
        return;
    }
    let Some(desk) = &mut model.desk else { return };
    let inner = panes.main.inner();
    desk.reader.at.height = u32::from(inner.height.max(1));
    let width = usize::from(inner.width);
    if desk.reader.layout.width == width {
        desk.stage().follow();
    } else {
        desk.stage().keep(|layout, scene| layout.reflow(scene, width));
    }
    desk.mark_words();
    if panes.inspector.is_none() && desk.focus == Focus::Inspector
        || panes.files.is_none() && desk.focus == Focus::Files
    {
        desk.focus = Focus::Diff;
    }
    if desk.focus != Focus::Files
        && let Some(file) = desk.current_file()
    {
        desk.files.show(file);
    }
    desk.notice_cursor();
    let list = panes.files.map_or(1, |it| it.inner().height);
    desk.files.follow(usize::from(list));
    desk.inspect(panes.inspector);
    if screen == Screen::Threads {
        desk.list_threads();
        desk.threads.follow(usize::from(body.inner().height));
    }
}

/// The top row of a list that keeps its cursor in sight.
pub fn window(top: usize, cursor: usize, height: u16) -> usize {
    let height = usize::from(height.max(1));
    if cursor < top {
        cursor
    } else if cursor >= top + height {
        cursor + 1 - height
    } else {
        top
    }
}
