//! What actions and news do at home. Must not ask a forge: it says what to ask.

use crate::app::{
    action::Action,
    event::{Effect, Found, Request},
    geometry::frame,
    home::Tab,
    input::Input,
    listed::ListNews,
    model::{Model, Screen},
    prompt::Prompt,
    update::screens::rows,
};

/// Runs an action.
pub fn run(model: &mut Model, action: Action, count: Option<u32>) -> Vec<Effect> {
    let height = frame(model.size).1.inner().height.saturating_sub(model.home.head_rows());
    if let Some(rows) = rows(action, count, height) {
        model.home.step(rows);
        return Vec::new();
    }
    let home = &mut model.home;
    match action {
        Action::Enter => return open(model),
        Action::FocusNext => home.turn_to(home.tab.turned(1)),
        Action::FocusPrevious => home.turn_to(home.tab.turned(Tab::ALL.len() - 1)),
        Action::ShowApproval => home.turn_to(Tab::Approval),
        Action::ShowRequested => home.turn_to(Tab::Requested),
        Action::ShowMine => home.turn_to(Tab::Mine),
        Action::ShowRecent => home.turn_to(Tab::Recent),
        Action::AddTarget => {
            model.prompt = Some(Prompt::Add { input: Input::default(), fault: None });
        }
        Action::Demo => return vec![model.open_demo()],
        Action::Setup => {
            let request = model.request();
            model.prompt = Some(Prompt::Setup { request, found: None });
            return vec![Effect::LookAround { request }];
        }
        Action::ClearFilter => {
            home.filter.clear();
            filter(model);
        }
        _ => {}
    }
    Vec::new()
}

fn open(model: &mut Model) -> Vec<Effect> {
    let Some(target) = model.home.target() else { return Vec::new() };
    let seen = model.home.look();
    let seen = seen.map(|(page, updated_at)| Effect::SaveSeen { page, updated_at });
    [model.open(target)].into_iter().chain(seen).collect()
}

/// The filter has changed: the best row of each list is under its cursor.
pub fn filter(model: &mut Model) {
    model.home.shelf_mut().cursor = 0;
    model.home.sift();
}

/// A person wants everything anew. A pause the forge asked for holds all the same.
pub fn refresh(model: &mut Model) -> Vec<Effect> {
    let mut effects = vec![model.load_home()];
    let live = &model.home.live;
    let paused = live.pause.as_ref().is_some_and(|it| it.0 > model.now);
    if live.waits_for.is_none() && !paused {
        effects.push(model.load_lists());
    }
    effects
}

/// Time passes: the lists are asked for again while home shows.
pub fn tick(model: &mut Model) -> Vec<Effect> {
    let due = model.screen == Screen::Home && model.home.is_due(model.now);
    if due && model.home.live.asked_at.is_some() { vec![model.load_lists()] } else { Vec::new() }
}

/// News of the forge's lists.
pub fn lists(model: &mut Model, request: Request, news: ListNews) -> Vec<Effect> {
    if model.home.live.waits_for == Some(request) {
        model.home.hear(news, model.now);
    }
    Vec::new()
}

/// What was found, for the one who still waits for it.
pub fn around(model: &mut Model, request: Request, all: Vec<Found>) -> Vec<Effect> {
    if let Some(Prompt::Setup { request: waits_for, found }) = &mut model.prompt
        && *waits_for == request
    {
        *found = Some(all);
    }
    Vec::new()
}

/// Opens what was typed, or says what is wrong with it and lets it be mended.
pub fn add(model: &mut Model, input: Input) -> Vec<Effect> {
    let target = input.text.trim().to_owned();
    match fault(&target) {
        None => vec![model.open(target)],
        fault => {
            model.prompt = Some(Prompt::Add { input, fault });
            Vec::new()
        }
    }
}

/// What is wrong with an address or a short name, as far as its shape says. Files, ranges and what
/// looks like none of these are read as they are.
fn fault(target: &str) -> Option<&'static str> {
    const ADDRESS: &str = "an address looks like https://github.com/owner/repo/pull/12";
    const SHORT: &str = "a short name looks like owner/repo#12";
    let number = |it: &str| it.parse::<u64>().is_ok_and(|it| it > 0);
    if let Some(rest) = target.strip_prefix("https://").or(target.strip_prefix("http://")) {
        let path = rest.split(['?', '#']).next().unwrap_or_default();
        let parts: Vec<&str> = path.split('/').collect();
        return match parts.as_slice() {
            [host, owner, repository, "pull" | "pulls", at, ..]
                if ![host, owner, repository].iter().any(|it| it.is_empty()) && number(at) =>
            {
                None
            }
            [_, _, _, "issues", ..] => Some("that is an issue, not a pull request"),
            [_, _, _, "merge_requests" | "-", ..] => Some("only pull requests of GitHub are read"),
            _ => Some(ADDRESS),
        };
    }
    let (name, at) = target.split_once('#')?;
    let plain = |it: &str| !it.is_empty() && !it.contains(char::is_whitespace);
    match name.split_once('/') {
        Some((owner, repository)) if plain(owner) && plain(repository) && number(at) => None,
        // A file may have such a name.
        Some(_) if name.starts_with(['.', '/', '~']) => None,
        _ => Some(SHORT),
    }
}

/// A click on a tab shows it; on a row selects it, and opens it when it is selected already.
pub fn click(model: &mut Model, column: u16, row: u16) -> Vec<Effect> {
    let body = frame(model.size).1;
    let inner = body.inner();
    if row == body.y {
        // The bar begins behind the corner and a blank.
        let mut from = usize::from(body.x) + 2;
        for (tab, text) in model.home.bar(usize::from(inner.width)) {
            if (from..from + text.len()).contains(&usize::from(column)) {
                model.home.turn_to(tab);
            }
            from += text.len();
        }
        return Vec::new();
    }
    let first = inner.y + model.home.head_rows();
    if !(first..inner.y + inner.height).contains(&row) {
        return Vec::new();
    }
    let shelf = model.home.shelf_mut();
    let at = shelf.top + usize::from(row - first);
    let again = at == shelf.cursor && at < shelf.visible.len();
    shelf.cursor = at;
    model.home.step(0);
    if again { open(model) } else { Vec::new() }
}

#[cfg(test)]
mod tests;
