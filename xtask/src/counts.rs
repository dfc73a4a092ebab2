//! `cargo xtask counts`: checks whether fixed scenarios cost more than recorded, in figures that do not depend on the
//! machine.

mod table;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rayon::prelude::*;
use serde_json::json;
use table::{Row, ScenarioFigures, TOLERATED_PERCENT, TOLERATED_PERCENT_OF_PROGRAM, Table};

use crate::client::Client;
use crate::place;

/// The recorded figures.
const RECORDED: &str = "tests/counts/counts.tsv";

/// The function in `tests/counts/src/measure.rs` within which callgrind counts.
const RUN: &str = "*run_while_instructions_are_counted*";

/// The number of starts of the server. The cheapest start counts, because the order of its threads is random.
const STARTS: usize = 3;

/// Counts, then compares, or records if there is a reason.
pub(crate) fn run(reason: Option<&str>) -> Result<(), String> {
    let programs = Programs::build()?;
    let counted = programs.count()?;
    let path = place::repository().join(RECORDED);
    let recorded = fs::read_to_string(&path).map_err(|error| format!("{RECORDED}: {error}"))?;
    let recorded = Table::read(&recorded).map_err(|problem| format!("{RECORDED}: {problem}"))?;
    if let Some(reason) = reason {
        if !programs.has_valgrind {
            return Err("instructions are recorded as well, which takes valgrind".to_owned());
        }
        let text = recorded.updated(&counted, reason, &tools()).to_string();
        fs::write(&path, text).map_err(|error| format!("{RECORDED}: {error}"))?;
        println!("recorded in {RECORDED}");
        return Ok(());
    }
    println!("recorded with {}; counted with {}", recorded.tools, tools());
    let problems = recorded.problems(&counted);
    for row in &counted {
        println!("{}", recorded.line(row));
    }
    if problems.is_empty() {
        println!(
            "no scenario exceeds its record by more than {TOLERATED_PERCENT} %, no program by more than \
             {TOLERATED_PERCENT_OF_PROGRAM} %"
        );
        return Ok(());
    }
    Err(format!(
        "{}\nIf that is the price of something, record it: cargo xtask counts --record 'REASON'",
        problems.join("\n")
    ))
}

/// The tools on which the figures depend.
fn tools() -> String {
    let version = |program: &str| {
        let output = Command::new(program).arg("--version").output();
        let output = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
        output.unwrap_or_else(|_| format!("no {program}"))
    };
    let rustc = version("rustc");
    let rustc = rustc.split(" (").next().unwrap_or(&rustc).to_owned();
    format!("{rustc}, {}, {}", version("valgrind"), std::env::consts::ARCH)
}

/// The programs to run.
struct Programs {
    scenarios: PathBuf,
    program: PathBuf,
    has_valgrind: bool,
}

impl Programs {
    fn build() -> Result<Self, String> {
        let release = place::release_programs()?;
        let of = |name: &str| release.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
        let valgrind = Command::new("valgrind").arg("--version").stdout(Stdio::null()).status();
        let has_valgrind = valgrind.is_ok_and(|status| status.success());
        if !has_valgrind {
            println!("skipped: counting instructions, as valgrind is not installed; allocations are counted");
        }
        Ok(Self { scenarios: of("crd-ls-counts"), program: of("crd-ls"), has_valgrind })
    }

    fn count(&self) -> Result<Vec<Row>, String> {
        let names = place::stdout_of(&mut Command::new(&self.scenarios))?;
        let names: Vec<&str> = names.lines().collect();
        let mut rows =
            names.par_iter().map(|name| self.scenario(name)).collect::<Result<Vec<Row>, String>>()?;
        for line in place::stdout_of(Command::new(&self.scenarios).arg("memory"))?.lines() {
            let (kind, held) = line.split_once('\t').ok_or("a kind of memory without its bytes")?;
            let held = Some(held.parse().map_err(|error| format!("{line}: {error}"))?);
            rows.push(Row::new(
                &format!("memory: {kind}"),
                ScenarioFigures { held, ..ScenarioFigures::default() },
            ));
        }
        if self.has_valgrind {
            rows.extend(self.whole_program()?);
        }
        Ok(rows)
    }

    fn scenario(&self, name: &str) -> Result<Row, String> {
        let allocated =
            ScenarioFigures::of_allocations(&place::stdout_of(Command::new(&self.scenarios).arg(name))?)?;
        let instructions = self.instructions(&self.scenarios, Some(RUN), |run| run.arg(name))?;
        Ok(Row::new(name, ScenarioFigures { instructions, ..allocated }))
    }

    /// Counts the program as users run it, from its start to its end.
    fn whole_program(&self) -> Result<[Row; 2], String> {
        let folder = place::target_directory()?.join("counts");
        place::stdout_of(Command::new(&self.scenarios).arg("folder").arg(&folder))?;
        let check = self.instructions(&self.program, None, |run| {
            run.args(["check", "--quiet", "."]).current_dir(&folder)
        })?;
        let starts = (0..STARTS).map(|_| self.start()).collect::<Result<Vec<i64>, String>>()?;
        let start = starts.into_iter().min();
        let row = |name: &str, instructions| {
            Row::new(name, ScenarioFigures { instructions, ..ScenarioFigures::default() })
        };
        Ok([row("cli-check-folder", check), row("server-start", start)])
    }

    /// The instructions of a server that is started, initialized and ended.
    fn start(&self) -> Result<i64, String> {
        let log = place::target_directory()?.join("counts-printed");
        let file = fs::File::create(&log).map_err(|error| format!("{}: {error}", log.display()))?;
        let mut command = callgrind(&self.program, None);
        let mut client = Client::start(command.arg("server").stderr(file))?;
        client.ask("initialize", json!({"processId": null, "rootUri": null, "capabilities": {}}))?;
        client.leave()?;
        collected(&fs::read_to_string(&log).map_err(|error| format!("{}: {error}", log.display()))?)
    }

    /// The instructions of a run, or only those within `function`; `None` without valgrind.
    fn instructions(
        &self,
        program: &Path,
        function: Option<&str>,
        with: impl FnOnce(&mut Command) -> &mut Command,
    ) -> Result<Option<i64>, String> {
        if !self.has_valgrind {
            return Ok(None);
        }
        let mut command = callgrind(program, function);
        let output = with(&mut command).output().map_err(|error| format!("valgrind: {error}"))?;
        collected(&String::from_utf8_lossy(&output.stderr)).map(Some)
    }
}

/// The program under callgrind.
fn callgrind(program: &Path, function: Option<&str>) -> Command {
    // The number of processors determines how many threads share the work. Each run has its own processor.
    let processor = rayon::current_thread_index().unwrap_or(0).to_string();
    let mut command = Command::new("taskset");
    command.args(["-c", &processor, "valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    command.args(function.map(|function| format!("--toggle-collect={function}"))).arg(program);
    command
}

/// The number of instructions that callgrind reports.
fn collected(log: &str) -> Result<i64, String> {
    let collected = log.lines().find_map(|line| line.split_once("Collected : "));
    let (_, collected) = collected.ok_or_else(|| format!("valgrind counted nothing:\n{log}"))?;
    match collected.trim().parse() {
        Ok(0) => Err(format!("no instruction was counted, as if there were no function {RUN}")),
        Ok(collected) => Ok(collected),
        Err(error) => Err(format!("{collected}: {error}")),
    }
}
