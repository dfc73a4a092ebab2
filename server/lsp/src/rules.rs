//! The commands that explain and list rules.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::ValueEnum;
use ide::{RULES, Rule, rule};
use serde_json::{Value, json};

use crate::status::{CLEAN, FAILED};

/// The format of the list of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ListFormat {
    Human,
    Json,
}

/// Prints the page of the rule `code`, or the list of all rules.
pub(crate) fn explain(code: Option<&str>) -> ExitCode {
    let Some(code) = code else { return list(ListFormat::Human) };
    let Some(rule) = rule(code) else {
        let problem = format!("crd-ls: unknown rule {code:?}; `crd-ls rules` lists all rules\n");
        // Without stderr, the problem cannot be reported.
        let _ = io::stderr().write_all(problem.as_bytes());
        return ExitCode::from(FAILED);
    };
    print(&rule.page())
}

/// Prints all rules.
pub(crate) fn list(format: ListFormat) -> ExitCode {
    let rules = RULES.iter();
    match format {
        ListFormat::Human => {
            let width = RULES.iter().map(|rule| rule.code.as_str().len()).max().unwrap_or_default();
            let severity = |rule: &Rule| match rule.is_optional || rule.experiment().is_some() {
                true => "off".to_owned(),
                false => rule.severity.name().to_ascii_lowercase(),
            };
            let line = |rule: &Rule| format!("{:width$}  {:11}  {}\n", rule.code, severity(rule), rule.title);
            print(&rules.map(line).collect::<String>())
        }
        ListFormat::Json => {
            let entry = |rule: &Rule| {
                json!({
                    "code": rule.code.as_str(),
                    "severity": rule.severity.name().to_ascii_lowercase(),
                    "default": !rule.is_optional && rule.experiment().is_none(),
                    "since": rule.since.map(|since| format!("1.{}", since.minor)),
                    "title": rule.title,
                })
            };
            let rules: Vec<Value> = rules.map(entry).collect();
            print(&format!("{:#}\n", json!({"schemaVersion": 1, "rules": rules})))
        }
    }
}

fn print(text: &str) -> ExitCode {
    // A reader that closed the pipe does not want the rest.
    let _ = io::stdout().write_all(text.as_bytes());
    ExitCode::from(CLEAN)
}
