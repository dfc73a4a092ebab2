//! The runs that the arguments ask for: which packages are generated together, with which call of controller-gen.

use std::path::{Path, PathBuf};

use go::discover::{Call, CallPlace};

use super::context::GenerateContext;
use super::plan::has_options;
use crate::go_package::{RepositoryGroups, call_for, calls_below};
use crate::golang::top_of;

/// The definitions that are generated at once: with the same options, to the same directory.
pub(super) struct Run {
    pub(super) call: Option<Call>,
    /// Where the first pattern begins.
    pub(super) folder: PathBuf,
    /// The folder that patterns count from, and the patterns.
    pub(super) base: PathBuf,
    pub(super) paths: Vec<String>,
}

/// The runs that the arguments ask for, one for each call of controller-gen. For a folder above those of several calls, each
/// of these calls generates the packages that it names.
pub(super) fn runs(context: &GenerateContext<'_>, patterns: &[&str], folders: &[PathBuf]) -> Vec<Run> {
    let GenerateContext { args, cwd, disk, projects, .. } = *context;
    let mut runs: Vec<Run> = Vec::new();
    for (pattern, folder) in patterns.iter().zip(folders) {
        let call = call_for(disk, folder, projects);
        let is_made = |call: &Call| call.place != CallPlace::Definitions && call.covers_all(folder, disk);
        let is_covered = call.as_ref().is_some_and(is_made);
        let is_above = pattern.ends_with("...") && !is_covered && !has_options(args);
        let below = match is_above {
            true => runs_below(context, call.as_ref(), folder),
            false => Vec::new(),
        };
        if !below.is_empty() {
            runs.extend(below);
        } else if let Some(run) =
            runs.iter_mut().find(|run| run.base == cwd && place(run.call.as_ref()) == place(call.as_ref()))
        {
            run.paths.push((*pattern).to_owned());
        } else {
            runs.push(Run {
                call,
                folder: folder.clone(),
                base: cwd.to_owned(),
                paths: vec![(*pattern).to_owned()],
            });
        }
    }
    runs
}

/// The problem with a run for which the project calls only `schemapatch`: it writes schemas into definitions that people
/// maintain, so generated definitions cannot be compared with files.
pub(super) fn patched(context: &GenerateContext<'_>, run: &Run) -> Option<String> {
    if run.call.as_ref().is_some_and(|call| call.place != CallPlace::Definitions) {
        return None;
    }
    let scripts = &context.projects.scripts;
    let folders = scripts.patched_folders(context.disk, &run.folder, &top_of(&run.folder));
    let first = folders.first()?;
    Some(format!(
        "nothing checked: the project patches schemas into {} with `schemapatch`, which `generate --check` does not compare; use \
         `crd-ls check`, or pass --output-dir to compare whole definitions",
        context.shown(first)
    ))
}

/// Where a call is written.
fn place(call: Option<&Call>) -> Option<(&Path, CallPlace)> {
    call.map(|call| (call.file.as_path(), call.place))
}

/// The runs of the calls below a folder. Without calls, each package is generated into the directory of the existing
/// definitions of its group, or into the default one if there are none. Empty if `call`, the call of the folder itself, also
/// generates the packages that the arguments name.
fn runs_below(context: &GenerateContext<'_>, call: Option<&Call>, folder: &Path) -> Vec<Run> {
    let GenerateContext { args, cwd, disk, projects, .. } = *context;
    let run = |call: Call| Run {
        folder: folder.to_owned(),
        base: call.folder.clone(),
        paths: call.invocation.paths.clone(),
        call: Some(call),
    };
    let mut runs: Vec<Run> = calls_below(disk, folder, projects).into_iter().map(run).collect();
    if !runs.is_empty() {
        return runs;
    }
    for packages in RepositoryGroups::default().below(folder, projects) {
        let call = packages.first().and_then(|first| call_for(disk, first, projects));
        let paths = packages.iter().map(|package| package.display().to_string());
        match runs.iter_mut().find(|run| place(run.call.as_ref()) == place(call.as_ref())) {
            Some(run) => run.paths.extend(paths),
            None => {
                let (folder, base) = (folder.to_owned(), cwd.to_owned());
                runs.push(Run { call, folder, base, paths: paths.collect() });
            }
        }
    }
    let is_same = runs.iter().all(|run| place(run.call.as_ref()) == place(call));
    if is_same && !args.paths.is_empty() { Vec::new() } else { runs }
}
