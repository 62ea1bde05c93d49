//! The terminal: one loop, one queue. Must not decide what a key means (`app` does) or what a
//! screen says (`view` does).
//!
//! Everything that happens arrives as a `Message`: keys, signals, answers of workers. The loop
//! takes one, then all that wait, performs the effects, and draws once. It sleeps when nothing
//! happens.

pub mod canvas;
pub mod clipboard;
pub mod comparing;
pub mod drafts;
pub mod editor;
pub mod effects;
pub mod encode;
pub mod frame;
pub mod highlight;
pub mod input;
pub mod keys;
pub mod opening;
pub mod question;
mod queue;
mod replies;
mod session;
pub mod signals;
pub mod terminal;
pub mod theme;
#[cfg(feature = "test-support")]
mod trap;
pub mod told;
pub mod writing;

use crate::{
    app::{
        event::{Event, Request},
        keymap::Keymap,
        model::First,
    },
    driver::{self, viewed::ViewedFile},
    tui::{
        effects::Performer,
        highlight::{Highlight, worker::Answer},
        input::Input,
        opening::{Doctor, Lister, Loaded, Opener, Ways},
        question::{Question, Reply},
        session::Session,
        signals::Standing,
        terminal::Terminal,
        theme::{
            choose::Surroundings,
            file::{self, ThemeError},
        },
    },
};
use std::{
    io,
    path::PathBuf,
    sync::{Arc, mpsc::channel},
};

/// What the workbench starts with.
pub struct Settings {
    pub first: First,
    pub keymap: Keymap,
    /// A theme's name; none or `auto` follows the terminal.
    pub theme: Option<String>,
    /// Where a person keeps themes of their own.
    pub themes: Option<PathBuf>,
    /// Draw with ASCII alone.
    pub ascii: bool,
    /// Take the mouse.
    pub mouse: bool,
    /// How runs are run.
    pub run: driver::settings::Settings,
    /// How targets are read.
    pub opener: Opener,
    /// How the forge's lists are read.
    pub lister: Lister,
    /// How it is found out what is set up.
    pub doctor: Doctor,
}

/// How the workbench ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// A person quit.
    Quit,
    /// The target it was started with could not be read; the opener knows why.
    NotOpened,
    /// A signal, or the terminal's loss (as `SIGHUP`): exit with `signals::exit_code`.
    Signal(i32),
    /// A fault of ours took the keyboard away.
    Broken,
}

/// Why the workbench could not start or go on.
#[derive(Debug, thiserror::Error)]
pub enum TuiError {
    #[error("the workbench needs a terminal; use `casefile --batch TARGET` without one")]
    NoTerminal,
    #[error(transparent)]
    Theme(#[from] ThemeError),
    #[error("the terminal could not be taken over ({0}); use `casefile --batch TARGET` instead")]
    Enter(#[source] io::Error),
    #[error("the terminal could not be written to: {0}")]
    Draw(#[source] io::Error),
}

/// Something the loop has to hear about.
pub enum Message {
    /// An event for the state machine.
    App(Event),
    /// A target has been read.
    Loaded { request: Request, loaded: Box<Loaded>, viewed: Vec<ViewedFile> },
    /// Some lines have their colours.
    Coloured(Answer),
    /// The terminal says something of itself.
    Replied(Reply),
    /// The terminal has another size.
    Resized,
    /// Stop, as Ctrl-Z asks.
    Suspend,
    /// Somebody let us go on; the terminal may hold anything.
    Continued,
    /// Keys are not read any more, because of a fault of ours.
    Broken,
    /// A signal asks us to end.
    Ended(i32),
    /// Bytes of our own vocabulary for the terminal.
    Write(String),
}

/// Runs the workbench until it is quit. The terminal is as before when this returns, and after a
/// panic too.
pub fn run(settings: Settings) -> Result<Ending, TuiError> {
    if !terminal::is_terminal() {
        return Err(TuiError::NoTerminal);
    }
    let surroundings = Surroundings::read();
    let theme = surroundings.theme(settings.theme.as_deref(), settings.themes.as_deref())?;
    let (messages, received) = channel();
    let coloured = messages.clone();
    let highlight = Highlight::start(move |it| {
        let _ = coloured.send(Message::Coloured(it));
    });
    let ways = Ways { opener: settings.opener, lister: settings.lister, doctor: settings.doctor };
    let performer = Performer::new(messages.clone(), ways, settings.run, surroundings.clone());
    let standing = Arc::new(Standing::default());
    signals::watch(&messages, &standing).map_err(TuiError::Enter)?;
    let terminal = Terminal::enter(settings.mouse).map_err(TuiError::Enter)?;
    // Asked as early as can be: the answer is mostly here before the target is read.
    let wanted = surroundings.wants_answer(settings.theme.as_deref());
    let question = if wanted { Question::ask() } else { Question::default() };
    let input = Input::start(messages, question.clone()).map_err(TuiError::Enter)?;
    let start = crate::app::model::Start {
        size: session::size(),
        now: session::now(),
        first: settings.first,
        keymap: settings.keymap,
        ascii: settings.ascii,
        mouse: settings.mouse,
        themes: file::listed(settings.themes.as_deref()).into_iter().map(|it| it.0).collect(),
    };
    let watched = Arc::clone(&standing);
    let outside = session::Outside { terminal, input, question, performer, surroundings, standing };
    let ending = Session::new(start, theme, settings.themes, highlight, received, outside).run();
    watched.end();
    ending
}

#[cfg(test)]
mod matrix_tests;
