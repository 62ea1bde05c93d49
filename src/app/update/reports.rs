//! Answers and news from outside. What answers an older request is dropped.

use crate::{
    app::{
        desk::{Arrival, Desk},
        event::{Arrives, Dossier, Effect, Opened, Request, RunReport},
        listed::{ListNews, Trouble},
        model::{Model, Reading, Screen},
        prompt::Prompt,
        since,
        update::{correct, run},
        work::{self, Work},
    },
    domain::since::Changes,
};

/// A review was read, or a part of it: it fills the desk, or renews what is on it. When all is there
/// its run starts.
pub fn opened(model: &mut Model, request: Request, opened: Opened) -> Vec<Effect> {
    let Some((_, source)) = model.requests.opening.clone().filter(|it| it.0 == request) else {
        return Vec::new();
    };
    let arrives = opened.arrives;
    if arrives == Arrives::Whole {
        model.requests.opening = None;
        model.requests.reading = Reading::default();
    }
    let beginning = matches!(arrives, Arrives::Growing | Arrives::Begun);
    let (mut known, mut changed) = (true, true);
    match model.desk.as_mut().filter(|it| it.label == opened.label) {
        Some(desk) if desk.arrival == Arrival::Growing(request) => desk.grow(opened),
        // The beginning of what is there whole would be a step back.
        Some(desk) if beginning && desk.arrival == Arrival::Whole => return Vec::new(),
        Some(desk) => {
            let begun = desk.arrival == Arrival::Begun(request);
            changed = renew(model, opened, begun);
        }
        None => {
            known = false;
            fill(model, opened);
        }
    }
    model.requests.opened = source;
    let Some(desk) = &mut model.desk else { return Vec::new() };
    desk.arrival = match arrives {
        Arrives::Growing => Arrival::Growing(request),
        Arrives::Begun => Arrival::Begun(request),
        Arrives::Kept | Arrives::Whole => Arrival::Whole,
    };
    let mut effects = Vec::new();
    if !beginning {
        if changed || model.work.request.is_none() {
            effects.extend(run::run_again(model));
        }
        if !known || model.desk.as_ref().is_some_and(|it| !it.corrections.asked) {
            effects.extend(correct::load(model));
        }
    }
    effects.push(Effect::Wake);
    effects
}

/// Another review comes onto the desk.
fn fill(model: &mut Model, opened: Opened) {
    let look = model.desk.as_ref().map(|it| it.reader.look);
    let mut desk = Desk::of(opened);
    if let Some(look) = look {
        desk.set_look(look);
    }
    model.desk = Some(Box::new(desk));
    model.work = Work::default();
    show(model);
}

/// Who asked for it on home wants to see it.
fn show(model: &mut Model) {
    if model.screen == Screen::Home {
        model.back = vec![Screen::Home];
        model.screen = Screen::Diff;
    }
}

/// The review on the desk, read again. `begun`: what is there was only its beginning, so that what
/// comes is not news. Says whether anything differs.
fn renew(model: &mut Model, opened: Opened, begun: bool) -> bool {
    let Some(desk) = &mut model.desk else { return false };
    let changes = desk.renew(opened);
    if begun {
        desk.news.forget();
        desk.judge();
    }
    if let Some(Prompt::Search { before, .. }) = &mut model.prompt {
        *before = desk.reader.at;
    }
    show(model);
    let told = changes.as_ref().filter(|_| !begun).map(told).unwrap_or_default();
    if !told.is_empty() {
        model.say(told);
    }
    changes.is_some()
}

/// What is different, in one sentence.
fn told(changes: &Changes) -> String {
    let mut parts = changes.events.clone();
    if changes.head_moved {
        parts.push("new commits".to_owned());
    }
    let (new, edited) = changes.counts();
    let some = |number: usize, one: &str, more: &str| match number {
        0 => None,
        1 => Some(format!("1 {one}")),
        _ => Some(format!("{number} {more}")),
    };
    parts.extend(some(new, "new comment", "new comments"));
    parts.extend(some(edited, "edited", "edited"));
    parts.extend(some(changes.gone, "comment is gone", "comments are gone"));
    parts.extend(some(changes.resolved, "thread resolved", "threads resolved"));
    parts.extend(some(changes.reopened, "thread opened again", "threads opened again"));
    parts.join(" · ")
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
                model.announce(said);
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

/// A reading has ended before its time: what is there of it stays.
pub fn cut(model: &mut Model, request: Request) {
    let reading =
        |it: Arrival| matches!(it, Arrival::Growing(it) | Arrival::Begun(it) if it == request);
    if let Some(desk) = model.desk.as_mut().filter(|desk| reading(desk.arrival)) {
        desk.arrival = Arrival::Cut;
    }
}

/// A request could not be done.
pub fn failed(model: &mut Model, request: Option<Request>, message: String) -> Vec<Effect> {
    if correct::failed(model, request, &message) || since::failed(model, request, &message) {
        return Vec::new();
    }
    let opening = model.requests.opening.as_ref().map(|it| it.0);
    let waits = model.home.waits_for;
    match request {
        Some(it) if Some(it) == opening => {
            model.requests.opening = None;
            model.requests.reading = Reading::default();
            cut(model, it);
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
