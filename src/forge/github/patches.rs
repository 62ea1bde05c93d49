//! Patches and files that the files list left out, taken from another diff of the same change: a
//! clone in the current folder, or GitHub's own diff of the whole. What neither has stays marked
//! as left out. Must not make up a patch, and must not change one that is there.

use crate::domain::{
    capture::{Capture, ChangedFile, Extent},
    diff::{Diff, FileDiff},
    patch,
    text::outside::OutsideOption as _,
};
use crate::forge::{
    Range, derive, git,
    github::{files::MOST, read::Reader, trouble::Why},
    target::PullRequestName,
};
use std::collections::HashMap;

/// GitHub's diff of a pull request as a whole. 406 above 300 files or 20,000 lines.
const DIFF: &str = "application/vnd.github.diff";

/// Whether something is left out that another diff may have.
fn is_short(capture: &Capture) -> bool {
    let files = capture.files.as_deref().unwrap_or_default();
    let said = capture.completeness.files.total.unwrap_or(0);
    files.iter().any(|it| it.patch_omitted == Some(true)) || said > files.len() as u64
}

/// Fills in what another diff has. What was done and what is still missing, in words.
pub fn fill(
    reader: &Reader<'_>,
    name: &PullRequestName,
    capture: &mut Capture,
) -> Result<Option<String>, Why> {
    if !is_short(capture) {
        return Ok(None);
    }
    let mut done = Vec::new();
    if let Some(diff) = from_clone(capture)
        && let Some(words) = take(capture, &diff, "the clone in this folder")
    {
        done.push(words);
    }
    // GitHub's own diff of so many files is refused; asking would be a request for nothing.
    if is_short(capture) && capture.completeness.files.total.is_none_or(|it| it <= MOST / 10) {
        match from_whole(reader, name) {
            Ok(diff) => done.extend(take(capture, &diff, "GitHub's diff of the whole")),
            Err(Why::Cancelled) => return Err(Why::Cancelled),
            Err(why) => done.push(format!("GitHub's diff of the whole is not to be had: {why}")),
        }
    }
    let left = capture.files.iter().flatten().filter(|it| it.patch_omitted == Some(true)).count();
    if left > 0 {
        done.push(format!(
            "GitHub left the patches of {left} files out; open it in a clone of the repository to see them"
        ));
    }
    Ok((!done.is_empty()).then(|| done.join("; ")))
}

/// The same change as the clone in the current folder has it, if it has both commits.
fn from_clone(capture: &Capture) -> Option<Diff> {
    let plain = |it: &str| it.len() >= 40 && it.bytes().all(|it| it.is_ascii_hexdigit());
    let (base, head) = (capture.base_sha()?, capture.head_sha()?);
    if !plain(base) || !plain(head) {
        return None;
    }
    let text = format!("{base}...{head}");
    let opened = git::open_range(&Range { text, folder: None }).ok()?;
    opened.diff.map(|it| (*it).clone())
}

fn from_whole(reader: &Reader<'_>, name: &PullRequestName) -> Result<Diff, Why> {
    let PullRequestName { owner, repository, number, .. } = name;
    let path = format!("/repos/{owner}/{repository}/pulls/{number}");
    Ok(patch::parse(&reader.get(&path, Some(DIFF))?.body))
}

/// Takes from `diff` what the capture lacks. How much that was, in words; `None`: nothing.
fn take(capture: &mut Capture, diff: &Diff, whose: &str) -> Option<String> {
    let theirs: HashMap<&str, &FileDiff> =
        diff.files.iter().map(|it| (it.path.raw(), it)).collect();
    let short = capture.completeness.files.total.unwrap_or(0);
    let files = capture.files.get_or_insert_default();
    let mut patches = 0;
    for file in files.iter_mut().filter(|it| it.patch_omitted == Some(true)) {
        let Some(their) = file.path.raw().and_then(|it| theirs.get(it)) else { continue };
        if !their.hunks.is_empty() {
            file.patch = Some(derive::patch(their).into());
            file.patch_omitted = Some(false);
            patches += 1;
        }
    }
    let mut added = 0;
    if short > files.len() as u64 {
        let known: Vec<String> =
            files.iter().filter_map(|it| it.path.raw().map(str::to_owned)).collect();
        let known: std::collections::HashSet<&str> = known.iter().map(String::as_str).collect();
        let missing = diff.files.iter().filter(|it| !known.contains(it.path.raw()));
        let missing: Vec<ChangedFile> = missing.map(derive::changed_file).collect();
        added = missing.len();
        files.extend(missing);
        let here = files.len() as u64;
        let extent = &mut capture.completeness.files;
        *extent = Extent {
            fetched: Some(here),
            note: extent.note.take().filter(|_| here < short),
            ..extent.clone()
        };
    }
    let what = match (patches, added) {
        (0, 0) => return None,
        (patches, 0) => format!("{patches} patches"),
        (0, added) => format!("{added} files"),
        (patches, added) => format!("{patches} patches and {added} files"),
    };
    Some(format!("{what} that GitHub's list left out are from {whose}"))
}

#[cfg(test)]
mod tests {
    use crate::domain::{capture::Capture, patch};
    use crate::forge::github::patches::take;

    const DIFF: &str = "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n\
                        diff --git a/b b/b\n--- a/b\n+++ b/b\n@@ -1 +1,2 @@\n x\n+z\n";

    fn capture(files: &str, total: u64) -> Capture {
        let text = format!(
            r#"{{"format":"casefile-capture","version":1,"repository":"a/b",
               "pull_request":{{"number":1}},"files":{files},
               "completeness":{{"files":{{"fetched":1,"total":{total},"note":"short"}}}}}}"#
        );
        serde_json::from_str(&text).expect("a capture")
    }

    #[test]
    fn only_what_is_left_out_is_taken() {
        let diff = patch::parse(DIFF.as_bytes());
        let own = "@@ -9 +9 @@\n-p\n+q";
        let files = format!(
            r#"[{{"path":"a","changes":2,"patch_omitted":true}},
                {{"path":"b","changes":2,"patch":{},"patch_omitted":false}}]"#,
            serde_json::to_string(own).expect("text")
        );
        let mut capture = capture(&files, 2);
        let words = take(&mut capture, &diff, "x").expect("something");
        assert_eq!(words, "1 patches that GitHub's list left out are from x");
        let files = capture.files.expect("files");
        assert_eq!(files[0].patch.as_ref().expect("a patch").raw(), "@@ -1,1 +1,1 @@\n-x\n+y");
        assert_eq!(files[0].patch_omitted, Some(false));
        assert_eq!(files[1].patch.as_ref().expect("a patch").raw(), own);
    }

    #[test]
    fn files_beyond_the_list_are_added() {
        let diff = patch::parse(DIFF.as_bytes());
        let mut capture = capture(r#"[{"path":"a","changes":2,"patch":"@@"}]"#, 2);
        take(&mut capture, &diff, "x").expect("something");
        let extent = &capture.completeness.files;
        assert_eq!((extent.fetched, extent.total), (Some(2), Some(2)));
        assert!(extent.note.is_none());
        assert!(take(&mut capture, &diff, "x").is_none(), "nothing is left to take");
    }
}
