//! Where the rules are explained.

use std::io::{self, Write};
use std::process::ExitCode;

use ide::{RULES, rule};

use crate::cli::{CLEAN, FAILED};

/// Where the public explains what the rule `code` rests on.
pub(crate) fn rule_url(code: &str) -> Option<&'static str> {
    rule(code)?.url()
}

/// Prints the page of the rule `code`, or the list of all rules.
pub(crate) fn explain(code: Option<&str>) -> ExitCode {
    let text = match code {
        None => RULES.iter().map(|rule| format!("{}: {}\n", rule.code, rule.summary())).collect(),
        Some(code) => match rule(code) {
            Some(rule) => rule.page.to_owned(),
            None => {
                let problem = format!("crd-ls: there is no rule {code:?}; `crd-ls explain` lists them all\n");
                // Without stderr there is nobody to tell.
                let _ = io::stderr().write_all(problem.as_bytes());
                return ExitCode::from(FAILED);
            }
        },
    };
    // A reader that has gone away has seen enough.
    let _ = io::stdout().write_all(text.as_bytes());
    ExitCode::from(CLEAN)
}
