//! The terminal's modes: what was switched on is recorded and undone on every way out. Must not
//! draw, and must not allocate or lock anything the drawing thread may hold while it restores.
//!
//! There is one terminal a process, so the record is a static: the panic hook and the signal
//! thread undo the same modes as the guard does, whoever comes first.

use crossterm::terminal::{disable_raw_mode, enable_raw_mode};
use rustix::termios::{QueueSelector, isatty, tcflush, tcgetwinsize};
use std::{
    fs::{File, OpenOptions},
    io::{self, Write},
    os::fd::OwnedFd,
    panic,
    sync::{
        Once,
        atomic::{AtomicU8, Ordering},
    },
    thread::{self, ThreadId},
};

/// Modes in the order they are set; undone from the last to the first.
const RAW: u8 = 1;
const ALTERNATE: u8 = 2;
const HIDDEN_CURSOR: u8 = 4;
const PASTE: u8 = 8;
const MOUSE: u8 = 16;

/// What is switched on right now.
static MODES: AtomicU8 = AtomicU8::new(0);

/// The escape sequences of each mode. Buttons and dragging are reported, bare motion is not: it
/// would wake us for nothing.
const SEQUENCES: &[(u8, &str, &str)] = &[
    (ALTERNATE, "\x1b[?1049h\x1b[2J", "\x1b[?1049l"),
    (HIDDEN_CURSOR, "\x1b[?25l", "\x1b[?25h"),
    (PASTE, "\x1b[?2004h", "\x1b[?2004l"),
    (MOUSE, "\x1b[?1000h\x1b[?1002h\x1b[?1006h", "\x1b[?1006l\x1b[?1002l\x1b[?1000l"),
];

/// The terminal is ours while this lives.
pub struct Terminal {
    mouse: bool,
}

impl Terminal {
    /// Takes the terminal: raw mode, alternate screen, no cursor, bracketed paste, and the mouse
    /// if wanted. From here on a panic of this thread restores it before it reports.
    pub fn enter(mouse: bool) -> io::Result<Self> {
        restore_on_panic();
        let terminal = Self { mouse };
        terminal.resume()?;
        Ok(terminal)
    }

    /// Takes the terminal again after `suspend`.
    pub fn resume(&self) -> io::Result<()> {
        enable_raw_mode()?;
        MODES.fetch_or(RAW, Ordering::SeqCst);
        let wanted = ALTERNATE | HIDDEN_CURSOR | PASTE | if self.mouse { MOUSE } else { 0 };
        let mut out = String::new();
        for (mode, on, _) in SEQUENCES.iter().filter(|it| it.0 & wanted != 0) {
            MODES.fetch_or(*mode, Ordering::SeqCst);
            out.push_str(on);
        }
        write(&out)
    }

    /// Gives the terminal back for a while: to the shell, or to an editor.
    pub fn suspend(&self) {
        restore();
    }

    /// Switches reports of the mouse on or off.
    pub fn mouse(&mut self, on: bool) -> io::Result<()> {
        self.mouse = on;
        let (mode, start, stop) = SEQUENCES[SEQUENCES.len() - 1];
        if on {
            MODES.fetch_or(mode, Ordering::SeqCst);
            write(start)
        } else {
            MODES.fetch_and(!mode, Ordering::SeqCst);
            write(stop)
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        restore();
    }
}

/// Undoes what is switched on. Safe to call from any thread, any number of times. Errors are
/// nobody's: the terminal may be gone.
pub fn restore() {
    let modes = MODES.swap(0, Ordering::SeqCst);
    if modes == 0 {
        return;
    }
    // An update that was cut short must not leave the terminal waiting for its end.
    let mut out = String::from("\x1b[?2026l\x1b[0m");
    for (_, _, off) in SEQUENCES.iter().rev().filter(|it| it.0 & modes != 0) {
        out.push_str(off);
    }
    let _ = write(&out);
    if modes & RAW != 0 {
        if let Ok(tty) = tty() {
            // Mouse reports still on their way would be typed into the shell.
            let _ = tcflush(&tty, QueueSelector::IFlush);
        }
        let _ = disable_raw_mode();
    }
}

/// Raw mode alone, as long as the value lives; for a question without a screen.
pub fn raw() -> io::Result<Raw> {
    enable_raw_mode()?;
    MODES.fetch_or(RAW, Ordering::SeqCst);
    Ok(Raw(()))
}

/// The terminal in raw mode.
pub struct Raw(());

impl Drop for Raw {
    fn drop(&mut self) {
        restore();
    }
}

/// Straight to the descriptor: the lock of `stdout` may be held by a thread that is stuck.
pub(crate) fn write(text: &str) -> io::Result<()> {
    let mut rest = text.as_bytes();
    while !rest.is_empty() {
        match rustix::io::write(rustix::stdio::stdout(), rest) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(done) => rest = &rest[done..],
            Err(rustix::io::Errno::INTR) => {}
            Err(cause) => return Err(cause.into()),
        }
    }
    Ok(())
}

/// Installs the hook once. A panic elsewhere is caught where the work was started and shown as a
/// failure; printing it here would only tear the screen.
fn restore_on_panic() {
    static HOOK: Once = Once::new();
    let drawing: ThreadId = thread::current().id();
    HOOK.call_once(|| {
        let report = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if thread::current().id() == drawing {
                restore();
            }
            if MODES.load(Ordering::SeqCst) == 0 {
                report(panic);
            }
        }));
    });
}

/// The terminal we read keys from: standard input, or the controlling terminal when that is a
/// pipe (`casefile -`).
pub fn tty() -> io::Result<OwnedFd> {
    if isatty(rustix::stdio::stdin()) {
        return Ok(rustix::io::dup(rustix::stdio::stdin())?);
    }
    let tty: File = OpenOptions::new().read(true).write(true).open("/dev/tty")?;
    Ok(tty.into())
}

/// Whether standard output is a terminal at all.
pub fn is_terminal() -> bool {
    isatty(rustix::stdio::stdout())
}

/// The most cells that are drawn: far more than a screen shows, and little enough that a terminal
/// that says 65,535 by 65,535 costs no gigabytes.
const MOST: (u16, u16) = (2_000, 1_000);

/// Width and height in cells. A terminal that says nothing is taken as 80×24.
pub fn size() -> (u16, u16) {
    let (width, height) = match tcgetwinsize(rustix::stdio::stdout()) {
        Ok(it) if it.ws_col > 0 && it.ws_row > 0 => (it.ws_col, it.ws_row),
        Ok(it) if it.ws_col > 0 || it.ws_row > 0 => (it.ws_col.max(1), it.ws_row.max(1)),
        _ => (80, 24),
    };
    (width.min(MOST.0), height.min(MOST.1))
}

/// The terminal to write to. A frame is one write, so nothing is buffered here.
pub fn output() -> impl Write {
    Output
}

/// Standard output without its line buffering.
struct Output;

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(rustix::io::write(rustix::stdio::stdout(), bytes)?)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
