//! `cargo xtask corpus`: the release program on real definitions and resources.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::place;
use crate::spent::{ResourceUsage, spent};

/// The number of lines of a run to print; the findings themselves are too many.
const LAST_LINES: usize = 12;

/// Without `corpus`, uses the one beside the checkout.
pub(crate) fn run(corpus: Option<PathBuf>) -> Result<(), String> {
    let Some(corpus) = corpus.or_else(|| place::shared("corpus", "skipped")) else { return Ok(()) };
    let program = place::release_program()?;
    let work = std::env::temp_dir().join(format!("crd-ls-corpus-{}.txt", std::process::id()));
    let output = std::fs::File::create(&work).map_err(|error| format!("{}: {error}", work.display()))?;
    println!("$ {} check {} --output concise", program.display(), corpus.display());
    let began = Instant::now();
    let child = Command::new(&program)
        .arg("check")
        .arg(&corpus)
        .args(["--output", "concise"])
        .stdout(Stdio::from(output))
        .spawn()
        .map_err(|error| format!("{} cannot be run: {error}", program.display()))?;
    let (status, spent) = watched(child)?;
    let took = began.elapsed();
    let printed = std::fs::read_to_string(&work).map_err(|error| format!("{}: {error}", work.display()))?;
    std::fs::remove_file(&work).map_err(|error| format!("{}: {error}", work.display()))?;
    let lines: Vec<&str> = printed.lines().collect();
    for line in lines.iter().skip(lines.len().saturating_sub(LAST_LINES)) {
        println!("{line}");
    }
    for kind in ["error", "warning", "info", "hint"] {
        let count = lines.iter().filter(|line| line.contains(&format!(": {kind}"))).count();
        println!("{count} lines with {kind}");
    }
    println!("{took:?} wall time");
    match spent {
        Some(spent) => println!("{} ms CPU, at most {} MB", spent.cpu.as_millis(), spent.memory >> 20),
        None => println!("without CPU time and memory: there is no /proc"),
    }
    // Real definitions have errors: 1 is the status of findings.
    if matches!(status.code(), Some(0 | 1)) { Ok(()) } else { Err(format!("crd-ls failed: {status}")) }
}

/// Waits for the end. Returns the status and the resources that were used.
fn watched(mut child: Child) -> Result<(std::process::ExitStatus, Option<ResourceUsage>), String> {
    let mut most: Option<ResourceUsage> = None;
    loop {
        if let Some((now, _)) = spent(child.id()) {
            let before = most.unwrap_or_default();
            most = Some(ResourceUsage {
                cpu: before.cpu.max(now.cpu),
                memory: before.memory.max(now.memory),
                output: 0,
            });
        }
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            return Ok((status, most));
        }
        thread::sleep(Duration::from_millis(2));
    }
}
