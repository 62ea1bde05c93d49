//! The diff since an earlier head in place of the whole one: what is shown, and the way back.
//! Must not find that diff; whoever performs effects does.

use crate::{
    app::{
        desk::Desk,
        event::{Effect, Request},
        model::Model,
        viewed::Viewed,
    },
    domain::{
        diff::Diff,
        review::Review,
        text::{self, Surface},
    },
};
use std::sync::Arc;

/// Since when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Point {
    /// The newest kept capture with another head.
    Capture,
    /// The person's own newest review.
    Review,
}

/// A change since then, as it was found.
#[derive(Debug, Clone)]
pub struct Since {
    pub point: Point,
    /// The two commits.
    pub old: String,
    pub new: String,
    pub diff: Arc<Diff>,
    /// One sentence each.
    pub notices: Vec<String>,
}

/// What is kept of the whole while a part of it shows.
#[derive(Debug, Clone)]
pub struct Aside {
    pub since: Since,
    review: Review,
    viewed: Viewed,
    /// Files that were folded.
    folded: Vec<u32>,
}

/// The wish for another diff.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Wish {
    pub waits_for: Option<Request>,
    /// What was asked for last; the next key asks for the next.
    pub last: Option<Point>,
}

impl Aside {
    /// The whole review.
    pub fn whole(&self) -> &Review {
        &self.review
    }
}

impl Point {
    pub fn title(self) -> &'static str {
        match self {
            Self::Capture => "the last capture",
            Self::Review => "your last review",
        }
    }
}

impl Since {
    /// `since your last review, 3fa9c1d → 9b2c1d0`
    pub fn title(&self) -> String {
        format!("since {}, {} → {}", self.point.title(), short(&self.old), short(&self.new))
    }
}

fn short(commit: &str) -> String {
    text::display(commit, Surface::Inline).chars().take(7).collect()
}

impl Desk {
    /// Shows a change since an earlier head; the reader stays on their line where it shows.
    pub fn show_since(&mut self, since: Since) {
        self.show_whole();
        let capture = Arc::clone(&self.review.capture);
        let review = Review::since(capture, Arc::clone(&since.diff), &since.old);
        let aside = Aside {
            since,
            review: self.review.clone(),
            viewed: std::mem::take(&mut self.viewed),
            folded: self.reader.folds.files(),
        };
        self.aside = Some(Box::new(aside));
        self.reader.folds.set_files(&[]);
        self.put(review, false);
    }

    /// Goes back to the whole diff. Says whether a part was shown.
    pub fn show_whole(&mut self) -> bool {
        let Some(aside) = self.aside.take() else { return false };
        self.viewed = aside.viewed;
        self.put(aside.review, false);
        let mark = self.sight();
        self.reader.folds.set_files(&aside.folded);
        self.reflow();
        self.place(&mark);
        true
    }
}

/// Turns from the whole to the change since the last capture, since the last review, and back.
pub fn turn(model: &mut Model) -> Vec<Effect> {
    let Some(desk) = &mut model.desk else { return Vec::new() };
    let next = match desk.wish.last {
        None => Some(Point::Capture),
        Some(Point::Capture) => Some(Point::Review),
        Some(Point::Review) => None,
    };
    match next {
        Some(point) => ask(model, point),
        None => whole(model),
    }
}

fn whole(model: &mut Model) -> Vec<Effect> {
    let Some(desk) = &mut model.desk else { return Vec::new() };
    desk.wish = Wish::default();
    if desk.show_whole() {
        model.say("the whole diff again");
    }
    vec![Effect::Wake]
}

/// Asks for the change since then.
pub fn ask(model: &mut Model, point: Point) -> Vec<Effect> {
    let request = model.request();
    let Some(desk) = &mut model.desk else { return Vec::new() };
    desk.wish = Wish { waits_for: Some(request), last: Some(point) };
    model.say(format!("looking for what changed since {} …", point.title()));
    vec![Effect::ReadSince { request, point }]
}

/// It was found.
pub fn found(model: &mut Model, request: Request, since: Since) -> Vec<Effect> {
    let Some(desk) = model.desk.as_mut().filter(|it| it.wish.waits_for == Some(request)) else {
        return Vec::new();
    };
    desk.wish.waits_for = None;
    let said = if since.notices.is_empty() { since.title() } else { since.notices.join("; ") };
    desk.show_since(since);
    model.say(said);
    vec![Effect::Wake]
}

/// It could not be had. Says whether that was what failed.
pub fn failed(model: &mut Model, request: Option<Request>, message: &str) -> bool {
    let Some(desk) = model.desk.as_mut().filter(|_| request.is_some()) else { return false };
    if desk.wish.waits_for != request {
        return false;
    }
    desk.wish.waits_for = None;
    let next = match desk.wish.last {
        Some(Point::Capture) => Some(Point::Review.title()),
        _ => None,
    };
    let hint = next.map(|it| {
        format!("; {} again: since {it}", model.keymap.hint(crate::app::action::Action::Since))
    });
    model.complain(format!("{message}{}", hint.unwrap_or_default()));
    true
}

#[cfg(test)]
mod tests;
