//! The state of a run of `crd-ls check`.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use answers::remarks::{Remarks, ShownFindings};
use dashmap::DashMap;
use ide::{Catalog, Comparisons, Definitions, File, ParsedText, Surroundings};
use text::{Shortcut, TextBuffer};

use super::sources::{Outcome, check_all};
use crate::args::{CheckArgs, OutputFormat};
use crate::cli::go_sources::Origins;
use crate::cli::input::read;
use crate::cli::known_definitions::{DefinitionRequest, read_definitions, with_stored};
use crate::cli::old_objects::StoredState;
use crate::cli::walk::Source;
use crate::config::Projects;
use crate::definitions;
use crate::guarded_files;
use crate::limits::MAX_BYTES;
use crate::opened_files::{OpenFunction, OpenResult, RequestedKinds};
use crate::output::MAX_REMARKS;
use crate::report::{Coverage, LateTexts, Report, ReportForm};

/// The state that the checks of all files share.
pub(super) struct Context<'a> {
    pub(super) args: &'a CheckArgs,
    /// The stored definitions and resources of `--old` or `--base`.
    pub(super) stored_state: StoredState,
    pub(super) projects: Projects,
    /// The bytes from stdin, if it is checked: it can be read only once.
    pub(super) stdin: Option<Result<Vec<u8>, String>>,
    /// The texts that `--fix` changed, by path.
    pub(super) fixed: BTreeMap<String, TextBuffer>,
    /// The sources that are generated from Go.
    pub(super) origins: Origins,
    /// The definitions that resources are checked against.
    pub(super) catalog: Catalog,
    /// The opened sources. Each is taken out when it is checked, so that not all syntax trees stay in memory until the end.
    pub(super) sources: DashMap<PathBuf, OpenResult<CheckedSource>>,
    /// Reads texts again for the lines that reports show.
    pub(super) texts: LateTexts,
    /// Whether safe fixes are applied.
    pub(super) fixes: bool,
    /// The position of each source in the order of the reports.
    pub(super) order: HashMap<PathBuf, usize>,
    /// Which remarks are shown.
    pub(super) remarks: Remarks,
}

/// A source that holds only definitions, and was checked when it was read.
pub(super) struct CheckedSource {
    report: Report,
    /// The comparisons with definitions of other sources, which may add findings later.
    comparisons: Comparisons,
}

impl CheckedSource {
    /// The report on the source, once the definitions in `catalog` are known.
    pub(super) fn report(self, path: &Path, catalog: &Catalog) -> Outcome {
        let rivals = self.comparisons.findings(catalog);
        let mut report = self.report;
        if rivals.is_empty() {
            return Ok(report);
        }
        if report.findings.is_empty() {
            let bytes = guarded_files::regular(path, MAX_BYTES)
                .map_err(|error| format!("{}: {error}", path.display()))?;
            report.text = TextBuffer::new(&String::from_utf8_lossy(&bytes)).into();
        }
        report.findings.extend(rivals);
        report.findings.sort_by_key(|finding| (finding.range, finding.code));
        Ok(report)
    }
}

impl<'a> Context<'a> {
    /// The context before any definition is read.
    pub(super) fn new(
        args: &'a CheckArgs,
        (stored_state, projects): (StoredState, Projects),
        origins: Origins,
        stdin: Option<Result<Vec<u8>, String>>,
        sources: &[Source],
    ) -> Self {
        let order =
            sources.iter().enumerate().map(|(number, source)| (source.path.clone(), number)).collect();
        Self {
            args,
            stored_state,
            projects,
            stdin,
            fixed: BTreeMap::new(),
            origins,
            catalog: Catalog::default(),
            sources: DashMap::new(),
            texts: LateTexts::default(),
            fixes: args.fix,
            order,
            remarks: Remarks::new(MAX_REMARKS),
        }
    }
}

impl Context<'_> {
    /// Checks a source that holds only definitions, without those of other sources, while its text is in memory. Prepares the
    /// kinds in `demand` for validation. `None` for other sources, and if texts are fixed.
    fn check_definitions(
        &self,
        path: &Path,
        parsed: &ParsedText,
        demand: &RequestedKinds,
    ) -> Option<(Definitions, CheckedSource)> {
        if self.args.fix || !Shortcut::SettledDefinitions.is_on() {
            return None;
        }
        let source = Source::from_walk(path.to_owned());
        let settings = self.args.settings_of(&source, &self.projects).ok()?;
        let alone = Surroundings {
            source: definitions::source_name(path).into(),
            stored: self.stored_state.stored_of(&source).ok()?,
            ..Surroundings::default()
        };
        let load = definitions::load_of(path);
        let ide::DefinitionsOnly { file, definitions, comparisons } =
            ide::DefinitionsOnly::of(parsed, &settings, alone, load, &|kind| demand.wants(kind))?;
        let report = self.report(&source, parsed, &file);
        Some((definitions, CheckedSource { report, comparisons }))
    }

    /// The report on a file that is not fixed.
    pub(super) fn report(&self, source: &Source, parsed: &ParsedText, file: &File) -> Report {
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
    pub(super) fn form(&self, path: &Path) -> ReportForm<'_> {
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
    pub(super) fn read(
        &self,
        source: &Source,
        opened: Option<OpenResult<CheckedSource>>,
    ) -> Result<Vec<u8>, String> {
        if let Some(fixed) = self.fixed.get(&source.path.display().to_string()) {
            return Ok(fixed.to_string().into_bytes());
        }
        match (opened, &self.stdin) {
            (Some(OpenResult::Read(bytes)), _) => Ok(bytes),
            (_, Some(stdin)) if source.is_stdin() => stdin.clone(),
            _ => read(source).map_err(|error| error.to_string()),
        }
    }

    pub(super) fn take_opened(&self, source: &Source) -> Option<OpenResult<CheckedSource>> {
        self.sources.remove(&source.path).map(|(_, opened)| opened)
    }

    /// Reads the current definitions into the catalog.
    pub(super) fn read_definitions(&mut self, sources: &[Source], problems: &mut Vec<String>) {
        let stdin = self.stdin.as_ref().and_then(|stdin| stdin.as_ref().ok());
        let stdin = stdin.and_then(|stdin| str::from_utf8(stdin).ok());
        let settle: OpenFunction<'_, CheckedSource> =
            &|path, parsed, demand| self.check_definitions(path, parsed, demand);
        let (paths, crds) = (&self.args.paths, &self.args.crds);
        let request = DefinitionRequest { sources, paths, stdin, crds, stored_state: &self.stored_state };
        let mut known_definitions = read_definitions(&request, &self.projects, problems, settle);
        for (path, text) in &self.fixed {
            let (source, text) = (definitions::source_name(Path::new(path)), text.to_string());
            let fixed = Definitions::read(&source, &text, Definitions::load_kept(&text));
            known_definitions.definitions.push((source.as_str().into(), fixed));
            known_definitions.sources.remove(Path::new(path));
        }
        let here = std::env::current_dir().map(|here| here.display().to_string());
        let catalog = self.catalog.with(known_definitions.definitions).with_roots(here);
        self.catalog = with_stored(&catalog, &self.stored_state);
        self.sources = known_definitions.sources.into_iter().collect();
    }

    /// Checks all sources again if a fix changed a definition, because the findings of others may depend on it.
    pub(super) fn check_again(&mut self, sources: &[Source], outcomes: Vec<Outcome>) -> Vec<Outcome> {
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
