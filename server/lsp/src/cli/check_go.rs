//! `crd-ls check` of Go files: the findings on the definitions that are generated from them, at the tokens that cause them,
//! and the findings on the markers themselves.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ide::{Code, Finding, Fix, Settings, StopSignal};
use text::TextBuffer;

use super::walk::Source;
use crate::args::CheckArgs;
use crate::config::Projects;
use crate::generated_definitions::{
    AnalysisInputs, GeneratedDefinitions, drop_consequences, drop_suppressed, is_of_rule,
};
use crate::go_package::{
    GoFinding, GoPackage, MaxCauses, Offer, RepairTrial, RepairedPackages, Scope, Texts, go_findings,
    group_of, is_internal, offered, repaired, unread_note,
};
use crate::paths::absolute;
use crate::replace::replace;
use crate::report::Report;

/// The results of the check of Go files.
#[derive(Debug, Default)]
pub(super) struct GoCheckResults {
    /// The findings of each file.
    pub(super) reports: Vec<Report>,
    /// The messages of controller-gen on whole packages, and the reasons why fixes of definitions are not applied.
    pub(super) notes: Vec<String>,
    /// Whether controller-gen reports an error.
    pub(super) bad: bool,
    /// The names of the definitions that are also checked as files, where their findings count.
    pub(super) in_files: HashSet<String>,
    /// The Go files of all packages. A finding in one of them is reported with its own package.
    pub(super) go_files: HashSet<PathBuf>,
}

/// The reason why `files` Go files in packages without kinds are not checked. It follows the reason why nothing else is.
pub(super) fn why_unchecked(files: usize) -> String {
    let files = match files {
        0 => return String::new(),
        1 => "its Go file has".to_owned(),
        files => format!("its {files} Go files have"),
    };
    format!(
        ", and {files} no marker of kinds, such as `+groupName=` or `+kubebuilder:resource:`; name Go files to check them \
         without"
    )
}

/// Checks Go files, package by package.
pub(super) fn check(
    paths: &[String],
    args: &CheckArgs,
    projects: &Projects,
    checked: &mut GoCheckResults,
    problems: &mut Vec<String>,
) {
    let mut packages: BTreeMap<PathBuf, Files> = BTreeMap::new();
    for path in paths {
        let file = absolute(Path::new(path));
        checked.go_files.insert(file.clone());
        if let Some(folder) = file.parent() {
            packages.entry(folder.to_owned()).or_default().insert(file, path.clone());
        }
    }
    for PackageGroup { folder, folders, files } in group_packages(packages, projects) {
        let package = GoPackage::of_folders(&folders, &Texts::new(), projects)
            .unwrap_or_else(|| GoPackage::of(&folder, projects));
        if let Err(problem) = check_package(&package, &folder, &files, args, projects, checked) {
            problems.push(problem);
        }
    }
}

/// The files of one package or of several.
type Files = BTreeMap<PathBuf, String>;

/// Packages that generate definitions together, such as the versions of one kind.
struct PackageGroup {
    /// The folder that was named first.
    folder: PathBuf,
    folders: Vec<PathBuf>,
    /// The files that were named.
    files: Files,
}

fn group_packages(packages: BTreeMap<PathBuf, Files>, projects: &Projects) -> Vec<PackageGroup> {
    let mut groups: Vec<PackageGroup> = Vec::new();
    for (folder, files) in packages {
        match groups.iter_mut().find(|group| group.folders.contains(&folder)) {
            Some(group) => group.files.extend(files),
            None => {
                let folders = group_of(&folder, &Texts::new(), projects);
                groups.push(PackageGroup { folder, folders, files });
            }
        }
    }
    groups
}

/// The settings for the definitions that are generated from a folder.
pub(super) fn settings(folder: &Path, args: &CheckArgs, projects: &Projects) -> Result<Settings, String> {
    args.settings_of(&Source::from_walk(folder.join("generated.yaml")), projects)
}

/// The definitions that are generated from a package, checked. Rejected markers count as absent; results in `before` are reused.
pub(super) fn generated(
    package: &GoPackage,
    settings: &Settings,
    before: Option<&GeneratedDefinitions>,
) -> Result<GeneratedDefinitions, String> {
    let outcome = Arc::new(package.generate_without_rejected(&Texts::new(), None)?);
    let generated = with_inputs(settings, |around| {
        let mut generated = GeneratedDefinitions::new(outcome, before, around)?;
        package.downgrade_repaired(&mut generated, around);
        Some(generated)
    });
    generated.ok_or_else(|| "the check was stopped".to_owned())
}

/// Runs `work` with `settings` for all files.
fn with_inputs<T>(settings: &Settings, work: impl FnOnce(&AnalysisInputs<'_>) -> T) -> T {
    let (of, stop) = (|_: &Path| settings.clone(), StopSignal::default());
    work(&AnalysisInputs { settings: &of, base: &|_| None, stop: &stop })
}

/// `generated` with the definition `product` checked.
pub(super) fn analysing(
    generated: &GeneratedDefinitions,
    product: &str,
    settings: &Settings,
) -> Option<GeneratedDefinitions> {
    with_inputs(settings, |around| generated.analysing(product, around))
}

fn check_package(
    package: &GoPackage,
    folder: &Path,
    files: &Files,
    args: &CheckArgs,
    projects: &Projects,
    checked: &mut GoCheckResults,
) -> Result<(), String> {
    let settings = settings(folder, args, projects)?;
    let mut generated = generated(package, &settings, None)?;
    let note = package.unread().filter(|_| !generated.outcome.files.is_empty());
    let note = note.map(|line| unread_note(line, &shown_path));
    checked.notes.extend(note.filter(|note| !checked.notes.contains(note)));
    let mut before = BTreeMap::new();
    if args.fix {
        let shown = |path: &Path| files.get(path).cloned().unwrap_or_else(|| path.display().to_string());
        let done;
        let is_named = |path: &Path| files.contains_key(path);
        (generated, done) = fixed(package, generated, &settings, args, checked, &is_named, &shown)?;
        before = done;
    }
    note_problems(&generated, files, checked);
    let AllFindings { mut found, mut fixes, unconfirmed } =
        all(package, &generated, &settings, (args, &checked.go_files));
    if unconfirmed > 0 {
        checked.notes.push(unconfirmed_note(folder, unconfirmed));
    }
    let is_in_named_folder = |path: &Path| files.keys().any(|file| file.parent() == path.parent());
    for file in generated.outcome.sources() {
        let before = before.remove(&file.path);
        let mut findings = found.remove(&file.path).unwrap_or_default();
        if !files.contains_key(&file.path) && !is_in_named_folder(&file.path) {
            // An error that ends the generation of an imported package explains the missing parts of this one.
            findings.retain(|finding| finding.code == Code::GoGeneration);
        }
        let Some(path) = files.get(&file.path).cloned().or_else(|| {
            // A file that a fix changed is shown even if the user did not name it.
            let is_cause = !findings.is_empty()
                && !is_in_named_folder(&file.path)
                && !checked.go_files.contains(&file.path);
            (before.is_some() || is_cause).then(|| shown_path(&file.path))
        }) else {
            continue;
        };
        findings.sort_by_key(|finding| (finding.range, finding.code));
        let fixes = fixes.remove(&file.path).unwrap_or_default();
        let mut report = Report::of_source(path, &file.text, findings).offering(fixes);
        add_coverage(&mut report, &file.path, &generated, checked);
        checked.reports.push(match before {
            Some(before) => report.fixed_from(TextBuffer::new(&before), !args.diff),
            None => report,
        });
    }
    Ok(())
}

/// Records whether controller-gen reports problems in the named `files`, and notes those without a place.
fn note_problems(generated: &GeneratedDefinitions, files: &Files, checked: &mut GoCheckResults) {
    let outcome = &generated.outcome;
    for problem in outcome.problems.iter().chain(&outcome.panic) {
        let place = outcome.place_of(problem);
        if place.is_some_and(|place| is_internal(outcome, place)) {
            continue;
        }
        let source = place.and_then(|place| outcome.source(place.file));
        // Findings in packages that were not named are not shown.
        checked.bad |= source.is_none_or(|source| files.contains_key(&source.path));
        if place.is_none() {
            checked.notes.push(outcome.printed(problem));
        }
    }
}

/// Counts the definitions and the rules of the file in its `report`, unless all of its definitions are checked
/// as files, too.
fn add_coverage(
    report: &mut Report,
    path: &Path,
    generated: &GeneratedDefinitions,
    checked: &GoCheckResults,
) {
    let Some(made) = generated.files.iter().find(|made| made.path == path) else { return };
    if !made.products().iter().all(|product| checked.in_files.contains(&product.name)) {
        let coverage = made.file.coverage();
        (report.coverage.definitions, report.coverage.rules) = (coverage.definitions, coverage.rules);
    }
}

/// The path of a file that the user did not name, as reports show it.
fn shown_path(path: &Path) -> String {
    let here = absolute(Path::new("."));
    path.strip_prefix(here).unwrap_or(path).display().to_string()
}

/// The note on findings that are not shown.
fn unconfirmed_note(folder: &Path, count: usize) -> String {
    let findings = if count == 1 { "1 finding".to_owned() } else { format!("{count} findings") };
    format!(
        "{}: {findings} may follow from a marker that controller-gen rejects; correct the marker to see which remain",
        shown_path(folder)
    )
}

/// The findings on Go files and their fixes, by file.
struct AllFindings {
    found: BTreeMap<PathBuf, Vec<Finding>>,
    fixes: BTreeMap<PathBuf, Vec<Fix>>,
    /// The number of omitted findings, which may follow from a rejected marker.
    unconfirmed: usize,
}

/// All findings on Go files and their fixes, by file.
fn all(
    package: &GoPackage,
    generated: &GeneratedDefinitions,
    settings: &Settings,
    (args, named): (&CheckArgs, &HashSet<PathBuf>),
) -> AllFindings {
    let mut by_file = go_findings(&generated.outcome, &settings.rules);
    let mut reported = generated.clone();
    let unconfirmed = with_inputs(settings, |around| {
        let trial = RepairTrial { package, inputs: around };
        let most = MaxCauses::ON_COMMAND_LINE;
        trial.drop_dependent(&mut reported, &Texts::new(), &mut by_file, most, None)
    });
    let mut findings = reported.findings();
    let mut fixes: BTreeMap<PathBuf, Vec<Fix>> = BTreeMap::new();
    for (path, go_findings) in by_file {
        // Consequences of an error in another checked package are omitted.
        let is_here = |remark: &GoFinding| remark.cause.as_ref().is_none_or(|cause| !named.contains(cause));
        for GoFinding { finding, fixes: own, .. } in go_findings.into_iter().filter(is_here) {
            findings.entry(path.clone()).or_default().push(finding);
            fixes.entry(path.clone()).or_default().extend(own);
        }
    }
    for (path, unreached) in unreached(package, generated, settings) {
        let of_rules = unreached.into_iter().filter(|finding| is_of_rule(finding.code));
        findings.entry(path).or_default().extend(of_rules);
    }
    for (path, findings) in &mut findings {
        drop_consequences(findings);
        let source = generated.outcome.source_at(path);
        drop_suppressed(source.map_or("", |source| &source.text), findings);
    }
    if args.output.shows_fixes() {
        // Most findings on types of other modules are not reported.
        let is_reported = |path: &Path, range| {
            findings.get(path).is_some_and(|reported| reported.iter().any(|finding| finding.range == range))
        };
        let offered = with_inputs(settings, |around| {
            offered(&RepairTrial { package, inputs: around }, generated, &Texts::new(), &is_reported)
        });
        // A report shows only the edits of the file that it is about.
        for Offer { path, fix, .. } in offered.fixes.into_iter().filter(|offer| offer.other_edits.is_empty())
        {
            fixes.entry(path).or_default().push(fix);
        }
    } else {
        fixes.clear();
    }
    AllFindings { found: findings, fixes, unconfirmed }
}

/// The findings on types with rules that no kind reaches, by file.
fn unreached(
    package: &GoPackage,
    generated: &GeneratedDefinitions,
    settings: &Settings,
) -> BTreeMap<PathBuf, Vec<Finding>> {
    let outcome = package.generate_unreached(&Texts::new(), &generated.outcome);
    let generated = outcome.and_then(|outcome| {
        with_inputs(settings, |around| GeneratedDefinitions::new(Arc::new(outcome), None, around))
    });
    generated.map(|generated| generated.without_unconfirmed(None).findings()).unwrap_or_default()
}

/// Applies the safe fixes of findings in the named files, and writes the changed files. Returns their texts before the change.
pub(super) fn fixed(
    package: &GoPackage,
    generated: GeneratedDefinitions,
    settings: &Settings,
    args: &CheckArgs,
    checked: &mut GoCheckResults,
    is_selected: &dyn Fn(&Path) -> bool,
    shown: &dyn Fn(&Path) -> String,
) -> Result<(GeneratedDefinitions, Texts), String> {
    let scope = Scope { is_selected, may_change: &|_| true };
    let RepairedPackages { texts, generated: after, refused, texts_before: before } =
        with_inputs(settings, |around| {
            repaired(
                &RepairTrial { package, inputs: around },
                (generated, Texts::new()),
                &settings.rules,
                &scope,
            )
        });
    for (path, text) in &texts {
        let old = before.get(path).map_or("", String::as_str);
        if !args.diff {
            replace(path, old, text)
                .map_err(|error| format!("{}: cannot write the fixes: {error}", shown(path)))?;
        }
    }
    checked.notes.extend(refused.into_iter().map(|reason| format!("not fixed: {reason}")));
    Ok((after, before))
}
