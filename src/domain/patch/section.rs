//! One file of a diff: its header lines, then its hunks or what stands in their place.
//! Must not read past the file's own lines.

use crate::domain::text::outside::Outside;
use crate::domain::{
    diff::{Body, Change, FileDiff},
    patch::{
        hunks::{self, Head},
        lines::Lines,
        name::{self, Name},
        submodule,
    },
};
use std::sync::Arc;

/// What the header lines of a git section say.
#[derive(Default)]
struct Headers {
    old_mode: Option<u32>,
    new_mode: Option<u32>,
    added: bool,
    removed: bool,
    similarity: Option<u8>,
    from: Option<Name>,
    to: Option<Name>,
    copied: bool,
    minus: Option<Vec<u8>>,
    plus: Option<Vec<u8>>,
    binary: bool,
}

/// The section behind a `diff --git` line, whose rest is `names`.
pub(crate) fn git(lines: &mut Lines<'_>, text: &Arc<[u8]>, names: &[u8]) -> FileDiff {
    let mut headers = Headers::default();
    while let Some(line) = lines.peek() {
        if !headers.take(line) {
            break;
        }
        lines.skip();
        if headers.binary {
            skip_binary_patch(lines, line);
            break;
        }
    }
    let mut file = FileDiff::named(Outside::default(), Change::Modified);
    file.text = Arc::clone(text);
    (file.old_mode, file.new_mode) = (headers.old_mode, headers.new_mode);
    hunks::read(lines, &mut file);
    // Files stay, and growing left up to half of their room empty.
    file.lines.shrink_to_fit();
    headers.name(&mut file, names);
    file.change = headers.change(&file);
    file.body = body(&file, headers.binary);
    file
}

/// A plain section: `--- old`, `+++ new`, hunks. The two lines have been looked at, not taken.
pub(crate) fn plain(lines: &mut Lines<'_>, text: &Arc<[u8]>) -> FileDiff {
    let mut next = || {
        let line = lines.peek().unwrap_or_default();
        lines.skip();
        line.get(4..).unwrap_or_default()
    };
    let (minus, plus) = (next(), next());
    let mut file = FileDiff::named(Outside::default(), Change::Modified);
    file.text = Arc::clone(text);
    let (mut old, new) = name::of_pair(minus, plus);
    // A file that is new has the epoch for a date in `diff -N`.
    let never = |it: &[u8]| memchr::memmem::find(it, b"\t1970-01-01 ").is_some();
    file.change = match (&old, &new) {
        (None, _) => Change::Added,
        (_, None) => Change::Removed,
        _ if never(minus) => Change::Added,
        _ if never(plus) => Change::Removed,
        _ => Change::Modified,
    };
    if let (Some(before), Some(after)) = (&old, &new)
        && before != after
        && file.change == Change::Modified
    {
        if [&after[..], b".orig"].concat() == *before {
            old = None;
        } else {
            file.change = Change::Renamed(None);
            file.previous_path = Some(lossy(before).into());
        }
    }
    name::give(&mut file, new.or(old).unwrap_or_default());
    hunks::read(lines, &mut file);
    file
}

/// Whether a plain section begins at the next line.
pub(crate) fn plain_follows(lines: &Lines<'_>) -> bool {
    let mut ahead = Lines { text: lines.text, at: lines.at };
    ahead.skip();
    ahead.peek().is_some_and(|it| it.starts_with(b"+++ "))
        && ahead.peek_second().is_some_and(|it| Head::of(it).is_some())
}

impl Headers {
    /// Takes one line; `false` when it is no header of this section.
    fn take(&mut self, line: &[u8]) -> bool {
        let Some((key, value)) =
            KEYS.iter().find_map(|key| Some((*key, line.strip_prefix(key.as_bytes())?)))
        else {
            return false;
        };
        match key {
            "old mode " => self.old_mode = octal(value),
            "new mode " => self.new_mode = octal(value),
            "new file mode " => (self.added, self.new_mode) = (true, octal(value)),
            "deleted file mode " => (self.removed, self.old_mode) = (true, octal(value)),
            "similarity index " => self.similarity = percent(value),
            "rename from " | "rename old " => self.from = Some(name::whole(value)),
            "rename to " | "rename new " | "copy to " => self.to = Some(name::whole(value)),
            "copy from " => (self.copied, self.from) = (true, Some(name::whole(value))),
            "index " => self.index(value),
            "--- " if self.minus.is_none() => self.minus = Some(value.to_vec()),
            "+++ " if self.plus.is_none() => self.plus = Some(value.to_vec()),
            "--- " | "+++ " => return false,
            "Binary files " | "GIT binary patch" => self.binary = true,
            _ => {}
        }
        true
    }

    /// `index 1c99002..742bd57 100644`: the mode stands here when it did not change.
    fn index(&mut self, value: &[u8]) {
        let mode = value.split(|it| *it == b' ').nth(1).and_then(octal);
        if mode.is_some() {
            (self.old_mode, self.new_mode) = (mode, mode);
        }
    }

    fn name(&mut self, file: &mut FileDiff, names: &[u8]) {
        let moved = self.from.take().zip(self.to.take());
        let pair = || match (&self.minus, &self.plus) {
            (Some(minus), Some(plus)) => name::of_pair(minus, plus),
            _ => (None, None),
        };
        let (old, new) = if let Some((old, new)) = moved {
            (Some(old), new)
        } else if let Some(name) = name::of_git_line(names) {
            (None, name)
        } else {
            match pair() {
                (old, Some(new)) => (old.filter(|it| *it != new), new),
                (Some(old), None) => (None, old),
                (None, None) => (None, name::whole(names)),
            }
        };
        file.previous_path = old.map(|it| lossy(&it).into());
        name::give(file, new);
    }

    fn change(&self, file: &FileDiff) -> Change {
        let (old, new) = (self.old_mode, self.new_mode);
        match &file.previous_path {
            _ if self.added => Change::Added,
            _ if self.removed => Change::Removed,
            Some(_) if self.copied => Change::Copied(self.similarity),
            Some(_) => Change::Renamed(self.similarity),
            None if kind_of(old) != kind_of(new) => Change::TypeChanged,
            None if old != new && file.hunks.is_empty() && !self.binary => Change::ModeChanged,
            None => Change::Modified,
        }
    }
}

/// The header lines of a git section. Anything else ends the headers.
const KEYS: [&str; 17] = [
    "index ",
    "--- ",
    "+++ ",
    "old mode ",
    "new mode ",
    "new file mode ",
    "deleted file mode ",
    "similarity index ",
    "dissimilarity index ",
    "rename from ",
    "rename to ",
    "rename old ",
    "rename new ",
    "copy from ",
    "copy to ",
    "Binary files ",
    "GIT binary patch",
];

fn octal(text: &[u8]) -> Option<u32> {
    std::str::from_utf8(text).ok().and_then(|it| u32::from_str_radix(it.trim(), 8).ok())
}

fn percent(text: &[u8]) -> Option<u8> {
    let digits = text.strip_suffix(b"%").unwrap_or(text);
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// The part of a mode that says what a file is: regular, link or submodule.
fn kind_of(mode: Option<u32>) -> Option<u32> {
    mode.map(|it| it & 0o170_000)
}

pub(crate) fn lossy(name: &[u8]) -> String {
    String::from_utf8_lossy(name).into_owned()
}

fn body(file: &FileDiff, binary: bool) -> Body {
    if let Some(body) = submodule::of_hunks(file) {
        return body;
    }
    if binary {
        return Body::Binary;
    }
    if !file.hunks.is_empty() {
        return Body::Text;
    }
    match file.change {
        Change::Added | Change::Removed => Body::Empty,
        Change::Renamed(_) | Change::Copied(_) | Change::ModeChanged | Change::TypeChanged => {
            Body::NoContentChange
        }
        Change::Modified => Body::NotLoaded("the diff holds no hunk for it".to_owned()),
    }
}

/// Skips the encoded blocks behind `GIT binary patch`: each is `literal n` or `delta n`, lines
/// without a blank in them, and an empty line.
fn skip_binary_patch(lines: &mut Lines<'_>, line: &[u8]) {
    if !line.starts_with(b"GIT binary patch") {
        return;
    }
    while let Some(line) = lines.peek() {
        let block = line.starts_with(b"literal ") || line.starts_with(b"delta ");
        if !block && line.contains(&b' ') {
            break;
        }
        lines.skip();
    }
}

/// Git itself stops a merge at far fewer.
const MOST_PARENTS: usize = 100;

/// A merge seen from several parents (`diff --cc`): its lines carry a mark for each parent, which
/// no two-sided view can show. It stays visible with what it is.
pub(crate) fn combined(lines: &mut Lines<'_>, names: &[u8]) -> FileDiff {
    let mut file = FileDiff::named(Outside::default(), Change::Modified);
    name::give(&mut file, name::whole(names));
    let mut parents = 0;
    while let Some(line) = lines.peek() {
        let at_signs = line.iter().take_while(|it| **it == b'@').count();
        if (3..=MOST_PARENTS).contains(&at_signs) {
            parents = at_signs - 1;
            lines.skip();
            skip_combined_hunk(lines, line, parents);
            continue;
        }
        match KEYS.iter().chain(&["mode "]).find(|it| line.starts_with(it.as_bytes())) {
            Some(&"new file mode ") => file.change = Change::Added,
            Some(&"deleted file mode ") => file.change = Change::Removed,
            Some(&"Binary files ") => file.body = Body::Binary,
            Some(_) => {}
            None => break,
        }
        lines.skip();
    }
    if file.body == Body::Text {
        let several =
            if parents > 0 { format!("{parents} parents") } else { "its parents".to_owned() };
        file.body = Body::NotLoaded(format!("a merge compared with {several} at once"));
    }
    file
}

/// Takes the lines of a combined hunk by its counts: a line without `-` is in the result, and in
/// each parent whose column is blank; a line with `-` is in the parents whose column says so.
fn skip_combined_hunk(lines: &mut Lines<'_>, head: &[u8], parents: usize) {
    let mut due: Vec<u32> = Vec::new();
    for word in head.split(|it| *it == b' ').skip(1).take(parents + 1) {
        let Some(((_, count), _)) = word.get(1..).and_then(hunks::span) else { return };
        due.push(count);
    }
    while due.iter().any(|it| *it > 0) {
        let from = lines.at;
        let Some(range) = lines.take() else { return };
        let line = &lines.text[range];
        let columns = line.get(..parents).unwrap_or(line);
        let known = columns.iter().all(|it| matches!(it, b' ' | b'+' | b'-'));
        if line.first() == Some(&b'\\') {
            continue;
        }
        if !known {
            lines.at = from;
            return;
        }
        let gone = columns.contains(&b'-');
        let here = if gone { b'-' } else { b' ' };
        for (at, due) in due.iter_mut().enumerate() {
            let counted = columns.get(at).map_or(!gone, |it| *it == here);
            *due = due.saturating_sub(u32::from(counted));
        }
    }
}

/// `Binary files a and b differ`, from `diff -r`; the rest behind the first two words.
pub(crate) fn plain_binary(names: &[u8]) -> Option<FileDiff> {
    let names = names.strip_suffix(b" differ")?;
    let at = memchr::memmem::find(names, b" and ")?;
    let (old, new) = name::of_pair(&names[..at], &names[at + 5..]);
    let mut file = FileDiff::named(Outside::default(), Change::Modified);
    file.body = Body::Binary;
    file.change = match (&old, &new) {
        (None, _) => Change::Added,
        (_, None) => Change::Removed,
        _ => Change::Modified,
    };
    name::give(&mut file, new.or(old)?);
    Some(file)
}
