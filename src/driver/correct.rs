//! A person's own words beside a dossier: corrections that were saved, and drafts that were not.
//! Must not make the dossier again; a run does, and sees what was saved here. Blocks.

use crate::{
    domain::capture::Id,
    driver::report::DriverError,
    store::{corrections, drafts, error::StoreError, root::Root, time},
    summary::correction::{self, Correction, Said},
};
use std::path::Path;

/// What a person wrote on the threads of a dossier.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Written {
    /// Every record, oldest first: the last of a thread counts.
    pub corrections: Vec<Correction>,
    pub drafts: Vec<Said>,
    /// What could not be read; a sentence each.
    pub faults: Vec<String>,
}

/// What is kept below a root. A root that is not there holds nothing.
pub fn load(root: &Path) -> Result<Written, DriverError> {
    let Some(root) = Root::open(root)? else { return Ok(Written::default()) };
    let drafts = root.sub("drafts")?.map_or(Ok(Vec::new()), |it| drafts::read(&it))?;
    let kept = root
        .sub("dossier")?
        .map_or(Ok(corrections::Kept::default()), |it| corrections::read(&it))?;
    Ok(Written { corrections: kept.corrections, drafts, faults: kept.faults })
}

/// Keeps a correction, signed and dated now; the thread's draft is done with. Gives all records.
pub fn save(
    root: &Path,
    mut correction: Correction,
    author: &str,
) -> Result<Vec<Correction>, DriverError> {
    let author = author.trim();
    if author.is_empty() { "somebody" } else { author }.clone_into(&mut correction.author);
    correction.at = time::now();
    if let Some(flaw) = correction::flaw(&correction) {
        return Err(DriverError::Input(format!("the correction was not saved: {flaw}")));
    }
    let root = there(root)?;
    let dossier = root.dossier()?;
    corrections::add(&dossier, &correction)?;
    if let Some(folder) = root.sub("drafts")?.filter(|_| !correction.withdraws) {
        drafts::discard(&folder, &correction.thread_id)?;
    }
    Ok(corrections::read(&dossier)?.corrections)
}

/// Keeps what a person is typing.
pub fn keep_draft(root: &Path, said: &Said) -> Result<(), DriverError> {
    Ok(drafts::keep(&there(root)?.drafts()?, said)?)
}

/// Forgets what a person was typing on a thread.
pub fn discard_draft(root: &Path, thread: &Id) -> Result<(), DriverError> {
    let Some(root) = Root::open(root)? else { return Ok(()) };
    let folder = root.sub("drafts")?;
    Ok(folder.map_or(Ok::<(), StoreError>(()), |it| drafts::discard(&it, thread))?)
}

fn there(path: &Path) -> Result<Root, DriverError> {
    Root::open(path)?.ok_or_else(|| {
        let path = path.display();
        DriverError::Input(format!(
            "{path} is gone, so nothing can be kept there; S makes it again"
        ))
    })
}
