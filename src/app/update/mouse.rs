//! The mouse: a wheel scrolls the pane under it, a click focuses and selects.

use crate::app::{
    desk::{Desk, Focus},
    event::Effect,
    files::NodeKind,
    key::{Mouse, MouseKind},
    model::{Model, Screen},
    prompt::Prompt,
    update::{home, run},
};

const WHEEL: i64 = 3;

/// Applies a gesture.
pub fn mouse(model: &mut Model, mouse: Mouse) -> Vec<Effect> {
    let wheel = match mouse.kind {
        MouseKind::WheelDown => Some(WHEEL),
        MouseKind::WheelUp => Some(-WHEEL),
        MouseKind::Click => None,
    };
    if let Some(prompt) = &mut model.prompt {
        if let (Prompt::Picker(picker), Some(rows)) = (prompt, wheel) {
            picker.step(rows);
        }
        return Vec::new();
    }
    match (model.screen, wheel) {
        (Screen::Diff, _) => return diff(model, mouse, wheel),
        (Screen::Threads, Some(rows)) => {
            if let Some(desk) = &mut model.desk {
                desk.threads.step(rows);
            }
        }
        (Screen::Tasks, Some(rows)) => model.work.step(rows),
        (Screen::Home, Some(rows)) => model.home.step(rows),
        (Screen::Home, None) => return home::click(model, mouse.column, mouse.row),
        (screen, None) => return click_list(model, screen, mouse.row),
    }
    Vec::new()
}

fn click_list(model: &mut Model, screen: Screen, row: u16) -> Vec<Effect> {
    let inner = crate::app::geometry::frame(model.size).1.inner();
    if row < inner.y || row >= inner.y + inner.height {
        return Vec::new();
    }
    let at = usize::from(row - inner.y);
    match (screen, &mut model.desk) {
        (Screen::Threads, Some(desk)) => {
            let again = desk.threads.top + at == desk.threads.cursor;
            desk.threads.cursor = desk.threads.top + at;
            desk.threads.step(0);
            if again {
                return run::run(model, crate::app::action::Action::Enter, None);
            }
        }
        (Screen::Tasks, _) => {
            model.work.cursor = at.saturating_sub(1);
            model.work.step(0);
        }
        _ => {}
    }
    Vec::new()
}

fn diff(model: &mut Model, mouse: Mouse, wheel: Option<i64>) -> Vec<Effect> {
    let panes = model.panes();
    let Some(desk) = &mut model.desk else { return Vec::new() };
    let (column, row) = (mouse.column, mouse.row);
    if let Some(pane) = panes.inspector.filter(|it| it.contains(column, row)) {
        match wheel {
            Some(rows) => desk.inspector.scroll_raw(rows),
            None => click_inspector(desk, row.saturating_sub(pane.inner().y)),
        }
    } else if let Some(pane) = panes.files.filter(|it| it.contains(column, row)) {
        match wheel {
            Some(rows) => desk.files.step(rows),
            None => click_file(desk, row.saturating_sub(pane.inner().y)),
        }
    } else if panes.main.contains(column, row) {
        match wheel {
            Some(rows) => desk.stage().scroll(rows),
            None => click_row(desk, row.saturating_sub(panes.main.inner().y)),
        }
    }
    Vec::new()
}

fn click_inspector(desk: &mut Desk, _row: u16) {
    desk.focus = Focus::Inspector;
}

fn click_file(desk: &mut Desk, row: u16) {
    desk.focus = Focus::Files;
    let at = desk.files.top + usize::from(row);
    if at >= desk.files.visible.len() {
        return;
    }
    desk.files.cursor = at;
    match desk.files.current().map(|it| it.kind) {
        Some(NodeKind::File { file }) => {
            desk.go_to_file(file);
            desk.focus = Focus::Diff;
        }
        _ => {
            desk.files.toggle();
        }
    }
}

/// A click selects a row; a click on the selected row of a thread or file folds it.
fn click_row(desk: &mut Desk, row: u16) {
    let again = desk.focus == Focus::Diff;
    desk.focus = Focus::Diff;
    let mut stage = desk.stage();
    let top = stage.at.top;
    let spot = stage.layout.step(stage.scene, top, i64::from(row));
    let same = stage.at.cursor == spot;
    stage.at.cursor = spot;
    stage.follow();
    if same && again {
        desk.toggle_fold();
    }
}
