//! Lints of rules beyond the server's checks: rules that fail on valid values, that have no effect, or that
//! do less than their message promises.

use crate::Cache;
use crate::finding::RelatedInformation;
use std::hash::{DefaultHasher, Hash, Hasher};

use api::Code;
use cel::presence::is_harmless;
use text::TextRange;

use crate::cel::SchemaNode;
use crate::cel::compile::Purpose;
use crate::cel::excess::in_resource;
use crate::cel::presence::{declaration, unguarded_reads};
use crate::cel::promise::UpdateRestriction;
use crate::cel::rule::CheckedRule;
use crate::cel::walk::RuleNode;
use crate::message::Message;
use crate::report::ErrorType;
use crate::rules::doubtful_rules::{Constant, DoubtfulPart, doubts};
use crate::rules::report::{Check, RuleFinding, RulePlace};

const UNGUARDED_READ: Code = Code::LintCelOptionalField;
const DYNAMIC: Code = Code::LintCelIntOrString;
const LITERAL: Code = Code::LintCelLiteral;
const NEVER_FAILS: Code = Code::LintCelNeverFails;
const NEVER_HOLDS: Code = Code::LintCelNeverHolds;
const BROKEN_PROMISE: Code = Code::LintCelSaysLess;

/// The length of the longest value that a message shows, in bytes.
const MOST_SHOWN: usize = 60;

/// A rule of a node with its place.
type Rule<'p, 's> = (RulePlace<'p, 's>, CheckedRule<'p>);

impl Check<'_> {
    /// The lints of the rules of a node.
    pub(super) fn lints(&mut self, node: &RuleNode<'_, '_>, rules: &[Rule<'_, '_>]) {
        self.unguarded_reads(node, rules);
        self.check_trials(node, rules);
    }

    /// Adds findings on reads of fields that may be absent.
    fn unguarded_reads(&mut self, node: &RuleNode<'_, '_>, rules: &[Rule<'_, '_>]) {
        if !rules.iter().any(|(_, checked_rule)| checked_rule.rule.1.has_unguarded_reads) {
            return;
        }
        let compiles = |checked_rule: &CheckedRule<'_>| checked_rule.rule.1.problem.is_none();
        let expressions: Vec<_> = rules
            .iter()
            .map(|(_, checked_rule)| compiles(checked_rule).then_some(checked_rule.rule.0))
            .collect();
        for (index, one) in unguarded_reads(node, &expressions, self.cache) {
            let Some((place, checked_rule)) = rules.get(index) else { continue };
            let Some(scalar) = place.scalar(Purpose::Rule) else { continue };
            let written = checked_rule.rule.0.text.get(one.range.as_usize()).unwrap_or_default();
            let guard = match one.owner {
                Some(_) => format!("has({written})"),
                None => format!("'{}' in …", one.field),
            };
            let is_hint = rejects_anyway(node, checked_rule, &one.path, self.cache);
            let rejected = if is_hint { "the object" } else { "a valid object" };
            let problem = format!(
                "without `{written}`, the rule rejects {rejected} with \"no such key: {}\"",
                one.field
            );
            let finding = place.finding(UNGUARDED_READ, ErrorType::Invalid, Purpose::Rule, String::new());
            let required = declaration(node, &one);
            self.push(RuleFinding {
                range: scalar.range_of(one.name, node.base),
                message: Message::new(problem).advise(format!("guard it with `{guard}`")),
                is_ours: true,
                is_hidden: false,
                is_hint,
                related: required
                    .map(|key| RelatedInformation::here(key, format!("nothing requires `{}`", one.field)))
                    .into_iter()
                    .collect(),
                ..finding
            });
        }
    }

    /// Adds findings on results that the schema determines, and on results of trying the rules on valid
    /// values.
    fn check_trials(&mut self, node: &RuleNode<'_, '_>, rules: &[Rule<'_, '_>]) {
        let compiles = |(_, checked_rule): &&Rule<'_, '_>| checked_rule.rule.1.problem.is_none();
        let compiled = rules.iter().filter(compiles).map(|(place, checked_rule)| (place.index, checked_rule));
        // The values of an incomplete schema are unknown.
        let is_known = node.schema_type.as_ref().is_ok_and(|of| !of.is_partial);
        let is_tried = is_known
            && rules.iter().any(|(place, checked_rule)| {
                checked_rule.rule.1.is_dynamic
                    || checked_rule.rule.1.uses_old_self && UpdateRestriction::of(place.rule).is_some()
            });
        for one in doubts(node, compiled, is_tried, self.rules.version, self.cache) {
            let Some((place, checked_rule)) = rules.iter().find(|(place, _)| place.index == one.index) else {
                continue;
            };
            let Some(scalar) = place.scalar(Purpose::Rule) else { continue };
            let text = checked_rule.rule.0.text;
            let (code, range, message) = doubt_message(node, text, &one.doubt);
            let finding = place.finding(code, ErrorType::Invalid, Purpose::Rule, String::new());
            self.push(RuleFinding {
                range: range.map_or(finding.range, |range| scalar.range_of(range, node.base)),
                message,
                is_ours: true,
                is_hidden: false,
                ..finding
            });
        }
    }
}

/// The code of a finding in the rule `text`, its range in the text (`None` for the whole rule), and its
/// message.
fn doubt_message(
    node: &RuleNode<'_, '_>,
    text: &str,
    doubt: &DoubtfulPart,
) -> (Code, Option<TextRange>, Message) {
    match doubt {
        DoubtfulPart::Constant(Constant::NeverHolds) => {
            let name = in_resource(node.path.segments());
            let problem =
                format!("no value that the schema accepts satisfies this rule, so it rejects every `{name}`");
            (NEVER_HOLDS, None, Message::new(problem).advise("correct the rule or the schema"))
        }
        DoubtfulPart::Constant(Constant::NeverFails) => {
            let problem = "the rule never fails, because the schema already ensures it";
            (NEVER_FAILS, None, Message::new(problem).advise("remove or change it"))
        }
        DoubtfulPart::Literal(wrong) => (LITERAL, Some(wrong.range), wrong.message(text)),
        DoubtfulPart::Overload { range, example } => {
            let written = text.get(range.as_usize()).unwrap_or_default();
            let example = if example.len() <= MOST_SHOWN { format!(" `{example}`") } else { String::new() };
            let problem = format!("the rule fails with \"no such overload\" on the valid value{example}");
            (DYNAMIC, Some(*range), Message::new(problem).advise(format!("check `type({written})` first")))
        }
        DoubtfulPart::BrokenPromise { promise, old, new } => {
            let problem = format!(
                "the message promises that {promise}, but the rule accepts the update from `{old}` to `{new}`"
            );
            (BROKEN_PROMISE, None, Message::new(problem).advise("correct the rule or the message"))
        }
    }
}

/// Whether the rule would also reject an object without the value at `path` if the read did not fail.
fn rejects_anyway(
    node: &RuleNode<'_, '_>,
    checked_rule: &CheckedRule<'_>,
    path: &str,
    cache: &mut Cache,
) -> bool {
    let Ok(of) = &node.schema_type else { return false };
    let (expression, compiled) = &checked_rule.rule;
    let mut hasher = DefaultHasher::new();
    (compiled.hash, path).hash(&mut hasher);
    cache.by_facts(hasher.finish(), SchemaNode::new(node.schema, node.base, &of.decl_type), |source| {
        let inspected = expression.inspect();
        let reads = expression.reads(&inspected);
        is_harmless((&inspected.ast, &inspected.checked), &reads, path, source)
    })
}
