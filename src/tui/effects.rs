//! What the interface asks to be done outside, done on threads of their own, answered as events.
//! Must not draw, and must not let work that fails or panics end in silence.

use crate::{
    app::{
        event::{Effect, Event, Opened, Request, RunReport},
        viewed::ViewedMark,
    },
    driver::{
        self,
        report::Cancel,
        settings::{Settings, Target},
        viewed::ViewedFile,
    },
    tui::{
        Message, clipboard,
        comparing::Comparing,
        opening::{Loaded, Reading, Underway, Wanted, Ways},
        theme::choose::Surroundings,
        told,
        writing::Writing,
    },
};
use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    process::{Command, Stdio},
    sync::{Arc, Mutex, PoisonError, mpsc::Sender},
    thread,
};

/// A review's label and its viewed files.
type Viewed = (String, Vec<ViewedFile>);

/// What a run starts from.
type Source = Arc<dyn Fn() -> Result<Target, String> + Send + Sync>;

/// Performs effects. What has to happen on the terminal itself is not for here.
pub struct Performer {
    messages: Sender<Message>,
    ways: Ways,
    settings: Settings,
    surroundings: Surroundings,
    source: Option<Source>,
    /// What is open, as a person calls it.
    open: Option<String>,
    reading: Option<Underway>,
    listing: Cancel,
    comparing: Comparing,
    writing: Writing,
    running: Option<Cancel>,
    unsaved: Arc<Mutex<Option<Viewed>>>,
}

impl Performer {
    /// Answers go to `messages`.
    pub fn new(
        messages: Sender<Message>,
        ways: Ways,
        settings: Settings,
        surroundings: Surroundings,
    ) -> Self {
        let (source, running, unsaved) = (None, None, Arc::default());
        let writing = Writing::start(messages.clone(), settings.author.clone());
        let (reading, open) = (None, None);
        let (listing, comparing) = (Cancel::default(), Comparing::default());
        Self {
            messages,
            ways,
            settings,
            surroundings,
            source,
            open,
            reading,
            listing,
            comparing,
            writing,
            running,
            unsaved,
        }
    }

    /// Starts what an effect asks for. Effects of the terminal are the loop's and ignored here.
    pub fn perform(&mut self, effect: Effect) {
        match effect {
            Effect::Open { request, target } => self.open(request, Wanted::Target(target)),
            Effect::OpenDemo { request } => self.open(request, Wanted::Demo),
            Effect::LoadDossiers { request } => self.dossiers(request),
            Effect::LoadLists { request } => self.lists(request),
            Effect::LookAround { request } => self.look_around(request),
            Effect::SaveSeen { page, updated_at } => self.save_seen(page, updated_at),
            Effect::StartRun { request } => self.run(request, None),
            Effect::RetryTask { request, task } => self.run(request, Some(task)),
            Effect::HandOver { run } => self.hand_over(&run),
            Effect::CancelTask { .. } => self.cancel(),
            Effect::Copy { text } => self.copy(text.into_raw()),
            Effect::OpenBrowser { url } => self.browse(url),
            Effect::ReadSince { request, point } => {
                let work = self.comparing.ask(request, point);
                self.spawn(failed(Some(request)), work);
            }
            Effect::StopReading { request } => {
                if let Some(reading) = &self.reading {
                    reading.stop(request);
                }
            }
            Effect::SaveViewed { label, marks } => self.save_viewed(label, marks),
            Effect::LoadCorrections { request } => {
                self.spawn(failed(Some(request)), self.writing.load(request));
            }
            Effect::SaveCorrection { request, correction } => {
                self.spawn(failed(Some(request)), self.writing.save(request, *correction));
            }
            Effect::KeepDraft { draft } => self.writing.keep(draft),
            Effect::DiscardDraft { thread } => self.writing.discard(thread),
            Effect::OpenEditor { .. }
            | Effect::EditText { .. }
            | Effect::Mouse { .. }
            | Effect::Theme { .. }
            | Effect::Wake
            | Effect::Suspend
            | Effect::Quit => {}
        }
    }

    /// Remembers what is open, and gives the interface its part of it.
    pub fn opened(&mut self, request: Request, loaded: Loaded, viewed: Vec<ViewedFile>) -> Event {
        let Loaded { label, review, target, arrives, taken, since } = loaded;
        let mark = |it: ViewedFile| ViewedMark { path: it.path, patch: it.patch };
        let viewed = viewed.into_iter().map(mark).collect();
        let opened = Opened { label, review, viewed, arrives, taken };
        if target.is_some() {
            self.writing.opened(&opened.review.capture, &self.settings);
        }
        // While a part of the same review comes again, a run still starts from what was whole.
        if target.is_some() || self.open.as_ref() != Some(&opened.label) {
            self.source = target.map(Arc::from);
            self.comparing.finder = since;
            self.open = Some(opened.label.clone());
        }
        Event::Opened { request, opened: Box::new(opened) }
    }

    /// Whether a run is going on.
    pub fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// A run has ended.
    pub fn ended(&mut self) {
        self.running = None;
    }

    /// Asks whatever runs to stop at its next step.
    pub fn cancel(&mut self) {
        if let Some(running) = &self.running {
            running.cancel();
        }
    }

    /// The program ends: so does everything it started.
    pub fn leave(&mut self) {
        self.cancel();
        self.comparing.stop();
        self.listing.cancel();
        if let Some(reading) = self.reading.take() {
            reading.end();
        }
    }

    /// The other process waits for the dossier until this one lets go of it.
    fn hand_over(&self, run: &str) {
        let program = std::env::current_exe().map_err(|error| error.to_string());
        let started = program.and_then(|program| {
            driver::hand_over(&program, run, &self.settings).map_err(|error| error.to_string())
        });
        if let Err(message) = started {
            self.answer(Event::Notice(message));
        }
    }

    fn open(&mut self, request: Request, wanted: Wanted) {
        let opener = Arc::clone(&self.ways.opener);
        let home = self.settings.home.clone();
        let (reading, ending) = Underway::begin(request);
        let cancel = reading.cancel.clone();
        if let Some(before) = self.reading.replace(reading) {
            before.cancel.cancel();
        }
        self.spawn(failed(Some(request)), move |answer| {
            let _ending = ending;
            let give = |loaded: Loaded| {
                let viewed = driver::viewed::load(&home, &loaded.label);
                answer(Message::Loaded { request, loaded: Box::new(loaded), viewed });
            };
            let tell = |text| answer(Message::App(Event::Notice(text)));
            let hear = |progress| answer(Message::App(Event::Reading { request, progress }));
            let stopped = || cancel.is_cancelled();
            let watch = Reading { part: &give, hear: &hear, tell: &tell, stopped: &stopped };
            match opener(&wanted, &watch) {
                Ok(loaded) => give(loaded),
                Err(message) => answer(failed(Some(request))(message)),
            }
        });
    }

    fn dossiers(&self, request: Request) {
        let home = self.settings.home.clone();
        self.spawn(failed(Some(request)), move |answer| {
            let entries = told::dossiers(&home);
            answer(Message::App(Event::Dossiers { request, entries }));
        });
    }

    /// The forge's lists; who asked before waits no longer.
    fn lists(&mut self, request: Request) {
        self.listing.cancel();
        self.listing = Cancel::default();
        let (lister, cancel) = (Arc::clone(&self.ways.lister), self.listing.clone());
        self.spawn(failed(Some(request)), move |answer| {
            let tell = |news| answer(Message::App(Event::Lists { request, news }));
            lister(&tell, &|| cancel.is_cancelled());
        });
    }

    fn look_around(&self, request: Request) {
        let doctor = Arc::clone(&self.ways.doctor);
        self.spawn(failed(None), move |answer| {
            answer(Message::App(Event::Around { request, found: doctor() }));
        });
    }

    fn save_seen(&self, page: String, updated_at: String) {
        let home = self.settings.home.clone();
        self.spawn(failed(None), move |answer| {
            if let Err(cause) = driver::seen::save(&home, &page, &updated_at) {
                answer(failed(None)(format!("that it was looked at is not kept: {cause}")));
            }
        });
    }

    fn run(&mut self, request: Request, retry: Option<String>) {
        let Some(source) = self.source.clone() else {
            let message = "nothing is open to work on, or it is still being read".into();
            return self.answer(Event::Failed { request: Some(request), message });
        };
        if self.running.is_some() {
            return self.answer(Event::Notice("a run is going on already".into()));
        }
        let cancel = Cancel::default();
        self.running = Some(cancel.clone());
        let settings = Settings { retry, ..self.settings.clone() };
        let ended = move |error| {
            let report = RunReport::Ended { error };
            Message::App(Event::Run { request, report })
        };
        self.spawn(
            move |it| ended(Some(it)),
            move |answer| {
                let target = match source() {
                    Ok(target) => target,
                    Err(message) => return answer(ended(Some(message))),
                };
                let report = |it| {
                    if let Some(event) = told::event(request, it) {
                        answer(Message::App(event));
                    }
                };
                let outcome = driver::run(&target, &settings, &report, &cancel);
                answer(ended(outcome.error.map(|it| it.to_string())));
            },
        );
    }

    /// Saves are quick to come and slow to write, so the newest waits in a slot and whoever holds
    /// the slot writes it: an older one never lands last.
    fn save_viewed(&self, label: String, marks: Vec<ViewedMark>) {
        let slot = Arc::clone(&self.unsaved);
        let file = |it: ViewedMark| ViewedFile { path: it.path, patch: it.patch };
        let files = marks.into_iter().map(file).collect();
        *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some((label, files));
        let home = self.settings.home.clone();
        self.spawn(failed(None), move |answer| {
            let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
            let Some((label, files)) = slot.take() else { return };
            if let Err(cause) = driver::viewed::save(&home, &label, files) {
                answer(failed(None)(format!("viewed files were not saved: {cause}")));
            }
        });
    }

    fn copy(&self, text: String) {
        if self.surroundings.remote || self.surroundings.tmux {
            return self.copy_by_terminal(&text);
        }
        let (tmux, home) = (self.surroundings.tmux, self.settings.home.clone());
        self.spawn(failed(None), move |answer| match clipboard::by_command(&text) {
            Some(command) => answer(Message::App(Event::Notice(format!("copied with {command}")))),
            None => by_terminal(&text, tmux, &home).into_iter().for_each(answer),
        });
    }

    fn copy_by_terminal(&self, text: &str) {
        for message in by_terminal(text, self.surroundings.tmux, &self.settings.home) {
            let _ = self.messages.send(message);
        }
    }

    fn browse(&self, url: String) {
        if !is_web(&url) {
            let message = "only http and https links are opened".into();
            return self.answer(Event::Failed { request: None, message });
        }
        self.spawn(failed(None), move |answer| {
            let command = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
            let child = Command::new(command)
                .arg(&url)
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status();
            answer(Message::App(match child {
                Ok(it) if it.success() => Event::Notice("opened in the browser".into()),
                _ => {
                    let message = format!("{command} could not open {url}; copy the link instead");
                    Event::Failed { request: None, message }
                }
            }));
        });
    }

    /// Work that panics, for a test.
    #[cfg(feature = "test-support")]
    pub(crate) fn panic(&self) {
        self.spawn(failed(None), |_| panic!("a test asked for a panic of a worker"));
    }

    fn answer(&self, event: Event) {
        // A loop that has ended needs no answer.
        let _ = self.messages.send(Message::App(event));
    }

    /// Runs `work` on a thread of its own; a panic in it becomes a failure people see.
    fn spawn(
        &self,
        failed: impl Fn(String) -> Message + Copy + Send + 'static,
        work: impl FnOnce(&(dyn Fn(Message) + Sync)) + Send + 'static,
    ) {
        let messages = self.messages.clone();
        let body = move || {
            let answer = |it| {
                let _ = messages.send(it);
            };
            if let Err(panic) = catch_unwind(AssertUnwindSafe(|| work(&answer))) {
                let what = said(panic.as_ref());
                answer(failed(format!("a bug in casefile: {what}; please report it")));
            }
        };
        if let Err(cause) = thread::Builder::new().name("work".into()).spawn(body) {
            let _ = self.messages.send(failed(format!("no thread could be started: {cause}")));
        }
    }
}

/// The messages that hand a text to the terminal's clipboard. One that is too long for that goes
/// into a file below `home`, and they say where.
fn by_terminal(text: &str, tmux: bool, home: &Path) -> Vec<Message> {
    let told = |text: String| Message::App(Event::Notice(text));
    match clipboard::sequence(text, tmux) {
        Ok(sequence) => {
            vec![Message::Write(sequence), told("sent to the terminal's clipboard".into())]
        }
        Err(why) => vec![match clipboard::to_file(home, text) {
            Ok(file) => told(format!("{why}; the text is in {}", file.display())),
            Err(cause) => failed(None)(format!("{why}, and no file could be written: {cause}")),
        }],
    }
}

/// Whether a link may be given to a browser: the two web schemes, and nothing a shell or a
/// terminal would read.
fn is_web(url: &str) -> bool {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    rest.is_some_and(|it| !it.is_empty() && it.chars().all(|it| it.is_ascii_graphic()))
}

/// What says that a request could not be done.
pub(crate) fn failed(
    request: Option<Request>,
) -> impl Fn(String) -> Message + Copy + Send + 'static {
    move |message| Message::App(Event::Failed { request, message })
}

/// The words of a panic.
fn said(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no words")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::opening::Opener;
    use std::sync::mpsc::{Receiver, channel};

    fn performer(opener: Opener) -> (Performer, Receiver<Message>) {
        let (messages, received) = channel();
        let ways = Ways { opener, lister: Arc::new(|_, _| ()), doctor: Arc::new(Vec::new) };
        let settings = Settings::new("nowhere".into());
        (Performer::new(messages, ways, settings, Surroundings::default()), received)
    }

    #[test]
    fn a_panic_in_a_worker_is_told() {
        let (mut performer, received) = performer(Arc::new(|_, _| panic!("ouch")));
        performer.perform(Effect::Open { request: 7, target: "x".into() });
        let Ok(Message::App(Event::Failed { request: Some(7), message })) = received.recv() else {
            panic!("no failure was told");
        };
        assert!(message.contains("ouch") && message.contains("bug"), "{message}");
    }

    #[test]
    fn a_target_that_cannot_be_read_is_told() {
        let (mut performer, received) = performer(Arc::new(|it, _| Err(format!("{it:?} is odd"))));
        performer.perform(Effect::OpenDemo { request: 1 });
        let Ok(Message::App(Event::Failed { message, .. })) = received.recv() else {
            panic!("no failure was told");
        };
        assert_eq!(message, "Demo is odd");
    }

    #[test]
    fn only_web_links_are_opened() {
        for good in ["https://example.org/a?b=c#d", "http://x"] {
            assert!(is_web(good), "{good}");
        }
        for bad in ["file:///etc/passwd", "https://", "https://a b", "-a", "https://a\u{1b}[m"] {
            assert!(!is_web(bad), "{bad}");
        }
        let (mut performer, received) = performer(Arc::new(|_, _| Err(String::new())));
        performer.perform(Effect::OpenBrowser { url: "javascript:alert(1)".into() });
        assert!(matches!(received.recv(), Ok(Message::App(Event::Failed { .. }))));
    }

    #[test]
    fn a_run_needs_something_open() {
        let (mut performer, received) = performer(Arc::new(|_, _| Err(String::new())));
        performer.perform(Effect::StartRun { request: 3 });
        assert!(matches!(received.recv(), Ok(Message::App(Event::Failed { .. }))));
        assert!(!performer.is_running());
    }
}
