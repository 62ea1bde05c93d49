//! What the binary reports when something went wrong: a kind, a cause, what to do next.
//! Must not print and must not decide how a report looks; `cli` and `batch` do.
//!
//! A kind is an exit code, stable and documented in `docs/CLI.md`.

/// Why a command did not end with `0`. The order is the order in which several targets' outcomes
/// are weighed: the greatest decides the exit code of the whole command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Findings at or above `--fail-on`.
    Findings,
    /// Actions wait for approval.
    Waiting,
    /// Actions are held.
    Held,
    /// A run or task failed, over budget too.
    Failed,
    /// Forge or model out of reach: retry later.
    Unreachable,
    /// Wrong use of the command line.
    Usage,
    /// The input cannot be read or is not valid.
    Input,
    /// Sign-in or configuration.
    Config,
    /// Disk or ledger.
    Disk,
    /// A fault of casefile itself.
    Bug,
}

/// One failed operation, for a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    pub kind: Kind,
    /// What happened, to what. One sentence; untrusted text in it has not been made safe yet.
    pub cause: String,
    /// What to do next, each a sentence.
    pub hints: Vec<String>,
}

impl Kind {
    /// The exit code of the process.
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Findings => 1,
            Self::Usage => 2,
            Self::Config => 3,
            Self::Waiting => 4,
            Self::Unreachable => 5,
            Self::Held => 6,
            Self::Failed => 7,
            Self::Input => 65,
            Self::Bug => 70,
            Self::Disk => 74,
        }
    }
}

/// The exit code of a command over several targets: the gravest of them, `0` when there is none.
pub fn exit_code(kinds: impl IntoIterator<Item = Kind>) -> u8 {
    kinds.into_iter().max().map_or(0, Kind::exit_code)
}

impl Failure {
    /// A failure with nothing to advise yet.
    pub fn new(kind: Kind, cause: impl Into<String>) -> Self {
        Self { kind, cause: cause.into(), hints: Vec::new() }
    }

    /// The same failure with one more thing to do.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.cause)
    }
}

impl std::error::Error for Failure {}

#[cfg(test)]
mod tests {
    use crate::failure::{Kind, exit_code};

    #[test]
    fn the_gravest_of_several_decides() {
        let falling = [Kind::Bug, Kind::Disk, Kind::Config, Kind::Input, Kind::Unreachable];
        let rest = [Kind::Failed, Kind::Held, Kind::Waiting, Kind::Findings];
        let order: Vec<Kind> = falling.into_iter().chain(rest).collect();
        let codes: Vec<u8> = order.iter().map(|it| it.exit_code()).collect();
        assert_eq!(codes, [70, 74, 3, 65, 5, 7, 6, 4, 1]);
        for at in 0..order.len() {
            let tail = order[at..].iter().rev().copied();
            assert_eq!(exit_code(tail), codes[at]);
        }
        assert_eq!(exit_code([]), 0);
    }
}
