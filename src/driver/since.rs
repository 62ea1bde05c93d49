//! What changed in a pull request between an older head and the one a person looks at: from the
//! clone at hand, else from the forge's files at both commits, else the patches that changed.
//! Must not write anything, and must not hide which of these it was.

use crate::domain::{
    capture::{Capture, ChangedFile, Review},
    diff::Diff,
    patch,
    text::{self, Surface, outside::OutsideOption as _},
};
use crate::driver::live::{Cupboard, Source};
use crate::forge::{
    capture_file, git,
    github::{
        contents::{self, Ends, Wanted},
        read,
    },
    target::PullRequestName,
};
use crate::store::{captures, pantry::Pantry, root::Root};
use serde::Deserialize;
use std::{collections::HashSet, path::Path, sync::Arc};

/// Since when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Point {
    /// The newest kept capture that has another head.
    Capture,
    /// The newest review of whoever took the capture.
    Review,
}

/// The change since then.
#[derive(Debug, Clone)]
pub struct Since {
    /// The two commits.
    pub old: String,
    pub new: String,
    pub diff: Arc<Diff>,
    /// One sentence each: where it is from, what it leaves out.
    pub notices: Vec<String>,
}

/// Who may be asked about it.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    /// The folder of the pull request, with its older captures.
    pub root: &'a Path,
    /// The forge, where it may be asked.
    pub forge: Option<(&'a Source, &'a PullRequestName)>,
    /// Where a clone may be; `None` is the current folder.
    pub folder: Option<&'a Path>,
}

/// Files that are compared by their contents at most: each costs two requests.
const MOST: usize = 150;

/// Finds it. An error is a sentence for people.
pub fn read(
    capture: &Capture,
    point: Point,
    asked: Asked<'_>,
    watch: read::Watch<'_>,
) -> Result<Since, String> {
    let new = capture.head_sha().ok_or("the capture does not name its head commit")?.to_owned();
    let (old, kept) = older(capture, point, &new, asked.root)?;
    let since = |diff, notices| Ok(Since { old: old.clone(), new: new.clone(), diff, notices });
    if let Some(diff) = git::between(&old, &new, asked.folder) {
        let (diff, notices) = own_files(&diff, capture, kept.as_ref());
        return since(diff, notices);
    }
    let files = capture.files.as_deref().unwrap_or_default();
    let before = kept.as_ref().map(|it| it.files.as_deref().unwrap_or_default());
    let wanted = wanted(before, files);
    let why = match from_forge(&wanted, Ends { old: &old, new: &new }, asked, watch) {
        Ok(changed) => {
            let notice =
                "compared by the forge's files; what a clone knows of renames is not in it";
            return since(Arc::new(patch::of_files(&changed)), vec![notice.to_owned()]);
        }
        Err(why) => why,
    };
    if (watch.cancelled)() {
        return Err("it was stopped".to_owned());
    }
    if before.is_none() {
        return Err(format!("what changed since {} is not to be had: {why}", short(&old)));
    }
    let paths: HashSet<&str> = wanted.iter().map(|it| it.path.as_str()).collect();
    let changed = files.iter().filter(|it| it.path.raw().is_some_and(|it| paths.contains(it)));
    let notice = format!("{why}; the patches that changed are shown whole, against the base");
    since(Arc::new(patch::of_files(changed)), vec![notice])
}

fn short(commit: &str) -> String {
    text::display(commit, Surface::Inline).chars().take(7).collect()
}

/// The older head, and the capture of it where one is kept.
fn older(
    capture: &Capture,
    point: Point,
    new: &str,
    root: &Path,
) -> Result<(String, Option<Capture>), String> {
    let root = Root::open(root).ok().flatten();
    let kept = |fits: &dyn Fn(&str) -> bool| {
        let of_head = |bytes: &[u8]| head_of(bytes).is_some_and(|it| fits(&it));
        let bytes = captures::newest_that(root.as_ref()?, of_head).ok().flatten()?;
        let opened = capture_file::of_document("a kept capture", bytes).ok()?;
        Some(Arc::unwrap_or_clone(opened.capture))
    };
    match point {
        Point::Capture => {
            let kept = kept(&|head| head != new);
            let head = kept.as_ref().and_then(|it| it.head_sha()).map(str::to_owned);
            let head = head.ok_or("no earlier capture with another head is kept")?;
            Ok((head, kept))
        }
        Point::Review => {
            let review = my_last(capture).ok_or("the capture holds no review of yours")?;
            let commit = review.commit_id.clone().unwrap_or_default();
            if commit == new {
                return Err(format!("nothing was pushed since your review of {}", short(&commit)));
            }
            let kept = kept(&|head| head == commit);
            Ok((commit, kept))
        }
    }
}

/// The newest review on a commit by whoever took the capture. A pending one is not given yet.
fn my_last(capture: &Capture) -> Option<&Review> {
    let login = capture.viewer.as_ref()?.login.raw()?;
    let mine = |it: &&Review| {
        it.author.raw().is_some_and(|it| it.eq_ignore_ascii_case(login))
            && it.commit_id.as_deref().is_some_and(|it| !it.is_empty())
            && !it.state.raw().is_some_and(|it| it.eq_ignore_ascii_case("pending"))
    };
    let reviews = capture.reviews.iter().filter(mine);
    reviews.max_by(|a, b| a.submitted_at.cmp(&b.submitted_at))
}

/// The head of a capture document, without reading the rest into memory.
fn head_of(bytes: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    struct Document {
        pull_request: Request,
    }
    #[derive(Deserialize)]
    struct Request {
        head: Option<Head>,
    }
    #[derive(Deserialize)]
    struct Head {
        sha: Option<String>,
    }
    let document: Document = serde_json::from_slice(bytes).ok()?;
    document.pull_request.head?.sha.filter(|it| !it.is_empty())
}

/// The files whose patch is another now; all where it is not known how they were.
fn wanted(before: Option<&[ChangedFile]>, files: &[ChangedFile]) -> Vec<Wanted> {
    contents::differing(before.unwrap_or_default(), files)
}

/// A clone shows all that came between, also what the base brought: only the files of the pull
/// request are kept.
fn own_files(diff: &Diff, new: &Capture, old: Option<&Capture>) -> (Arc<Diff>, Vec<String>) {
    let all = [Some(new), old].into_iter().flatten().flat_map(|it| it.files.iter().flatten());
    let paths: HashSet<&str> =
        all.flat_map(|it| [it.path.raw(), it.previous_path.raw()]).flatten().collect();
    if paths.is_empty() {
        return (Arc::new(diff.clone()), Vec::new());
    }
    let own = |it: &&crate::domain::diff::FileDiff| {
        let before = it.previous_path.raw();
        paths.contains(it.path.raw()) || before.is_some_and(|it| paths.contains(it))
    };
    let files: Vec<_> = diff.files.iter().filter(own).cloned().collect();
    let left = diff.files.len() - files.len();
    let notice = match left {
        0 => None,
        1 => Some("1 file that is not of this pull request is left out".to_owned()),
        _ => Some(format!("{left} files that are not of this pull request are left out")),
    };
    (Arc::new(Diff { files }), notice.into_iter().collect())
}

fn from_forge(
    files: &[Wanted],
    ends: Ends<'_>,
    asked: Asked<'_>,
    watch: read::Watch<'_>,
) -> Result<Vec<ChangedFile>, String> {
    let Some((source, name)) = asked.forge.filter(|it| !it.0.offline) else {
        return Err("no clone here has both commits, and the forge is not asked".to_owned());
    };
    if files.len() > MOST {
        return Err(format!(
            "no clone here has both commits, and {} files are too many to compare one by one",
            files.len()
        ));
    }
    let plain = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_hexdigit());
    if !plain(ends.old) || !plain(ends.new) {
        return Err("the capture's commits have no full names".to_owned());
    }
    let github = source.live.github(&name.host).map_err(|it| it.to_string())?;
    let pantry = Cupboard(Pantry::new(&source.home));
    match github.between(name, ends, files, &pantry, watch) {
        Ok(Some(changed)) => Ok(changed),
        Ok(None) => Err(format!(
            "{} no longer has {}, after a force push perhaps, and no clone here does",
            name.host,
            short(ends.old)
        )),
        Err(error) => Err(error.to_string()),
    }
}
