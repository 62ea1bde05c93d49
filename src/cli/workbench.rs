//! The workbench, started: settings into the shapes `tui` takes, and its end into an exit code.
//! Must not draw.

use crate::app::{
    event::{Arrives, Progress, Taken},
    model::First,
};
use crate::cli::{access, again::Again, args::Args, doctor, lists, settings, since, targets};
use crate::config::places;
use crate::domain::review::Review;
use crate::driver::{
    self,
    live::{self, Part, Source},
    status::root_of,
};
use crate::failure::{Failure, Kind};
use crate::forge::{
    self, ForgeError, Opened, Watch, capture_file,
    github::read::News,
    target::{PullRequestName, TargetSpec},
};
use crate::telemetry::clean;
use crate::tui::{
    self, Ending, Settings, TuiError,
    opening::{Loaded, Opener, Reading, Wanted},
    signals,
};
use std::{
    io::{self, IsTerminal as _},
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

/// The pull request of `casefile demo`, written for this project.
const DEMO: &[u8] = include_bytes!("../../assets/demo/capture.json");

/// How long somebody at a screen waits for a limit to pass: GitHub's are by the hour.
const PATIENT: Duration = Duration::from_secs(3_700);

/// Why the last target could not be read, kept while the screen is up.
type Reason = Arc<Mutex<Option<Failure>>>;

/// What the command line asks to see first.
pub fn first(named: &[String]) -> Result<First, Failure> {
    match named {
        [] => Ok(First::Home),
        [one] => targets::unknown(one).map_or_else(|| Ok(First::Target(one.clone())), Err),
        _ => Err(Failure::new(Kind::Usage, "the workbench opens one target")
            .hint("casefile --batch TARGET... works on several")),
    }
}

/// Runs the workbench until it is left; the exit code.
pub fn open(first: First, args: &Args) -> Result<u8, Failure> {
    let config = settings::load(args)?;
    let reason = Reason::default();
    let source = Source { longest: PATIENT, ..access::source(args, &config)? };
    let run = settings::driver(args, &config, false)?;
    let settings = Settings {
        first,
        keymap: settings::keymap(&config),
        theme: Some(config.theme.clone()),
        themes: themes(),
        ascii: config.ascii,
        mouse: config.mouse,
        lister: lists::lister(source.clone()),
        doctor: doctor::for_the_workbench(args),
        opener: opener(Arc::clone(&reason), source, run.clone()),
        run,
    };
    match tui::run(settings)? {
        Ending::Quit => Ok(0),
        Ending::Signal(signal) => Ok(signals::exit_code(signal)),
        Ending::Broken => {
            Err(Failure::new(Kind::Bug, "keys could not be read: a fault in casefile")
                .hint("drafts are saved; please report it, with --log-file if it comes again"))
        }
        Ending::NotOpened => {
            let reason = reason.lock().unwrap_or_else(PoisonError::into_inner).take();
            Err(reason.unwrap_or_else(work_lost))
        }
    }
}

/// Where a person keeps themes.
pub fn themes() -> Option<PathBuf> {
    Some(places::config_file().ok()?.with_file_name("themes"))
}

fn work_lost() -> Failure {
    Failure::new(Kind::Bug, "the target could not be opened because of a fault in casefile")
        .hint("please report it, with the target if you can share it")
}

/// Where targets come from, and where their dossiers are.
#[derive(Clone, Copy)]
struct At<'a> {
    source: &'a Source,
    run: &'a driver::settings::Settings,
}

fn opener(reason: Reason, source: Source, run: driver::settings::Settings) -> Opener {
    Arc::new(move |wanted: &Wanted, reading: &Reading<'_>| {
        let at = At { source: &source, run: &run };
        read(wanted, reading, at).map_err(|failure| {
            // A forge may say a token back; it stands on no screen either.
            let cause = clean(&failure.to_string());
            *reason.lock().unwrap_or_else(PoisonError::into_inner) = Some(failure);
            cause
        })
    })
}

fn read(wanted: &Wanted, reading: &Reading<'_>, at: At<'_>) -> Result<Loaded, Failure> {
    let growing = |opened: Opened| (reading.part)(part(&opened, Arrives::Growing));
    let Wanted::Target(name) = wanted else {
        return Ok(whole(at, (None, None), capture_file::of_document("the demo", DEMO.to_vec())?));
    };
    let spec = spec(name, at.source)?;
    if let TargetSpec::PullRequest(pull) = &spec {
        return Ok(live(pull, at, reading)?);
    }
    let watch = Watch { part: &growing, stopped: reading.stopped };
    let opened = forge::stream(&spec, &watch)?;
    Ok(whole(at, (Some(&spec), None), opened))
}

/// A live pull request: what is kept of it first, then what the forge says now.
fn live(name: &PullRequestName, at: At<'_>, reading: &Reading<'_>) -> Result<Loaded, ForgeError> {
    let hear = |news| (reading.hear)(progress(news));
    let early = |opened, what| {
        (reading.part)(match what {
            Part::First => part(&opened, Arrives::Begun),
            Part::Kept => {
                Loaded { arrives: Arrives::Kept, ..whole(at, (None, Some(name)), opened) }
            }
        });
    };
    let watch = live::Watch { part: &early, tell: &hear, cancelled: reading.stopped };
    let read = live::open(name, at.source, &watch)?;
    read.notices.iter().map(|it| clean(it)).for_each(reading.tell);
    let taken = Taken { at: read.at, offline: read.offline.as_deref().map(clean) };
    Ok(Loaded { taken, ..whole(at, (None, Some(name)), read.opened) })
}

fn progress(news: News) -> Progress {
    match news {
        News::Read { list, here, total } => Progress::Read { list, here, total },
        News::Waiting { pause, why } => {
            let seconds = pause.as_secs() + u64::from(pause.subsec_nanos() > 0);
            Progress::Waiting { seconds, why: clean(&why) }
        }
        News::GoingOn => Progress::GoingOn,
    }
}

/// Something to look at while more is read.
fn part(opened: &Opened, arrives: Arrives) -> Loaded {
    let (label, review) = (opened.label.clone(), review(opened));
    Loaded { label, review, target: None, arrives, taken: Taken::default(), since: None }
}

/// A target a run can start from. `spec` is how it is read again, `live` its name at the forge.
fn whole(
    at: At<'_>,
    (spec, live): (Option<&TargetSpec>, Option<&PullRequestName>),
    opened: Opened,
) -> Loaded {
    let (label, review) = (opened.label.clone(), review(&opened));
    let root = root_of(&opened.capture, at.run);
    let live = live.map(|name| (at.source.clone(), name.clone()));
    let since = Some(since::finder(Arc::clone(&opened.capture), root, live));
    let again = Again::of(spec, opened);
    let (arrives, taken) = (Arrives::Whole, Taken::default());
    Loaded { label, review, target: Some(Box::new(move || again.get())), arrives, taken, since }
}

fn review(opened: &Opened) -> Review {
    let capture = Arc::clone(&opened.capture);
    match opened.diff.clone() {
        Some(diff) => Review::with_diff(capture, diff),
        None => Review::of(capture),
    }
}

/// The target of that name. A keyboard is no pipe, and nobody would see what it waits for.
fn spec(name: &str, source: &Source) -> Result<TargetSpec, Failure> {
    let spec = TargetSpec::parse_at(name, &source.host);
    if spec == TargetSpec::Stdin && io::stdin().is_terminal() {
        return Err(Failure::new(Kind::Usage, "nothing is piped into standard input")
            .hint("for example: git diff main... | casefile -"));
    }
    Ok(spec)
}

impl From<TuiError> for Failure {
    fn from(error: TuiError) -> Self {
        let kind = match &error {
            TuiError::NoTerminal => Kind::Usage,
            TuiError::Theme(_) => Kind::Config,
            TuiError::Enter(_) | TuiError::Draw(_) => Kind::Disk,
        };
        Self::new(kind, error.to_string())
    }
}
