//! What the actions of each screen and pane do.

use crate::app::{
    action::Action,
    desk::{Desk, Focus},
    event::Effect,
    files::NodeKind,
    inspector::Tab,
    look::Look,
    model::Model,
    since,
    update::seek,
};

/// Rows of a move: a step, or what a page is in a pane of `height` rows.
pub fn rows(action: Action, count: Option<u32>, height: u16) -> Option<i64> {
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
            if let Some(text) = desk.copied() {
                let hidden = text.hidden();
                if hidden > 0 {
                    model.complain(format!("what was copied holds {hidden} hidden characters"));
                }
                return vec![Effect::Copy { text }];
            }
        }
        Action::CopyLink => {
            if let Some(text) = desk.link() {
                return vec![Effect::Copy { text: text.into() }];
            }
            model.say("the capture holds no link for this");
        }
        Action::Browser => return browse(model),
        Action::Editor => {
            if let Some((path, line)) = desk.edited() {
                return vec![Effect::OpenEditor { path, line }];
            }
        }
        Action::NextHunk => travel(model, "hunk", Desk::jump_hunk, count, 1),
        Action::PreviousHunk => travel(model, "hunk", Desk::jump_hunk, count, -1),
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
        Action::Bottom => {
            if let Some(row) = count {
                stage.jump(crate::app::layout::row::Spot::default());
                stage.step(i64::from(row) - 1);
            } else {
                let last = stage.layout.last(stage.scene);
                stage.at.cursor = last;
                stage.follow();
            }
        }
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

/// The new comment `count` further, around the end.
fn fresh(model: &mut Model, count: i64) {
    let Some(desk) = &mut model.desk else { return };
    if !desk.jump_fresh(count) {
        model.say("nothing new since you last looked");
    }
}

/// What works in every pane of the diff screen.
pub fn read(model: &mut Model, action: Action, count: Option<u32>) -> Vec<Effect> {
    let unresolved = |desk: &mut Desk, n| desk.jump_thread(n, crate::app::facts::Fact::is_open);
    let any = |desk: &mut Desk, n| desk.jump_thread(n, |_| true);
    match action {
        Action::NextThread => travel(model, "unresolved thread", unresolved, count, 1),
        Action::PreviousThread => travel(model, "unresolved thread", unresolved, count, -1),
        Action::NextAnyThread => travel(model, "thread", any, count, 1),
        Action::PreviousAnyThread => travel(model, "thread", any, count, -1),
        Action::NextFresh => fresh(model, i64::from(count.unwrap_or(1))),
        Action::PreviousFresh => fresh(model, -i64::from(count.unwrap_or(1))),
        Action::NextFile => travel(model, "file", Desk::jump_file, count, 1),
        Action::PreviousFile => travel(model, "file", Desk::jump_file, count, -1),
        Action::SearchNext => seek::next(model, i64::from(count.unwrap_or(1))),
        Action::SearchPrevious => seek::next(model, -i64::from(count.unwrap_or(1))),
        Action::Since => return since::turn(model),
        Action::SinceCapture => return since::ask(model, since::Point::Capture),
        Action::SinceReview => return since::ask(model, since::Point::Review),
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
                | Action::NextFresh
                | Action::PreviousFresh
        )
    {
        let near = desk.nearest_thread();
        desk.inspector.turn_to(near);
    }
    Vec::new()
}

pub fn compare(model: &mut Model) -> Vec<Effect> {
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

pub fn open_url(model: &mut Model, url: Option<String>) -> Vec<Effect> {
    if let Some(url) = url {
        return vec![Effect::OpenBrowser { url }];
    }
    model.say("the capture holds no link for this");
    Vec::new()
}

fn viewed(model: &mut Model) -> Vec<Effect> {
    let Some(desk) = &mut model.desk else { return Vec::new() };
    if desk.aside.is_some() {
        let key = model.keymap.hint(Action::Since);
        model.say(format!("files are viewed in the whole diff; {key} goes back to it"));
        return Vec::new();
    }
    let chosen = match (desk.focus, desk.files.current().map(|it| it.kind)) {
        (Focus::Files, Some(NodeKind::File { file })) => Some(file),
        (Focus::Files, _) => None,
        _ => desk.current_file(),
    };
    let Some(file) = chosen else { return Vec::new() };
    let marks = desk.toggle_viewed(file);
    if desk.focus == Focus::Diff && desk.viewed.files.contains(&file) {
        desk.go_to_file(file);
    }
    vec![Effect::SaveViewed { label: desk.label.clone(), marks }]
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
