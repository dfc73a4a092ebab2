//! Findings that follow from a syntax error and are not reported beside it.

use std::collections::HashSet;

use api::Code;
use text::{TextRange, TextSize};
use yaml::{Document, SyntaxErrorKind};

use crate::analysis::syntax::{MOST, is_of_syntax};
use crate::analysis::text_at::{text_of, values_to};
use crate::analysis::unfinished::{is_of_comma, remove_missing_keys};
use crate::{Finding, Severity};

/// The longest text between a keyword and the line behind it.
const LONGEST_GAP: TextSize = 400;

/// The groups of codes for differences from an earlier version of the text.
const COMPARISONS: [&str; 3] = ["compat", "stored-versions", "update"];

/// Removes the findings that do not help while a text has syntax errors.
pub(crate) fn remove_consequences(document: Document<'_>, findings: &mut Vec<Finding>) {
    if !findings.iter().any(|finding| is_of_syntax(finding.code)) {
        return;
    }
    remove_types_of_strays(document, findings);
    remove_missing_keys(document, findings);
    remove_at_errors(document, findings);
}

/// Removes the findings on keywords without a value that have another finding, at the keyword or right behind it:
/// their value is at a wrong place.
pub(crate) fn remove_unset_keywords(document: Document<'_>, findings: &mut Vec<Finding>) {
    let is_unset = |finding: &Finding| finding.code == Code::LintUnsetKeyword;
    if !findings.iter().any(is_unset) {
        return;
    }
    // A difference from another version says nothing about this text.
    let is_of_text = |one: &&Finding| !is_unset(one) && !COMPARISONS.contains(&one.code.group());
    let others = findings.iter().filter(is_of_text).filter(|one| one.severity <= Severity::Warning);
    let mut starts: Vec<TextSize> = others.map(|one| one.range.start).collect();
    starts.sort_unstable();
    findings.retain(|finding| {
        let next = starts.get(starts.partition_point(|start| *start < finding.range.start)).copied();
        let is_explained = next.is_some_and(|next| {
            let behind = finding.range.end;
            next == finding.range.start
                || (behind..behind.saturating_add(LONGEST_GAP)).contains(&next)
                    && text_of(document.syntax(), TextRange::new(behind, next)).trim() == ":"
        });
        !is_unset(finding) || !is_explained
    });
}

/// Whether the server stops at this error.
fn stops_server(finding: &Finding) -> bool {
    is_of_syntax(finding.code) && finding.severity == Severity::Error
}

/// Removes the findings on a token that has a syntax error or that the error refers to: the token is most
/// likely incomplete, and the server does not read the rest of the document. An alias with an error in its
/// name is such a token. So is text that includes the next key because a comma is missing.
fn remove_at_errors(document: Document<'_>, findings: &mut Vec<Finding>) {
    let errors = || findings.iter().filter(|finding| stops_server(finding));
    let related = errors().flat_map(|error| error.related.iter().map(|related| related.range));
    let reported: HashSet<TextRange> = errors().map(|error| error.range).chain(related).collect();
    let mut starts: Vec<TextSize> = errors().map(|error| error.range.start).collect();
    starts.sort_unstable();
    let has_error = |alias: TextRange| {
        let first = starts.partition_point(|start| *start < alias.start);
        starts.get(first).is_some_and(|start| *start < alias.end)
    };
    let mut missing_commas: HashSet<TextSize> = HashSet::new();
    document.syntax().for_each_error(&mut |error| {
        if is_of_comma(error.kind) && missing_commas.len() < MOST {
            missing_commas.insert(error.range.start);
        }
    });
    let is_beside = |finding: &Finding| {
        reported.contains(&finding.range)
            || missing_commas.contains(&finding.range.end)
            || finding.code == Code::YamlAlias && has_error(finding.range)
    };
    findings.retain(|finding| stops_server(finding) || finding.api_server.is_some() || !is_beside(finding));
}

/// Removes the findings on the type of a value below another value of the same key: only one of the two is
/// intended, and its line has a separate finding.
fn remove_types_of_strays(document: Document<'_>, findings: &mut Vec<Finding>) {
    let is_of_type = |finding: &Finding| {
        matches!(finding.code, Code::DecodeType | Code::ResourceType) && finding.api_server.is_none()
    };
    if !findings.iter().any(is_of_type) {
        return;
    }
    let mut keys: HashSet<TextRange> = HashSet::new();
    document.syntax().for_each_error(&mut |error| {
        if error.kind == SyntaxErrorKind::Indentation && keys.len() < MOST {
            keys.extend(key_of_stray(document, error.range.start));
        }
    });
    findings.retain(|finding| !(is_of_type(finding) && keys.contains(&finding.range)));
}

/// The key of the value that starts at `start`.
fn key_of_stray(document: Document<'_>, start: TextSize) -> Option<TextRange> {
    let entries =
        values_to(document, start + 1).filter_map(|value| value.as_mapping()?.entry_before(start + 1));
    entries.filter(|entry| entry.value().range().start == start).last().map(|entry| entry.key_range())
}

#[cfg(test)]
mod tests {
    use crate::compat::Base;
    use crate::marked_texts::WIDGET;
    use crate::{File, Settings, Severity, StoredObjects, Surroundings};

    /// What changed since another version does not explain why a value is missing.
    #[test]
    fn a_comparison_does_not_hide_a_keyword_without_a_value() {
        let text =
            WIDGET.replacen("            required:\n            - size\n", "            required:\n", 1);
        let earlier = WIDGET.replacen("            required:\n            - size\n", "", 1);
        let earlier = earlier.replacen(
            "            properties:\n",
            "            properties:\n              removed:\n                type: string\n",
            1,
        );
        let codes = |surroundings: Surroundings| {
            let file = File::with_surroundings(&text, &Settings::default(), surroundings);
            let found = file.findings().iter();
            let found = found.filter(|finding| finding.severity <= Severity::Warning);
            found.map(|finding| finding.code.as_str()).collect::<Vec<_>>()
        };
        assert_eq!(codes(Surroundings::default()), ["lint/unset-keyword"]);
        let base = Base::new(StoredObjects::at_revision(&earlier, "HEAD"), true);
        let compared = codes(Surroundings { base: Some(base), ..Surroundings::default() });
        assert_eq!(compared, ["lint/unset-keyword", "compat/field-removed"]);
    }

    #[test]
    fn a_keyword_whose_value_is_at_a_wrong_place_has_no_other_finding() {
        for (right, written, code) in [
            ("            required:\n            - size\n", "            required:\n", "lint/unset-keyword"),
            (
                "            properties:\n              replicas:\n                type: integer\n",
                "            properties:\n            replicas:\n              type: integer\n",
                "decode/unknown-field",
            ),
        ] {
            let text = WIDGET.replacen(right, written, 1);
            assert_ne!(text, WIDGET, "{right}");
            let mut found = File::new(&text, &Settings::default()).grouped().findings;
            found.retain(|finding| finding.severity <= Severity::Warning);
            let codes: Vec<&str> = found.iter().map(|finding| finding.code.as_str()).collect();
            assert_eq!(codes, [code], "{found:#?}");
        }
    }
}
