//! A Markdown table in columns when it fits, and row by row when it does not.
//! Must not cut a cell: what does not fit wraps.

use crate::{
    app::prose::{Line, Mark, Run, wrap::wrap},
    domain::text,
};

/// Rows of cells, the first row being the head.
pub type Rows = Vec<Vec<Vec<Run>>>;

/// The table's lines.
pub fn draw(rows: &Rows, cells: usize) -> Vec<Line> {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let mut widths = vec![0; count];
    for row in rows {
        for (at, cell) in row.iter().enumerate() {
            widths[at] = widths[at].max(cells_of(cell));
        }
    }
    let needed = widths.iter().sum::<usize>() + 3 * count.saturating_sub(1);
    let mut lines = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        if needed <= cells {
            lines.push(Line::of(aligned(row, &widths, at == 0)));
        } else {
            lines.extend(wrap(&joined(row, at == 0), cells).into_iter().map(Line::of));
        }
        if at == 0 {
            let rule = if needed <= cells { needed } else { cells.min(8) };
            lines.push(Line::of(vec![Run::new("─".repeat(rule), Mark::Muted)]));
        }
    }
    lines
}

fn aligned(row: &[Vec<Run>], widths: &[usize], head: bool) -> Vec<Run> {
    let mut runs = Vec::new();
    for (at, width) in widths.iter().enumerate() {
        let cell = row.get(at).map(Vec::as_slice).unwrap_or_default();
        if at > 0 {
            runs.push(Run::new(" │ ", Mark::Muted));
        }
        runs.extend(marked(cell, head));
        let pad = width - cells_of(cell);
        if pad > 0 && at + 1 < widths.len() {
            runs.push(Run::new(" ".repeat(pad), Mark::Plain));
        }
    }
    runs
}

fn joined(row: &[Vec<Run>], head: bool) -> Vec<Run> {
    let mut runs = Vec::new();
    for (at, cell) in row.iter().enumerate() {
        if at > 0 {
            runs.push(Run::new(" │ ", Mark::Muted));
        }
        runs.extend(marked(cell, head));
    }
    runs
}

fn marked(cell: &[Run], head: bool) -> impl Iterator<Item = Run> {
    cell.iter()
        .map(move |it| if head { Run::new(it.text.clone(), Mark::Strong) } else { it.clone() })
}

fn cells_of(cell: &[Run]) -> usize {
    cell.iter().map(|it| text::width(&it.text)).sum()
}
