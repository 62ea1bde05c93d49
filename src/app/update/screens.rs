//! What the actions of each screen and pane do.

use crate::app::{
    action::Action,
    desk::{Desk, Focus},
    event::Effect,
    files::NodeKind,
    inspector::Tab,
    look::Look,
    model::{Model, Screen},
    prompt::Prompt,
    threads::Filter,
    update::{run, seek},
};

/// Rows of a move: a step, or what a page is in a pane of `height` rows.
fn rows(action: Action, count: Option<u32>, height: u16) -> Option<i64> {
    let times = i64::from(count.unwrap_or(1));
    let height = i64::from(height.max(2));
    match action {
        Action::Down => Some(times),
        Action::Up => Some(-times),
        Action::HalfDown => Some(times * height / 2),
        Action::HalfUp => Some(-times * height / 2),
        Action::PageDown => Some(times * (height - 1)),
        Action::PageUp => Some(-times * (height - 1)),
        Action::Top => Some(-i64::from(u32::MAX)),
        Action::Bottom => Some(i64::from(u32::MAX)),
        _ => None,
    }
}

/// The diff pane.
pub fn diff(model: &mut Model, action: Action, count: Option<u32>) -> Vec<Effect> {
    let height = model.panes().main.inner().height;
    let Some(desk) = &mut model.desk else { return Vec::new() };
    if let Some(rows) = rows(action, count, height) {
        move_in_diff(desk, action, rows, count);
        return Vec::new();
    }
    let look = desk.reader.look;
    match action {
        Action::Enter | Action::Fold => {
            if !desk.toggle_fold() && action == Action::Enter && desk.nearest_thread().is_some() {
                return compare(model);
            }
        }
        Action::FoldAll => desk.set_all_threads(false),
        Action::OpenAll => desk.set_all_threads(true),
        Action::OldHunk => {
            desk.toggle_old_hunk();
        }
        Action::Left => desk.reader.at.left = desk.reader.at.left.saturating_sub(8),
        Action::Right if !look.wrap => {
            desk.reader.at.left = (desk.reader.at.left + 8).min(FARTHEST);
        }
        Action::Center => desk.stage().center(),
        Action::Split => desk.set_look(Look { split: !look.split, ..look }),
        Action::Wrap => desk.set_look(Look { wrap: !look.wrap, ..look }),
        Action::Whitespace => {
            desk.set_look(Look { whitespace_hidden: !look.whitespace_hidden, ..look });
        }
        Action::Words => desk.reader.look = Look { words: !look.words, ..look },
        Action::Copy => {
            if let Some((text, what)) = desk.copied() {
                model.say(format!("{what} copied"));
                return vec![Effect::Copy { text }];
            }
        }
        Action::CopyLink => {
            if let Some(text) = desk.link() {
                model.say("link copied");
                return vec![Effect::Copy { text }];
            }
            model.say("the capture holds no link for this");
        }
        Action::Browser => return browse(model),
        Action::Editor => {
            if let Some((path, line)) = desk.edited() {
                return vec![Effect::OpenEditor { path, line }];
            }
        }
        Action::NextHunk => travel(model, "hunk", |it, n| it.jump_hunk(n), count, 1),
        Action::PreviousHunk => travel(model, "hunk", |it, n| it.jump_hunk(n), count, -1),
        _ => return read(model, action, count),
    }
    Vec::new()
}

/// Cells a line can be scrolled sideways.
const FARTHEST: usize = 16_000;

fn move_in_diff(desk: &mut Desk, action: Action, rows: i64, count: Option<u32>) {
    let mut stage = desk.stage();
    match action {
        Action::Top => stage.jump(crate::app::layout::row::Spot::default()),
        Action::Bottom => match count {
            Some(row) => {
                stage.jump(crate::app::layout::row::Spot::default());
                stage.step(i64::from(row) - 1);
            }
            None => {
                let last = stage.layout.last(stage.scene);
                stage.at.cursor = last;
                stage.follow();
            }
        },
        Action::Down | Action::Up => stage.step(rows),
        _ => stage.page(rows),
    }
}

fn travel(
    model: &mut Model,
    what: &str,
    jump: impl Fn(&mut Desk, i64) -> bool,
    count: Option<u32>,
    direction: i64,
) {
    let Some(desk) = &mut model.desk else { return };
    let steps = direction * i64::from(count.unwrap_or(1));
    if !jump(desk, steps) {
        let side = if direction > 0 { "below" } else { "above" };
        model.say(format!("no {what} {side}"));
    }
}

/// What works in every pane of the diff screen.
fn read(model: &mut Model, action: Action, count: Option<u32>) -> Vec<Effect> {
    let unresolved = |desk: &mut Desk, n| desk.jump_thread(n, crate::app::facts::Fact::is_open);
    let any = |desk: &mut Desk, n| desk.jump_thread(n, |_| true);
    match action {
        Action::NextThread => travel(model, "unresolved thread", unresolved, count, 1),
        Action::PreviousThread => travel(model, "unresolved thread", unresolved, count, -1),
        Action::NextAnyThread => travel(model, "thread", any, count, 1),
        Action::PreviousAnyThread => travel(model, "thread", any, count, -1),
        Action::NextFile => travel(model, "file", |it, n| it.jump_file(n), count, 1),
        Action::PreviousFile => travel(model, "file", |it, n| it.jump_file(n), count, -1),
        Action::SearchNext => seek::next(model, i64::from(count.unwrap_or(1))),
        Action::SearchPrevious => seek::next(model, -i64::from(count.unwrap_or(1))),
        Action::Compare => return compare(model),
        Action::Viewed => return viewed(model),
        Action::ToggleFiles => toggle_files(model),
        Action::ToggleInspector => toggle_inspector(model),
        Action::FocusNext => focus(model, false),
        Action::FocusPrevious => focus(model, true),
        _ => {}
    }
    if let Some(desk) = &mut model.desk
        && desk.focus == Focus::Inspector
        && matches!(
            action,
            Action::NextThread
                | Action::PreviousThread
                | Action::NextAnyThread
                | Action::PreviousAnyThread
        )
    {
        let near = desk.nearest_thread();
        desk.inspector.turn_to(near);
    }
    Vec::new()
}

fn compare(model: &mut Model) -> Vec<Effect> {
    let Some(desk) = &mut model.desk else { return Vec::new() };
    if desk.nearest_thread().is_none() {
        model.say("no thread near this line; m goes to the next one");
        return Vec::new();
    }
    desk.inspector.shown = true;
    desk.inspector.tab = Tab::Compare;
    let pane = model.panes().inspector;
    if let Some(desk) = &mut model.desk {
        desk.focus = Focus::Diff;
        desk.inspect(pane);
        desk.focus = Focus::Inspector;
    }
    Vec::new()
}

fn browse(model: &mut Model) -> Vec<Effect> {
    let url = model.desk.as_mut().and_then(|it| it.link());
    open_url(model, url)
}

fn open_url(model: &mut Model, url: Option<String>) -> Vec<Effect> {
    if let Some(url) = url {
        return vec![Effect::OpenBrowser { url }];
    }
    model.say("the capture holds no link for this");
    Vec::new()
}

fn viewed(model: &mut Model) -> Vec<Effect> {
    let Some(desk) = &mut model.desk else { return Vec::new() };
    let chosen = match (desk.focus, desk.files.current().map(|it| it.kind)) {
        (Focus::Files, Some(NodeKind::File { file })) => Some(file),
        (Focus::Files, _) => None,
        _ => desk.current_file(),
    };
    let Some(file) = chosen else { return Vec::new() };
    let paths = desk.toggle_viewed(file);
    if desk.focus == Focus::Diff && desk.viewed.contains(&file) {
        desk.go_to_file(file);
    }
    vec![Effect::SaveViewed { label: desk.label.clone(), paths }]
}

fn toggle_files(model: &mut Model) {
    let room = model.size.has_list();
    let Some(desk) = &mut model.desk else { return };
    desk.files.shown = !desk.files.shown || !room;
    if !room {
        model.say("the file list needs 84 columns; } and { go from file to file");
    }
}

fn toggle_inspector(model: &mut Model) {
    let wide = model.size.is_wide();
    let Some(desk) = &mut model.desk else { return };
    let visible = desk.inspector.shown && (wide || desk.focus == Focus::Inspector);
    desk.inspector.shown = !visible;
    desk.inspector.full = false;
    if visible && desk.focus == Focus::Inspector {
        desk.focus = Focus::Diff;
    } else if !visible && !wide {
        desk.focus = Focus::Inspector;
    }
}

fn focus(model: &mut Model, back: bool) {
    let panes = model.panes();
    let Some(desk) = &mut model.desk else { return };
    let mut order = vec![Focus::Diff];
    if panes.files.is_some() {
        order.insert(0, Focus::Files);
    }
    if desk.inspector.shown {
        order.push(Focus::Inspector);
    }
    let at = order.iter().position(|it| *it == desk.focus).unwrap_or(0);
    let step = if back { order.len() - 1 } else { 1 };
    desk.focus = order[(at + step) % order.len()];
    desk.inspector.full = false;
}

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
                model.say("link copied");
                return vec![Effect::Copy { text }];
            }
        }
        Action::Copy => {
            let summary = desk.inspector.thread.and_then(|it| desk.summary_of(it));
            if let Some(text) = summary.map(|it| it.text.clone()) {
                model.say("summary copied");
                return vec![Effect::Copy { text }];
            }
        }
        Action::Rebuild => return retry(model, "dossier-discussion-summary".to_owned()),
        _ => return read(model, action, count),
    }
    Vec::new()
}

/// The list of all threads.
pub fn threads(model: &mut Model, action: Action, count: Option<u32>) -> Vec<Effect> {
    let height = crate::app::geometry::frame(model.size).1.inner().height;
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
        Action::Browser | Action::CopyLink => {
            let url = desk.threads.current().and_then(|it| desk.thread_link(it));
            return match (action, url) {
                (Action::CopyLink, Some(text)) => vec![Effect::Copy { text }],
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
    let height = crate::app::geometry::frame(model.size).1.inner().height;
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

fn retry(model: &mut Model, task: String) -> Vec<Effect> {
    if model.work.running() > 0 {
        model.say("a task runs already; X cancels it");
        return Vec::new();
    }
    let request = model.request();
    model.work.request = Some(request);
    (model.work.ended, model.work.error) = (false, None);
    vec![Effect::RetryTask { request, task }]
}

/// Home.
pub fn home(model: &mut Model, action: Action, count: Option<u32>) -> Vec<Effect> {
    let height = crate::app::geometry::frame(model.size).1.inner().height;
    if let Some(rows) = rows(action, count, height) {
        model.home.step(rows);
        return Vec::new();
    }
    match action {
        Action::Enter => {
            if let Some(target) = model.home.current().map(|it| it.target.clone()) {
                return vec![model.open(target)];
            }
        }
        Action::AddTarget => {
            model.prompt = Some(Prompt::Add { input: crate::app::input::Input::default() })
        }
        Action::Demo => return vec![model.open_demo()],
        Action::Setup => model.prompt = Some(Prompt::Setup),
        Action::ClearFilter => {
            model.home.filter.clear();
            model.home.sift();
        }
        _ => {}
    }
    Vec::new()
}
