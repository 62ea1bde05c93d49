//! The changed files of a pull request, page by page. Must not make patches that are missing;
//! it says which are.

use crate::domain::capture::{ChangedFile, Extent};
use crate::forge::{
    github::{
        convert,
        read::{News, PAGE, Reader},
        trouble::Why,
        wire::Node,
    },
    target::PullRequestName,
};
use serde_json::Value;
use std::collections::HashSet;

/// The most files GitHub lists of one pull request.
pub const MOST: u64 = 3_000;
/// Pages that are asked for side by side.
const WIDTH: usize = 4;

/// The files that are here so far.
#[derive(Debug, Clone, Default)]
pub struct Files {
    pub files: Vec<ChangedFile>,
    known: HashSet<String>,
    skipped: u64,
}

impl Files {
    /// Takes a page in; a file that is here already (pages shift) is not taken twice. How many
    /// rows the page had.
    fn take(&mut self, body: &[u8]) -> Result<usize, Why> {
        let rows: Vec<Value> = serde_json::from_slice(body).map_err(|_| {
            Why::Invalid(Some("the list of files is not what GitHub documents".to_owned()))
        })?;
        for row in &rows {
            match Node::new(row).and_then(convert::file) {
                Some(file) => {
                    let path =
                        file.path.as_ref().map_or_else(String::new, |it| it.raw().to_owned());
                    if self.known.insert(path) {
                        self.files.push(file);
                    }
                }
                None => self.skipped += 1,
            }
        }
        Ok(rows.len())
    }

    /// How much of the list is here. `said`: how many files the pull request has.
    pub fn extent(&self, said: Option<u64>) -> Extent {
        let here = self.files.len() as u64;
        let note = match said {
            Some(said) if said > MOST && here < said => {
                Some(format!("GitHub lists {MOST} files at most; the others are in a clone"))
            }
            _ if self.skipped > 0 => Some(format!("{} rows could not be read", self.skipped)),
            _ => None,
        };
        let total = said.unwrap_or(0).max(here + self.skipped);
        Extent { fetched: Some(here), total: Some(total), note: note.map(Into::into) }
    }
}

fn path(name: &PullRequestName, page: u64) -> String {
    let PullRequestName { owner, repository, number, .. } = name;
    format!("/repos/{owner}/{repository}/pulls/{number}/files?per_page={PAGE}&page={page}")
}

/// The first page.
pub fn first(reader: &Reader<'_>, name: &PullRequestName) -> Result<Files, Why> {
    let mut files = Files::default();
    files.take(&reader.get(&path(name, 1), None)?.body)?;
    Ok(files)
}

/// The other pages, several at once. `said`: how many files the pull request has; without it the
/// pages end with the first that is not full.
pub fn rest(
    reader: &Reader<'_>,
    name: &PullRequestName,
    files: &mut Files,
    said: Option<u64>,
) -> Result<(), Why> {
    let full = u64::from(PAGE);
    if (files.files.len() as u64 + files.skipped) < full {
        return Ok(());
    }
    let last = said.unwrap_or(MOST).min(MOST).div_ceil(full);
    let pages: Vec<u64> = (2..=last).collect();
    for batch in pages.chunks(WIDTH) {
        let mut short = false;
        for body in side_by_side(reader, name, batch) {
            short |= files.take(&body?)? < full as usize;
        }
        let here = files.files.len() as u64;
        (reader.watch.tell)(News::Read { list: "files", here, total: said });
        if short && said.is_none() {
            break;
        }
    }
    Ok(())
}

/// Looks once more at every page when files are missing: they shift while the head moves.
pub fn again(
    reader: &Reader<'_>,
    name: &PullRequestName,
    files: &mut Files,
    said: Option<u64>,
) -> Result<(), Why> {
    let here = files.files.len() as u64 + files.skipped;
    let Some(said) = said.map(|it| it.min(MOST)).filter(|it| here < *it) else { return Ok(()) };
    let pages: Vec<u64> = (1..=said.div_ceil(u64::from(PAGE))).collect();
    for batch in pages.chunks(WIDTH) {
        for body in side_by_side(reader, name, batch) {
            files.take(&body?)?;
        }
    }
    Ok(())
}

fn side_by_side(
    reader: &Reader<'_>,
    name: &PullRequestName,
    pages: &[u64],
) -> Vec<Result<Vec<u8>, Why>> {
    let body = |page: u64| reader.get(&path(name, page), None).map(|it| it.body);
    std::thread::scope(|scope| {
        let asked: Vec<_> = pages.iter().map(|page| scope.spawn(move || body(*page))).collect();
        let fault = || Err(Why::Invalid(Some("a fault of ours".to_owned())));
        asked.into_iter().map(|it| it.join().unwrap_or_else(|_| fault())).collect()
    })
}
