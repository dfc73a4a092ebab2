//! The findings of one document.

use crd::{DocumentKind, Origin, Violation};
use text::TextRange;
use yaml::Document;

use crate::ignore::Ignores;
use crate::{Finding, Related, Settings, Severity, duplicates, syntax};

/// What is known of parts of documents from earlier texts.
#[derive(Debug, Default)]
pub(crate) struct Caches {
    crd: crd::Cache,
    duplicates: duplicates::Known,
}

/// All findings of `document`, by range, then code. Nothing is said of documents that are not ours, and of templates,
/// which are no YAML yet.
pub(crate) fn findings(document: Document<'_>, settings: &Settings, caches: &mut Caches) -> Vec<Finding> {
    let report = crd::check(document, &settings.options(), &mut caches.crd);
    if report.kind == DocumentKind::Other || report.origin == Origin::Template {
        return Vec::new();
    }
    let mut findings: Vec<Finding> = report.violations.into_iter().map(finding).collect();
    let syntax = syntax::findings(document, settings.syntax_errors);
    caches.duplicates.sweep();
    let mut duplicates = Vec::new();
    if settings.syntax_errors {
        caches.duplicates.findings(document.syntax(), &mut duplicates);
    }
    if report.truncated || syntax.len() >= syntax::MOST || duplicates.len() > syntax::MOST {
        findings.push(too_many(document));
    }
    findings.extend(syntax);
    findings.extend(duplicates.into_iter().take(syntax::MOST));
    if !findings.is_empty() {
        let ignores = Ignores::of(document);
        findings.retain_mut(|finding| settings.rules.admit(finding) && !ignores.cover(finding));
    }
    findings.sort_by(|one, other| (one.range, one.code).cmp(&(other.range, other.code)));
    findings
}

fn too_many(document: Document<'_>) -> Finding {
    let start = document.root().map_or(document.range().start, |root| root.range().start);
    Finding {
        code: "file/too-many",
        severity: Severity::Information,
        message: "this document has more findings than are listed".to_owned(),
        range: TextRange::empty(start),
        field_path: String::new(),
        api_server: None,
        related: Vec::new(),
    }
}

fn finding(violation: Violation) -> Finding {
    Finding {
        code: violation.code,
        severity: violation.severity,
        message: violation.message,
        range: violation.range,
        field_path: violation.field_path.to_string(),
        api_server: violation.server,
        related: violation.related.into_iter().map(|(range, message)| Related { range, message }).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(below_spec: &str) -> Vec<&'static str> {
        codes_with(&Settings::default(), below_spec)
    }

    fn codes_with(settings: &Settings, below_spec: &str) -> Vec<&'static str> {
        let text = format!(
            "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n{below_spec}"
        );
        let tree = yaml::Tree::parse(&text);
        let mut caches = Caches::default();
        let findings = tree.documents().flat_map(|document| findings(document, settings, &mut caches));
        findings.map(|finding| finding.code).collect()
    }

    #[test]
    fn what_is_not_listed_is_told() {
        let codes = codes(&"  a: 1\n".repeat(50_000));
        assert_eq!(codes.iter().filter(|code| **code == "yaml/duplicate-key").count(), syntax::MOST);
        assert!(codes.contains(&"file/too-many"));
    }

    /// What other YAML tools read without a word is said in any case.
    #[test]
    fn what_every_yaml_tool_reports_can_be_left_to_another() {
        let silent = Settings { syntax_errors: false, ..Settings::default() };
        for (text, reported) in [
            ("  a: 1\n  a: 2\n", "yaml/duplicate-key"),
            ("  a: [1\n", "yaml/unclosed"),
            ("  a: *nowhere\n", "yaml/alias"),
        ] {
            assert_eq!(codes(text), [reported], "{text}");
            assert_eq!(codes_with(&silent, text), Vec::<&str>::new(), "{text}");
        }
        let within_itself = "  a: &a\n    b: *a\n";
        assert_eq!(codes_with(&silent, within_itself), codes(within_itself));
        assert_eq!(codes(within_itself), ["yaml/alias"]);
    }

    #[test]
    fn a_few_are_listed_all() {
        assert_eq!(codes(&"  a: 1\n".repeat(3)), ["yaml/duplicate-key", "yaml/duplicate-key"]);
    }
}
