//! What frames every screen: header, phases, footer. The counts of open threads and running work
//! are never what is dropped when it gets narrow.

use crate::domain::text::outside::Outside;
use crate::{
    app::{
        action::Action,
        desk::{Desk, Focus},
        event::PhaseStatus,
        geometry::Rect,
        model::{Model, Screen},
        prompt::Prompt,
    },
    domain::{
        capture::{Completeness, Extent},
        diff::Side,
        text::{self, Surface},
    },
    view::{
        line::{Block, Line, Tone},
        paint::{Pen, block, count},
        standing, words,
    },
};

/// The first line: what is open, and how its threads stand.
pub fn header(model: &Model, rect: Rect) -> Block {
    let width = usize::from(rect.width);
    let line = match &model.desk {
        Some(desk) if model.screen != Screen::Home => review(desk, width, model.now),
        _ => {
            let pen = Pen::new(width).put(" casefile", Tone::Title);
            pen.put("  a workbench for pull requests", Tone::Header).line(Tone::Header)
        }
    };
    block(rect, vec![line], Tone::Header)
}

fn review(desk: &Desk, width: usize, now: i64) -> Line {
    let tally = desk.tally;
    let mut right = Vec::new();
    let missing = missing(&desk.review.capture.completeness);
    if !missing.is_empty() && width >= 100 {
        right.push((format!("! {missing}  "), Tone::Warning));
    }
    right.extend(standing::taken(desk, now, width));
    if width >= 120 {
        right.push((format!("⚑{} unresolved", tally.open), Tone::Unresolved));
        right.push((format!(" ✓{} settled", tally.settled), Tone::Settled));
        if tally.noted > 0 {
            right.push((format!(" ✓{} noted", tally.noted), Tone::Noted));
        }
        right.push((format!(" ◌{} outdated ", tally.outdated), Tone::Outdated));
    } else {
        right.push((format!("⚑{}", tally.open), Tone::Unresolved));
        right.push((format!(" ✓{}", tally.closed()), Tone::Settled));
        right.push((format!(" ◌{} ", tally.outdated), Tone::Outdated));
    }
    let taken: usize = right.iter().map(|it| text::width(&it.0)).sum();
    let mut left = Pen::new(width.saturating_sub(taken + 1));
    left.write(&format!(" {}", words::inline(&desk.label)), Tone::Title);
    for (text, tone) in about(desk, left.room()) {
        // Half a word says less than none.
        if text::width(&text) <= left.room() {
            left.write(&text, tone);
        }
    }
    let mut pen = Pen::new(width);
    for span in left.line(Tone::Header).spans {
        pen.write(&span.text, span.tone);
    }
    pen.right(&right, Tone::Header).line(Tone::Header)
}

/// What else is known, in a room of so many cells. The title leaves some for the state.
fn about(desk: &Desk, room: usize) -> Vec<(String, Tone)> {
    let request = &desk.review.capture.pull_request;
    let mut parts = Vec::new();
    if let Some(title) = &request.title {
        let title = title.inline();
        let most = if room >= 60 { (room / 2).min(60) } else { room.saturating_sub(10) };
        parts.push((format!("  {}", text::clip(&title, most)), Tone::Header));
    }
    if let Some(state) = &request.state {
        let draft = if request.draft == Some(true) { "draft " } else { "" };
        parts.push((format!("  {draft}{}", state.inline().to_lowercase()), Tone::Strong));
    }
    if request.locked == Some(true) {
        parts.push(("  locked".to_owned(), Tone::Warning));
    }
    let name = |it: &Option<crate::domain::capture::GitRef>| {
        it.as_ref().and_then(|it| it.name.as_ref()).map(short_name)
    };
    if let Some(aside) = &desk.aside {
        parts.push((format!("  {}", aside.since.title()), Tone::Match));
        return parts;
    }
    if let (Some(base), Some(head)) = (name(&request.base), name(&request.head)) {
        parts.push((format!("  {base} ← {head}"), Tone::Header));
    }
    if let Some(sha) = desk.review.capture.head_sha() {
        let short: String = words::inline(sha).chars().take(7).collect();
        parts.push((format!("  {short}"), Tone::Muted));
    }
    parts
}

/// A branch's name, cut when it is long; a commit's id as people shorten it.
fn short_name(name: &Outside) -> String {
    let name = name.inline();
    let hex = name.len() >= 40 && name.bytes().all(|it| it.is_ascii_hexdigit());
    if hex { name[..7].to_owned() } else { text::clip(&name, 28) }
}

/// Which lists the capture holds only a part of: `100 of 137 threads`.
fn missing(it: &Completeness) -> String {
    let lists = [
        (&it.files, "files"),
        (&it.review_threads, "threads"),
        (&it.issue_comments, "comments"),
        (&it.reviews, "reviews"),
    ];
    let cut = |(extent, name): (&Extent, &str)| {
        let (fetched, total) = (extent.fetched?, extent.total?);
        (fetched < total).then(|| format!("{fetched} of {total} {name}"))
    };
    lists.into_iter().filter_map(cut).collect::<Vec<_>>().join(", ")
}

/// The phases of the run, and what is going on.
pub fn strip(model: &Model, rect: Rect) -> Block {
    let width = usize::from(rect.width);
    let mut right = Vec::new();
    if let Some(notice) = model.notice().filter(|it| !it.error) {
        let text = text::clip_middle(&words::inline(&notice.text), width * 2 / 3);
        right.push((format!("{text}  "), Tone::Strong));
    } else {
        right.extend(standing::strip(model, width * 2 / 3));
    }
    if model.work.running() > 0 {
        right.push((format!("▶ {} running ", count(model.work.running(), "task")), Tone::Running));
    }
    let taken: usize = right.iter().map(|it: &(String, Tone)| text::width(&it.0)).sum();
    let mut pen = Pen::new(width.saturating_sub(taken + 1)).put(" ", Tone::Footer);
    for phase in &model.work.phases {
        let (sign, tone) = status(phase.status);
        pen.write(&words::inline(&phase.name), Tone::Footer);
        let steps = phase.progress.map(|(done, all)| format!(" {done}/{all}"));
        let word = match phase.status {
            PhaseStatus::Running => steps.unwrap_or_default(),
            PhaseStatus::Pending | PhaseStatus::Done => String::new(),
            PhaseStatus::Loaded => " loaded".to_owned(),
            PhaseStatus::Skipped if width < 100 => String::new(),
            PhaseStatus::Skipped => {
                let reason = phase.reason.as_deref().unwrap_or_default();
                let colon = if reason.is_empty() { "" } else { ": " };
                format!(" skipped{colon}{}", text::clip(&words::inline(reason), 20))
            }
            PhaseStatus::Interrupted => " interrupted".to_owned(),
            PhaseStatus::Failed => " failed".to_owned(),
        };
        pen.write(&format!(" {sign}{word}  "), tone);
    }
    if model.work.phases.is_empty() && model.desk.is_some() {
        let key = model.keymap.hint(Action::Run);
        pen.write(&format!("no run yet · {key} starts it"), Tone::Muted);
    }
    let mut line = pen.line(Tone::Footer);
    if !right.is_empty() {
        let used: usize = line.spans.iter().map(|it| text::width(&it.text)).sum();
        let mut tail = Pen::new(width - used);
        tail = tail.right(&right, Tone::Footer);
        line.spans.extend(tail.line(Tone::Footer).spans);
    }
    block(rect, vec![line], Tone::Footer)
}

/// The sign of a phase.
pub fn status(status: PhaseStatus) -> (&'static str, Tone) {
    match status {
        PhaseStatus::Pending => ("·", Tone::Waiting),
        PhaseStatus::Running => ("▶", Tone::Running),
        PhaseStatus::Done | PhaseStatus::Loaded => ("✓", Tone::Done),
        PhaseStatus::Skipped => ("–", Tone::Muted),
        PhaseStatus::Interrupted => ("!", Tone::Warning),
        PhaseStatus::Failed => ("✗", Tone::Failed),
    }
}

/// The last line: where the cursor is and the next sensible step, or what was just said, or the
/// line being typed. Gives the text cursor while a person types.
pub fn footer(model: &Model, rect: Rect) -> (Block, Option<(u16, u16)>) {
    let width = usize::from(rect.width);
    if let Some((line, column)) = typing(model, width) {
        return (block(rect, vec![line], Tone::Footer), Some((column, rect.y)));
    }
    let mut pen = Pen::new(width).put(" ", Tone::Footer);
    let waiting = !model.typed.keys.is_empty() || model.typed.count.is_some();
    if waiting {
        pending(model, &mut pen);
    } else if let Some(line) = standing::footer(model, rect.y < 13) {
        pen.write(&text::clip_middle(&line, pen.room()), Tone::Running);
    } else if let Some(notice) = model.notice().filter(|it| it.error || rect.y < 13) {
        let tone = if notice.error { Tone::Error } else { Tone::Strong };
        pen.write(&text::clip_middle(&words::inline(&notice.text), pen.room()), tone);
    } else {
        place(model, &mut pen);
        hints(model, &mut pen);
    }
    let running = model.work.running();
    if rect.y < 13 && running > 0 {
        let right = [(format!("▶{running} "), Tone::Running)];
        pen = pen.right(&right, Tone::Footer);
    }
    (block(rect, vec![pen.line(Tone::Footer)], Tone::Footer), None)
}

/// The line being typed, and the column of its cursor.
fn typing(model: &Model, width: usize) -> Option<(Line, u16)> {
    let (label, input, tail) = match model.prompt.as_ref()? {
        Prompt::Search { input, .. } => {
            let counter = model.desk.as_ref().filter(|it| it.search.is_on());
            ("/", input, counter.map(|it| it.search.counter()).unwrap_or_default())
        }
        Prompt::Filter { input, .. } => ("filter: ", input, String::new()),
        Prompt::Command { input } => (":", input, String::new()),
        Prompt::Add { input, fault } => {
            let tail = fault.unwrap_or("an address, owner/repo#12, a file, main..HEAD");
            ("open: ", input, tail.to_owned())
        }
        _ => return None,
    };
    let typed = text::display(&input.text, Surface::Inline);
    let before: String = input.text.chars().take(input.cursor).collect();
    let at = text::width(&text::display(&before, Surface::Inline));
    let room = width.saturating_sub(label.len() + 2);
    let skip = (at + 1).saturating_sub(room);
    let mut pen = Pen::new(width).put(label, Tone::Key);
    pen.write(&text::slice(&typed, skip, room), Tone::Text);
    let pen = pen.right(&[(format!("{tail} "), Tone::Muted)], Tone::Footer);
    Some((pen.line(Tone::Footer), (label.len() + at - skip) as u16))
}

fn pending(model: &Model, pen: &mut Pen) {
    if let Some(count) = model.typed.count {
        pen.write(&count.to_string(), Tone::Key);
    }
    for chord in &model.typed.keys {
        pen.write(&chord.to_string(), Tone::Key);
    }
    pen.write(" …  ", Tone::Muted);
    if model.typed.keys.is_empty() {
        return;
    }
    for (keys, action) in model.keymap.continuations(&model.typed.keys, &model.scopes()) {
        pen.write(&keys, Tone::Key);
        pen.write(&format!(" {}  ", action.entry().name), Tone::Footer);
    }
}

fn place(model: &Model, pen: &mut Pen) {
    let name = match (model.screen, model.desk.as_ref().map(|it| it.focus)) {
        (Screen::Home, _) => "HOME",
        (Screen::Threads, _) => "THREADS",
        (Screen::Tasks, _) => "TASKS",
        (Screen::Diff, Some(Focus::Files)) => "FILES",
        (Screen::Diff, Some(Focus::Inspector)) => "COMPARE",
        (Screen::Diff, _) => "DIFF",
    };
    pen.write(&format!("{name}  "), Tone::Strong);
    let Some(desk) = model.desk.as_ref().filter(|_| model.screen == Screen::Diff) else { return };
    if let Some(at) = desk.current_file() {
        let diff = &desk.review.diff.files[at as usize];
        let path = diff.path.display(Surface::Code { tab_width: 1 });
        pen.write(&text::clip_start(&path, (pen.room() / 3).max(16)), Tone::Footer);
        let line = desk.current_line().and_then(|it| diff.lines.get(it.1 as usize));
        if let Some(line) = line {
            let number = line.number(Side::Right).map(|it| it.to_string());
            let number = number.or_else(|| line.number(Side::Left).map(|it| format!("L{it}")));
            pen.write(&format!(":{}", number.unwrap_or_default()), Tone::Footer);
        }
    }
    if desk.search.is_on() {
        pen.write("  ", Tone::Footer);
        pen.write(&desk.search.counter(), Tone::Match);
    }
    let (row, rows) = desk.reader.layout.progress(desk.reader.at.cursor);
    if rows > 1 {
        pen.write(&format!("  {} %", (row * 100 / (rows - 1)).min(100)), Tone::Muted);
    }
    pen.write("  ", Tone::Footer);
}

/// The keys worth knowing here, the next sensible step first. The last ones, the way back and the
/// way to all keys, keep their room when others have none.
fn hints(model: &Model, pen: &mut Pen) {
    let hints: Vec<(String, Action, String)> = worth_knowing(model)
        .into_iter()
        .map(|(action, word)| (model.keymap.hint(action), action, word))
        .collect();
    let cells =
        |(key, _, word): &(String, Action, String)| text::width(key) + text::width(word) + 3;
    let kept = |it: &(String, Action, String)| matches!(it.1, Action::Back | Action::Help);
    let mut reserved: usize = hints.iter().filter(|it| kept(it)).map(cells).sum();
    for hint in &hints {
        reserved -= if kept(hint) { cells(hint) } else { 0 };
        if cells(hint) + reserved <= pen.room() {
            pen.write(&hint.0, Tone::Key);
            pen.write(&format!(" {}  ", hint.2), Tone::Footer);
        }
    }
}

fn worth_knowing(model: &Model) -> Vec<(Action, String)> {
    let own = |it: &[(Action, &str)]| -> Vec<(Action, String)> {
        it.iter().map(|(action, word)| (*action, (*word).to_owned())).collect()
    };
    let Some(desk) = model.desk.as_ref().filter(|_| model.screen != Screen::Home) else {
        return own(&[
            (Action::Enter, "open"),
            (Action::FocusNext, "next list"),
            (Action::AddTarget, "add"),
            (Action::Search, "filter"),
            (Action::Refresh, "refresh"),
            (Action::Demo, "demo"),
            (Action::Help, "help"),
            (Action::Quit, "quit"),
        ]);
    };
    match (model.screen, desk.focus) {
        (Screen::Threads, _) => own(&[
            (Action::Enter, "open"),
            (Action::Search, "filter"),
            (Action::FilterStatus, "status"),
            (Action::FilterActor, "who is next"),
            (Action::Correct, "correct"),
            (Action::FilterBots, "bots"),
            (Action::Back, "back"),
            (Action::Help, "help"),
        ]),
        (Screen::Tasks, _) => own(&[
            (Action::Enter, "details"),
            (Action::CancelTask, "cancel"),
            (Action::RetryTask, "run again"),
            (Action::Back, "back"),
            (Action::Help, "help"),
        ]),
        (_, Focus::Files) => own(&[
            (Action::Enter, "open"),
            (Action::Viewed, "viewed"),
            (Action::FocusNext, "diff"),
            (Action::Help, "help"),
        ]),
        (_, Focus::Inspector) => own(&[
            (Action::Down, "next sentence"),
            (
                Action::CompareFull,
                if desk.inspector.full { "beside the diff" } else { "full screen" },
            ),
            (Action::Correct, "correct"),
            (Action::NextThread, "next thread"),
            (Action::Back, "back"),
            (Action::Help, "help"),
        ]),
        (_, Focus::Diff) => reading(desk),
    }
}

fn reading(desk: &Desk) -> Vec<(Action, String)> {
    let mut hints = Vec::new();
    let (new, edited) = desk.news.counts();
    if new + edited > 0 {
        hints.push((Action::NextFresh, format!("next of {} new", new + edited)));
    }
    if desk.aside.is_some() {
        hints.push((Action::Since, "another since, or the whole".to_owned()));
    }
    if desk.tally.open > 0 {
        hints.push((Action::NextThread, format!("next of {} unresolved", desk.tally.open)));
    } else if !desk.facts.is_empty() {
        hints.push((Action::NextAnyThread, "next thread".to_owned()));
    }
    if desk.nearest_thread().is_some() {
        hints.push((Action::Compare, "compare".to_owned()));
    }
    for (action, word) in [
        (Action::Viewed, "viewed"),
        (Action::NextFile, "next file"),
        (Action::ScreenThreads, "threads"),
        (Action::Help, "help"),
    ] {
        hints.push((action, word.to_owned()));
    }
    hints
}
