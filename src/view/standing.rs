//! How a review stands to where it comes from: its age, whether the forge was heard, and how far a
//! reading has come. Must not say it twice: one line of the frame each.

use crate::{
    app::{
        action::Action,
        age::age,
        desk::Desk,
        model::{First, Model, Pause, Screen},
        update::run,
    },
    domain::text,
    view::{line::Tone, paint::thousands, words},
};

/// For the header: how old the capture is, and whether it stands in for a forge out of reach.
pub fn taken(desk: &Desk, now: i64, width: usize) -> Vec<(String, Tone)> {
    let mut parts = Vec::new();
    if desk.taken.offline.is_some() {
        parts.push(("offline  ".to_owned(), Tone::Warning));
    }
    let at = desk.taken.at.as_deref().or(desk.review.capture.captured_at.as_deref());
    let age = age(at, now);
    if !age.is_empty() && width >= 100 {
        parts.push((format!("as of {age}  "), Tone::Muted));
    }
    parts
}

/// For the line above the footer, while nothing else is said there: what is being read behind the
/// screen, what a change since an earlier head leaves out, or why the forge was not heard.
pub fn strip(model: &Model, room: usize) -> Option<(String, Tone)> {
    let desk = model.desk.as_ref().filter(|_| model.screen != Screen::Home)?;
    if model.requests.opening.is_some() {
        let text = text::clip_middle(&reading(model), room);
        return Some((format!("{text}  "), Tone::Running));
    }
    if let Some(aside) = desk.aside.as_ref().filter(|it| !it.since.notices.is_empty()) {
        let said = words::inline(&aside.since.notices.join("; "));
        return Some((format!("{}  ", text::clip_middle(&said, room)), Tone::Warning));
    }
    let why = words::inline(desk.taken.offline.as_deref()?);
    Some((format!("offline: {}  ", text::clip_middle(&why, room)), Tone::Warning))
}

/// For the footer: the same, where a person can do nothing else, or where there is no line above.
pub fn footer(model: &Model, low: bool) -> Option<String> {
    model.requests.opening.as_ref()?;
    let busy = model.desk.is_none() || model.screen == Screen::Home || low;
    busy.then(|| reading(model))
}

/// What is read and how far that has come, or what it waits for.
fn reading(model: &Model) -> String {
    let stop = if run::stops(model) {
        format!(", {} stops", model.keymap.hint(Action::Back))
    } else {
        String::new()
    };
    if let Some(Pause { until, why }) = &model.requests.reading.pause {
        let left = u64::try_from(until - model.now).unwrap_or(0);
        return format!("{} … {}{stop}", words::inline(why), seconds(left));
    }
    let what = match &model.requests.opening {
        Some((_, First::Target(it))) => words::inline(it),
        _ => "the demo".to_owned(),
    };
    let counts: Vec<_> = model.requests.reading.lists.iter().rev().take(2).map(count).collect();
    if counts.is_empty() {
        return format!("reading {what} …{stop}");
    }
    format!("reading {what} … {}{stop}", counts.join(", "))
}

fn seconds(left: u64) -> String {
    match left {
        short if short < 120 => format!("{short} s"),
        long => format!("{} min {} s", long / 60, long % 60),
    }
}

fn count((list, here, total): &(&'static str, u64, Option<u64>)) -> String {
    match total {
        Some(total) => format!("{list} {}/{}", thousands(*here), thousands(*total)),
        None => format!("{list} {}", thousands(*here)),
    }
}
