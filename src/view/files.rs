//! The file list: folders and files with their counts. Must not walk more than it shows.

use crate::{
    app::{
        desk::{Arrival, Desk, Focus},
        files::{Node, NodeKind},
        geometry::Rect,
    },
    domain::{
        diff::Change,
        text::{self, Surface},
    },
    view::{
        line::{Block, Line, Tone},
        paint::{Border, Pen, block},
        words,
    },
};

/// The pane with its border.
pub fn pane(desk: &Desk, rect: Rect) -> [Block; 2] {
    let focused = desk.focus == Focus::Files;
    let mut left = vec![(format!("Files {}", desk.review.diff.files.len()), Tone::Strong)];
    match desk.arrival {
        Arrival::Whole => {}
        Arrival::Growing(_) | Arrival::Begun(_) => left.push((" …".to_owned(), Tone::Running)),
        Arrival::Cut => left.push((" cut short".to_owned(), Tone::Warning)),
    }
    let extent = &desk.review.capture.completeness.files;
    if let (Some(fetched), Some(total)) = (extent.fetched, extent.total)
        && fetched < total
    {
        left = vec![(format!("Files {fetched} of {total}"), Tone::Warning)];
    }
    let viewed = desk.viewed.files.len();
    let mut right = Vec::new();
    let changed = desk.viewed.changed.len();
    if changed > 0 {
        right.push((format!("~ {changed} changed "), Tone::Warning));
    }
    if viewed > 0 {
        right.push((format!("✓ {viewed} viewed"), Tone::Muted));
    }
    let border = Border { left: &left, right: &right, focused }.draw(rect);
    let inner = rect.inner();
    let width = usize::from(inner.width);
    let rows = desk.files.visible.iter().enumerate().skip(desk.files.top);
    let mut lines: Vec<Line> = rows
        .take(usize::from(inner.height))
        .map(|(at, node)| {
            let mut line = entry(desk, &desk.files.nodes[*node as usize], width);
            if at == desk.files.cursor {
                line.fill = if focused { Tone::Cursor } else { Tone::CursorDim };
            }
            line
        })
        .collect();
    let elsewhere = desk.files.elsewhere;
    if lines.len() < usize::from(inner.height) && elsewhere.open + elsewhere.closed() > 0 {
        let mut counts = Pen::new(12);
        words::tally(&mut counts, &elsewhere);
        lines.push(ending(Pen::new(width).put(" not in this diff", Tone::Warning), counts, width));
    }
    [border, block(inner, lines, Tone::Text)]
}

fn entry(desk: &Desk, node: &Node, width: usize) -> Line {
    let mut pen = Pen::new(width);
    pen.write(&" ".repeat(1 + usize::from(node.depth) * 2), Tone::Text);
    let label = text::display(&node.label, Surface::Code { tab_width: 1 });
    match node.kind {
        NodeKind::Folder { folded, .. } => {
            pen.write(if folded { "▸ " } else { "▾ " }, Tone::Muted);
            pen.put(&label, Tone::Muted).line(Tone::Text)
        }
        NodeKind::File { file } => {
            let diff = &desk.review.diff.files[file as usize];
            let mut tail = Pen::new(width / 2);
            words::tally(&mut tail, &desk.files.tallies[file as usize]);
            let (added, removed) =
                (format!(" +{}", diff.additions), format!(" −{}", diff.deletions));
            let needed = pen.used() + 2 + text::width(&label) + added.len() + removed.len();
            if tail.used() == 0 && needed <= width + 2 && diff.additions + diff.deletions > 0 {
                tail.write(&added, Tone::CountAdded);
                tail.write(&removed, Tone::CountRemoved);
            }
            let viewed = desk.viewed.files.contains(&file);
            let (sign, tone) = match diff.change {
                _ if viewed => ("✓ ", Tone::Muted),
                // Changed since it was viewed.
                _ if desk.viewed.changed.contains(&file) => ("~ ", Tone::Text),
                Change::Added => ("+ ", Tone::CountAdded),
                Change::Removed => ("- ", Tone::Removed),
                Change::Renamed(_) | Change::Copied(_) => ("→ ", Tone::Text),
                _ => ("  ", Tone::Text),
            };
            let changed = desk.viewed.changed.contains(&file);
            let sign_tone = match diff.change {
                _ if changed => Tone::Warning,
                Change::Added if !viewed => Tone::CountAdded,
                Change::Removed if !viewed => Tone::CountRemoved,
                _ => Tone::Muted,
            };
            pen.write(sign, sign_tone);
            let tone = if viewed { tone } else { Tone::Text };
            let room = width.saturating_sub(pen.used() + tail.used());
            pen.write(&text::clip(&label, room), tone);
            ending(pen, tail, width)
        }
    }
}

fn ending(mut pen: Pen, tail: Pen, width: usize) -> Line {
    pen.pad_to(width.saturating_sub(tail.used()), Tone::Text);
    for span in tail.line(Tone::Text).spans {
        pen.write(&span.text, span.tone);
    }
    pen.line(Tone::Text)
}
