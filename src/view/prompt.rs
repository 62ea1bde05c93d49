//! What stands over a screen: help, palette, questions. Must not run anything.

use crate::{
    app::{
        action::Action,
        event::Found,
        geometry::Rect,
        model::{Model, Size},
        prompt::{Picker, PickerKind, Prompt, Question},
    },
    domain::text,
    view::{
        correct,
        line::{Line, Screen, Tone},
        paint::{Border, Pen, block, count},
        words,
    },
};

/// Draws the open prompt over the screen.
pub fn over(model: &Model, size: Size, screen: &mut Screen) {
    match &model.prompt {
        Some(Prompt::Picker(picker)) => pick(model, picker, size, screen),
        Some(Prompt::Correct(editor)) => correct::over(model, editor, screen),
        Some(Prompt::Question(question)) => ask(model, *question, size, screen),
        Some(Prompt::Setup { found, .. }) => setup(size, found.as_deref(), screen),
        _ => {}
    }
}

/// What `casefile doctor` finds, and where to go on.
fn setup(size: Size, found: Option<&[Found]>, screen: &mut Screen) {
    let rows: u16 =
        found.unwrap_or_default().iter().map(|it| 1 + u16::from(it.todo.is_some())).sum();
    let rect = centred(size, 100, rows.max(1) + SETUP.len() as u16 + 3);
    let left = [("Set up".to_owned(), Tone::Strong)];
    let right = [("any key closes this".to_owned(), Tone::Muted)];
    screen.blocks.push(Border { left: &left, right: &right, focused: true }.draw(rect));
    let width = usize::from(rect.inner().width);
    let plain =
        |it: &str, tone| Pen::new(width).put(" ", Tone::Text).put(it, tone).line(Tone::Text);
    let mut lines = Vec::new();
    match found {
        None => lines.push(plain("looking at what is here …", Tone::Running)),
        Some(found) => found.iter().for_each(|it| lines.extend(finding(it, width))),
    }
    lines.push(Line::default());
    // What was found is worth more than where to go on, where not both fit.
    lines.truncate(usize::from(rect.inner().height));
    lines.extend(SETUP.iter().map(|it| plain(it, Tone::Text)));
    screen.blocks.push(block(rect.inner(), lines, Tone::Text));
}

fn finding(it: &Found, width: usize) -> Vec<Line> {
    let (mark, tone) = if it.todo.is_some() { ("!!", Tone::Error) } else { ("ok", Tone::Done) };
    let mut pen = Pen::new(width).put(&format!(" {mark} "), tone);
    pen.write(&text::fit(&words::inline(&it.name), 11), Tone::Strong);
    pen.write(&words::inline(&it.says), Tone::Text);
    let todo = it.todo.as_deref().map(|todo| {
        let mut pen = Pen::new(width);
        pen.pad_to(15, Tone::Text);
        pen.put(&words::inline(todo), Tone::Key).line(Tone::Text)
    });
    [pen.line(Tone::Text)].into_iter().chain(todo).collect()
}

const SETUP: &[&str] = &[
    "casefile doctor says all of this, and the terminal's part",
    "casefile config init writes a file with every setting",
];

/// In the middle; over the whole width where a strip of what lies below would be left.
fn centred(size: Size, width: u16, height: u16) -> Rect {
    let width = if width.saturating_add(4) > size.width { size.width } else { width };
    let height = height.min(size.height.saturating_sub(2));
    let (x, y) = ((size.width - width) / 2, (size.height - height) / 2);
    Rect { x, y, width, height }
}

fn read(size: Size, title: &str, text: &[&str], screen: &mut Screen) {
    let rect = centred(size, 88, text.len() as u16 + 2);
    let left = [(title.to_owned(), Tone::Strong)];
    screen.blocks.push(Border { left: &left, right: &[], focused: true }.draw(rect));
    let width = usize::from(rect.inner().width);
    let line =
        |it: &&str| Pen::new(width).put(" ", Tone::Text).put(it, Tone::Text).line(Tone::Text);
    screen.blocks.push(block(rect.inner(), text.iter().map(line).collect(), Tone::Text));
}

fn ask(model: &Model, question: Question, size: Size, screen: &mut Screen) {
    let Question::Quit = question;
    let (running, drafts) = (model.work.running(), model.drafts());
    let running_now = format!("{} still running.", count(running, "task"));
    let kept = if drafts == 1 { "is kept as a draft" } else { "are kept as drafts" };
    let unsaved = format!("{} not saved: what you typed {kept}.", count(drafts, "correction"));
    let mut text = Vec::new();
    text.extend((running > 0).then_some(running_now.as_str()));
    text.extend((drafts > 0).then_some(unsaved.as_str()));
    text.push("");
    if running > 0 {
        text.push("y  stop the work and quit; the next run takes it up again");
        text.push("w  quit when it is done");
    } else {
        text.push("y  quit; the next time it is offered again");
    }
    if model.work.to_hand_over().is_some() {
        text.push("h  quit; the work goes on without this window");
    }
    text.push("n  stay");
    read(size, "Quit?", &text, screen);
}

fn pick(model: &Model, picker: &Picker, size: Size, screen: &mut Screen) {
    let below = if size.height >= 30 { 6 } else { 4 };
    let rect = centred(size, 100, size.height.saturating_sub(below).min(40));
    let title = match picker.kind {
        PickerKind::Help => "Keys that work here",
        PickerKind::Palette => "Commands",
    };
    let left = [(title.to_owned(), Tone::Strong)];
    let how = if rect.width < 70 {
        "Enter runs · Esc closes"
    } else {
        "type to find · Enter runs · Esc closes"
    };
    let right = [(how.to_owned(), Tone::Muted)];
    screen.blocks.push(Border { left: &left, right: &right, focused: true }.draw(rect));
    let inner = rect.inner();
    let width = usize::from(inner.width);
    let typed = text::display(&picker.input.text, text::Surface::Inline);
    let mut lines =
        vec![Pen::new(width).put(" / ", Tone::Key).put(&typed, Tone::Text).line(Tone::Text)];
    let before: String = picker.input.text.chars().take(picker.input.cursor).collect();
    let at = 3 + text::width(&text::display(&before, text::Surface::Inline)) as u16;
    screen.cursor = Some((inner.x + at.min(inner.width.saturating_sub(1)), inner.y));
    let height = usize::from(inner.height.saturating_sub(1));
    let top = picker.picked.saturating_sub(height.saturating_sub(1));
    for (at, action) in picker.kept.iter().enumerate().skip(top).take(height) {
        let mut line = entry(model, *action, width);
        if at == picker.picked {
            line.fill = Tone::Cursor;
        }
        lines.push(line);
    }
    if picker.kept.is_empty() {
        lines.push(Pen::new(width).put("   nothing fits", Tone::Muted).line(Tone::Text));
    }
    screen.blocks.push(block(inner, lines, Tone::Text));
}

fn entry(model: &Model, action: Action, width: usize) -> Line {
    let it = action.entry();
    let keys = model.keymap.keys_of(action).join(" ");
    let mut pen = Pen::new(width).put(" ", Tone::Text);
    if width >= 90 {
        pen.write(&text::fit(&keys, 16), Tone::Key);
        pen.write(&text::fit(it.name, 22), Tone::Strong);
    } else {
        // What it does says more than what it is called.
        pen.write(&text::fit(&text::clip(&keys, 12), 13), Tone::Key);
        if width >= 72 {
            pen.write(&text::fit(it.name, 20), Tone::Strong);
        }
    }
    let place = it.scopes[0].title().to_owned();
    pen.put(it.help, Tone::Text)
        .right(&[(format!("{place} "), Tone::Muted)], Tone::Text)
        .line(Tone::Text)
}
