//! What actions do in the panes beside the diff: the file list and the inspector.

use crate::app::{
    action::Action,
    desk::Focus,
    event::Effect,
    files::NodeKind,
    inspector::Tab,
    model::Model,
    update::{
        correct,
        lists::retry,
        run,
        screens::{open_url, read, rows},
    },
};

/// The file list.
pub fn files(model: &mut Model, action: Action, count: Option<u32>) -> Vec<Effect> {
    let height = model.panes().main.inner().height;
    let Some(desk) = &mut model.desk else { return Vec::new() };
    if let Some(rows) = rows(action, count, height) {
        desk.files.step(rows);
        return Vec::new();
    }
    match action {
        Action::Enter | Action::Fold => {
            if desk.files.toggle() {
                return Vec::new();
            }
            if let Some(NodeKind::File { file }) = desk.files.current().map(|it| it.kind) {
                desk.unfold_file(file);
                desk.go_to_file(file);
                desk.focus = Focus::Diff;
            }
            Vec::new()
        }
        _ => read(model, action, count),
    }
}

/// The inspector.
pub fn inspector(model: &mut Model, action: Action, count: Option<u32>) -> Vec<Effect> {
    let pane = model.panes().inspector.unwrap_or_default().inner();
    let Some(desk) = &mut model.desk else { return Vec::new() };
    if let Some(rows) = rows(action, count, pane.height) {
        let far =
            matches!(action, Action::HalfDown | Action::HalfUp | Action::PageDown | Action::PageUp);
        if far && desk.inspector.tab == Tab::Compare {
            desk.inspector.scroll_raw(rows);
        } else {
            desk.inspector.step(rows);
        }
        return Vec::new();
    }
    match action {
        Action::Compare | Action::CompareFull => {
            let full = action == Action::CompareFull;
            if !full && desk.inspector.tab == Tab::Compare {
                desk.focus = Focus::Diff;
            }
            desk.inspector.tab = Tab::Compare;
            desk.inspector.full = full && !desk.inspector.full;
        }
        Action::TabNext => desk.inspector.tab = desk.inspector.tab.next(false),
        Action::TabPrevious => desk.inspector.tab = desk.inspector.tab.next(true),
        Action::Enter => {
            if let Some(thread) = desk.inspector.thread {
                desk.go_to_thread(thread);
                desk.focus = Focus::Diff;
            }
        }
        Action::Browser => {
            let url = desk.inspector.thread.and_then(|it| desk.thread_link(it));
            return open_url(model, url);
        }
        Action::CopyLink => {
            if let Some(text) = desk.inspector.thread.and_then(|it| desk.thread_link(it)) {
                return vec![Effect::Copy { text: text.into() }];
            }
        }
        Action::Copy => {
            let summary = desk.inspector.thread.and_then(|it| desk.summary_of(it));
            if let Some(text) = summary.map(|it| it.text.clone()) {
                return vec![Effect::Copy { text }];
            }
        }
        Action::Correct => {
            let thread = desk.inspector.thread;
            return correct::open(model, thread);
        }
        Action::Withdraw => {
            let thread = desk.inspector.thread;
            return correct::withdraw(model, thread);
        }
        Action::Rebuild => return rebuild(model),
        _ => return read(model, action, count),
    }
    Vec::new()
}

/// Makes the summary again: a stale one by a run, which makes what changed and nothing else.
fn rebuild(model: &mut Model) -> Vec<Effect> {
    let desk = model.desk.as_ref();
    let summary = desk.and_then(|it| it.summary_of(it.inspector.thread?));
    if summary.is_some_and(|it| it.checks.iter().any(|it| it.starts_with("stale"))) {
        return run::run_again(model);
    }
    retry(model, "dossier-discussion-summary".to_owned())
}
