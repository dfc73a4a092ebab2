//! `crd-ls check` of Go files: what is wrong with the definitions that are generated of them, at the tokens that cause it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use go::discover;
use go::generate::{Request, generate};
use go::invocation::Options;
use go::load::Build;
use go::version::Version;
use ide::Stop;

use super::input::settings_of;
use super::walk::Source;
use crate::args::CheckArgs;
use crate::config::Projects;
use crate::generated::{Around, Generated};
use crate::golang::{Guarded, environment, top_of};
use crate::paths::absolute;
use crate::report::Report;

/// What there is to say of Go files.
#[derive(Debug, Default)]
pub(super) struct Checked {
    /// The findings of each file.
    pub(super) reports: Vec<Report>,
    /// What controller-gen reports, and what it passes over.
    pub(super) told: Vec<String>,
    /// Whether controller-gen reports an error.
    pub(super) bad: bool,
}

/// Whether a path is that of a Go file.
pub(super) fn is_go(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|extension| extension == "go")
}

/// Checks Go files, package by package.
pub(super) fn check(
    paths: &[String],
    args: &CheckArgs,
    projects: &Projects,
    problems: &mut Vec<String>,
) -> Checked {
    let mut packages: BTreeMap<PathBuf, BTreeMap<PathBuf, &str>> = BTreeMap::new();
    for path in paths {
        let file = absolute(Path::new(path));
        if let Some(folder) = file.parent() {
            packages.entry(folder.to_owned()).or_default().insert(file, path);
        }
    }
    let mut checked = Checked::default();
    for (folder, files) in packages {
        if let Err(problem) = package(&folder, &files, args, projects, &mut checked) {
            problems.push(problem);
        }
    }
    checked
}

fn package(
    folder: &Path,
    files: &BTreeMap<PathBuf, &str>,
    args: &CheckArgs,
    projects: &Projects,
    checked: &mut Checked,
) -> Result<(), String> {
    let environment = environment();
    let disk = Guarded::of([folder], &environment);
    let top = top_of(folder);
    let call = discover::call_for(&disk, folder, &top, Version::NEWEST);
    let target = call.as_ref().and_then(discover::Call::target);
    let found = discover::version(&disk, folder, &top, target.as_deref());
    let version =
        found.map_or(Version::NEWEST, |found| found.version.clamp(Version::OLDEST, Version::NEWEST));
    let request = Request {
        disk: &disk,
        environment,
        build: Build::default(),
        folder,
        paths: &[".".to_owned()],
        options: &call.map_or_else(Options::default, |call| call.invocation.options),
        header: "",
        version,
    };
    let outcome = generate(&request).map_err(|error| error.to_string())?;
    let told = |place| Some((outcome.source(place)?, files.get(&outcome.source(place)?.path)?));
    for problem in outcome.problems.iter().chain(&outcome.panic) {
        checked.told.push(outcome.printed(problem));
        checked.bad = true;
    }
    let missing = outcome.missing.iter().map(|missing| (missing.place, missing.message()));
    let dead =
        outcome.dead_markers().into_iter().map(|dead| (dead.place, format!("warning: {}", dead.message)));
    for (place, message) in missing.chain(dead) {
        if told(place.file).is_some() {
            checked.told.push(format!("{}: {message}", outcome.shown(place)));
        }
    }
    let of = |path: PathBuf| settings_of(&Source::found(path), args.kubernetes_version, projects);
    let of_folder = of(folder.join("-"))?;
    let settings = |path: &Path| of(path.to_owned()).unwrap_or_else(|_| of_folder.clone());
    let around = Around { settings: &settings, base: &|_| None, stop: &Stop::default() };
    let Some(generated) = Generated::new(outcome.into(), None, &around) else { return Ok(()) };
    let mut found = generated.findings();
    for file in generated.outcome.sources() {
        if let Some(path) = files.get(&file.path) {
            let findings = found.remove(&file.path).unwrap_or_default();
            checked.reports.push(Report::of_source((*path).to_owned(), &file.text, findings));
        }
    }
    Ok(())
}
