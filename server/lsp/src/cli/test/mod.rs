//! `crd-ls test`.

mod coverage;
mod find;
mod generate;
mod human;
mod json;
mod junit;
mod mutate;
mod watch;

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use cases::coverage::{Coverage, Marks};
use cases::{Admission, Case, Definition, Failure, KubernetesVersion, ResourceVersion, Value};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use super::print::{CommandOutput, report_problem};
use super::unified_diff;
use crate::args::{TestArgs, TestFormat};
use crate::status::FAILED;
use crate::suites::{LoadedSuite, LoadedSuites, run_case};
use coverage::Coverages;
use watch::Changes;

/// Runs the cases of suites.
pub(crate) fn run(args: &TestArgs) -> ExitCode {
    if !args.watch {
        return once(args);
    }
    match Changes::below(&args.paths) {
        Err(problem) => {
            report_problem(&format!("--watch: {problem}"));
            ExitCode::from(FAILED)
        }
        Ok(changes) => loop {
            let status = once(args);
            if !changes.wait() {
                return status;
            }
        },
    }
}

fn once(args: &TestArgs) -> ExitCode {
    let server = args.kubernetes_version.unwrap_or_default();
    let found = find::find(&args.paths, &args.crds, server);
    let tasks = tasks(&found, args.filter.as_deref());
    let mut coverages = if args.wants_coverage() || args.generate || args.mutate {
        Coverages::new(&tasks, server)
    } else {
        Coverages::default()
    };
    let results: Vec<(Outcome<'_>, Marks)> =
        tasks.par_iter().map(|task| task.run(server, coverages.coverage_of(task))).collect();
    tasks.iter().zip(&results).for_each(|(task, (_, marks))| coverages.add(task, marks));
    let results: Vec<Outcome<'_>> = results.into_iter().map(|(outcome, _)| outcome).collect();
    let bad = results.iter().any(|outcome| outcome.failure.is_some());
    let mut shown = CommandOutput { bad, ..CommandOutput::default() };
    shown.problems.extend(found.problems.iter().cloned());
    match args.output {
        TestFormat::Human if results.is_empty() => {}
        TestFormat::Human => human::write(&results, &mut shown.text),
        TestFormat::Json => results.iter().for_each(|outcome| json::write(outcome, &mut shown)),
        TestFormat::Junit => junit::write(&results, &mut shown),
    }
    if args.mutate {
        mutate::write((&tasks, &results), &coverages, server, &mut shown);
    }
    if args.generate {
        for (file, text, definition) in find::definitions(&args.paths, server) {
            coverages.add_untested(&file, &text, &definition, server);
        }
        generate::write(&mut coverages, &mut shown);
    }
    if args.wants_coverage() {
        coverages.write(args, &mut shown);
    }
    note_expensive(&tasks, &mut shown);
    if results.is_empty() && !args.generate && shown.problems.is_empty() {
        shown.problems.push(match &args.filter {
            Some(filter) => format!("no case has `{filter}` in its name or the path of its suite"),
            None => "no suite found; write NAME_test.yaml beside a definition, or name a suite".to_owned(),
        });
    }
    shown.write()
}

/// A case to run against a definition.
struct Task<'f> {
    suite: &'f LoadedSuite,
    case: &'f Case,
    /// The tested version, or the reason why there is none.
    target: Result<TestedVersion<'f>, String>,
}

/// A version of a definition.
struct TestedVersion<'f> {
    file: &'f Path,
    text: &'f Arc<str>,
    definition: &'f Definition,
    version: &'f ResourceVersion,
}

/// The outcome of a task.
struct Outcome<'f> {
    suite: &'f LoadedSuite,
    case: &'f Case,
    /// The file with the definition.
    definition: Option<&'f Path>,
    failure: Option<Failure>,
}

/// All cases in the order of their suites' paths, their definitions' paths and the text.
fn tasks<'f>(found: &'f LoadedSuites, filter: Option<&str>) -> Vec<Task<'f>> {
    let mut tasks = Vec::new();
    for suite in &found.suites {
        for target in &suite.targets {
            let is_wanted = |case: &&Case| {
                let names = [suite.path.as_str(), &suite.suite.name, &case.name];
                filter.is_none_or(|filter| names.iter().any(|name| name.contains(filter)))
            };
            for case in suite.suite.cases.iter().filter(is_wanted) {
                let version = target.version_of(case);
                let target = version.map(|version| TestedVersion {
                    file: &target.file,
                    text: &target.text,
                    definition: &target.definition,
                    version,
                });
                tasks.push(Task { suite, case, target });
            }
        }
    }
    tasks
}

impl<'f> Task<'f> {
    fn run(&self, server: KubernetesVersion, coverage: Option<&Coverage>) -> (Outcome<'f>, Marks) {
        let mut marks = Marks::default();
        let (definition, result) = match &self.target {
            Ok(TestedVersion { file, definition, version, .. }) => {
                let mut observe = |admission: &Admission| {
                    coverage.into_iter().for_each(|coverage| coverage.observe(admission, &mut marks));
                };
                let result = run_case(self.case, definition, version, server, &mut observe);
                (Some(*file), result)
            }
            Err(problem) => (None, Err(failure(problem.clone()))),
        };
        (Outcome { suite: self.suite, case: self.case, definition, failure: result.err() }, marks)
    }
}

/// Reports once for each definition that only a server with a larger limit accepts it.
fn note_expensive(tasks: &[Task<'_>], shown: &mut CommandOutput) {
    let tested = tasks.iter().filter_map(|task| task.target.as_ref().ok());
    let expensive = tested.filter(|tested| !tested.definition.cost_errors.is_empty());
    let files: std::collections::BTreeSet<&Path> = expensive.map(|tested| tested.file).collect();
    shown.notes.extend(files.into_iter().map(|file| {
        format!(
            "{}: kube-apiserver rejects the definition, because its rules are too expensive",
            file.display()
        )
    }));
}

fn failure(reason: String) -> Failure {
    Failure { reason, ..Failure::default() }
}

impl Outcome<'_> {
    /// The names of the suite and of the case.
    fn title(&self) -> String {
        match self.suite.suite.name.as_str() {
            "" => self.case.name.clone(),
            suite => format!("{suite}: {}", self.case.name),
        }
    }

    /// The difference between the expected stored object and the actual one; empty if there is none.
    fn diff(&self) -> String {
        let Some(stored) = self.failure.as_ref().and_then(|failure| failure.stored.as_ref()) else {
            return String::new();
        };
        let yaml = |value: &Value| ide::preview::json_as_yaml(&value.to_json());
        let (expected, stored) = (yaml(&stored.0), yaml(&stored.1));
        let diff = unified_diff::with_names("expected", "stored", &expected, &stored);
        diff.unwrap_or_else(|error| error.to_string())
    }
}
