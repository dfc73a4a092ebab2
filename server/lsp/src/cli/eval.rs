//! `crd-ls eval`.

use std::process::ExitCode;

use answers::forms::eval::EvaluatedOutput;
use ide::preview::{ResourceEvaluation, Trace, TracedExpression, evaluate};
use ide::{Catalog, Definitions, Surroundings};

use super::input::{settings_of, text_of};
use super::old_objects::StoredState;
use super::print::CommandOutput;
use super::walk::Source;
use crate::args::{CostFormat, EvalArgs};
use crate::config::Projects;
use crate::definitions::source_name;
use crate::previews::evaluated_text;

/// Shows the results of rules.
pub(crate) fn run(args: &EvalArgs) -> ExitCode {
    let mut shown = CommandOutput::default();
    if let Err(problem) = show_all(args, &mut shown) {
        shown.problems.push(problem);
    }
    shown.write()
}

fn show_all(args: &EvalArgs, shown: &mut CommandOutput) -> Result<(), String> {
    let source = |path: &String| Source::from_user(path);
    let (definition, resource) = (source(&args.definition), source(&args.resource));
    let text = text_of(&definition)?;
    let name = source_name(&definition.path);
    let Some(definitions) = Definitions::read(&name, &text, Definitions::load_kept(&text)) else {
        return Err(format!("{name}: no definition found; name the definition's file first"));
    };
    let catalog = Catalog::default().with([(name.clone().into(), Some(definitions))]);
    let settings = settings_of(&resource, args.kubernetes_version, &Projects::default())?;
    let source = source_name(&resource.path);
    let before = StoredState::read(&args.stored, std::slice::from_ref(&args.resource), &mut shown.problems)?;
    let stored = before.stored_of(&resource)?;
    let surroundings = Surroundings { catalog, source: source.clone().into(), stored, base: None };
    let what = match (&args.expression, args.rule) {
        (Some(text), _) => Trace::Expression(text),
        (None, Some(number)) => Trace::Rule(number),
        (None, None) => Trace::All,
    };
    // stdin can be read only once.
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

/// Whether a rule is violated or fails.
fn is_bad(rule: &TracedExpression) -> bool {
    match &rule.result {
        Some(Ok(value)) => rule.number > 0 && value == "false" && !rule.ratchets,
        Some(Err(_)) => true,
        None => false,
    }
}

fn show(of: &ResourceEvaluation, rules: &[TracedExpression], format: CostFormat, shown: &mut CommandOutput) {
    if format == CostFormat::Json {
        return shown.json_line(&EvaluatedOutput::new(of, rules));
    }
    shown.text.push_str(&evaluated_text(of, rules));
}
