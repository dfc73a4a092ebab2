//! `crd-ls check` of Go files: what is wrong with the definitions that are generated of them, at the tokens that cause it, and
//! what is wrong with the markers themselves.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ide::{Finding, Fix, Settings};
use text::TextBuffer;

use super::input::settings_of;
use super::walk::Source;
use crate::args::CheckArgs;
use crate::config::Projects;
use crate::go_package::{Analysis, GoPackage, Repaired, Texts, offered, place_of, repaired, told};
use crate::guarded;
use crate::limits::MAX_BYTES;
use crate::paths::absolute;
use crate::replace::replace;
use crate::report::Report;
use crate::walk::entries;

/// What there is to say of Go files.
#[derive(Debug, Default)]
pub(super) struct Checked {
    /// The findings of each file.
    pub(super) reports: Vec<Report>,
    /// What controller-gen reports of a package as a whole, and why fixes of definitions are not made.
    pub(super) told: Vec<String>,
    /// Whether controller-gen reports an error.
    pub(super) bad: bool,
}

/// Whether a path is that of a Go file.
pub(super) fn is_go(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|extension| extension == "go")
}

/// The Go files below directories that are in packages of an API group.
pub(super) fn below(paths: &[String], projects: &Projects) -> Vec<String> {
    let mut packages: BTreeMap<PathBuf, (bool, Vec<PathBuf>)> = BTreeMap::new();
    for path in paths.iter().map(Path::new).filter(|path| path.is_dir()) {
        let projects = projects.clone();
        let (entries, _) = entries(path, move |entry| {
            let is_directory = entry.file_type().is_some_and(|kind| kind.is_dir());
            let is_foreign = entry.file_name().to_str().is_some_and(|name| FOREIGN.contains(&name));
            // The user has named the directory itself.
            entry.depth() == 0
                || !(is_directory && is_foreign || projects.leave_out(&absolute(entry.path()), is_directory))
        });
        for entry in entries.into_iter().filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()))
        {
            let file = entry.into_path();
            let name = file.to_string_lossy();
            if !is_go(&name) || name.ends_with("_test.go") {
                continue;
            }
            let Some(folder) = file.parent().map(Path::to_owned) else { continue };
            // What cannot be read names no group; the generation of its package reports it.
            let text = guarded::found_text(&file, MAX_BYTES).unwrap_or_else(|_| String::new());
            let (has_group, files) = packages.entry(folder).or_default();
            *has_group |= text.contains("+groupName=");
            files.push(file);
        }
    }
    let of_groups = packages.into_values().filter(|(has_group, _)| *has_group).flat_map(|(_, files)| files);
    of_groups.map(|file| file.display().to_string()).collect()
}

/// Folders of what others wrote, and of what is no package.
const FOREIGN: [&str; 2] = ["vendor", "testdata"];

/// Checks Go files, package by package.
pub(super) fn check(
    paths: &[String],
    args: &CheckArgs,
    projects: &Projects,
    checked: &mut Checked,
    problems: &mut Vec<String>,
) {
    let mut packages: BTreeMap<PathBuf, BTreeMap<PathBuf, String>> = BTreeMap::new();
    for path in paths {
        let file = absolute(Path::new(path));
        if let Some(folder) = file.parent() {
            packages.entry(folder.to_owned()).or_default().insert(file, path.clone());
        }
    }
    for (folder, files) in packages {
        if let Err(problem) = package(&GoPackage::of(&folder), &folder, &files, args, projects, checked) {
            problems.push(problem);
        }
    }
}

/// The settings for what is generated of a folder.
pub(super) fn settings(folder: &Path, args: &CheckArgs, projects: &Projects) -> Result<Settings, String> {
    settings_of(&Source::found(folder.join("generated.yaml")), args.kubernetes_version, projects)
}

fn package(
    package: &GoPackage,
    folder: &Path,
    files: &BTreeMap<PathBuf, String>,
    args: &CheckArgs,
    projects: &Projects,
    checked: &mut Checked,
) -> Result<(), String> {
    let settings = settings(folder, args, projects)?;
    let mut analysis = Analysis::new(package.generate(&Texts::new())?, &settings, None);
    let mut before = BTreeMap::new();
    if args.fix {
        let shown = |path: &Path| files.get(path).cloned().unwrap_or_else(|| path.display().to_string());
        let done;
        (analysis, done) = fixed(package, analysis, &settings, args, checked, &shown)?;
        before = done;
    }
    for problem in analysis.outcome.problems.iter().chain(&analysis.outcome.panic) {
        checked.bad = true;
        if place_of(&analysis.outcome, problem).is_none() {
            checked.told.push(analysis.outcome.printed(problem));
        }
    }
    let (mut found, mut fixes) = all(package, &analysis, &settings, args);
    for file in analysis.outcome.sources() {
        let before = before.remove(&file.path);
        let Some(path) = files.get(&file.path).cloned().or_else(|| {
            // What a fix changed is shown although nobody named it.
            before.as_ref().map(|_| file.path.display().to_string())
        }) else {
            continue;
        };
        let mut findings = found.remove(&file.path).unwrap_or_default();
        findings.sort_by_key(|finding| (finding.range, finding.code));
        let fixes = fixes.remove(&file.path).unwrap_or_default();
        let report = Report::of_source(path, &file.text, findings).offering(fixes);
        checked.reports.push(match before {
            Some(before) => report.fixed_from(TextBuffer::new(&before), !args.diff),
            None => report,
        });
    }
    Ok(())
}

type Found = (BTreeMap<PathBuf, Vec<Finding>>, BTreeMap<PathBuf, Vec<Fix>>);

/// All findings on Go files and what repairs them, by file.
fn all(package: &GoPackage, analysis: &Analysis, settings: &Settings, args: &CheckArgs) -> Found {
    let mut findings = analysis.findings();
    let mut fixes: BTreeMap<PathBuf, Vec<Fix>> = BTreeMap::new();
    for (path, told) in told(&analysis.outcome, &settings.rules) {
        for (finding, fix) in told {
            findings.entry(path.clone()).or_default().push(finding);
            fixes.entry(path.clone()).or_default().extend(fix);
        }
    }
    if args.output.tells_fixes() {
        for (path, fix) in offered(package, analysis, settings) {
            fixes.entry(path).or_default().push(fix);
        }
    } else {
        fixes.clear();
    }
    (findings, fixes)
}

/// Applies the safe fixes and writes what changes; the texts before.
pub(super) fn fixed(
    package: &GoPackage,
    analysis: Analysis,
    settings: &Settings,
    args: &CheckArgs,
    checked: &mut Checked,
    shown: &dyn Fn(&Path) -> String,
) -> Result<(Analysis, Texts), String> {
    let Repaired { texts, analysis: after, refused, before } = repaired(package, analysis, settings);
    for (path, text) in &texts {
        let old = before.get(path).map_or("", String::as_str);
        if !args.diff {
            replace(path, old, text)
                .map_err(|error| format!("{}: cannot write the fixes: {error}", shown(path)))?;
        }
    }
    checked.told.extend(refused.into_iter().map(|reason| format!("not fixed: {reason}")));
    Ok((after, before))
}
