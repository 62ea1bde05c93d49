//! Changed words of the lines on the screen, found once when a line is first seen.
//! Must not look at lines that do not show.

use crate::{
    app::{code, desk::Desk, layout::row::Row},
    domain::words,
};

/// Lines kept before the cache starts over.
const MOST: usize = 20_000;
/// Cells of a line that are compared.
const CELLS: usize = 500;

impl Desk {
    /// Finds the changed words of what shows.
    pub fn mark_words(&mut self) {
        if !self.reader.look.words {
            return;
        }
        if self.reader.words.len() > MOST {
            self.reader.words.clear();
        }
        let at = self.reader.at;
        let rows: Vec<Row> =
            self.reader.layout.window(at.top, at.height as usize).map(|it| it.1).collect();
        for row in rows {
            match row {
                Row::Code { file, line, part: 0 } => self.mark_line(file, line),
                Row::Pair { file, left, right, part: 0 } if left != right => {
                    for line in [left, right] {
                        self.mark_line(file, line);
                    }
                }
                _ => {}
            }
        }
    }

    fn mark_line(&mut self, file: u32, line: u32) {
        let diff = &self.review.diff.files[file as usize];
        if self.reader.words.contains_key(&(file, line)) || line as usize >= diff.lines.len() {
            return;
        }
        let Some(partner) = code::partner(diff, line) else {
            // Remembered too, or a long run without a counterpart is walked at every key.
            self.reader.words.insert((file, line), Vec::new());
            return;
        };
        let (old, new) = if partner < line { (partner, line) } else { (line, partner) };
        let tab = self.reader.look.tab_width;
        let shown = |at: u32| code::shown(diff, &diff.lines[at as usize], CELLS, tab);
        let (before, after) = (shown(old), shown(new));
        let (gone, come) = if before.1 || after.1 {
            Default::default()
        } else {
            words::changed(&before.0, &after.0)
        };
        self.reader.words.insert((file, old), gone);
        self.reader.words.insert((file, new), come);
    }
}
