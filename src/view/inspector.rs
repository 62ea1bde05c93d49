//! The inspector and the full-screen comparison: a thread raw, its summary, and what rests on what.
//! Must not lay out words; the sheet did.

use crate::{
    app::{
        correct::history,
        desk::{Desk, Focus},
        facts,
        geometry::Rect,
        inspector::Tab,
        model::Model,
        sheet::{self, Sheet, SheetLine},
    },
    domain::{capture::Thread, text},
    summary::discussion::{NextActor, Origin, Status, ThreadSummary},
    view::{
        line::{Block, Line, Tone},
        overview,
        paint::{Border, Pen, block, count, thousands},
        talk, words,
    },
};

/// The pane with its border.
pub fn pane(model: &Model, desk: &Desk, rect: Rect) -> Vec<Block> {
    let focused = desk.focus == Focus::Inspector;
    let Some(at) = desk.inspector.thread else {
        return overview::pane(model, desk, rect);
    };
    let thread = &desk.review.capture.review_threads[at as usize];
    let rank = desk.reader.layout.pieces.rank.get(at as usize).map_or(0, |it| it + 1);
    let title = format!("Thread {rank}/{} · ", desk.facts.len());
    let right = [(tag(desk, at), Tone::Outdated)];
    let taken = text::width(&title) + text::width(&right[0].0) + 8;
    let room = usize::from(rect.width).saturating_sub(taken);
    let left =
        [(title, Tone::Strong), (text::clip_start(&words::anchor(thread), room), Tone::Text)];
    let border = Border { left: &left, right: &right, focused }.draw(rect);
    let inner = rect.inner();
    let (head, body) = split_rows(inner, desk.inspector.rows(inner).0);
    let view = View { model, desk, thread, at, focused };
    let mut blocks = vec![border, block(head, view.head(usize::from(head.width)), Tone::Text)];
    if desk.inspector.full && desk.inspector.tab == Tab::Compare {
        blocks.extend(view.columns(body));
    } else {
        blocks.extend(view.stack(body, desk.inspector.rows(inner).1));
    }
    blocks
}

fn tag(desk: &Desk, at: u32) -> String {
    let fact = &desk.facts[at as usize];
    let mut tags: Vec<String> = Vec::new();
    if fact.outdated {
        tags.push("outdated".to_owned());
    }
    if fact.pending {
        tags.push("pending".to_owned());
    }
    if let Some(reason) = &fact.minimized {
        tags.push(format!("hidden as {}", words::inline(reason)));
    }
    let raw = &desk.review.capture.review_threads[at as usize];
    if raw.viewer_can_reply == Some(false) {
        tags.push("locked".to_owned());
    }
    tags.join(" · ")
}

fn split_rows(rect: Rect, top: u16) -> (Rect, Rect) {
    let top = top.min(rect.height);
    (Rect { height: top, ..rect }, Rect { y: rect.y + top, height: rect.height - top, ..rect })
}

struct View<'a> {
    model: &'a Model,
    desk: &'a Desk,
    thread: &'a Thread,
    at: u32,
    focused: bool,
}

impl View<'_> {
    /// Tabs, status and sizes, where the summary came from.
    fn head(&self, width: usize) -> Vec<Line> {
        let mut tabs = Pen::new(width);
        for tab in Tab::ALL {
            let on = tab == self.desk.inspector.tab;
            tabs.write(if on { "▸" } else { " " }, Tone::Key);
            tabs.write(tab.title(), if on { Tone::Strong } else { Tone::Muted });
            tabs.write(" ", Tone::Text);
        }
        let Some(summary) = self.desk.summary_of(self.at) else {
            let status = Pen::new(width).put(&self.no_summary(), Tone::Running).line(Tone::Text);
            return vec![tabs.line(Tone::Text), status];
        };
        let sizes = sheet::sizes(self.thread, summary);
        let (mark, tone) = status(summary.status);
        let mut line = Pen::new(width).put(mark, tone);
        if summary.next_actor != NextActor::None {
            line.write(&format!("  {} next", words::next_actor(summary.next_actor)), Tone::Text);
        }
        let saved = (sizes.raw.saturating_sub(sizes.derived) * 100).checked_div(sizes.raw);
        let mut size = format!("{} → 1", count(sizes.comments, "comment"));
        if let Some(saved) = saved.filter(|it| *it > 0 && width > 60) {
            let raw = thousands(sizes.raw as u64);
            size = format!("{size}  {raw} → {} characters, {saved} % less", sizes.derived);
        }
        let line = line.right(&[(size, Tone::Muted)], Tone::Text);
        let source = Pen::new(width).put(&self.source(summary), Tone::Muted);
        vec![tabs.line(Tone::Text), line.line(Tone::Text), source.line(Tone::Text)]
    }

    /// Engine, model, prompt, digest: enough to tell one summary from another.
    fn source(&self, summary: &ThreadSummary) -> String {
        let origin = match summary.origin {
            Origin::Model => "model",
            Origin::Extractive => "extractive",
            Origin::Person => "corrected by a person",
        };
        let by = self.desk.corrections.current(&summary.thread_id);
        let by = by.filter(|_| summary.origin == Origin::Person);
        let mut parts = vec![match by {
            Some(it) => format!("corrected by {} on {}", history::author(it), history::day(it)),
            None => origin.to_owned(),
        }];
        if let Some(discussion) = &self.desk.discussion {
            let made = &discussion.provenance;
            if summary.origin == Origin::Model {
                parts.push(words::inline(&made.engine));
                parts.extend(made.model.as_deref().map(words::inline));
            }
            parts.push(format!("prompt {}", words::inline(&made.prompt_version)));
        }
        parts.push(format!("⟨{}⟩", summary.source_digest.short()));
        if summary.carried {
            parts.push("carried over".to_owned());
        }
        if summary.comments_omitted > 0 {
            parts.push(format!("{} left out", count(summary.comments_omitted as usize, "comment")));
        }
        parts.join(" · ")
    }

    fn no_summary(&self) -> String {
        let work = &self.model.work;
        if let Some(error) = &work.error {
            return format!("no summary: {}", words::inline(error));
        }
        let phase = work.current_phase();
        let steps = phase.and_then(|it| it.progress).map(|(done, all)| format!(" {done}/{all}"));
        match phase {
            Some(phase) => {
                let name = words::inline(&phase.name);
                format!("▶ the summary is being made: {name}{}", steps.unwrap_or_default())
            }
            None if work.ended => "no summary was made; S starts the run".to_owned(),
            None => "no summary yet".to_owned(),
        }
    }

    /// Summary above, raw talk below, or one of them.
    fn stack(&self, rect: Rect, rows: u16) -> Vec<Block> {
        let inspector = &self.desk.inspector;
        let width = usize::from(rect.width);
        let sheet = &inspector.sheet;
        let (top, rest) = split_rows(rect, rows);
        let skip = self.derived_skip(top.height);
        let mut blocks =
            vec![block(top, self.derived(sheet, width, skip, top.height, true), Tone::Text)];
        if inspector.tab == Tab::Summary {
            return blocks;
        }
        let (rule, raw) = split_rows(rest, u16::from(inspector.tab == Tab::Compare));
        blocks.push(block(rule, vec![self.rule(width)], Tone::Text));
        blocks.push(block(raw, self.raw(sheet, width, raw.height), Tone::Text));
        blocks
    }

    /// Rows of the summary scrolled away so that the sentence under the cursor shows.
    fn derived_skip(&self, height: u16) -> usize {
        let inspector = &self.desk.inspector;
        if inspector.tab != Tab::Compare {
            return inspector.derived_scroll;
        }
        let line = inspector.sheet.units.get(inspector.unit).map_or(0, |it| usize::from(it.line));
        let last = inspector.sheet.derived.len().saturating_sub(usize::from(height));
        line.saturating_sub(usize::from(height / 2)).min(last)
    }

    fn rule(&self, width: usize) -> Line {
        let noise = self.desk.inspector.sheet.raw.iter();
        let noise = noise.filter(|it| matches!(it, SheetLine::Head { noise: true, .. })).count();
        let label = if noise > 0 { format!("raw, {noise} left out ") } else { "raw ".to_owned() };
        let rest = "─".repeat(width.saturating_sub(label.chars().count() + 2));
        let pen = Pen::new(width).put("─ ", Tone::Border).put(&label, Tone::Muted);
        pen.put(&rest, Tone::Border).line(Tone::Text)
    }

    /// Raw left, derived right, the deterministic form third when it is another.
    fn columns(&self, rect: Rect) -> Vec<Block> {
        let inspector = &self.desk.inspector;
        let count = if inspector.plain.is_some() { 3 } else { 2 };
        let width = rect.width / count;
        let column =
            |at: u16| Rect { x: rect.x + at * width, width: width.saturating_sub(1), ..rect };
        let title = |rect: Rect, text: &str| {
            let line = Pen::new(usize::from(rect.width)).put(text, Tone::Title).line(Tone::Text);
            block(Rect { height: 1.min(rect.height), ..rect }, vec![line], Tone::Text)
        };
        let below = |rect: Rect| split_rows(rect, 1).1;
        let (raw, derived) = (column(0), column(1));
        let cells = usize::from(derived.width);
        let height = below(raw).height;
        let skip = self.derived_skip(height);
        let mut blocks = vec![
            title(raw, "Raw"),
            block(
                below(raw),
                self.raw(&inspector.sheet, usize::from(raw.width), height),
                Tone::Text,
            ),
            title(derived, "Summary"),
            block(
                below(derived),
                self.derived(&inspector.sheet, cells, skip, height, true),
                Tone::Text,
            ),
        ];
        if let Some(plain) = &inspector.plain {
            blocks.push(title(column(2), "Without a model"));
            blocks.push(block(
                below(column(2)),
                self.derived(plain, cells, 0, height, false),
                Tone::Text,
            ));
        }
        blocks
    }

    fn derived(
        &self,
        sheet: &Sheet,
        width: usize,
        skip: usize,
        height: u16,
        live: bool,
    ) -> Vec<Line> {
        let inspector = &self.desk.inspector;
        let comparing = inspector.tab == Tab::Compare && live;
        let rows = sheet.derived.iter().skip(skip).take(usize::from(height));
        rows.map(|row| {
            let mut pen = Pen::new(width);
            match row {
                SheetLine::Unit { unit, line } => {
                    let on = comparing && usize::from(*unit) == inspector.unit;
                    // The blank behind the bar takes no underline from it.
                    pen.write(
                        if on { "▌" } else { " " },
                        if on { Tone::Cited } else { Tone::Text },
                    );
                    pen.write(" ", Tone::Text);
                    words::runs(&mut pen, &line.runs);
                    let fill = match (on, self.focused) {
                        (true, true) => Tone::Cursor,
                        (true, false) => Tone::CursorDim,
                        _ => Tone::Text,
                    };
                    pen.line(fill)
                }
                SheetLine::Label(label) => pen.put(label, Tone::Title).line(Tone::Text),
                SheetLine::Check(check) => pen.put(check, Tone::Check).line(Tone::Text),
                _ => pen.line(Tone::Text),
            }
        })
        .collect()
    }

    fn raw(&self, sheet: &Sheet, width: usize, height: u16) -> Vec<Line> {
        let inspector = &self.desk.inspector;
        let cited = inspector.cited();
        let rows = sheet.raw.iter().skip(inspector.scroll).take(usize::from(height));
        rows.map(|row| {
            let mut pen = Pen::new(width);
            let (comment, is_noise) = match row {
                SheetLine::Head { comment, noise } => (*comment, *noise),
                SheetLine::Words { comment, .. } => (*comment, false),
                _ => return pen.line(Tone::Text),
            };
            let lit = cited.map(|it| it.contains(&comment));
            let (edge, tone) =
                if lit == Some(true) { ("▌", Tone::Cited) } else { (" ", Tone::Text) };
            pen.write(edge, tone);
            pen.write(" ", Tone::Text);
            match row {
                SheetLine::Head { .. } => self.raw_head(&mut pen, comment, is_noise, lit),
                SheetLine::Words { line, .. } if lit == Some(false) => {
                    pen.write(&line.text(), Tone::Uncited);
                }
                SheetLine::Words { line, .. } => {
                    talk::spoken(&mut pen, line, &self.desk.search.needle);
                }
                _ => {}
            }
            pen.line(Tone::Text)
        })
        .collect()
    }

    fn raw_head(&self, pen: &mut Pen, comment: u16, noise: bool, lit: Option<bool>) {
        let it = &self.thread.comments[usize::from(comment)];
        let tone = |it: Tone| match lit {
            Some(true) => Tone::Cited,
            Some(false) => Tone::Uncited,
            None => it,
        };
        pen.write(&format!("c{} ", comment + 1), tone(Tone::Muted));
        let (name, of) = words::author(it);
        pen.write(&name, tone(of));
        pen.write(words::bot_tag(it), tone(Tone::Bot));
        let age = words::when(it, self.model.now);
        if !age.is_empty() {
            pen.write(&format!(" · {age}"), tone(Tone::Muted));
        }
        words::about(pen, it, self.desk.news.of(it));
        if it.is_minimized == Some(true) {
            let reason = words::inline(&facts::reason(it));
            pen.write(&format!(" · hidden as {reason}"), Tone::Muted);
        }
        if noise {
            pen.write(" (process noise, left out)", Tone::Muted);
        }
    }
}

/// The word of a status, with its mark.
pub fn status(status: Status) -> (&'static str, Tone) {
    match status {
        Status::Unresolved => ("⚑ UNRESOLVED", Tone::Unresolved),
        Status::Settled => ("✓ SETTLED", Tone::Settled),
        Status::Noted => ("✓ NOTED", Tone::Noted),
    }
}
