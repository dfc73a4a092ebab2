//! `crd-ls`: language server and checker for Kubernetes CustomResourceDefinitions.
//!
//! The program reads arguments, settings, files, git and the messages of clients, and writes what `ide`, `answers`, `cases` and
//! `go` make of them: as diagnostics, as reports on the command line, or as fixed files.

mod args;
mod cli;
mod cluster;
mod config;
mod definitions;
mod generated_definitions;
mod git;
mod globs;
mod go_package;
mod golang;
mod guarded_files;
mod help;
mod ignore_lists;
mod kinds;
mod log;
#[cfg(feature = "mcp")]
mod mcp;
mod opened_files;
mod output;
mod paths;
mod replace;
mod rules;
mod server;
mod status;
mod suites;
mod walk;

use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use clap::Parser;

// The answers that the program and the browser share; the crate has the same name as a module of this one.
use answers::{analyse, limits, pages, previews, report};
use args::{Cli, Command};
use limits::STACK_BYTES;
use log::LogArgs;

/// glibc's allocator does not reuse memory that one thread has freed in others, but analyses and requests run on many
/// threads. Heap profilers support only the system's allocator.
#[cfg(not(feature = "system-allocator"))]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let helpers = rayon::ThreadPoolBuilder::new().stack_size(STACK_BYTES).build_global();
    if let Err(error) = helpers {
        // stderr may be closed.
        let _ = writeln!(std::io::stderr(), "crd-ls: threads for large files cannot be started: {error}");
        return ExitCode::from(2);
    }
    match Cli::parse().command {
        Some(Command::Check(args)) => cli::check(&args),
        Some(Command::Migrate(args)) => cli::migrate(&args),
        Some(Command::Generate(args)) => cli::generate(&args),
        Some(Command::Cost(args)) => cli::cost(&args),
        Some(Command::Docs(args)) => cli::docs(&args),
        Some(Command::Openapi(args)) => cli::openapi(&args),
        Some(Command::Apply(args)) => cli::apply(&args),
        Some(Command::Gates(args)) => cli::gates(&args),
        Some(Command::Sample(args)) => cli::sample(&args),
        Some(Command::Test(args)) => cli::test(&args),
        Some(Command::Rehearse(args)) => cli::rehearse(&args),
        Some(Command::Diff(args)) => cli::diff(&args),
        Some(Command::Versions(args)) => cli::versions(&args),
        Some(Command::Eval(args)) => cli::eval(&args),
        Some(Command::Rules { output }) => rules::list(output),
        Some(Command::Explain { code }) => rules::explain(code.as_deref()),
        Some(Command::Completions { shell }) => cli::completions(shell),
        Some(Command::Manual { directory }) => cli::manual(&directory),
        #[cfg(feature = "mcp")]
        Some(Command::Mcp) => mcp::run(),
        Some(Command::Server { log, .. }) => server::run(&log),
        None if std::io::stdin().is_terminal() => args::help(),
        None => server::run(&LogArgs::default()),
    }
}
