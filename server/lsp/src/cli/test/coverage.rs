//! The parts of the tested definitions that the cases do not cover.

mod html;
mod lcov;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cases::coverage::{Coverage, CoverageShare, ItemKind, Marks};
use cases::{Definition, KubernetesVersion};
use text::LineIndex;

use super::Task;
use crate::args::TestArgs;
use crate::cli::print::CommandOutput;

/// The maximum number of items that a summary lists for each definition.
const MOST_LISTED: usize = 20;

/// The coverage by file, name and version of a definition.
#[derive(Default)]
pub(super) struct Coverages(BTreeMap<Key, CoveredVersion>);

type Key = (PathBuf, String, String);

/// A version of a definition.
struct CoveredVersion {
    text: Arc<str>,
    coverage: Coverage,
}

impl Coverages {
    /// The coverages of all definitions that tasks test.
    pub(super) fn new(tasks: &[Task<'_>], server: KubernetesVersion) -> Self {
        let mut all = BTreeMap::new();
        for (key, task) in tasks.iter().filter_map(|task| Some((key(task)?, task))) {
            let Ok(target) = &task.target else { continue };
            all.entry(key).or_insert_with(|| CoveredVersion {
                text: target.text.clone(),
                coverage: Coverage::new(target.version, server),
            });
        }
        Self(all)
    }

    /// The coverage of the definition that a task tests.
    pub(super) fn coverage_of(&self, task: &Task<'_>) -> Option<&Coverage> {
        self.0.get(&key(task)?).map(|covered| &covered.coverage)
    }

    /// Adds the marks of a task.
    pub(super) fn add(&mut self, task: &Task<'_>, marks: &Marks) {
        if let Some(covered) = key(task).and_then(|key| self.0.get_mut(&key)) {
            covered.coverage.add(marks);
        }
    }

    /// Adds a definition that no case tests.
    pub(super) fn add_untested(
        &mut self,
        file: &Path,
        text: &Arc<str>,
        definition: &Definition,
        server: KubernetesVersion,
    ) {
        let is_tested = self.0.keys().any(|(other, name, _)| other == file && *name == definition.name);
        let Some(version) = definition.versions.iter().find(|version| version.storage) else { return };
        if !is_tested && definition.rejection(cases::CaseFormat::Own).is_empty() {
            let key = (file.to_owned(), definition.name.clone(), version.name.clone());
            self.0
                .insert(key, CoveredVersion { text: text.clone(), coverage: Coverage::new(version, server) });
        }
    }

    /// Calls `visit` for each definition with its file, whether the file has several versions, and the coverage.
    pub(super) fn for_each(&mut self, mut visit: impl FnMut(&Path, bool, &mut Coverage)) {
        let versions = |all: &Self, file: &Path| all.0.keys().filter(|(other, _, _)| other == file).count();
        let several: Vec<bool> = self.0.keys().map(|(file, _, _)| versions(self, file) > 1).collect();
        for (((file, _, _), covered), several) in self.0.iter_mut().zip(several) {
            visit(file, several, &mut covered.coverage);
        }
    }

    /// All coverages, each with the file of its definition.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&Path, &Coverage)> {
        self.0.iter().map(|((file, _, _), covered)| (file.as_path(), &covered.coverage))
    }

    /// Whether a task tests the definition of `coverage`.
    pub(super) fn is_of(&self, task: &Task<'_>, coverage: &Coverage) -> bool {
        self.coverage_of(task).is_some_and(|own| std::ptr::eq(own, coverage))
    }

    /// The line of an item, from 1; 0 if it has none.
    pub(super) fn line_of(&self, coverage: &Coverage, item: usize) -> u32 {
        let of = self.0.values().find(|covered| std::ptr::eq(&raw const covered.coverage, coverage));
        of.and_then(|of| Some(line(&LineIndex::new(&of.text), coverage.items.get(item)?))).unwrap_or_default()
    }

    /// The covered share of all definitions.
    fn share(&self) -> CoverageShare {
        self.0
            .values()
            .fold(CoverageShare::default(), |share, covered| share.and(covered.coverage.share(None)))
    }

    /// Writes the reports that the arguments ask for.
    pub(super) fn write(&self, args: &TestArgs, shown: &mut CommandOutput) {
        if args.coverage {
            self.summary(&mut shown.text);
        }
        let mut file = |path: &Option<PathBuf>, text: &dyn Fn() -> String| {
            let Some(path) = path else { return };
            if let Err(error) = fs::write(path, text()) {
                shown.problems.push(format!("{}: {error}", path.display()));
            }
        };
        file(&args.coverage_lcov, &|| lcov::text(self));
        file(&args.coverage_html, &|| html::text(self));
        let percent = self.share().percent();
        if let Some(least) = args.coverage_fail_under.filter(|least| percent < *least) {
            shown.notes.push(format!("coverage is {percent:.1} %, less than {least} %"));
            shown.bad = true;
        }
    }

    fn summary(&self, out: &mut String) {
        for ((file, name, version), covered) in &self.0 {
            let coverage = &covered.coverage;
            // Writing to a text cannot fail.
            let _ = writeln!(out, "\n{name} {version} ({}): {}", file.display(), share(coverage.share(None)));
            for kind in ItemKind::ALL {
                let of_kind = coverage.share(Some(kind));
                if of_kind.all > 0 {
                    let _ = writeln!(out, "  {:<20} {}", kind.plural(), share(of_kind));
                }
            }
            let lines = LineIndex::new(&covered.text);
            let missing: Vec<_> = coverage.items.iter().filter(|item| !item.missing().is_empty()).collect();
            for item in missing.iter().take(MOST_LISTED) {
                let place = if item.path.is_empty() { "the object" } else { &item.path };
                let text = item.text.lines().next().unwrap_or_default();
                let never = item.missing().join(" or ");
                let _ = writeln!(
                    out,
                    "  {}:{}: {place}: `{text}` is never {never}",
                    file.display(),
                    line(&lines, item)
                );
            }
            if let Some(more) = missing.len().checked_sub(MOST_LISTED).filter(|more| *more > 0) {
                let _ = writeln!(out, "  and {more} more; --coverage-html FILE shows all");
            }
        }
    }
}

fn key(task: &Task<'_>) -> Option<Key> {
    let target = task.target.as_ref().ok()?;
    Some((target.file.to_owned(), target.definition.name.clone(), target.version.name.clone()))
}

fn share(share: CoverageShare) -> String {
    format!("{:>5.1} % ({} of {})", share.percent(), share.covered, share.all)
}

/// The line of an item, from 1.
fn line(lines: &LineIndex<'_>, item: &cases::coverage::CoverageItem) -> u32 {
    lines.line_at(item.range.start) + 1
}

/// The coverages of each file.
fn by_file(all: &Coverages) -> BTreeMap<&Path, (&str, Vec<&Coverage>)> {
    let mut files: BTreeMap<&Path, (&str, Vec<&Coverage>)> = BTreeMap::new();
    for ((file, _, _), covered) in &all.0 {
        files.entry(file).or_insert_with(|| (&covered.text, Vec::new())).1.push(&covered.coverage);
    }
    files
}
