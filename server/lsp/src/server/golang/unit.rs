//! Packages that are generated together: the last complete generation, and the findings on the current texts.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use go::edits::JsonName;
use go::generate::Outcome;
use go::invocation::Options;
use go::load::{Disk, Entry};
use go::version::Version;
use ide::{Fix, StoredObjects, compat};
use text::TextRange;

use super::known_fixes::KnownFixes;
use super::packages::{Group, OpenTexts};
use crate::config::Projects;
use crate::generated_definitions::{AnalysisInputs, GeneratedDefinitions};
use crate::git;
use crate::go_package::{
    FindingsByFile, GoPackage, InGo, MaxCauses, Offer, Offers, RenameChanges, RepairTrial, Scope, Texts,
    go_findings, offered, repaired, unread_note,
};
use crate::golang::ReplacedText as _;

/// The texts of a generation: the open files, each with the revision of its last change.
type Stamp = Vec<(PathBuf, u64)>;

/// The results for a unit.
#[derive(Clone, Debug, Default)]
pub(super) struct UnitResults {
    /// The last generation from texts without syntax errors. If controller-gen rejects a marker, it is generated without
    /// that marker, and has no finding that may follow from that.
    pub(super) generated: Option<Arc<GeneratedDefinitions>>,
    /// The last generation in which no marker was rejected.
    pub(super) complete: Option<Arc<GeneratedDefinitions>>,
    /// The generation for types with rules that no kind uses.
    pub(super) unreached: Option<Arc<GeneratedDefinitions>>,
    /// The findings on Go itself.
    pub(super) go_findings: Arc<FindingsByFile>,
    /// The files to which the places in `go_findings` refer.
    pub(super) sources: Arc<Vec<Arc<go::syntax::File>>>,
    /// The files of the packages themselves.
    pub(super) package_files: Arc<[PathBuf]>,
}

/// The revision against which breaking changes are reported, and whether those of alpha versions are reported.
pub(in crate::server) type BaseRevision = (String, bool);

/// The definitions that are generated from a revision.
#[derive(Debug)]
struct Base {
    revision: String,
    /// The commit that the revision named.
    commit: Option<String>,
    /// The directories of git in which files change when the revision moves.
    directories: Vec<PathBuf>,
    stored_objects: Option<StoredObjects>,
}

/// Packages that are generated together.
#[derive(Debug, Default)]
pub(in crate::server) struct Unit {
    /// The projects with the settings for the packages.
    projects: Projects,
    /// The packages, and the project's call of controller-gen for them.
    package: Option<Arc<GoPackage>>,
    /// The definitions of a revision, once they were needed.
    base: Option<Base>,
    last: Option<(Stamp, UnitResults)>,
    /// The last outcome without syntax errors, and its texts. Rejected markers count as absent.
    sound: Option<(Stamp, Arc<Outcome>)>,
    /// The last generation with all its findings, for the next one.
    latest: Option<Arc<GeneratedDefinitions>>,
    /// The fixes that were found in the last generation.
    known_fixes: KnownFixes,
}

impl Unit {
    pub(super) fn new(projects: Projects) -> Self {
        Self { projects, ..Self::default() }
    }

    /// Whether the last generation read a file.
    pub(super) fn reads(&self, path: &Path) -> bool {
        let generated = self.last.as_ref().and_then(|(_, known)| known.generated.as_ref());
        generated.is_some_and(|generated| generated.reads(path))
    }

    /// The results for the open texts; `None` if the analysis was stopped.
    pub(super) fn update(
        &mut self,
        group: &Group,
        texts: &OpenTexts,
        revision: Option<&BaseRevision>,
        around: &AnalysisInputs<'_>,
    ) -> Option<UnitResults> {
        let stamp = stamp_of(texts);
        if let Some((of, known)) = &self.last
            && *of == stamp
        {
            return Some(known.clone());
        }
        let before = self.last.as_ref().map(|(_, known)| known.clone()).unwrap_or_default();
        let Some(outcome) = self.outcome(group, texts, &stamp) else { return Some(before) };
        if around.stop.is_due() {
            return None;
        }
        let known = if has_syntax_errors(&outcome, group, texts) {
            before
        } else {
            let outcome = Arc::new(outcome);
            self.sound = Some((stamp.clone(), Arc::clone(&outcome)));
            let rules = group.first().map(|folder| (around.settings)(folder).rules).unwrap_or_default();
            let mut go_findings = go_findings(&outcome, &rules);
            let sources = Arc::new(outcome.sources().to_vec());
            let named = outcome.files_of_named_packages().map(|file| file.path.clone()).collect();
            let unreached = self.unreached(group, texts, &outcome, (before.unreached.as_deref(), around));
            let unreached = unreached.map(|unreached| Arc::new(unreached.without_unconfirmed(None)));
            let has_rejected = outcome.has_rejected_markers();
            let is_lost =
                !outcome.problems.is_empty() && is_missing_definition(&outcome, before.generated.as_deref());
            let (generated, complete) = if is_lost {
                (before.generated, before.complete)
            } else {
                let all = self.generated(group, outcome, revision, around)?;
                self.latest = Some(Arc::clone(&all));
                let known = before.complete.as_deref();
                let reported = self.without_dependent(&all, known, &mut go_findings, texts, revision, around);
                let complete = if has_rejected { before.complete } else { Some(all) };
                (Some(reported), complete)
            };
            let go_findings = Arc::new(go_findings);
            UnitResults { generated, complete, unreached, go_findings, sources, package_files: named }
        };
        self.known_fixes = KnownFixes::default();
        self.last = Some((stamp, known.clone()));
        Some(known)
    }

    /// The definitions of an outcome and their findings; `None` if the analysis was stopped.
    fn generated(
        &mut self,
        group: &Group,
        outcome: Arc<Outcome>,
        revision: Option<&BaseRevision>,
        around: &AnalysisInputs<'_>,
    ) -> Option<Arc<GeneratedDefinitions>> {
        let base = revision.and_then(|revision| self.base(group, revision));
        let around = AnalysisInputs { base: &|_| base.clone(), ..*around };
        let mut generated = GeneratedDefinitions::new(outcome, self.latest.as_deref(), &around)?;
        if let Some(package) = &self.package {
            package.downgrade_repaired(&mut generated, &around);
        }
        Some(Arc::new(generated))
    }

    /// The definitions without the findings that depend on an error in Go. That error gets their severity.
    fn without_dependent(
        &self,
        all: &Arc<GeneratedDefinitions>,
        complete: Option<&GeneratedDefinitions>,
        go_findings: &mut FindingsByFile,
        texts: &OpenTexts,
        revision: Option<&BaseRevision>,
        around: &AnalysisInputs<'_>,
    ) -> Arc<GeneratedDefinitions> {
        let Some(package) = self.package.as_deref() else { return Arc::clone(all) };
        let base = revision.and_then(|revision| self.known_base(revision));
        let inputs = AnalysisInputs { base: &|_| base.clone(), ..*around };
        let texts: Texts = texts.iter().map(|(path, text)| (path.clone(), text.text())).collect();
        let mut reported = GeneratedDefinitions::clone(all);
        let trial = RepairTrial { package, inputs: &inputs };
        trial.drop_dependent(&mut reported, &texts, go_findings, MaxCauses::IN_EDITORS, complete);
        Arc::new(reported)
    }

    /// The generations from texts that differ from those in the editor, for kinds and for types that no kind uses.
    pub(super) fn once(
        &self,
        group: &Group,
        texts: &OpenTexts,
        around: &AnalysisInputs<'_>,
    ) -> Vec<GeneratedDefinitions> {
        let (package, sound) = (self.package.clone(), self.sound.clone());
        let mut other = Self { package, sound, ..Self::new(self.projects.clone()) };
        let before = self.last.as_ref().map(|(_, known)| known.clone()).unwrap_or_default();
        let Some(outcome) = other.outcome(group, texts, &stamp_of(texts)) else { return Vec::new() };
        let unreached = other.unreached(group, texts, &outcome, (before.unreached.as_deref(), around));
        let generated = GeneratedDefinitions::new(Arc::new(outcome), before.generated.as_deref(), around);
        generated.into_iter().chain(unreached).collect()
    }

    /// The generation for types with rules that no kind uses.
    fn unreached(
        &mut self,
        group: &Group,
        texts: &OpenTexts,
        outcome: &Outcome,
        (before, around): (Option<&GeneratedDefinitions>, &AnalysisInputs<'_>),
    ) -> Option<GeneratedDefinitions> {
        let outcome = self.package(group, texts)?.generate_unreached(texts, outcome)?;
        // These types are not part of a definition, so a revision has no earlier one.
        GeneratedDefinitions::new(Arc::new(outcome), before, &AnalysisInputs { base: &|_| None, ..*around })
    }

    /// The base of the comparison: the definitions that are generated from a revision.
    fn base(&mut self, group: &Group, (revision, alpha): &BaseRevision) -> Option<compat::Base> {
        if self.base.as_ref().is_none_or(|base| base.revision != *revision) {
            let package = self.package(group, &OpenTexts::default())?;
            let disk = RevisionDisk { disk: package.disk(), revision, is_there: AtomicBool::new(false) };
            let outcome = package.generate_from(&disk, None).ok();
            let is_there = disk.is_there.load(Ordering::Relaxed);
            let sound = outcome
                .filter(|outcome| is_there && outcome.problems.is_empty() && !outcome.files.is_empty());
            let stored = sound.map(|outcome| {
                let texts: Vec<&str> = outcome.files.iter().map(|file| &*file.text).collect();
                StoredObjects::at_revision(&texts.concat(), &git::title(revision))
            });
            let folder = group.first();
            let commit = folder.and_then(|folder| git::commit_at(folder, revision));
            let directories = folder.map_or_else(Vec::new, |folder| git::directories_of(folder));
            self.base =
                Some(Base { revision: revision.clone(), commit, directories, stored_objects: stored });
        }
        self.known_base(&(revision.clone(), *alpha))
    }

    /// The same, if it was generated before.
    fn known_base(&self, (revision, alpha): &BaseRevision) -> Option<compat::Base> {
        let base = self.base.as_ref().filter(|base| base.revision == *revision)?;
        Some(compat::Base::new(base.stored_objects.clone()?, *alpha))
    }

    fn outcome(&mut self, group: &Group, texts: &OpenTexts, stamp: &Stamp) -> Option<Outcome> {
        let package = self.package(group, texts)?;
        let before = self.sound.as_ref().map(|(of, outcome)| (&**outcome, changed_files(of, stamp)));
        let before = before.as_ref().map(|(outcome, changed)| (*outcome, changed.as_slice()));
        package.generate_without_rejected(texts, before).ok()
    }

    /// Drops the base of the comparison if the revision names another commit now. Returns whether it does.
    pub(super) fn forget_moved_base(&mut self, group: &Group) -> bool {
        let Some((base, folder)) = self.base.as_ref().zip(group.first()) else { return false };
        if git::commit_at(folder, &base.revision) == base.commit {
            return false;
        }
        self.base = None;
        self.last = None;
        self.known_fixes = KnownFixes::default();
        true
    }

    /// The directories of git in which files change when the revision of the comparison moves.
    pub(super) fn repositories(&self) -> &[PathBuf] {
        self.base.as_ref().map_or(&[], |base| &base.directories)
    }

    fn package(&mut self, group: &Group, texts: &OpenTexts) -> Option<Arc<GoPackage>> {
        if self.package.is_none() {
            self.package = GoPackage::of_folders(group, texts, &self.projects).map(Arc::new);
        }
        self.package.clone()
    }

    /// The note on a part of the call that is not known.
    pub(super) fn note(&self, generated: &GeneratedDefinitions) -> Option<String> {
        let line = self.package.as_ref()?.unread().filter(|_| !generated.files.is_empty())?;
        Some(unread_note(line, &|file| file.display().to_string()))
    }

    /// Whether controller-gen is called for the packages in the same way.
    pub(super) fn is_called_by(&self, options: &Options, version: Version) -> bool {
        self.package.as_ref().is_some_and(|package| package.is_called_by(options, version))
    }

    /// The fixes of findings on definitions whose tokens in Go are selected, as edits of the open texts. Empty if the last
    /// generation is not from these texts.
    pub(super) fn offered(
        &self,
        texts: &OpenTexts,
        around: &AnalysisInputs<'_>,
        is_selected: &dyn Fn(&Path, TextRange) -> bool,
    ) -> Offers {
        let Some((package, generated, texts)) = self.present(texts) else { return Offers::default() };
        offered(&RepairTrial { package, inputs: around }, generated, &texts, is_selected)
    }

    /// The fixes of findings on definitions whose tokens are within `requested` in the file at `path`.
    pub(super) fn offered_at(
        &mut self,
        path: &Path,
        requested: TextRange,
        texts: &OpenTexts,
        around: &AnalysisInputs<'_>,
    ) -> Vec<Offer> {
        let is_present = self.present(texts).is_some();
        if let Some(known) = self.known_fixes.offers(path, requested).filter(|_| is_present) {
            return known;
        }
        let is_selected = |file: &Path, range: TextRange| file == path && range.overlaps(requested);
        let mut found = self.offered(texts, around, &is_selected).fixes;
        found.retain(|offer| offer.path == path);
        if is_present && !around.stop.is_due() {
            self.known_fixes.keep_offers(path, requested, found.clone());
        }
        found
    }

    /// Each of `fixes` of the file at `path` together with the other fixes of its kind; `mistakes` are the fixes of all its
    /// markers and tags. Empty if the last generation is not from the open texts.
    pub(super) fn similar(
        &mut self,
        (path, mistakes): (&Path, &[Fix]),
        fixes: &[Fix],
        texts: &OpenTexts,
        around: &AnalysisInputs<'_>,
    ) -> Vec<Fix> {
        let Some((package, generated, texts)) = self.present(texts) else { return Vec::new() };
        if let Some(known) = self.known_fixes.similar(path, fixes) {
            return known;
        }
        let trial = RepairTrial { package, inputs: around };
        let mut in_go = InGo { trial: &trial, generated, texts: &texts, path, fixes: mistakes };
        let found = ide::similar(fixes, &mut in_go);
        if !around.stop.is_due() {
            self.known_fixes.keep_similar(path, fixes, found.clone());
        }
        found
    }

    /// The text of a file after all its safe fixes. `None` if the last generation is not from the open texts.
    pub(super) fn repaired(
        &self,
        path: &Path,
        texts: &OpenTexts,
        around: &AnalysisInputs<'_>,
    ) -> Option<String> {
        let (package, generated, texts) = self.present(texts)?;
        let trial = RepairTrial { package, inputs: around };
        let rules = (around.settings)(path).rules;
        let is_it = |other: &Path| other == path;
        let scope = Scope { is_selected: &is_it, may_change: &is_it };
        let mut done = repaired(&trial, (generated.clone(), texts), &rules, &scope);
        done.texts.remove(path)
    }

    /// The changes for a new JSON name of a field. `None` if the last generation is not from the open texts.
    pub(super) fn renamed(
        &self,
        (name, new): (&JsonName, &str),
        texts: &OpenTexts,
        around: &AnalysisInputs<'_>,
    ) -> Option<Result<RenameChanges, String>> {
        let (package, generated, texts) = self.present(texts)?;
        Some(RepairTrial { package, inputs: around }.renamed(generated, &texts, name, new))
    }

    /// The last generation, if it is from the open texts.
    fn present(&self, texts: &OpenTexts) -> Option<(&GoPackage, &GeneratedDefinitions, Texts)> {
        let (package, (stamp, known)) = self.package.as_deref().zip(self.last.as_ref())?;
        let generated = known.generated.as_deref().filter(|_| *stamp == stamp_of(texts))?;
        let is_of_these = |(path, text): (&PathBuf, &super::packages::OpenText)| {
            let source = generated.outcome.source_at(path);
            source.is_none_or(|source| source.text == text.text())
        };
        let is_present = texts.iter().all(is_of_these);
        let texts = || texts.iter().map(|(path, text)| (path.clone(), text.text())).collect();
        is_present.then(|| (package, generated, texts()))
    }
}

/// Go files as they are in a revision. Files that were deleted since are not found.
struct RevisionDisk<'a> {
    disk: &'a dyn Disk,
    revision: &'a str,
    /// Whether the revision has one of the files.
    is_there: AtomicBool,
}

impl Disk for RevisionDisk<'_> {
    fn read(&self, path: &Path) -> Option<String> {
        let now = self.disk.read(path)?;
        if path.extension().is_none_or(|extension| extension != "go") {
            return Some(now);
        }
        // A file outside a repository, such as one in the module cache, is read from disk.
        match git::any_text_at(path, self.revision) {
            Ok(Some(before)) => {
                self.is_there.store(true, Ordering::Relaxed);
                Some(before)
            }
            Ok(None) if git::is_versioned(path) => None,
            _ => Some(now),
        }
    }

    fn list(&self, path: &Path) -> Vec<Entry> {
        self.disk.list(path)
    }

    fn is_directory(&self, path: &Path) -> bool {
        self.disk.is_directory(path)
    }

    fn never_changes(&self, path: &Path) -> bool {
        self.disk.never_changes(path)
    }
}

/// Whether one of the source files currently has syntax errors.
fn has_syntax_errors(outcome: &Outcome, group: &Group, texts: &OpenTexts) -> bool {
    let is_ours = |path: &Path| {
        let folder = path.parent();
        texts.contains_key(path) || group.iter().any(|other| Some(other.as_path()) == folder)
    };
    outcome.sources().iter().any(|source| !source.errors.is_empty() && is_ours(&source.path))
}

fn stamp_of(texts: &OpenTexts) -> Stamp {
    texts.iter().map(|(path, text)| (path.clone(), text.edited)).collect()
}

/// The files that differ between two stamps.
fn changed_files(before: &Stamp, after: &Stamp) -> Vec<PathBuf> {
    let differs = |one: &Stamp, other: &Stamp| -> Vec<PathBuf> {
        one.iter().filter(|text| !other.contains(text)).map(|(path, _)| path.clone()).collect()
    };
    let mut changed = differs(before, after);
    changed.extend(differs(after, before));
    changed.sort();
    changed.dedup();
    changed
}

/// Whether a definition, or a version of one, is missing that was generated before.
fn is_missing_definition(outcome: &Outcome, before: Option<&GeneratedDefinitions>) -> bool {
    let before = before.map(|before| before.outcome.files.as_slice()).unwrap_or_default();
    before.iter().any(|file| {
        let now = outcome.files.iter().find(|other| other.name == file.name);
        let versions = now.map(|now| now.definition.versions.as_slice()).unwrap_or_default();
        file.definition.versions.iter().any(|version| versions.iter().all(|other| other.name != version.name))
    })
}
