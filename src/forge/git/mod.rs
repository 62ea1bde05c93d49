//! A git range as a target: `A..B`, `A...B` (from their merge base), or one commit.
//! Must not let anybody's git settings, and no program they name, change or see what is read.

use crate::domain::{
    capture::{GitRef, PullRequest},
    diff::Diff,
    patch::growing::Growing,
    text,
};
use crate::forge::{
    Document, ForgeError, Opened, Range, Watch, git::run::Git, patch_file::local_capture,
};
use std::{
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

pub mod remote;
mod run;

/// Lines a person wants to see before anything: more than a tall terminal shows.
const SCREENFUL: usize = 200;
/// Between two parts of a diff that is read for long.
const BREATH: Duration = Duration::from_millis(100);

/// The diff between the two ends of a range. Only commits are read, never the work tree.
pub fn open_range(range: &Range) -> Result<Opened, ForgeError> {
    stream_range(range, &Watch { part: &|_| (), stopped: &|| false })
}

/// The same, with parts of it given to `watch` as soon as there is something to show, and a few
/// times more when git takes long.
pub fn stream_range(range: &Range, watch: &Watch<'_>) -> Result<Opened, ForgeError> {
    let fail = |why: String| ForgeError::Git { range: range.text.clone(), why: shown(&why) };
    let ends = Ends::of(&range.text).map_err(fail)?;
    let mut git = Git::at(range.folder.as_deref());
    let (found, repository) = git.look_up(&ends).map_err(fail)?;
    let running = git.diff(&found.from, &found.head).map_err(fail)?;
    // Git is at work already; what the commit says of itself is read meanwhile.
    let label = format!("{repository} {}", range.text);
    let capture = Arc::new(local_capture("git", repository, found.pull_request(&git, &ends)));
    let opened = |diff| Opened {
        label: label.clone(),
        capture: Arc::clone(&capture),
        diff: Some(Arc::new(diff)),
        document: Document::Derived,
    };
    let mut growing = Growing::default();
    let mut given = (0, Instant::now());
    let read = running.read(watch.stopped, &mut |bytes| {
        growing.take(bytes);
        let (lines, at) = given;
        let due = if lines == 0 { growing.lines() >= SCREENFUL } else { at.elapsed() > BREATH };
        if due && growing.lines() > 4 * lines {
            (watch.part)(opened(growing.so_far()));
            given = (growing.lines(), Instant::now());
        }
    });
    read.map_err(fail)?;
    Ok(opened(growing.finish()))
}

/// The diff between two commits, if the clone in that folder (`None`: the current one) has both.
pub fn between(old: &str, new: &str, folder: Option<&Path>) -> Option<Arc<Diff>> {
    let plain = |it: &str| it.len() >= 40 && it.bytes().all(|it| it.is_ascii_hexdigit());
    if !plain(old) || !plain(new) {
        return None;
    }
    let range = Range { text: format!("{old}..{new}"), folder: folder.map(Path::to_owned) };
    open_range(&range).ok()?.diff
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
    /// The commits of a range and the repository's name: one question when all is plain, several
    /// when it is not, or to say what is wrong.
    fn look_up(&mut self, ends: &Ends) -> Result<(Found, String), String> {
        match self.at_once(ends) {
            Ok(found) => return Ok(found),
            Err(why) => {
                if self.trust(&why)
                    && let Ok(found) = self.at_once(ends)
                {
                    return Ok(found);
                }
            }
        }
        Ok((self.found(ends)?, self.repository()?))
    }

    fn at_once(&self, ends: &Ends) -> Result<(Found, String), String> {
        let base = if ends.single { format!("{}^1", ends.head) } else { ends.base.clone() };
        let names = [base, ends.head.clone()].map(|it| format!("{it}^{{commit}}"));
        let said = self.line(&["rev-parse", "--show-toplevel", &names[0], &names[1]])?;
        let mut lines = said.rsplitn(3, '\n');
        let mut next = || lines.next().unwrap_or_default().to_owned();
        let (head, base, top) = (next(), next(), next());
        let is_id = |it: &str| it.len() >= 40 && it.bytes().all(|it| it.is_ascii_hexdigit());
        if !is_id(&head) || !is_id(&base) || top.is_empty() {
            return Err("there are no such two commits in a work tree".to_owned());
        }
        let found =
            if ends.parted { self.parted(ends, &base, head)? } else { Found::plain(base, head) };
        Ok((found, name_of(&top)))
    }

    /// The range from where two commits parted.
    fn parted(&self, ends: &Ends, base: &str, head: String) -> Result<Found, String> {
        let from = self
            .line(&["merge-base", base, &head])
            .map_err(|_| format!("`{}` and `{}` have no commit in common", ends.base, ends.head))?;
        Ok(Found { merge_base: Some(from.clone()), from, head })
    }

    fn found(&self, ends: &Ends) -> Result<Found, String> {
        let head = self.commit(&ends.head)?;
        if ends.single {
            // A first commit has no parent; the empty tree stands for it.
            let from = match self.commit(&format!("{head}^1")) {
                Ok(parent) => parent,
                Err(_) => self.line(&["hash-object", "-t", "tree", "/dev/null"])?,
            };
            return Ok(Found::plain(from, head));
        }
        let base = self.commit(&ends.base)?;
        if ends.parted { self.parted(ends, &base, head) } else { Ok(Found::plain(base, head)) }
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
        Ok(name_of(&folder))
    }
}

/// What a repository in that folder is called.
fn name_of(folder: &str) -> String {
    let name = Path::new(folder).file_name().unwrap_or_default().to_string_lossy();
    name.strip_suffix(".git").filter(|it| !it.is_empty()).unwrap_or(&name).to_owned()
}

impl Found {
    fn plain(from: String, head: String) -> Self {
        Self { from, head, merge_base: None }
    }

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
