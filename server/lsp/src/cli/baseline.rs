//! `--baseline`: the known findings of a repository, which are not reported, so that only new findings are.
//!
//! A finding is identified by its file, code, field and message, so that it stays known when lines move. Identical findings
//! are counted.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use ide::{Finding, Selection, rule};
use serde::{Deserialize, Serialize};

use super::print::print_note;
use crate::args::GateArgs;
use crate::guarded_files;
use crate::limits::MAX_BYTES;
use crate::output::fingerprint;
use crate::paths::absolute;
use crate::replace::replace;
use crate::report::Report;

/// The version of the file format. Raised when a change makes earlier files unreadable.
const VERSION: u32 = 1;
/// The maximum number of stale entries that are listed one by one.
const MAX_STALE: usize = 10;

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Baseline {
    version: u32,
    findings: Vec<Entry>,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Entry {
    path: String,
    code: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    field_path: String,
    /// The fingerprint of the message.
    message: String,
    count: usize,
}

/// The properties that identical findings share.
type Key = (String, String, String, String);

/// Known findings, and the number of each.
type KnownFindings = BTreeMap<Key, usize>;

/// Removes the findings in the baseline from the reports, or updates the baseline first. Returns the number of removed
/// findings. The error is for the user.
pub(super) fn apply(args: &GateArgs, reports: &mut [Report]) -> Result<usize, String> {
    let Some(file) = &args.baseline else { return Ok(0) };
    let with_file = |problem: String| format!("--baseline: {}: {problem}", file.display());
    let home = absolute(file).parent().map(Path::to_owned).unwrap_or_default();
    let known = read(file).map_err(with_file)?;
    if args.update_baseline {
        let updated = updated(known.unwrap_or_default(), &args.selection(), reports, &home);
        write(file, &updated).map_err(|problem| with_file(problem.to_string()))?;
        return Ok(take_known(updated, reports, &home).0);
    }
    let known = known
        .ok_or_else(|| with_file("the file does not exist; create it with --update-baseline".to_owned()))?;
    let (taken, left) = take_known(known, reports, &home);
    report_stale(file, &left, &args.selection(), reports, &home);
    Ok(taken)
}

/// The findings in the file; `None` if the file does not exist.
fn read(file: &Path) -> Result<Option<KnownFindings>, String> {
    let text = match guarded_files::regular_text(file, MAX_BYTES) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.to_string()),
    };
    let Baseline { version, findings } = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    if version != VERSION {
        return Err(format!("it has version {version}; this crd-ls reads version {VERSION}"));
    }
    let mut known = KnownFindings::new();
    for Entry { path, code, field_path, message, count } in findings {
        *known.entry((path, code, field_path, message)).or_default() += count;
    }
    Ok(Some(known))
}

/// Writes `known` in the order of its keys, so that two versions of the file differ only where findings differ.
fn write(file: &Path, known: &KnownFindings) -> io::Result<()> {
    let entries = known.iter().map(|((path, code, field_path, message), count)| Entry {
        path: path.clone(),
        code: code.clone(),
        field_path: field_path.clone(),
        message: message.clone(),
        count: *count,
    });
    let baseline = Baseline { version: VERSION, findings: entries.collect() };
    let text = serde_json::to_string_pretty(&baseline)? + "\n";
    if !file.exists() {
        return fs::write(file, text);
    }
    // `known` already has what the file held before; this second read detects changes that another program saves from now on.
    replace(file, &guarded_files::regular_text(file, MAX_BYTES)?, &text)
}

/// The findings in the checked files. For existing files that were not checked, and for rules that the command line excludes,
/// the entries of `known` are kept.
fn updated(
    mut known: KnownFindings,
    selection: &Selection,
    reports: &[Report],
    home: &Path,
) -> KnownFindings {
    let checked: Vec<String> = checked(reports, home);
    let is_checked =
        |path: &String, code: &String| checked.binary_search(path).is_ok() && is_reported(code, selection);
    known.retain(|(path, code, ..), _| !is_checked(path, code) && home.join(path).exists());
    for report in reports {
        for finding in &report.findings {
            *known.entry(key(report, finding, home)).or_default() += 1;
        }
    }
    known
}

/// Whether findings of the rule `code`, which need not exist any more, are reported.
fn is_reported(code: &str, selection: &Selection) -> bool {
    rule(code).is_none_or(|rule| selection.admits(rule.code))
}

/// Removes known findings from the reports. Returns the number of removed findings, and the entries that matched none.
fn take_known(mut known: KnownFindings, reports: &mut [Report], home: &Path) -> (usize, KnownFindings) {
    let mut taken = 0;
    for report in reports {
        let mut findings = std::mem::take(&mut report.findings);
        findings.retain(|finding| match known.get_mut(&key(report, finding, home)) {
            Some(count) if *count > 0 => {
                *count -= 1;
                taken += 1;
                false
            }
            _ => true,
        });
        report.findings = findings;
    }
    known.retain(|_, count| *count > 0);
    (taken, known)
}

/// Reports the entries for checked or deleted files that no finding matches any more.
fn report_stale(file: &Path, left: &KnownFindings, selection: &Selection, reports: &[Report], home: &Path) {
    let checked = checked(reports, home);
    let is_stale = |path: &String| checked.binary_search(path).is_ok() || !home.join(path).exists();
    let stale = left.iter().filter(|((path, code, ..), _)| is_stale(path) && is_reported(code, selection));
    let stale: Vec<(&Key, &usize)> = stale.collect();
    let count: usize = stale.iter().map(|(_, count)| **count).sum();
    if count == 0 {
        return;
    }
    let findings = match count {
        1 => "1 finding of the baseline no longer occurs".to_owned(),
        _ => format!("{count} findings of the baseline no longer occur"),
    };
    print_note(&format!("crd-ls: {}: {findings}; run with --update-baseline to remove them", file.display()));
    for ((path, code, field_path, _), count) in stale.iter().take(MAX_STALE) {
        let field = if field_path.is_empty() { String::new() } else { format!(" at {field_path}") };
        let times = if **count == 1 { String::new() } else { format!(" ({count} times)") };
        print_note(&format!("  {path}: {code}{field}{times}"));
    }
    if stale.len() > MAX_STALE {
        print_note(&format!("  and {} further entries", stale.len() - MAX_STALE));
    }
}

/// The paths of the checked files, sorted, as the baseline writes them.
fn checked(reports: &[Report], home: &Path) -> Vec<String> {
    let mut checked: Vec<String> = reports.iter().map(|report| relative_path(&report.path, home)).collect();
    checked.sort();
    checked
}

fn key(report: &Report, finding: &Finding, home: &Path) -> Key {
    let message = fingerprint::of_message(&finding.message.to_string());
    (relative_path(&report.path, home), finding.code.to_string(), finding.field_path.to_string(), message)
}

/// The path as seen from the directory of the baseline, with `/`: the same on every machine.
fn relative_path(path: &str, home: &Path) -> String {
    let absolute_path = absolute(Path::new(path));
    let relative: PathBuf = absolute_path.strip_prefix(home).map(Path::to_owned).unwrap_or(absolute_path);
    relative.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}
