//! `crd-ls completions` and `crd-ls manual`: the command line for the completion of shells and for `man`.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::args::Cli;
use crate::status::{CLEAN, FAILED};

/// Prints the completions of a shell.
pub(crate) fn completions(shell: Shell) -> ExitCode {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "crd-ls", &mut text);
    // A reader that closed the pipe does not want the rest.
    let _ = io::stdout().write_all(&text);
    ExitCode::from(CLEAN)
}

/// Writes `crd-ls.1`, `crd-ls-check.1`, ... into `directory`.
pub(crate) fn manual(directory: &Path) -> ExitCode {
    match clap_mangen::generate_to(Cli::command().disable_help_subcommand(true), directory) {
        Ok(()) => ExitCode::from(CLEAN),
        Err(problem) => {
            // Without stderr the error cannot be reported.
            let _ = writeln!(io::stderr(), "crd-ls: {}: {problem}", directory.display());
            ExitCode::from(FAILED)
        }
    }
}
