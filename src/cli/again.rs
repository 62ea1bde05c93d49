//! What runs work on, one after another, while the workbench is open.
//! Must not hold a long document longer than the first run needs it.

use crate::batch::work;
use crate::domain::digest::Digest;
use crate::driver::settings::Target;
use crate::failure::Failure;
use crate::forge::{self, Document, Opened, target::TargetSpec};
use crate::telemetry::clean;
use std::sync::{Mutex, OnceLock, PoisonError};

/// A target for one run after another. The document of a file is let go after the first, whose
/// dossier keeps it; a later run reads the file again and holds it against what was shown.
pub struct Again {
    file: Option<TargetSpec>,
    opened: Mutex<Option<Opened>>,
    shown: OnceLock<Digest>,
}

impl Again {
    /// What was read of a target. Of a file the name is enough to read it again; what came through
    /// a pipe or from a forge is held.
    pub fn of(spec: Option<&TargetSpec>, opened: Opened) -> Self {
        let kept = matches!(opened.document, Document::Kept(_));
        let file = spec.filter(|it| kept && matches!(it, TargetSpec::File(_))).cloned();
        Self { file, opened: Mutex::new(Some(opened)), shown: OnceLock::new() }
    }

    /// The target for the next run.
    pub fn get(&self) -> Result<Target, String> {
        let mut held = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        let opened = match &self.file {
            None => held.clone(),
            Some(_) => held.take(),
        };
        if let Some(opened) = opened {
            let target = work::outline(&opened);
            self.shown.get_or_init(|| Digest::of(&*target.document));
            return Ok(target);
        }
        let spec = self.file.as_ref().expect("only a file's document is let go");
        let opened = forge::open(spec).map_err(|it| clean(&Failure::from(it).to_string()))?;
        let target = work::outline(&opened);
        if self.shown.get() == Some(&Digest::of(&*target.document)) {
            return Ok(target);
        }
        Err(format!("{} has changed since it was read; R reads it again", opened.label))
    }
}
