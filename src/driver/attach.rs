//! Two processes, one dossier: the first works, the second shows its progress and then loads.
//! Must not let two at the work; the kernel's lock on the folder sees to that, over a pause and
//! until the holder dies.

use crate::{
    driver::{report::Report, tasks::Desk},
    store::{
        error::StoreError,
        folder::{Folder, Lock},
        root::Root,
    },
};
use std::time::Duration;

/// How often a waiting process looks again.
const LOOK: Duration = Duration::from_millis(50);

/// The dossier's lock, after waiting for whoever holds it. `None`: somebody asked to stop.
pub fn lock(dossier: &Folder, root: &Root, desk: &Desk<'_>) -> Result<Option<Lock>, StoreError> {
    let mut told = false;
    loop {
        if let Some(lock) = dossier.try_lock()? {
            return Ok(Some(lock));
        }
        if desk.cancel.is_cancelled() {
            return Ok(None);
        }
        if !told {
            told = true;
            (desk.report)(Report::Notice(format!(
                "another casefile works on {}; waiting for it",
                root.path().display()
            )));
        }
        std::thread::sleep(LOOK);
    }
}
