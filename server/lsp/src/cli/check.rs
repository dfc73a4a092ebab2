//! `crd-ls check`.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::{self, Read, Write};
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use ide::{
    Catalog, Comparisons, Definitions, File, Finding, Fix, KubernetesVersion, Naming, Parsed, Settings,
    Severity, Surroundings,
};
use text::{TextBuffer, TextRange, TextSize};

use super::before::Before;
use super::walk::Source;
use super::{CLEAN, CheckArgs, FAILED, FINDINGS, OutputFormat, baseline, explain, once, unified};
use crate::analyse::{FileFixes, MAX_ROUNDS, fix_all};
use crate::config::{Choices, Project, Projects};
use crate::definitions::{self, Place};
use crate::guarded;
use crate::kinds::Kinds;
use crate::limits::{BINARY_PROBE, MAX_BYTES, STACK_BYTES, not_utf8, too_large};
use crate::opened::{AllOpened, Open, Opened, open_all};
use crate::output::{self, Coverage, Options, Summary};
use crate::replace;
use crate::walk::absolute;

/// What there is to say about one file.
#[derive(Clone, Debug)]
pub(crate) struct Report {
    /// As the user wrote it, or found below a directory.
    pub(crate) path: String,
    pub(crate) buffer: TextBuffer,
    pub(crate) findings: Vec<Finding>,
    /// What was checked of it.
    pub(crate) coverage: Coverage,
    /// Whether the file was written with its fixes.
    pub(crate) fixed: bool,
    /// The text before fixes, if they changed it.
    before: Option<TextBuffer>,
    /// Whether the text could be analysed.
    analysed: bool,
    /// Whether what all resources of a kind have may be told of another one.
    pub(super) is_brief: bool,
    /// Empty where nobody is told of fixes.
    fixes: FileFixes,
}

impl Report {
    /// The fixes that repair this finding.
    pub(crate) fn fixes(&self, finding: &Finding) -> impl ExactSizeIterator<Item = &Fix> {
        self.fix_numbers(finding)
            .iter()
            .filter_map(|number| self.all_fixes().get(*number))
            .collect::<Vec<_>>()
            .into_iter()
    }

    /// The fixes for all its findings, each once.
    pub(crate) fn all_fixes(&self) -> &[Fix] {
        self.fixes.all()
    }

    /// Whether there may be others, which are not offered as nobody has proven them.
    pub(crate) const fn lacks_fixes(&self) -> bool {
        self.fixes.is_cut()
    }

    /// Which of [`Self::all_fixes`] repair this finding, best first.
    pub(crate) fn fix_numbers(&self, finding: &Finding) -> &[usize] {
        self.fixes.numbers(finding)
    }

    /// A report on a text without an analysis, with the findings that say why.
    pub(crate) fn unanalysed(path: String, text: &str, findings: Vec<Finding>) -> Self {
        let (buffer, fixes) = (TextBuffer::new(text), FileFixes::default());
        let coverage = Coverage::unreadable();
        Self {
            path,
            buffer,
            findings,
            coverage,
            fixed: false,
            before: None,
            analysed: false,
            is_brief: false,
            fixes,
        }
    }

    #[cfg(test)]
    pub(crate) fn with_fixes(self, fixes: Vec<Fix>) -> Self {
        Self { fixes: FileFixes::new(fixes), ..self }
    }

    /// A report on a file that is gone.
    fn gone(path: String) -> Self {
        Self { coverage: Coverage::default(), ..Self::unanalysed(path, "", Vec::new()) }
    }

    fn analysed(
        path: String,
        buffer: TextBuffer,
        file: &File,
        coverage: Coverage,
        output: OutputFormat,
    ) -> Self {
        let fixes = if output.tells_fixes() { FileFixes::of(file, &buffer) } else { FileFixes::default() };
        // Scripts see all.
        let is_script = output == OutputFormat::Json;
        let findings = if is_script { file.findings().to_vec() } else { file.brief() };
        let is_brief = !is_script && !file.settings().rules.asks_for(once::ONCE);
        Self { path, buffer, findings, coverage, fixed: false, before: None, analysed: true, is_brief, fixes }
    }

    fn fixed_from(self, before: TextBuffer, args: &CheckArgs) -> Self {
        Self { fixed: !args.diff, before: Some(before), ..self }
    }
}

/// What all files are checked with.
struct Context<'a> {
    args: &'a CheckArgs,
    /// What `--old` or `--base` names.
    before: Before,
    projects: Projects,
    /// What came from stdin, if that is checked: it can be read only once.
    stdin: Option<Result<Vec<u8>, String>>,
    /// What `--fix` made of texts, by path.
    fixed: BTreeMap<String, TextBuffer>,
    /// The definitions that resources are checked against.
    catalog: Catalog,
    /// What is known of sources.
    opened: HashMap<PathBuf, Opened<Settled>>,
    /// Whether safe fixes are applied.
    fixes: bool,
}

/// A source of nothing but definitions, which was checked when it was read.
struct Settled {
    report: Report,
    /// What may still be told of it.
    comparisons: Comparisons,
}

impl Settled {
    /// What there is to say of it where the definitions in `catalog` are known.
    fn report(&self, path: &Path, catalog: &Catalog) -> Outcome {
        let rivals = self.comparisons.findings(catalog);
        let mut report = self.report.clone();
        if rivals.is_empty() {
            return Ok(report);
        }
        if report.findings.is_empty() {
            let bytes =
                guarded::regular(path, MAX_BYTES).map_err(|error| format!("{}: {error}", path.display()))?;
            report.buffer = TextBuffer::new(&String::from_utf8_lossy(&bytes));
        }
        report.findings.extend(rivals);
        report.findings.sort_by(|one, other| (one.range, one.code).cmp(&(other.range, other.code)));
        Ok(report)
    }
}

impl Context<'_> {
    /// Checks a source of nothing but definitions without those of others, as its text is at hand; for the `kinds` of
    /// which there are objects it is made ready to judge. None for other sources, and where texts are to be fixed.
    fn settle(&self, path: &Path, parsed: &Parsed, kinds: &Kinds) -> Option<(Definitions, Settled)> {
        if self.args.fix {
            return None;
        }
        let source = Source::found(path.to_owned());
        let settings = self.settings_of(&source).ok()?;
        let alone = Surroundings {
            source: definitions::source_name(path).into(),
            stored: self.before.of(&source).ok()?,
            ..Surroundings::default()
        };
        let load = definitions::load_of(path);
        let ide::Settled { file, definitions, comparisons } =
            ide::Settled::of(parsed, &settings, alone, load, &|kind| kinds.may_hold(kind))?;
        let report = self.report(path.display().to_string(), parsed, &file);
        Some((definitions, Settled { report, comparisons }))
    }

    /// What to say of a file that is not fixed.
    fn report(&self, path: String, parsed: &Parsed, file: &File) -> Report {
        // Nothing is shown of a text without findings, and most have none, unless it was written anew.
        let is_shown = self.args.fix || !file.findings().is_empty();
        let buffer = if is_shown { parsed.buffer().clone() } else { TextBuffer::new("") };
        let coverage = Coverage::of(file, &|| parsed.text().to_owned());
        Report::analysed(path, buffer, file, coverage, self.args.output)
    }

    /// The bytes of a source. The error is for the user.
    fn read(&self, source: &Source) -> Result<Vec<u8>, String> {
        if let Some(fixed) = self.fixed.get(&source.path.display().to_string()) {
            return Ok(fixed.to_string().into_bytes());
        }
        match (self.opened.get(&source.path), &self.stdin) {
            (Some(Opened::Read(bytes)), _) => Ok(bytes.clone()),
            (_, Some(stdin)) if source.is_stdin() => stdin.clone(),
            _ => read(source).map_err(|error| error.to_string()),
        }
    }

    fn settings_of(&self, source: &Source) -> Result<Settings, String> {
        let mut choices = Choices::of_version(self.args.kubernetes_version);
        choices.adopt(self.args.gate.choices());
        let mut settings = settings_with(source, choices, &self.projects)?;
        if let Some(validation) = self.args.field_validation {
            settings.field_validation = validation.into();
        }
        // A report is about the whole project: one place is enough.
        settings.tells_each_rival = false;
        Ok(settings)
    }

    /// Takes in the definitions as they are now.
    fn learn(&mut self, sources: &[Source], problems: &mut Vec<String>) {
        let stdin = self.stdin.as_ref().and_then(|stdin| stdin.as_ref().ok());
        let stdin = stdin.and_then(|stdin| str::from_utf8(stdin).ok());
        let settle: Open<'_, Settled> = &|path, parsed, kinds| self.settle(path, parsed, kinds);
        let mut learned = learn(sources, stdin, &self.args.crds, &self.projects, problems, settle);
        for (path, text) in &self.fixed {
            let (source, text) = (definitions::source_name(Path::new(path)), text.to_string());
            let fixed = Definitions::read(&source, &text, Definitions::held(&text));
            learned.definitions.push((source.as_str().into(), fixed));
            learned.opened.remove(Path::new(path));
        }
        let here = std::env::current_dir().map(|here| here.display().to_string());
        let catalog = self.catalog.with(learned.definitions).shown_from(here);
        self.catalog = with_stored(&catalog, &self.before);
        self.opened = learned.opened;
    }

    /// Checks all again, if a fix has changed a definition that others may rest on.
    fn check_again(&mut self, sources: &[Source], outcomes: Vec<Outcome>) -> Vec<Outcome> {
        let reports = outcomes.iter().flatten();
        let before: BTreeMap<String, TextBuffer> =
            reports.filter_map(|report| Some((report.path.clone(), report.before.clone()?))).collect();
        if !before.keys().any(|path| self.catalog.of_source(path).is_some()) {
            return outcomes;
        }
        let fixed = outcomes.into_iter().flatten().filter(|report| report.before.is_some());
        self.fixed = fixed.map(|report| (report.path, report.buffer)).collect();
        self.fixes = false;
        // What is wrong was told the first time.
        self.learn(sources, &mut Vec::new());
        let again = check_all(sources, self).into_iter().map(|outcome| {
            outcome.map(|report| match before.get(&report.path) {
                Some(before) => report.fixed_from(before.clone(), self.args),
                None => report,
            })
        });
        again.collect()
    }
}

/// What is known before all is checked.
pub(super) struct Learned<T> {
    pub(super) definitions: Vec<(Arc<str>, Option<Definitions>)>,
    opened: HashMap<PathBuf, Opened<T>>,
}

/// The definitions in `sources`, in what `crds` names, and in what the projects of the sources name, and what `settle`
/// makes of sources. What is wrong with these is told when they are checked.
pub(super) fn learn<T: Send>(
    sources: &[Source],
    stdin: Option<&str>,
    crds: &[String],
    projects: &Projects,
    problems: &mut Vec<String>,
    settle: Open<'_, T>,
) -> Learned<T> {
    let files: Vec<PathBuf> =
        sources.iter().filter(|source| !source.is_stdin()).map(|source| source.path.clone()).collect();
    projects.meet(files.iter().map(PathBuf::as_path));
    let AllOpened { definitions: mut all, files: opened } = open_all(&files, settle);
    let stdin = sources.iter().find(|source| source.is_stdin()).zip(stdin);
    all.extend(stdin.and_then(|(source, text)| {
        Definitions::read(&definitions::source_name(&source.path), text, Definitions::held(text))
    }));
    let mut places: Vec<Place> = Vec::new();
    for path in crds {
        match Place::new(Path::new(""), path) {
            Ok(place) if place.exists() => places.push(place),
            Ok(_) => problems.push(format!("--crd: {path}: there is no such file or directory")),
            Err(problem) => problems.push(format!("--crd: {problem}")),
        }
    }
    let directories: BTreeSet<&Path> = sources.iter().filter_map(|source| source.path.parent()).collect();
    let homes = directories.into_iter().map(|directory| absolute(&directory.join("-")));
    let of_sources: BTreeMap<PathBuf, Project> = homes
        .map(|path| projects.of(&path))
        .filter_map(|project| Some((project.home.clone()?, project)))
        .collect();
    for project in of_sources.values() {
        let (of_project, wrong) = project.places();
        places.extend(of_project);
        problems.extend(wrong);
    }
    name_all(&mut all, &places);
    let named = |definitions: Definitions| (Arc::clone(definitions.source()), Some(definitions));
    Learned { definitions: all.into_iter().map(named).collect(), opened }
}

/// Adds the definitions in `places` to `all`. They are named, and so are those of `all` that lie there.
fn name_all(all: &mut Vec<Definitions>, places: &[Place]) {
    if places.is_empty() {
        return;
    }
    let here = std::env::current_dir().unwrap_or_default();
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let known = all.iter().enumerate().map(|(at, one)| (real(Path::new(&**one.source())), at));
    let known: HashMap<PathBuf, usize> = known.collect();
    // A file may be named in several ways; it is read once.
    let mut further: BTreeMap<PathBuf, (PathBuf, Naming)> = BTreeMap::new();
    for place in places {
        let (files, unwalked) = place.files();
        unwalked.iter().for_each(|problem| complain(problem));
        for file in files {
            let real = real(&file);
            if let Some(own) = known.get(&real).and_then(|at| all.get_mut(*at)) {
                *own = own.clone().named(own.naming().and(&place.naming));
                continue;
            }
            let shown = file.strip_prefix(&here).unwrap_or(&file).to_owned();
            let (_, naming) = further.entry(real).or_insert_with(|| (shown, Naming::default()));
            *naming = naming.and(&place.naming).alone();
        }
    }
    let named: BTreeMap<PathBuf, Naming> = further.into_values().collect();
    let files: Vec<PathBuf> = named.keys().cloned().collect();
    let found = definitions::of_all(&files).naming(&named);
    found.problems.iter().for_each(|problem| complain(problem));
    all.extend(found.definitions);
}

/// The catalog with the stored definitions of sources that it does not know.
pub(super) fn with_stored(catalog: &Catalog, before: &Before) -> Catalog {
    let unknown = before.definitions().filter(|one| catalog.of_source(one.source()).is_none());
    catalog.with(unknown.map(|one| (Arc::clone(one.source()), Some(one.clone()))).collect::<Vec<_>>())
}

/// Checks what the arguments name and writes the findings.
pub(crate) fn run(args: &CheckArgs) -> ExitCode {
    let mut problems = Vec::new();
    let before = match Before::read(&args.stored, &args.paths, &mut problems) {
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
    let (sources, unwalked) = args.gate.wanted(&projects).sources(&args.paths);
    if sources.is_empty() && unwalked.is_empty() && !args.gate.force_exclude {
        // Where nothing was looked at, nothing was found either: that must not pass for a clean check.
        let places = args.paths.join(", ");
        problems.push(format!("nothing checked: {places} has no YAML or JSON file that is not excluded"));
    }
    problems.extend(unwalked);
    if args.fix && !args.diff {
        recover(&sources, &mut problems);
    }
    let stdin = sources.iter().find(|source| source.is_stdin());
    let stdin = stdin.map(|stdin| read(stdin).map_err(|error| error.to_string()));
    let catalog = Catalog::default();
    let (opened, fixed) = (HashMap::new(), BTreeMap::new());
    let mut context = Context { args, before, projects, stdin, fixed, catalog, opened, fixes: args.fix };
    context.learn(&sources, &mut problems);
    if args.explain_definitions {
        return explain_definitions(&sources, &context, &problems);
    }
    let mut outcomes = check_all(&sources, &context);
    if args.fix {
        outcomes = context.check_again(&sources, outcomes);
    }
    let mut reports = Vec::with_capacity(sources.len());
    for outcome in outcomes {
        match outcome {
            Ok(report) => reports.push(report),
            Err(problem) => problems.push(problem),
        }
    }
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
    // Where nothing could be checked, what is wrong is all that there is to say to a person.
    let is_told = !reports.is_empty() || problems.is_empty() || args.output.is_for_machines();
    if is_told
        && let Err(error) = write(args, &reports, known, takes_stdout, stdin.as_deref())
        // A reader that has seen enough, as `head`, is no failure.
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        problems.push(format!("cannot write the findings: {error}"));
    }
    for problem in &problems {
        complain(problem);
    }
    // The process ends: what it holds need not be taken apart.
    std::mem::forget(context);
    let fails = |report: &Report| {
        (args.diff && report.before.is_some())
            || report.findings.iter().any(|finding| args.fail_on.fails(finding.severity))
    };
    ExitCode::from(if !problems.is_empty() {
        FAILED
    } else if reports.iter().any(fails) || args.fail_on_unjudged && Summary::of(&reports).has_gaps() {
        FINDINGS
    } else {
        CLEAN
    })
}

/// Ends what runs that were interrupted had begun.
pub(super) fn recover(sources: &[Source], problems: &mut Vec<String>) {
    for source in sources.iter().filter(|source| !source.is_stdin()) {
        if let Err(error) = replace::recover(&source.path) {
            problems.push(format!("{}: an earlier run was interrupted: {error}", source.path.display()));
        }
    }
}

/// Writes which definitions judge which resources.
fn explain_definitions(sources: &[Source], context: &Context<'_>, problems: &[String]) -> ExitCode {
    let format = context.args.output;
    let mut problems = problems.to_vec();
    if !matches!(format, OutputFormat::Human | OutputFormat::Json) {
        problems.push("--explain-definitions is written as human or json".to_owned());
    } else {
        let mut choices = Vec::new();
        for source in sources {
            // One that was checked when it was read holds no resources.
            if matches!(context.opened.get(&source.path), Some(Opened::Done(_))) {
                continue;
            }
            match analysed(source, context) {
                Ok(Ok((_, file))) => choices.extend(file.choices()),
                // What is no text is told by the check.
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

/// Writes the findings, to stderr where stdout is for what fixes make of the texts.
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
                    write!(out, "{}", report.buffer)?
                }
                Some(before) if args.diff => {
                    let (before, after) = (before.to_string(), report.buffer.to_string());
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

/// The text of a source. The error is for the user, and names the source.
pub(super) fn text_of(source: &Source) -> Result<String, String> {
    let path = source.path.display();
    let bytes = read(source).map_err(|error| format!("{path}: {error}"))?;
    if bytes.len() > MAX_BYTES {
        return Err(format!("{path}: the file is too large to be read"));
    }
    String::from_utf8(bytes).map_err(|_| format!("{path}: the file is not UTF-8"))
}

/// Tells the user on stderr why something was not checked.
pub(super) fn complain(problem: &str) {
    remark(&format!("crd-ls: {problem}"));
}

/// Writes a line to stderr.
pub(super) fn remark(line: &str) {
    // Nobody is left to tell when stderr is closed; the exit status says what matters.
    let _ = writeln!(io::stderr(), "{line}");
}

type Outcome = Result<Report, String>;

/// One outcome for each source, in their order, worked out on all processors.
fn check_all(sources: &[Source], context: &Context<'_>) -> Vec<Outcome> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(source) = sources.get(at) else { return done };
            let outcome = catch_unwind(AssertUnwindSafe(|| check_one(source, context)));
            let crashed = |_| Err(format!("{}: the check crashed; please report it", source.path.display()));
            done.push((at, outcome.unwrap_or_else(crashed)));
        }
    };
    let wanted = thread::available_parallelism().map_or(1, NonZero::get).min(sources.len());
    let mut outcomes = thread::scope(|scope| {
        let start = |_| thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work);
        let workers: Vec<_> = (0..wanted).filter_map(|at| start(at).ok()).collect();
        if workers.is_empty() {
            work()
        } else {
            workers.into_iter().flat_map(|w| w.join().unwrap_or_default()).collect()
        }
    });
    outcomes.sort_by_key(|(at, _)| *at);
    outcomes.into_iter().map(|(_, outcome)| outcome).collect()
}

fn check_one(source: &Source, context: &Context<'_>) -> Outcome {
    let args = context.args;
    let path = source.path.display().to_string();
    if let Some(Opened::Done(settled)) = context.opened.get(&source.path) {
        return settled.report(&source.path, &context.catalog);
    }
    let (parsed, file) = match analysed(source, context)? {
        Ok(analysed) => analysed,
        Err(mut report) => {
            let rules = context.settings_of(source)?.rules;
            report.findings.retain_mut(|finding| rules.admit(finding));
            return Ok(*report);
        }
    };
    if !context.fixes {
        return Ok(context.report(path, &parsed, &file));
    }
    let buffer = parsed.buffer().clone();
    let fixed = fix_all(&file, &buffer);
    if fixed.is_cut {
        complain(&format!(
            "{path}: safe fixes are left after {MAX_ROUNDS} rounds, or as many proofs as its size allows; run --fix again"
        ));
    }
    let changed = fixed.buffer != buffer;
    if changed && !source.is_stdin() && !args.diff {
        replace::replace(&source.path, &buffer.to_string(), &fixed.buffer.to_string())
            .map_err(|error| format!("{path}: cannot write the fixes: {error}"))?;
    }
    let coverage = Coverage::of(&fixed.file, &|| fixed.buffer.to_string());
    let report = Report::analysed(path, fixed.buffer, &fixed.file, coverage, args.output);
    Ok(if changed { report.fixed_from(buffer, args) } else { report })
}

/// The analysis of a source, or why there is none, as a report.
fn analysed(source: &Source, context: &Context<'_>) -> Result<Result<(Parsed, File), Box<Report>>, String> {
    let parsed = match context.opened.get(&source.path) {
        Some(Opened::Parsed(parsed)) => parsed.clone(),
        _ => match text_to_check(source, context)? {
            Ok(text) => Parsed::new(text),
            Err(report) => return Ok(Err(report)),
        },
    };
    let settings = context.settings_of(source)?;
    let surroundings = Surroundings {
        catalog: context.catalog.clone(),
        source: definitions::source_name(&source.path).into(),
        stored: context.before.of(source)?,
        base: None,
    };
    let file = File::of(&parsed, &settings, surroundings);
    Ok(Ok((parsed, file)))
}

/// The text of a source, or why there is none, as a report.
fn text_to_check(source: &Source, context: &Context<'_>) -> Result<Result<String, Box<Report>>, String> {
    let path = source.path.display().to_string();
    let bytes = match context.read(source) {
        // Removed since the walk.
        Err(_) if !source.named && !source.path.exists() => {
            return Ok(Err(Box::new(Report::gone(path))));
        }
        read => read.map_err(|error| format!("{path}: {error}"))?,
    };
    // What a walk comes upon may be anything; what the user names ought to be readable.
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

/// The settings for a file: the command line goes before its project's.
pub(super) fn settings_of(
    source: &Source,
    kubernetes_version: Option<KubernetesVersion>,
    projects: &Projects,
) -> Result<Settings, String> {
    settings_with(source, Choices::of_version(kubernetes_version), projects)
}

/// The settings for a file: what is `chosen` goes before its project's.
fn settings_with(source: &Source, chosen: Choices, projects: &Projects) -> Result<Settings, String> {
    // What comes from stdin without a name belongs to the directory that the command runs in.
    let path = absolute(&source.path);
    let project = projects.of(&path);
    if let Some(problem) = project.problem {
        return Err(problem);
    }
    let mut settings = Settings::default();
    let mut choices = Choices::clone(&project.choices_of(&path));
    choices.adopt(chosen);
    choices.apply(&mut settings);
    Ok(projects.settings_of(&path, settings))
}

pub(super) fn read(source: &Source) -> io::Result<Vec<u8>> {
    if !source.is_stdin() {
        let read = if source.named { guarded::named } else { guarded::found };
        return read(&source.path, MAX_BYTES);
    }
    let mut bytes = Vec::new();
    io::stdin().lock().take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The text up to the first byte that is not UTF-8, and a finding there.
fn undecodable(path: String, bytes: &[u8], valid: usize, severity: Severity) -> Report {
    let readable = bytes.get(..valid).and_then(|bytes| str::from_utf8(bytes).ok()).unwrap_or_default();
    let finding = not_utf8(severity, false, TextRange::empty(readable.len() as TextSize));
    Report::unanalysed(path, readable, vec![finding])
}
