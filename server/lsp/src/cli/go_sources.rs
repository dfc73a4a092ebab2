//! Definitions that controller-gen wrote from Go packages of the repository: their findings name the place in Go, their fixes
//! change Go, and a definition that is older than its types has a single finding.

use std::cell::LazyCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use go::discover::{Call, CallPlace};
use go::version::Version;
use ide::{Finding, Settings};
use text::TextBuffer;

use super::check_go::{self, GoCheckResults};
use super::walk::Source;
use crate::args::CheckArgs;
use crate::config::Projects;
use crate::generated_definitions::{
    FindingOrigins, GeneratedDefinitions, GoLocator, HEAD_BYTES, Provenance, add_stale, document_at,
    documents, has_all_versions, is_of_later_step, is_written,
};
use crate::go_package::{GoPackage, RepositoryGroups, Texts, calls_for};
use crate::guarded_files;
use crate::limits::MAX_BYTES;
use crate::paths::absolute;
use crate::replace::replace;
use crate::report::Report;

/// The generated files, and the packages from which they are generated.
#[derive(Debug, Default)]
pub(super) struct Origins {
    packages: Vec<Packages>,
    /// The definitions of each file.
    files: BTreeMap<PathBuf, Vec<Definition>>,
    /// The files whose definitions are not generated, each with a Go file of its packages that has a syntax error.
    broken: BTreeMap<PathBuf, PathBuf>,
}

/// The packages of a call.
#[derive(Debug)]
struct Packages {
    package: GoPackage,
    settings: Settings,
    /// The definitions that are generated from them, not analysed.
    generated: GeneratedDefinitions,
}

/// A definition in a file.
#[derive(Debug)]
struct Definition {
    /// The index of the packages that generate it.
    packages: usize,
    /// The name of the file that controller-gen writes.
    product: String,
    /// The index of its document in the file.
    document: usize,
    /// Whether the file is a copy of what controller-gen writes.
    is_copy: bool,
}

impl Origins {
    /// Finds the Go packages of the sources that controller-gen wrote.
    pub(super) fn find(sources: &[Source], args: &CheckArgs, projects: &Projects) -> Self {
        let mut origins = Self::default();
        let declared = RepositoryGroups::default();
        let mut calls: BTreeMap<PathBuf, Vec<Call>> = BTreeMap::new();
        let mut known: BTreeMap<(PathBuf, CallPlace, Version), Option<usize>> = BTreeMap::new();
        for source in sources.iter().filter(|source| !source.is_stdin() && may_be_written(&source.path)) {
            let file = absolute(&source.path);
            let Some(folder) = file.parent() else { continue };
            let calls = calls.entry(folder.to_owned()).or_insert_with(|| calls_for(folder, projects));
            let may_be_generated = !calls.is_empty() || declared.has_any(folder);
            let Some(text) = may_be_generated.then(|| text_of(&source.path)).flatten() else { continue };
            let (mut found, mut broken) = (Vec::new(), None);
            let bounds = documents(&text);
            for written in Provenance::all(&text) {
                let Provenance { product, group, version, document, .. } = &written;
                let made = written.regenerate(
                    &file,
                    calls,
                    || declared.calls(folder, group, projects),
                    |call| {
                        let key = (call.file.clone(), call.place, *version);
                        let at =
                            known.entry(key).or_insert_with(|| origins.add(call, *version, args, projects));
                        let at = (*at)?;
                        let generated = &origins.packages.get(at)?.generated;
                        let made = generated.text_of(product);
                        let is_whole = || {
                            let document = bounds.get(*document).and_then(|bytes| text.get(bytes.clone()));
                            made.zip(document)
                                .is_some_and(|(made, document)| has_all_versions(made, document))
                        };
                        broken = broken.take().or_else(|| broken_source(generated).filter(|_| !is_whole()));
                        made.map(|_| at)
                    },
                );
                if let Some((packages, is_copy)) = made {
                    let (product, document) = (product.clone(), *document);
                    found.push(Definition { packages, product, document, is_copy });
                }
            }
            if let Some(broken) = broken {
                origins.broken.insert(source.path.clone(), broken);
            }
            if !found.is_empty() {
                origins.files.insert(source.path.clone(), found);
            }
        }
        origins
    }

    fn add(&mut self, call: &Call, version: Version, args: &CheckArgs, projects: &Projects) -> Option<usize> {
        let settings = check_go::settings(&call.folder, args, projects).ok()?;
        let package = GoPackage::of_call(call.clone(), version, projects);
        // A rejected marker is reported in Go. Without it, the other findings still lead to Go.
        let outcome = package.generate_without_rejected(&Texts::new(), None).ok()?;
        let generated = GeneratedDefinitions::unanalysed(Arc::new(outcome));
        self.packages.push(Packages { package, settings, generated });
        Some(self.packages.len() - 1)
    }

    /// Whether a file is generated from Go of the repository.
    pub(super) fn owns(&self, path: &Path) -> bool {
        self.files.contains_key(path)
    }

    /// The names of the definitions in these files.
    pub(super) fn products(&self) -> HashSet<String> {
        self.files.values().flatten().map(|definition| definition.product.clone()).collect()
    }

    /// Applies the safe fixes to the Go files, and writes the definitions that change with them.
    pub(super) fn fix(
        &mut self,
        checked_go_files: &HashSet<PathBuf>,
        args: &CheckArgs,
        projects: &Projects,
        checked: &mut GoCheckResults,
    ) -> Result<(), String> {
        for (at, Packages { package, generated, .. }) in self.packages.iter_mut().enumerate() {
            let all = self.files.iter().flat_map(|(path, all)| all.iter().map(move |one| (path, one)));
            let files: Vec<(&PathBuf, &Definition)> =
                all.filter(|(_, definition)| definition.packages == at).collect();
            let Some((first, _)) = files.first() else { continue };
            let settings = check_go::settings(first.parent().unwrap_or(first), args, projects)?;
            let before = check_go::generated(package, &settings, Some(&*generated))?;
            let shown = |path: &Path| from_here(path).display().to_string();
            let (after, texts) =
                check_go::fixed(package, before, &settings, args, checked, &|_| true, &shown)?;
            // Go files that this run checks have their own reports.
            for (path, text) in texts.into_iter().filter(|(path, _)| !checked_go_files.contains(path)) {
                let new = after
                    .outcome
                    .sources()
                    .iter()
                    .find(|file| file.path == path)
                    .map(|file| file.text.clone());
                let report = Report::of_source(shown(&path), &new.unwrap_or_default(), Vec::new());
                checked.reports.push(report.fixed_from(TextBuffer::new(&text), !args.diff));
            }
            for (path, Definition { product, is_copy, .. }) in files {
                let (old, new) = (generated.text_of(product), after.text_of(product));
                let (Some(old), Some(new), Some(written)) = (old, new, text_of(path)) else { continue };
                if old == new || args.diff {
                    continue;
                }
                let shown = path.display();
                if *is_copy {
                    checked.notes.push(format!(
                        "{shown}: `{product}` is a copy of what controller-gen writes and is not changed; run the command that \
                         makes this file"
                    ));
                    continue;
                }
                let Some(rewritten) = generated.rewritten(product, &written, new) else {
                    checked.notes.push(format!(
                        "{shown}: not written because it was older than its Go types; run `crd-ls generate`"
                    ));
                    continue;
                };
                replace(path, &written, &rewritten)
                    .map_err(|error| format!("{}: cannot write the definition: {error}", path.display()))?;
            }
            *generated = after;
        }
        Ok(())
    }

    /// Points the findings of generated files to Go, unless they are reported there, and reports files that are older than their
    /// types.
    pub(super) fn relate(
        &self,
        reports: &mut [Report],
        checked_go_files: &HashSet<PathBuf>,
        args: &CheckArgs,
        projects: &Projects,
    ) {
        let shown = |path: &Path| from_here(path).display().to_string();
        let located: Vec<GoLocator<'_>> =
            self.packages.iter().map(|one| GoLocator::new(&one.generated, &|_| None, &shown)).collect();
        let is_reported = |file: &Path| checked_go_files.contains(file);
        // Nothing is generated from Go with a syntax error, which is reported there. Afterwards, the findings lead to Go again.
        for report in reports.iter_mut() {
            if self.broken.get(Path::new(&report.path)).is_some_and(|source| is_reported(source)) {
                report.findings.retain(|finding| is_of_later_step(finding.code));
            }
        }
        // Each definition is analysed once for all files that hold it: some repositories keep dozens of released copies.
        let mut known: HashMap<(usize, &str), Option<FindingOrigins>> = HashMap::new();
        for report in reports.iter_mut().filter(|report| !report.findings.is_empty()) {
            let path = Path::new(&report.path);
            let Some(definitions) = self.files.get(path) else { continue };
            let Some(text) = text_of(path) else { continue };
            let documents = documents(&text);
            for Definition { packages, product, document, is_copy } in definitions {
                let (Some(one), Some(located)) = (self.packages.get(*packages), located.get(*packages))
                else {
                    continue;
                };
                let is_on_it = |finding: &Finding| document_at(&documents, finding.range.start) == *document;
                if !report.findings.iter().any(is_on_it) {
                    continue;
                }
                let analysed = || check_go::analysing(&one.generated, product, &one.settings);
                let finding_origins = known.entry((*packages, product));
                let finding_origins =
                    finding_origins.or_insert_with(|| Some(FindingOrigins::of(&analysed()?, product)));
                let Some(finding_origins) = finding_origins else { continue };
                let analysed = LazyCell::new(analysed);
                let fallback = |finding: &Finding| {
                    if *is_copy { None } else { analysed.as_ref()?.origin(product, finding) }
                };
                finding_origins.add_origins(
                    &mut report.findings,
                    &is_on_it,
                    &is_reported,
                    located,
                    &fallback,
                );
            }
        }
        for report in reports.iter_mut().filter(|report| report.analysed) {
            let path = PathBuf::from(&report.path);
            let definitions = self.files.get(&path).into_iter().flatten();
            let mut written = definitions.filter(|definition| !definition.is_copy).peekable();
            let Some(text) = written.peek().and_then(|_| text_of(&path)) else { continue };
            let Ok(settings) = check_go::settings(path.parent().unwrap_or(&path), args, projects) else {
                continue;
            };
            for Definition { packages, product, .. } in written {
                let Some((one, located)) = self.packages.get(*packages).zip(located.get(*packages)) else {
                    continue;
                };
                let stale = one.generated.stale(product, &text, located);
                if add_stale(&mut report.findings, stale, &settings.rules) {
                    report.text = TextBuffer::new(&text).into();
                }
            }
        }
    }
}

/// A Go file with a syntax error.
fn broken_source(generated: &GeneratedDefinitions) -> Option<PathBuf> {
    let sources = generated.outcome.sources();
    sources.iter().find(|source| !source.errors.is_empty()).map(|source| source.path.clone())
}

/// Whether controller-gen wrote a file.
fn may_be_written(path: &Path) -> bool {
    // Not a pipe, which can be read once only.
    let head = guarded_files::read_found(path, HEAD_BYTES);
    head.is_ok_and(|head| is_written(&String::from_utf8_lossy(&head)))
}

fn text_of(path: &Path) -> Option<String> {
    String::from_utf8(guarded_files::read_found(path, MAX_BYTES).ok()?).ok()
}

/// `path` relative to the current directory, if it is below it.
fn from_here(path: &Path) -> &Path {
    let here = std::env::current_dir().ok();
    here.and_then(|here| path.strip_prefix(here).ok()).unwrap_or(path)
}
