//! `crd-ls test --mutate`: the changes of rules that no case detects.

use std::fmt::Write;

use cases::mutate::{Mutant, killing_object, mutants};
use cases::{KubernetesVersion, coverage::Coverage};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use super::coverage::Coverages;
use super::{Outcome, Task};
use crate::cli::print::CommandOutput;

/// Lists the changes of rules that no case detects.
pub(super) fn write(
    (tasks, results): (&[Task<'_>], &[Outcome<'_>]),
    coverages: &Coverages,
    server: KubernetesVersion,
    shown: &mut CommandOutput,
) {
    let (mut all, mut survivors) = (0, 0);
    for (file, coverage) in coverages.iter() {
        // A case that fails without the change cannot detect it.
        let passing: Vec<&Task<'_>> = tasks
            .iter()
            .zip(results)
            .filter(|(task, outcome)| outcome.failure.is_none() && coverages.is_of(task, coverage))
            .map(|(task, _)| task)
            .collect();
        let Some(definition) =
            passing.first().and_then(|task| task.target.as_ref().ok()).map(|target| target.definition)
        else {
            continue;
        };
        let mutants = mutants(definition, coverage);
        all += mutants.len();
        let is_survivor = |mutant: &&Mutant| {
            let notices = |task: &&Task<'_>| {
                cases::run(task.case, definition, &mutant.version, server, &mut |_| {}).is_err()
            };
            !passing.iter().any(notices)
        };
        let alive: Vec<&Mutant> = mutants.par_iter().filter(is_survivor).collect();
        survivors += alive.len();
        let texts: Vec<String> = alive.par_iter().map(|mutant| text(mutant, coverage)).collect();
        for (mutant, text) in alive.iter().zip(texts) {
            let line = coverages.line_of(coverage, mutant.item);
            // Writing to a text cannot fail.
            let _ = writeln!(shown.text, "\n{}:{line}: no case detects this change:\n{text}", file.display());
        }
    }
    let _ = writeln!(shown.text, "\n{all} changes of rules, {survivors} of them not detected");
    shown.bad |= survivors > 0;
}

/// The change, and an object that shows it.
fn text(mutant: &Mutant, coverage: &Coverage) -> String {
    let mut out = String::new();
    let rule = coverage.items.get(mutant.item).map(|item| item.text.as_str()).unwrap_or_default();
    for (sign, text) in [('-', rule), ('+', mutant.rule.trim())] {
        text.lines().for_each(|line| out.extend(["  ", &sign.to_string(), " ", line, "\n"]));
    }
    match killing_object(mutant, coverage) {
        None => out.push_str("  no object was found that distinguishes the rules; they may be equivalent"),
        Some((given, object)) => {
            out.push_str("  this case would:\n");
            let mut add = |name: &str, value: &cases::Value| {
                out.extend(["    ", name, ":\n"]);
                let yaml = ide::preview::json_as_yaml(&value.to_json());
                yaml.lines().for_each(|line| out.extend(["      ", line, "\n"]));
            };
            match &given {
                None => add("given", &object),
                Some(given) => {
                    add("given", given);
                    add("update", &object);
                }
            }
            out.truncate(out.trim_end().len());
        }
    }
    out
}
