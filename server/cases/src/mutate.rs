//! Makes small changes to rules, and checks whether a case detects them.

use std::collections::BTreeSet;

use cel::Environment;
use cel::ast::{Ast, ExprKind, Function, Literal, Operator};
use crd::customresource::ResourceVersion;
use crd::value::Value;
use text::TextRange;
use yaml::Json;

use crate::coverage::{Coverage, CoverageItem, ItemKind, Step, Subject};
use crate::definition::Definition;
use crate::generate;

/// The maximum number of changes that are tried for one rule.
const MOST_OF_RULE: usize = 64;

/// A rule that was changed.
#[derive(Debug)]
pub struct Mutant {
    /// The index of the rule among the items of the coverage.
    pub item: usize,
    /// The changed rule.
    pub rule: String,
    /// The version of the definition with the changed rule.
    pub version: ResourceVersion,
}

/// The changed rules of a version of a definition that kube-apiserver would accept.
#[must_use]
pub fn mutants(definition: &Definition, coverage: &Coverage) -> Vec<Mutant> {
    let mut mutants = Vec::new();
    for (number, item) in coverage.items.iter().enumerate() {
        let (ItemKind::Rule, Subject::Rule(rule)) = (item.kind, &item.subject) else { continue };
        for changed in changed(rule) {
            let Some(object) = with_rule(&definition.object, coverage.version_name(), item, rule, &changed)
            else {
                continue;
            };
            let Some(of) = Definition::of_json(&object, coverage.server) else { continue };
            let version = of.versions.into_iter().find(|version| version.name == coverage.version_name());
            // Changed rules that do not compile are skipped.
            if let (Some(version), true) = (version, of.errors.is_empty() && of.cost_errors.is_empty()) {
                let version = ResourceVersion { served: true, storage: true, ..version };
                mutants.push(Mutant { item: number, rule: changed, version });
            }
        }
    }
    mutants
}

/// The definition with the rule changed.
#[must_use]
pub fn definition_with(mutant: &Mutant, definition: &Definition, coverage: &Coverage) -> Option<Json> {
    let item = coverage.items.get(mutant.item)?;
    let Subject::Rule(rule) = &item.subject else { return None };
    with_rule(&definition.object, coverage.version_name(), item, rule, &mutant.rule)
}

/// An object with different results for the rule and the changed rule, with the previously stored object.
#[must_use]
pub fn killing_object(mutant: &Mutant, coverage: &Coverage) -> Option<(Option<Value>, Value)> {
    generate::distinguishing(coverage, mutant.item, &mutant.version)
}

/// The definition with the rule changed.
fn with_rule(
    definition: &Json,
    version: &str,
    item: &CoverageItem,
    rule: &str,
    changed: &str,
) -> Option<Json> {
    let mut definition = definition.clone();
    let versions = definition.get_mut("spec")?.get_mut("versions")?;
    let Json::Array(versions) = versions else { return None };
    let name = Json::String(version.to_owned());
    let own = versions.iter_mut().find(|version| version.get("name") == Some(&name))?;
    let mut node = own.get_mut("schema")?.get_mut("openAPIV3Schema")?;
    for step in &item.schema_path {
        node = match step {
            Step::Property(name) => node.get_mut("properties")?.get_mut(name)?,
            Step::Items => node.get_mut("items")?,
            Step::Additional => node.get_mut("additionalProperties")?,
        };
    }
    let Json::Array(rules) = node.get_mut("x-kubernetes-validations")? else { return None };
    let texts = rules.iter_mut().filter_map(|rule| rule.get_mut("rule"));
    let text = texts.into_iter().find(|text| text.as_str() == Some(rule))?;
    *text = Json::String(changed.to_owned());
    Some(definition)
}

/// The rule with one change each, without duplicates.
fn changed(rule: &str) -> Vec<String> {
    let (ast, issues) = cel::parse(rule, Environment::for_stored_rules().parse_options());
    let mut edits = Vec::new();
    if issues.is_empty() {
        visit_written(&ast, ast.root(), &mut |expr| edit(&ast, rule, expr, &mut edits));
    }
    let mut known = BTreeSet::from([rule.to_owned()]);
    let apply = |(range, text): (TextRange, String)| {
        let range = range.as_usize();
        let (before, after) = (rule.get(..range.start)?, rule.get(range.end..)?);
        Some(format!("{before}{text}{after}"))
    };
    edits.into_iter().filter_map(apply).filter(|text| known.insert(text.clone())).take(MOST_OF_RULE).collect()
}

/// Calls `visit` with each expression in the source text.
fn visit_written(ast: &Ast, expr: cel::ast::ExprId, visit: &mut dyn FnMut(cel::ast::ExprId)) {
    visit(expr);
    match ast.macro_of(expr) {
        Some(call) if ast.name(call.name) == "has" => {}
        Some(call) => {
            call.target.iter().chain(ast.list(call.args)).for_each(|child| visit_written(ast, *child, visit));
        }
        None => ast.for_each_child(expr, |child| visit_written(ast, child, visit)),
    }
}

/// The changes of one expression: byte ranges and their replacements.
fn edit(ast: &Ast, rule: &str, expr: cel::ast::ExprId, edits: &mut Vec<(TextRange, String)>) {
    let range = ast.expr(expr).range;
    let text = |range: TextRange| rule.get(range.as_usize()).unwrap_or_default();
    if let Some(call) = ast.macro_of(expr) {
        match ast.name(call.name) {
            "all" => edits.push((call.name_range, "exists".to_owned())),
            "exists" => edits.push((call.name_range, "all".to_owned())),
            "has" => edits.push((range, "true".to_owned())),
            _ => {}
        }
        return;
    }
    match ast.kind(expr) {
        ExprKind::Literal(Literal::Int(number)) => {
            let next = [number.checked_add(1), number.checked_sub(1)];
            edits.extend(next.into_iter().flatten().map(|number| (range, number.to_string())));
        }
        ExprKind::Ident(name) => match ast.name(*name) {
            "self" if rule.contains("oldSelf") => edits.push((range, "oldSelf".to_owned())),
            "oldSelf" => edits.push((range, "self".to_owned())),
            _ => {}
        },
        ExprKind::Call { function: Function::Operator(operator), args, .. } => match ast.list(*args) {
            [operand] if *operator == Operator::Not => {
                edits.push((range, format!("({})", text(ast.expr(*operand).range))));
            }
            [one, other] => {
                let (one, other) = (ast.expr(*one).range, ast.expr(*other).range);
                let between = TextRange { start: one.end, end: other.start };
                for (from, to) in flipped(*operator) {
                    if text(between).contains(from) {
                        edits.push((between, text(between).replacen(from, to, 1)));
                    }
                }
                if matches!(operator, Operator::And | Operator::Or) {
                    edits.extend([one, other].map(|kept| (range, text(kept).to_owned())));
                }
            }
            _ => {}
        },
        _ => {}
    }
}

/// The replacements of an operator.
fn flipped(operator: Operator) -> &'static [(&'static str, &'static str)] {
    match operator {
        Operator::Equals => &[("==", "!=")],
        Operator::NotEquals => &[("!=", "==")],
        Operator::Less => &[("<", "<="), ("<", ">")],
        Operator::LessEquals => &[("<=", "<"), ("<=", ">=")],
        Operator::Greater => &[(">", ">="), (">", "<")],
        Operator::GreaterEquals => &[(">=", ">"), (">=", "<=")],
        Operator::And => &[("&&", "||")],
        Operator::Or => &[("||", "&&")],
        Operator::Add => &[("+", "-")],
        Operator::Subtract => &[("-", "+")],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_mutant_has_one_change() {
        assert_eq!(changed("size(x) >= 2"), ["size(x) > 2", "size(x) <= 2", "size(x) >= 3", "size(x) >= 1"]);
        assert_eq!(
            changed("!has(x.a) || x.b.all(i, i != 0)"),
            [
                "!has(x.a) && x.b.all(i, i != 0)",
                "!has(x.a)",
                "x.b.all(i, i != 0)",
                "(has(x.a)) || x.b.all(i, i != 0)",
                "!true || x.b.all(i, i != 0)",
                "!has(x.a) || x.b.exists(i, i != 0)",
                "!has(x.a) || x.b.all(i, i == 0)",
                "!has(x.a) || x.b.all(i, i != 1)",
                "!has(x.a) || x.b.all(i, i != -1)",
            ]
        );
        assert_eq!(changed("x == oldSelf"), ["x != oldSelf", "x == self"]);
        assert!(changed("x ==").is_empty());
    }
}
