//! The answers of controller-gen to a case, and our own.
#![allow(dead_code)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{env, fs};

use go::Repair;
use go::generate::{Outcome, Request, Status, generate};
use go::invocation::{Invocation, Target};
use go::load::{Build, Environment, FileSystem, Library};
use go::version::Version;

/// Files by name, and the text on stderr.
#[derive(Default)]
pub(crate) struct Answer {
    pub(crate) status: u8,
    pub(crate) files: BTreeMap<String, String>,
    pub(crate) stdout: String,
    pub(crate) errors: BTreeSet<String>,
}

pub(crate) fn environment() -> Environment {
    let home = env::var_os("HOME").map(PathBuf::from);
    let modcache = env::var_os("GOMODCACHE").map(PathBuf::from).or_else(|| Some(home?.join("go/pkg/mod")));
    let goroot = env::var_os("GOROOT").map_or_else(|| PathBuf::from("/usr/local/go"), PathBuf::from);
    Environment { goroot: Some(goroot), modcache, workspaces: false }
}

fn split_arguments(args: &str) -> Vec<String> {
    args.split_whitespace().map(|word| word.replace('"', "")).collect()
}

/// The text after a fix.
pub(crate) fn repaired(text: &str, repair: &Repair) -> String {
    let mut edits = repair.edits.clone();
    edits.sort_by_key(|(place, _)| std::cmp::Reverse(place.span));
    let mut text = text.to_owned();
    for (place, new) in edits {
        text.replace_range(place.span.start as usize..place.span.end as usize, &new);
    }
    text
}

/// The outcome for a package with this text.
pub(crate) fn outcome_of(text: &str, version: Version) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    fs::write(root.join("go.mod"), "module example.com/a\n").unwrap();
    fs::write(root.join("types.go"), text).unwrap();
    let (_, outcome) = ours(&root, "crd paths=./... output:dir=out", version);
    outcome.unwrap()
}

/// The generated files of a folder, with the modules in the module cache of this machine.
pub(crate) fn ours(case: &Path, args: &str, version: Version) -> (Answer, Option<Outcome>) {
    ours_with(environment(), case, args, version)
}

/// The generated files of a folder, without a module cache and a GOROOT.
pub(crate) fn ours_alone(case: &Path, args: &str, version: Version) -> (Answer, Option<Outcome>) {
    ours_with(Environment::default(), case, args, version)
}

fn ours_with(modules: Environment, case: &Path, args: &str, version: Version) -> (Answer, Option<Outcome>) {
    let words = split_arguments(args);
    let mut answer = Answer::default();
    let call = match Invocation::read(words.iter().map(String::as_str), version) {
        Ok(Some(call)) => call,
        Ok(None) => panic!("{}: no call", case.display()),
        Err(message) => {
            answer.status = 1;
            answer.errors.insert(format!("Error: {message}"));
            return (answer, None);
        }
    };
    let mut build = Build { os: "linux".to_owned(), arch: "amd64".to_owned(), ..Build::default() };
    if let Some(tags) = call.tags {
        build = build.with_tags(tags);
    }
    let header = call
        .options
        .header_file
        .as_ref()
        .map_or_else(String::new, |file| fs::read_to_string(case.join(file)).unwrap());
    let disk = FileSystem::default();
    let request = Request {
        disk: &disk,
        library: &Library::default(),
        environment: modules,
        build,
        folder: case,
        paths: &call.paths,
        options: &call.options,
        header: &header,
        version,
    };
    let outcome = match generate(&request) {
        Ok(outcome) => outcome,
        Err(error) => {
            answer.status = 1;
            answer.errors.insert(error.to_string());
            return (answer, None);
        }
    };
    answer.status = match outcome.status() {
        Status::Sound => 0,
        Status::Errors => 1,
        Status::Panic => 2,
    };
    if call.target == Target::Stdout {
        answer.stdout = outcome.files.iter().map(|file| &*file.text).collect();
    } else {
        answer.files = outcome.files.iter().map(|file| (file.name.clone(), file.text.to_string())).collect();
    }
    let shown = case.display().to_string();
    let modcache = environment().modcache.unwrap().display().to_string();
    let printed = outcome.problems.iter().map(|problem| outcome.printed(problem));
    answer.errors =
        printed.map(|line| line.replace(&shown, "$CASE").replace(&modcache, "$GOMODCACHE")).collect();
    (answer, Some(outcome))
}

pub(crate) fn theirs(case: &Path) -> Answer {
    let mut answer = Answer::default();
    let mut pending = vec![case.join("expected")];
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                pending.push(path);
            } else {
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                // Files of generators other than `crd` are ignored.
                if !matches!(&*name, "role.yaml" | "manifests.yaml") {
                    answer.files.insert(name, fs::read_to_string(&path).unwrap());
                }
            }
        }
    }
    let log = fs::read_to_string(case.join("expected.log")).unwrap();
    read_log(&log, &mut answer);
    answer
}

pub(crate) fn read_log(log: &str, answer: &mut Answer) {
    answer.status = log.lines().next().unwrap().trim_start_matches("rc: ").parse().unwrap();
    let (out, errors) = log.split_once("stderr:\n").map_or((log, ""), |parts| parts);
    if let Some((_, out)) = out.split_once("stdout:\n") {
        out.clone_into(&mut answer.stdout);
    }
    let ends = ["Error: not all generators ran successfully", "", "exit status 1"];
    answer.errors = errors.lines().filter(|line| !ends.contains(line)).map(str::to_owned).collect();
}

/// Why a log is not compared line by line.
pub(crate) fn other_words(case: &str) -> Option<&'static str> {
    Some(match case {
        "t_syntax_error" | "t_syntax_error_other_file" | "l_import_only_in_untagged" => {
            "errors of syntax are told in the words of another parser"
        }
        "t_unresolved_import_error" => "a missing module is told with the command that downloads it",
        "c_path_file" => "the go command's own words",
        "c_unserved_error" => "a dump of Go's values",
        "c_no_paths" => "a folder without Go files has no place",
        "l_marker_error_in_import" => "",
        _ => return None,
    })
    .filter(|reason| !reason.is_empty())
}

fn first_difference(ours: &str, theirs: &str) -> String {
    let (mut a, mut b) = (ours.lines(), theirs.lines());
    let mut number = 0;
    loop {
        number += 1;
        match (a.next(), b.next()) {
            (None, None) => return "the ends of lines".to_owned(),
            (a, b) if a != b => return format!("line {number}\n    ours   {a:?}\n    theirs {b:?}"),
            _ => {}
        }
    }
}

pub(crate) fn differences(ours: &Answer, theirs: &Answer, name: &str) -> Vec<String> {
    let mut found = Vec::new();
    if ours.status != theirs.status {
        found.push(format!("status {}, not {}", ours.status, theirs.status));
    }
    if ours.stdout != theirs.stdout {
        found.push(format!("stdout: {}", first_difference(&ours.stdout, &theirs.stdout)));
    }
    let names: BTreeSet<&String> = ours.files.keys().chain(theirs.files.keys()).collect();
    for file in names {
        match (ours.files.get(file), theirs.files.get(file)) {
            (Some(a), Some(b)) if a != b => found.push(format!("{file}: {}", first_difference(a, b))),
            (Some(_), Some(_)) => {}
            (None, _) => found.push(format!("{file} is not written")),
            (_, None) => found.push(format!("{file} is written")),
        }
    }
    if theirs.status != 2 && other_words(name).is_none() {
        found.extend(ours.errors.difference(&theirs.errors).map(|line| format!("too much: {line}")));
        found.extend(theirs.errors.difference(&ours.errors).map(|line| format!("not told: {line}")));
    }
    found
}

pub(crate) fn args(case: &Path) -> String {
    fs::read_to_string(case.join("args")).unwrap_or_else(|_| "crd paths=./... output:dir=expected".to_owned())
}
