//! The way to live pull requests, made of settings, flags and what signs us in.
//! Must not send anything; a token is looked for when a host is first asked.

use crate::cli::{args::Args, report};
use crate::config::{
    Config, places,
    sign_in::{self, Given, Machine},
};
use crate::domain::host;
use crate::driver::live::Source;
use crate::failure::Failure;
use crate::forge::{github::transport::Times, live::Live};
use std::{sync::Arc, time::Duration};

/// How long a run without a screen waits for a limit to pass. Who looks at a screen may wait an
/// hour, and can stop it.
const HEADLESS: Duration = Duration::from_secs(600);

/// Where live pull requests come from.
pub fn source(args: &Args, config: &Config) -> Result<Source, Failure> {
    let given = given(args, config);
    let tokens = move |host: &str| {
        let found = sign_in::find(host, &given, &Machine).map_err(|it| it.to_string())?;
        Ok(found.map(|it| it.secret.for_wire()))
    };
    let api = Some(config.forge.api.clone()).filter(|it| !it.is_empty());
    Ok(Source {
        live: Arc::new(Live::new(api, times(config), Box::new(tokens))),
        home: places::data_home()?,
        offline: args.common.work.offline,
        longest: HEADLESS,
        host: host::normal(&config.forge.host),
    })
}

/// What signs us in, as far as it was given.
pub fn given(args: &Args, config: &Config) -> Given {
    Given {
        file: args.common.token_file.clone(),
        host: config.forge.host.clone(),
        standing_in: !config.forge.api.is_empty(),
    }
}

fn times(config: &Config) -> Times {
    let whole = Duration::from_secs(u64::from(config.forge.timeout.max(1)));
    let usual = Times::default();
    Times { connect: usual.connect.min(whole), read: usual.read.min(whole), whole }
}

/// Tells a sentence on standard error, unless nothing is to be told.
pub fn tell(args: &Args) -> impl Fn(String) + Sync + use<> {
    let quiet = args.common.quiet;
    move |text: String| {
        if !quiet {
            report::say(&text);
        }
    }
}
