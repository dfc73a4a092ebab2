//! SARIF 2.1.0 (OASIS) for code-scanning services.

use std::collections::{BTreeSet, HashMap};
use std::io::{self, Write};
use std::path::Path;

use answers::{FIX_BYTES, FIX_BYTES_EACH, fix_bytes};
use api::Code;
use ide::{Finding, Fix, Severity};
use serde::Serialize;
use serde_json::{Map, Value, json};
use text::{TextBuffer, TextRange};

use super::fingerprint::Fingerprints;
use super::{MAX_RELATED, Span, StreamedList, Summary, by_severity, plain_path, severity_word};
use crate::paths::absolute;
use crate::report::Report;
use crate::report::UnvalidatedObject;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// The base of relative paths.
const ROOT: &str = "%SRCROOT%";
/// GitHub rejects runs with more results, and shows the 5,000 with the highest severity.
const MAX_RESULTS: usize = 25_000;
/// The maximum number of unchecked objects that are listed.
const MAX_NOTIFICATIONS: usize = 1_000;
/// The maximum number of fixes of a result.
const MAX_FIXES: usize = 3;
/// The maximum length of a description of a rule, in characters; GitHub truncates longer ones.
const MAX_DESCRIPTION: usize = 1024;
/// The page of Kubernetes on definitions, for rules without a separate page.
const DEFINITIONS: &str =
    "https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/";

#[derive(Serialize)]
struct Log<Results> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<Results>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<Results> {
    tool: Value,
    automation_details: Value,
    invocations: [Value; 1],
    original_uri_base_ids: Value,
    column_kind: &'static str,
    results: Results,
}

pub(super) fn write(reports: &[Report], out: &mut dyn Write) -> io::Result<()> {
    let found = by_severity(reports);
    let codes: BTreeSet<Code> = found.iter().map(|(_, finding)| finding.code).collect();
    let codes: Vec<Code> = codes.into_iter().collect();
    let here = absolute(Path::new(""));
    let paths = Paths { here: &here };
    let results = StreamedList(|| {
        let mut writer =
            Results { codes: &codes, paths, fingerprints: Fingerprints::default(), spent: HashMap::new() };
        found.iter().take(MAX_RESULTS).map(move |(report, finding)| writer.result(report, finding))
    });
    let run = Run {
        tool: json!({ "driver": driver(&codes) }), // An ID that ends with a slash names a category of runs.
        automation_details: json!({ "id": "crd-ls/" }),
        invocations: [invocation(found.len(), &Summary::of(reports), paths)],
        original_uri_base_ids: json!({ ROOT: { "description": { "text": "The directory in which crd-ls ran." } } }),
        column_kind: "utf16CodeUnits",
        results,
    };
    serde_json::to_writer(&mut *out, &Log { schema: SCHEMA, version: "2.1.0", runs: [run] })?;
    writeln!(out)
}

/// The address of the repository in `Cargo.toml`, unless its owner is a placeholder.
fn repository() -> Option<&'static str> {
    Some(env!("CARGO_PKG_REPOSITORY")).filter(|address| !address.contains("/OWNER/"))
}

fn driver(codes: &[Code]) -> Value {
    json!({ "name": "crd-ls", "fullName": concat!("crd-ls ", env!("CARGO_PKG_VERSION")), "version": env!("CARGO_PKG_VERSION"), "semanticVersion": env!("CARGO_PKG_VERSION"), "informationUri": repository().unwrap_or(DEFINITIONS), "rules": codes.iter().map(|code| rule(*code)).collect::<Vec<_>>(), })
}

/// The invocation: that the run has ended, the number of findings if some are omitted, and the objects that were not checked.
fn invocation(found: usize, summary: &Summary<'_>, paths: Paths<'_>) -> Value {
    let warning = |text: String| json!({ "level": "warning", "message": { "text": text } });
    let mut notifications = Vec::new();
    if found > MAX_RESULTS {
        notifications.push(warning(format!( "{found} findings, of which the first {MAX_RESULTS} are listed, errors first, because services reject more results. \
             Select fewer rules or files." )));
    }
    let left = &summary.not_judged;
    notifications
        .extend(left.iter().take(MAX_NOTIFICATIONS).map(|(path, one)| not_checked(path, one, paths)));
    if left.len() > MAX_NOTIFICATIONS {
        notifications
            .push(warning(format!("{} more objects are not checked.", left.len() - MAX_NOTIFICATIONS)));
    }
    let mut invocation = json!({ "executionSuccessful": true });
    if !notifications.is_empty() {
        insert(&mut invocation, "toolExecutionNotifications", Value::Array(notifications));
    }
    invocation
}

/// The notification on an object that was not checked, with the reason.
fn not_checked(path: &str, unjudged: &UnvalidatedObject, paths: Paths<'_>) -> Value {
    let UnvalidatedObject { line, api_version, kind, reason } = unjudged;
    let what = if kind.is_empty() { "The file".to_owned() } else { format!("{api_version} {kind}") };
    json!({ "level": if reason.is_gap() { "warning" } else { "note" }, "message": { "text": format!("{what} is not checked: {}.", reason.as_str()) }, "locations": [{ "physicalLocation": { "artifactLocation": paths.artifact(path), "region": { "startLine": line + 1 }, }}], "properties": { "reason": reason.as_str() }, })
}

fn rule(code: Code) -> Value {
    let rule = code.rule();
    let severity =
        if rule.severity > Severity::Warning { "recommendation" } else { severity_word(rule.severity) };
    json!({ "id": code.as_str(), "name": code.in_one_word(), "helpUri": rule.url().unwrap_or_else(|| DEFINITIONS.to_owned()), "shortDescription": { "text": cut(&sentence(rule.title)) }, "fullDescription": { "text": cut(&sentence(rule.summary)) }, "help": { "text": rule.page(), "markdown": rule.page() }, "defaultConfiguration": { "level": level(rule.severity) }, "properties": { "tags": ["kubernetes", code.group()], "problem.severity": severity, "precision": "very-high", }, })
}

/// The text with a period at its end.
fn sentence(text: &str) -> String {
    let text = text.trim_end();
    let end = if text.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{text}{end}")
}

fn cut(text: &str) -> String {
    if text.chars().count() <= MAX_DESCRIPTION {
        return text.to_owned();
    }
    text.chars().take(MAX_DESCRIPTION - 1).chain(['…']).collect()
}

/// Makes results one after the other.
struct Results<'a> {
    codes: &'a [Code],
    paths: Paths<'a>,
    fingerprints: Fingerprints,
    /// The number of bytes of fixes that were written, by path.
    spent: HashMap<&'a str, usize>,
}

impl<'a> Results<'a> {
    fn result(&mut self, report: &'a Report, finding: &Finding) -> Value {
        let mut place = self.location(&report.path, &report.text.get(), finding.range);
        if !finding.field_path.is_empty() {
            insert(
                &mut place,
                "logicalLocations",
                json!([{ "fullyQualifiedName": finding.field_path.to_string() }]),
            );
        }
        let fingerprint = self.fingerprints.fingerprint_of(&plain_path(&report.path), finding);
        let mut result = json!({ "ruleId": finding.code.as_str(), "ruleIndex": self.codes.binary_search(&finding.code).ok(), "level": level(finding.severity), "message": { "text": sentence(&finding.with_answer()) }, "locations": [place], "partialFingerprints": { "primaryLocationLineHash": fingerprint }, });
        let related = finding.related.iter().take(MAX_RELATED).enumerate().map(|(id, related)| {
            let mut place = match &related.elsewhere {
                Some(elsewhere) => self.location(&elsewhere.source, elsewhere.text(), related.range),
                None => self.location(&report.path, &report.text.get(), related.range),
            };
            insert(&mut place, "id", json!(id + 1));
            insert(&mut place, "message", json!({ "text": sentence(&related.message) }));
            place
        });
        let related: Vec<Value> = related.collect();
        if !related.is_empty() {
            insert(&mut result, "relatedLocations", Value::Array(related));
        }
        let fixes = self.fixes(report, finding);
        let omitted = [
            ("relatedLocationsOmitted", finding.related.len().saturating_sub(MAX_RELATED)),
            ("fixesOmitted", report.fixes(finding).len() - fixes.len()),
        ];
        let omitted = omitted.into_iter().filter(|(_, count)| *count > 0);
        let omitted: Map<String, Value> =
            omitted.map(|(key, count)| (key.to_owned(), json!(count))).collect();
        if !omitted.is_empty() {
            insert(&mut result, "properties", Value::Object(omitted));
        }
        if !fixes.is_empty() {
            insert(&mut result, "fixes", Value::Array(fixes));
        }
        result
    }

    /// The first fixes, as long as all fixes of the file stay within a limit that depends on its size.
    fn fixes(&mut self, report: &'a Report, finding: &Finding) -> Vec<Value> {
        let room = FIX_BYTES + FIX_BYTES_EACH * report.text.get().len() as usize;
        let mut fixes = Vec::new();
        for fix in report.fixes(finding).take(MAX_FIXES) {
            let spent = self.spent.entry(&report.path).or_default();
            *spent += fix_bytes(fix);
            if *spent > room {
                break;
            }
            fixes.push(self.fix(report, fix));
        }
        fixes
    }

    fn fix(&self, report: &Report, fix: &Fix) -> Value {
        let replacement = |edit: &text::TextEdit| json!({ "deletedRegion": region(&report.text.get(), edit.range), "insertedContent": { "text": edit.new_text }, });
        json!({ "description": { "text": sentence(&fix.title) }, "artifactChanges": [{ "artifactLocation": self.paths.artifact(&report.path), "replacements": fix.edits.iter().map(replacement).collect::<Vec<_>>(), }], })
    }

    fn location(&self, path: &str, text: &TextBuffer, range: TextRange) -> Value {
        json!({ "physicalLocation": { "artifactLocation": self.paths.artifact(path), "region": region(text, range), }})
    }
}

/// Writes paths as references.
#[derive(Clone, Copy)]
struct Paths<'a> {
    /// The directory to which they are relative.
    here: &'a Path,
}

impl Paths<'_> {
    /// A path below the current directory as a relative reference, any other path as a file URI (RFC 3986).
    fn artifact(&self, path: &str) -> Value {
        let absolute_path = absolute(Path::new(path));
        match absolute_path.strip_prefix(self.here) {
            Ok(relative) => json!({ "uri": encoded(&relative.to_string_lossy()), "uriBaseId": ROOT }),
            Err(_) => {
                let path = encoded(&absolute_path.to_string_lossy());
                let slash = if path.starts_with('/') { "" } else { "/" };
                json!({ "uri": format!("file://{slash}{path}") })
            }
        }
    }
}

fn insert(object: &mut Value, key: &str, value: Value) {
    if let Value::Object(map) = object {
        map.insert(key.to_owned(), value);
    }
}

const fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Information | Severity::Hint => "note",
    }
}

/// Lines and columns from 1, the end column one past the last character.
fn region(text: &TextBuffer, range: TextRange) -> Value {
    let Span { start, end } = Span::of(text, range);
    json!({ "startLine": start.line + 1, "startColumn": start.character + 1, "endLine": end.line + 1, "endColumn": end.character + 1, })
}

/// A path in a URI.
fn encoded(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(byte.into())
            }
            b'\\' if cfg!(windows) => uri.push('/'),
            other => uri.push_str(&format!("%{other:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use ide::RelatedInformation;

    use super::super::samples::{of_lines, output_text, rendered, report, with_fixes};
    use super::*;

    fn log(reports: &[Report]) -> Value {
        serde_json::from_str(&output_text(reports, write)).unwrap()
    }

    #[test]
    fn results_point_at_their_rule_and_place() {
        let log: Value = serde_json::from_str(&rendered(write)).unwrap();
        let run = &log["runs"][0];
        let rules = &run["tool"]["driver"]["rules"];
        let conventions = ide::rule(rules[0]["id"].as_str().unwrap()).unwrap().url();
        assert_eq!(rules[0]["helpUri"].as_str().map(str::to_owned), conventions);
        let known = ide::rule("structural/type-required").unwrap();
        assert_eq!(
            (&rules[1]["id"], &rules[1]["name"]),
            (&json!(known.code.as_str()), &json!("StructuralTypeRequired"))
        );
        assert_eq!(rules[1]["help"]["markdown"], known.page());
        assert_eq!(rules[1]["helpUri"], known.url().unwrap());
        for description in ["shortDescription", "fullDescription"] {
            assert!(rules[1][description]["text"].as_str().unwrap().ends_with('.'), "{description}");
        }
        let error = &run["results"][0];
        assert_eq!((&error["ruleIndex"], &error["level"]), (&json!(1), &json!("error")));
        let place = &error["locations"][0];
        assert_eq!(
            place["physicalLocation"]["artifactLocation"],
            json!({"uri": "dir/my%20file.yaml", "uriBaseId": "%SRCROOT%"})
        );
        assert_eq!(
            place["physicalLocation"]["region"],
            json!({"startLine": 1, "startColumn": 7, "endLine": 1, "endColumn": 8})
        );
        assert_eq!(place["logicalLocations"][0]["fullyQualifiedName"], "spec.a");
        assert_eq!(error["relatedLocations"][0]["message"]["text"], "missing here.");
        let left = &run["invocations"][0]["toolExecutionNotifications"];
        assert_eq!(left.as_array().unwrap().len(), 1);
        assert_eq!(
            (&left[0]["level"], &left[0]["message"]["text"]),
            (&json!("warning"), &json!("The file is not checked: unreadable."))
        );
    }

    #[test]
    fn similar_findings_have_different_fingerprints_in_sarif() {
        let report = of_lines(
            "a.yaml",
            "a\nb\n",
            &[(Severity::Error, "yaml/alias", "m", 0), (Severity::Error, "yaml/alias", "m", 1)],
        );
        let results = log(&[report])["runs"][0]["results"].clone();
        let fingerprint = |at: usize| {
            results[at]["partialFingerprints"]["primaryLocationLineHash"].as_str().unwrap().to_owned()
        };
        assert_eq!(fingerprint(0).replace(":1", ":2"), fingerprint(1));
        assert_ne!(fingerprint(0), fingerprint(1));
    }

    #[test]
    fn results_and_related_places_are_capped_and_counted() {
        let mut many = report();
        many.findings[0].related = vec![RelatedInformation::here(TextRange::new(0, 1), "here"); 300];
        let result = log(&[many])["runs"][0]["results"][0].clone();
        assert_eq!(result["relatedLocations"].as_array().unwrap().len(), MAX_RELATED);
        assert_eq!(result["properties"]["relatedLocationsOmitted"], 290);

        let mut found = vec![(Severity::Hint, "lint/number", "m", 0); MAX_RESULTS];
        found.push((Severity::Error, "yaml/alias", "m", 0));
        let log = log(&[of_lines("a.yaml", "a\n", &found)]);
        let run = &log["runs"][0];
        assert_eq!(run["results"].as_array().unwrap().len(), MAX_RESULTS);
        assert_eq!(run["results"][0]["level"], "error", "errors are not left out");
        let message = &run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"];
        assert!(
            message.as_str().unwrap().starts_with("25001 findings, of which the first 25000"),
            "{message}"
        );
    }

    #[test]
    fn fixes_are_capped_by_their_number_and_bytes_and_counted() {
        for (count, bytes, expected, omitted) in
            [(2, 1000, 2, json!(null)), (100, 1000, MAX_FIXES, json!(97)), (2, FIX_BYTES + 1000, 0, json!(2))]
        {
            let result = log(&[with_fixes(count, bytes)])["runs"][0]["results"][0].clone();
            assert_eq!(result["fixes"].as_array().map_or(0, Vec::len), expected, "{count} of {bytes}");
            assert_eq!(result["properties"]["fixesOmitted"], omitted, "{count} of {bytes}");
        }
    }

    #[test]
    fn paths_become_references() {
        let paths = Paths { here: Path::new("/home/me") };
        for (path, expected) in [
            ("/home/me/a b.yaml", json!({"uri": "a%20b.yaml", "uriBaseId": "%SRCROOT%"})),
            ("/home/me/../ä.yaml", json!({"uri": "file:///home/%C3%A4.yaml"})),
        ] {
            assert_eq!(paths.artifact(path), expected);
        }
    }
}
