//! Hunks: the counts of `@@` decide how many lines belong to one, whatever the lines look like.
//! Must not guess from a prefix where a hunk ends.

use crate::domain::{
    diff::{DiffLine, FileDiff, Hunk, LineKind},
    patch::lines::Lines,
};

/// Reads hunks into `file` for as long as the next line is a hunk header.
/// The lines' text must be the file's text.
pub(crate) fn read(lines: &mut Lines<'_>, file: &mut FileDiff) {
    while let Some(head) = lines.peek().and_then(Head::of) {
        let from = lines.at;
        lines.skip();
        read_hunk(lines, file, &head, from);
    }
    for line in &file.lines {
        match line.kind {
            LineKind::Added => file.additions += 1,
            LineKind::Removed => file.deletions += 1,
            LineKind::Context => {}
        }
    }
    let ends_in_cr = |it: &DiffLine| it.no_newline || file.raw_bytes(it).ends_with(b"\r");
    file.crlf = !file.lines.is_empty() && file.lines.iter().all(ends_in_cr);
}

/// `@@ -old,count +new,count @@ section`.
pub(crate) struct Head {
    old: (u32, u32),
    new: (u32, u32),
    /// Offset of the section in the line.
    section: usize,
    len: usize,
}

impl Head {
    pub(crate) fn of(line: &[u8]) -> Option<Self> {
        let rest = line.strip_prefix(b"@@ -")?;
        let (old, rest) = span(rest)?;
        let (new, rest) = span(rest.strip_prefix(b" +")?)?;
        let rest = rest.strip_prefix(b" @@")?;
        let rest = rest.strip_prefix(b" ").unwrap_or(rest);
        Some(Self { old, new, section: line.len() - rest.len(), len: line.len() })
    }
}

/// `start,count`; a missing count is one.
pub(crate) fn span(text: &[u8]) -> Option<((u32, u32), &[u8])> {
    let (start, rest) = number(text)?;
    match rest.strip_prefix(b",") {
        Some(rest) => number(rest).map(|(count, rest)| ((start, count), rest)),
        None => Some(((start, 1), rest)),
    }
}

fn number(text: &[u8]) -> Option<(u32, &[u8])> {
    let digits = text.iter().take_while(|it| it.is_ascii_digit()).count();
    let value = std::str::from_utf8(&text[..digits]).ok()?.parse().ok()?;
    Some((value, &text[digits..]))
}

/// Lines still owed to each side, and the numbers they will carry.
struct Due {
    old: (u32, u32),
    new: (u32, u32),
}

impl Due {
    fn open(&self) -> bool {
        self.old.1 > 0 || self.new.1 > 0
    }

    /// Which kind of line this is, if the counts allow it; and the length of its prefix.
    fn kind(&self, line: &[u8]) -> Option<(LineKind, usize)> {
        let (old, new) = (self.old.1 > 0, self.new.1 > 0);
        match line.first() {
            Some(b' ') if old && new => Some((LineKind::Context, 1)),
            Some(b'+') if new => Some((LineKind::Added, 1)),
            Some(b'-') if old => Some((LineKind::Removed, 1)),
            // Tools that strip trailing blanks leave an empty context line without its prefix.
            None | Some(b'\r') if line.len() < 2 && old && new => Some((LineKind::Context, 0)),
            _ => None,
        }
    }

    fn number(&mut self, kind: LineKind) -> (u32, u32) {
        let take = |side: &mut (u32, u32), on: bool| {
            if !on {
                return 0;
            }
            let number = side.0;
            *side = (side.0.saturating_add(1), side.1 - 1);
            number
        };
        let old = take(&mut self.old, kind != LineKind::Added);
        (old, take(&mut self.new, kind != LineKind::Removed))
    }
}

fn read_hunk(lines: &mut Lines<'_>, file: &mut FileDiff, head: &Head, at: usize) {
    let first = file.lines.len() as u32;
    let mut due = Due { old: head.old, new: head.new };
    while due.open() {
        let Some(range) = lines.take() else { break };
        let line = &lines.text[range.clone()];
        if let Some((kind, prefix)) = due.kind(line) {
            let (old, new) = due.number(kind);
            let (at, len) = ((range.start + prefix) as u32, (line.len() - prefix) as u32);
            file.lines.push(DiffLine { at, len, old, new, kind, no_newline: false });
        } else if !mark_no_newline(line, file, first) {
            lines.at = range.start;
            break;
        }
    }
    if let Some(line) = lines.peek()
        && mark_no_newline(line, file, first)
    {
        lines.skip();
    }
    let end = file.lines.len() as u32;
    file.hunks.push(Hunk {
        old_start: head.old.0,
        old_count: head.old.1,
        new_start: head.new.0,
        new_count: head.new.1,
        section: (at + head.section) as u32..(at + head.len) as u32,
        lines: first..end,
    });
    if due.open() {
        let missing = due.old.1.max(due.new.1);
        let note =
            format!("hunk {} is cut off: {missing} or more lines are missing", file.hunks.len());
        file.note.get_or_insert(note.into());
    }
}

/// `\ No newline at end of file` (in any language) is a mark on the line before it, never a line.
fn mark_no_newline(line: &[u8], file: &mut FileDiff, first: u32) -> bool {
    if line.first() != Some(&b'\\') {
        return false;
    }
    if let Some(last) = file.lines[first as usize..].last_mut() {
        last.no_newline = true;
    }
    true
}
