//! The one boundary for untrusted text: whatever a pull request or a model wrote becomes visible
//! cells here, and nowhere else. Must not lose anything silently: what cannot be shown is marked.
//!
//! `display` and its kin turn outside text into text that cannot drive a terminal. `width`,
//! `clip`, `slice`, `wrap` and `chop` measure what `display` gave, by grapheme and as ratatui
//! draws it; they take displayed text only.

use std::{borrow::Cow, ops::Range};
use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

mod marks;
pub mod outside;

use crate::domain::text::marks::{Fate, earns_its_place, fate, write_mark};

/// Tab stops in prose, in cells.
const PROSE_TAB: usize = 4;

/// Where a text is shown, which decides what becomes of line ends, tabs and joiners.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Surface {
    /// One line of a file, or a path. Tabs expand to stops counted from the text's first column;
    /// a line end inside is marked; every hidden character is marked.
    Code { tab_width: u8 },
    /// Paragraphs: `\n` stays, `\r\n` becomes `\n`, joiners stay inside emoji.
    Prose,
    /// A title or another single line: line ends and tabs become blanks.
    Inline,
}

/// Displayed text, and which bytes of it are marks that stand for something else.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shown<'a> {
    pub text: Cow<'a, str>,
    pub marks: Vec<Range<usize>>,
}

/// Outside text as visible text. The result holds no control character (but `\n` in prose), no
/// grapheme without width, and is its own display.
pub fn display(text: &str, surface: Surface) -> Cow<'_, str> {
    if plain(text) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(Painter::new(surface).paint(text).out)
}

/// `display`, with the places of the marks, for those who draw them in a tone of their own.
pub fn show(text: &str, surface: Surface) -> Shown<'_> {
    if plain(text) {
        return Shown { text: Cow::Borrowed(text), marks: Vec::new() };
    }
    let done = Painter::new(surface).paint(text);
    Shown { text: Cow::Owned(done.out), marks: done.marks }
}

/// How many characters of `text` a reader would not see or a terminal would obey: bidi controls,
/// characters of no width, tags, private and unassigned ones, control characters other than
/// tab, line ends and form feed. The warning on a file counts these.
pub fn hidden(text: &str) -> usize {
    let quiet = |it: u8| matches!(it, b' '..=b'~' | b'\t' | b'\n' | b'\r' | 0xC);
    if text.bytes().all(quiet) || !text.chars().any(unseen) {
        return 0;
    }
    let mut count = 0;
    for cluster in text.graphemes(true) {
        for (at, c) in cluster.char_indices() {
            let after = cluster[at + c.len_utf8()..].chars().next();
            count += usize::from(unseen(c) && !earns_its_place(&cluster[..at], c, after, true));
        }
    }
    count
}

/// Whether a reader would miss `c`, whatever stands around it.
fn unseen(c: char) -> bool {
    match fate(c) {
        Fate::Keep | Fate::Stand(_) => false,
        Fate::Control => !matches!(c, '\t' | '\n' | '\r' | '\u{C}'),
        Fate::Hidden => true,
    }
}

/// Printable ASCII alone needs no work.
fn plain(text: &str) -> bool {
    text.bytes().all(|it| matches!(it, b' '..=b'~'))
}

/// The display in the making.
struct Painter {
    surface: Surface,
    out: String,
    marks: Vec<Range<usize>>,
    /// Cells since the last line start.
    column: usize,
}

impl Painter {
    fn new(surface: Surface) -> Self {
        Self { surface, out: String::new(), marks: Vec::new(), column: 0 }
    }

    fn paint(mut self, text: &str) -> Self {
        self.out.reserve(text.len() + text.len() / 8);
        let mut rest = text;
        while !rest.is_empty() {
            let ascii = rest.bytes().take_while(|it| matches!(it, b' '..=b'~')).count();
            // The last printable character may be the base of a mark that follows.
            let sure = if ascii < rest.len() { ascii.saturating_sub(1) } else { ascii };
            self.keep(&rest[..sure], sure);
            rest = &rest[sure..];
            let Some(cluster) = rest.graphemes(true).next() else { break };
            self.cluster(cluster);
            rest = &rest[cluster.len()..];
        }
        self
    }

    fn keep(&mut self, text: &str, cells: usize) {
        self.out.push_str(text);
        self.column += cells;
    }

    fn cluster(&mut self, cluster: &str) {
        let clean = cluster.chars().all(|it| fate(it) == Fate::Keep);
        let cells = cluster_width(cluster);
        if clean && cells > 0 {
            return self.keep(cluster, cells);
        }
        self.judge(cluster);
    }

    /// A cluster that holds something to mark: each run of characters that may stay is kept, if
    /// it still takes cells without the rest.
    fn judge(&mut self, cluster: &str) {
        let prose = !matches!(self.surface, Surface::Code { .. });
        let chars: Vec<char> = cluster.chars().collect();
        let mut run = String::new();
        for (at, &c) in chars.iter().enumerate() {
            let stays = match fate(c) {
                Fate::Keep => Some(c),
                Fate::Stand(other) => Some(other),
                Fate::Hidden => {
                    earns_its_place(&run, c, chars.get(at + 1).copied(), prose).then_some(c)
                }
                Fate::Control => None,
            };
            if let Some(c) = stays {
                run.push(c);
                continue;
            }
            self.flush(&mut run);
            if !(c == '\r' && chars.get(at + 1) == Some(&'\n') && self.folds_line_ends()) {
                self.special(c);
            }
        }
        self.flush(&mut run);
    }

    fn folds_line_ends(&self) -> bool {
        !matches!(self.surface, Surface::Code { .. })
    }

    fn flush(&mut self, run: &mut String) {
        // What stood on a base may now stand alone: a mark must not swallow it.
        for cluster in std::mem::take(run).graphemes(true) {
            let cells = cluster_width(cluster);
            if cells > 0 {
                self.keep(cluster, cells);
            } else {
                for c in cluster.chars() {
                    self.mark(c);
                }
            }
        }
    }

    fn special(&mut self, c: char) {
        match (c, self.surface) {
            ('\t', Surface::Code { tab_width }) => self.tab(usize::from(tab_width)),
            ('\t', Surface::Prose) => self.tab(PROSE_TAB),
            ('\t' | '\n', Surface::Inline) => self.keep(" ", 1),
            ('\n', Surface::Prose) => {
                self.out.push('\n');
                self.column = 0;
            }
            _ => self.mark(c),
        }
    }

    fn tab(&mut self, stop: usize) {
        let stop = stop.max(1);
        let cells = stop - self.column % stop;
        self.out.extend(std::iter::repeat_n(' ', cells));
        self.column += cells;
    }

    fn mark(&mut self, c: char) {
        let from = self.out.len();
        write_mark(&mut self.out, c);
        self.column += cells_of(&self.out[from..]);
        self.marks.push(from..self.out.len());
    }
}

/// Cells that displayed text takes on one line.
pub fn width(text: &str) -> usize {
    if plain(text) { text.len() } else { cells_of(text) }
}

fn cells_of(text: &str) -> usize {
    if text.chars().all(is_line) {
        return text.chars().count();
    }
    text.graphemes(true).map(cluster_width).sum()
}

/// Printable ASCII and the lines of a frame, which fill most of a screen: a cell each, and none
/// joins another.
fn is_line(it: char) -> bool {
    matches!(it, ' '..='~' | '\u{2500}'..='\u{259F}')
}

/// Cells of one grapheme as ratatui 0.30 draws it: it gives the half-width sound marks a cell
/// more than the width tables do, and control characters none. `display` leaves neither in.
fn cluster_width(cluster: &str) -> usize {
    if cluster.len() == 1 {
        return usize::from(!cluster.as_bytes()[0].is_ascii_control());
    }
    if cluster.contains(char::is_control) {
        return 0;
    }
    let sound_marks = cluster.chars().filter(|it| matches!(it, '\u{FF9E}' | '\u{FF9F}')).count();
    cluster.width() + sound_marks
}

/// At most `cells` of displayed text; `…` stands last when something was cut.
pub fn clip(text: &str, cells: usize) -> String {
    if width(text) <= cells {
        return text.to_owned();
    }
    let Some(room) = cells.checked_sub(1) else { return String::new() };
    let mut out = slice(text, 0, room);
    out.push('…');
    out
}

/// At most `cells` of the end of displayed text; `…` stands first when something was cut.
pub fn clip_start(text: &str, cells: usize) -> String {
    let whole = width(text);
    if whole <= cells {
        return text.to_owned();
    }
    let Some(room) = cells.checked_sub(1) else { return String::new() };
    format!("…{}", slice(text, whole - room, room))
}

/// At most `cells` of displayed text, its middle cut: a message names its object first and its
/// cause last, and a long path between them is what one misses least.
pub fn clip_middle(text: &str, cells: usize) -> String {
    let whole = width(text);
    if whole <= cells {
        return text.to_owned();
    }
    let Some(room) = cells.checked_sub(1) else { return String::new() };
    let end = room - room / 3;
    format!("{}…{}", slice(text, 0, room / 3), slice(text, whole - end, end))
}

/// `text` clipped to `cells` and filled with blanks to exactly so many.
pub fn fit(text: &str, cells: usize) -> String {
    let mut out = clip(text, cells);
    let used = width(&out);
    out.extend(std::iter::repeat_n(' ', cells.saturating_sub(used)));
    out
}

/// The cells `from..from + cells` of displayed text, at most so many. A wide character that
/// begins left of the cut becomes blanks for the part inside.
pub fn slice(text: &str, from: usize, cells: usize) -> String {
    if plain(text) {
        let start = from.min(text.len());
        return text[start..start.saturating_add(cells).min(text.len())].to_owned();
    }
    let end = from.saturating_add(cells);
    let mut out = String::new();
    let mut at = 0;
    for cluster in text.graphemes(true) {
        let next = at + cluster_width(cluster);
        if next > end {
            break;
        }
        if at >= from {
            out.push_str(cluster);
        } else if next > from {
            out.extend(std::iter::repeat_n(' ', next - from));
        }
        at = next;
    }
    out
}

/// Displayed text broken at blanks into lines of at most `cells`; a word that is longer is
/// broken inside. Each `\n` ends a line. Only blanks at a break are left out.
pub fn wrap(text: &str, cells: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.split('\n') {
        wrap_paragraph(paragraph, cells, &mut lines);
    }
    lines
}

fn wrap_paragraph(text: &str, cells: usize, lines: &mut Vec<String>) {
    let mut line = String::new();
    let mut used = 0;
    for word in text.split_inclusive(' ') {
        let bare = word.trim_end_matches(' ');
        let need = width(bare);
        if used + need > cells && used > 0 && need > 0 {
            lines.push(std::mem::take(&mut line).trim_end_matches(' ').to_owned());
            used = 0;
        }
        if need > cells {
            let mut pieces = chop(bare, cells);
            line = pieces.pop().unwrap_or_default();
            used = width(&line);
            lines.extend(pieces);
        } else {
            line.push_str(bare);
            used += need;
        }
        let blanks = (word.len() - bare.len()).min(cells.saturating_sub(used));
        line.extend(std::iter::repeat_n(' ', blanks));
        used += blanks;
    }
    lines.push(line);
}

/// Displayed text of one line cut into pieces of at most `cells`, for code: nothing is left out,
/// the pieces in a row are the text. Where a single character is wider than `cells`, `U+FFFD`
/// stands for it.
pub fn chop(text: &str, cells: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut used = 0;
    for cluster in text.graphemes(true) {
        let whole = cluster_width(cluster) <= cells;
        let pieces = if whole { vec![cluster.to_owned()] } else { shards(cluster, cells) };
        for piece in pieces {
            let need = cluster_width(&piece);
            if used + need > cells && used > 0 {
                lines.push(String::new());
                used = 0;
            }
            if need <= cells {
                lines.last_mut().expect("there is a first line").push_str(&piece);
                used += need;
            }
        }
    }
    lines
}

/// The characters of a grapheme that is wider than a line, each with what combines with it.
fn shards(cluster: &str, cells: usize) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for c in cluster.chars() {
        let alone = c.to_string();
        let need = cluster_width(&alone);
        match out.last_mut() {
            Some(last) if need == 0 => last.push(c),
            _ if need > cells => out.push('\u{FFFD}'.to_string()),
            _ => out.push(alone),
        }
    }
    out
}

#[cfg(test)]
mod tests;
