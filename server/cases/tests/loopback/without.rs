//! The list of rules for which `test --generate` finds no object that passes, or none that fails for this rule alone.

use std::collections::BTreeMap;
use std::fmt::Write;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/loopback/rules_without_objects.tsv");
const HEADER: &str = "definition\tversion\tfield\tnumber\tmissing\treason\n";

/// The rows that are missing from the list. With `CRD_LS_UPDATE`, they are added to the list, and rows whose
/// rules have objects now are removed. A row is the definition, the version, the field and the number of the
/// rule there, separated by tabs.
pub(crate) fn compare(is_missing: &BTreeMap<&str, &str>) -> Vec<String> {
    let text = std::fs::read_to_string(FILE).unwrap();
    // The reason is the last column.
    let known: BTreeMap<&str, &str> =
        text.lines().skip(1).filter_map(|line| line.rsplit_once('\t')).collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut unknown = Vec::new();
    let mut list = HEADER.to_owned();
    for (place, missing) in is_missing {
        let row = format!("{place}\t{missing}");
        let reason = known.get(row.as_str()).copied();
        *counts.entry(reason.unwrap_or("unknown")).or_default() += 1;
        // Writing to a text cannot fail.
        let _ = writeln!(list, "{row}\t{}", reason.unwrap_or("unknown"));
        unknown.extend(reason.is_none().then_some(row));
    }
    counts.iter().for_each(|(reason, count)| eprintln!("{count} rules without an object: {reason}"));
    if environment::updates() && environment::only().is_none() {
        std::fs::write(FILE, list).unwrap();
        return Vec::new();
    }
    unknown
}
