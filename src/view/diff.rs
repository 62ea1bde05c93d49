//! The diff screen: panes around the rows, and each row as a line. Draws a screenful, never more.

use crate::{
    app::{
        code::PARTS,
        desk::{Desk, Focus},
        geometry::Rect,
        layout::{
            digits, gutter, half_gutter, halves,
            row::{NO_LINE, Row, Spot},
        },
        model::Model,
    },
    domain::{
        anchor::Place,
        diff::{FileDiff, LineKind, Side},
    },
    view::{
        code::{self, Window},
        file, files, inspector,
        line::{Block, Line, Tone},
        paint::{Border, Pen, block},
        talk,
    },
};
use std::collections::HashSet;

/// All panes of the diff screen.
pub fn screen(model: &Model, desk: &Desk) -> Vec<Block> {
    let panes = model.panes();
    let mut blocks = Vec::new();
    let covered = panes.overlay && desk.inspector.full;
    if !covered {
        if let Some(rect) = panes.files {
            blocks.extend(files::pane(desk, rect));
        }
        blocks.extend(pane(model, desk, panes.main));
    }
    if let Some(rect) = panes.inspector {
        blocks.extend(inspector::pane(model, desk, rect));
    }
    blocks
}

fn pane(model: &Model, desk: &Desk, rect: Rect) -> [Block; 2] {
    let focused = desk.focus == Focus::Diff;
    let (left, right) = titles(desk);
    let border = Border { left: &left, right: &right, focused }.draw(rect);
    let inner = rect.inner();
    let painter = Painter::new(model, desk, usize::from(inner.width));
    let cursor = desk.reader.at.cursor;
    let rows = desk.reader.layout.window(desk.reader.at.top, usize::from(inner.height));
    let lines = rows.map(|(spot, row)| {
        let mut line = painter.row(spot, row);
        if spot == cursor {
            line.fill = if focused { Tone::Cursor } else { Tone::CursorDim };
        }
        line
    });
    [border, block(inner, lines.collect(), Tone::Text)]
}

type Title = Vec<(String, Tone)>;

fn titles(desk: &Desk) -> (Title, Title) {
    let Some(at) = desk.current_file() else { return (Vec::new(), Vec::new()) };
    let diff = &desk.review.diff.files[at as usize];
    let left = vec![
        (file::path(diff), Tone::Strong),
        (format!("  +{}", diff.additions), Tone::CountAdded),
        (format!(" −{}", diff.deletions), Tone::CountRemoved),
    ];
    let mut right = Vec::new();
    if let Some(aside) = &desk.aside {
        right.push((format!("since {} · ", aside.since.point.title()), Tone::Warning));
    }
    if desk.reader.look.whitespace_hidden {
        right.push(("whitespace hidden · ".to_owned(), Tone::Warning));
    }
    if desk.reader.at.left > 0 {
        right.push((format!("« {} · ", desk.reader.at.left), Tone::Muted));
    }
    let hunk = desk.current_line().filter(|it| it.0 == at).and_then(|it| diff.hunk_of(it.1));
    if let Some(hunk) = hunk {
        right.push((format!("hunk {}/{}", hunk + 1, diff.hunks.len()), Tone::Muted));
    } else if !diff.hunks.is_empty() {
        let hunks = if diff.hunks.len() == 1 { "hunk" } else { "hunks" };
        right.push((format!("{} {hunks}", diff.hunks.len()), Tone::Muted));
    }
    (left, right)
}

/// Draws rows of one frame.
struct Painter<'a> {
    model: &'a Model,
    desk: &'a Desk,
    width: usize,
    /// Lines of ranges that threads in sight cover, with their side.
    ranges: HashSet<(u32, u32)>,
    empty: Vec<std::ops::Range<usize>>,
}

impl<'a> Painter<'a> {
    fn new(model: &'a Model, desk: &'a Desk, width: usize) -> Self {
        let mut painter = Self { model, desk, width, ranges: HashSet::new(), empty: Vec::new() };
        painter.find_ranges();
        painter
    }

    /// Which lines in sight a thread of several lines covers: a thread in or just below the
    /// pieces that show.
    fn find_ranges(&mut self) {
        let (layout, at) = (&self.desk.reader.layout, self.desk.reader.at);
        let mut last = None;
        for (spot, _) in layout.window(at.top, at.height as usize) {
            if last == Some(spot.piece) {
                continue;
            }
            last = Some(spot.piece);
            self.ranges_of(spot.piece);
        }
        if let Some(piece) = last {
            self.ranges_of(piece + 1);
        }
    }

    fn ranges_of(&mut self, piece: u32) {
        /// Longer ranges are marked at their end only.
        const LONGEST: u32 = 400;
        let pieces = &self.desk.reader.layout.pieces;
        let Some(piece) = pieces.all.get(piece as usize) else { return };
        for thread in pieces.threads(piece) {
            let place = &self.desk.review.placement.places[*thread as usize];
            if let Place::Line { file, line, side, start: Some(start), .. } = place {
                let lines = (*start).max(line.saturating_sub(LONGEST))..=*line;
                let diff = &self.desk.review.diff.files[*file as usize];
                let on = |at: &u32| {
                    diff.lines.get(*at as usize).is_some_and(|it| it.number(*side).is_some())
                };
                self.ranges.extend(lines.filter(on).map(|line| (*file, line)));
            }
        }
    }

    fn row(&self, spot: Spot, row: Row) -> Line {
        let pen = Pen::new(self.width);
        match row {
            Row::Blank => Line::default(),
            Row::File { file } => file::header(self.desk, file, self.width),
            Row::Note { file, note } => file::note(self.desk, file, note, self.width),
            Row::List { file, list } => file::list(self.desk, (spot.piece, file), list, self.width),
            Row::Hunk { file, hunk } => self.hunk(pen, file, hunk),
            Row::Code { file, line, part } => self.code(pen, spot, (file, line, part)),
            Row::Pair { file, left, right, part } => {
                self.pair(pen, spot, file, (left, right), part)
            }
            Row::Hidden { count, .. } => pen
                .put(
                    &format!("    ≈ {count} lines that differ in whitespace only; W shows them"),
                    Tone::Muted,
                )
                .line(Tone::Text),
            Row::Thread { thread, line } => self.thread(pen, thread, line),
            Row::Said { entry, line } => {
                let mut pen = pen;
                talk::said(&mut pen, self.desk, (entry, line), self.model.now);
                pen.line(Tone::Text)
            }
        }
    }

    fn hunk(&self, pen: Pen, file: u32, hunk: u32) -> Line {
        let diff = &self.desk.review.diff.files[file as usize];
        let it = &diff.hunks[hunk as usize];
        let range =
            format!("@@ -{},{} +{},{} @@ ", it.old_start, it.old_count, it.new_start, it.new_count);
        let section = diff.section(it);
        let section = section.inline();
        pen.put(&range, Tone::HunkHeader)
            .put(section.trim(), Tone::HunkHeader)
            .line(Tone::HunkHeader)
    }

    fn file(&self, at: u32) -> &FileDiff {
        &self.desk.review.diff.files[at as usize]
    }

    fn code(&self, mut pen: Pen, spot: Spot, (file, line, part): (u32, u32, u16)) -> Line {
        let diff = self.file(file);
        let it = &diff.lines[line as usize];
        let width = digits(diff);
        self.edge(&mut pen, file, line);
        let number = |it: u32| if it > 0 && part == 0 { it.to_string() } else { String::new() };
        let tone = gutter_tone(it.kind);
        pen.write(&format!("{:>width$} {:>width$} ", number(it.old), number(it.new)), tone);
        sign(&mut pen, it.kind, part);
        let room = self.width.saturating_sub(gutter(diff));
        self.window(&mut pen, spot, (file, line, part), room);
        pen.line(code::tone(it.kind))
    }

    /// The first cell of a row: whether a thread's range covers the line.
    fn edge(&self, pen: &mut Pen, file: u32, line: u32) {
        let covered = self.ranges.contains(&(file, line));
        pen.write(if covered { "▌" } else { " " }, Tone::ThreadBar);
    }

    fn window(&self, pen: &mut Pen, spot: Spot, (file, line, part): (u32, u32, u16), cells: usize) {
        let (desk, look) = (self.desk, self.desk.reader.look);
        let marked = look.words.then(|| desk.reader.words.get(&(file, line))).flatten();
        let from = if look.wrap { usize::from(part) * cells } else { desk.reader.at.left };
        let current = desk.search.is_on() && spot == desk.reader.at.cursor;
        code::draw(
            pen,
            &Window {
                file: self.file(file),
                file_index: file,
                line,
                from,
                cells,
                tab: look.tab_width,
                words: marked.unwrap_or(&self.empty),
                needle: &desk.search.needle,
                current,
                wraps: look.wrap && part + 1 < PARTS,
            },
        );
    }

    fn pair(
        &self,
        mut pen: Pen,
        spot: Spot,
        file: u32,
        (left, right): (u32, u32),
        part: u16,
    ) -> Line {
        let (left_room, right_room) = halves(self.width);
        self.half(&mut pen, spot, (file, left, part), (Side::Left, left_room));
        pen.write("│", Tone::Border);
        self.half(&mut pen, spot, (file, right, part), (Side::Right, right_room));
        pen.line(Tone::Text)
    }

    fn half(
        &self,
        pen: &mut Pen,
        spot: Spot,
        (file, line, part): (u32, u32, u16),
        (side, room): (Side, usize),
    ) {
        let end = pen.used() + room;
        if line == NO_LINE {
            pen.pad_to(end, Tone::Gutter);
            return;
        }
        let diff = self.file(file);
        let it = &diff.lines[line as usize];
        let width = digits(diff);
        let number = it.number(side).filter(|_| part == 0);
        self.edge(pen, file, line);
        let number = number.map_or_else(String::new, |it| it.to_string());
        pen.write(&format!("{number:>width$} "), gutter_tone(it.kind));
        sign(pen, it.kind, part);
        self.window(pen, spot, (file, line, part), room.saturating_sub(half_gutter(diff)));
        pen.pad_to(end, code::tone(it.kind));
    }

    fn thread(&self, mut pen: Pen, thread: u32, line: u16) -> Line {
        let place = &self.desk.review.placement.places[thread as usize];
        let now = self.model.now;
        match place {
            Place::Line { side, .. } if self.desk.reader.look.split => {
                let (left, right) = halves(self.width);
                if *side == Side::Left {
                    let mut half = Pen::new(left);
                    talk::draw(&mut half, self.desk, (thread, line), true, now);
                    half.pad_to(left, Tone::Text);
                    let mut line = half.line(Tone::Text);
                    line.spans.extend(Pen::new(1).put("│", Tone::Border).line(Tone::Text).spans);
                    return line;
                }
                pen.pad_to(left, Tone::Text);
                pen.write("│", Tone::Border);
                let mut half = Pen::new(right);
                talk::draw(&mut half, self.desk, (thread, line), true, now);
                let mut line = pen.line(Tone::Text);
                line.spans.extend(half.line(Tone::Text).spans);
                line
            }
            _ => {
                talk::draw(&mut pen, self.desk, (thread, line), false, now);
                pen.line(Tone::Text)
            }
        }
    }
}

fn sign(pen: &mut Pen, kind: LineKind, part: u16) {
    let sign = match kind {
        _ if part > 0 => "↪ ",
        LineKind::Context => "  ",
        LineKind::Added => "+ ",
        LineKind::Removed => "- ",
    };
    pen.write(sign, gutter_tone(kind));
}

fn gutter_tone(kind: LineKind) -> Tone {
    match kind {
        LineKind::Context => Tone::Gutter,
        LineKind::Added => Tone::AddedGutter,
        LineKind::Removed => Tone::RemovedGutter,
    }
}
