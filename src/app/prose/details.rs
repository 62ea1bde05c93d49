//! Which `<details>` of a comment are open while it is laid out, and the line that heads each.
//! Must not lay anything out.

/// The nested `<details>` around the place being laid out.
#[derive(Debug, Default)]
pub struct Details {
    stack: Vec<bool>,
    seen: u16,
    /// The words between `<summary>` and `</summary>` so far.
    summary: Option<String>,
}

/// The line that heads a `<details>`.
pub struct Heading {
    pub words: String,
    pub id: u16,
    pub open: bool,
}

impl Details {
    /// Whether what comes next is folded away.
    pub fn hides(&self) -> bool {
        self.stack.iter().any(|open| !open)
    }

    /// A `<details>` begins.
    pub fn open(&mut self, open: &[u16]) {
        self.stack.push(open.contains(&self.seen));
        self.seen += 1;
    }

    /// A `</details>`; one too many is ignored.
    pub fn close(&mut self) {
        self.stack.pop();
    }

    /// A `<summary>` begins.
    pub fn summary(&mut self) {
        self.summary = Some(String::new());
    }

    /// Takes words if they belong to a summary.
    pub fn take(&mut self, words: &str) -> bool {
        let Some(summary) = &mut self.summary else { return false };
        summary.push_str(words);
        true
    }

    /// A `</summary>`: the heading to show, unless an outer fold hides it or there is no fold.
    pub fn heading(&mut self) -> Option<Heading> {
        let words = self.summary.take()?;
        let (open, outer) = self.stack.split_last()?;
        let words = if words.trim().is_empty() { "Details".to_owned() } else { words };
        let shown = outer.iter().all(|it| *it);
        shown.then(|| Heading { words, id: self.seen - 1, open: *open })
    }
}
