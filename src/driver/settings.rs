//! What a run is asked to do: its target and its settings.
//! Must not read configuration; `config` and `cli` fill these.

use crate::{
    domain::{actor::Identity, capture::Capture},
    summary::budget::Budgets,
    task::phase::Phase,
};
use serde::{Deserialize, Serialize};
use std::{path::PathBuf, sync::Arc};

/// One pull request to work on.
#[derive(Debug, Clone)]
pub struct Target {
    /// As the person named it, for messages.
    pub label: String,
    /// The capture document, byte for byte (unpacked when it was gzip).
    pub document: Arc<Vec<u8>>,
    /// The same document, decoded.
    pub capture: Arc<Capture>,
}

/// How to run it. `Settings::new(home)` gives the defaults.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The data dir: `ledger.db` and `dossiers/`. Created 0700 when missing.
    pub home: PathBuf,
    /// A caller-owned root (`--artifacts DIR`).
    pub artifacts: Option<Artifacts>,
    /// `--ledger FILE`; otherwise `home/ledger.db`.
    pub ledger: Option<PathBuf>,
    pub engine: EngineChoice,
    /// `--pin-base`, `--pin-head`.
    pub pin: Option<Pin>,
    /// Stop after this phase.
    pub until: Option<Phase>,
    /// `--select-only`: allocate no run.
    pub select_only: bool,
    pub budgets: Budgets,
    pub on_summary_failure: OnFailure,
    /// The account we post with; its own posts are not part of a discussion.
    pub us: Identity,
    /// Who corrects summaries here, as the records of it say.
    pub author: String,
    /// `--retry TASK`: do this task again although it is done; its last record is kept beside the
    /// new one.
    pub retry: Option<String>,
    /// `--resume RUN`: continue this run instead of allocating one.
    pub resume: Option<String>,
}

/// Where a caller wants the artifacts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Artifacts {
    pub dir: PathBuf,
    /// Several targets share `dir`: each goes to `dir/<host>/<owner>/<repo>/<n>`. With one, `dir`
    /// itself is the root.
    pub several: bool,
}

/// Which engine summarises, and how hard it thinks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineChoice {
    /// `extractive`: no model.
    pub name: String,
    pub model: Option<String>,
    pub effort: Option<String>,
}

/// The commits a pinned review speaks about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pin {
    pub base: String,
    pub head: String,
}

/// What a failed summary does to the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnFailure {
    /// Recorded, and the run goes on.
    #[default]
    Continue,
    /// The run fails.
    Fail,
}

impl Settings {
    /// Whether a run is allocated and the ledger opened. Not for `--select-only`, nor for a
    /// caller-owned root that stops at the dossier, nor before there is anything to record.
    pub fn has_run(&self) -> bool {
        let until = self.until.unwrap_or(Phase::Dossier);
        let owned = self.artifacts.is_some() && self.until.is_some_and(|it| it <= Phase::Dossier);
        until >= Phase::Dossier && !owned && !self.select_only
    }

    /// The defaults, with this data dir.
    pub fn new(home: PathBuf) -> Self {
        Self {
            home,
            artifacts: None,
            ledger: None,
            engine: EngineChoice { name: "extractive".into(), model: None, effort: None },
            pin: None,
            until: None,
            select_only: false,
            budgets: Budgets::default(),
            on_summary_failure: OnFailure::default(),
            us: Identity::default(),
            author: String::new(),
            retry: None,
            resume: None,
        }
    }
}
