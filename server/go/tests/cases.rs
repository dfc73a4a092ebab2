//! All cases with recorded answers of controller-gen (`../shared/cases/go/cases`): files are compared byte for byte, errors
//! by place and text.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, missing_docs)]

mod answers;
#[path = "../../../tests/support/beside.rs"]
mod beside;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use answers::{Answer, args, differences, environment, other_words, ours, read_log, theirs};
use go::version::Version;

fn note(case: &Path) -> String {
    fs::read_to_string(case.join("NOTE")).unwrap_or_else(|_| String::new())
}

fn cases() -> Option<Vec<PathBuf>> {
    let folder = beside::shared("cases/go/cases", "the cases of controller-gen are not tried")?;
    let folder = folder.canonicalize().unwrap();
    let only = environment::only();
    let mut cases: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    cases.retain(|case| only.as_ref().is_none_or(|only| case.ends_with(only)));
    cases.sort();
    Some(cases)
}

/// Whether the modules that a case needs are available.
fn is_possible(case: &Path) -> bool {
    let name = case.file_name().unwrap().to_string_lossy();
    if !name.starts_with("real_") {
        return true;
    }
    let modcache = environment().modcache.unwrap();
    let there =
        modcache.join("k8s.io/api@v0.37.2").is_dir() && modcache.join("k8s.io/apimachinery@v0.37.2").is_dir();
    if !there {
        beside::skipped(&format!("{name} needs k8s.io/api v0.37.2 in the module cache (GOMODCACHE)"));
    }
    there
}

/// The number of equal cases, and the differences of the others.
#[derive(Default)]
struct Tally {
    alike: usize,
    count: usize,
    wrong: Vec<String>,
}

impl Tally {
    fn add(&mut self, case: &Path, ours: &Answer, theirs: &Answer) {
        let name = case.file_name().unwrap().to_string_lossy().into_owned();
        let found = differences(ours, theirs, &name);
        self.count += 1;
        if found.is_empty() {
            self.alike += 1;
        } else if note(case).starts_with("NONDETERMINISTIC") {
            self.count -= 1;
            let reason = note(case);
            beside::skipped(&format!(
                "{name}: controller-gen's answer changes from run to run: {}",
                reason.trim()
            ));
            // The names of the files do not change.
            assert!(ours.files.keys().eq(theirs.files.keys()) || theirs.status == 1, "{name}: {found:?}");
        } else {
            self.wrong.push(format!("{name}:\n  {}", found.join("\n  ")));
        }
    }
}

#[test]
fn every_case_has_the_answer_of_controller_gen() {
    let Some(cases) = cases() else { return };
    let mut tally = Tally::default();
    for case in cases.iter().filter(|case| is_possible(case)) {
        let name = case.file_name().unwrap().to_string_lossy().into_owned();
        if let Some(reason) = other_words(&name) {
            beside::skipped(&format!("{name}: the log is not compared: {reason}"));
        }
        let (ours, _) = ours(case, &args(case), Version::NEWEST);
        tally.add(case, &ours, &theirs(case));
    }
    let Tally { alike, count, wrong } = tally;
    println!("{alike} of {count} cases are alike");
    assert!(wrong.is_empty(), "{alike} of {count} cases are alike\n{}", wrong.join("\n"));
}

/// The texts that a diff changes, by their names in it, with the hunks for each.
fn patches(diff: &str) -> BTreeMap<String, Vec<Vec<&str>>> {
    let mut files: BTreeMap<String, Vec<Vec<&str>>> = BTreeMap::new();
    let mut name = String::new();
    let mut rest = (0_usize, 0_usize);
    for line in diff.split_inclusive('\n') {
        if rest == (0, 0) {
            if let Some(old) = line.strip_prefix("--- ") {
                old.split('\t').next().unwrap().clone_into(&mut name);
            } else if line.starts_with("@@ ") {
                let counts: Vec<usize> = line
                    .split(' ')
                    .skip(1)
                    .take(2)
                    .map(|range| range.split_once(',').map_or(1, |(_, count)| count.parse().unwrap()))
                    .collect();
                rest = (counts[0], counts[1]);
                files.entry(name.clone()).or_default().push(vec![line]);
            }
            continue;
        }
        match line.as_bytes()[0] {
            b' ' => rest = (rest.0 - 1, rest.1 - 1),
            b'-' => rest.0 -= 1,
            b'+' => rest.1 -= 1,
            _ => {}
        }
        files.get_mut(&name).unwrap().last_mut().unwrap().push(line);
    }
    files
}

/// A text with the hunks of a diff applied; `None` if the hunks belong to another text.
fn patched(text: &str, hunks: &[Vec<&str>]) -> Option<String> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut out = String::new();
    let mut at = 0;
    for hunk in hunks {
        let start = hunk[0].split(' ').nth(1).unwrap().trim_start_matches('-').split(',').next().unwrap();
        let start: usize = start.parse::<usize>().unwrap().max(1) - 1;
        lines.get(at..start)?.iter().for_each(|line| out.push_str(line));
        at = start;
        for line in &hunk[1..] {
            let (mark, line) = line.split_at(1);
            if mark != "+" && mark != "\\" {
                if lines.get(at) != Some(&line) {
                    return None;
                }
                at += 1;
            }
            if mark == " " || mark == "+" {
                out.push_str(line);
            }
        }
    }
    lines.get(at..)?.iter().for_each(|line| out.push_str(line));
    Some(out)
}

/// The answer of an earlier release: the newest one's answer with the differences applied.
fn theirs_of(case: &Path, patches: &BTreeMap<String, Vec<Vec<&str>>>, version: Version) -> Option<Answer> {
    let name = case.file_name().unwrap().to_string_lossy().into_owned();
    let mut answer = theirs(case);
    let log = fs::read_to_string(case.join("expected.log")).unwrap();
    if let Some(hunks) = patches.get(&format!("{name}/expected.log")) {
        answer = Answer { files: answer.files, ..Answer::default() };
        read_log(&patched(&log, hunks)?, &mut answer);
    }
    let prefix = format!("{name}/expected/");
    for (path, hunks) in patches.iter().filter_map(|(path, hunks)| Some((path.strip_prefix(&prefix)?, hunks)))
    {
        let file = path.rsplit('/').next().unwrap().to_owned();
        let text = patched(answer.files.get(&file).map_or("", |text| text), hunks)?;
        if text.is_empty() {
            answer.files.remove(&file);
        } else {
            answer.files.insert(file, text);
        }
    }
    for text in answer.files.values_mut() {
        let newest = format!("controller-gen.kubebuilder.io/version: {}", Version::NEWEST);
        *text = text.replace(&newest, &format!("controller-gen.kubebuilder.io/version: {version}"));
    }
    Some(answer)
}

#[test]
fn earlier_releases_are_imitated() {
    let Some(cases) = cases() else { return };
    let Some(folder) = beside::shared("cases/go/versions", "earlier releases are not compared") else {
        return;
    };
    let mut releases = Vec::new();
    for version in RELEASES {
        let diff = fs::read_to_string(folder.join(format!("{version}.diff"))).unwrap();
        let patches = patches(&diff);
        let version: Version = version.parse().unwrap();
        let mut tally = Tally::default();
        for case in cases.iter().filter(|case| is_possible(case)) {
            let Some(theirs) = theirs_of(case, &patches, version) else {
                let name = case.file_name().unwrap().to_string_lossy();
                beside::skipped(&format!("{name}: the difference to {version} is one to another answer"));
                continue;
            };
            // The releases were built with a Go that has types that they do not support.
            let is_of_toolchain =
                theirs.errors.iter().any(|line| line.contains("types.Alias")) || theirs.status == 2;
            if is_of_toolchain || is_unknown(case, &patches, version) {
                continue;
            }
            let (ours, _) = ours(case, &args(case), version);
            tally.add(case, &ours, &theirs);
        }
        println!("{version}: {} of {} cases are alike", tally.alike, tally.count);
        if !tally.wrong.is_empty() {
            releases.push(format!(
                "{version}: {} of {}:\n{}",
                tally.alike,
                tally.count,
                tally.wrong.join("\n")
            ));
        }
    }
    assert!(releases.is_empty(), "{}", releases.join("\n\n"));
}

/// Whether the answer of an earlier release is unknown: the case was written later, or the release was built with a Go that
/// it does not support.
fn is_unknown(case: &Path, patches: &BTreeMap<String, Vec<Vec<&str>>>, version: Version) -> bool {
    const LATER: [&str; 4] = ["d_maxdesclen_cjk", "m_float_numbers", "m_k8s_required_on_ref", "real_pod"];
    let name = case.file_name().unwrap().to_str().unwrap();
    let is_in_diff = patches.keys().any(|path| path.starts_with(&format!("{name}/expected/")));
    LATER.contains(&name) && (!is_in_diff || version == Version::new(22, 0))
        || name == "t_map_key_alias" && version < Version::new(16, 0)
}

/// Earlier releases with known answers.
const RELEASES: [&str; 8] =
    ["v0.22.0", "v0.21.0", "v0.20.1", "v0.19.0", "v0.17.3", "v0.16.5", "v0.15.0", "v0.14.0"];
