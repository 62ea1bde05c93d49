//! Configuration and flags, brought into the shapes the other rooms take.
//! Must not decide anything a setting does not say.

use crate::app::keymap::Keymap;
use crate::cli::{
    args::{Args, Work},
    report,
};
use crate::config::{self, Config, ConfigError, Given, Loaded, OnSummaryFailure, places, unknown};
use crate::driver::{
    engines,
    settings::{Artifacts, EngineChoice, OnFailure, Pin, Settings},
};
use crate::failure::{Failure, Kind};
use crate::summary::budget::Budgets;
use crate::task::phase::Phase;

/// The settings in force; oddities are told on standard error.
pub fn load(args: &Args) -> Result<Config, Failure> {
    let loaded = layers(args)?;
    if !args.common.quiet {
        for warning in &loaded.warnings {
            report::say(warning);
        }
    }
    Ok(loaded.config)
}

/// The settings with their layers.
pub fn layers(args: &Args) -> Result<Loaded, Failure> {
    let common = &args.common;
    let mut given = Vec::new();
    let mut text = |key, flag, value: &Option<String>| {
        given.extend(value.clone().map(|it| Given { key, flag, value: it.into() }));
    };
    text("engine", "--engine", &common.work.engine);
    text("theme", "--theme", &common.look.theme);
    if common.look.no_mouse {
        given.push(Given { key: "mouse", flag: "--no-mouse", value: false.into() });
    }
    if common.look.ascii {
        given.push(Given { key: "ascii", flag: "--ascii", value: true.into() });
    }
    Ok(config::load(common.profile.as_deref(), given)?)
}

/// What the driver is asked to do. `several` targets share a folder given by `--artifacts`.
pub fn driver(args: &Args, config: &Config, several: bool) -> Result<Settings, Failure> {
    let work = &args.common.work;
    let mut settings = Settings::new(places::data_home()?);
    settings.artifacts = work.artifacts.clone().map(|dir| Artifacts { dir, several });
    settings.ledger.clone_from(&work.ledger);
    settings.engine = engine(config)?;
    settings.pin = pin(work);
    settings.until = work.until.as_deref().map(phase).transpose()?;
    settings.select_only = work.select_only;
    settings.budgets = budgets(config);
    let author = Some(config.author.clone()).filter(|it| !it.trim().is_empty());
    settings.author = author.or_else(places::login).unwrap_or_default();
    settings.resume.clone_from(&work.resume);
    settings.retry.clone_from(&work.retry);
    settings.on_summary_failure = match config.on_summary_failure {
        OnSummaryFailure::Continue => OnFailure::Continue,
        OnSummaryFailure::Fail => OnFailure::Fail,
    };
    Ok(settings)
}

/// The keys in force. Bindings that make no sense are told, and the built-in ones stand.
pub fn keymap(config: &Config) -> Keymap {
    let own = toml::to_string(&config.keys).unwrap_or_default();
    Keymap::with_user(&own).unwrap_or_else(|faults| {
        for fault in faults {
            report::say(&format!("[keys]: {fault}"));
        }
        Keymap::default()
    })
}

fn engine(config: &Config) -> Result<EngineChoice, Failure> {
    let chosen = |it: &String| Some(it.clone()).filter(|it| !it.is_empty());
    let (name, model) = (config.engine.clone(), chosen(&config.model));
    let choice = EngineChoice { name, model, effort: chosen(&config.effort) };
    engines::check(&choice)?;
    Ok(choice)
}

fn pin(work: &Work) -> Option<Pin> {
    Some(Pin { base: work.pin_base.clone()?, head: work.pin_head.clone()? })
}

fn phase(name: &str) -> Result<Phase, Failure> {
    Phase::named(name).ok_or_else(|| {
        let names = Phase::ALL.map(Phase::name);
        let near = nearest_first(name, &names);
        Failure::new(Kind::Usage, format!("there is no phase `{name}`")).hint(near)
    })
}

fn nearest_first(name: &str, names: &[&str]) -> String {
    match unknown::nearest(name, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("known are: {}", names.join(", ")),
    }
}

fn budgets(config: &Config) -> Budgets {
    let said = &config.budgets;
    Budgets {
        top_level: said.top_level as usize,
        threads: said.threads as usize,
        comments: said.comments as usize,
        body_chars: said.body_chars as usize,
        prompt_bytes: said.prompt_kib as usize * 1024,
        calls: said.calls as usize,
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        let kind = match &error {
            ConfigError::Write { .. } => Kind::Disk,
            ConfigError::Exists { .. } => Kind::Usage,
            _ => Kind::Config,
        };
        let failure = Self::new(kind, error.to_string());
        match error {
            ConfigError::NoHome => failure.hint("set HOME, or CASEFILE_HOME and XDG_CONFIG_HOME"),
            ConfigError::Setting { .. } => {
                failure.hint("`casefile config show --origin` says what is set where")
            }
            _ => failure,
        }
    }
}
