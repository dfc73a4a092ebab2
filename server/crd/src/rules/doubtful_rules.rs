//! Doubtful rules of a node: results that its schema alone determines, and results of trying the rules on
//! values that the schema accepts.
//!
//! A rule is reported as always true, or never true, only if no other result is possible. All other findings
//! need an example that all other rules of the node accept. Findings are cached as long as the node accepts
//! the same values: an edit elsewhere, or of a description, does not try its rules again.

use crate::Cache;
use std::hash::{DefaultHasher, Hash, Hasher};

use cel::ast::{ExprId, ExprKind, Function};
use cel::possible::{KnownValue, OutcomeAnalysis, Path, ValueStep};
use text::TextRange;

use crate::KubernetesVersion;
use crate::cel::SchemaNode;
use crate::cel::literals::{self, WrongLiteral};
use crate::cel::promise::UpdateRestriction;
use crate::cel::rule::CheckedRule;
use crate::cel::walk::RuleNode;
use crate::customresource::{CompiledRule, RuleResult, error_text, other_rules_reject};
use crate::generate::{Hints, Settings, generate};
use crate::value::{Kind, Value};

/// The maximum number of values that rules are tried on, and of steps for generating them.
const MOST_VALUES: usize = 64;
const STEPS: usize = 50_000;
/// The number of values of which each is tried as the successor of each.
const MOST_OLD: usize = 24;
/// The maximum number of rules of a node that are examined; nodes with more rules are not tried on values.
const MOST_RULES: usize = 64;

/// A finding on a rule.
#[derive(Clone, Debug)]
pub(super) struct TrialFinding {
    /// The index of the rule.
    pub(super) index: usize,
    pub(super) doubt: DoubtfulPart,
}

/// The result of a rule, if the schema alone determines it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Constant {
    /// The rule accepts all values that the schema accepts.
    NeverFails,
    /// The rule rejects all of them.
    NeverHolds,
}

#[derive(Clone, Debug)]
pub(super) enum DoubtfulPart {
    Constant(Constant),
    /// A string of the rule never equals the value beside it, or the function around it rejects the string.
    Literal(WrongLiteral),
    /// A function does not accept all values that `range` of the rule may have, as the example shows.
    Overload {
        range: TextRange,
        example: String,
    },
    /// The rule accepts an update that its message excludes.
    BrokenPromise {
        promise: UpdateRestriction,
        old: String,
        new: String,
    },
}

/// The findings on `rules`, the rules of `node` that compile, each with its index; the rules are tried on
/// values if `is_tried` is set.
pub(super) fn doubts<'r>(
    node: &RuleNode<'_, '_>,
    rules: impl Iterator<Item = (usize, &'r CheckedRule<'r>)>,
    is_tried: bool,
    version: KubernetesVersion,
    cache: &mut Cache,
) -> Vec<TrialFinding> {
    let mut found: Vec<TrialFinding> = Vec::new();
    for (index, rule) in rules.take(MOST_RULES) {
        let decided = decided(node, rule, cache);
        let literals = decided.literals.into_iter().map(DoubtfulPart::Literal);
        let constant = decided.constant.map(DoubtfulPart::Constant);
        found.extend(literals.chain(constant).map(|doubt| TrialFinding { index, doubt }));
    }
    if is_tried && let Ok(of) = &node.schema_type {
        let mut hasher = DefaultHasher::new();
        (node.schema.admits(), of.fingerprint, node.path.is_empty(), is_alone(node)).hash(&mut hasher);
        version.hash(&mut hasher);
        found.extend(cache.answer(hasher.finish(), || try_rules(node, version)).iter().cloned());
    }
    found
}

/// The results for a rule that the schema alone determines.
#[derive(Clone, Debug, Default)]
struct SchemaResults {
    constant: Option<Constant>,
    literals: Vec<WrongLiteral>,
}

/// Determines the results of a rule by the schema alone. If a string in the rule is wrong, the rule is not
/// also reported as constant.
fn decided(node: &RuleNode<'_, '_>, rule: &CheckedRule<'_>, cache: &mut Cache) -> SchemaResults {
    let (rule, compiled) = &rule.rule;
    // Authors use `false` to close a field, and `true` as a placeholder for a rule.
    if matches!(rule.text.trim(), "" | "false" | "true") {
        return SchemaResults::default();
    }
    let Ok(of) = node.schema_type.as_ref() else { return SchemaResults::default() };
    cache.by_facts(compiled.hash, SchemaNode::new(node.schema, node.base, &of.decl_type), |source| {
        let inspected = rule.inspect();
        let root = inspected.ast.root();
        let mut possible = OutcomeAnalysis::new((&inspected.ast, &inspected.checked), source, []);
        let outcome = possible.outcome_of(root);
        let literals = literals::wrong(rule.text, &inspected, &possible.excluded_texts());
        let constant = if !literals.is_empty() {
            None
        } else if !outcome.may_be_true() {
            Some(Constant::NeverHolds)
        } else {
            (!outcome.may_be_false() && !outcome.fails).then_some(Constant::NeverFails)
        };
        SchemaResults { constant, literals }
    })
}

/// Whether no rule above the node can also exclude an update; those rules are not evaluated here.
fn is_alone(node: &RuleNode<'_, '_>) -> bool {
    node.above.iter().all(|above| above.validations.iter().all(|rule| !rule.rule.contains("oldSelf")))
}

fn try_rules(node: &RuleNode<'_, '_>, version: KubernetesVersion) -> Vec<TrialFinding> {
    let rules = &node.schema.validations;
    let Ok(of) = &node.schema_type else { return Vec::new() };
    if rules.len() > MOST_RULES {
        return Vec::new();
    }
    let is_resource = node.path.is_empty();
    let ready = rules.iter().map(|rule| {
        CompiledRule::new(node.schema, is_resource, of, &rule.rule, rule.optional_old_self == Some(true))
    });
    // If a rule does not compile, the values that it accepts are unknown.
    let Some(ready) = ready.collect::<Option<Vec<CompiledRule<'_>>>>() else { return Vec::new() };
    let hints = Hints::of(rules.iter().map(|rule| &*rule.rule));
    let settings = Settings { is_resource, limit: MOST_VALUES, steps: STEPS, ..Settings::new(version) };
    let values = generate(node.schema, &hints, &settings);
    let tried = TrialInputs { node, version, ready: &ready, values: &values };
    let is_alone = is_alone(node);
    let mut found = Vec::new();
    for (index, (rule, trial)) in rules.iter().zip(&ready).enumerate() {
        found.extend(tried.overload(index, trial).map(|doubt| TrialFinding { index, doubt }));
        if let Some(promise) = UpdateRestriction::of(rule).filter(|_| is_alone && trial.uses_old_self()) {
            found.extend(tried.broken_promise(index, promise).map(|doubt| TrialFinding { index, doubt }));
        }
    }
    found
}

struct TrialInputs<'t, 'n> {
    node: &'t RuleNode<'n, 'n>,
    version: KubernetesVersion,
    ready: &'t [CompiledRule<'t>],
    values: &'t [Value],
}

impl TrialInputs<'_, '_> {
    /// Whether another rule, here or below, rejects the value because it is false.
    fn other_rules_reject(&self, index: usize, value: &Value, old: Option<&Value>) -> bool {
        let own = self.node.schema.validations.get(index).map(|rule| rule.range);
        other_rules_reject((self.node.schema, self.node.path.is_empty()), own, value, old, self.version)
    }

    fn overload(&self, index: usize, trial: &CompiledRule<'_>) -> Option<DoubtfulPart> {
        self.values.iter().find_map(|value| {
            let old = trial.uses_old_self().then_some(value);
            let (RuleResult::Fails { is_overload: true, .. }, Some(part)) = trial.watched(value, old) else {
                return None;
            };
            let operand = operand(trial, part)?;
            let range = trial.ast().expr(operand).range;
            (!self.other_rules_reject(index, value, old))
                .then(|| DoubtfulPart::Overload { range, example: error_text(value) })
        })
    }

    /// An update that the rules accept although `promise` excludes it.
    fn broken_promise(&self, index: usize, promise: UpdateRestriction) -> Option<DoubtfulPart> {
        let trial = self.ready.get(index)?;
        let subject = subject(trial)?;
        let some = || self.values.iter().take(MOST_OLD);
        let mut pairs = some().flat_map(|old| some().map(move |new| (old, new)));
        let (old, new) = pairs.find(|(old, new)| {
            let breaks = match (value_at(old, &subject), value_at(new, &subject)) {
                (Some(old), Some(new)) => promise.is_broken(old, new),
                (Some(_), None) => promise == UpdateRestriction::AppendOnly,
                _ => false,
            };
            breaks
                && trial.result_for(new, Some(old)) == RuleResult::Holds
                && !self.other_rules_reject(index, new, Some(old))
        })?;
        Some(DoubtfulPart::BrokenPromise { promise, old: error_text(old), new: error_text(new) })
    }
}

impl UpdateRestriction {
    /// Whether the promise excludes the update from `old` to `new`.
    fn is_broken(self, old: &Value, new: &Value) -> bool {
        match (self, &old.kind, &new.kind) {
            (Self::Immutable, ..) => !has_same_items(old, new),
            (Self::AppendOnly, Kind::List(old), Kind::List(new)) => {
                new.len() < old.len() && new.iter().all(|item| old.contains(item))
            }
            (Self::AppendOnly, Kind::Map(old), Kind::Map(new)) => {
                new.len() < old.len() && new.keys().all(|key| old.contains_key(key))
            }
            _ => false,
        }
    }
}

/// Whether two values differ at most in the order of items, which is irrelevant in sets and in lists with
/// keys.
fn has_same_items(old: &Value, new: &Value) -> bool {
    match (&old.kind, &new.kind) {
        (Kind::List(old), Kind::List(new)) => {
            let mut rest: Vec<&Value> = new.iter().collect();
            let mut takes = |item: &Value| {
                let found = rest.iter().position(|other| has_same_items(item, other));
                found.map(|at| rest.swap_remove(at)).is_some()
            };
            old.len() == new.len() && old.iter().all(&mut takes)
        }
        (Kind::Map(old), Kind::Map(new)) => {
            old.len() == new.len()
                && old.iter().all(|(key, member)| {
                    new.get(key).is_some_and(|other| has_same_items(&member.value, &other.value))
                })
        }
        (old, new) => old == new,
    }
}

/// The dynamically typed operand of a call that does not accept the operand's value.
fn operand(trial: &CompiledRule<'_>, part: ExprId) -> Option<ExprId> {
    let ast = trial.ast();
    let ExprKind::Call { target, args, .. } = ast.kind(part) else { return None };
    target.iter().chain(ast.list(*args)).copied().find(|part| trial.checked().type_of(*part).is_dyn())
}

/// The subject of a transition rule: the one value that it compares with its old value. `None` if it compares
/// sizes, or several values.
fn subject(trial: &CompiledRule<'_>) -> Option<Path> {
    let (ast, checked) = (trial.ast(), trial.checked());
    let mut inner: Vec<ExprId> = Vec::new();
    for (_, expr) in ast.exprs() {
        match &expr.kind {
            ExprKind::Select { operand, .. } => inner.push(*operand),
            ExprKind::Call { function: Function::Named(name), .. } if ast.name(*name) == "size" => {
                return None;
            }
            _ => {}
        }
    }
    let source = |_: &[ValueStep]| KnownValue::NOTHING;
    let possible = OutcomeAnalysis::new((ast, checked), &source, []);
    let mut new: Vec<Path> = Vec::new();
    let mut old: Vec<Path> = Vec::new();
    for (id, _) in ast.exprs().filter(|(id, _)| !inner.contains(id)) {
        new.extend(possible.path_from(id, "self"));
        old.extend(possible.path_from(id, "oldSelf"));
    }
    [&mut new, &mut old].into_iter().for_each(|paths| {
        paths.sort_by_key(|path| format!("{path:?}"));
        paths.dedup();
    });
    match (new.as_slice(), old.as_slice()) {
        ([new], [old]) if new == old => Some(new.clone()),
        _ => None,
    }
}

/// The value that `path` leads to.
fn value_at<'v>(value: &'v Value, path: &[ValueStep]) -> Option<&'v Value> {
    path.iter().try_fold(value, |value, step| match step {
        ValueStep::Field(name) => value.get(&cel::declarations::property(name)),
        ValueStep::Element(_) => None,
    })
}
