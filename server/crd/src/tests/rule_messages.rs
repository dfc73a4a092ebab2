//! Messages for rules that do not compile, in `said.txt`: each rule, and below it a mark under the token and
//! the message.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::markers::definition;
use super::reports;

const SCHEMA: &str = "type: object
properties:
  size: {type: integer}
  ratio: {type: number}
  name: {type: string}
  old-name: {type: string}
  in: {type: string}
  tags: {type: array, items: {type: string}}
  labels: {type: object, additionalProperties: {type: string}}
  part: {type: object, properties: {a: {type: string}}}
x-kubernetes-validations:
- message: m
  rule: ";

/// A rule that does not compile, and its findings below it.
fn report(rule: &str) -> String {
    let text = definition(&format!("{SCHEMA}'{}'\n", rule.replace('\'', "''")));
    let mut report = format!("{rule}\n");
    for finding in &reports(&text).remove(0).findings {
        if finding.code != "cel/rule-compile" {
            continue;
        }
        let line = text[..finding.range.start as usize].rsplit('\n').next().unwrap();
        let before = line.split_once("rule: '").map_or(line, |(_, before)| before).replace("''", "'");
        let token = text[finding.range.as_usize()].replace("''", "'");
        let (blanks, marks) = (" ".repeat(before.chars().count()), "^".repeat(token.chars().count().max(1)));
        writeln!(report, "{blanks}{marks} {}", finding.message).unwrap();
    }
    report
}

#[test]
fn errors_of_rules_have_plain_messages() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tests/said.txt");
    let expected = fs::read_to_string(&path).unwrap();
    let rules = expected.split("\n\n").filter_map(|block| block.lines().next());
    let found: Vec<String> = rules.map(report).collect();
    let found = found.join("\n");
    if environment::updates() {
        return fs::write(&path, &found).unwrap();
    }
    assert_eq!(found, expected.replace("\r\n", "\n"));
}
