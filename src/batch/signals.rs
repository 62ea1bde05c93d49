//! SIGINT, SIGTERM and SIGHUP: the first asks the work to stop where it can be taken up again,
//! the second ends the process. Must not end it while work is being put away, unless asked twice.

use crate::driver::report::Cancel;
use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM},
    iterator::Signals as Incoming,
    low_level::emulate_default_handler,
};
use std::{
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicI32, Ordering},
    },
    thread,
    time::Duration,
};

/// How long the command may take to tell its result once no work is going on. It takes that long
/// only when a target is still being read from somewhere that gives nothing.
const GRACE: Duration = Duration::from_millis(700);

/// Remembers which signal came, and what is going on.
#[derive(Debug, Clone, Default)]
pub struct Signals(Arc<Watched>);

#[derive(Debug, Default)]
struct Watched {
    cancel: Cancel,
    first: AtomicI32,
    /// Targets the driver works on.
    busy: Mutex<usize>,
    idle: Condvar,
    /// Somebody tells the result.
    told: AtomicBool,
}

impl Signals {
    /// Starts to watch. Where signals cannot be watched, they end the process as ever. `stuck`
    /// tells a result when the command itself cannot, and is given the exit code.
    pub fn watch(stuck: impl Fn(u8) + Send + Sync + 'static) -> Self {
        let signals = Self::default();
        let (watched, stuck) = (signals.clone(), Arc::new(stuck));
        if let Ok(mut incoming) = Incoming::new([SIGINT, SIGTERM, SIGHUP]) {
            thread::spawn(move || {
                for signal in incoming.forever() {
                    watched.hear(signal, &stuck);
                }
            });
        }
        signals
    }

    fn hear(&self, signal: i32, stuck: &Arc<impl Fn(u8) + Send + Sync + 'static>) {
        let first = &self.0.first;
        if first.compare_exchange(0, signal, Ordering::SeqCst, Ordering::SeqCst).is_err() {
            // It only fails for signals without a default, which these have.
            let _ = emulate_default_handler(signal);
        }
        self.0.cancel.cancel();
        let (signals, stuck) = (self.clone(), Arc::clone(stuck));
        thread::spawn(move || {
            signals.wait_until_idle();
            thread::sleep(GRACE);
            if signals.tell() {
                let code = exit_code(signal);
                stuck(code);
                std::process::exit(i32::from(code));
            }
        });
    }

    /// The flag that asks work to stop.
    pub fn cancel(&self) -> &Cancel {
        &self.0.cancel
    }

    /// The first signal that came.
    pub fn received(&self) -> Option<i32> {
        Some(self.0.first.load(Ordering::SeqCst)).filter(|it| *it != 0)
    }

    /// Does work that must not be cut off.
    pub fn working<T>(&self, work: impl FnOnce(&Cancel) -> T) -> T {
        struct Leave<'a>(&'a Signals);
        impl Drop for Leave<'_> {
            fn drop(&mut self) {
                *self.0.busy() -= 1;
                self.0.0.idle.notify_all();
            }
        }
        *self.busy() += 1;
        let _leave = Leave(self);
        work(&self.0.cancel)
    }

    /// Claims the right to tell the result: true for the first who asks.
    pub fn tell(&self) -> bool {
        !self.0.told.swap(true, Ordering::SeqCst)
    }

    fn busy(&self) -> MutexGuard<'_, usize> {
        self.0.busy.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait_until_idle(&self) {
        let mut busy = self.busy();
        while *busy > 0 {
            busy = self.0.idle.wait(busy).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// What a shell expects of a process that a signal ended.
pub fn exit_code(signal: i32) -> u8 {
    u8::try_from(128 + signal).unwrap_or(u8::MAX)
}
