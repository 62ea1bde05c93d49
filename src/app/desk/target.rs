//! What a key acts on: the text to copy, the link to open, the line to edit.
//! Must not act.

use crate::{
    app::{desk::Desk, layout::row::Row},
    domain::{diff::Side, text::outside::Outside},
};

impl Desk {
    /// The text `y` copies here, as it was written.
    pub fn copied(&mut self) -> Option<Outside> {
        let row = self.stage().row();
        if let Row::Thread { thread, line } = row {
            let block = self.reader.layout.block(thread)?;
            let comment = block.lines.get(line as usize)?.comment().unwrap_or(0);
            let thread = &self.review.capture.review_threads[thread as usize];
            let body = thread.comments.get(comment as usize)?.body.clone()?;
            return Some(body);
        }
        if let Row::Said { entry, .. } = row {
            return self.said.get(usize::from(entry))?.body.clone();
        }
        if let Row::File { file } = row {
            return Some(self.review.diff.files.get(file as usize)?.path.clone());
        }
        let (file, line) = self.current_line()?;
        let diff = self.review.diff.files.get(file as usize)?;
        Some(Outside::new(diff.content(diff.lines.get(line as usize)?).into_raw().into_owned()))
    }

    /// The page of the comment under the cursor, else of the nearest thread, else of the pull request.
    pub fn link(&mut self) -> Option<String> {
        let (thread, entry) = match self.stage().row() {
            Row::Thread { thread, .. } => (Some(thread), None),
            Row::Said { entry, .. } => (None, Some(entry)),
            _ => (None, None),
        };
        let web = |it: &String| it.starts_with("https://") || it.starts_with("http://");
        let comments = thread.map(|it| &self.review.capture.review_threads[it as usize].comments);
        let of_thread = comments.and_then(|it| it.iter().find_map(|it| it.url.clone()));
        let said = entry.and_then(|it| self.said.get(usize::from(it))?.url.clone());
        of_thread.or(said).or_else(|| self.review.capture.pull_request.url.clone()).filter(web)
    }

    /// The page of a thread's first comment.
    pub fn thread_link(&self, thread: u32) -> Option<String> {
        let thread = self.review.capture.review_threads.get(thread as usize)?;
        let url = thread.comments.iter().find_map(|it| it.url.clone());
        url.or_else(|| self.review.capture.pull_request.url.clone())
            .filter(|it| it.starts_with("https://") || it.starts_with("http://"))
    }

    /// The file and line an editor opens at.
    pub fn edited(&self) -> Option<(Outside, u32)> {
        let file = self.current_file()?;
        let diff = self.review.diff.files.get(file as usize)?;
        let line = self.current_line().and_then(|(_, line)| diff.lines.get(line as usize));
        let number = line.and_then(|it| it.number(Side::Right).or(it.number(Side::Left)));
        Some((diff.path.clone(), number.unwrap_or(1)))
    }
}
