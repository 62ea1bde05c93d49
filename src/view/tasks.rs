//! The tasks of the run: a table, and one task in full. Must not count time; the reports did.

use crate::{
    app::{
        age::span,
        geometry::Rect,
        model::Model,
        work::{self, Work},
    },
    domain::{capture::sum, text},
    task::state::{State, TaskReport},
    view::{
        chrome,
        line::{Block, Line, Tone},
        paint::{Border, Pen, block, thousands},
        words,
    },
};

/// The screen's body.
pub fn screen(model: &Model, rect: Rect) -> Vec<Block> {
    let left = [(format!("Tasks {}", model.work.tasks.len()), Tone::Strong)];
    let total = total(&model.work);
    let right = [(total, Tone::Muted)];
    let border = Border { left: &left, right: &right, focused: true }.draw(rect);
    let inner = rect.inner();
    let width = usize::from(inner.width);
    let mut lines = vec![heading(width)];
    for (at, task) in model.work.tasks.iter().enumerate() {
        let mut line = row(model, task, width);
        if at == model.work.cursor {
            line.fill = Tone::Cursor;
        }
        lines.push(line);
    }
    if model.work.tasks.is_empty() {
        lines.push(
            Pen::new(width).put(" no task yet; S starts the run", Tone::Muted).line(Tone::Text),
        );
    }
    lines.push(Line::default());
    let current = model.work.current();
    match current {
        Some(task) if model.work.opened => lines.extend(details(model, task, width)),
        _ => lines.extend(phases(model, width)),
    }
    lines.extend(said(model, width));
    vec![border, block(inner, lines, Tone::Text)]
}

fn total(work: &Work) -> String {
    let tokens = sum(work.tasks.iter().flat_map(|it| [it.tokens_in, it.tokens_out]));
    let cost: f64 = work.tasks.iter().filter_map(|it| it.cost_usd).sum();
    let mut parts = Vec::new();
    if tokens > 0 {
        parts.push(format!("{} tokens", thousands(tokens)));
    }
    if cost > 0.0 {
        parts.push(format!("${cost:.2}"));
    }
    parts.join(" · ")
}

/// How many cells each column of the table has; none is cut that a narrow screen has no use for.
struct Columns {
    phase: usize,
    task: usize,
    state: usize,
    attempt: usize,
    time: usize,
    engine: usize,
}

impl Columns {
    fn of(width: usize) -> Self {
        let (phase, state, engine) = if width >= 110 { (14, 18, 22) } else { (10, 16, 12) };
        let (attempt, time) = (if width >= 70 { 4 } else { 0 }, 8);
        let rest = width.saturating_sub(phase + state + engine + attempt + time);
        Self { phase, task: rest.clamp(12, 30), state, attempt, time, engine }
    }
}

/// Cells of the columns behind the engine: tokens, cost, source.
const BEHIND: usize = 27;

fn heading(width: usize) -> Line {
    let it = Columns::of(width);
    let mut pen = Pen::new(width);
    for (title, cells) in [
        (" phase", it.phase),
        ("task", it.task),
        ("state", it.state),
        ("try", it.attempt),
        ("time", it.time),
        ("engine", it.engine),
    ] {
        pen.write(&text::fit(title, cells), Tone::Muted);
    }
    if pen.room() >= BEHIND {
        pen.write("tokens in/out  cost  source", Tone::Muted);
    }
    pen.line(Tone::Text)
}

fn row(model: &Model, task: &TaskReport, width: usize) -> Line {
    let it = Columns::of(width);
    let mut pen = Pen::new(width);
    // One cell of each column stays free before the next.
    let mut put = |text: &str, cells: usize, tone| {
        pen.write(&text::fit(&text::clip(text, cells.saturating_sub(1)), cells), tone);
    };
    let (sign, tone) = sign(&task.state);
    put(&format!(" {}", words::inline(&task.phase)), it.phase, Tone::Text);
    put(&words::inline(&task.task_id), it.task, Tone::Strong);
    let steps = task.progress.map_or_else(String::new, |(done, all)| format!(" {done}/{all}"));
    put(&format!("{sign} {}{steps}", work::word(&task.state)), it.state, tone);
    put(&task.attempt.to_string(), it.attempt, Tone::Muted);
    put(&span(elapsed(model, task)), it.time, Tone::Text);
    put(&engine(task), it.engine, Tone::Text);
    if pen.room() >= BEHIND {
        let tokens = format!("{}/{}", thousands(task.tokens_in), thousands(task.tokens_out));
        pen.write(&text::fit(&tokens, 15), Tone::Muted);
        let cost = task.cost_usd.map_or_else(|| "–".to_owned(), |it| format!("${it:.2}"));
        pen.write(&text::fit(&cost, 6), Tone::Muted);
        pen.write(task.source.as_deref().unwrap_or("–"), Tone::Text);
    }
    if let Some(stale) = &task.stale {
        pen.write(&format!(" · {} changed", words::inline(stale)), Tone::Warning);
    }
    pen.line(Tone::Text)
}

/// Time so far: what the report says, or what passed since it started while it runs.
fn elapsed(model: &Model, task: &TaskReport) -> u64 {
    let started = task.started_at.as_deref().and_then(|it| it.parse::<jiff::Timestamp>().ok());
    match (&task.state, started) {
        (State::Running { .. }, Some(started)) => {
            let passed = model.now.saturating_sub(started.as_second()).max(0) as u64 * 1_000;
            passed.max(task.elapsed_ms)
        }
        _ => task.elapsed_ms,
    }
}

fn engine(task: &TaskReport) -> String {
    let model = task.model.as_deref().map(|it| format!(" {}", words::inline(it)));
    format!("{}{}", words::inline(&task.engine), model.unwrap_or_default())
}

fn sign(state: &State) -> (&'static str, Tone) {
    match state {
        State::Queued => ("·", Tone::Waiting),
        State::Running { .. } => ("▶", Tone::Running),
        State::Succeeded | State::Loaded => ("✓", Tone::Done),
        State::Skipped { .. } | State::Cancelled => ("–", Tone::Muted),
        State::Interrupted => ("!", Tone::Warning),
        _ => ("✗", Tone::Failed),
    }
}

fn details(model: &Model, task: &TaskReport, width: usize) -> Vec<Line> {
    let tokens = format!(
        "{} in, {} out, {} cached",
        thousands(task.tokens_in),
        thousands(task.tokens_out),
        thousands(task.tokens_cached)
    );
    let mut facts = vec![
        ("task", words::inline(&task.task_id)),
        ("state", work::word(&task.state).to_owned()),
        ("engine", engine(task)),
        ("fingerprint", words::inline(&task.fingerprint)),
        ("attempt", task.attempt.to_string()),
        ("source", task.source.clone().unwrap_or_else(|| "–".to_owned())),
        ("tokens", tokens),
        (
            "cost",
            task.cost_usd.map_or_else(|| "none reported".to_owned(), |it| format!("${it:.4}")),
        ),
        ("time", span(elapsed(model, task))),
    ];
    if let Some(run) = &task.run {
        facts.insert(1, ("run", words::inline(run)));
    }
    if let Some(stale) = &task.stale {
        facts.push(("stale", format!("{} changed since the last result", words::inline(stale))));
    }
    if let Some(reason) = work::reason(&task.state) {
        facts.push(("reason", words::inline(reason)));
    }
    let mut lines = Vec::new();
    for (name, value) in facts {
        for (at, part) in text::wrap(&value, width.saturating_sub(16).max(10)).iter().enumerate() {
            let name = if at == 0 { name } else { "" };
            let pen = Pen::new(width).put(&format!(" {name:<13}"), Tone::Muted);
            lines.push(pen.put(part, Tone::Text).line(Tone::Text));
        }
    }
    lines
}

/// What was said lately, newest first: notices fade, their log stays.
fn said(model: &Model, width: usize) -> Vec<Line> {
    if model.notices.all.is_empty() {
        return Vec::new();
    }
    let head = Pen::new(width).put(" said lately", Tone::Muted).line(Tone::Text);
    let said = model.notices.all.iter().rev().take(8).flat_map(|it| {
        let ago = format!(" {:>5}  ", span((model.now - it.at).max(0) as u64 * 1_000));
        let tone = if it.error { Tone::Error } else { Tone::Text };
        let parts = text::wrap(&words::inline(&it.text), width.saturating_sub(9).max(10));
        parts.into_iter().enumerate().map(move |(at, part)| {
            let before = if at == 0 { ago.clone() } else { " ".repeat(8) };
            Pen::new(width).put(&before, Tone::Muted).put(&part, tone).line(Tone::Text)
        })
    });
    [Line::default(), head].into_iter().chain(said).collect()
}

fn phases(model: &Model, width: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    for phase in &model.work.phases {
        let (sign, tone) = chrome::status(phase.status);
        let mut pen = Pen::new(width);
        pen.write(&text::fit(&format!(" {}", words::inline(&phase.name)), 14), Tone::Text);
        pen.write(sign, tone);
        if let Some((done, all)) = phase.progress {
            pen.write(&format!(" {done}/{all}"), Tone::Text);
        }
        if let Some(reason) = &phase.reason {
            pen.write(&format!(" {}", words::inline(reason)), Tone::Muted);
        }
        lines.push(pen.line(Tone::Text));
    }
    lines
}
