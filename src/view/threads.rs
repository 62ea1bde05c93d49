//! The list of all threads, one line each. Must not sort or filter; the model did.

use crate::{
    app::{
        age::age,
        desk::Desk,
        geometry::Rect,
        model::Model,
        threads::{ActorFilter, Filter, ListRow, StatusFilter},
    },
    domain::text,
    summary::discussion::NextActor,
    view::{
        line::{Block, Line, Tone},
        paint::{Border, Pen, block},
        talk, words,
    },
};

/// The screen's body.
pub fn screen(model: &Model, desk: &Desk, rect: Rect) -> Vec<Block> {
    let left = title(desk);
    let right = vec![(filters(&desk.threads.filter), Tone::Muted)];
    let border = Border { left: &left, right: &right, focused: true }.draw(rect);
    let inner = rect.inner();
    let width = usize::from(inner.width);
    let list = &desk.threads;
    let rows = list.rows.iter().enumerate().skip(list.top).take(usize::from(inner.height));
    let mut lines: Vec<Line> = rows
        .map(|(at, row)| {
            let mut line = match row {
                ListRow::Group { standing, count } => {
                    let text = format!(" {} ({count})", words::standing(*standing));
                    Pen::new(width).put(&text, Tone::Title).line(Tone::Text)
                }
                ListRow::Thread(thread) => entry(model, desk, *thread, width),
            };
            if at == list.cursor {
                line.fill = Tone::Cursor;
            }
            line
        })
        .collect();
    if list.rows.is_empty() {
        let text = if desk.facts.is_empty() {
            " this pull request has no threads on its code"
        } else {
            " the filters hide every thread; x shows them again"
        };
        lines.push(Pen::new(width).put(text, Tone::Muted).line(Tone::Text));
    }
    vec![border, block(inner, lines, Tone::Text)]
}

fn title(desk: &Desk) -> Vec<(String, Tone)> {
    let all = desk.facts.len();
    let shown = all - desk.threads.hidden;
    let mut parts = vec![(format!("Threads {shown}"), Tone::Strong)];
    if desk.threads.hidden > 0 {
        parts.push((format!(" of {all}"), Tone::Warning));
    }
    let (new, edited) = desk.news.counts();
    for (number, word) in [(new, "new"), (edited, "edited")] {
        if number > 0 {
            parts.push((format!(" · ● {number} {word}"), Tone::Match));
        }
    }
    match desk.news.gone {
        0 => {}
        1 => parts.push((" · 1 comment is gone".to_owned(), Tone::Muted)),
        it => parts.push((format!(" · {it} comments are gone"), Tone::Muted)),
    }
    let extent = &desk.review.capture.completeness.review_threads;
    if let (Some(fetched), Some(total)) = (extent.fetched, extent.total)
        && fetched < total
    {
        parts.push((format!(" · the capture holds {fetched} of {total}"), Tone::Warning));
    }
    parts
}

fn filters(filter: &Filter) -> String {
    let mut parts = Vec::new();
    if filter.status != StatusFilter::All {
        parts.push(filter.status.title().to_owned());
    }
    if filter.actor != ActorFilter::All {
        parts.push(format!("{} next", filter.actor.title()));
    }
    if filter.bots_hidden {
        parts.push("no bots".to_owned());
    }
    if !filter.text.is_empty() {
        parts.push(format!("/{}", words::inline(&filter.text)));
    }
    parts.join(" · ")
}

fn entry(model: &Model, desk: &Desk, at: u32, width: usize) -> Line {
    let thread = &desk.review.capture.review_threads[at as usize];
    let fact = &desk.facts[at as usize];
    let (mark, tone) = words::mark(fact);
    let mut pen = Pen::new(width).put(" ", Tone::Text).put(mark, tone);
    pen.write(if fact.outdated { "◌ " } else { "  " }, Tone::Outdated);
    let summary = desk.summary_of(at);
    if width >= 70 {
        let next = summary.map_or(NextActor::None, |it| it.next_actor);
        pen.write(&text::fit(words::next_actor(next), 9), Tone::Text);
    }
    let room = (width / 4).clamp(12, 40);
    let anchor = words::anchor(thread);
    pen.write(&text::fit(&text::clip_start(&anchor, room), room), Tone::Muted);
    pen.write(" ", Tone::Text);
    let mut right = Vec::new();
    if let Some(last) = thread.comments.last() {
        let (name, tone) = words::author(last);
        right.push((format!(" {}", text::clip(&name, 16)), tone));
        let age = age(last.created_at.as_deref(), model.now);
        right.push((format!(" {age:>4} "), Tone::Muted));
    }
    let checks = summary.map_or(&[][..], |it| it.checks.as_slice());
    if let Some(first) = checks.first() {
        let more = if checks.len() > 1 { format!(" +{}", checks.len() - 1) } else { String::new() };
        // Where there is little room the kind is enough; Compare has the reason.
        let kind = first.split_once(':').map_or(first.as_str(), |it| it.0);
        let (said, room) = if width < 100 { (kind, 8) } else { (first.as_str(), 20) };
        let word = text::clip(&words::inline(said), room);
        right.insert(0, (format!(" ! {word}{more}"), Tone::Check));
    }
    let special = match &fact.minimized {
        _ if fact.pending => Some(" pending".to_owned()),
        Some(_) if width < 100 => Some(" hidden".to_owned()),
        Some(reason) => Some(format!(" hidden as {}", words::inline(reason))),
        None => None,
    };
    if let Some(special) = special {
        let tone = if fact.pending { Tone::Warning } else { Tone::Muted };
        right.insert(0, (text::clip(&special, 22), tone));
    }
    let mut marked = Pen::new(10);
    if let Some(fresh) = fact.fresh {
        words::fresh(&mut marked, fresh);
    }
    for span in marked.line(Tone::Text).spans {
        right.insert(0, (span.text, span.tone));
    }
    let taken: usize = right.iter().map(|it| text::width(&it.0)).sum();
    let gist = talk::gist(desk, at);
    let room = pen.room().saturating_sub(taken + 1);
    let tone = if fact.is_open() { Tone::Text } else { Tone::Muted };
    pen.write(&text::clip(&gist, room), tone);
    pen.right(&right, Tone::Text).line(Tone::Text)
}
