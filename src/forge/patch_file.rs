//! A unified diff as a target: a `.diff` or `.patch` file, or one on standard input.
//! Must not need git, and must not refuse a diff for one odd file in it.

use crate::domain::{
    capture::{Capture, Completeness, ForgeName, GitRef, PullRequest},
    digest::Digest,
    patch,
};
use crate::forge::{Document, ForgeError, Opened, capture_file};
use std::{path::Path, sync::Arc};

/// A `.diff` file's content, parsed. `label` is what the person named.
pub fn open_bytes(label: &str, bytes: &[u8]) -> Result<Opened, ForgeError> {
    let diff = patch::parse(bytes);
    if diff.files.is_empty() {
        let why = "it names no file; expected lines such as `diff --git a/x b/x` or `--- x`";
        return Err(ForgeError::Diff { path: label.to_owned(), why: why.to_owned() });
    }
    // A diff names no commits; its content tells it from other diffs of the same name.
    let named = |name: String| Some(GitRef { name: Some(name.into()), sha: None });
    let pull_request = PullRequest {
        title: subject(bytes).map(Into::into),
        base: named("patch".to_owned()),
        head: named(Digest::of(bytes).to_string()),
        ..PullRequest::default()
    };
    let capture = local_capture("diff", repository(label), pull_request);
    Ok(Opened {
        label: label.to_owned(),
        capture: Arc::new(capture),
        diff: Some(Arc::new(diff)),
        document: Document::Derived,
    })
}

/// The capture of a target that is on this machine alone. Its files are in the diff.
pub(crate) fn local_capture(kind: &str, repository: String, pull_request: PullRequest) -> Capture {
    Capture {
        format: capture_file::FORMAT.to_owned(),
        version: capture_file::VERSION,
        captured_at: None,
        forge: Some(ForgeName { kind: Some(kind.to_owned()), host: Some("local".to_owned()) }),
        repository,
        pull_request,
        files: None,
        issue_comments: Vec::new(),
        review_threads: Vec::new(),
        reviews: Vec::new(),
        completeness: Completeness::default(),
        viewer: None,
    }
}

/// The file's name without its ending.
fn repository(label: &str) -> String {
    let stem = Path::new(label).file_stem().unwrap_or_default().to_string_lossy();
    if stem.is_empty() { "diff".to_owned() } else { stem.into_owned() }
}

/// The subject of a mailed patch, from the lines before the diff.
fn subject(bytes: &[u8]) -> Option<String> {
    let mut lines = bytes.split(|it| *it == b'\n').take(60);
    let head = lines.find_map(|it| it.strip_prefix(b"Subject: "))?;
    let mut text = String::from_utf8_lossy(head.trim_ascii()).into_owned();
    // Long subjects go on in lines that begin with a blank.
    for line in lines.take_while(|it| it.first() == Some(&b' ')) {
        text.push(' ');
        text.push_str(String::from_utf8_lossy(line.trim_ascii()).as_ref());
    }
    let title = match text.split_once("] ") {
        Some((tag, title)) if tag.starts_with("[PATCH") => title.to_owned(),
        _ => text,
    };
    (!title.is_empty()).then_some(title)
}

#[cfg(test)]
mod tests {
    use crate::domain::text::outside::OutsideOption as _;
    use crate::forge::patch_file::open_bytes;

    #[test]
    fn a_mailed_patch_gives_its_subject() {
        let text = "From 1 Mon Sep 17\nSubject: [PATCH 1/2] upload: stop after\n the budget\n\n---\ndiff --git a/e b/e\nnew file mode 100644\n";
        let opened = open_bytes("dir/0001-upload.patch", text.as_bytes()).expect("a diff");
        assert_eq!(opened.capture.repository, "0001-upload");
        let title = opened.capture.pull_request.title.raw();
        assert_eq!(title, Some("upload: stop after the budget"));
        assert_eq!(opened.diff.map(|it| it.files.len()), Some(1));
    }

    #[test]
    fn what_names_no_file_is_refused() {
        let error = open_bytes("notes.diff", b"hello\n").expect_err("no diff");
        assert!(
            error.to_string().starts_with("the diff in notes.diff could not be read: it names")
        );
    }
}
