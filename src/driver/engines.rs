//! The engines there are, by name. Must not ask one anything.

use crate::{
    driver::{report::DriverError, settings::EngineChoice},
    llm::Engine,
};

/// The one that needs no model.
pub const EXTRACTIVE: &str = "extractive";

/// Refuses a name no engine has.
pub fn check(choice: &EngineChoice) -> Result<(), DriverError> {
    if choice.name == EXTRACTIVE || behind_prompt(choice).is_some() {
        return Ok(());
    }
    Err(DriverError::Engine(format!(
        "there is no engine `{}`; the one that needs no model is `{EXTRACTIVE}`",
        choice.name
    )))
}

/// The engine behind a prompt, when the choice is one.
#[cfg(feature = "test-support")]
pub fn behind_prompt(choice: &EngineChoice) -> Option<Box<dyn Engine>> {
    use crate::llm::scripted::Scripted;
    let folder = choice.model.clone().filter(|_| choice.name == "scripted")?;
    Some(Box::new(Scripted::from_folder(folder.into())))
}

/// The engine behind a prompt, when the choice is one. There is none yet.
#[cfg(not(feature = "test-support"))]
pub fn behind_prompt(_choice: &EngineChoice) -> Option<Box<dyn Engine>> {
    None
}
