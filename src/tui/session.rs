//! The loop: messages in, one frame out. Must not perform effects itself, but for those of the
//! terminal.

#[cfg(feature = "test-support")]
use crate::tui::trap;
use crate::{
    app::{
        event::{Effect, Event, Request, RunReport},
        model::{Model, Size, Start},
        prompt::Prompt,
        update::update,
    },
    tui::{
        Ending, Message, TuiError,
        canvas::Canvas,
        editor,
        effects::Performer,
        frame,
        highlight::Highlight,
        input::Input,
        question::{Question, Reply},
        queue::Queue,
        signals::Standing,
        terminal::{self, Terminal},
        theme::{Theme, choose::Surroundings},
    },
    view,
};
use signal_hook::{consts::SIGTSTP, low_level::emulate_default_handler};
use std::{
    io::{self, Write},
    path::PathBuf,
    sync::{Arc, mpsc::Receiver},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

/// The first frame waits this long for its target, so that a quick one shows no loading screen.
const PATIENCE: Duration = Duration::from_millis(80);
/// A frame waits at most this long for colours that are being made: first of a diff, and later.
const FIRST_COLOURS: Duration = Duration::from_millis(10);
const MORE_COLOURS: Duration = Duration::from_millis(3);
/// While something moves by itself, time passes on the screen.
const TICK: Duration = Duration::from_secs(1);
/// Messages taken before a frame; beyond it a person sees progress.
const MOST_AT_ONCE: usize = 4_096;

/// What stands outside the loop and is acted on by it.
pub(crate) struct Outside {
    pub(crate) terminal: Terminal,
    pub(crate) input: Input,
    pub(crate) question: Question,
    pub(crate) performer: Performer,
    pub(crate) surroundings: Surroundings,
    pub(crate) standing: Arc<Standing>,
}

/// The loop's state.
pub(crate) struct Session<W: Write> {
    model: Model,
    canvas: Canvas<W>,
    theme: Theme,
    tried: Tried,
    themes: Option<PathBuf>,
    highlight: Highlight,
    outside: Outside,
    queue: Queue,
    dirty: bool,
    /// Heavy work nobody sees yet: it starts when the frame is drawn.
    later: Vec<Effect>,
    /// The request for the target we were started with, until it is answered.
    first: Option<Request>,
    ending: Option<Ending>,
}

/// A theme a person types the name of, painted with until the line is closed. A name that is not
/// whole yet has none.
#[derive(Default)]
struct Tried {
    name: Option<String>,
    theme: Option<Theme>,
}

impl Session<io::Empty> {
    /// A loop over the real terminal.
    pub(crate) fn new(
        start: Start,
        theme: Theme,
        themes: Option<PathBuf>,
        highlight: Highlight,
        received: Receiver<Message>,
        outside: Outside,
    ) -> Session<impl Write> {
        let canvas = Canvas::new(terminal::output(), start.size.width, start.size.height);
        let (model, effects) = Model::start(start);
        let first = effects.iter().find_map(|it| match it {
            Effect::Open { request, .. } | Effect::OpenDemo { request } => Some(*request),
            _ => None,
        });
        let queue = Queue::new(received);
        let mut session = Session {
            model,
            canvas,
            theme,
            tried: Tried::default(),
            themes,
            highlight,
            outside,
            queue,
            dirty: true,
            later: Vec::new(),
            first,
            ending: None,
        };
        session.perform(effects);
        session
    }
}

impl<W: Write> Session<W> {
    /// Until somebody quits.
    pub(crate) fn run(mut self) -> Result<Ending, TuiError> {
        self.await_target(Instant::now() + PATIENCE);
        loop {
            self.drain();
            if let Some(ending) = self.ending {
                self.outside.performer.leave();
                if !matches!(ending, Ending::Signal(_)) {
                    self.hear_out();
                }
                return Ok(ending);
            }
            if self.dirty
                && let Err(cause) = self.draw()
            {
                // A terminal that cannot be written to is gone, unless a signal says better.
                return Err(TuiError::Draw(cause));
            }
            for effect in std::mem::take(&mut self.later) {
                self.outside.performer.perform(effect);
            }
            let running = self.outside.performer.is_running();
            let pace = self.model.pace().map(Duration::from_secs);
            match self.queue.next(if running { Some(TICK) } else { pace }) {
                Some(message) => self.take(message),
                None => self.feed(Event::Tick { now: now() }),
            }
        }
    }

    /// Lets a target come that is quick to read. What the terminal says of itself is no target.
    fn await_target(&mut self, until: Instant) {
        while let Some(message) =
            self.queue.next(Some(until.saturating_duration_since(Instant::now())))
        {
            let goes_on = matches!(message, Message::Replied(_));
            self.take(message);
            if !goes_on {
                return;
            }
        }
    }

    fn drain(&mut self) {
        for _ in 0..MOST_AT_ONCE {
            let Some(message) = self.queue.ready() else { break };
            self.take(message);
        }
    }

    fn take(&mut self, message: Message) {
        match message {
            Message::App(event) => self.feed(event),
            Message::Loaded { request, loaded, viewed } => {
                let event = self.outside.performer.opened(request, *loaded, viewed);
                self.feed(event);
            }
            Message::Coloured(answer) => self.dirty |= self.highlight.learn(answer),
            Message::Replied(reply) => self.replied(reply),
            Message::Suspend => self.suspend(),
            Message::Continued | Message::Resized => self.resize(),
            Message::Broken => self.ending = Some(Ending::Broken),
            Message::Ended(signal) => self.ending = Some(Ending::Signal(signal)),
            Message::Write(bytes) => self.dirty |= self.canvas.write(&bytes).is_err(),
        }
    }

    fn feed(&mut self, event: Event) {
        match &event {
            Event::Run { report: RunReport::Ended { .. }, .. } => self.outside.performer.ended(),
            Event::Failed { request: Some(request), .. } if self.first == Some(*request) => {
                // There is nothing to show: the command line says why, in the shell.
                self.ending = Some(Ending::NotOpened);
            }
            Event::Opened { .. } => self.first = None,
            Event::Tick { .. } | Event::Woken => {}
            _ => self.model.now = now(),
        }
        #[cfg(feature = "test-support")]
        self.trap(&event);
        let effects = update(&mut self.model, event);
        self.dirty = true;
        self.perform(effects);
    }

    #[cfg(feature = "test-support")]
    fn trap(&self, event: &Event) {
        trap::on(event);
        if matches!(event, Event::Key(key) if trap::springs(*key, "worker")) {
            self.outside.performer.panic();
        }
    }

    fn perform(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Quit => self.ending = Some(Ending::Quit),
                Effect::Wake => self.queue.wake = true,
                Effect::Suspend => self.suspend(),
                Effect::OpenEditor { path, line } => self.edit(path.raw(), line),
                Effect::EditText { text } => self.edit_text(&text),
                Effect::Mouse { on } => self.dirty |= self.outside.terminal.mouse(on).is_err(),
                Effect::Theme { name } => self.retheme(&name),
                it @ Effect::StopReading { .. } => {
                    // Who stops what we were started with stays here, with nothing open.
                    self.first = None;
                    self.outside.performer.perform(it);
                }
                it @ Effect::StartRun { .. } => self.later.push(it),
                other => self.outside.performer.perform(other),
            }
        }
    }

    /// The theme follows the background the terminal says it has.
    fn replied(&mut self, reply: Reply) {
        if let Some(background) = self.outside.question.hear(reply) {
            self.outside.surroundings.background = Some(background);
            if let Ok(theme) = self.outside.surroundings.theme(None, self.themes.as_deref()) {
                self.theme = theme;
                self.dirty = true;
            }
        }
    }

    /// An answer that came when somebody else has the terminal would be typed into it.
    fn hear_out(&mut self) {
        while let Some(left) = self.outside.question.left() {
            match self.queue.peek(left) {
                Some(Message::Replied(reply)) => self.replied(reply),
                Some(other) => self.queue.keep(other),
                None => return,
            }
        }
    }

    fn retheme(&mut self, name: &str) {
        self.outside.question.chosen();
        match self.outside.surroundings.theme(Some(name), self.themes.as_deref()) {
            Ok(theme) => self.theme = theme,
            Err(cause) => self.feed(Event::Failed { request: None, message: cause.to_string() }),
        }
    }

    /// Follows the name in the command line; a file is read once for each name.
    fn try_theme(&mut self) {
        let named = self.model.prompt.as_ref().and_then(Prompt::theme);
        if named == self.tried.name.as_deref() {
            return;
        }
        let known = named.filter(|it| self.model.themes.iter().any(|name| name == it));
        let theme = |name| self.outside.surroundings.theme(Some(name), self.themes.as_deref()).ok();
        self.tried = Tried { theme: known.and_then(theme), name: named.map(str::to_owned) };
    }

    /// What a terminal does to its cells when its size changes is its own affair, also when it is
    /// back at the old size by the time we look: everything is sent again.
    fn resize(&mut self) {
        self.canvas.forget();
        self.dirty = true;
        let Size { width, height } = size();
        if (Size { width, height }) != self.model.size {
            self.canvas.resize(width, height);
            self.feed(Event::Resize { width, height });
        }
    }

    /// Stops, and goes on here when somebody continues us.
    fn suspend(&mut self) {
        let stopped = self.away(|| emulate_default_handler(SIGTSTP));
        if let Err(cause) = stopped {
            let message = format!("casefile could not be stopped: {cause}");
            self.feed(Event::Failed { request: None, message });
        }
    }

    fn edit(&mut self, path: &str, line: u32) {
        let standing = Arc::clone(&self.outside.standing);
        let edited = self.away(|| standing.while_away(|| editor::edit(path, line)));
        if let Err(message) = edited {
            self.feed(Event::Failed { request: None, message });
        }
    }

    /// `$EDITOR` on a text of ours.
    fn edit_text(&mut self, text: &str) {
        let standing = Arc::clone(&self.outside.standing);
        let edited = self.away(|| standing.while_away(|| editor::edit_text(text)));
        self.feed(match edited {
            Ok(text) => Event::Edited { text },
            Err(message) => Event::Failed { request: None, message },
        });
    }

    /// Gives the terminal to somebody else until `work` is done. Whatever they did to its modes,
    /// all of ours are set again.
    fn away<T>(&mut self, work: impl FnOnce() -> T) -> T {
        self.hear_out();
        self.outside.input.park();
        self.outside.terminal.suspend();
        let done = work();
        if self.outside.terminal.resume().is_err() {
            self.ending = Some(Ending::Signal(signal_hook::consts::SIGHUP));
        }
        self.outside.input.resume();
        self.resize();
        done
    }

    fn draw(&mut self) -> io::Result<()> {
        let Size { width, height } = self.model.size;
        let screen = view::screen(&self.model, width, height);
        let desk = self.model.desk.as_ref();
        let tab_width = desk.map_or(0, |it| it.reader.look.tab_width);
        self.highlight.show(desk.map(|it| &it.review.diff), tab_width);
        let waited = if self.highlight.is_fresh() { FIRST_COLOURS } else { MORE_COLOURS };
        if self.highlight.look(&screen) {
            self.await_colours(Instant::now() + waited);
        }
        self.dirty = false;
        self.try_theme();
        let theme = self.tried.theme.as_ref().unwrap_or(&self.theme);
        let colours = &self.highlight.colours;
        let ascii = self.model.options.ascii;
        self.canvas.draw(screen.cursor, |buffer| {
            frame::paint(&screen, theme, colours, buffer);
            if ascii {
                frame::ascii_only(buffer);
            }
        })
    }

    /// Lets colours arrive that are nearly there, so that a frame is seldom drawn twice. What else
    /// arrives waits its turn.
    fn await_colours(&mut self, until: Instant) {
        while !self.highlight.complete() {
            let left = until.saturating_duration_since(Instant::now());
            match self.queue.peek(left) {
                Some(Message::Coloured(answer)) => {
                    self.highlight.learn(answer);
                }
                Some(Message::Replied(reply)) => self.replied(reply),
                Some(other) => self.queue.keep(other),
                None => return,
            }
        }
    }
}

/// The terminal's size now.
pub(crate) fn size() -> Size {
    let (width, height) = terminal::size();
    Size { width, height }
}

/// Seconds since 1970.
pub(crate) fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |it| it.as_secs() as i64)
}
