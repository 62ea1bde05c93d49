//! What the inspector shows where no thread is near: how the whole discussion stands, and what to do
//! next. Must not count more than a pull request's threads.

use crate::{
    app::{
        action::Action,
        desk::{Desk, Focus},
        geometry::Rect,
        model::Model,
    },
    domain::text,
    summary::discussion::{Discussion, NextActor},
    view::{
        line::{Block, Line, Tone},
        paint::{Border, Pen, block, count},
        words,
    },
};

/// The pane with its border.
pub fn pane(model: &Model, desk: &Desk, rect: Rect) -> Vec<Block> {
    let left = [("Discussion".to_owned(), Tone::Strong)];
    let focused = desk.focus == Focus::Inspector;
    let border = Border { left: &left, right: &[], focused }.draw(rect);
    let width = usize::from(rect.inner().width);
    vec![border, block(rect.inner(), lines(model, desk, width), Tone::Text)]
}

fn lines(model: &Model, desk: &Desk, width: usize) -> Vec<Line> {
    let put = |text: &str, tone| Pen::new(width).put(text, tone).line(Tone::Text);
    if desk.facts.is_empty() {
        return vec![put("no thread on any line", Tone::Muted)];
    }
    let tally = desk.tally;
    let mut lines = vec![
        put(&format!("⚑ {} open", tally.open), Tone::Unresolved),
        put(&format!("✓ {} settled", tally.settled), Tone::Settled),
        put(&format!("◌ {} of them outdated", tally.outdated), Tone::Outdated),
        Line::default(),
    ];
    lines.extend(waiting(desk, width));
    let key = |action| model.keymap.hint(action);
    let hints = [
        (Action::NextThread, "to the next open thread"),
        (Action::ScreenThreads, "all threads in a list"),
        (Action::Enter, "opens what the cursor is on"),
    ];
    for (action, does) in hints {
        let pen = Pen::new(width).put(&format!("{:<6}", key(action)), Tone::Key);
        lines.push(pen.put(does, Tone::Text).line(Tone::Text));
    }
    if desk.current_file().is_some() {
        lines.push(Line::default());
        lines.push(put("no thread in this file", Tone::Muted));
    }
    lines
}

/// Whose move the open threads are, and what the summary left out.
fn waiting(desk: &Desk, width: usize) -> Vec<Line> {
    let Some(discussion) = &desk.discussion else { return Vec::new() };
    let put = |text: String, tone| Pen::new(width).put(&text, tone).line(Tone::Text);
    let mut lines = Vec::new();
    for actor in [NextActor::Author, NextActor::Reviewer] {
        let mine = discussion.threads.iter().filter(|it| it.next_actor == actor).count();
        if mine > 0 {
            let who = words::next_actor(actor);
            lines.push(put(format!("next move of the {who}: {mine}"), Tone::Text));
        }
    }
    lines.extend(left_out(discussion, width));
    if !lines.is_empty() {
        lines.push(Line::default());
    }
    lines
}

/// What the summary does not rest on, and why: chatter, what no engine was sent, what the capture
/// itself lacks.
fn left_out(discussion: &Discussion, width: usize) -> Vec<Line> {
    let omitted = discussion.omitted;
    let kinds = [
        (omitted.noise_comments, "comment", "of process chatter left out", Tone::Muted),
        (omitted.threads_omitted, "thread", "not sent: over the budget", Tone::Warning),
        (omitted.comments_omitted, "comment", "not sent: over the budget", Tone::Warning),
    ];
    let some = kinds.into_iter().filter(|it| it.0 > 0);
    let counts =
        some.map(|(n, noun, why, tone)| (format!("{} {why}", count(n as usize, noun)), tone));
    let note = discussion.omission_note.as_deref().map(|it| (words::inline(it), Tone::Warning));
    let wrapped = |(said, tone): (String, Tone)| {
        let parts = text::wrap(&said, width.max(10));
        parts.into_iter().map(move |it| Pen::new(width).put(&it, tone).line(Tone::Text))
    };
    counts.chain(note).flat_map(wrapped).collect()
}
