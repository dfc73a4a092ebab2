//! `crd-ls check`.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::{self, Write};
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use answers::remarks::{Remarks, ShownFindings};
use dashmap::DashMap;
use ide::{Catalog, Comparisons, Definitions, File, Parsed, Severity, Surroundings};
use text::{Shortcut, TextBuffer, TextRange};

use super::before::StoredState;
use super::generated::Origins;
use super::input::read;
use super::known_definitions::{DefinitionRequest, read_definitions, with_stored};
use super::print::{complain, remark};
use super::walk::Source;
use super::{baseline, check_go, explain, unified};
use crate::analyse::{MAX_ROUNDS, fix_all};
use crate::args::{CheckArgs, OutputFormat};
use crate::config::Projects;
use crate::definitions;
use crate::go_package::packages_below;
use crate::golang::is_go_file;
use crate::guarded;
use crate::limits::{BINARY_PROBE, MAX_BYTES, STACK_BYTES, not_utf8, too_large};
use crate::opened::{OpenFunction, OpenResult, RequestedKinds};
use crate::output::{self, MAX_REMARKS, Options, Summary};
use crate::paths::absolute;
use crate::replace;
use crate::report::{Coverage, LateTexts, Report, ReportForm, once, undecodable};
use crate::status::{CLEAN, FAILED, FINDINGS};

/// The state that the checks of all files share.
struct Context<'a> {
    args: &'a CheckArgs,
    /// The stored definitions and resources of `--old` or `--base`.
    before: StoredState,
    projects: Projects,
    /// The bytes from stdin, if it is checked: it can be read only once.
    stdin: Option<Result<Vec<u8>, String>>,
    /// The texts that `--fix` changed, by path.
    fixed: BTreeMap<String, TextBuffer>,
    /// The sources that are generated from Go.
    origins: Origins,
    /// The definitions that resources are checked against.
    catalog: Catalog,
    /// The opened sources. Each is taken out when it is checked, so that not all syntax trees stay in memory until the end.
    opened: DashMap<PathBuf, OpenResult<CheckedSource>>,
    /// Reads texts again for the lines that reports show.
    texts: LateTexts,
    /// Whether safe fixes are applied.
    fixes: bool,
    /// The position of each source in the order of the reports.
    order: HashMap<PathBuf, usize>,
    /// Which remarks are shown.
    remarks: Remarks,
}

/// A source that holds only definitions, and was checked when it was read.
struct CheckedSource {
    report: Report,
    /// The comparisons with definitions of other sources, which may add findings later.
    comparisons: Comparisons,
}

impl CheckedSource {
    /// The report on the source, once the definitions in `catalog` are known.
    fn report(self, path: &Path, catalog: &Catalog) -> Outcome {
        let rivals = self.comparisons.findings(catalog);
        let mut report = self.report;
        if rivals.is_empty() {
            return Ok(report);
        }
        if report.findings.is_empty() {
            let bytes =
                guarded::regular(path, MAX_BYTES).map_err(|error| format!("{}: {error}", path.display()))?;
            report.text = TextBuffer::new(&String::from_utf8_lossy(&bytes)).into();
        }
        report.findings.extend(rivals);
        report.findings.sort_by_key(|finding| (finding.range, finding.code));
        Ok(report)
    }
}

impl Context<'_> {
    /// Checks a source that holds only definitions, without those of other sources, while its text is in memory. Prepares the
    /// kinds in `demand` for validation. `None` for other sources, and if texts are fixed.
    fn check_definitions(
        &self,
        path: &Path,
        parsed: &Parsed,
        demand: &RequestedKinds,
    ) -> Option<(Definitions, CheckedSource)> {
        if self.args.fix || !Shortcut::SettledDefinitions.is_on() {
            return None;
        }
        let source = Source::from_walk(path.to_owned());
        let settings = self.args.settings_of(&source, &self.projects).ok()?;
        let alone = Surroundings {
            source: definitions::source_name(path).into(),
            stored: self.before.stored_of(&source).ok()?,
            ..Surroundings::default()
        };
        let load = definitions::load_of(path);
        let ide::DefinitionsOnly { file, definitions, comparisons } =
            ide::DefinitionsOnly::of(parsed, &settings, alone, load, &|kind| demand.wants(kind))?;
        let report = self.report(&source, parsed, &file);
        Some((definitions, CheckedSource { report, comparisons }))
    }

    /// The report on a file that is not fixed.
    fn report(&self, source: &Source, parsed: &Parsed, file: &File) -> Report {
        let text = match () {
            () if self.args.fix || source.is_stdin() => parsed.buffer().clone().into(),
            // The report shows no lines of a text without findings.
            () if file.findings().is_empty() => TextBuffer::new("").into(),
            () => self.texts.text(definitions::load_of(&source.path)),
        };
        let coverage = Coverage::of(file, &|| parsed.text().to_owned());
        Report::analysed(source.path.display().to_string(), text, file, coverage, self.form(&source.path))
    }

    /// The parts of a report on a source that the output shows.
    fn form(&self, path: &Path) -> ReportForm<'_> {
        let is_brief = self.args.output == OutputFormat::Human && !self.args.verbose && !self.args.fix;
        // Findings that are reported elsewhere, or are in the baseline, are removed later.
        let loses_none = self.args.gate.baseline.is_none() && !self.origins.owns(path);
        let file = self.order.get(path).filter(|_| is_brief && loses_none);
        let shown_findings = file.map_or(ShownFindings::ALL, |file| self.remarks.of_file(*file));
        let form = self.args.output.form();
        // With `--quiet` nobody reads the groups, and grouping is expensive: it tries repairs.
        let groups = form.groups && !self.args.verbose && !self.args.gate.quiet;
        ReportForm { shown_findings, groups, ..form }
    }

    /// The bytes of a source. The error is for the user.
    fn read(&self, source: &Source, opened: Option<OpenResult<CheckedSource>>) -> Result<Vec<u8>, String> {
        if let Some(fixed) = self.fixed.get(&source.path.display().to_string()) {
            return Ok(fixed.to_string().into_bytes());
        }
        match (opened, &self.stdin) {
            (Some(OpenResult::Read(bytes)), _) => Ok(bytes),
            (_, Some(stdin)) if source.is_stdin() => stdin.clone(),
            _ => read(source).map_err(|error| error.to_string()),
        }
    }

    fn take_opened(&self, source: &Source) -> Option<OpenResult<CheckedSource>> {
        self.opened.remove(&source.path).map(|(_, opened)| opened)
    }

    /// Reads the current definitions into the catalog.
    fn read_definitions(&mut self, sources: &[Source], problems: &mut Vec<String>) {
        let stdin = self.stdin.as_ref().and_then(|stdin| stdin.as_ref().ok());
        let stdin = stdin.and_then(|stdin| str::from_utf8(stdin).ok());
        let settle: OpenFunction<'_, CheckedSource> =
            &|path, parsed, demand| self.check_definitions(path, parsed, demand);
        let (paths, crds) = (&self.args.paths, &self.args.crds);
        let request = DefinitionRequest { sources, paths, stdin, crds, before: &self.before };
        let mut known_definitions = read_definitions(&request, &self.projects, problems, settle);
        for (path, text) in &self.fixed {
            let (source, text) = (definitions::source_name(Path::new(path)), text.to_string());
            let fixed = Definitions::read(&source, &text, Definitions::load_kept(&text));
            known_definitions.definitions.push((source.as_str().into(), fixed));
            known_definitions.opened.remove(Path::new(path));
        }
        let here = std::env::current_dir().map(|here| here.display().to_string());
        let catalog = self.catalog.with(known_definitions.definitions).with_roots(here);
        self.catalog = with_stored(&catalog, &self.before);
        self.opened = known_definitions.opened.into_iter().collect();
    }

    /// Checks all sources again if a fix changed a definition, because the findings of others may depend on it.
    fn check_again(&mut self, sources: &[Source], outcomes: Vec<Outcome>) -> Vec<Outcome> {
        let reports = outcomes.iter().flatten();
        let before: BTreeMap<String, TextBuffer> =
            reports.filter_map(|report| Some((report.path.clone(), report.before.clone()?))).collect();
        if !before.keys().any(|path| self.catalog.of_source(path).is_some()) {
            return outcomes;
        }
        let fixed = outcomes.into_iter().flatten().filter(|report| report.before.is_some());
        self.fixed = fixed.map(|report| (report.path, report.text.get())).collect();
        self.fixes = false;
        // The first call of `read_definitions` reported the problems.
        self.read_definitions(sources, &mut Vec::new());
        let again = check_all(sources, self).into_iter().map(|outcome| {
            outcome.map(|report| match before.get(&report.path) {
                Some(before) => report.fixed_from(before.clone(), !self.args.diff),
                None => report,
            })
        });
        again.collect()
    }
}

/// Checks the paths of the arguments and writes the findings.
pub(crate) fn run(args: &CheckArgs) -> ExitCode {
    let mut problems = Vec::new();
    let before = match StoredState::read(&args.stored, &args.paths, &mut problems) {
        Ok(before) => before,
        Err(problem) => {
            complain(&problem);
            return ExitCode::from(FAILED);
        }
    };
    let projects = match args.gate.projects() {
        Ok(projects) => projects,
        Err(problem) => {
            complain(&problem);
            return ExitCode::from(FAILED);
        }
    };
    let (mut go, paths): (Vec<String>, Vec<String>) =
        args.paths.iter().cloned().partition(|path| is_go_file(Path::new(path)));
    let directories = paths.iter().map(Path::new).filter(|path| path.is_dir());
    let packages = packages_below(directories, &projects);
    go.extend(packages.of_kinds.iter().map(|file| file.display().to_string()));
    let (sources, unwalked) = args.gate.selected_files(&projects).sources(&paths);
    if sources.is_empty() && unwalked.is_empty() && go.is_empty() && !args.gate.force_exclude {
        // A run that checks no file finds nothing; it must not be mistaken for a clean check.
        let places = args.paths.join(", ");
        let go = check_go::why_unchecked(packages.others);
        problems.push(format!("nothing checked: {places} has no YAML or JSON file that is not excluded{go}"));
    }
    problems.extend(unwalked);
    if args.fix && !args.diff {
        recover(&sources, &mut problems);
    }
    let stdin = sources.iter().find(|source| source.is_stdin());
    let stdin = stdin.map(|stdin| read(stdin).map_err(|error| error.to_string()));
    let checked_go_files: HashSet<PathBuf> = go.iter().map(|path| absolute(Path::new(path))).collect();
    let mut origins = Origins::find(&sources, args, &projects);
    let mut of_go =
        check_go::GoCheckResults { in_files: origins.products(), ..check_go::GoCheckResults::default() };
    if args.fix
        && let Err(problem) = origins.fix(&checked_go_files, args, &projects, &mut of_go)
    {
        problems.push(problem);
    }
    let catalog = Catalog::default();
    let (opened, fixed, texts) = (DashMap::new(), BTreeMap::new(), LateTexts::default());
    let order = sources.iter().enumerate().map(|(number, source)| (source.path.clone(), number)).collect();
    let mut context = Context {
        args,
        before,
        projects,
        stdin,
        fixed,
        origins,
        catalog,
        opened,
        texts,
        fixes: args.fix,
        order,
        remarks: Remarks::new(MAX_REMARKS),
    };
    context.read_definitions(&sources, &mut problems);
    if args.explain_definitions {
        return explain_definitions(&sources, &context, &problems);
    }
    let mut outcomes = check_all(&sources, &context);
    if args.fix {
        outcomes = context.check_again(&sources, outcomes);
    }
    if !go.is_empty() {
        // All resources are validated. The catalog is freed now, because the definitions generated from Go take memory as well.
        context.catalog = Catalog::default();
    }
    check_go::check(&go, args, &context.projects, &mut of_go, &mut problems);
    of_go.notes.iter().for_each(|line| remark(line));
    let mut reports = of_go.reports;
    for outcome in outcomes {
        match outcome {
            Ok(report) => reports.push(report),
            Err(problem) => problems.push(problem),
        }
    }
    context.origins.relate(&mut reports, &checked_go_files, args, &context.projects);
    let takes_stdout = args.diff || args.fix && sources.iter().any(Source::is_stdin);
    let known = match baseline::apply(&args.gate, &mut reports) {
        Ok(known) => known,
        Err(problem) => {
            problems.push(problem);
            0
        }
    };
    let stdin =
        sources.iter().find(|source| source.is_stdin()).map(|source| source.path.display().to_string());
    once::collapse(&mut reports);
    // If nothing could be checked, people see only the problems.
    let has_output = !reports.is_empty() || problems.is_empty() || args.output.is_for_machines();
    if has_output
        && let Err(error) = write(args, &reports, known, takes_stdout, stdin.as_deref())
        // A reader that closes the pipe early, as `head` does, is not a failure.
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        problems.push(format!("cannot write the findings: {error}"));
    }
    for problem in &problems {
        complain(problem);
    }
    // The process ends, so freeing the memory of the context would only take time.
    std::mem::forget(context);
    let fails = |report: &Report| {
        (args.diff && report.before.is_some())
            || report.findings.iter().any(|finding| args.fail_on.fails(finding.severity))
    };
    ExitCode::from(if !problems.is_empty() {
        FAILED
    } else if of_go.bad
        || reports.iter().any(fails)
        || args.fail_on_unjudged && Summary::of(&reports).has_gaps()
    {
        FINDINGS
    } else {
        CLEAN
    })
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
            if context.opened.get(&source.path).is_some_and(|opened| matches!(*opened, OpenResult::Done(_))) {
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
    problems.iter().for_each(|problem| complain(problem));
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
        known,
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
                    out.write_all(unified::diff(Path::new(&report.path), &before, &after).as_bytes())?;
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

type Outcome = Result<Report, String>;

/// The outcome for each source, in their order, computed on all processors.
fn check_all(sources: &[Source], context: &Context<'_>) -> Vec<Outcome> {
    let crashed =
        |source: &Source| Err(format!("{}: the check crashed; please report it", source.path.display()));
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(source) = sources.get(at) else { return done };
            let outcome = catch_unwind(AssertUnwindSafe(|| check_one(source, context)));
            done.push((at, outcome.unwrap_or_else(|_| crashed(source))));
        }
    };
    let wanted = thread::available_parallelism().map_or(1, NonZero::get).min(sources.len());
    let done = thread::scope(|scope| {
        let start = |_| thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work);
        let workers: Vec<_> = (0..wanted).filter_map(|at| start(at).ok()).collect();
        if workers.is_empty() {
            work()
        } else {
            workers.into_iter().filter_map(|worker| worker.join().ok()).flatten().collect::<Vec<_>>()
        }
    });
    // A source whose worker panicked keeps this outcome, which reports the crash.
    let mut outcomes: Vec<Outcome> = sources.iter().map(crashed).collect();
    for (at, outcome) in done {
        if let Some(place) = outcomes.get_mut(at) {
            *place = outcome;
        }
    }
    outcomes
}

fn check_one(source: &Source, context: &Context<'_>) -> Outcome {
    let args = context.args;
    let path = source.path.display().to_string();
    let opened = context.take_opened(source);
    if let Some(OpenResult::Done(settled)) = opened {
        return settled.report(&source.path, &context.catalog);
    }
    let (parsed, file) = match analysed(source, opened, context)? {
        Ok(analysed) => analysed,
        Err(mut report) => {
            let rules = context.args.settings_of(source, &context.projects)?.rules;
            report.findings.retain_mut(|finding| rules.admit(finding));
            return Ok(*report);
        }
    };
    // A generated file changes with its source.
    if !context.fixes || context.origins.owns(&source.path) {
        return Ok(context.report(source, &parsed, &file));
    }
    let buffer = parsed.buffer().clone();
    let fixed = fix_all(&file, &buffer);
    if fixed.is_cut {
        complain(&format!(
            "{path}: not all safe fixes were applied within {MAX_ROUNDS} rounds; run --fix again"
        ));
    }
    let changed = fixed.buffer != buffer;
    if changed && !source.is_stdin() && !args.diff {
        replace::replace(&source.path, &buffer.to_string(), &fixed.buffer.to_string())
            .map_err(|error| format!("{path}: cannot write the fixes: {error}"))?;
    }
    let coverage = Coverage::of(&fixed.file, &|| fixed.buffer.to_string());
    let report =
        Report::analysed(path, fixed.buffer.into(), &fixed.file, coverage, context.form(&source.path));
    Ok(if changed { report.fixed_from(buffer, !args.diff) } else { report })
}

/// The analysis of a source, or a report with the reason why there is none.
fn analysed(
    source: &Source,
    opened: Option<OpenResult<CheckedSource>>,
    context: &Context<'_>,
) -> Result<Result<(Parsed, File), Box<Report>>, String> {
    let parsed = match opened {
        Some(OpenResult::Parsed(parsed)) => parsed,
        opened => match text_to_check(source, opened, context)? {
            Ok(text) => Parsed::new(text),
            Err(report) => return Ok(Err(report)),
        },
    };
    let settings = context.args.settings_of(source, &context.projects)?;
    let surroundings = Surroundings {
        catalog: context.catalog.clone(),
        source: definitions::source_name(&source.path).into(),
        stored: context.before.stored_of(source)?,
        base: None,
    };
    let file = File::of(&parsed, &settings, surroundings);
    Ok(Ok((parsed, file)))
}

/// The text of a source, or a report with the reason why there is none.
fn text_to_check(
    source: &Source,
    opened: Option<OpenResult<CheckedSource>>,
    context: &Context<'_>,
) -> Result<Result<String, Box<Report>>, String> {
    let path = source.path.display().to_string();
    let bytes = match context.read(source, opened) {
        // The file was removed after the walk.
        Err(_) if !source.named && !source.path.exists() => {
            return Ok(Err(Box::new(Report::deleted(path))));
        }
        read => read.map_err(|error| format!("{path}: {error}"))?,
    };
    // A walk may find any kind of file; a file that the user names should be readable.
    let severity = if source.named { Severity::Error } else { Severity::Warning };
    if bytes.len() > MAX_BYTES {
        return Ok(Err(Box::new(Report::unanalysed(path, "", vec![too_large(severity)]))));
    }
    if bytes.iter().take(BINARY_PROBE).any(|byte| *byte == 0) {
        let finding = not_utf8(severity, true, TextRange::default());
        return Ok(Err(Box::new(Report::unanalysed(path, "", vec![finding]))));
    }
    Ok(String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        Box::new(undecodable(path, error.as_bytes(), valid, severity))
    }))
}
