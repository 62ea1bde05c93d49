//! The log: to a file, and to standard error when asked. Every line passes the boundary for
//! untrusted text and loses what looks like a credential.
//! Must not be needed for a result: nothing reads the log back.

pub mod scrub;

use crate::{
    domain::text::{Surface, display},
    telemetry::scrub::without_credentials,
};
use std::{
    fs::{File, OpenOptions},
    io::{self, Write},
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
    sync::Mutex,
};
use tracing_subscriber::{
    Layer as _,
    filter::{FilterExt as _, LevelFilter, filter_fn},
    fmt::{MakeWriter, format::Writer, time::FormatTime},
    layer::SubscriberExt as _,
    util::SubscriberInitExt as _,
};

/// Target of the progress lines: they reach standard error on their own way, the log on this one.
pub const PROGRESS: &str = "casefile::progress";

/// Where the log goes.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    pub file: Option<PathBuf>,
    /// Standard error too; off while a screen is up.
    pub stderr: bool,
    /// 0: what happened; 1: and why; 2: everything.
    pub verbosity: u8,
}

/// Why there is no log. Exit code 74.
#[derive(Debug, thiserror::Error)]
#[error("the log file {path} could not be opened: {source}")]
pub struct LogError {
    path: PathBuf,
    source: io::Error,
}

/// Starts the log. Without a file and without `stderr` nothing is set up and nothing is paid.
pub fn start(wanted: &Wanted) -> Result<(), LogError> {
    if wanted.file.is_none() && !wanted.stderr {
        return Ok(());
    }
    let level = match wanted.verbosity {
        0 => LevelFilter::INFO,
        1 => LevelFilter::DEBUG,
        _ => LevelFilter::TRACE,
    };
    let file = wanted.file.as_deref().map(open).transpose()?.map(|it| layer(Mutex::new(it)));
    let stderr = wanted.stderr.then(|| layer(Mutex::new(io::stderr())));
    let log = tracing_subscriber::registry();
    let log = log.with(file.map(|it| it.with_filter(level)));
    // A second start (tests in one process) leaves the first log in place.
    let unseen = filter_fn(|meta| meta.target() != PROGRESS).and(level);
    let _ = log.with(stderr.map(|it| it.with_filter(unseen))).try_init();
    Ok(())
}

fn open(path: &Path) -> Result<File, LogError> {
    let file = OpenOptions::new().create(true).append(true).mode(0o600).open(path);
    file.map_err(|source| LogError { path: path.to_owned(), source })
}

fn layer<S, W>(to: Mutex<W>) -> impl tracing_subscriber::Layer<S>
where
    S: tracing::Subscriber + for<'a> tracing_subscriber::registry::LookupSpan<'a>,
    W: Write + Send + 'static,
{
    tracing_subscriber::fmt::layer().with_ansi(false).with_timer(Clock).with_writer(Clean(to))
}

struct Clock;

impl FormatTime for Clock {
    fn format_time(&self, to: &mut Writer<'_>) -> std::fmt::Result {
        write!(to, "{:.3}", jiff::Timestamp::now())
    }
}

/// Hands out writers that clean a line before it goes on.
struct Clean<W>(Mutex<W>);

impl<'a, W: Write + 'a> MakeWriter<'a> for Clean<W> {
    type Writer = CleanLine<'a, W>;

    fn make_writer(&'a self) -> Self::Writer {
        CleanLine(&self.0)
    }
}

struct CleanLine<'a, W>(&'a Mutex<W>);

impl<W: Write> Write for CleanLine<'_, W> {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let text = clean(&String::from_utf8_lossy(line));
        let mut to = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        writeln!(to, "{text}")?;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner).flush()
    }
}

/// One line as it may be written anywhere: visible characters only, no credentials.
pub fn clean(line: &str) -> String {
    let line = without_credentials(line.trim_end_matches('\n'));
    display(&line, Surface::Inline).into_owned()
}

#[cfg(test)]
mod tests {
    use crate::telemetry::clean;

    fn check(line: &str, expected: &str) {
        assert_eq!(clean(line), expected);
    }

    #[test]
    fn credentials_are_taken_out() {
        check("token ghp_abcdefghijkl0123456789 used", "token [credential removed] used");
        check("Authorization: Bearer abc.def-ghi_jkl=x", "Authorization: [credential removed]");
        check("key=sk-ant-REDACTED\n", "key=[credential removed]");
        check(
            "two ghs_aaaaaaaaaaaaaaaa gho_bbbbbbbbbbbbbbbb",
            "two [credential removed] [credential removed]",
        );
    }

    #[test]
    fn words_that_only_look_alike_stay() {
        for line in ["risk-assessment-of-everything", "task-", "the Bearer of news", "sk-1"] {
            check(line, line);
        }
    }

    #[test]
    fn nothing_drives_a_terminal() {
        assert!(!clean("a\u{1b}[31mb\u{9b}c\rd\ne").contains(char::is_control));
    }
}
