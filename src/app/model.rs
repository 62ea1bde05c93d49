//! The state of the interface: a few fields, each screen owning its own.
//! Must not hold terminal state or anything that acts.

use crate::app::{
    action::Scope,
    desk::{Desk, Focus},
    event::{Effect, Progress, Request},
    geometry::{self, Panes, Wish},
    home::Home,
    key::Chord,
    keymap::Keymap,
    prompt::Prompt,
    work::Work,
};
use std::sync::Arc;

/// Everything the screens are drawn from.
#[derive(Debug)]
pub struct Model {
    pub size: Size,
    /// Seconds since 1970, as the last tick said.
    pub now: i64,
    pub options: Options,
    pub keymap: Arc<Keymap>,
    /// The names of the themes there are.
    pub themes: Vec<String>,
    pub typed: Typed,
    pub screen: Screen,
    /// Screens to go back to.
    pub back: Vec<Screen>,
    pub prompt: Option<Prompt>,
    pub notices: Notices,
    pub home: Home,
    pub desk: Option<Box<Desk>>,
    pub work: Work,
    pub requests: Requests,
}

/// The terminal in cells.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Size {
    pub width: u16,
    pub height: u16,
}

/// Choices of the whole interface.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Options {
    /// Draw with ASCII alone.
    pub ascii: bool,
    /// The mouse is ours.
    pub mouse: bool,
    /// Quit as soon as no task runs.
    pub quit_when_done: bool,
}

/// Keys that wait for more.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Typed {
    pub keys: Vec<Chord>,
    pub count: Option<u32>,
}

/// What fills the window.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Screen {
    #[default]
    Home,
    Diff,
    Threads,
    Tasks,
}

/// Things said to the person, newest last.
#[derive(Debug, Clone, Default)]
pub struct Notices {
    pub all: Vec<Notice>,
}

/// One thing said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    pub text: String,
    pub at: i64,
    pub error: bool,
    /// Nobody asked for it: it came from work in the background.
    pub unasked: bool,
}

/// Requests under way.
#[derive(Debug, Clone, Default)]
pub struct Requests {
    last: Request,
    /// What is being opened.
    pub opening: Option<(Request, First)>,
    /// How far that has come.
    pub reading: Reading,
    /// What the open review was opened by, to read it again.
    pub opened: First,
}

/// How far a reading has come, and what it waits for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reading {
    /// Lists and how much of each is here, the newest news last.
    pub lists: Vec<(&'static str, u64, Option<u64>)>,
    pub pause: Option<Pause>,
}

/// A pause somebody asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pause {
    /// Seconds since 1970.
    pub until: i64,
    pub why: String,
}

impl Reading {
    /// Takes news in.
    pub fn hear(&mut self, progress: Progress, now: i64) {
        self.pause = None;
        match progress {
            Progress::Read { list, here, total } => {
                self.lists.retain(|it| it.0 != list);
                self.lists.push((list, here, total));
            }
            Progress::Waiting { seconds, why } => {
                let until = now.saturating_add_unsigned(seconds);
                self.pause = Some(Pause { until, why });
            }
            Progress::GoingOn => {}
        }
    }
}

/// How the interface starts.
#[derive(Debug, Clone, Default)]
pub struct Start {
    pub size: Size,
    pub now: i64,
    pub first: First,
    pub keymap: Keymap,
    /// Draw with ASCII alone.
    pub ascii: bool,
    /// Capture the mouse.
    pub mouse: bool,
    /// The names of the themes there are.
    pub themes: Vec<String>,
}

/// What to show first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum First {
    #[default]
    Home,
    Demo,
    Target(String),
}

/// Seconds a notice shows.
const NOTICE: i64 = 6;
/// Notices kept.
const NOTICES: usize = 100;

impl Model {
    /// The first state, and what has to be done to fill it.
    pub fn start(start: Start) -> (Self, Vec<Effect>) {
        let mut model = Self {
            size: start.size,
            now: start.now,
            options: Options { ascii: start.ascii, mouse: start.mouse, quit_when_done: false },
            keymap: Arc::new(start.keymap),
            themes: start.themes,
            typed: Typed::default(),
            screen: Screen::Home,
            back: Vec::new(),
            prompt: None,
            notices: Notices::default(),
            home: Home::default(),
            desk: None,
            work: Work::default(),
            requests: Requests::default(),
        };
        let effects = match start.first {
            First::Home => vec![model.load_home(), model.load_lists()],
            First::Demo => vec![model.open_demo()],
            First::Target(target) => vec![model.open(target)],
        };
        (model, effects)
    }

    /// A number for the next request.
    pub fn request(&mut self) -> Request {
        self.requests.last += 1;
        self.requests.last
    }

    /// Asks for the dossier list.
    pub fn load_home(&mut self) -> Effect {
        let request = self.request();
        self.home.waits_for = Some(request);
        Effect::LoadDossiers { request }
    }

    /// Asks for the forge's lists.
    pub fn load_lists(&mut self) -> Effect {
        let request = self.request();
        let live = &mut self.home.live;
        (live.waits_for, live.asked_at) = (Some(request), Some(self.now));
        Effect::LoadLists { request }
    }

    /// Home comes up: its dossiers, and the forge's lists where they are old.
    pub fn go_home(&mut self) -> Vec<Effect> {
        let mut effects = vec![self.load_home()];
        if self.home.is_due(self.now) {
            effects.push(self.load_lists());
        }
        effects
    }

    /// After how many seconds something on the screen changes by itself.
    pub fn pace(&self) -> Option<u64> {
        let home = self.screen == Screen::Home;
        let counts = home && self.home.live.pause.is_some();
        match self.notice() {
            Some(_) => Some(1),
            None if counts || self.requests.reading.pause.is_some() => Some(1),
            None if home => Some(30),
            // How old a capture is changes by itself too.
            None => self.desk.as_ref().map(|_| 60),
        }
    }

    /// Asks for a target to be read.
    pub fn open(&mut self, target: String) -> Effect {
        let request = self.request();
        self.requests.reading = Reading::default();
        self.requests.opening = Some((request, First::Target(target.clone())));
        Effect::Open { request, target }
    }

    /// Asks for the bundled pull request.
    pub fn open_demo(&mut self) -> Effect {
        let request = self.request();
        self.requests.reading = Reading::default();
        self.requests.opening = Some((request, First::Demo));
        Effect::OpenDemo { request }
    }

    /// Asks for the open review to be read again, or for the dossier list.
    pub fn open_again(&mut self) -> Effect {
        match self.requests.opened.clone() {
            First::Home => self.load_home(),
            First::Demo => self.open_demo(),
            First::Target(target) => self.open(target),
        }
    }

    /// Says something to the person.
    pub fn say(&mut self, text: impl Into<String>) {
        self.push(text.into(), false, false);
    }

    /// Says what happened in the background. It never covers what went wrong a moment ago.
    pub fn announce(&mut self, text: impl Into<String>) {
        self.push(text.into(), false, true);
    }

    /// Says that something went wrong.
    pub fn complain(&mut self, text: impl Into<String>) {
        self.push(text.into(), true, false);
    }

    fn push(&mut self, text: String, error: bool, unasked: bool) {
        let all = &mut self.notices.all;
        if all.len() >= NOTICES {
            all.remove(0);
        }
        all.push(Notice { text, at: self.now, error, unasked });
    }

    /// The notice that shows now.
    pub fn notice(&self) -> Option<&Notice> {
        let mut fresh = self.notices.all.iter().rev().take_while(|it| self.now - it.at < NOTICE);
        let newest = fresh.next()?;
        let covered = if newest.unasked { fresh.find(|it| !it.unasked) } else { None };
        Some(covered.filter(|it| it.error).unwrap_or(newest))
    }

    /// What a person typed on the open review and did not save.
    pub fn drafts(&self) -> usize {
        self.desk.as_ref().map_or(0, |it| it.corrections.drafts.len())
    }

    /// Where keys are looked up, the narrowest first.
    pub fn scopes(&self) -> Vec<Scope> {
        let mut scopes = Vec::with_capacity(3);
        let focus = self.desk.as_ref().map(|it| it.focus);
        match (self.screen, focus) {
            (Screen::Home, _) => scopes.push(Scope::Home),
            (Screen::Threads, _) => scopes.push(Scope::Threads),
            (Screen::Tasks, _) => scopes.push(Scope::Tasks),
            (Screen::Diff, Some(Focus::Files)) => scopes.push(Scope::Files),
            (Screen::Diff, Some(Focus::Inspector)) => scopes.push(Scope::Inspector),
            (Screen::Diff, _) => scopes.push(Scope::Diff),
        }
        if self.desk.is_some() {
            scopes.push(Scope::Review);
        }
        scopes.push(Scope::Everywhere);
        scopes
    }

    /// The panes of the diff screen.
    pub fn panes(&self) -> Panes {
        let wish = self.desk.as_ref().map(|it| Wish {
            files: it.files.shown,
            inspector: it.inspector.shown && (self.size.is_wide() || it.focus == Focus::Inspector),
            full: it.inspector.full && it.focus == Focus::Inspector,
        });
        geometry::panes(
            self.size,
            wish.unwrap_or(Wish { files: false, inspector: false, full: false }),
        )
    }
}
