//! Runs broken into lines of a width, between words and across changes of mark.
//! Must not lose a character but the blanks at a break.

use crate::{
    app::prose::{Mark, Run},
    domain::text,
};

/// A word: runs with no break between them.
#[derive(Default)]
struct Word {
    runs: Vec<Run>,
    cells: usize,
    /// The mark of the blanks before it, when there were any: the blank between two pieces of code
    /// is of neither.
    blank: Option<Mark>,
}

/// Breaks runs into lines of at most `cells` (at least 1). A `\n` in a run ends a line.
pub fn wrap(runs: &[Run], cells: usize) -> Vec<Vec<Run>> {
    let cells = cells.max(1);
    let mut lines = Vec::new();
    for paragraph in paragraphs(runs) {
        let mut line: Vec<Run> = Vec::new();
        let mut used = 0;
        for word in paragraph {
            let gap = usize::from(word.blank.is_some() && used > 0);
            if used > 0 && used + gap + word.cells > cells {
                lines.push(std::mem::take(&mut line));
                used = 0;
            } else if let Some(mark) = word.blank.filter(|_| gap > 0) {
                push(&mut line, " ", mark);
                used += 1;
            }
            for run in &word.runs {
                used = place(&mut lines, &mut line, used, run, cells);
            }
        }
        lines.push(line);
    }
    lines
}

/// Puts a run of one word on the line, breaking inside when it is longer than a whole line.
fn place(
    lines: &mut Vec<Vec<Run>>,
    line: &mut Vec<Run>,
    used: usize,
    run: &Run,
    cells: usize,
) -> usize {
    let width = text::width(&run.text);
    if used + width <= cells {
        push(line, &run.text, run.mark);
        return used + width;
    }
    let mut used = used;
    if used > 0 {
        lines.push(std::mem::take(line));
        used = 0;
    }
    let mut parts = text::chop(&run.text, cells).into_iter().peekable();
    while let Some(part) = parts.next() {
        push(line, &part, run.mark);
        if parts.peek().is_some() {
            lines.push(std::mem::take(line));
        } else {
            used = text::width(&part);
        }
    }
    used
}

fn push(line: &mut Vec<Run>, text: &str, mark: Mark) {
    match line.last_mut().filter(|it| it.mark == mark) {
        Some(last) => last.text.push_str(text),
        None => line.push(Run::new(text, mark)),
    }
}

fn paragraphs(runs: &[Run]) -> Vec<Vec<Word>> {
    let mut paragraphs = vec![Vec::new()];
    let mut word = Word::default();
    let mut blank = None;
    for run in runs {
        for (at, line) in run.text.split('\n').enumerate() {
            if at > 0 {
                finish(&mut paragraphs, &mut word);
                paragraphs.push(Vec::new());
                blank = None;
            }
            for piece in line.split_inclusive(' ') {
                let body = piece.trim_end_matches(' ');
                if !body.is_empty() {
                    if word.runs.is_empty() {
                        word.blank = blank;
                    }
                    word.cells += text::width(body);
                    word.runs.push(Run::new(body, run.mark));
                    blank = None;
                }
                if body.len() < piece.len() {
                    finish(&mut paragraphs, &mut word);
                    blank = Some(run.mark);
                }
            }
        }
    }
    finish(&mut paragraphs, &mut word);
    paragraphs
}

fn finish(paragraphs: &mut [Vec<Word>], word: &mut Word) {
    if !word.runs.is_empty() {
        let last = paragraphs.last_mut().expect("there is always a paragraph");
        last.push(std::mem::take(word));
    }
}
