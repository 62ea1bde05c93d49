//! Keys, pastes and the mouse, read by one thread and sent as events. Must not decide what they
//! mean. The thread can be parked while another program has the terminal.

use crate::{
    app::event::Event,
    tui::{Message, keys::Keys, terminal},
};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::{
    io::{self, PipeReader, PipeWriter, Read as _, Write as _},
    os::fd::OwnedFd,
    sync::{
        Arc, Condvar, Mutex, PoisonError,
        mpsc::{Receiver, Sender, channel},
    },
    thread,
};

/// After a lone Esc: if nothing follows in this time, it was the key. Terminals send the bytes of
/// a sequence together; a slow line may part them.
const ESCAPE: Timespec = Timespec { tv_sec: 0, tv_nsec: 25_000_000 };

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
    /// Reads until the terminal or the loop is gone.
    fn run(mut self) {
        let mut keys = Keys::default();
        loop {
            let mut watched =
                [PollFd::new(&self.tty, PollFlags::IN), PollFd::new(&self.woken, PollFlags::IN)];
            let limit = keys.is_waiting().then_some(&ESCAPE);
            match poll(&mut watched, limit) {
                Ok(0) if self.send(keys.flush()) => continue,
                Ok(1..) => {}
                Err(rustix::io::Errno::INTR) => continue,
                Ok(0) | Err(_) => return,
            }
            let (tty, woken) = (watched[0].revents(), watched[1].revents());
            if tty.intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL) {
                return;
            }
            if !woken.is_empty() && !self.stand_by() {
                return;
            }
            if tty.contains(PollFlags::IN) && !self.read(&mut keys) {
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
    fn read(&self, keys: &mut Keys) -> bool {
        let mut bytes = [0; 4096];
        match rustix::io::read(&self.tty, &mut bytes) {
            Ok(0) => false,
            Ok(count) => self.send(keys.feed(&bytes[..count])),
            Err(rustix::io::Errno::INTR | rustix::io::Errno::AGAIN) => true,
            Err(_) => false,
        }
    }

    fn send(&self, events: Vec<Event>) -> bool {
        events.into_iter().all(|it| self.messages.send(Message::App(it)).is_ok())
    }
}
