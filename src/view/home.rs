//! Home: what waits for the reader and the dossiers known here, or three ways to begin.
//! Must not sort; the model did.

use crate::domain::text::outside::Outside;
use crate::{
    app::{
        action::Action,
        age::age,
        geometry::Rect,
        home::{Row, Tab},
        listed::Mark,
        model::Model,
    },
    domain::text,
    view::{
        chrome,
        line::{Block, Line, Tone},
        paint::{Border, Pen, block, count},
        words,
    },
};

/// The screen's body.
pub fn screen(model: &Model, rect: Rect) -> Vec<Block> {
    let home = &model.home;
    let inner = rect.inner();
    let width = usize::from(inner.width);
    let tone = |tab| if tab == home.tab { Tone::Strong } else { Tone::Muted };
    let bar = home.bar(width).into_iter();
    let left: Vec<_> = bar.map(|(tab, text)| (text, tone(tab))).collect();
    let filter = if home.filter.is_empty() { String::new() } else { format!("/{}", home.filter) };
    let right = [(words::inline(&filter), Tone::Warning)];
    let border = Border { left: &left, right: &right, focused: true }.draw(rect);
    let mut lines = Vec::new();
    if home.tab.is_live() {
        lines.push(standing(model, width));
    }
    let height = usize::from(inner.height).saturating_sub(lines.len());
    if home.tab == Tab::Recent && home.is_new() {
        lines.extend(welcome(model, width));
    } else if home.shelf().visible.is_empty() {
        lines.extend(empty(model, width));
    } else {
        lines.extend(rows(model, width, height));
    }
    vec![border, block(inner, lines, Tone::Text)]
}

fn rows(model: &Model, width: usize, height: usize) -> Vec<Line> {
    let (home, shelf) = (&model.home, model.home.shelf());
    let mut shown = shelf.visible.iter().enumerate().skip(shelf.top).take(height);
    let mut lines = Vec::with_capacity(height);
    for (at, place) in &mut shown {
        let mut line = row(model, home.row(home.tab, *place), width);
        if at == shelf.cursor {
            line.fill = Tone::Cursor;
        }
        lines.push(line);
    }
    let cut = home.list(home.tab).filter(|it| it.total > it.rows.len() as u64);
    if let Some(list) = cut.filter(|_| home.filter.is_empty() && lines.len() < height) {
        let text = format!(" the newest {} of {}", list.rows.len(), list.total);
        lines.push(Pen::new(width).put(&text, Tone::Muted).line(Tone::Text));
    }
    lines
}

/// How the forge's lists stand: whose they are and how old, or what is wrong and what to do.
fn standing(model: &Model, width: usize) -> Line {
    let live = &model.home.live;
    let mut pen = Pen::new(width).put(" ", Tone::Text);
    let old = live.lists.as_ref().and_then(|it| it.read_at.as_deref());
    let old = age(old, model.now);
    let old = if old.is_empty() { String::new() } else { format!("as of {old} ago") };
    let key = model.keymap.hint(Action::Refresh);
    let now = model.now;
    let pause = live.pause.as_ref().filter(|it| it.0 > now);
    if let Some((until, why)) = pause {
        let left = crate::app::age::span((until - now).unsigned_abs() * 1_000);
        // The countdown is never what is cut.
        let right = [(format!(" asked again in {left} "), Tone::Warning)];
        let taken = text::width(&right[0].0);
        let why = text::clip(&words::inline(why), pen.room().saturating_sub(taken + 1));
        return pen.put(&why, Tone::Warning).right(&right, Tone::Text).line(Tone::Text);
    }
    if let Some(trouble) = &live.trouble {
        let todo = trouble.todo.as_deref().map(words::inline);
        let says = words::inline(&trouble.says);
        let right = [(if old.is_empty() { old } else { format!(" {old} ") }, Tone::Muted)];
        let room = pen.room().saturating_sub(text::width(&right[0].0) + 1);
        let both = todo.as_deref().map(|it| format!("{says}: {it}"));
        // Where not all of it fits, what to do says more than what happened.
        let text = both.filter(|it| text::width(it) <= room).or(todo).unwrap_or(says);
        let pen = pen.put(&text::clip(&text, room), Tone::Error);
        return pen.right(&right, Tone::Text).line(Tone::Text);
    }
    let Some(lists) = &live.lists else {
        let text = match live.waits_for {
            Some(_) => "asking for the lists …".to_owned(),
            None if live.offline => "offline: these lists were never read here".to_owned(),
            None => format!("{key} asks for the lists"),
        };
        return pen.put(&text, Tone::Muted).line(Tone::Text);
    };
    pen.write(&words::inline(&lists.host), Tone::Muted);
    if let Some(login) = &lists.login {
        pen.write(" as ", Tone::Muted);
        pen.write(&login.inline(), Tone::Author);
    }
    for (text, on) in [(old.as_str(), !old.is_empty()), ("offline", live.offline)] {
        if on {
            pen.write(&format!(" · {text}"), Tone::Muted);
        }
    }
    let asking = [("refreshing … ".to_owned(), Tone::Running)];
    if live.waits_for.is_some() {
        pen = pen.right(&asking, Tone::Text);
    }
    pen.line(Tone::Text)
}

/// Why a list shows nothing.
fn empty(model: &Model, width: usize) -> Vec<Line> {
    let home = &model.home;
    let key = |action| model.keymap.hint(action);
    let opening = model.requests.opening.is_some();
    let filtered = !home.filter.is_empty() && home.count(home.tab) > 0;
    let known = home.live.lists.is_some();
    let (says, more) = match home.tab {
        _ if filtered => {
            (format!("nothing fits; {} shows everything", key(Action::ClearFilter)), String::new())
        }
        Tab::Recent if opening => (String::new(), String::new()),
        Tab::Recent if !home.read => ("reading the dossier list …".to_owned(), String::new()),
        Tab::Recent => ("what you open is listed here".to_owned(), String::new()),
        Tab::Approval => (
            "nothing waits for your approval".to_owned(),
            "Planned comments and reviews stand here until you decide on them.".to_owned(),
        ),
        Tab::Requested if known => ("no review is asked of you".to_owned(), String::new()),
        Tab::Mine if known => ("you have no open pull request".to_owned(), String::new()),
        Tab::Requested | Tab::Mine => {
            let add = key(Action::AddTarget);
            (String::new(), format!("{add} opens a pull request by its address or owner/repo#12"))
        }
    };
    let lines = [(says, Tone::Text), (more, Tone::Muted)].into_iter();
    let lines = lines.filter(|it| !it.0.is_empty());
    lines
        .map(|(text, tone)| Pen::new(width).put(&format!(" {text}"), tone).line(Tone::Text))
        .collect()
}

fn row(model: &Model, row: Row<'_>, width: usize) -> Line {
    let listed = row.listed;
    let mut pen = Pen::new(width);
    let (mark, tone) = match listed.map_or(Mark::Known, |it| it.mark) {
        Mark::Known => (" ", Tone::Text),
        Mark::New => ("*", Tone::Unresolved),
        Mark::Updated => ("~", Tone::Warning),
    };
    pen.write(mark, tone);
    pen.write(&text::fit(&state(row), 7), Tone::Muted);
    let label = text::clip(&words::inline(row.label()), (width / 4).clamp(14, 36));
    pen.write(&text::fit(&label, (width / 4).clamp(14, 36)), Tone::Strong);
    pen.write(" ", Tone::Text);
    if let Some(problem) = row.dossier.and_then(|it| it.problem.as_ref()) {
        pen.write(&format!("! {}", words::inline(problem)), Tone::Error);
        return pen.line(Tone::Text);
    }
    let right = figures(model, row, width);
    let taken: usize = right.iter().map(|it| text::width(&it.0)).sum();
    let title = listed.map(|it| &it.title).or_else(|| row.dossier.map(|it| &it.title));
    let author = match listed {
        Some(it) => it.author.as_ref(),
        None => row.dossier.and_then(|it| it.author.as_ref()),
    };
    let author = author.map(Outside::inline).unwrap_or_default();
    let cells = text::width(&author);
    let room = pen.room().saturating_sub(taken + 1);
    if let Some(title) = title {
        pen.write(&text::clip(&title.inline(), room.saturating_sub(cells + 2)), Tone::Text);
    }
    if pen.room() > taken + cells + 3 && cells > 0 {
        pen.write(&format!("  {author}"), Tone::Author);
    }
    pen.right(&right, Tone::Text).line(Tone::Text)
}

/// The state in a word: a draft is one while it is open.
fn state(row: Row<'_>) -> String {
    let state = match (row.listed, row.dossier) {
        (Some(it), _) => Some(it.state.inline()),
        (None, Some(it)) => it.state.as_ref().map(Outside::inline),
        (None, None) => None,
    };
    let state = state.map_or("–".to_owned(), |it| it.to_lowercase());
    let draft = row.listed.is_some_and(|it| it.draft) && state == "open";
    if draft { "draft".to_owned() } else { state }
}

/// The right part of a row: lines, threads, phases of the dossier if one is here, age.
fn figures(model: &Model, row: Row<'_>, width: usize) -> Vec<(String, Tone)> {
    let mut right = Vec::new();
    let lines = row.listed.map(|it| (it.additions, it.deletions));
    let lines = lines.or_else(|| row.dossier.map(|it| (it.additions, it.deletions)));
    if let Some((additions, deletions)) = lines.filter(|_| width >= 100) {
        right.push((format!(" +{additions}"), Tone::CountAdded));
        right.push((format!(" −{deletions}"), Tone::CountRemoved));
    }
    match (row.dossier, row.listed) {
        (Some(entry), _) => {
            if entry.waiting > 0 {
                right.push((format!("  {} to approve", entry.waiting), Tone::Warning));
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
        }
        (None, Some(listed)) if listed.threads > 0 => {
            right.push((format!("  {}", count(listed.threads as usize, "thread")), Tone::Muted));
        }
        _ => {}
    }
    let updated = row.listed.filter(|_| model.home.tab.is_live());
    let then = match (updated, row.dossier) {
        (Some(it), _) => it.updated_at.as_deref(),
        (None, it) => it.and_then(|it| it.captured_at.as_deref()),
    };
    let age = age(then, model.now);
    right.push((format!(" {age:>4} "), Tone::Muted));
    right
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
        choice(Action::Demo, "The demo", "bundled: needs no account, key or network"),
        choice(
            Action::AddTarget,
            "Open something",
            "an address, owner/repo#12, a file, main..HEAD",
        ),
        choice(Action::Setup, "Set up", "what is here, and what to do for the rest"),
        Line::default(),
        line("  What you open is listed here from then on.", Tone::Muted),
    ]
}
