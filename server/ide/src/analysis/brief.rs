//! Findings for readers of a whole project rather than of a single file.

use std::collections::BTreeMap;

use api::Code;

use crate::{File, Finding, RelatedInformation, Severity};

/// The code whose findings are collapsed: a Go type with a format unknown to the server causes one in each of
/// many fields.
const COLLAPSED: Code = Code::WarnUnrecognizedFormat;
/// The maximum number of further places that a collapsed finding names.
const MOST_NAMED: usize = 5;

impl File {
    /// Returns the findings, by range, then code, without hints on YAML that the server accepts and without
    /// those that only announce further findings. Many equal findings in a document become one. If the
    /// settings give a rule a level, all of its findings are reported.
    #[must_use]
    pub fn project_findings(&self) -> Vec<Finding> {
        let rules = &self.settings().rules;
        let mut project_findings = self.all_findings();
        project_findings.retain(|finding| rules.is_requested(finding.code) || !is_omitted(finding));
        if !rules.is_requested(COLLAPSED) && project_findings.iter().any(|finding| finding.code == COLLAPSED)
        {
            project_findings.retain(|finding| finding.code != COLLAPSED);
            for (_, findings) in self.documents_with_findings() {
                project_findings.extend(collapsed(findings));
            }
            project_findings.sort_by_key(|finding| (finding.range, finding.code));
        }
        project_findings
    }
}

/// Returns whether a finding helps only a user who is editing this text.
fn is_omitted(finding: &Finding) -> bool {
    match finding.code {
        Code::YamlSyntax => finding.severity == Severity::Hint,
        // The errors that prevent the check of the rules are reported, too.
        Code::ResourceRulesNotChecked => true,
        _ => false,
    }
}

/// Collapses the findings with [`COLLAPSED`] of one document: one for each message, with the number of its places.
fn collapsed(findings: Vec<Finding>) -> Vec<Finding> {
    let mut groups: BTreeMap<String, Vec<Finding>> = BTreeMap::new();
    for finding in findings.into_iter().filter(|finding| finding.code == COLLAPSED) {
        groups.entry(finding.message.to_string()).or_default().push(finding);
    }
    groups.into_values().filter_map(merged).collect()
}

/// Returns the first of `alike` with the others as related places.
fn merged(alike: Vec<Finding>) -> Option<Finding> {
    let mut rest = alike.into_iter();
    let mut first = rest.next()?;
    let others: Vec<Finding> = rest.collect();
    match others.len() {
        0 => {}
        1 => first.message.note.push_str("; 1 more place has the same finding"),
        more => first.message.note.push_str(&format!("; {more} more places have the same finding")),
    }
    let named = others
        .iter()
        .take(MOST_NAMED)
        .map(|other| RelatedInformation::here(other.range, "the same finding is here"));
    first.related.extend(named);
    Some(first)
}

#[cfg(test)]
mod tests {
    use crate::analysis::brief::*;
    use crate::{Level, Settings};

    /// Returns the findings of `text` with that code as a report on a project has them.
    fn project_findings(settings: &Settings, text: &str, code: Code) -> Vec<Finding> {
        let project_findings = File::new(text, settings).project_findings();
        assert!(project_findings.is_sorted_by_key(|finding| (finding.range, finding.code.as_str())));
        project_findings.into_iter().filter(|finding| finding.code == code).collect()
    }

    fn asking(code: Code, severity: Severity) -> Settings {
        let mut settings = Settings::default();
        assert_eq!(settings.rules.set(code.as_str(), Level::As(severity)), Ok(()));
        settings
    }

    fn definition(name: &str, properties: &str) -> String {
        format!(
            "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {{name: {name}s.example.com}}
spec:
  group: example.com
  scope: Namespaced
  names: {{plural: {name}s, kind: {name}}}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
{properties}"
        )
    }

    #[test]
    fn a_format_in_many_fields_is_reported_once_per_definition() {
        let fields = |count: usize| -> String {
            (0..count).map(|at| format!("          f{at}: {{type: string, format: phone}}\n")).collect()
        };
        let other = "          g: {type: string, format: fax}\n";
        let text = format!("{}---\n{}", definition("a", &(fields(20) + other)), definition("b", &fields(2)));
        let reported: Vec<(String, usize)> = project_findings(&Settings::default(), &text, COLLAPSED)
            .into_iter()
            .map(|finding| (finding.message.to_string(), finding.related.len()))
            .collect();
        assert_eq!(reported.len(), 3, "{reported:?}");
        let (first, last) = (&reported[0].0, &reported[2].0);
        assert!(first.contains("unrecognized format \"phone\""), "{first}");
        assert!(first.ends_with("; 19 more places have the same finding"), "{first}");
        assert!(last.ends_with("; 1 more place has the same finding"), "{last}");
        assert_eq!((reported[0].1, reported[1].1, reported[2].1), (5, 0, 1));
        assert_eq!(project_findings(&asking(COLLAPSED, Severity::Warning), &text, COLLAPSED).len(), 23);
    }

    /// YAML 1.2 requires a blank before the `#`; the server does not.
    #[test]
    fn project_findings_omit_hints_on_accepted_yaml() {
        let text = definition("a", "          f: {type: string}\n");
        let text = text.replace("group: example.com\n", "group: \"example.com\"# ours\n");
        let all = File::new(&text, &Settings::default());
        let hints = all.findings().iter().filter(|one| one.code.as_str() == Code::YamlSyntax);
        assert_eq!(hints.map(|hint| hint.severity).collect::<Vec<_>>(), [Severity::Hint]);
        assert_eq!(project_findings(&Settings::default(), &text, Code::YamlSyntax), []);
        assert_eq!(
            project_findings(&asking(Code::YamlSyntax, Severity::Hint), &text, Code::YamlSyntax).len(),
            1
        );
        // A syntax error that the server rejects is reported.
        let refused = text.replace("scope: Namespaced", "scope: @Namespaced");
        let reported = project_findings(&Settings::default(), &refused, Code::YamlSyntax);
        assert_eq!(reported.iter().map(|one| one.severity).collect::<Vec<_>>(), [Severity::Error]);
    }
}
