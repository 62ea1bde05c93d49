//! How much of a discussion a model may see. Must not hold policy on failure; the driver does.

use std::fmt;

/// Limits of a projection. The defaults are the contract's (dossier-and-tasks, section 3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budgets {
    /// Top-level comments a model sees.
    pub top_level: usize,
    /// Threads a model sees.
    pub threads: usize,
    /// Comments of one thread: the first, and the newest ones.
    pub comments: usize,
    /// Characters of one body; the middle is cut.
    pub body_chars: usize,
    /// Bytes of one prompt.
    pub prompt_bytes: usize,
    /// Calls of one task.
    pub calls: usize,
}

impl Default for Budgets {
    fn default() -> Self {
        Self {
            top_level: 60,
            threads: 200,
            comments: 12,
            body_chars: 1_200,
            prompt_bytes: 256 * 1024,
            calls: 8,
        }
    }
}

/// A discussion that fits no allowed number of prompts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OverBudget {
    /// Bytes all prompts would need.
    pub needed: usize,
    /// Bytes all allowed prompts hold.
    pub allowed: usize,
    /// The largest threads, largest first: their name (`path:line (id)`) and bytes.
    pub largest: Vec<(String, usize)>,
}

impl fmt::Display for OverBudget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { needed, allowed, largest } = self;
        write!(f, "dossier-summary budget exceeded: {needed} bytes needed, {allowed} allowed")?;
        for (at, (name, bytes)) in largest.iter().enumerate() {
            write!(f, "{} {name} ({bytes} bytes)", if at == 0 { "; largest:" } else { "," })?;
        }
        Ok(())
    }
}
