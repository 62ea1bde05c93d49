//! An engine that answers from files, for tests. Must not exist in a released binary.
//!
//! Its model is a folder: the first call of a process gets `1.txt`, the second `2.txt`, and so on. A
//! file that begins with `!` is a failure with the rest as its reason; so is a missing one.

use crate::llm::{Answer, Engine, EngineError, Session, Tokens};
use std::{cell::Cell, path::PathBuf};

/// Answers from the files of a folder.
#[derive(Debug)]
pub struct Scripted {
    folder: PathBuf,
    calls: Cell<u32>,
}

impl Scripted {
    /// The answers of a folder, from the first one on.
    pub fn from_folder(folder: PathBuf) -> Self {
        Self { folder, calls: Cell::new(0) }
    }
}

impl Engine for Scripted {
    fn open(&self) -> Box<dyn Session + '_> {
        Box::new(self)
    }
}

impl Session for &Scripted {
    fn ask(&mut self, prompt: &str) -> Result<Answer, EngineError> {
        self.calls.set(self.calls.get() + 1);
        let file = self.folder.join(format!("{}.txt", self.calls.get()));
        let failed = |error: std::io::Error| EngineError::NoAnswer(error.to_string());
        std::fs::write(file.with_extension("prompt"), prompt).map_err(failed)?;
        let text = std::fs::read_to_string(&file).map_err(failed)?;
        if let Some(reason) = text.strip_prefix('!') {
            return Err(EngineError::NoAnswer(reason.trim().to_owned()));
        }
        let tokens = Tokens {
            input: prompt.len() as u64 / 4,
            output: text.len() as u64 / 4,
            cached: 0,
            cost_usd: Some(0.001),
        };
        Ok(Answer { text: text.into(), tokens })
    }
}
