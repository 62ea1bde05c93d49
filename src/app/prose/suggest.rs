//! A suggestion block as a diff against the lines it covers.
//! Must not apply anything; it only shows what would change.

use crate::{
    app::prose::{Line, Mark, Run},
    domain::text::{self, Surface},
};

/// The lines of a suggestion. `option` is its number and how many the comment holds.
pub fn draw(
    suggested: &str,
    covered: Option<&[String]>,
    option: (usize, usize),
    cells: usize,
) -> Vec<Line> {
    let new: Vec<&str> =
        if suggested.is_empty() { Vec::new() } else { suggested.split('\n').collect() };
    let old: Vec<&str> = covered.unwrap_or_default().iter().map(String::as_str).collect();
    let mut lines = vec![Line::of(vec![Run::new(heading(&new, covered, option), Mark::Muted)])];
    let same = |(a, b): &(&&str, &&str)| a == b;
    let head = old.iter().zip(&new).take_while(same).count();
    let rest = old.len().min(new.len()) - head;
    let tail = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(same).count();
    let mut put = |sign: &str, mark: Mark, from: &[&str]| {
        for line in from {
            lines.extend(code(sign, mark, line, cells));
        }
    };
    put("  ", Mark::Block, &old[..head]);
    put("- ", Mark::Removed, &old[head..old.len() - tail]);
    put("+ ", Mark::Added, &new[head..new.len() - tail]);
    put("  ", Mark::Block, &old[old.len() - tail..]);
    lines
}

fn heading(new: &[&str], covered: Option<&[String]>, (at, of): (usize, usize)) -> String {
    let mut text = String::from("suggestion");
    if of > 1 {
        text = format!("suggestion {at} of {of}");
    }
    if new.is_empty() {
        text.push_str(": deletes these lines");
    }
    if covered.is_none() {
        text.push_str(" (the lines it covers are not here)");
    }
    text
}

/// A code line cut to the width, the rest following with its sign left blank.
pub fn code(sign: &str, mark: Mark, line: &str, cells: usize) -> Vec<Line> {
    let line = line.strip_suffix('\r').unwrap_or(line);
    let shown = text::display(line, Surface::Code { tab_width: 4 });
    let room = cells.saturating_sub(sign.len()).max(1);
    let mut parts = text::chop(&shown, room);
    if parts.is_empty() {
        parts.push(String::new());
    }
    let blank = " ".repeat(sign.len());
    let line = |(at, part): (usize, String)| {
        let sign = if at == 0 { sign } else { blank.as_str() };
        Line::of(vec![Run::new(format!("{sign}{part}"), mark)])
    };
    parts.into_iter().enumerate().map(line).collect()
}
