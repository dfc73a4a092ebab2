//! Compares random packages with controller-gen itself (`CRD_LS_CONTROLLER_GEN` names the program, v0.23.0; it needs Go).
//! `CRD_LS_CASES` sets their number, `CRD_LS_SEED` the seed.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, missing_docs)]

mod answers;
#[path = "../../../tests/support/beside.rs"]
mod beside;
mod packages;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use answers::ours;
use go::version::Version;
use packages::PackageGenerator;

/// The number of packages of one run.
const BATCH: usize = 350;

/// The files by name and the errors of controller-gen.
fn theirs(program: &Path, root: &Path) -> (BTreeMap<String, String>, BTreeSet<String>) {
    let folder = root.join("out");
    let output = Command::new(program)
        .args(["crd", "paths=./...", "output:dir=out"])
        .current_dir(root)
        .envs([("GOFLAGS", "-mod=mod"), ("GOPROXY", "off"), ("GOWORK", "off")])
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!errors.contains("panic:"), "{errors}");
    let shown = root.display().to_string();
    let lines = errors
        .lines()
        .filter(|line| !line.starts_with("run `") && !line.starts_with("Error: ") && !line.is_empty());
    let lines = lines.map(|line| line.replace(&shown, "$CASE")).collect();
    let files = fs::read_dir(&folder).into_iter().flatten().map(|entry| {
        let path = entry.unwrap().path();
        (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read_to_string(&path).unwrap())
    });
    let files = files.collect();
    fs::remove_dir_all(&folder).ok();
    (files, lines)
}

#[test]
fn random_packages_are_written_as_controller_gen_writes_them() {
    let Some(program) = environment::controller_gen() else {
        beside::skipped("CRD_LS_CONTROLLER_GEN names no controller-gen");
        return;
    };
    let count = environment::made_up(BATCH);
    let (mut alike, mut files) = (0, 0);
    let mut wrong = Vec::new();
    for batch in 0..count.div_ceil(BATCH) {
        let seed = environment::seed(1) + batch as u64;
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        PackageGenerator::new(seed).module(&root, BATCH.min(count - batch * BATCH));
        let (theirs, their_errors) = theirs(&program, &root);
        let (ours, _) = ours(&root, "crd paths=./... output:dir=out", Version::NEWEST);
        files += theirs.len();
        let before = wrong.len();
        for (name, text) in &theirs {
            if ours.files.get(name) == Some(text) {
                alike += 1;
            } else {
                wrong.push(format!("seed {seed}: {name}"));
            }
        }
        wrong.extend(
            ours.files
                .keys()
                .filter(|name| !theirs.contains_key(*name))
                .map(|name| format!("seed {seed}: {name} too much")),
        );
        wrong.extend(
            ours.errors.symmetric_difference(&their_errors).map(|line| format!("seed {seed}: {line}")),
        );
        if wrong.len() > before
            && let Some(kept) = environment::keep()
        {
            fs::rename(folder.keep(), kept.join(format!("seed-{seed}"))).unwrap();
        }
    }
    println!("{alike} of {files} files of {count} packages are alike");
    assert!(wrong.is_empty(), "{alike} of {files} files are alike\n{}", wrong.join("\n"));
}
