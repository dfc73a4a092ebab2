//! SARIF 2.1.0 (OASIS), as code-scanning services read it.

use std::collections::BTreeSet;
use std::io::{self, Write};

use ide::{Finding, Fix, Severity};
use serde_json::{Map, Value, json};
use text::{TextBuffer, TextRange};

use super::summary::Unjudged;
use super::{Span, Summary};
use crate::cli::Report;
use crate::rules::rule_url;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

pub(super) fn write(reports: &[Report], out: &mut dyn Write) -> io::Result<()> {
    let codes: BTreeSet<&str> = reports.iter().flat_map(|r| &r.findings).map(|f| f.code).collect();
    let codes: Vec<&str> = codes.into_iter().collect();
    let results = reports.iter().flat_map(|r| r.findings.iter().map(|f| result(r, f, &codes)));
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "crd-ls",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": codes.iter().map(|code| rule(code)).collect::<Vec<_>>(),
            }},
            "invocations": [{
                "executionSuccessful": true,
                "toolExecutionNotifications": notifications(&Summary::of(reports)),
            }],
            "columnKind": "utf16CodeUnits",
            "results": results.collect::<Vec<_>>(),
        }],
    });
    serde_json::to_writer(&mut *out, &log)?;
    writeln!(out)
}

fn rule(code: &str) -> Value {
    let mut rule = Map::from_iter([("id".to_owned(), json!(code))]);
    if let Some(known) = ide::rule(code) {
        rule.insert("shortDescription".to_owned(), json!({ "text": known.title }));
        rule.insert("help".to_owned(), json!({ "text": known.page(), "markdown": known.page() }));
    }
    if let Some(url) = rule_url(code) {
        rule.insert("helpUri".to_owned(), json!(url));
    }
    Value::Object(rule)
}

fn result(report: &Report, finding: &Finding, codes: &[&str]) -> Value {
    let mut place = location(&report.path, &report.buffer, finding.range);
    if !finding.field_path.is_empty() {
        insert(&mut place, "logicalLocations", json!([{ "fullyQualifiedName": finding.field_path }]));
    }
    let mut result = json!({
        "ruleId": finding.code,
        "ruleIndex": codes.binary_search(&finding.code).unwrap_or_default(),
        "level": level(finding.severity),
        "message": { "text": finding.message },
        "locations": [place],
    });
    let related = finding.related.iter().map(|related| {
        let mut place = match &related.elsewhere {
            Some(elsewhere) => location(&elsewhere.source, elsewhere.text(), related.range),
            None => location(&report.path, &report.buffer, related.range),
        };
        insert(&mut place, "message", json!({ "text": related.message }));
        place
    });
    let related: Vec<Value> = related.collect();
    if !related.is_empty() {
        insert(&mut result, "relatedLocations", Value::Array(related));
    }
    let fixes: Vec<Value> = report.fixes(finding).iter().map(|fix| fix_value(report, fix)).collect();
    if !fixes.is_empty() {
        insert(&mut result, "fixes", Value::Array(fixes));
    }
    result
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

fn location(path: &str, text: &TextBuffer, range: TextRange) -> Value {
    json!({ "physicalLocation": {
        "artifactLocation": { "uri": uri(path) },
        "region": region(text, range),
    }})
}

/// Lines and columns from 1, the end column one past the last character.
fn region(text: &TextBuffer, range: TextRange) -> Value {
    let Span { start, end } = Span::of(text, range);
    json!({
        "startLine": start.line + 1,
        "startColumn": start.character + 1,
        "endLine": end.line + 1,
        "endColumn": end.character + 1,
    })
}

fn fix_value(report: &Report, fix: &Fix) -> Value {
    let replacement = |edit: &text::TextEdit| {
        json!({
            "deletedRegion": region(&report.buffer, edit.range),
            "insertedContent": { "text": edit.new_text },
        })
    };
    json!({
        "description": { "text": fix.title },
        "artifactChanges": [{
            "artifactLocation": { "uri": uri(&report.path) },
            "replacements": fix.edits.iter().map(replacement).collect::<Vec<_>>(),
        }],
    })
}

/// A relative path as a relative reference, an absolute one as a file URI (RFC 3986).
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len() + 8);
    if path.starts_with('/') {
        uri.push_str("file://");
    }
    for byte in path.strip_prefix("./").unwrap_or(path).bytes() {
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

/// What was left alone, with the reason.
fn notifications(summary: &Summary<'_>) -> Vec<Value> {
    let one = |(path, unjudged): &(&str, &Unjudged)| {
        let Unjudged { line, api_version, kind, reason } = unjudged;
        let what = if kind.is_empty() { "the file".to_owned() } else { format!("{api_version} {kind}") };
        json!({
            "level": if reason.is_gap() { "warning" } else { "note" },
            "message": { "text": format!("{what} is not checked: {}", reason.as_str()) },
            "locations": [{ "physicalLocation": {
                "artifactLocation": { "uri": uri(path) },
                "region": { "startLine": line + 1 },
            }}],
            "properties": { "reason": reason.as_str() },
        })
    };
    summary.not_judged.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::super::samples::rendered;
    use super::*;

    #[test]
    fn results_point_at_their_rule_and_place() {
        let log: Value = serde_json::from_str(&rendered(write)).unwrap();
        let run = &log["runs"][0];
        let rules = &run["tool"]["driver"]["rules"];
        // A code without a page has nothing but its name.
        assert_eq!(rules[0], json!({"id": "own/pruned"}));
        assert_eq!(rules[1]["id"], "structural/type-required");
        assert_eq!(rules[1]["help"]["markdown"], ide::rule("structural/type-required").unwrap().page());
        let error = &run["results"][0];
        assert_eq!((&error["ruleIndex"], &error["level"]), (&json!(1), &json!("error")));
        let place = &error["locations"][0];
        assert_eq!(place["physicalLocation"]["artifactLocation"]["uri"], "dir/my%20file.yaml");
        assert_eq!(
            place["physicalLocation"]["region"],
            json!({"startLine": 1, "startColumn": 7, "endLine": 1, "endColumn": 8})
        );
        assert_eq!(place["logicalLocations"][0]["fullyQualifiedName"], "spec.a");
        assert_eq!(error["relatedLocations"][0]["message"]["text"], "missing here");
        let left = &run["invocations"][0]["toolExecutionNotifications"];
        assert_eq!(left.as_array().unwrap().len(), 1);
        assert_eq!(
            (&left[0]["level"], &left[0]["message"]["text"]),
            (&json!("warning"), &json!("the file is not checked: unreadable"))
        );
    }

    #[test]
    fn paths_become_references() {
        assert_eq!(uri("./a b.yaml"), "a%20b.yaml");
        assert_eq!(uri("/a/ä.yaml"), "file:///a/%C3%A4.yaml");
    }
}
