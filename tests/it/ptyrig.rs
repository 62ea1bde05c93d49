//! The real binary in a real pseudo-terminal: keys go in, a screen model and the raw bytes come
//! out. Waits for what is to be seen, never for a time to pass.

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use rustix::{
    process::{Pid, Signal, kill_process},
    termios::tcgetattr,
};
use std::{
    fs::{File, OpenOptions},
    io::{Read as _, Write},
    num::NonZero,
    sync::{
        Arc, Condvar, Mutex,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};
use tempfile::TempDir;

/// Nothing we wait for takes this long unless it never comes.
const LONG: Duration = Duration::from_secs(20);
/// Bytes that come later than this after the last ones belong to another frame.
const QUIET: Duration = Duration::from_millis(60);

/// Where keys go in, until the terminal is gone.
type Keys = Arc<Mutex<Option<Box<dyn Write + Send>>>>;

/// One run of the binary.
pub(crate) struct Rig {
    master: Option<Box<dyn MasterPty + Send>>,
    keys: Keys,
    /// Kept open so that the terminal's modes can be read after the child has ended.
    slave: Option<File>,
    pid: Pid,
    ended: mpsc::Receiver<u32>,
    seen: Arc<Seen>,
    reader: Option<thread::JoinHandle<()>>,
    before: String,
    /// Lives as long as the program that writes below it.
    /// The folder it works and keeps its data in.
    pub(crate) home: TempDir,
}

#[derive(Default)]
struct Seen {
    state: Mutex<Option<State>>,
    changed: Condvar,
    closing: AtomicBool,
}

struct State {
    parser: vt100::Parser,
    log: Vec<u8>,
}

/// How to start one.
pub(crate) struct Start {
    size: (u16, u16),
    environment: Vec<(String, String)>,
    arguments: Vec<String>,
    mute: bool,
    /// A program that runs the binary, with its arguments; empty for none.
    under: Vec<String>,
    umask: Option<u32>,
}

/// `casefile ARGUMENTS` on 120×40 cells with all colours.
pub(crate) fn casefile(arguments: &[&str]) -> Start {
    let environment = [("TERM", "xterm-256color"), ("COLORTERM", "truecolor"), ("LANG", "C.UTF-8")];
    Start {
        size: (120, 40),
        environment: environment.map(|it| (it.0.into(), it.1.into())).into(),
        arguments: arguments.iter().map(|it| (*it).to_owned()).collect(),
        mute: false,
        under: Vec::new(),
        umask: None,
    }
}

impl Start {
    pub(crate) fn size(mut self, width: u16, height: u16) -> Self {
        self.size = (width, height);
        self
    }

    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.environment.push((name.into(), value.into()));
        self
    }

    /// A terminal that answers no question by itself.
    pub(crate) fn mute(mut self) -> Self {
        self.mute = true;
        self
    }

    /// Lets another program (a tracer) run the binary.
    pub(crate) fn under(mut self, words: Vec<String>) -> Self {
        self.under = words;
        self
    }

    pub(crate) fn umask(mut self, mask: u32) -> Self {
        self.umask = Some(mask);
        self
    }

    pub(crate) fn run(self) -> Rig {
        let home = tempfile::tempdir().expect("a folder");
        let pair = native_pty_system().openpty(pty_size(self.size)).expect("a terminal");
        let name = pair.master.tty_name().expect("the terminal has a name");
        let slave = OpenOptions::new().read(true).write(true).open(name).expect("it opens");
        let mut words = self.under.clone();
        // Figures are taken from a release build: `CASEFILE_BINARY` names it.
        let binary = std::env::var("CASEFILE_BINARY");
        words.push(binary.unwrap_or_else(|_| env!("CARGO_BIN_EXE_casefile").to_owned()));
        words.extend(self.arguments.clone());
        let mut command = CommandBuilder::new(&words[0]);
        command.args(&words[1..]);
        command.umask(self.umask);
        command.env_clear();
        command.cwd(home.path());
        for name in ["HOME", "CASEFILE_HOME", "XDG_CONFIG_HOME"] {
            command.env(name, home.path());
        }
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        for (name, value) in &self.environment {
            command.env(name, value);
        }
        let before = modes(&slave);
        let child = pair.slave.spawn_command(command).expect("the binary starts");
        let pid = child.process_id().and_then(|it| Pid::from_raw(it as i32)).expect("a pid");
        let seen = Arc::new(Seen::default());
        let reader = pair.master.try_clone_reader().expect("a reader");
        let writer = pair.master.take_writer().expect("a writer");
        let keys: Keys = Arc::new(Mutex::new(Some(writer)));
        let answers = (!self.mute).then(|| Arc::clone(&keys));
        let reader = Some(watch(reader, self.size, Arc::clone(&seen), answers));
        let (master, slave, ended) = (Some(pair.master), Some(slave), wait_in_background(child));
        Rig { master, keys, slave, pid, ended, seen, reader, before, home }
    }
}

fn pty_size((cols, rows): (u16, u16)) -> PtySize {
    PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }
}

fn parser((width, height): (u16, u16)) -> vt100::Parser {
    let cells = |it| NonZero::new(it).unwrap_or(NonZero::<u16>::MIN);
    vt100::Parser::new(cells(height), cells(width), 0)
}

fn watch(
    mut reader: Box<dyn std::io::Read + Send>,
    size: (u16, u16),
    seen: Arc<Seen>,
    mut answers: Option<Keys>,
) -> thread::JoinHandle<()> {
    *seen.state.lock().expect("no panic") = Some(State { parser: parser(size), log: Vec::new() });
    thread::spawn(move || {
        let mut bytes = vec![0; 1 << 16];
        while let Ok(count @ 1..) = reader.read(&mut bytes) {
            let mut state = seen.state.lock().expect("no panic");
            let state = state.as_mut().expect("set above");
            state.parser.process(&bytes[..count]);
            state.log.extend_from_slice(&bytes[..count]);
            seen.changed.notify_all();
            if answers.is_some() && memchr::memmem::find(&state.log, QUESTION.as_bytes()).is_some()
            {
                // A terminal that knows nothing of grounds says what it is all the same.
                press(&answers.take().expect("just looked"), FENCE);
            }
            if seen.closing.load(Ordering::SeqCst) {
                break;
            }
        }
    })
}

fn press(keys: &Keys, text: &str) {
    let mut keys = keys.lock().expect("no panic");
    let writer = keys.as_mut().expect("the terminal is open");
    writer.write_all(text.as_bytes()).and_then(|()| writer.flush()).expect("it takes keys");
}

fn wait_in_background(mut child: Box<dyn Child + Send + Sync>) -> mpsc::Receiver<u32> {
    let (tell, ended) = mpsc::channel();
    thread::spawn(move || {
        let _ = tell.send(child.wait().map_or(u32::MAX, |it| it.exit_code()));
    });
    ended
}

/// The terminal's modes as text, as `stty -g` would give them.
fn modes(slave: &File) -> String {
    format!("{:?}", tcgetattr(slave).expect("the terminal can be asked"))
}

impl Rig {
    /// Waits until the screen satisfies `right`; `what` says so when it never does.
    pub(crate) fn wait_for(&self, what: &str, right: impl Fn(&vt100::Screen) -> bool) {
        let deadline = Instant::now() + LONG;
        let mut guard = self.seen.state.lock().expect("no panic");
        loop {
            let state = guard.as_ref().expect("the rig has started");
            if right(state.parser.screen()) {
                return;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            let shown = state.parser.screen().contents();
            assert!(!left.is_zero(), "never seen: {what}\n--- screen ---\n{shown}\n---");
            guard = self.seen.changed.wait_timeout(guard, left).expect("no panic").0;
        }
    }

    /// Waits until this text is on the screen.
    pub(crate) fn wait(&self, text: &str) {
        self.wait_for(text, |it| it.contents().contains(text));
    }

    /// Waits until this has been sent, anywhere in all bytes so far.
    pub(crate) fn wait_sent(&self, bytes: &str) {
        let deadline = Instant::now() + LONG;
        let mut guard = self.seen.state.lock().expect("no panic");
        loop {
            let log = &guard.as_ref().expect("the rig has started").log;
            if memchr::memmem::find(log, bytes.as_bytes()).is_some() {
                return;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "never sent: {bytes:?}");
            guard = self.seen.changed.wait_timeout(guard, left).expect("no panic").0;
        }
    }

    /// How long after now until the next whole frame has come, at most `limit`.
    pub(crate) fn next_frame(&mut self, keys: &str, limit: Duration) -> Option<Duration> {
        let before =
            self.seen.state.lock().expect("no panic").as_ref().map_or(0, |it| it.log.len());
        let pressed = Instant::now();
        self.press(keys);
        let mut guard = self.seen.state.lock().expect("no panic");
        loop {
            let log = &guard.as_ref().expect("the rig has started").log;
            if memchr::memmem::find(&log[before..], b"\x1b[?2026l").is_some() {
                return Some(pressed.elapsed());
            }
            let left = limit.checked_sub(pressed.elapsed())?;
            guard = self.seen.changed.wait_timeout(guard, left).expect("no panic").0;
        }
    }

    /// Waits until no more bytes come: the frame that a key caused is whole.
    pub(crate) fn settle(&self) {
        let mut guard = self.seen.state.lock().expect("no panic");
        loop {
            let before = guard.as_ref().map_or(0, |it| it.log.len());
            guard = self.seen.changed.wait_timeout(guard, QUIET).expect("no panic").0;
            if guard.as_ref().map_or(0, |it| it.log.len()) == before {
                return;
            }
        }
    }

    pub(crate) fn press(&mut self, keys: &str) {
        press(&self.keys, keys);
    }

    pub(crate) fn resize(&self, width: u16, height: u16) {
        let mut guard = self.seen.state.lock().expect("no panic");
        let state = guard.as_mut().expect("the rig has started");
        let cells = |it| NonZero::new(it).unwrap_or(NonZero::<u16>::MIN);
        state.parser.screen_mut().set_size(cells(height), cells(width));
        drop(guard);
        let master = self.master.as_ref().expect("the terminal is open");
        master.resize(pty_size((width, height))).expect("it takes a size");
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(self.pid, signal).expect("the child lives");
    }

    /// The process the child started, where it has been started through another.
    pub(crate) fn grandchild(&self) -> Pid {
        let parent = self.pid.as_raw_nonzero();
        let listed = std::fs::read_to_string(format!("/proc/{parent}/task/{parent}/children"));
        let first = listed.ok().and_then(|it| it.split(' ').next()?.parse().ok());
        first.and_then(Pid::from_raw).expect("a process")
    }

    pub(crate) fn pid(&self) -> Pid {
        self.pid
    }

    /// Takes the terminal away; `reader` is who draws on it.
    pub(crate) fn hang_up(&mut self, reader: Pid) {
        // The reader holds a copy of the descriptor and is blocked in it. A child that is told to
        // go on draws everything again, which wakes the reader, and it lets go.
        self.seen.closing.store(true, Ordering::SeqCst);
        kill_process(reader, Signal::CONT).expect("it lives");
        self.reader.take().expect("one hang-up").join().expect("no panic");
        *self.keys.lock().expect("no panic") = None;
        (self.master, self.slave) = (None, None);
    }

    /// Quits as a person does, saying yes if work is still running.
    pub(crate) fn quit(&mut self) -> u32 {
        self.press("q");
        let soon = self.exit_within(Duration::from_secs(1));
        soon.unwrap_or_else(|| {
            self.press("y");
            self.exit()
        })
    }

    /// Continues the process until it shows `right`: a signal that comes before it has stopped is
    /// lost.
    pub(crate) fn go_on(&self, what: &str, right: impl Fn(&vt100::Screen) -> bool) {
        let deadline = Instant::now() + LONG;
        let mut guard = self.seen.state.lock().expect("no panic");
        while !right(guard.as_ref().expect("the rig has started").parser.screen()) {
            assert!(Instant::now() < deadline, "never seen: {what}");
            self.signal(Signal::CONT);
            guard = self.seen.changed.wait_timeout(guard, QUIET).expect("no panic").0;
        }
    }

    /// The exit code, when the process ends within `limit`.
    pub(crate) fn exit_within(&self, limit: Duration) -> Option<u32> {
        self.ended.recv_timeout(limit).ok()
    }

    /// The exit code.
    pub(crate) fn exit(&self) -> u32 {
        let shown = || self.screen();
        self.exit_within(LONG).unwrap_or_else(|| panic!("it never ended:\n{}", shown()))
    }

    /// The screen as text.
    pub(crate) fn screen(&self) -> String {
        let guard = self.seen.state.lock().expect("no panic");
        guard.as_ref().map_or_else(String::new, |it| it.parser.screen().contents())
    }

    /// Every byte so far.
    pub(crate) fn log(&self) -> Vec<u8> {
        let guard = self.seen.state.lock().expect("no panic");
        guard.as_ref().map_or_else(Vec::new, |it| it.log.clone())
    }

    /// After the end: the terminal is as it was found.
    pub(crate) fn assert_restored(&self) {
        self.wait_for("the terminal restored", |it| !it.alternate_screen() && !it.hide_cursor());
        let guard = self.seen.state.lock().expect("no panic");
        let screen = guard.as_ref().expect("the rig has started").parser.screen();
        assert!(!screen.bracketed_paste(), "bracketed paste is still on");
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
        drop(guard);
        // The line discipline comes last, a moment after the bytes.
        let now = || modes(self.slave.as_ref().expect("the terminal is open"));
        let deadline = Instant::now() + LONG;
        while now() != self.before && Instant::now() < deadline {
            self.settle();
        }
        assert_eq!(now(), self.before, "the line discipline is not as it was");
    }
}

impl Drop for Rig {
    fn drop(&mut self) {
        // Already gone, mostly.
        let _ = kill_process(self.pid, Signal::KILL);
    }
}

/// The first byte sequence outside the vocabulary we mean to use, if there is one: printable
/// text, cursor moves, colours, and the modes that are switched on and off again.
pub(crate) fn outside_vocabulary(log: &[u8]) -> Option<String> {
    let text = match std::str::from_utf8(log) {
        Ok(text) => text,
        Err(cause) => return Some(format!("no UTF-8 at byte {}", cause.valid_up_to())),
    };
    let mut rest = text;
    while let Some(at) = rest.find(char::is_control) {
        if casefile::domain::text::hidden(&rest[..at]) > 0 {
            return Some(format!("hidden characters in {:?}", &rest[..at]));
        }
        match own_sequence(&rest[at..]) {
            Some(length) => rest = &rest[at + length..],
            None => {
                return Some(
                    rest[at..].chars().take(40).collect::<String>().escape_debug().to_string(),
                );
            }
        }
    }
    (casefile::domain::text::hidden(rest) > 0).then(|| format!("hidden characters in {rest:?}"))
}

/// What we ask the terminal: its background, and its attributes behind that.
pub(crate) const QUESTION: &str = "\x1b]11;?\x07\x1b[c";
/// What any terminal says of itself.
pub(crate) const FENCE: &str = "\x1b[?62;22c";
/// The modes we switch.
const MODES: [&str; 7] = ["1049", "25", "2004", "1000", "1002", "1006", "2026"];

/// The length of a sequence of ours at the start of `text`.
fn own_sequence(text: &str) -> Option<usize> {
    if text.starts_with(QUESTION) {
        return Some(QUESTION.len());
    }
    let body = text.strip_prefix("\x1b[")?;
    let end = body.find(|it: char| it.is_ascii_alphabetic())?;
    let (parameters, last) = (&body[..end], body.as_bytes()[end]);
    let numbers = |it: &str| it.bytes().all(|it| it.is_ascii_digit() || it == b';');
    let ours = match last {
        b'h' | b'l' => parameters.strip_prefix('?').is_some_and(|it| MODES.contains(&it)),
        b'H' | b'm' => numbers(parameters),
        b'J' => parameters == "2",
        _ => false,
    };
    ours.then_some(2 + end + 1)
}

#[test]
fn the_vocabulary_is_ours_alone() {
    let check = |text: &str, ours: bool| {
        assert_eq!(outside_vocabulary(text.as_bytes()).is_none(), ours, "{text:?}");
    };
    check("a\x1b[1;2H\x1b[38;2;1;2;3mé漢\x1b[?2026l", true);
    check("\x1b[2J\x1b[0m", true);
    check("\x1b]11;?\x07\x1b[c", true);
    for foreign in [
        "\x1b]0;x\x07",
        "\x1b]11;#fff\x07",
        "\x1b[c",
        "\x1b[6n",
        "\x1b[?1003h",
        "\x1bP",
        "\x07",
        "\n",
        "\u{9b}2J",
    ] {
        check(foreign, false);
    }
    check("a\u{202e}b\x1b[0m", false);
    check("tail\u{200b}", false);
    assert!(outside_vocabulary(b"\x1b[0m\xff").is_some());
}
