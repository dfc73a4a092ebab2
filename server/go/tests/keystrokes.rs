//! What is generated after an edit is what is generated of the edited files, and costs the edited file.
#![allow(clippy::unwrap_used, missing_docs)]

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use go::generate::{Outcome, Request, generate_after};
use go::invocation::Options;
use go::load::{Build, Disk, Entry, Environment, FileSystem};
use go::source::Source;
use go::version::Version;

/// The file system with other texts, and a list of what was read.
#[derive(Default)]
struct Edited {
    texts: BTreeMap<PathBuf, String>,
    read: RefCell<Vec<PathBuf>>,
}

impl Disk for Edited {
    fn read(&self, path: &Path) -> Option<String> {
        self.read.borrow_mut().push(path.to_owned());
        self.texts.get(path).cloned().or_else(|| FileSystem::default().read(path))
    }

    fn list(&self, path: &Path) -> Vec<Entry> {
        FileSystem::default().list(path)
    }

    fn is_directory(&self, path: &Path) -> bool {
        path.is_dir()
    }
}

fn library() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/go/library").canonicalize().unwrap()
}

fn generated(disk: &Edited, before: Option<(&Outcome, &[PathBuf])>) -> Outcome {
    let folder = library();
    let request = Request {
        disk,
        environment: Environment { goroot: None, modcache: None, workspaces: false },
        build: Build::default(),
        folder: &folder,
        paths: &["./...".to_owned()],
        options: &Options::default(),
        header: "",
        version: Version::NEWEST,
    };
    generate_after(&request, before).unwrap()
}

/// Files, errors, and the tokens of some nodes.
fn told(outcome: &Outcome) -> (Vec<(&str, &str)>, Vec<String>, Vec<String>) {
    let files = outcome.files.iter().map(|file| (file.name.as_str(), file.text.as_str())).collect();
    let mut problems: Vec<String> = outcome.problems.iter().map(|problem| outcome.printed(problem)).collect();
    problems.sort();
    let mut tokens = Vec::new();
    for file in &outcome.files {
        let schema = ["spec", "versions", "0", "schema", "openAPIV3Schema", "properties", "spec"];
        let rule = [&schema[..], &["x-kubernetes-validations", "0", "rule"]].concat();
        for path in [&["spec", "names", "kind"][..], &schema, &rule] {
            let origins = outcome.origins(&file.name, path);
            tokens.extend(origins.iter().map(|origin| format!("{path:?} {}", outcome.text_of(origin))));
        }
    }
    (files, problems, tokens)
}

/// A Go file of the fixture that has this text.
fn file_with(text: &str) -> PathBuf {
    let mut pending = vec![library()];
    while let Some(folder) = pending.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|extension| extension == "go")
                && fs::read_to_string(&path).unwrap().contains(text)
            {
                return path;
            }
        }
    }
    unreachable!("no file has {text}")
}

#[test]
fn an_edit_reads_the_edited_file_alone_and_comes_to_the_same() {
    let path = file_with("Maximum=100000");
    let original = fs::read_to_string(&path).unwrap();
    let mut disk = Edited::default();
    let mut last = generated(&disk, None);
    let further = "\n// Further is new.\ntype Further struct {\n\tA string `json:\"a\"`\n}\n";
    for text in [
        original.replace("Maximum=100000", "Maximum=5"),
        original.replace("Maximum=100000", "Maximum=\"five\""),
        original.replace("Maximum=100000", "Maxmum=5"),
        format!("{original}{further}"),
        original.replacen("package ", "// One more line.\n\npackage ", 1),
        original.replacen("struct {", "struct {{", 1),
        original.clone(),
    ] {
        disk.texts.insert(path.clone(), text);
        disk.read.borrow_mut().clear();
        let changed = [path.clone()];
        let next = generated(&disk, Some((&last, &changed)));
        let read = disk.read.borrow().clone();
        assert!(read.iter().all(|read| *read == path), "{read:?}");
        let fresh = generated(&disk, None);
        assert_eq!(told(&next), told(&fresh));
        last = next;
    }
}

#[test]
fn another_package_clause_and_new_files_are_read_from_scratch() {
    let path = file_with("Maximum=100000");
    let original = fs::read_to_string(&path).unwrap();
    let mut disk = Edited::default();
    let last = generated(&disk, None);
    let line = original.lines().find(|line| line.starts_with("package ")).unwrap();
    disk.texts.insert(path.clone(), original.replace(line, "package other"));
    let next = generated(&disk, Some((&last, &[path])));
    let fresh = generated(&disk, None);
    assert_eq!(told(&next), told(&fresh));
}
