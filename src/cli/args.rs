//! The flags and commands of casefile, from which help, completions and the man page are made.
//! Must not hold a flag or command that does not work yet.

use clap::Parser;

const EXAMPLES: &str = "\
Examples:
  casefile pr.json                      open a saved pull request in the workbench
  git diff main... | casefile -         read any unified diff
  casefile --batch pr.json --json       make the dossier without a screen
";

/// A terminal workbench for reviewing pull requests.
#[derive(Debug, Clone, Parser)]
#[command(name = "casefile", version, before_help = EXAMPLES, max_term_width = 100)]
pub struct Args {
    /// A capture file, a .diff file, `-` for standard input, or a git range.
    pub targets: Vec<String>,
}
