//! `crd-ls eval`.

use std::process::ExitCode;

use ide::preview::{Evaluated, Trace, Traced, evaluate};
use ide::{Catalog, Definitions, Surroundings};
use serde::Serialize;

use super::before::Before;
use super::input::{settings_of, text_of};
use super::print::Shown;
use super::walk::Source;
use crate::args::{CostFormat, EvalArgs};
use crate::config::Projects;
use crate::definitions::source_name;
use crate::previews::evaluated_text;

/// Shows what comes of rules.
pub(crate) fn run(args: &EvalArgs) -> ExitCode {
    let mut shown = Shown::default();
    if let Err(problem) = show_all(args, &mut shown) {
        shown.problems.push(problem);
    }
    shown.write()
}

fn show_all(args: &EvalArgs, shown: &mut Shown) -> Result<(), String> {
    let source = |path: &String| Source::named(path);
    let (definition, resource) = (source(&args.definition), source(&args.resource));
    let text = text_of(&definition)?;
    let name = source_name(&definition.path);
    let Some(definitions) = Definitions::read(&name, &text, Definitions::held(&text)) else {
        return Err(format!("{name}: no definition found; name the definition's file first"));
    };
    let catalog = Catalog::default().with([(name.clone().into(), Some(definitions))]);
    let settings = settings_of(&resource, args.kubernetes_version, &Projects::default())?;
    let source = source_name(&resource.path);
    let before = Before::read(&args.stored, std::slice::from_ref(&args.resource), &mut shown.problems)?;
    let stored = before.of(&resource)?;
    let surroundings = Surroundings { catalog, source: source.clone().into(), stored, base: None };
    let what = match (&args.expression, args.rule) {
        (Some(text), _) => Trace::Expression(text),
        (None, Some(number)) => Trace::Rule(number),
        (None, None) => Trace::All,
    };
    // One input can be read only once.
    let text = if definition.is_stdin() && resource.is_stdin() { text } else { text_of(&resource)? };
    let all = evaluate(&text, what, &surroundings, &settings);
    if all.is_empty() {
        return Err(format!("{source}: no resource has a kind that {name} defines"));
    }
    for one in &all {
        match &one.rules {
            Err(problem) => return Err(format!("{source}: {} {}: {problem}", one.kind, one.name)),
            Ok(rules) => {
                shown.bad |= rules.iter().any(is_bad);
                show(one, rules, args.output, shown);
            }
        }
    }
    Ok(())
}

/// Whether it is a rule that is broken, or fails.
fn is_bad(rule: &Traced) -> bool {
    match &rule.result {
        Some(Ok(value)) => rule.number > 0 && value == "false" && !rule.ratchets,
        Some(Err(_)) => true,
        None => false,
    }
}

fn show(of: &Evaluated, rules: &[Traced], format: CostFormat, shown: &mut Shown) {
    if format == CostFormat::Json {
        let rules = rules.iter().map(RuleOutput::new).collect();
        let (kind, name) = (&of.kind, &of.name);
        let not_compared = of.not_compared.as_deref();
        return shown.json_line(&Output { kind, name, update: of.is_update, not_compared, rules });
    }
    shown.text.push_str(&evaluated_text(of, rules));
}

#[derive(Serialize)]
struct Output<'a> {
    kind: &'a str,
    name: &'a str,
    /// Whether it replaces a stored resource.
    update: bool,
    /// Why the resource counts as new, though one of that name is stored.
    #[serde(rename = "notCompared", skip_serializing_if = "Option::is_none")]
    not_compared: Option<&'a str>,
    rules: Vec<RuleOutput<'a>>,
}

#[derive(Serialize)]
struct RuleOutput<'a> {
    number: usize,
    path: &'a str,
    rule: &'a str,
    #[serde(flatten)]
    result: Option<ValueOutput<'a>>,
    /// Whether the server only warns where the rule is broken, as the value is the stored one.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    ratchets: bool,
    cost: u64,
    parts: Vec<PartOutput<'a>>,
}

#[derive(Serialize)]
struct PartOutput<'a> {
    text: &'a str,
    depth: usize,
    times: usize,
    values: Vec<ValueOutput<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
enum ValueOutput<'a> {
    Value(&'a str),
    Error(&'a str),
}

impl<'a> ValueOutput<'a> {
    fn new(result: &'a Result<String, String>) -> Self {
        match result {
            Ok(value) => Self::Value(value),
            Err(error) => Self::Error(error),
        }
    }
}

impl<'a> RuleOutput<'a> {
    fn new(of: &'a Traced) -> Self {
        let parts = of.parts.iter().map(|part| PartOutput {
            text: of.text.get(part.range.as_usize()).unwrap_or_default(),
            depth: part.depth,
            times: part.times,
            values: part.values.iter().map(ValueOutput::new).collect(),
        });
        Self {
            number: of.number,
            path: &of.path,
            rule: &of.text,
            result: of.result.as_ref().map(ValueOutput::new),
            ratchets: of.ratchets,
            cost: of.cost,
            parts: parts.collect(),
        }
    }
}
