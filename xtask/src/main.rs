//! `cargo xtask`: the commands that contributors run beside `cargo test`. `CONTRIBUTING.md` says when.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command line for people")]

mod bench;
mod client;
mod corpus;
mod counts;
mod dist;
mod fuzz;
mod goldens;
mod new_check;
mod place;
mod release;
mod site;
#[path = "../../tests/support/spent.rs"]
mod spent;
mod web;

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use clap::{Parser, Subcommand};

/// Commands for contributors to crd-ls.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Start a check: creates its page, its row in the table of the server's checks, and its fixtures, to be filled in.
    NewCheck(new_check::Check),
    /// Write the goldens again with the API server's own code, which needs Go.
    Goldens {
        /// Only compare: print the differences and fail if there are any.
        #[arg(long)]
        check: bool,
        /// Include the answers of older releases; the first build of each takes minutes.
        #[arg(long)]
        minors: bool,
        /// The folder of real definitions whose counts are in fixtures/corpus.tsv.
        corpus: Option<PathBuf>,
    },
    /// Measure latencies outside and inside a git repository and for other servers, as a table.
    Bench,
    /// Compare the cost of fixed scenarios with the recorded cost: instructions (valgrind counts them) and allocations.
    Counts {
        /// Record the current cost, with the reason for the change.
        #[arg(long, value_name = "REASON", value_parser = clap::builder::NonEmptyStringValueParser::new())]
        record: Option<String>,
    },
    /// Check all files of the corpus with the release program: findings, time and memory.
    Corpus {
        /// The folder; default: ../shared/corpus.
        corpus: Option<PathBuf>,
    },
    /// Fuzz with cargo-fuzz, or, if it is not installed, run the fuzz tests with one seed after another.
    Fuzz {
        /// The target; default: all targets in turn.
        target: Option<String>,
        /// The time for each target.
        #[arg(default_value_t = 60)]
        seconds: u64,
    },
    /// Build the site: a page for each rule, and the documentation for users. Needs Python to install the generator.
    Site,
    /// Build the module for browsers, and with it the npm package and the playground (web/). Needs Node.
    Web {
        /// Skip this with a message if no toolchain can compile for browsers.
        #[arg(long)]
        optional: bool,
    },
    /// Make all files of a release: archives, wheels, npm packages, checksums, manifests for package managers.
    Dist(dist::Options),
    /// Set the version in all files that contain it, and cut the changelogs. Fails if there are uncommitted changes or the
    /// address is a placeholder.
    Release {
        /// Such as 1.2.3.
        version: String,
    },
    /// Set the repository's address in all files that contain it.
    Address {
        /// Such as https://HOST/OWNER/crd-ls.
        url: String,
    },
    /// Run all checks of CI on HEAD.
    Ci,
}

fn main() -> ExitCode {
    let done = match Arguments::parse().task {
        Task::NewCheck(check) => new_check::run(&check),
        Task::Goldens { check, minors, corpus } => goldens::run(check, minors, corpus),
        Task::Bench => bench::run(),
        Task::Counts { record } => counts::run(record.as_deref()),
        Task::Corpus { corpus } => corpus::run(corpus),
        Task::Fuzz { target, seconds } => fuzz::run(target, seconds),
        Task::Site => site::run(),
        Task::Web { optional } => web::run(optional),
        Task::Dist(options) => dist::run(&options),
        Task::Release { version } => release::run(&version),
        Task::Address { url } => release::set_address(&url),
        Task::Ci => place::run(&mut Command::new(place::repository().join(".ci/run"))),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("cargo xtask: {problem}");
            ExitCode::FAILURE
        }
    }
}
