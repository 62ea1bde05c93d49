//! Named fail points for crash tests: where a process can be killed, paused or refused.
//! Must be nothing at all without the feature `test-support`.
//!
//! `CASEFILE_FAIL=NAME:kill`, `NAME:error` or `NAME:pause`, several with commas; `NAME@2` means
//! the second time. `CASEFILE_FAIL_TRACE=FILE` appends the name of every point passed.

/// A place where a test may stop the process. `part` is what is worked on, `stage` how far it is;
/// the point's name is `part.stage`.
#[cfg(not(feature = "test-support"))]
#[inline]
pub fn point(_part: &str, _stage: &str) -> std::io::Result<()> {
    Ok(())
}

/// A place where a test may stop the process. `part` is what is worked on, `stage` how far it is;
/// the point's name is `part.stage`.
#[cfg(feature = "test-support")]
pub fn point(part: &str, stage: &str) -> std::io::Result<()> {
    armed::pass(&format!("{part}.{stage}"))
}

#[cfg(feature = "test-support")]
mod armed {
    use std::{
        collections::HashMap,
        io::Write,
        sync::{LazyLock, Mutex},
    };

    static PASSED: LazyLock<Mutex<HashMap<String, u32>>> = LazyLock::new(Mutex::default);

    pub(super) fn pass(name: &str) -> std::io::Result<()> {
        trace(name);
        let Ok(orders) = std::env::var("CASEFILE_FAIL") else { return Ok(()) };
        let time = count(name);
        for order in orders.split(',') {
            let Some((place, what)) = order.rsplit_once(':') else { continue };
            let (wanted, nth) = match place.rsplit_once('@') {
                Some((wanted, nth)) => (wanted, nth.parse().unwrap_or(1)),
                None => (place, 1),
            };
            if wanted == name && nth == time {
                act(what)?;
            }
        }
        Ok(())
    }

    fn act(what: &str) -> std::io::Result<()> {
        match what {
            "error" => Err(std::io::Error::other("a test asked for this failure")),
            "pause" => {
                signal(rustix::process::Signal::STOP);
                Ok(())
            }
            _ => {
                signal(rustix::process::Signal::KILL);
                Ok(())
            }
        }
    }

    fn signal(signal: rustix::process::Signal) {
        let us = rustix::process::getpid();
        rustix::process::kill_process(us, signal).expect("a process may signal itself");
    }

    fn count(name: &str) -> u32 {
        let mut passed = PASSED.lock().expect("no point panics");
        let time = passed.entry(name.to_owned()).or_default();
        *time += 1;
        *time
    }

    fn trace(name: &str) {
        if let Some(path) = std::env::var_os("CASEFILE_FAIL_TRACE") {
            let file = std::fs::OpenOptions::new().create(true).append(true).open(path);
            // One write a line: the ledger's thread passes points too.
            let written = file.and_then(|mut it| it.write_all(format!("{name}\n").as_bytes()));
            written.expect("a test names a trace file it can write");
        }
    }
}
