//! The numbers of findings by severity and code.

use std::collections::BTreeMap;

use api::Code;
use ide::Severity;

use super::severity_word;
use crate::report::Report;

/// The number of findings below which no table is written.
const FEW: usize = 10;

/// A line for each code, those with the most severe and most findings first; empty if there are few findings.
pub(super) fn table(reports: &[Report]) -> String {
    let mut counts: BTreeMap<(Severity, Code), (usize, usize)> = BTreeMap::new();
    for report in reports {
        let mut of_file: BTreeMap<(Severity, Code), usize> = BTreeMap::new();
        for finding in &report.findings {
            *of_file.entry((finding.severity, finding.code)).or_default() += 1;
        }
        for (key, count) in of_file {
            let (findings, files) = counts.entry(key).or_default();
            *findings += count;
            *files += 1;
        }
    }
    if counts.values().map(|(findings, _)| findings).sum::<usize>() <= FEW {
        return String::new();
    }
    let mut rows: Vec<_> = counts.into_iter().collect();
    rows.sort_by_key(|((severity, code), (findings, _))| (*severity, std::cmp::Reverse(*findings), *code));
    let mut text = "findings  files  rule\n".to_owned();
    for ((severity, code), (findings, files)) in rows {
        text.push_str(&format!("{findings:8}  {files:5}  {}[{code}]\n", severity_word(severity)));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::samples::of_lines;
    use super::*;

    #[test]
    fn rules_are_sorted_by_severity_and_count() {
        let many = [(Severity::Hint, "yaml/unclosed", "m", 0); 9];
        let two = [
            (Severity::Warning, "columns/format", "m", 0),
            (Severity::Error, "yaml/syntax", "m", 0),
            (Severity::Error, "columns/type", "m", 0),
            (Severity::Error, "yaml/syntax", "m", 0),
        ];
        let reports = [of_lines("a.yaml", "a\n", &many), of_lines("b.yaml", "a\n", &two)];
        let expected = "\
findings  files  rule
       2      1  error[yaml/syntax]
       1      1  error[columns/type]
       1      1  warning[columns/format]
       9      1  hint[yaml/unclosed]
";
        assert_eq!(table(&reports), expected);
        assert_eq!(table(&reports[..1]), "");
    }
}
