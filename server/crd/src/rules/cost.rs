//! The costs of a definition's rules, compared with the server's limits.

use text::TextRange;
use yaml::{Document, Reader};

use crate::cache::Cache;
use crate::cel::excess::{UnboundedValue, unbounded};
use crate::cel::rule::{CheckedRule, RuleContext, detail};
use crate::cel::stored_expressions::StoredTexts;
use crate::cel::walk::{RuleNode, walk};
use crate::check::Walker;
use crate::object::{CustomResourceDefinition, SchemaPlace, Version, definitions};
use crate::reading::Budget;
use crate::schema::Flags;
use crate::schema::Keyword;
use crate::schema::structural::structural;
use crate::{FieldPath, Options};

/// The costs of a definition's rules.
#[derive(Clone, Debug)]
pub struct DefinitionCost {
    /// `metadata.name`; empty if absent.
    pub name: String,
    /// The versions, in the order of the text.
    pub versions: Vec<VersionCost>,
}

/// The costs of one version's rules.
#[derive(Clone, Debug)]
pub struct VersionCost {
    /// Its name.
    pub version: String,
    /// The reason why the costs of its rules are unknown.
    pub error: Option<String>,
    /// The cost of all expressions of the schema together, in CEL cost units; the server allows
    /// [`cel::cost::SCHEMA_LIMIT`].
    pub total: u64,
    /// The rules in pre-order, properties sorted by name.
    pub rules: Vec<RuleCost>,
}

/// The cost of a rule.
#[derive(Clone, Debug, Default)]
pub struct RuleCost {
    /// The path of the field `rule` as the server names it if versions differ; the path of the node if its
    /// rules have no type.
    pub path: FieldPath,
    /// The range of the rule's text, or of the whole rule if the text has no range, in bytes.
    pub range: TextRange,
    /// The text of the rule.
    pub rule: String,
    /// The server's error, if the rule has no cost.
    pub error: Option<String>,
    /// The maximum cost of one evaluation, in CEL cost units; see [`super::is_unbounded`].
    pub per_call: u64,
    /// The maximum number of evaluations; 0 if the rule cannot run and no bounds around it limit the number.
    pub times: u64,
    /// Whether the bounds of the lists and maps around it limit the number, rather than the size of a
    /// request.
    pub bounded: bool,
    /// The cost of all evaluations; the server allows [`cel::cost::EXPRESSION_LIMIT`].
    pub total: u64,
    /// Whether it refers to `oldSelf`.
    pub uses_old_self: bool,
    /// `messageExpression`; empty if absent.
    pub message_expression: String,
    /// The server's error, if `messageExpression` has no cost.
    pub message_expression_error: Option<String>,
    /// The maximum cost of one evaluation of `messageExpression`.
    pub message_expression_cost: u64,
    /// The unbounded values that make it expensive.
    pub unbounded: Vec<UnboundedValue>,
}

/// The costs of the rules of all definitions in `document` on create.
#[must_use]
pub fn costs(document: Document<'_>, options: &Options, cache: &mut Cache) -> Vec<DefinitionCost> {
    cache.prepare(options);
    let reader = Reader::new(document);
    let definitions = definitions(document, &reader);
    let cost = |definition: &CustomResourceDefinition<'_, '_>| {
        let schemas = definition.schemas();
        DefinitionCost {
            name: definition.name().unwrap_or_default().into_owned(),
            versions: definition
                .versions()
                .map(|version| version_cost(&version, &schemas, definition, options, cache))
                .collect(),
        }
    };
    definitions.iter().map(cost).collect()
}

fn version_cost<'t>(
    version: &Version<'_, 't>,
    schemas: &[SchemaPlace<'t>],
    definition: &CustomResourceDefinition<'_, 't>,
    options: &Options,
    cache: &mut Cache,
) -> VersionCost {
    let name = version.name().unwrap_or_default().into_owned();
    let mut cost = VersionCost { version: name, error: None, total: 0, rules: Vec::new() };
    // `spec.validation` of v1beta1 is the schema of all versions.
    let of_it = schemas.iter().find(|place| place.version == Some(version.index));
    let Some(place) = of_it.or_else(|| schemas.iter().find(|place| place.version.is_none())) else {
        return cost;
    };
    let reader = definition.reader();
    let budget = &mut Budget::new(true);
    let outcome = Walker { reader, options, cache, budget }.walk(place.value);
    if outcome.flags.contains(Flags::UNCONVERTIBLE | Flags::UNDECODABLE) {
        cost.error = Some("kube-apiserver cannot decode this schema; `crd-ls check` shows why".to_owned());
        return cost;
    }
    let Some((schema, base)) = structural(place.value, reader, cache) else { return cost };
    let root = FieldPath::of_names(["spec", "versions"]).index(version.index).child("schema");
    let root = root.child("openAPIV3Schema");
    let none = StoredTexts::default();
    let context = RuleContext { stored_texts: &none, version: options.kubernetes_version };
    walk(&schema, base, place.key, options.kubernetes_version, &mut |node| {
        for index in 0..node.schema.validations.len() {
            let rule = rule_cost(node, index, &root, context, cache);
            cost.total = cost.total.saturating_add(rule.total).saturating_add(rule.message_expression_cost);
            cost.rules.push(rule);
            if node.schema_type.is_err() {
                break;
            }
        }
    });
    cost
}

fn rule_cost(
    node: &RuleNode<'_, '_>,
    index: usize,
    root: &FieldPath,
    context: RuleContext<'_>,
    cache: &mut Cache,
) -> RuleCost {
    let path = root.join(node.path.segments());
    let (Ok(of), Some(rule)) = (&node.schema_type, node.schema.validations.get(index)) else {
        let error = Some("no type information for the rules".to_owned());
        return RuleCost { path, error, ..RuleCost::default() };
    };
    let times = node.evaluations();
    let checked_rule = CheckedRule::new(rule, of, times, context, cache);
    let (expression, compiled) = &checked_rule.rule;
    let mut estimates = Vec::new();
    let runs = compiled.problem.is_none() && !rule.rule.trim().is_empty();
    if runs {
        estimates.push(expression.explain());
    }
    let message = checked_rule.message.as_ref().filter(|_| checked_rule.reaches_message());
    let message_problem = message.and_then(|(expression, compiled)| {
        compiled.problem.as_ref().map(|problem| detail(expression, problem))
    });
    if let Some((expression, _)) = message.filter(|_| message_problem.is_none()) {
        estimates.push(expression.explain());
    }
    let range = rule.rule_place.as_ref().map_or(rule.range, |place| place.range);
    RuleCost {
        path: path.child(Keyword::Validations.as_str()).index(index).child("rule"),
        range: range.wrapping_shifted(node.base),
        rule: rule.rule.to_string(),
        error: compiled.problem.as_ref().map(|problem| detail(expression, problem)),
        per_call: compiled.cost,
        // For a rule that cannot run, the server knows only the limit by the bounds around it.
        times: if runs || node.times.is_some() { times } else { 0 },
        bounded: node.times.is_some(),
        total: checked_rule.total,
        uses_old_self: compiled.uses_old_self,
        message_expression: rule.message_expression.to_string(),
        message_expression_error: message_problem,
        message_expression_cost: checked_rule.message_cost(),
        unbounded: if estimates.is_empty() { Vec::new() } else { unbounded(node, &estimates, root) },
    }
}
