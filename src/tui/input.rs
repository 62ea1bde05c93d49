//! Keys, pastes and the mouse, read by one thread and sent as events. Must not decide what they
//! mean. The thread can be parked while another program has the terminal.

use crate::tui::{
    Message,
    keys::{Heard, Keys},
    question::Question,
    terminal,
};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::{
    io::{self, PipeReader, PipeWriter, Read as _, Write as _},
    os::fd::OwnedFd,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Condvar, Mutex, PoisonError,
        mpsc::{Receiver, Sender, channel},
    },
    thread,
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
    /// Starts reading. While the question is open, what may be half an answer is waited for.
    pub fn start(messages: Sender<Message>, question: Question) -> io::Result<Self> {
        let (woken, wake) = io::pipe()?;
        let (acknowledge, parked) = channel();
        let gate = Arc::new(Gate::default());
        let (tty, shared) = (terminal::tty()?, Arc::clone(&gate));
        let reader = Reader { tty, woken, acknowledge, gate: shared, messages, question };
        let body = move || {
            let messages = reader.messages.clone();
            // Without keys nobody could even quit.
            if catch_unwind(AssertUnwindSafe(|| reader.run())).is_err() {
                let _ = messages.send(Message::Broken);
            }
        };
        thread::Builder::new().name("input".into()).spawn(body)?;
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
    question: Question,
}

impl Reader {
    /// Reads until the terminal or the loop is gone.
    fn run(mut self) {
        let mut keys = Keys::default();
        loop {
            let mut watched =
                [PollFd::new(&self.tty, PollFlags::IN), PollFd::new(&self.woken, PollFlags::IN)];
            let limit = keys.patience(self.question.is_open()).map(|it| Timespec {
                tv_sec: it.as_secs() as i64,
                tv_nsec: i64::from(it.subsec_nanos()),
            });
            match poll(&mut watched, limit.as_ref()) {
                Ok(_) => {}
                Err(rustix::io::Errno::INTR) => continue,
                Err(_) => return,
            }
            let (tty, woken) = (watched[0].revents(), watched[1].revents());
            if tty.is_empty() && woken.is_empty() && !self.send(keys.flush()) {
                return;
            }
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
    fn read(&mut self, keys: &mut Keys) -> bool {
        let mut bytes = [0; 4096];
        match rustix::io::read(&self.tty, &mut bytes) {
            Ok(0) => false,
            Ok(count) => self.send(keys.feed(&bytes[..count])),
            Err(rustix::io::Errno::INTR | rustix::io::Errno::AGAIN) => true,
            Err(_) => false,
        }
    }

    fn send(&mut self, heard: Vec<Heard>) -> bool {
        heard.into_iter().all(|it| {
            #[cfg(feature = "test-support")]
            if let Heard::Event(crate::app::event::Event::Key(key)) = &it {
                assert!(!crate::tui::trap::springs(*key, "input"), "a test asked for a panic");
            }
            let message = match it {
                Heard::Event(event) => Message::App(event),
                Heard::Reply(reply) => {
                    self.question.hear(reply);
                    Message::Replied(reply)
                }
            };
            self.messages.send(message).is_ok()
        })
    }
}
