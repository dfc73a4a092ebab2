//! Expectations within the YAML: a line `   ^^^^ error[code]: words` describes a finding on the line above
//! it.

use std::fmt::Write;

use text::{TextRange, TextSize};

use crate::{Cache, Finding, Options, Severity};

/// Checks `text` with its marker lines stripped: every finding must have a marker and every marker a finding
/// with that range, severity and code, whose message starts with those words.
#[track_caller]
pub(super) fn check(text: &str) {
    check_with(text, &Options::default());
}

/// As [`check`], with `options`.
#[track_caller]
pub(super) fn check_with(text: &str, options: &Options) {
    let (stripped, expected) = strip(text);
    let tree = yaml::Tree::parse(&stripped);
    let mut cache = Cache::default();
    let reports = tree.documents().map(|document| crate::check(document, options, &mut cache));
    let mut found: Vec<Finding> = reports.flat_map(|report| report.findings).collect();
    let mut unmet = String::new();
    for marker in expected {
        match found.iter().position(|finding| marker.fits(finding)) {
            Some(at) => drop(found.remove(at)),
            None => writeln!(unmet, "expected, not found: {marker:?}").expect("a string"),
        }
    }
    for finding in found {
        let source = stripped.get(finding.range.as_usize()).unwrap_or_default();
        let Finding { code, severity, message, range, .. } = finding;
        writeln!(unmet, "found, not expected: {severity:?} [{code}] at {range:?} `{source}`: {message}")
            .expect("a string");
    }
    assert!(unmet.is_empty(), "{unmet}\nin:\n{stripped}");
}

/// Checks `schema` as the `openAPIV3Schema` of a definition.
#[track_caller]
pub(super) fn check_schema(schema: &str) {
    check(&definition(schema));
}

/// The beginning of a definition, up to the other fields of its spec.
pub(crate) const HEAD: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
";

/// A definition with that schema.
pub(crate) fn definition(schema: &str) -> String {
    let version = "  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
";
    schema.lines().fold(HEAD.to_owned() + version, |text, line| text + "        " + line + "\n")
}

#[derive(Debug)]
struct Marker {
    range: TextRange,
    severity: Severity,
    code: String,
    text: String,
}

impl Marker {
    fn fits(&self, finding: &Finding) -> bool {
        self.range == finding.range
            && self.severity == finding.severity
            && self.code.as_str() == finding.code.as_str()
            && finding.message.to_string().starts_with(&self.text)
    }
}

/// The text without its marker lines, and the markers.
fn strip(text: &str) -> (String, Vec<Marker>) {
    let mut stripped = String::new();
    let mut markers = Vec::new();
    let mut above = 0;
    for line in text.split_inclusive('\n') {
        match marker(line, above) {
            Some(marker) => markers.push(marker),
            None => {
                above = stripped.len() as TextSize;
                stripped.push_str(line);
            }
        }
    }
    (stripped, markers)
}

fn marker(line: &str, above: TextSize) -> Option<Marker> {
    let carets = line.trim_start();
    let column = (line.len() - carets.len()) as TextSize;
    let rest = carets.trim_start_matches('^');
    let len = (carets.len() - rest.len()) as TextSize;
    if len == 0 {
        return None;
    }
    let (severity, rest) = rest.trim().split_once('[').expect("a severity and a code");
    let (code, words) = rest.split_once("]: ").expect("a code and words");
    let severity = match severity {
        "error" => Severity::Error,
        "warning" => Severity::Warning,
        "information" => Severity::Information,
        "hint" => Severity::Hint,
        other => panic!("no severity: {other}"),
    };
    let range = TextRange::at(above + column, len);
    Some(Marker { range, severity, code: code.to_owned(), text: words.to_owned() })
}

#[test]
#[should_panic(expected = "expected, not found")]
fn a_marker_without_finding_fails() {
    check_schema("type: object\n^^^^ error[structural/type-required]: must not be empty");
}

#[test]
#[should_panic(expected = "found, not expected")]
fn a_finding_without_marker_fails() {
    check_schema("type: string");
}
