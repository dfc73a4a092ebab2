//! `crd-ls generate`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use go::discover::{Call, CallPlace};
use go::generate::{Outcome, Request, Status, generate};
use go::invocation::Options;
use go::load::{Build, Context, Environment, ModuleLocation, RootsError, is_file_pattern};
use go::version::Version;
use rayon::prelude::*;

use super::destination::{ComparisonResult, Destination, GenerationRun, relative};
use super::print::CommandOutput;
use crate::args::GenerateArgs;
use crate::config::Projects;
use crate::go_package::{RepositoryGroups, call_for, calls_below, unread_note, version_for};
use crate::golang::{GuardedDisk, environment, top_of};
use crate::guarded_files::{self, RepositoryRoot};
use crate::limits::MAX_BYTES;
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
    let mut runs = runs(args, &patterns, &folders, &disk, &cwd, &projects);
    if args.check && args.output_dir.is_none() {
        runs.retain(|run| match patched(run, &disk, &cwd, &projects) {
            Some(problem) => {
                shown.problems.extend((!shown.problems.contains(&problem)).then_some(problem));
                false
            }
            None => true,
        });
    }
    let made = |run| RunResult::generate_run(run, args, &disk, &environment, &cwd, &projects);
    let all: Vec<Result<RunResult, String>> = runs.into_par_iter().map(made).collect();
    let mut compared = ComparisonResult::default();
    // An error of one call does not prevent the others.
    for made in all {
        match made.and_then(|made| made.hand_out(args, &disk, &cwd, shown)) {
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

/// The definitions that are generated at once: with the same options, to the same directory.
struct Run {
    call: Option<Call>,
    /// Where the first pattern begins.
    folder: PathBuf,
    /// The folder that patterns count from, and the patterns.
    base: PathBuf,
    paths: Vec<String>,
}

/// The runs that the arguments ask for, one for each call of controller-gen. For a folder above those of several calls, each
/// of these calls generates the packages that it names.
fn runs(
    args: &GenerateArgs,
    patterns: &[&str],
    folders: &[PathBuf],
    disk: &GuardedDisk,
    cwd: &Path,
    projects: &Projects,
) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for (pattern, folder) in patterns.iter().zip(folders) {
        let call = call_for(disk, folder, projects);
        let is_made = |call: &Call| call.place != CallPlace::Definitions && call.covers_all(folder, disk);
        let is_covered = call.as_ref().is_some_and(is_made);
        let is_above = pattern.ends_with("...") && !is_covered && !has_options(args);
        let below = match is_above {
            true => runs_below(args, call.as_ref(), folder, cwd, disk, projects),
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
fn patched(run: &Run, disk: &GuardedDisk, cwd: &Path, projects: &Projects) -> Option<String> {
    if run.call.as_ref().is_some_and(|call| call.place != CallPlace::Definitions) {
        return None;
    }
    let folders = projects.scripts.patched_folders(disk, &run.folder, &top_of(&run.folder));
    let first = folders.first()?;
    Some(format!(
        "nothing checked: the project patches schemas into {} with `schemapatch`, which `generate --check` does not compare; use \
         `crd-ls check`, or pass --output-dir to compare whole definitions",
        relative(first, cwd).display()
    ))
}

/// Where a call is written.
fn place(call: Option<&Call>) -> Option<(&Path, CallPlace)> {
    call.map(|call| (call.file.as_path(), call.place))
}

/// The runs of the calls below a folder. Without calls, each package is generated into the directory of the existing
/// definitions of its group, or into the default one if there are none. Empty if `call`, the call of the folder itself, also
/// generates the packages that the arguments name.
fn runs_below(
    args: &GenerateArgs,
    call: Option<&Call>,
    folder: &Path,
    cwd: &Path,
    disk: &GuardedDisk,
    projects: &Projects,
) -> Vec<Run> {
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
    fn generate_run(
        run: Run,
        args: &GenerateArgs,
        disk: &GuardedDisk,
        environment: &Environment,
        cwd: &Path,
        projects: &Projects,
    ) -> Result<Self, String> {
        let Run { call, folder, base, paths } = run;
        if let Some(call) = &call
            && args.output_dir.is_none()
            && !args.stdout
        {
            stays_inside(call, &folder, cwd)?;
        }
        let called = call.as_ref().filter(|call| call.invocation.paths == paths && call.folder == base);
        let called = called.map(|call| place_of(call, cwd));
        let call_place = call.as_ref().map(|call| place_of(call, cwd)).unwrap_or_default();
        let later_step = call.as_ref().and_then(|call| later_step(call, disk, cwd));
        let removed = call.as_ref().map_or_else(Vec::new, |call| call.removed.clone());
        let mut notes = Vec::new();
        if call.is_none() && !has_options(args) && !args.stdout {
            notes.extend(unread(disk, &folder, cwd, projects));
        }
        let plan = plan(args, call, cwd, &mut notes);
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
                relative(folder, cwd).display()
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
        args: &GenerateArgs,
        disk: &GuardedDisk,
        cwd: &Path,
        shown: &mut CommandOutput,
    ) -> Result<ComparisonResult, String> {
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
fn unread(disk: &GuardedDisk, folder: &Path, cwd: &Path, projects: &Projects) -> Option<String> {
    let line = projects.scripts.unread_line(disk, folder, &top_of(folder), Version::NEWEST)?;
    Some(unread_note(&line, &|file| relative(file, cwd).display().to_string()))
}

/// The plan of a run: with the options of the command line, or otherwise with those of the project.
struct Plan {
    options: Options,
    header: Option<Header>,
    tags: Option<Vec<String>>,
    destination: Destination,
}

/// The file whose text each definition begins with.
enum Header {
    Given(PathBuf),
    /// A file that the project names, and that must be inside the repository.
    Found(PathBuf),
}

impl Header {
    fn text(&self, folder: &Path) -> Result<String, String> {
        let (file, read) = match self {
            Self::Given(file) => (file, guarded_files::named_text(file, MAX_BYTES)),
            Self::Found(file) => (file, RepositoryRoot::of(&top_of(folder)).text(file, MAX_BYTES)),
        };
        read.map_err(|error| format!("{}: {error}", file.display()))
    }
}

/// Rejects a call that writes outside the repository: a file of the repository must not cause that.
fn stays_inside(call: &Call, folder: &Path, cwd: &Path) -> Result<(), String> {
    let destination = Destination::of(Some(call), None, cwd);
    let Some(target) = destination.path() else { return Ok(()) };
    let what = if matches!(destination, Destination::File(_)) { "file" } else { "directory" };
    let real = target.ancestors().find_map(|above| dunce::canonicalize(above).ok());
    if real.is_some_and(|real| RepositoryRoot::of(&top_of(folder)).contains(&real)) {
        return Ok(());
    }
    Err(format!(
        "{}: the output {what} {} is outside the repository; pass --output-dir with the directory to use",
        place_of(call, cwd),
        target.display()
    ))
}

/// The place of a command after a call that changes its output.
fn later_step(call: &Call, disk: &GuardedDisk, cwd: &Path) -> Option<String> {
    let line = call.later_step(disk)?;
    Some(format!("{}:{line}", relative(&call.file, cwd).display()))
}

/// Where a call is written.
fn place_of(call: &Call, cwd: &Path) -> String {
    let file = relative(&call.file, cwd);
    let file = file.display();
    match call.place {
        CallPlace::Line(line) => format!("{file}:{line}"),
        CallPlace::Setting(_) | CallPlace::Definitions => file.to_string(),
    }
}

/// The options of the command line.
fn options(args: &GenerateArgs) -> Options {
    Options {
        max_description: args.max_desc_len,
        allow_dangerous_types: args.allow_dangerous_types,
        embedded_object_meta: args.generate_embedded_object_meta,
        ignore_unexported_fields: args.ignore_unexported_fields,
        preserve_unknown_fields: args.preserve_unknown_fields,
        header_file: None,
        year: args.year.clone().unwrap_or_default(),
        omit_tool_version: args.omit_tool_version,
        crd_versions: Vec::new(),
    }
}

/// Whether the command line says how to generate, so that the project's calls do not count.
fn has_options(args: &GenerateArgs) -> bool {
    options(args) != Options::default() || args.header_file.is_some() || args.build_tags.is_some()
}

fn plan(args: &GenerateArgs, call: Option<Call>, cwd: &Path, notes: &mut Vec<String>) -> Plan {
    let given_directory = args.output_dir.as_ref().map(|directory| absolute(directory));
    let destination = Destination::of(call.as_ref(), given_directory, cwd);
    match call {
        Some(call) if !has_options(args) => {
            let place = place_of(&call, cwd);
            notes.push(match (call.place, &destination) {
                (CallPlace::Definitions, _) => {
                    format!("using the options that {place} shows, and its directory; `go.calls` in .crd-ls.toml replaces them")
                }
                (_, Destination::Directory(_)) => {
                    format!("using the options and the output directory of the call in {place}")
                }
                (_, Destination::File(to)) => {
                    let file = relative(&to.file, cwd);
                    format!("using the options of the call in {place}, whose output is written to {}", file.display())
                }
                (_, Destination::Default(_) | Destination::Unknown { .. }) => {
                    format!("using the options of the call in {place}")
                }
            });
            let header = call.invocation.options.header_file.as_ref();
            let header = header.map(|file| Header::Found(call.folder.join(file)));
            Plan { options: call.invocation.options, header, tags: call.invocation.tags, destination }
        }
        _ => Plan {
            options: options(args),
            header: args.header_file.as_ref().map(|file| Header::Given(absolute(file))),
            tags: args.build_tags.as_ref().map(|tags| tags.split(',').map(str::to_owned).collect()),
            destination,
        },
    }
}

/// The release of controller-gen to imitate, if it is supported.
fn supported(version: Option<Version>, notes: &mut Vec<String>) -> Result<Version, String> {
    let version = version.unwrap_or(Version::NEWEST);
    if version < Version::OLDEST {
        return Err(format!(
            "controller-gen {version} is older than {}, the oldest supported release; name another one with \
             --controller-gen-version",
            Version::OLDEST
        ));
    }
    if version > Version::NEWEST {
        notes.push(format!(
            "controller-gen {version} is newer than {}, the newest supported release, whose output is written instead",
            Version::NEWEST
        ));
    }
    Ok(version)
}

/// The folder that a pattern begins at; the current one where there is none.
fn folder_of(
    pattern: &str,
    cwd: &Path,
    disk: &GuardedDisk,
    environment: &Environment,
) -> Result<PathBuf, String> {
    let begins = pattern.strip_suffix("...").unwrap_or(pattern);
    let folder = absolute(&cwd.join(begins));
    if folder.is_dir() {
        return Ok(folder);
    }
    if is_file_pattern(pattern) {
        return Err(RootsError::NoFolder(relative(&folder, cwd)).to_string());
    }
    let found = Context::of(cwd, disk, environment)
        .map(|mut context| context.find(begins.trim_end_matches('/'), false, disk, environment));
    Ok(match found {
        Some(ModuleLocation::Folder(folder)) => folder,
        _ => cwd.to_owned(),
    })
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
