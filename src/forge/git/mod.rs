//! A git range as a target: `A..B`, `A...B` (from their merge base), or one commit.
//! Must not let anybody's git settings, and no program they name, change or see what is read.

use crate::domain::{
    capture::{GitRef, PullRequest},
    patch, text,
};
use crate::forge::{Document, ForgeError, Opened, Range, git::run::Git, patch_file::local_capture};
use std::{path::Path, sync::Arc};

mod run;

/// The diff between the two ends of a range. Only commits are read, never the work tree.
pub fn open_range(range: &Range) -> Result<Opened, ForgeError> {
    let git = Git::at(range.folder.as_deref());
    let fail = |why: String| ForgeError::Git { range: range.text.clone(), why: shown(&why) };
    let ends = Ends::of(&range.text).map_err(fail)?;
    let found = git.found(&ends).map_err(fail)?;
    let diff = git.diff(&found.from, &found.head).map_err(fail)?;
    let diff = patch::parse(&diff);
    let repository = git.repository().map_err(fail)?;
    let label = format!("{repository} {}", range.text);
    let capture = local_capture("git", repository, found.pull_request(&git, &ends));
    Ok(Opened {
        label,
        capture: Arc::new(capture),
        diff: Some(Arc::new(diff)),
        document: Document::Derived,
    })
}

/// Git's own words may quote a branch's name; they pass the boundary like any outside text.
fn shown(why: &str) -> String {
    text::display(why.trim(), text::Surface::Inline).into_owned()
}

/// The two ends of a range as a person wrote them.
#[derive(Debug, PartialEq, Eq)]
struct Ends {
    base: String,
    head: String,
    /// Three dots: the change since the two parted.
    parted: bool,
    /// One commit alone: `base` is its parent.
    single: bool,
}

impl Ends {
    fn of(range: &str) -> Result<Self, String> {
        let (base, head, parted, single) = match range.split_once("..") {
            None => (range, range, false, true),
            Some((base, head)) => match head.strip_prefix('.') {
                Some(head) => (base, head, true, false),
                None => (base, head, false, false),
            },
        };
        for end in [base, head] {
            if end.starts_with('-') {
                return Err(format!("`{end}` would be read as an option; name a commit"));
            }
            if end.contains("..") || end.contains(['\0', '\n']) {
                return Err(format!("`{end}` is no name of a commit"));
            }
        }
        let or_head = |end: &str| if end.is_empty() { "HEAD".to_owned() } else { end.to_owned() };
        Ok(Self { base: or_head(base), head: or_head(head), parted, single })
    }
}

/// The commits a range stands for.
struct Found {
    /// What the diff begins at: the base, the merge base, or the empty tree.
    from: String,
    head: String,
    merge_base: Option<String>,
}

impl Git {
    fn found(&self, ends: &Ends) -> Result<Found, String> {
        let head = self.commit(&ends.head)?;
        if ends.single {
            // A first commit has no parent; the empty tree stands for it.
            let from = match self.commit(&format!("{head}^1")) {
                Ok(parent) => parent,
                Err(_) => self.line(&["hash-object", "-t", "tree", "/dev/null"])?,
            };
            return Ok(Found { from, head, merge_base: None });
        }
        let base = self.commit(&ends.base)?;
        if !ends.parted {
            return Ok(Found { from: base, head, merge_base: None });
        }
        let from = self
            .line(&["merge-base", &base, &head])
            .map_err(|_| format!("`{}` and `{}` have no commit in common", ends.base, ends.head))?;
        Ok(Found { merge_base: Some(from.clone()), from, head })
    }

    fn commit(&self, name: &str) -> Result<String, String> {
        let wanted = format!("{name}^{{commit}}");
        let found = self.line(&["rev-parse", "--verify", "--quiet", "--end-of-options", &wanted]);
        found.map_err(|why| {
            if why.is_empty() { format!("there is no commit named `{name}` here") } else { why }
        })
    }

    /// The name of the folder the repository is in.
    fn repository(&self) -> Result<String, String> {
        let top = self.line(&["rev-parse", "--show-toplevel"]);
        let folder = match top {
            Ok(top) if !top.is_empty() => top,
            _ => self.line(&["rev-parse", "--absolute-git-dir"])?,
        };
        let name = Path::new(&folder).file_name().unwrap_or_default().to_string_lossy();
        Ok(name.strip_suffix(".git").filter(|it| !it.is_empty()).unwrap_or(&name).to_owned())
    }
}

impl Found {
    /// What the newest commit says about itself. Decoration: nothing here can fail the target.
    fn pull_request(&self, git: &Git, ends: &Ends) -> PullRequest {
        let raw = git.bytes(&["cat-file", "commit", &self.head]).unwrap_or_default();
        let commit = String::from_utf8_lossy(&raw);
        let (head, message) = commit.split_once("\n\n").unwrap_or((&commit, ""));
        let author = head.lines().find_map(|it| it.strip_prefix("author "));
        let name = author.and_then(|it| it.split(" <").next()).filter(|it| !it.is_empty());
        let title = message.lines().next().filter(|it| !it.is_empty());
        let end = |name: &str, sha: &str| {
            Some(GitRef { name: Some(name.into()), sha: Some(sha.to_owned()) })
        };
        let base = if ends.single { format!("{}^", ends.head) } else { ends.base.clone() };
        PullRequest {
            title: title.map(Into::into),
            author: name.map(Into::into),
            base: end(&base, &self.from),
            head: end(&ends.head, &self.head),
            merge_base: self.merge_base.clone(),
            ..PullRequest::default()
        }
    }
}

/// What git calls itself; the error says why there is none.
pub fn version() -> Result<String, String> {
    Git::at(None).line(&["--version"])
}

#[cfg(test)]
mod tests {
    use crate::forge::git::Ends;

    fn check(range: &str, expected: Result<(&str, &str, bool, bool), &str>) {
        let got = Ends::of(range);
        let got = got.as_ref().map(|it| (&*it.base, &*it.head, it.parted, it.single));
        assert_eq!(got.map_err(|it| &**it), expected);
    }

    #[test]
    fn ranges_have_two_ends() {
        check("main..topic", Ok(("main", "topic", false, false)));
        check("main...topic", Ok(("main", "topic", true, false)));
        check("main..", Ok(("main", "HEAD", false, false)));
        check("v1.2", Ok(("v1.2", "v1.2", false, true)));
        check("--output=x..y", Err("`--output=x` would be read as an option; name a commit"));
        check("x..-y", Err("`-y` would be read as an option; name a commit"));
        check("a..b..c", Err("`b..c` is no name of a commit"));
    }
}
