//! Keys, pastes and the mouse, read by one thread and sent as events. Must not decide what they
//! mean. The thread can be parked while another program has the terminal.

use crate::{
    app::{
        event::Event,
        key::{Chord, Key, Mouse, MouseKind},
    },
    tui::{Message, terminal},
};
use crossterm::event::{
    self, Event as Raw, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent,
    MouseEventKind,
};
use rustix::event::{PollFd, PollFlags, poll};
use std::{
    io::{self, PipeReader, PipeWriter, Read as _, Write as _},
    os::fd::OwnedFd,
    sync::{
        Arc, Condvar, Mutex, PoisonError,
        mpsc::{Receiver, Sender, channel},
    },
    thread,
    time::Duration,
};

/// The reading thread, from outside.
pub struct Input {
    wake: PipeWriter,
    parked: Receiver<()>,
    gate: Arc<Gate>,
}

/// Open while we read.
#[derive(Default)]
struct Gate {
    closed: Mutex<bool>,
    opened: Condvar,
}

impl Input {
    /// Starts reading.
    pub fn start(messages: Sender<Message>) -> io::Result<Self> {
        let (woken, wake) = io::pipe()?;
        let (acknowledge, parked) = channel();
        let gate = Arc::new(Gate::default());
        let reader =
            Reader { tty: terminal::tty()?, woken, acknowledge, gate: Arc::clone(&gate), messages };
        thread::Builder::new().name("input".into()).spawn(move || reader.run())?;
        Ok(Self { wake, parked, gate })
    }

    /// Stops reading, and returns when the thread has let go of the terminal.
    pub fn park(&mut self) {
        *self.gate.closed.lock().unwrap_or_else(PoisonError::into_inner) = true;
        // A reader that has ended cannot be woken and needs no parking.
        if self.wake.write_all(b"!").is_ok() {
            let _ = self.parked.recv();
        }
    }

    /// Reads again.
    pub fn resume(&self) {
        *self.gate.closed.lock().unwrap_or_else(PoisonError::into_inner) = false;
        self.gate.opened.notify_all();
    }
}

struct Reader {
    tty: OwnedFd,
    woken: PipeReader,
    acknowledge: Sender<()>,
    gate: Arc<Gate>,
    messages: Sender<Message>,
}

impl Reader {
    /// Reads until the terminal or the loop is gone. Waits by itself, as the library below spins
    /// on a terminal that is gone.
    fn run(mut self) {
        loop {
            let mut watched =
                [PollFd::new(&self.tty, PollFlags::IN), PollFd::new(&self.woken, PollFlags::IN)];
            match poll(&mut watched, None) {
                Ok(_) => {}
                Err(rustix::io::Errno::INTR) => continue,
                Err(_) => return,
            }
            let (tty, woken) = (watched[0].revents(), watched[1].revents());
            if tty.intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL) {
                return;
            }
            if !woken.is_empty() && !self.stand_by() {
                return;
            }
            if tty.contains(PollFlags::IN) && !self.read() {
                return;
            }
        }
    }

    /// Waits until the gate opens. False when nobody is left to open it.
    fn stand_by(&mut self) -> bool {
        if self.woken.read_exact(&mut [0]).is_err() || self.acknowledge.send(()).is_err() {
            return false;
        }
        let mut closed = self.gate.closed.lock().unwrap_or_else(PoisonError::into_inner);
        while *closed {
            closed = self.gate.opened.wait(closed).unwrap_or_else(PoisonError::into_inner);
        }
        true
    }

    /// Reads what is there. False when the loop has ended or the terminal cannot be read.
    fn read(&self) -> bool {
        loop {
            match event::poll(Duration::ZERO) {
                Ok(false) => return true,
                Ok(true) => {}
                Err(_) => return false,
            }
            let Ok(raw) = event::read() else { return false };
            if let Some(message) = message(raw)
                && self.messages.send(message).is_err()
            {
                return false;
            }
        }
    }
}

fn message(raw: Raw) -> Option<Message> {
    match raw {
        Raw::Key(it) => chord(it).map(|it| Message::App(Event::Key(it))),
        Raw::Mouse(it) => mouse(it).map(|it| Message::App(Event::Mouse(it))),
        Raw::Paste(it) => Some(Message::App(Event::Paste(it))),
        Raw::Resize(..) => Some(Message::Resized),
        Raw::FocusGained | Raw::FocusLost => None,
    }
}

/// The key as the application knows it; releases and keys it has no name for are none.
fn chord(key: KeyEvent) -> Option<Chord> {
    if key.kind == KeyEventKind::Release {
        return None;
    }
    let mut shift = key.modifiers.contains(KeyModifiers::SHIFT);
    let it = match key.code {
        KeyCode::Char(it) => {
            shift = false;
            Key::Char(it)
        }
        KeyCode::BackTab => {
            shift = true;
            Key::Tab
        }
        KeyCode::Enter => Key::Enter,
        KeyCode::Esc => Key::Esc,
        KeyCode::Tab => Key::Tab,
        KeyCode::Backspace => Key::Backspace,
        KeyCode::Delete => Key::Delete,
        KeyCode::Up => Key::Up,
        KeyCode::Down => Key::Down,
        KeyCode::Left => Key::Left,
        KeyCode::Right => Key::Right,
        KeyCode::Home => Key::Home,
        KeyCode::End => Key::End,
        KeyCode::PageUp => Key::PageUp,
        KeyCode::PageDown => Key::PageDown,
        KeyCode::F(it) => Key::F(it),
        _ => return None,
    };
    let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
    let alt = key.modifiers.contains(KeyModifiers::ALT);
    Some(Chord { key: it, ctrl, alt, shift })
}

fn mouse(it: MouseEvent) -> Option<Mouse> {
    let kind = match it.kind {
        MouseEventKind::Down(MouseButton::Left) => MouseKind::Click,
        MouseEventKind::ScrollUp => MouseKind::WheelUp,
        MouseEventKind::ScrollDown => MouseKind::WheelDown,
        _ => return None,
    };
    Some(Mouse { kind, column: it.column, row: it.row })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_become_chords() {
        let check = |code, modifiers, expected: &str| {
            let found = chord(KeyEvent::new(code, modifiers)).map(|it| it.to_string());
            assert_eq!(found.unwrap_or_default(), expected, "{code:?}");
        };
        let none = KeyModifiers::NONE;
        check(KeyCode::Char('G'), KeyModifiers::SHIFT, "G");
        check(KeyCode::Char('d'), KeyModifiers::CONTROL, "Ctrl-d");
        check(KeyCode::BackTab, KeyModifiers::SHIFT, "Shift-Tab");
        check(KeyCode::PageDown, none, "PgDn");
        check(KeyCode::F(3), none, "F3");
        check(KeyCode::Char('x'), KeyModifiers::ALT, "Alt-x");
        check(KeyCode::CapsLock, none, "");
        let mut released = KeyEvent::new(KeyCode::Char('q'), none);
        released.kind = KeyEventKind::Release;
        assert_eq!(chord(released), None);
    }
}
