//! Signals and the loss of the terminal, as messages of the loop. Must not act on them, but for
//! one thing: if the loop does not end in time, the terminal is restored and the process ends.

use crate::tui::{Message, terminal};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use signal_hook::{
    consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGWINCH},
    iterator::Signals,
    low_level::emulate_default_handler,
};
use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::Sender,
    },
    thread,
    time::Duration,
};

/// How long the loop may take to end after it was told to. A gone terminal ends us in two seconds.
const GRACE: Duration = Duration::from_millis(1_500);
/// How often the terminal is looked at. A hang-up wakes the watch at once where `poll` reports it.
const LOOK: Timespec = Timespec { tv_sec: 1, tv_nsec: 0 };

/// The exit code of a process that a signal ends.
pub fn exit_code(signal: i32) -> u8 {
    128 + signal as u8
}

/// Where the loop stands, for those who wait for it.
#[derive(Debug, Default)]
pub struct Standing {
    /// The loop has ended.
    over: AtomicBool,
    /// Another program has the terminal: its keys are not for us.
    away: AtomicBool,
}

impl Standing {
    /// The loop has ended: nobody needs to end the process for it.
    pub fn end(&self) {
        self.over.store(true, Ordering::SeqCst);
    }

    /// Runs `work` while another program has the terminal. An interrupt typed there is its own.
    pub fn while_away<T>(&self, work: impl FnOnce() -> T) -> T {
        self.away.store(true, Ordering::SeqCst);
        let done = work();
        self.away.store(false, Ordering::SeqCst);
        done
    }

    fn is_over(&self) -> bool {
        self.over.load(Ordering::SeqCst)
    }

    fn is_away(&self) -> bool {
        self.away.load(Ordering::SeqCst)
    }
}

/// Watches from here on.
pub fn watch(messages: &Sender<Message>, standing: &Arc<Standing>) -> io::Result<()> {
    let mut signals = Signals::new([SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT])?;
    let (queue, loop_standing) = (messages.clone(), Arc::clone(standing));
    thread::Builder::new().name("signals".into()).spawn(move || {
        for signal in signals.forever() {
            let message = match signal {
                SIGINT | SIGQUIT if loop_standing.is_away() => continue,
                SIGTSTP if loop_standing.is_away() => {
                    // The whole job stops, or the shell would wait for us.
                    let _ = emulate_default_handler(SIGTSTP);
                    continue;
                }
                SIGWINCH => Message::Resized,
                SIGTSTP => Message::Suspend,
                SIGCONT => Message::Continued,
                it => {
                    end_in_time(it, &loop_standing);
                    Message::Ended(it)
                }
            };
            if queue.send(message).is_err() {
                break;
            }
        }
    })?;
    let (queue, loop_standing) = (messages.clone(), Arc::clone(standing));
    let tty = terminal::tty()?;
    thread::Builder::new().name("watchdog".into()).spawn(move || {
        while !is_gone(&tty) {
            if loop_standing.is_over() {
                return;
            }
        }
        end_in_time(SIGHUP, &loop_standing);
        let _ = queue.send(Message::Ended(SIGHUP));
    })?;
    Ok(())
}

/// Waits for a hang-up, at most one look long. A terminal that can no longer be asked is gone too.
fn is_gone(tty: &impl std::os::fd::AsFd) -> bool {
    let mut watched = [PollFd::new(tty, PollFlags::empty())];
    match poll(&mut watched, Some(&LOOK)) {
        Ok(0) => rustix::termios::tcgetattr(tty).is_err(),
        Ok(_) => true,
        Err(cause) => cause != rustix::io::Errno::INTR,
    }
}

/// Lets the loop end by itself; if it is stuck, ends the process with the terminal restored.
fn end_in_time(signal: i32, standing: &Arc<Standing>) {
    let standing = Arc::clone(standing);
    let wait = move || {
        thread::sleep(GRACE);
        if !standing.is_over() {
            terminal::restore();
            std::process::exit(i32::from(exit_code(signal)));
        }
    };
    if thread::Builder::new().name("grace".into()).spawn(wait).is_err() {
        terminal::restore();
        std::process::exit(i32::from(exit_code(signal)));
    }
}
