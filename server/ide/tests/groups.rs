//! The number of findings that one mistake causes, and the number after they are grouped by cause.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use std::collections::BTreeMap;

use ide::{File, Finding, Settings, Severity};
use text::TextRange;

fn is_error(finding: &&Finding) -> bool {
    finding.severity == Severity::Error
}

/// Its fix moves types out of the branches of two nodes together, one of them within the other.
const APART: &str = "junctor-types-at-items.yaml";

/// Each fixture contains one mistake or a few. The findings that one fix repairs form one group, and no
/// finding is lost.
#[test]
fn findings_that_one_fix_repairs_are_one_group() {
    let (mut before, mut after) = (BTreeMap::new(), BTreeMap::new());
    let mut apart = Vec::new();
    let mut left: BTreeMap<Vec<&str>, usize> = BTreeMap::new();
    for (path, text) in suites::texts_below(&suites::fixtures().join("crd")).unwrap() {
        let file = File::new(&text, &Settings::default());
        let grouped = file.grouped();
        for finding in file.findings() {
            let representative = grouped.representative(finding.code, finding.range).unwrap();
            let is_itself = representative.range == finding.range
                && representative.code.as_str() == finding.code.as_str();
            let message = finding.message.to_string();
            let is_related = || representative.related.iter().any(|related| related.message == message);
            assert!(is_itself || is_related(), "{}: {finding:?}", path.display());
        }
        let errors = file.findings().iter().filter(is_error).count();
        *before.entry(errors).or_insert(0) += 1;
        *after.entry(grouped.findings.iter().filter(is_error).count()).or_insert(0) += 1;
        if errors < 2 {
            continue;
        }
        let codes = grouped.findings.iter().filter(is_error).map(|finding| finding.code.as_str());
        *left.entry(codes.collect()).or_default() += 1;
        for fix in file.fixes(TextRange::new(0, text.len() as u32)) {
            let errors = file.findings().iter().filter(is_error);
            let repaired = errors.filter(|finding| fix.repairs.contains(&(finding.code, finding.range)));
            let representatives = repaired.map(|finding| {
                let representatives = grouped.representative(finding.code, finding.range).unwrap();
                (representatives.range, representatives.code.as_str())
            });
            let mut representatives: Vec<_> = representatives.collect();
            representatives.sort();
            representatives.dedup();
            // A fix that moves a whole definition repairs all consequences, in all groups.
            let is_large = ["Migrate to `", "Move `"].iter().any(|start| fix.title.starts_with(start));
            if representatives.len() > 1 && !is_large && !path.ends_with(APART) {
                apart.push(format!("{}: {}: {representatives:?}", path.display(), fix.title));
            }
        }
    }
    println!("fixtures by number of errors: {before:?}; once grouped: {after:?}");
    let mut left: Vec<_> = left.into_iter().filter(|(codes, count)| codes.len() > 1 && *count > 2).collect();
    left.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    left.iter().for_each(|(codes, count)| println!("{count} fixtures still have {}", codes.join(", ")));
    assert!(apart.is_empty(), "{}", apart.join("\n"));
    let of_one = |counts: &BTreeMap<usize, usize>| counts.get(&1).copied().unwrap_or_default();
    assert!(of_one(&after) > of_one(&before));
}
