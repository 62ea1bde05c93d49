//! What makes a summary: an engine under a prompt version. Must not call it.

use crate::{
    domain::digest::Digest,
    summary::{discussion::Usage, prompt},
};

/// The version of the extractive rules; raised whenever they may answer differently, so that
/// entries they made earlier are made again.
pub const EXTRACT_VERSION: &str = "extractive-1";

/// The engine and what decides its answers. Equal makers give equal summaries of equal threads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Maker {
    pub engine: String,
    pub model: Option<String>,
    pub prompt_version: String,
    pub prompt_digest: Digest,
}

impl Maker {
    /// The engine without a model; its rules stand in for a prompt.
    pub fn extractive() -> Self {
        Self {
            engine: "extractive".into(),
            model: None,
            prompt_version: EXTRACT_VERSION.into(),
            prompt_digest: Digest::of(EXTRACT_VERSION),
        }
    }

    /// A model behind an engine.
    pub fn model(engine: &str, model: Option<&str>) -> Self {
        Self {
            engine: engine.into(),
            model: model.map(Into::into),
            prompt_version: prompt::PROMPT_VERSION.into(),
            prompt_digest: prompt::digest(),
        }
    }
}

/// One making of a summary, for its provenance.
#[derive(Debug, Clone, PartialEq)]
pub struct Made {
    pub maker: Maker,
    pub capture_digest: Digest,
    /// Of the projection a model saw; of the fresh threads' source digests without a model.
    pub projection_digest: Digest,
    /// RFC 3339, UTC.
    pub made_at: String,
    pub usage: Usage,
}
