//! Answers and news from outside. What answers an older request is dropped.

use crate::app::{
    desk::{Arrival, Desk},
    event::{Dossier, Effect, Opened, Request, RunReport},
    listed::{ListNews, Trouble},
    model::{Model, Screen},
    update::{correct, run},
    work::{self, Work},
};

/// A review was read, or a part of it: it fills the desk. When all is there its run starts.
pub fn opened(model: &mut Model, request: Request, opened: Opened) -> Vec<Effect> {
    let Some((_, source)) = model.requests.opening.clone().filter(|it| it.0 == request) else {
        return Vec::new();
    };
    let more = opened.more;
    if !more {
        model.requests.opening = None;
    }
    match &mut model.desk {
        Some(desk) if desk.arrival == Arrival::Reading(request) => desk.grow(opened),
        _ => fill(model, opened),
    }
    model.requests.opened = source;
    let Some(desk) = &mut model.desk else { return Vec::new() };
    desk.arrival = if more { Arrival::Reading(request) } else { Arrival::Whole };
    if more {
        return vec![Effect::Wake];
    }
    let mut effects = run::start_run(model);
    effects.extend(correct::load(model));
    effects.push(Effect::Wake);
    effects
}

/// Another review, or the same one read again, which keeps what a person chose.
fn fill(model: &mut Model, mut opened: Opened) {
    let before = model.desk.as_ref();
    let look = before.map(|it| it.reader.look);
    let again = before.filter(|it| it.label == opened.label);
    let file = again.and_then(|it| it.current_file());
    if let Some(again) = again {
        opened.viewed.extend(again.viewed_paths());
    }
    let mut desk = Desk::of(opened);
    if let Some(look) = look {
        desk.set_look(look);
    }
    model.desk = Some(Box::new(desk));
    model.work = Work::default();
    if model.screen == Screen::Home {
        model.back = vec![Screen::Home];
        model.screen = Screen::Diff;
    }
    if let (Some(file), Some(desk)) = (file, &mut model.desk) {
        desk.go_to_file(file);
    }
}

/// The dossier list was read.
pub fn dossiers(model: &mut Model, request: Request, entries: Vec<Dossier>) -> Vec<Effect> {
    if model.home.waits_for == Some(request) {
        model.home.fill(entries);
    }
    Vec::new()
}

/// News of the run.
pub fn run(model: &mut Model, request: Request, report: RunReport) -> Vec<Effect> {
    if model.work.request != Some(request) {
        return Vec::new();
    }
    match report {
        RunReport::Phase(phase) => model.work.phase(phase),
        RunReport::Task(report) => {
            let talked = model.desk.as_ref().is_some_and(|it| !it.facts.is_empty());
            let failed = work::reason(&report.state).is_some();
            if let Some(said) = model.work.task(*report).filter(|_| talked || failed) {
                model.say(said);
            }
        }
        RunReport::Summary(discussion) => {
            if let Some(desk) = &mut model.desk {
                desk.summarise(discussion);
            }
        }
        RunReport::Ended { error } => {
            model.work.ended = true;
            if let Some(error) = &error {
                model.complain(error.clone());
            }
            model.work.error = error;
            if std::mem::take(&mut model.work.again) {
                return run::start_run(model);
            }
        }
    }
    if model.options.quit_when_done && model.work.running() == 0 && model.work.ended {
        return vec![Effect::Quit];
    }
    Vec::new()
}

/// A request could not be done.
pub fn failed(model: &mut Model, request: Option<Request>, message: String) -> Vec<Effect> {
    if correct::failed(model, request, &message) {
        return Vec::new();
    }
    let opening = model.requests.opening.as_ref().map(|it| it.0);
    let waits = model.home.waits_for;
    match request {
        Some(it) if Some(it) == opening => {
            model.requests.opening = None;
            if let Some(desk) =
                model.desk.as_mut().filter(|desk| desk.arrival == Arrival::Reading(it))
            {
                desk.arrival = Arrival::Cut;
            }
        }
        Some(it) if Some(it) == waits => {
            (model.home.waits_for, model.home.read) = (None, true);
        }
        Some(it) if Some(it) == model.home.live.waits_for => {
            let trouble = Trouble { says: message, ..Trouble::default() };
            model.home.hear(ListNews::Failed(trouble), model.now);
            return Vec::new();
        }
        Some(it) if Some(it) == model.work.request => model.work.ended = true,
        Some(_) => return Vec::new(),
        None => {}
    }
    model.complain(message);
    Vec::new()
}
