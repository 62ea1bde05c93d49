//! The editor of a summary: status, text, where the text comes from, and the keys. Must not edit.

use crate::{
    app::{
        correct::{
            Editor, FRAME_ROWS, STATUSES, Source,
            area::{cells, shown},
            place, text_width,
        },
        geometry::Rect,
        model::Model,
    },
    domain::text,
    summary::correction,
    view::{
        inspector,
        line::{Line, Screen, Tone},
        paint::{Border, Pen, block},
        words,
    },
};

/// Draws the editor over the screen.
pub fn over(model: &Model, editor: &Editor, screen: &mut Screen) {
    let Some(desk) = &model.desk else { return };
    let Some(at) = desk.thread_of(&editor.thread) else { return };
    let thread = &desk.review.capture.review_threads[at as usize];
    let rect = place(model);
    let title = "Correct the summary · ";
    let room = usize::from(rect.width).saturating_sub(text::width(title) + 22);
    let anchor = text::clip_start(&words::anchor(thread), room);
    let left = [(title.to_owned(), Tone::Strong), (anchor, Tone::Text)];
    let (length, limit) = editor.length(thread);
    let tone = if length > limit { Tone::Error } else { Tone::Muted };
    let right = [(format!("{length}/{limit}"), tone)];
    screen.blocks.push(Border { left: &left, right: &right, focused: true }.draw(rect));
    let inner = rect.inner();
    let width = usize::from(inner.width);
    let height = usize::from(inner.height.saturating_sub(FRAME_ROWS));
    let mut lines = vec![status(editor, width)];
    lines.extend(words_of(editor, rect, height, screen));
    lines.push(remark(editor, width));
    let saving = desk.corrections.saving.is_some();
    lines.push(if saving {
        Pen::new(width).put(" saving …", Tone::Running).line(Tone::Text)
    } else {
        keys(editor, desk.corrections.draft(&editor.thread).is_some(), width)
    });
    screen.blocks.push(block(inner, lines, Tone::Text));
}

/// The statuses, the chosen one marked.
fn status(editor: &Editor, width: usize) -> Line {
    let mut pen = Pen::new(width).put(" ", Tone::Text);
    for it in STATUSES {
        let (word, tone) = inspector::status(it);
        let on = it == editor.status;
        pen.write(if on { "▸" } else { " " }, Tone::Key);
        pen.write(word, if on { tone } else { Tone::Muted });
        pen.write("  ", Tone::Text);
    }
    let begins = format!("begins “{}” ", correction::opening(editor.status).trim_end());
    pen.right(&[(begins, Tone::Muted)], Tone::Text).line(Tone::Text)
}

/// The rows of text around the cursor.
fn words_of(editor: &Editor, rect: Rect, height: usize, screen: &mut Screen) -> Vec<Line> {
    let (inner, width) = (rect.inner(), text_width(rect));
    let rows = editor.area.rows(width);
    let (row, column) = editor.area.caret(width);
    let top = (row + 1).saturating_sub(height);
    let x = inner.x + 1 + column.min(width) as u16;
    screen.cursor = Some((x, inner.y + 1 + (row - top) as u16));
    let mut lines: Vec<Line> = rows
        .into_iter()
        .skip(top)
        .take(height)
        .map(|it| {
            let part = editor.area.text()[it].trim_end_matches(' ');
            debug_assert!(cells(part) <= width, "a row is as wide as the editor");
            let pen = Pen::new(usize::from(inner.width)).put(" ", Tone::Text);
            pen.put(&shown(part), Tone::Text).line(Tone::Text)
        })
        .collect();
    lines.resize(height, Line::default());
    lines
}

/// Where the text comes from, or what is wrong.
fn remark(editor: &Editor, width: usize) -> Line {
    let pen = Pen::new(width).put(" ", Tone::Text);
    if let Some(complaint) = &editor.complaint {
        return pen.put(&words::inline(complaint), Tone::Warning).line(Tone::Text);
    }
    let source = match editor.source() {
        None | Some(Source::Draft { .. }) if editor.is_unchanged() => "as it stands".to_owned(),
        None | Some(Source::Draft { .. }) => "what you typed; it is kept as a draft".to_owned(),
        Some(Source::Summary) => "the summary as it stands".to_owned(),
        Some(Source::Extract) => "the summary without a model".to_owned(),
        Some(Source::Correction { author, day }) => format!("as {author} had it, {day}"),
    };
    let more = editor.offers.len();
    let source = if more > 1 { format!("{}/{more} {source}", editor.at + 1) } else { source };
    pen.put(&source, Tone::Muted).line(Tone::Text)
}

fn keys(editor: &Editor, draft: bool, width: usize) -> Line {
    let mut all = vec![("Ctrl-s", "save"), ("Esc", "leave"), ("Tab", "status")];
    if editor.offers.len() > 1 {
        all.push(("Ctrl-p", "other texts"));
    }
    if draft {
        all.push(("Ctrl-x", "discard"));
    }
    all.push(("Ctrl-e", "$EDITOR"));
    let mut pen = Pen::new(width).put(" ", Tone::Text);
    for (key, word) in all {
        if text::width(key) + text::width(word) + 3 <= pen.room() {
            pen.write(key, Tone::Key);
            pen.write(&format!(" {word}  "), Tone::Text);
        }
    }
    pen.line(Tone::Text)
}
