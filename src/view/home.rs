//! Home: the dossiers known here, or three ways to begin. Must not sort; the model did.

use crate::domain::text::outside::Outside;
use crate::{
    app::{action::Action, age::age, event::Dossier, geometry::Rect, model::Model},
    domain::text,
    view::{
        chrome,
        line::{Block, Line, Tone},
        paint::{Border, Pen, block},
        words,
    },
};

/// The screen's body.
pub fn screen(model: &Model, rect: Rect) -> Vec<Block> {
    let home = &model.home;
    let mut left = vec![(format!("Dossiers {}", home.visible.len()), Tone::Strong)];
    if home.visible.len() < home.entries.len() {
        left.push((format!(" of {}", home.entries.len()), Tone::Warning));
    }
    let filter = if home.filter.is_empty() { String::new() } else { format!("/{}", home.filter) };
    let right = [(words::inline(&filter), Tone::Muted)];
    let border = Border { left: &left, right: &right, focused: true }.draw(rect);
    let inner = rect.inner();
    let width = usize::from(inner.width);
    let lines = if home.is_new() {
        welcome(model, width)
    } else if !home.read {
        let text =
            if model.requests.opening.is_some() { "" } else { " reading the dossier list …" };
        vec![Pen::new(width).put(text, Tone::Muted).line(Tone::Text)]
    } else {
        entries(model, width, usize::from(inner.height))
    };
    vec![border, block(inner, lines, Tone::Text)]
}

fn entries(model: &Model, width: usize, height: usize) -> Vec<Line> {
    let home = &model.home;
    let rows = home.visible.iter().enumerate().skip(home.top).take(height);
    rows.map(|(at, entry)| {
        let mut line = row(model, &home.entries[*entry], width);
        if at == home.cursor {
            line.fill = Tone::Cursor;
        }
        line
    })
    .collect()
}

fn row(model: &Model, entry: &Dossier, width: usize) -> Line {
    let mut pen = Pen::new(width).put(" ", Tone::Text);
    let state = entry.state.as_ref().map_or("–".into(), Outside::inline);
    pen.write(&text::fit(&state.to_lowercase(), 7), Tone::Muted);
    pen.write(&text::fit(&words::inline(&entry.label), (width / 4).clamp(14, 36)), Tone::Strong);
    pen.write(" ", Tone::Text);
    if let Some(problem) = &entry.problem {
        pen.write(&format!("! {}", words::inline(problem)), Tone::Error);
        return pen.line(Tone::Text);
    }
    let mut right = Vec::new();
    if width >= 100 {
        right.push((format!(" +{}", entry.additions), Tone::CountAdded));
        right.push((format!(" −{}", entry.deletions), Tone::CountRemoved));
    }
    right.push((format!("  ⚑{}", entry.unresolved), Tone::Unresolved));
    right.push((format!(" ✓{}", entry.settled), Tone::Settled));
    if entry.outdated > 0 {
        right.push((format!(" ◌{}", entry.outdated), Tone::Outdated));
    }
    if width >= 90 {
        right.push(("  ".to_owned(), Tone::Text));
        for phase in &entry.phases {
            let (sign, tone) = chrome::status(phase.status);
            right.push((sign.to_owned(), tone));
        }
    }
    let age = age(entry.captured_at.as_deref(), model.now);
    right.push((format!(" {age:>4} "), Tone::Muted));
    let taken: usize = right.iter().map(|it| text::width(&it.0)).sum();
    let author = entry.author.as_ref().map(Outside::inline).unwrap_or_default();
    let room = pen.room().saturating_sub(taken + 1);
    pen.write(
        &text::clip(&entry.title.inline(), room.saturating_sub(author.len() + 2)),
        Tone::Text,
    );
    if pen.room() > taken + author.len() + 3 && !author.is_empty() {
        pen.write(&format!("  {author}"), Tone::Author);
    }
    pen.right(&right, Tone::Text).line(Tone::Text)
}

fn welcome(model: &Model, width: usize) -> Vec<Line> {
    let key = |action| model.keymap.hint(action);
    let line = |text: &str, tone| Pen::new(width).put(text, tone).line(Tone::Text);
    let choice = |action: Action, title: &str, words: &str| {
        let pen = Pen::new(width).put(&format!("   {:<3}", key(action)), Tone::Key);
        pen.put(&format!("{title:<20}"), Tone::Strong).put(words, Tone::Muted).line(Tone::Text)
    };
    vec![
        Line::default(),
        line("  Nothing here yet. Three ways to begin:", Tone::Text),
        Line::default(),
        choice(Action::Demo, "The demo", "a bundled pull request; no account, no key, no network"),
        choice(Action::AddTarget, "Open something", "a capture file, a .diff, main..HEAD"),
        choice(Action::Setup, "Set up", "settings, engines and where things are kept"),
        Line::default(),
        line("  What you open is listed here from then on.", Tone::Muted),
    ]
}
