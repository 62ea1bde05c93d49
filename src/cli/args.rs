//! The flags and commands of casefile, from which help, completions and the man page are made.
//! Must not hold a flag or command that does not work yet.

use clap::{Args as ClapArgs, CommandFactory as _, Parser, Subcommand};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  casefile                              the dossiers on this machine
  casefile demo                         the workbench, with no account and no network
  casefile owner/repo#12                open a pull request of GitHub
  casefile pr.json                      open a saved pull request in the workbench
  git diff main... | casefile -         read any unified diff
  casefile main..HEAD                   read what a branch changes
  casefile --batch pr.json --json       make the dossier without a screen
  casefile export pr.json --format html -o pr.html
  casefile status pr.json               what is stale, and what would run again
";

const AFTER: &str = "\
Exit codes: 0 done, 1 findings, 2 wrong use, 3 sign-in or configuration, 4 actions wait for
approval, 5 out of reach, 6 actions held, 7 a run or task failed, 65 input unreadable or invalid,
70 a bug, 74 disk or ledger.";

/// A terminal workbench for reviewing pull requests.
#[derive(Debug, Clone, Parser)]
#[command(
    name = "casefile",
    version,
    before_help = EXAMPLES,
    after_help = AFTER,
    max_term_width = 100,
    infer_long_args = false
)]
pub struct Args {
    /// owner/repo#12, the address of a pull request, a capture file, a .diff file, `-` for standard
    /// input, or a git range like main..HEAD.
    #[arg(value_name = "TARGET")]
    pub targets: Vec<String>,
    #[command(flatten)]
    pub batch: BatchArgs,
    #[command(flatten)]
    pub common: Common,
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// Flags of a run without a screen.
#[derive(Debug, Clone, ClapArgs)]
#[command(next_help_heading = "Without a screen")]
pub struct BatchArgs {
    /// Make the dossiers of all targets and print a report. `@-` reads targets from standard input.
    #[arg(long)]
    pub batch: bool,
    /// Write every event to this file, one JSON object a line.
    #[arg(long, value_name = "FILE", requires = "batch")]
    pub events: Option<PathBuf>,
}

/// Flags every command takes.
#[derive(Debug, Clone, ClapArgs)]
#[command(next_help_heading = "Common")]
pub struct Common {
    /// Print one JSON document on standard output.
    #[arg(long, global = true)]
    pub json: bool,
    /// No progress on standard error.
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// Say more on standard error; twice for everything.
    #[arg(long, short, action = clap::ArgAction::Count, global = true)]
    pub verbose: u8,
    /// Write a log to this file.
    #[arg(long, value_name = "FILE", global = true)]
    pub log_file: Option<PathBuf>,
    /// Read the token of the forge from this file; it goes to the host of the settings alone.
    #[arg(long, value_name = "FILE", global = true)]
    pub token_file: Option<PathBuf>,
    /// Use the settings of this profile.
    #[arg(long, value_name = "NAME", global = true)]
    pub profile: Option<String>,
    #[command(flatten)]
    pub work: Work,
    #[command(flatten)]
    pub look: Look,
}

/// How dossiers are made.
#[derive(Debug, Clone, ClapArgs)]
#[command(next_help_heading = "Making dossiers")]
pub struct Work {
    /// What summarises the discussion; `extractive` needs no model.
    #[arg(long, value_name = "NAME", global = true)]
    pub engine: Option<String>,
    /// Keep the dossier in this folder instead of the data folder.
    #[arg(long, value_name = "DIR", global = true)]
    pub artifacts: Option<PathBuf>,
    /// Use this ledger instead of the one in the data folder.
    #[arg(long, value_name = "FILE", global = true)]
    pub ledger: Option<PathBuf>,
    /// Stop after this phase.
    #[arg(long, value_name = "PHASE", global = true)]
    pub until: Option<String>,
    /// Review exactly these commits; the discussion is left out, with a note.
    #[arg(long, value_name = "SHA", requires = "pin_head", global = true)]
    pub pin_base: Option<String>,
    /// The other end of --pin-base.
    #[arg(long, value_name = "SHA", requires = "pin_base", global = true)]
    pub pin_head: Option<String>,
    /// Keep the capture in the folder of --artifacts and stop; no run is begun.
    #[arg(long, requires = "artifacts", global = true)]
    pub select_only: bool,
    /// Go on with this run.
    #[arg(long, value_name = "RUN", global = true)]
    pub resume: Option<String>,
    /// Do this task again although it is done.
    #[arg(long, value_name = "TASK", global = true)]
    pub retry: Option<String>,
    /// Never use the network; show what was read before.
    #[arg(long, global = true)]
    pub offline: bool,
}

/// How the workbench looks.
#[derive(Debug, Clone, ClapArgs)]
#[command(next_help_heading = "Workbench")]
pub struct Look {
    /// A theme's name; `casefile themes` lists them.
    #[arg(long, value_name = "NAME", global = true)]
    pub theme: Option<String>,
    /// Leave the mouse to the terminal.
    #[arg(long, global = true)]
    pub no_mouse: bool,
    /// Draw with ASCII characters only.
    #[arg(long, global = true)]
    pub ascii: bool,
}

/// What else casefile does.
#[derive(Debug, Clone, Subcommand)]
pub enum Command {
    /// Save a target as a capture file, for later or for somebody else.
    Capture {
        /// A pull request, a capture file, a .diff file, `-`, or a git range.
        target: String,
        /// Where to write; compressed when the name ends in .gz. `-` is standard output.
        #[arg(long, short, value_name = "FILE")]
        output: PathBuf,
    },
    /// Open the workbench on a pull request that comes with casefile.
    Demo,
    /// Write the dossier as a document: every thread beside its summary.
    Export {
        /// A pull request, a capture file, a .diff file, `-`, or a git range.
        target: String,
        /// What to write; `html` is one page that needs no script and no network.
        #[arg(long, value_name = "FORMAT", default_value = "md")]
        format: Format,
        /// Where to write; standard output when it is left out.
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Say what is done, what is stale and why, and what would run again.
    Status {
        /// One target; without it all dossiers of this machine.
        target: Option<String>,
    },
    /// Check this machine, and say the one thing to do where something is amiss.
    Doctor,
    /// List the themes.
    Themes,
    /// Print the shell completions.
    Completions {
        /// Which shell.
        shell: clap_complete::Shell,
    },
    /// Print the manual page.
    Man,
    /// Look at the settings or make a file of them.
    #[command(subcommand)]
    Config(ConfigCommand),
}

/// What a document is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Markdown, in which nothing of the pull request acts.
    Md,
    /// JSON, of the published schema.
    Json,
    /// One page, dark or light as the reader's system is.
    Html,
}

/// What can be asked about the settings.
#[derive(Debug, Clone, Subcommand)]
pub enum ConfigCommand {
    /// The settings in force.
    Show {
        /// Say where each one was set.
        #[arg(long)]
        origin: bool,
    },
    /// Where the configuration file is looked for.
    Path,
    /// Write a configuration file with all defaults and what they mean.
    Init,
    /// Every action with its name for the configuration and its keys.
    Keys,
    /// A JSON schema of the configuration file, for editors.
    Schema,
}

/// The names of all commands, for the advice after a misspelt one.
pub fn command_names() -> Vec<String> {
    Args::command().get_subcommands().map(|it| it.get_name().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use crate::cli::args::Args;
    use clap::CommandFactory as _;

    #[test]
    fn the_definition_is_sound() {
        Args::command().debug_assert();
    }
}
