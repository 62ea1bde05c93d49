//! An action to what it does, by screen and focus. Every way to a command ends here: keys, palette,
//! help, command line.

use crate::app::{
    action::Action,
    desk::Focus,
    event::Effect,
    model::{Model, Screen},
    prompt::{Picker, PickerKind, Prompt, Question},
    update::{home, lists, panes, reports, screens, seek},
};

/// Runs an action, `count` times where that means something.
pub fn run(model: &mut Model, action: Action, count: Option<u32>) -> Vec<Effect> {
    match action {
        Action::Quit => quit(model),
        Action::Suspend => vec![Effect::Suspend],
        Action::ToggleMouse => {
            model.options.mouse = !model.options.mouse;
            vec![Effect::Mouse { on: model.options.mouse }]
        }
        Action::Help => pick(model, PickerKind::Help),
        Action::Palette => pick(model, PickerKind::Palette),
        Action::Command => {
            model.prompt = Some(Prompt::Command { input: crate::app::input::Input::default() });
            Vec::new()
        }
        Action::Search => seek::open(model),
        Action::ScreenHome => go(model, Screen::Home),
        Action::ScreenDiff => go(model, Screen::Diff),
        Action::ScreenThreads => go(model, Screen::Threads),
        Action::ScreenTasks => go(model, Screen::Tasks),
        Action::Back => back(model),
        Action::Refresh => refresh(model),
        Action::Run => start_run(model),
        _ => match model.screen {
            Screen::Home => home::run(model, action, count),
            Screen::Threads => lists::threads(model, action, count),
            Screen::Tasks => lists::tasks(model, action, count),
            Screen::Diff => match model.desk.as_ref().map(|it| it.focus) {
                Some(Focus::Files) => panes::files(model, action, count),
                Some(Focus::Inspector) => panes::inspector(model, action, count),
                Some(Focus::Diff) => screens::diff(model, action, count),
                None => Vec::new(),
            },
        },
    }
}

fn pick(model: &mut Model, kind: PickerKind) -> Vec<Effect> {
    model.prompt = Some(Prompt::Picker(Picker::of(kind, &model.scopes())));
    Vec::new()
}

fn quit(model: &mut Model) -> Vec<Effect> {
    if model.work.running() == 0 && model.drafts() == 0 {
        return vec![Effect::Quit];
    }
    model.prompt = Some(Prompt::Question(Question::Quit));
    Vec::new()
}

/// Changes the screen; the one left is a step back.
pub fn go(model: &mut Model, screen: Screen) -> Vec<Effect> {
    if screen != Screen::Home && model.desk.is_none() || screen == model.screen {
        return Vec::new();
    }
    model.back.retain(|it| *it != screen);
    model.back.push(model.screen);
    model.screen = screen;
    if screen == Screen::Home { model.go_home() } else { Vec::new() }
}

/// One level back: a full-screen comparison, a focused pane, a screen. Never quits.
fn back(model: &mut Model) -> Vec<Effect> {
    let wide = model.size.is_wide();
    if let (Screen::Diff, Some(desk)) = (model.screen, &mut model.desk) {
        match desk.focus {
            Focus::Inspector if desk.inspector.full => {
                desk.inspector.full = false;
                if !wide {
                    desk.focus = Focus::Diff;
                }
                return Vec::new();
            }
            Focus::Inspector | Focus::Files => {
                desk.focus = Focus::Diff;
                return Vec::new();
            }
            Focus::Diff if desk.search.is_on() => {
                desk.search = crate::app::search::Search::default();
                return Vec::new();
            }
            Focus::Diff => {}
        }
    }
    if model.screen == Screen::Tasks && model.work.opened {
        model.work.opened = false;
        return Vec::new();
    }
    if stops(model) {
        return stop(model);
    }
    let home = (model.screen != Screen::Home).then_some(Screen::Home);
    let Some(screen) = model.back.pop().or(home) else { return Vec::new() };
    model.screen = screen;
    if screen == Screen::Home { model.go_home() } else { Vec::new() }
}

/// Whether the next step back ends a reading: one for the review in sight, or for none yet.
pub fn stops(model: &Model) -> bool {
    let free = match (model.screen, &model.desk) {
        (Screen::Home, _) => true,
        (Screen::Diff, Some(desk)) => desk.focus == Focus::Diff && !desk.search.is_on(),
        _ => false,
    };
    free && model.prompt.is_none() && model.requests.opening.is_some()
}

/// Nobody waits any more; what is on the desk stays there.
fn stop(model: &mut Model) -> Vec<Effect> {
    let Some((request, _)) = model.requests.opening.take() else { return Vec::new() };
    model.requests.reading = crate::app::model::Reading::default();
    reports::cut(model, request);
    let key = model.keymap.hint(Action::Refresh);
    model.say(format!("no longer read; {key} reads it again"));
    vec![Effect::StopReading { request }]
}

fn refresh(model: &mut Model) -> Vec<Effect> {
    let review = model.desk.is_some() && model.screen != Screen::Home;
    if review { vec![model.open_again()] } else { home::refresh(model) }
}

/// Starts or resumes the run of the open review.
pub fn start_run(model: &mut Model) -> Vec<Effect> {
    if model.desk.is_none() || model.work.running() > 0 {
        return Vec::new();
    }
    let request = model.request();
    model.work.request = Some(request);
    model.work.ended = false;
    model.work.error = None;
    vec![Effect::StartRun { request }]
}

/// Runs the open review once more: now, or when the run that goes on has ended.
pub fn run_again(model: &mut Model) -> Vec<Effect> {
    if model.work.request.is_some() && !model.work.ended {
        model.work.again = true;
        return Vec::new();
    }
    start_run(model)
}
