//! Comments in Go that silence rules: `// crd-ls: ignore[code, group] reason`.
//!
//! controller-gen writes the comments above a declaration into the description, and a marker takes its whole line. Therefore, a
//! comment at the end of a declaration's first line also applies to the comments above it. A comment on a separate line applies
//! to the declaration below it, even with a blank line between them; above the package clause it applies to the file.

use std::ops::Range;

use ide::{Finding, silenced_by};
use text::TextSize;

/// Removes the findings that comments in `text` silence.
pub(crate) fn drop_suppressed(text: &str, findings: &mut Vec<Finding>) {
    if findings.is_empty() || !text.contains("crd-ls:") {
        return;
    }
    let suppressed = suppressed(text);
    findings.retain(|finding| {
        let is_selected = |name: &&str| *name == finding.code || *name == finding.code.group();
        let covers = |(range, names): &(Range<TextSize>, Vec<&str>)| {
            range.contains(&finding.range.start) && names.iter().any(is_selected)
        };
        !suppressed.iter().any(covers)
    });
}

/// The names in the comments, with the bytes to which each comment applies.
fn suppressed(text: &str) -> Vec<(Range<TextSize>, Vec<&str>)> {
    let mut starts = vec![0];
    let lines: Vec<&str> = text
        .split_inclusive('\n')
        .map(|line| {
            starts.push(starts.last().copied().unwrap_or_default() + line.len());
            line.trim()
        })
        .collect();
    let clause = lines.iter().position(|line| line.starts_with("package ")).unwrap_or(lines.len());
    let at = |line: usize| {
        TextSize::try_from(starts.get(line).copied().unwrap_or(text.len())).unwrap_or(TextSize::MAX)
    };
    let is_comment = |line: usize| lines.get(line).is_some_and(|line| line.starts_with("//"));
    let end_of_comments = |from: usize| (from..).find(|line| !is_comment(*line)).unwrap_or(from);
    let mut found = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let Some(comment) = line.rfind("//").and_then(|start| line.get(start + 2..)) else { continue };
        let names = silenced_by(comment);
        if names.is_empty() {
            continue;
        }
        let covered = if !is_comment(number) {
            let above = (0..number).rev().take_while(|line| is_comment(*line)).last().unwrap_or(number);
            above..number + 1
        } else if number < clause {
            0..lines.len() + 1
        } else {
            let below = end_of_comments(number);
            let is_separate = lines.get(below).is_some_and(|line| line.is_empty());
            let declared = if is_separate { end_of_comments(below + 1) } else { below };
            number..declared + 1
        };
        found.push((at(covered.start)..at(covered.end), names));
    }
    found
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::suppressed;

    /// The lines to which a comment applies, from 1.
    fn lines(text: &str) -> Vec<usize> {
        let found = suppressed(text);
        let (range, names) = &found[0];
        assert_eq!((found.len(), names.as_slice()), (1, ["a/b", "c"].as_slice()));
        let line = |at: usize| text[..at].matches('\n').count() + 1;
        let starts = text.match_indices('\n').map(|(at, _)| at + 1).filter(|at| *at < text.len());
        let starts = std::iter::once(0).chain(starts).filter(|at| range.contains(&(*at as u32)));
        starts.map(line).collect()
    }

    #[test]
    fn a_comment_counts_for_its_declaration() {
        let comment = "// crd-ls: ignore[a/b, c] as it was";
        let head = "package v1\n\ntype A struct {\n";
        let field = "\tB string `json:\"b\"`";
        assert_eq!(
            lines(&format!("{head}\tC int\n\t// +x\n\t// +y\n{field} {comment}\n\tD int\n}}\n")),
            [5, 6, 7]
        );
        assert_eq!(lines(&format!("{head}\t{comment}\n\n\t// +x\n{field}\n\tD int\n}}\n")), [4, 5, 6, 7]);
        assert_eq!(lines(&format!("{head}\t{comment}\n\t// +x\n{field}\n\tD int\n}}\n")), [4, 5, 6]);
        assert_eq!(lines(&format!("{comment}\n{head}{field}\n}}\n")), [1, 2, 3, 4, 5, 6]);
    }
}
