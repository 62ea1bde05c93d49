//! What actions do on the screens that are lists: threads, tasks.

use crate::app::{
    action::Action,
    desk::Focus,
    event::Effect,
    geometry::frame,
    model::{Model, Screen},
    threads::Filter,
    update::{
        correct, run,
        screens::{compare, open_url, rows},
    },
};

/// The list of all threads.
pub fn threads(model: &mut Model, action: Action, count: Option<u32>) -> Vec<Effect> {
    let height = frame(model.size).1.inner().height;
    let Some(desk) = &mut model.desk else { return Vec::new() };
    if let Some(rows) = rows(action, count, height) {
        desk.threads.step(rows);
        return Vec::new();
    }
    let filter = &mut desk.threads.filter;
    match action {
        Action::FilterStatus => filter.status = filter.status.next(),
        Action::FilterActor => filter.actor = filter.actor.next(),
        Action::FilterBots => filter.bots_hidden = !filter.bots_hidden,
        Action::ClearFilter => *filter = Filter::default(),
        Action::Correct => {
            let thread = desk.threads.current();
            return correct::open(model, thread);
        }
        Action::Withdraw => {
            let thread = desk.threads.current();
            return correct::withdraw(model, thread);
        }
        Action::Browser | Action::CopyLink => {
            let url = desk.threads.current().and_then(|it| desk.thread_link(it));
            return match (action, url) {
                (Action::CopyLink, Some(text)) => vec![Effect::Copy { text: text.into() }],
                (_, url) => open_url(model, url),
            };
        }
        Action::Copy => {
            let summary = desk.threads.current().and_then(|it| desk.summary_of(it));
            return summary.map(|it| Effect::Copy { text: it.text.clone() }).into_iter().collect();
        }
        Action::Enter | Action::Compare => {
            let Some(thread) = desk.threads.current() else { return Vec::new() };
            desk.go_to_thread(thread);
            desk.focus = Focus::Diff;
            let effects = run::go(model, Screen::Diff);
            return if action == Action::Compare { compare(model) } else { effects };
        }
        _ => {}
    }
    desk.threads.stale();
    Vec::new()
}

/// The tasks of the run.
pub fn tasks(model: &mut Model, action: Action, count: Option<u32>) -> Vec<Effect> {
    let height = frame(model.size).1.inner().height;
    if let Some(rows) = rows(action, count, height) {
        model.work.step(rows);
        return Vec::new();
    }
    match action {
        Action::Enter => model.work.opened = !model.work.opened && model.work.current().is_some(),
        Action::CancelTask => {
            let task = model.work.current().map(|it| it.task_id.clone());
            return vec![Effect::CancelTask { task }];
        }
        Action::RetryTask => {
            if let Some(task) = model.work.current().map(|it| it.task_id.clone()) {
                return retry(model, task);
            }
            return run::start_run(model);
        }
        _ => {}
    }
    Vec::new()
}

/// Runs a task again, when none runs.
pub fn retry(model: &mut Model, task: String) -> Vec<Effect> {
    if model.work.running() > 0 {
        model.say("a task runs already; X cancels it");
        return Vec::new();
    }
    let request = model.request();
    model.work.request = Some(request);
    (model.work.ended, model.work.error) = (false, None);
    vec![Effect::RetryTask { request, task }]
}
