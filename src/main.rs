//! The binary: parse, run, exit code.

fn main() -> std::process::ExitCode {
    casefile::cli::main()
}
