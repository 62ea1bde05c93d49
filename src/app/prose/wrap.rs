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
    /// Blanks stood before it.
    spaced: bool,
}

/// Breaks runs into lines of at most `cells` (at least 1). A `\n` in a run ends a line.
pub fn wrap(runs: &[Run], cells: usize) -> Vec<Vec<Run>> {
    let cells = cells.max(1);
    let mut lines = Vec::new();
    for paragraph in paragraphs(runs) {
        let mut line: Vec<Run> = Vec::new();
        let mut used = 0;
        for word in paragraph {
            let gap = usize::from(word.spaced && used > 0);
            if used > 0 && used + gap + word.cells > cells {
                lines.push(std::mem::take(&mut line));
                used = 0;
            } else if gap > 0 {
                let same = line.last().is_some_and(|it| it.mark == word.runs[0].mark);
                let mark = if same { word.runs[0].mark } else { Mark::Plain };
                push(&mut line, " ", &Run::new("", mark));
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
        push(line, &run.text, run);
        return used + width;
    }
    let mut used = used;
    if used > 0 {
        lines.push(std::mem::take(line));
        used = 0;
    }
    let mut parts = text::chop(&run.text, cells).into_iter().peekable();
    while let Some(part) = parts.next() {
        push(line, &part, run);
        if parts.peek().is_some() {
            lines.push(std::mem::take(line));
        } else {
            used = text::width(&part);
        }
    }
    used
}

fn push(line: &mut Vec<Run>, text: &str, like: &Run) {
    match line.last_mut().filter(|it| it.mark == like.mark) {
        Some(last) => last.text.push_str(text),
        None => line.push(Run::new(text, like.mark)),
    }
}

fn paragraphs(runs: &[Run]) -> Vec<Vec<Word>> {
    let mut paragraphs = vec![Vec::new()];
    let mut word = Word::default();
    let mut spaced = false;
    for run in runs {
        for (at, line) in run.text.split('\n').enumerate() {
            if at > 0 {
                finish(&mut paragraphs, &mut word);
                paragraphs.push(Vec::new());
                spaced = false;
            }
            for piece in line.split_inclusive(' ') {
                let body = piece.trim_end_matches(' ');
                if !body.is_empty() {
                    if word.runs.is_empty() {
                        word.spaced = spaced;
                    }
                    word.cells += text::width(body);
                    word.runs.push(Run::new(body, run.mark));
                    spaced = false;
                }
                if body.len() < piece.len() {
                    finish(&mut paragraphs, &mut word);
                    spaced = true;
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
