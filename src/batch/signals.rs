//! SIGINT, SIGTERM and SIGHUP: the first asks the work to stop where it can be taken up again,
//! the second ends the process. Must not end it while a write is going on, unless asked twice.

use crate::driver::report::Cancel;
use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM},
    iterator::Signals as Incoming,
    low_level::emulate_default_handler,
};
use std::{
    sync::{
        Arc,
        atomic::{AtomicI32, Ordering},
    },
    thread,
};

/// Remembers which signal came.
#[derive(Debug, Clone)]
pub struct Signals(Arc<AtomicI32>);

impl Signals {
    /// Starts to watch. Where signals cannot be watched, they end the process as ever.
    pub fn watch(cancel: &Cancel) -> Self {
        let first = Arc::new(AtomicI32::new(0));
        if let Ok(mut incoming) = Incoming::new([SIGINT, SIGTERM, SIGHUP]) {
            let (cancel, seen) = (cancel.clone(), first.clone());
            thread::spawn(move || {
                for signal in incoming.forever() {
                    let earlier =
                        seen.compare_exchange(0, signal, Ordering::SeqCst, Ordering::SeqCst);
                    if earlier.is_err() {
                        // It only fails for signals without a default, which these have.
                        let _ = emulate_default_handler(signal);
                    }
                    cancel.cancel();
                }
            });
        }
        Self(first)
    }

    /// The first signal that came.
    pub fn received(&self) -> Option<i32> {
        Some(self.0.load(Ordering::SeqCst)).filter(|it| *it != 0)
    }
}

/// What a shell expects of a process that a signal ended.
pub fn exit_code(signal: i32) -> u8 {
    u8::try_from(128 + signal).unwrap_or(u8::MAX)
}
