//! `crd-ls generate`.

mod context;
mod plan;
mod runs;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use go::discover::Call;
use go::generate::{Outcome, Request, Status, generate};
use go::load::{Build, RootsError};
use go::version::Version;
use rayon::prelude::*;

use self::context::{GenerateContext, folder_of};
use self::plan::{Plan, has_options, supported};
use self::runs::{Run, patched, runs};
use super::destination::{ComparisonResult, Destination, GenerationRun};
use super::print::CommandOutput;
use crate::args::GenerateArgs;
use crate::config::Projects;
use crate::go_package::{unread_note, version_for};
use crate::golang::{GuardedDisk, environment, top_of};
use crate::guarded_files::RepositoryRoot;
use crate::paths::absolute;

/// The default pattern of packages.
const DEFAULT_PATH: &str = "./...";

/// Writes the definitions of the Go packages that the arguments name.
pub(crate) fn run(args: &GenerateArgs) -> ExitCode {
    let mut shown = CommandOutput::default();
    if let Err(problem) = run_into(args, &mut shown) {
        shown.problems.push(problem);
    }
    shown.write()
}

fn run_into(args: &GenerateArgs, shown: &mut CommandOutput) -> Result<(), String> {
    let cwd = absolute(Path::new("."));
    let environment = environment();
    let here = GuardedDisk::of([cwd.as_path()], &environment);
    let patterns: Vec<&str> = match args.paths.as_slice() {
        [] => vec![DEFAULT_PATH],
        paths => paths.iter().map(String::as_str).collect(),
    };
    let folders: Result<Vec<PathBuf>, String> =
        patterns.iter().map(|path| folder_of(path, &cwd, &here, &environment)).collect();
    let folders = folders?;
    let disk = GuardedDisk::of(folders.iter().map(PathBuf::as_path), &environment);
    let projects = Projects::default();
    let context =
        &GenerateContext { args, cwd: &cwd, disk: &disk, environment: &environment, projects: &projects };
    let mut runs = runs(context, &patterns, &folders);
    if args.check && args.output_dir.is_none() {
        runs.retain(|run| match patched(context, run) {
            Some(problem) => {
                shown.problems.extend((!shown.problems.contains(&problem)).then_some(problem));
                false
            }
            None => true,
        });
    }
    let made = |run| RunResult::of(context, run);
    let all: Vec<Result<RunResult, String>> = runs.into_par_iter().map(made).collect();
    let mut compared = ComparisonResult::default();
    // An error of one call does not prevent the others.
    for made in all {
        match made.and_then(|made| made.hand_out(context, shown)) {
            Ok(more) => compared.add(more),
            Err(problem) => shown.problems.push(problem),
        }
    }
    let is_generated = !compared.reasons.is_empty();
    shown.notes.append(&mut compared.reasons);
    // A check that looks at nothing must not pass.
    if args.check && compared.count == 0 && shown.problems.is_empty() && !shown.bad {
        let paths = patterns.join(" ");
        return Err(match is_generated {
            true => "nothing checked: no generated definition can be compared with a file".to_owned(),
            false => format!("nothing checked: {paths} has no kinds; name the packages, as in `./api/...`"),
        });
    }
    Ok(())
}

/// The result of a run, of which nothing is written yet.
struct RunResult {
    outcome: Outcome,
    destination: Destination,
    /// The call that makes it, as notes show it.
    call: String,
    /// The place of a later command that changes its output.
    later_step: Option<String>,
    /// The paths that later commands remove.
    removed: Vec<PathBuf>,
    /// Where the first pattern begins.
    folder: PathBuf,
    notes: Vec<String>,
}

impl RunResult {
    /// Generates the definitions of a run.
    fn of(context: &GenerateContext<'_>, run: Run) -> Result<Self, String> {
        let GenerateContext { args, cwd, disk, environment, projects } = *context;
        let Run { call, folder, base, paths } = run;
        if let Some(call) = &call
            && args.output_dir.is_none()
            && !args.stdout
        {
            stays_inside(context, call, &folder)?;
        }
        let called = call.as_ref().filter(|call| call.invocation.paths == paths && call.folder == base);
        let called = called.map(|call| context.place_of(call));
        let call_place = call.as_ref().map(|call| context.place_of(call)).unwrap_or_default();
        let later_step = call.as_ref().and_then(|call| later_step(context, call));
        let removed = call.as_ref().map_or_else(Vec::new, |call| call.removed.clone());
        let mut notes = Vec::new();
        if call.is_none() && !has_options(args) && !args.stdout {
            notes.extend(unread(context, &folder));
        }
        let plan = Plan::of(context, call, &mut notes);
        let found = || version_for(disk, &folder, plan.destination.directory(), projects);
        let version = supported(args.controller_gen_version.or_else(found), &mut notes)?;
        let header = match &plan.header {
            Some(header) => header.text(&folder)?,
            None => String::new(),
        };
        let mut build = Build::default();
        if let Some(tags) = plan.tags {
            build = build.with_tags(tags);
        }
        let request = Request {
            disk,
            library: &projects.library,
            environment: environment.clone(),
            build,
            folder: &base,
            paths: &paths,
            options: &plan.options,
            header: &header,
            version,
        };
        let outcome = generate(&request).map_err(|error| match (called, &error) {
            (Some(call), RootsError::NoFolder(folder)) => format!(
                "{call}: the call names {}, but there is no such directory; correct its `paths=`",
                context.shown(folder)
            ),
            (Some(call), _) => format!("{call}: {error}"),
            (None, _) => error.to_string(),
        })?;
        notes.extend(messages(&outcome, cwd));
        if outcome.files.is_empty() && outcome.status() == Status::Sound {
            notes.push(format!("{}: no kinds found", paths.join(" ")));
        }
        Ok(Self {
            outcome,
            destination: plan.destination,
            call: call_place,
            later_step,
            removed,
            folder,
            notes,
        })
    }

    /// Writes or compares the definitions.
    fn hand_out(
        self,
        context: &GenerateContext<'_>,
        shown: &mut CommandOutput,
    ) -> Result<ComparisonResult, String> {
        let GenerateContext { args, cwd, disk, .. } = *context;
        let Self { outcome, destination, call, later_step, removed, folder, notes } = self;
        shown.notes.extend(notes);
        shown.bad |= outcome.status() != Status::Sound && !is_only_elsewhere(&outcome);
        let later_step = later_step.as_deref();
        let handed = GenerationRun {
            outcome: &outcome,
            call: &call,
            later_step,
            removed: &removed,
            folder: &folder,
            disk,
            cwd,
        };
        let compared = if args.stdout {
            outcome.files.iter().for_each(|file| shown.text.push_str(&file.text));
            ComparisonResult::default()
        } else if args.check {
            handed.check(&destination, shown)?
        } else {
            handed.write(&destination, shown)?;
            ComparisonResult::default()
        };
        // The process ends soon: to free all schemas one by one would only take time.
        std::mem::forget(outcome);
        Ok(compared)
    }
}

/// The remark on a call whose packages are known only when it runs.
fn unread(context: &GenerateContext<'_>, folder: &Path) -> Option<String> {
    let scripts = &context.projects.scripts;
    let line = scripts.unread_line(context.disk, folder, &top_of(folder), Version::NEWEST)?;
    Some(unread_note(&line, &|file| context.shown(file)))
}

/// Rejects a call that writes outside the repository: a file of the repository must not cause that.
fn stays_inside(context: &GenerateContext<'_>, call: &Call, folder: &Path) -> Result<(), String> {
    let destination = Destination::of(Some(call), None, context.cwd);
    let Some(target) = destination.path() else { return Ok(()) };
    let what = if matches!(destination, Destination::File(_)) { "file" } else { "directory" };
    let real = target.ancestors().find_map(|above| dunce::canonicalize(above).ok());
    if real.is_some_and(|real| RepositoryRoot::of(&top_of(folder)).contains(&real)) {
        return Ok(());
    }
    Err(format!(
        "{}: the output {what} {} is outside the repository; pass --output-dir with the directory to use",
        context.place_of(call),
        target.display()
    ))
}

/// The place of a command after a call that changes its output.
fn later_step(context: &GenerateContext<'_>, call: &Call) -> Option<String> {
    let line = call.later_step(context.disk)?;
    Some(format!("{}:{line}", context.shown(&call.file)))
}

/// Whether missing modules are the only problem, and no definition needs their types, as only controllers and tests do.
fn is_only_elsewhere(outcome: &Outcome) -> bool {
    outcome.problems.is_empty() && outcome.panic.is_none() && outcome.is_complete()
}

/// The messages of controller-gen, and the missing modules.
fn messages(outcome: &Outcome, cwd: &Path) -> Vec<String> {
    let prefix = format!("{}{}", cwd.display(), std::path::MAIN_SEPARATOR);
    let short = |line: String| line.strip_prefix(&prefix).map_or(line.clone(), str::to_owned);
    let built_in = outcome.built_in().map(|builtin| {
        let place = outcome.place_text(builtin.place);
        format!("{place}: {}", builtin.built_in_message())
    });
    let missing = if is_only_elsewhere(outcome) { [].iter() } else { outcome.missing.iter() };
    let missing =
        missing.map(|missing| format!("{}: {}", outcome.place_text(missing.place), missing.message()));
    let problems = outcome.problems.iter().chain(&outcome.panic);
    let problems = problems.map(|problem| outcome.printed(problem));
    built_in.chain(missing).chain(problems).map(short).collect()
}
