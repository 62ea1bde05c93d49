//! File names as diffs write them: quoted, prefixed, followed by a TAB or a date.
//! Must not normalise: a decoded name keeps its exact bytes.

use crate::domain::diff::FileDiff;

/// A name's exact bytes.
pub(crate) type Name = Vec<u8>;

/// Puts a name into a file: text for people, and the bytes where they are not UTF-8.
pub(crate) fn give(file: &mut FileDiff, name: Name) {
    match String::from_utf8(name) {
        Ok(path) => (file.path, file.path_bytes) = (path.into(), None),
        Err(error) => {
            file.path = String::from_utf8_lossy(error.as_bytes()).into_owned().into();
            file.path_bytes = Some(error.into_bytes());
        }
    }
}

/// The rest of a header that holds one name, without prefix handling. Ends at a TAB, which git
/// writes behind names with blanks and `diff` writes before a date.
pub(crate) fn whole(text: &[u8]) -> Name {
    if let Some((name, _)) = unquote(text) {
        return name;
    }
    text.split(|it| *it == b'\t').next().unwrap_or_default().to_vec()
}

/// A C-quoted name at the front of `text`, and what follows it.
pub(crate) fn unquote(text: &[u8]) -> Option<(Name, &[u8])> {
    let mut rest = text.strip_prefix(b"\"")?;
    let mut name = Vec::new();
    loop {
        let (&byte, next) = rest.split_first()?;
        rest = next;
        match byte {
            b'"' => return Some((name, rest)),
            b'\\' => {
                let (byte, next) = escape(rest)?;
                name.push(byte);
                rest = next;
            }
            _ => name.push(byte),
        }
    }
}

/// What follows a backslash: a letter, a quoted character, or three octal digits.
fn escape(text: &[u8]) -> Option<(u8, &[u8])> {
    let (&first, rest) = text.split_first()?;
    let byte = match first {
        b'a' => 7,
        b'b' => 8,
        b't' => b'\t',
        b'n' => b'\n',
        b'v' => 11,
        b'f' => 12,
        b'r' => b'\r',
        b'0'..=b'3' => {
            let digits = std::str::from_utf8(text.get(..3)?).ok()?;
            return Some((u8::from_str_radix(digits, 8).ok()?, &text[3..]));
        }
        _ => first,
    };
    Some((byte, rest))
}

/// The one name a `diff --git` line carries twice, without its prefixes; `None` when the two
/// differ (a rename says its names elsewhere) or cannot be told apart.
pub(crate) fn of_git_line(text: &[u8]) -> Option<Name> {
    if let Some((old, rest)) = unquote(text) {
        let rest = rest.strip_prefix(b" ")?;
        let new = unquote(rest).map_or_else(|| rest.to_vec(), |it| it.0);
        return same(&old, &new);
    }
    // Both halves are equally long under the usual prefixes, and without any; so the blank in
    // the middle is the right one even when the name itself holds ` b/`.
    let middle = text.len() / 2;
    let halves =
        |at: usize| (text[at] == b' ').then(|| same(&text[..at], &text[at + 1..])).flatten();
    let whole = (text.len() % 2 == 1).then(|| halves(middle)).flatten();
    // Prefixes of unequal length are rare and names are short; a line that is neither is no
    // place to search.
    whole.or_else(|| (0..text.len()).take(LONGEST).find_map(halves))
}

/// Twice the longest path most systems allow.
const LONGEST: usize = 8192;

fn same(old: &[u8], new: &[u8]) -> Option<Name> {
    if old == new && !old.is_empty() {
        return Some(new.to_vec());
    }
    let (old, new) = (past_slash(old)?, past_slash(new)?);
    (old == new && !new.is_empty()).then(|| new.to_vec())
}

fn past_slash(name: &[u8]) -> Option<&[u8]> {
    memchr::memchr(b'/', name).map(|at| &name[at + 1..])
}

/// The prefixes git may write: plain, mnemonic, and reversed.
const PREFIXES: [&[u8]; 8] = [b"a/", b"b/", b"i/", b"w/", b"c/", b"o/", b"1/", b"2/"];

/// Old and new name of `---` and `+++` lines without their prefixes. `None` is `/dev/null`.
pub(crate) fn of_pair(old: &[u8], new: &[u8]) -> (Option<Name>, Option<Name>) {
    let (old, new) = (present(whole(old)), present(whole(new)));
    match (old, new) {
        (Some(old), Some(new)) => match same(&old, &new) {
            Some(name) => (Some(name.clone()), Some(name)),
            None if prefixed(&old) && prefixed(&new) => {
                (Some(old[2..].to_vec()), Some(new[2..].to_vec()))
            }
            None => (Some(old), Some(new)),
        },
        (old, new) => (old.map(bare), new.map(bare)),
    }
}

fn present(name: Name) -> Option<Name> {
    (name != b"/dev/null").then_some(name)
}

fn prefixed(name: &[u8]) -> bool {
    name.len() > 2 && PREFIXES.iter().any(|it| name.starts_with(it))
}

fn bare(name: Name) -> Name {
    if prefixed(&name) { name[2..].to_vec() } else { name }
}
