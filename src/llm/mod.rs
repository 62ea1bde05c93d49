//! Engines behind a prompt: what they are asked and what they answer. Must not know what a prompt is
//! about, and must not be trusted: whoever asks checks the answer.

#[cfg(feature = "test-support")]
pub mod scripted;

use crate::domain::text::outside::Outside;

/// Bytes of an answer that are looked at; a longer one is no answer. An engine stops reading there.
pub const LARGEST_ANSWER: usize = 2 << 20;

/// Something that answers prompts.
pub trait Engine {
    /// Begins a conversation that remembers what was said in it.
    fn open(&self) -> Box<dyn Session + '_>;
}

/// One conversation.
pub trait Session {
    /// Asks and waits for the whole answer.
    fn ask(&mut self, prompt: &str) -> Result<Answer, EngineError>;
}

/// An answer, word for word, and what it cost.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    pub text: Outside,
    pub tokens: Tokens,
}

/// Tokens of one call, and US dollars when the engine says.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Tokens {
    pub input: u64,
    pub output: u64,
    pub cached: u64,
    pub cost_usd: Option<f64>,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    #[error("the engine did not answer: {0}")]
    NoAnswer(String),
    #[error("the engine's answer has {bytes} bytes, {LARGEST_ANSWER} at most")]
    TooLong { bytes: usize },
}
