//! `crd-ls check`.

mod context;
mod sources;

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ide::Catalog;

use self::context::Context;
use self::sources::{analysed, check_all};
use super::go_sources::Origins;
use super::input::read;
use super::old_objects::StoredState;
use super::print::{print_note, report_problem};
use super::walk::Source;
use super::{baseline, check_go, explain, unified_diff};
use crate::args::{CheckArgs, OutputFormat};
use crate::config::Projects;
use crate::go_package::packages_below;
use crate::golang::is_go_file;
use crate::opened_files::OpenResult;
use crate::output::{self, Options, Summary};
use crate::paths::absolute;
use crate::replace;
use crate::report::{Report, once};
use crate::status::{CLEAN, FAILED, FINDINGS};

/// The Go files and the other sources that a run checks.
struct Selection {
    go_files: Vec<String>,
    sources: Vec<Source>,
}

impl Selection {
    /// The files at or below the paths of `args`. Adds the reasons why files are not checked to `problems`.
    fn find(args: &CheckArgs, projects: &Projects, problems: &mut Vec<String>) -> Self {
        let (mut go_files, paths): (Vec<String>, Vec<String>) =
            args.paths.iter().cloned().partition(|path| is_go_file(Path::new(path)));
        let directories = paths.iter().map(Path::new).filter(|path| path.is_dir());
        let packages = packages_below(directories, projects);
        go_files.extend(packages.of_kinds.iter().map(|file| file.display().to_string()));
        let (sources, unwalked) = args.gate.selected_files(projects).sources(&paths);
        if sources.is_empty() && unwalked.is_empty() && go_files.is_empty() && !args.gate.force_exclude {
            // A run that checks no file finds nothing; it must not be mistaken for a clean check.
            let places = args.paths.join(", ");
            let go = check_go::why_unchecked(packages.other_files);
            problems
                .push(format!("nothing checked: {places} has no YAML or JSON file that is not excluded{go}"));
        }
        problems.extend(unwalked);
        Self { go_files, sources }
    }

    fn stdin(&self) -> Option<&Source> {
        self.sources.iter().find(|source| source.is_stdin())
    }

    /// The absolute paths of the Go files.
    fn absolute_go_files(&self) -> HashSet<PathBuf> {
        self.go_files.iter().map(|path| absolute(Path::new(path))).collect()
    }
}

/// Checks the paths of the arguments and writes the findings.
pub(crate) fn run(args: &CheckArgs) -> ExitCode {
    let mut problems = Vec::new();
    let stored_state = StoredState::read(&args.stored, &args.paths, &mut problems);
    let (stored_state, projects) = match stored_state.and_then(|state| Ok((state, args.gate.projects()?))) {
        Ok(inputs) => inputs,
        Err(problem) => {
            report_problem(&problem);
            return ExitCode::from(FAILED);
        }
    };
    let selection = Selection::find(args, &projects, &mut problems);
    let sources = &*selection.sources;
    if args.fix && !args.diff {
        recover(sources, &mut problems);
    }
    let stdin = selection.stdin().map(|stdin| read(stdin).map_err(|error| error.to_string()));
    let go_files = selection.absolute_go_files();
    let mut origins = Origins::find(sources, args, &projects);
    let mut of_go =
        check_go::GoCheckResults { in_files: origins.products(), ..check_go::GoCheckResults::default() };
    if args.fix
        && let Err(problem) = origins.fix(&go_files, args, &projects, &mut of_go)
    {
        problems.push(problem);
    }
    let mut context = Context::new(args, (stored_state, projects), origins, stdin, sources);
    context.read_definitions(sources, &mut problems);
    if args.explain_definitions {
        return explain_definitions(sources, &context, &problems);
    }
    let mut outcomes = check_all(sources, &context);
    if args.fix {
        outcomes = context.check_again(sources, outcomes);
    }
    if !selection.go_files.is_empty() {
        // All resources are validated. The catalog is freed now, because the definitions generated from Go take memory as well.
        context.catalog = Catalog::default();
    }
    check_go::check(&selection.go_files, args, &context.projects, &mut of_go, &mut problems);
    of_go.notes.iter().for_each(|line| print_note(line));
    let mut reports = of_go.reports;
    for outcome in outcomes {
        match outcome {
            Ok(report) => reports.push(report),
            Err(problem) => problems.push(problem),
        }
    }
    context.origins.relate(&mut reports, &go_files, args, &context.projects);
    write_reports(args, &mut reports, selection.stdin(), &mut problems);
    problems.iter().for_each(|problem| report_problem(problem));
    // The process ends, so freeing the memory of the context would only take time.
    std::mem::forget(context);
    let has_findings = of_go.bad || has_failing_findings(args, &reports);
    ExitCode::from(match () {
        () if !problems.is_empty() => FAILED,
        () if has_findings => FINDINGS,
        () => CLEAN,
    })
}

/// Whether `reports` have findings, changes or gaps that make the exit status 1.
fn has_failing_findings(args: &CheckArgs, reports: &[Report]) -> bool {
    let fails = |report: &Report| {
        (args.diff && report.before.is_some())
            || report.findings.iter().any(|finding| args.fail_on.fails(finding.severity))
    };
    reports.iter().any(fails) || args.fail_on_unjudged && Summary::of(reports).has_gaps()
}

/// Removes the findings of the baseline and repeated ones, and writes the others.
fn write_reports(
    args: &CheckArgs,
    reports: &mut [Report],
    stdin: Option<&Source>,
    problems: &mut Vec<String>,
) {
    let takes_stdout = args.diff || args.fix && stdin.is_some();
    let baseline_count = baseline::apply(&args.gate, reports).unwrap_or_else(|problem| {
        problems.push(problem);
        0
    });
    once::collapse(reports);
    // If nothing could be checked, people see only the problems.
    let has_output = !reports.is_empty() || problems.is_empty() || args.output.is_for_machines();
    let stdin = stdin.map(|source| source.path.display().to_string());
    if has_output
        && let Err(error) = write(args, reports, baseline_count, takes_stdout, stdin.as_deref())
        // A reader that closes the pipe early, as `head` does, is not a failure.
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        problems.push(format!("cannot write the findings: {error}"));
    }
}

/// Completes the writes of earlier runs that were interrupted.
pub(super) fn recover(sources: &[Source], problems: &mut Vec<String>) {
    for source in sources.iter().filter(|source| !source.is_stdin()) {
        if let Err(error) = replace::recover(&source.path) {
            problems.push(format!("{}: an earlier run was interrupted: {error}", source.path.display()));
        }
    }
}

/// Writes which definitions validate which resources.
fn explain_definitions(sources: &[Source], context: &Context<'_>, problems: &[String]) -> ExitCode {
    let format = context.args.output;
    let mut problems = problems.to_vec();
    if !matches!(format, OutputFormat::Human | OutputFormat::Json) {
        problems.push("--explain-definitions supports only the output formats human and json".to_owned());
    } else {
        let mut choices = Vec::new();
        for source in sources {
            // A source that was checked when it was read holds no resources.
            if context.sources.get(&source.path).is_some_and(|opened| matches!(*opened, OpenResult::Done(_)))
            {
                continue;
            }
            match analysed(source, context.take_opened(source), context) {
                Ok(Ok((_, file))) => choices.extend(file.choices()),
                // The check reports files that are not text.
                Ok(Err(_)) => {}
                Err(problem) => problems.push(problem),
            }
        }
        let mut out = io::BufWriter::new(io::stdout().lock());
        let written = explain::write(format, &context.catalog, choices, &mut out).and_then(|()| out.flush());
        if let Err(error) = written.or_else(|error| match error.kind() {
            io::ErrorKind::BrokenPipe => Ok(()),
            _ => Err(error),
        }) {
            problems.push(format!("cannot write the definitions: {error}"));
        }
    }
    problems.iter().for_each(|problem| report_problem(problem));
    ExitCode::from(if problems.is_empty() { CLEAN } else { FAILED })
}

/// Writes the findings; to stderr if stdout is for the fixed texts.
fn write(
    args: &CheckArgs,
    reports: &[Report],
    known: usize,
    takes_stdout: bool,
    stdin: Option<&str>,
) -> io::Result<()> {
    let options = |style| Options {
        style,
        quiet: args.gate.quiet,
        verbose: args.verbose,
        fail_on: args.fail_on,
        baseline_count: known,
    };
    if takes_stdout {
        let mut out = io::BufWriter::new(io::stdout().lock());
        for report in reports {
            match &report.before {
                _ if !args.diff && stdin == Some(&*report.path) && report.analysed => {
                    write!(out, "{}", report.text.get())?
                }
                Some(before) if args.diff => {
                    let (before, after) = (before.to_string(), report.text.get().to_string());
                    out.write_all(unified_diff::diff(Path::new(&report.path), &before, &after)?.as_bytes())?;
                }
                _ => {}
            }
        }
        out.flush()?;
        let mut out = io::BufWriter::new(io::stderr().lock());
        output::write(args.output, reports, &options(args.gate.style(&io::stderr())), &mut out)?;
        return out.flush();
    }
    let mut out = io::BufWriter::new(io::stdout().lock());
    output::write(args.output, reports, &options(args.gate.style(&io::stdout())), &mut out)?;
    out.flush()
}
