//! `cargo xtask fuzz`: random inputs for the targets of `fuzz/`.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::place;

/// Fuzzes one target, or all targets in turn.
pub(crate) fn run(target: Option<String>, seconds: u64) -> Result<(), String> {
    let all = targets()?;
    let chosen = match target {
        Some(target) if all.contains(&target) => vec![target],
        Some(target) => return Err(format!("{target} is not a target; there are {}", all.join(", "))),
        None => all,
    };
    if !has_cargo_fuzz() {
        println!(
            "cargo-fuzz is not installed (cargo install cargo-fuzz); the fuzz tests run with many seeds"
        );
        return chosen.iter().try_for_each(|target| run_tests(target, seconds));
    }
    run_in_fuzz(&["run", "--bin", "seed"])?;
    let time = format!("-max_total_time={seconds}");
    chosen.iter().try_for_each(|target| {
        run_in_fuzz(&["fuzz", "run", "-s", "none", target, "--", &time, "-max_len=4096", "-timeout=10"])
    })
}

/// The names of the targets, each of which has a file.
fn targets() -> Result<Vec<String>, String> {
    let folder = place::repository().join("fuzz/fuzz_targets");
    let problem = |error| format!("{}: {error}", folder.display());
    let mut names = Vec::new();
    for entry in folder.read_dir().map_err(problem)? {
        let path = entry.map_err(problem)?.path();
        names.extend(path.file_stem().map(|name| name.to_string_lossy().into_owned()));
    }
    names.sort();
    Ok(names)
}

fn has_cargo_fuzz() -> bool {
    let mut command = place::cargo(&["fuzz", "--version"]);
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// A stable toolchain accepts the fuzzer's options only with `RUSTC_BOOTSTRAP`.
fn run_in_fuzz(arguments: &[&str]) -> Result<(), String> {
    let mut command = Command::new("cargo");
    command.args(arguments).current_dir(place::repository().join("fuzz")).env("RUSTC_BOOTSTRAP", "1");
    place::run(&mut command)
}

/// Runs the fuzz test of the target with seeds 1, 2, … until the time has elapsed.
fn run_tests(target: &str, seconds: u64) -> Result<(), String> {
    let end = Instant::now() + Duration::from_secs(seconds);
    let arguments = ["test", "--workspace", "--test", "fuzz", "--", "--exact", target, "--nocapture"];
    for seed in 1_u64.. {
        place::run(place::cargo(&arguments).env("CRD_LS_SEED", seed.to_string()).env("CRD_LS_CASES", "10x"))?;
        if Instant::now() >= end {
            break;
        }
    }
    Ok(())
}
