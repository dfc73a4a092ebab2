//! Walks over a value with the rules of its schema (`Validator.validate`).

use text::TextSize;

use super::node_rules::{BranchRules, NodeRules, Role, ready};
use super::observation::RuleObserver;
use crate::KubernetesVersion;
use crate::cel::declared;
use crate::customresource::correlation::{Correlation, Correlations};
use crate::customresource::error::ValueError;
use crate::field_path::{FieldPath, Segment};
use crate::schema::structural::{Child, Structural, StructuralOrBool};
use crate::value::{Kind, Place, Value};

/// The maximum total cost of all evaluations on one value, in CEL cost units.
pub(crate) const BUDGET: i64 = 10_000_000;

/// A value and the rules to evaluate on it.
pub(crate) struct RulesOn<'a> {
    /// The schema with the rules.
    pub(crate) schema: &'a Structural,
    /// The start of the schema, in bytes of the definition.
    pub(crate) base: TextSize,
    /// Whether the schema is that of a whole resource.
    pub(crate) is_resource: bool,
    /// The value.
    pub(crate) value: &'a Value,
    /// The stored value that it replaces, if there is one.
    pub(crate) old: Option<&'a Value>,
    /// Whether unchanged values that violate rules cause only a warning.
    pub(crate) ratchets: bool,
    /// The prefix of each path in the server's errors.
    pub(crate) prefix: FieldPath,
    /// The version of the server.
    pub(crate) version: KubernetesVersion,
    /// The cost budget of the evaluations, in CEL cost units.
    pub(crate) budget: i64,
}

/// The result of evaluating rules.
#[derive(Debug, Default)]
pub(crate) struct Evaluation {
    /// The errors.
    pub(crate) errors: Vec<ValueError>,
    /// Violations by unchanged values.
    pub(crate) warnings: Vec<ValueError>,
    /// The remaining budget, in units of cost; negative if the server stopped.
    pub(crate) budget: i64,
    /// Whether a rule could not be evaluated here.
    pub(crate) incomplete: bool,
}

/// Evaluates rules as the server does.
pub(crate) fn evaluate<'a>(on: &RulesOn<'a>, correlations: &Correlations<'a>) -> Evaluation {
    walk(on, correlations, true, None)
}

/// Evaluates rules and calls `watch` for each evaluation of a part of a rule.
pub(super) fn evaluate_watched<'a>(
    on: &RulesOn<'a>,
    correlations: &Correlations<'a>,
    watch: RuleObserver<'_>,
) {
    walk(on, correlations, true, Some(watch));
}

/// The errors of the rules that apply to a value and do not compile, so that they fail for every value.
pub(crate) fn uncompiled(on: &RulesOn<'_>) -> Vec<ValueError> {
    walk(on, &Correlations::default(), false, None).errors
}

fn walk<'a>(
    on: &RulesOn<'a>,
    correlations: &Correlations<'a>,
    evaluates: bool,
    watch: Option<RuleObserver<'_>>,
) -> Evaluation {
    let outcome = Evaluation { budget: on.budget, ..Evaluation::default() };
    if !on.schema.has_rules {
        return outcome;
    }
    let mut walk = Evaluator { on, correlations, evaluates, watch, path: FieldPath::root(), outcome };
    let role = if on.is_resource { Role::Resource } else { Role::Part };
    let root = on.old.map(|old| Correlation::of_root(on.value, old, on.schema));
    walk.node(
        Rules::Spine(ready(on.schema, role)),
        ValueAt {
            schema: on.schema,
            role,
            base: on.base,
            value: on.value,
            owner: on.value.place,
            old: on.old,
            unchanged: UnchangedCorrelation { here: root.filter(|_| on.ratchets), above: None },
        },
    );
    walk.outcome
}

/// The rules of a node.
#[derive(Clone, Copy)]
enum Rules<'a> {
    /// Rules on the spine.
    Spine(&'a NodeRules),
    /// Rules of a branch of `allOf`.
    Nested(&'a BranchRules),
}

impl<'a> Rules<'a> {
    fn ready(self) -> &'a NodeRules {
        match self {
            Self::Spine(ready) => ready,
            Self::Nested(nested) => &nested.ready,
        }
    }
}

/// A value on which rules are evaluated.
#[derive(Clone, Copy)]
pub(super) struct ValueAt<'a> {
    pub(super) schema: &'a Structural,
    pub(super) role: Role,
    /// The start of the node with the rules, in bytes of the definition.
    pub(super) base: TextSize,
    pub(super) value: &'a Value,
    /// The place of the key or the item that contains the value.
    pub(super) owner: Place,
    pub(super) old: Option<&'a Value>,
    pub(super) unchanged: UnchangedCorrelation<'a>,
}

/// The correlated values that decide whether an error is only a warning because nothing changed.
#[derive(Clone, Copy)]
pub(super) struct UnchangedCorrelation<'a> {
    pub(super) here: Option<Correlation<'a>>,
    /// The nearest ancestor with a stored value.
    pub(super) above: Option<Correlation<'a>>,
}

impl<'a> UnchangedCorrelation<'a> {
    fn below(self, find: impl FnOnce(Correlation<'a>) -> Option<Correlation<'a>>) -> Self {
        match self.here {
            None => self,
            Some(here) => Self { here: find(here), above: self.here },
        }
    }

    fn key(self, key: &str) -> Self {
        match (self.here, self.above) {
            (Some(_), None) if matches!(key, "apiVersion" | "kind") => Self { here: None, above: None },
            _ => self.below(|here| here.key(key)),
        }
    }
}

pub(super) struct Evaluator<'c, 'a, 'w> {
    pub(super) on: &'c RulesOn<'a>,
    pub(super) correlations: &'c Correlations<'a>,
    /// Whether rules are evaluated; otherwise only rules that do not compile are reported.
    pub(super) evaluates: bool,
    /// The callback for each evaluated part of a rule.
    pub(super) watch: Option<RuleObserver<'w>>,
    pub(super) path: FieldPath,
    pub(super) outcome: Evaluation,
}

impl<'a> Evaluator<'_, 'a, '_> {
    pub(super) fn is_over(&self) -> bool {
        self.outcome.budget < 0
    }

    fn node(&mut self, rules: Rules<'a>, at: ValueAt<'a>) {
        if at.value.is_null() || self.is_over() {
            return;
        }
        let ready = rules.ready();
        self.expressions(ready, &at);
        for branch in &ready.all_of {
            let unchanged = UnchangedCorrelation { here: None, above: at.unchanged.above };
            let base = at.base.wrapping_add(branch.distance);
            self.node(Rules::Nested(branch), ValueAt { base, unchanged, ..at });
        }
        match &at.value.kind {
            Kind::List(items) => self.items(rules, &at, items),
            Kind::Map(_) => self.members(rules, &at),
            _ => {}
        }
    }

    fn items(&mut self, rules: Rules<'a>, at: &ValueAt<'a>, items: &'a [Value]) {
        let Some(child) = &at.schema.items else { return };
        let Some((below, base)) = self.below(rules, child, at, Role::Part, SchemaStep::Items) else { return };
        for (index, item) in items.iter().enumerate() {
            let old = at.old.and_then(|old| self.correlations.stored_item(at.schema, old, item));
            let unchanged = at.unchanged.below(|here| self.correlations.index(here, index));
            let at = ValueAt {
                schema: &child.node,
                role: Role::Part,
                base,
                value: item,
                owner: item.place,
                old,
                unchanged,
            };
            self.step(Segment::Index(index), below, at);
        }
    }

    fn members(&mut self, rules: Rules<'a>, at: &ValueAt<'a>) {
        let Some(map) = at.value.as_map() else { return };
        let is_correlatable =
            at.schema.extensions.map_type.as_deref().is_none_or(|it| matches!(it, "granular" | "atomic"));
        let old = at.old.filter(|_| is_correlatable);
        if let Some(StructuralOrBool::Structural(child)) = &at.schema.additional_properties
            && let Some((below, base)) = self.below(rules, child, at, Role::Part, SchemaStep::Additional)
        {
            for (key, member) in map {
                let at = ValueAt {
                    schema: &child.node,
                    role: Role::Part,
                    base,
                    value: &member.value,
                    owner: member.key,
                    old: old.and_then(|old| old.get(key)),
                    unchanged: at.unchanged.key(key),
                };
                self.step(Segment::Key(key.clone()), below, at);
            }
        }
        for (key, member) in map {
            let Some(child) = at.schema.properties.get(key) else { continue };
            let role = at.role.of_property(at.schema, key);
            let Some((below, base)) = self.below(rules, child, at, role, SchemaStep::Property(key)) else {
                continue;
            };
            let at = ValueAt {
                schema: &child.node,
                role,
                base,
                value: &member.value,
                owner: member.key,
                old: old.and_then(|old| old.get(key)),
                unchanged: at.unchanged.key(key),
            };
            self.step(Segment::Name(key.to_string().into()), below, at);
        }
    }

    /// The rules of a child node, and the start of that node; `None` if it has no rules.
    fn below(
        &self,
        rules: Rules<'a>,
        child: &'a Child<Structural>,
        at: &ValueAt<'a>,
        role: Role,
        step: SchemaStep<'_>,
    ) -> Option<(Rules<'a>, TextSize)> {
        match rules {
            Rules::Spine(_) => {
                // The server ignores rules on nodes that CEL cannot access.
                let is_seen = child.node.evaluates_rules
                    && match role {
                        Role::Part => declared(&child.node, false, KubernetesVersion::NEWEST).is_some(),
                        other => other != Role::Unknown,
                    };
                is_seen.then(|| (Rules::Spine(ready(&child.node, role)), child.base(at.base)))
            }
            Rules::Nested(nested) => {
                let below = match step {
                    SchemaStep::Items => nested.items.as_deref(),
                    SchemaStep::Additional => nested.additional.as_deref(),
                    SchemaStep::Property(name) => nested.properties.get(name),
                }?;
                Some((Rules::Nested(below), at.base.wrapping_add(below.distance)))
            }
        }
    }

    fn step(&mut self, segment: Segment, rules: Rules<'a>, at: ValueAt<'a>) {
        self.path.push(segment);
        self.node(rules, at);
        self.path.pop();
    }
}

/// A step down in a schema.
#[derive(Clone, Copy)]
enum SchemaStep<'k> {
    Items,
    Additional,
    Property(&'k str),
}
