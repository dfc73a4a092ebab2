//! `cargo xtask`: what contributors run beside `cargo test`. `CONTRIBUTING.md` says when.
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

/// What contributors to crd-ls run.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Start a check: its page, its row in the table of the server's checks, and its fixtures, to be filled in.
    NewCheck(new_check::Check),
    /// Write the goldens anew from the API server's own code, which needs Go.
    Goldens {
        /// Compare only: print the differences and fail if there are any.
        #[arg(long)]
        check: bool,
        /// The answers of older releases as well; the first build of each takes minutes.
        #[arg(long)]
        minors: bool,
        /// The folder of real definitions whose counts are in fixtures/corpus.tsv.
        corpus: Option<PathBuf>,
    },
    /// Measure what people wait for, outside and inside a git repository and beside other servers, as a table.
    Bench,
    /// Compare what fixed scenarios cost with what is recorded: instructions (valgrind counts them) and allocations.
    Counts {
        /// Record what they cost now, with the reason for it.
        #[arg(long, value_name = "REASON", value_parser = clap::builder::NonEmptyStringValueParser::new())]
        record: Option<String>,
    },
    /// Check all files of the corpus with the release program: findings, time and memory.
    Corpus {
        /// The folder, if it is not ../shared/corpus.
        corpus: Option<PathBuf>,
    },
    /// Fuzz with cargo-fuzz, or run the fuzz tests with one seed after another where it is not installed.
    Fuzz {
        /// The target; all of them in turn without it.
        target: Option<String>,
        /// How long, for each target.
        #[arg(default_value_t = 60)]
        seconds: u64,
    },
    /// Build the site: a page for each rule, and the documentation for users. Needs Python, from which the generator comes.
    Site,
    /// Build the module for browsers, and with it the npm package and the playground (web/). Needs Node.
    Web {
        /// Where nothing compiles for browsers, say so and leave it out.
        #[arg(long)]
        optional: bool,
    },
    /// Make everything that a release consists of: archives, wheels, npm packages, checksums, manifests for package managers.
    Dist(dist::Options),
    /// Set the version in all files that name it, and cut the changelogs. Refuses changes that are not committed, and an address
    /// that is a placeholder.
    Release {
        /// Such as 1.2.3.
        version: String,
    },
    /// Set the repository's address in all files that name it.
    Address {
        /// Such as https://HOST/OWNER/crd-ls.
        url: String,
    },
    /// Run all that CI runs, on HEAD.
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
