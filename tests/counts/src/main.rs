//! Runs one scenario and prints its allocations; without a name, prints the names of all; `memory` prints the memory of an
//! open file. `cargo xtask counts` calls it.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for another program")]

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    counts::on_one_thread(run)
}

fn run() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => counts::SCENARIOS.iter().for_each(|scenario| println!("{}", scenario.name)),
        ["memory"] => counts::memory::by_kind(&counts::bundle(75_000))
            .iter()
            .for_each(|held| println!("{}\t{}", held.kind, held.bytes)),
        ["folder", into] => {
            if let Err(error) = counts::folder(Path::new(into)) {
                eprintln!("{into}: {error}");
                return ExitCode::FAILURE;
            }
        }
        [name] => {
            let Some(scenario) = counts::SCENARIOS.iter().find(|scenario| scenario.name == name) else {
                eprintln!("{name} is no scenario");
                return ExitCode::FAILURE;
            };
            let counts = (scenario.run)();
            println!("{}\t{}\t{}\t{}", counts.allocations, counts.bytes, counts.peak, counts.held);
        }
        _ => {
            eprintln!("usage: crd-ls-counts [SCENARIO | memory | folder PATH]");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
