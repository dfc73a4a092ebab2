//! The walk over a value with the rules of its schema (`Validator.validate`).

use cel::value::{Outcome, Value as CelValue};
use cel::{EvalError, PER_CALL_LIMIT, Program};
use text::TextSize;

use super::data::data_schema;
use super::program::RuleProgram;
use super::ready::{Nested, Ready, Role, ready};
use crate::KubernetesVersion;
use crate::cel::declared;
use crate::customresource::correlation::{Correlation, Correlations};
use crate::customresource::error::{Rule, ValueError, shown};
use crate::customresource::value::{Kind, Place, Value, quoted, shifted};
use crate::field_path::{FieldPath, Segment};
use crate::regexp::Engine;
use crate::report::ErrorType;
use crate::schema::Keyword;
use crate::schema::structural::{Child, Structural, StructuralOrBool};

/// What all evaluations on one value may cost together, in CEL cost units.
pub(crate) const BUDGET: i64 = 10_000_000;
/// More bytes than this are no message.
const MAX_MESSAGE: usize = 5_120;
/// More errors than this are not kept.
const MAX_ERRORS: usize = 10_000;

/// Rules that are to be evaluated.
pub(crate) struct RulesOn<'a> {
    /// The schema that has them.
    pub(crate) schema: &'a Structural,
    /// Where it starts, in bytes of the definition.
    pub(crate) base: TextSize,
    /// Whether it is the schema of a whole resource.
    pub(crate) is_resource: bool,
    /// The value.
    pub(crate) value: &'a Value,
    /// The stored value in its place, if there is one.
    pub(crate) old: Option<&'a Value>,
    /// Whether what did not change may break rules, with a warning.
    pub(crate) ratchets: bool,
    /// What the server puts before each path.
    pub(crate) prefix: FieldPath,
    /// The server.
    pub(crate) version: KubernetesVersion,
    /// What the evaluations may cost, in CEL cost units.
    pub(crate) budget: i64,
}

/// What came of rules.
#[derive(Debug, Default)]
pub(crate) struct Evaluation {
    /// What is wrong.
    pub(crate) errors: Vec<ValueError>,
    /// What is wrong and did not change.
    pub(crate) warnings: Vec<ValueError>,
    /// What is left of the budget; below zero where the server stopped.
    pub(crate) budget: i64,
    /// Whether a rule could not be evaluated here.
    pub(crate) incomplete: bool,
}

/// Evaluates rules as the server does.
pub(crate) fn evaluate<'a>(on: &RulesOn<'a>, correlations: &Correlations<'a>) -> Evaluation {
    let outcome = Evaluation { budget: on.budget, ..Evaluation::default() };
    if !on.schema.has_rules {
        return outcome;
    }
    let mut walk = Walk { on, correlations, path: FieldPath::root(), outcome };
    let role = if on.is_resource { Role::Resource } else { Role::Part };
    let root = on.old.map(|old| Correlation::of_root(on.value, old, on.schema));
    walk.node(
        Rules::Spine(ready(on.schema, role)),
        At {
            schema: on.schema,
            role,
            base: on.base,
            value: on.value,
            owner: on.value.place,
            old: on.old,
            unchanged: Unchanged { here: root.filter(|_| on.ratchets), above: None },
        },
    );
    walk.outcome
}

/// The rules of a node.
#[derive(Clone, Copy)]
enum Rules<'a> {
    /// Those on the spine.
    Spine(&'a Ready),
    /// Those of a branch of `allOf`.
    Nested(&'a Nested),
}

impl<'a> Rules<'a> {
    fn ready(self) -> &'a Ready {
        match self {
            Self::Spine(ready) => ready,
            Self::Nested(nested) => &nested.ready,
        }
    }
}

/// A value that rules are evaluated on.
#[derive(Clone, Copy)]
struct At<'a> {
    schema: &'a Structural,
    role: Role,
    /// Where the node of the rules starts, in bytes of the definition.
    base: TextSize,
    value: &'a Value,
    /// The key or the item that holds it.
    owner: Place,
    old: Option<&'a Value>,
    unchanged: Unchanged<'a>,
}

/// What decides on whether an error is only a warning, as nothing changed.
#[derive(Clone, Copy)]
struct Unchanged<'a> {
    here: Option<Correlation<'a>>,
    /// The nearest node above that has a stored value.
    above: Option<Correlation<'a>>,
}

impl<'a> Unchanged<'a> {
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

struct Walk<'c, 'a> {
    on: &'c RulesOn<'a>,
    correlations: &'c Correlations<'a>,
    path: FieldPath,
    outcome: Evaluation,
}

impl<'a> Walk<'_, 'a> {
    fn is_over(&self) -> bool {
        self.outcome.budget < 0
    }

    fn node(&mut self, rules: Rules<'a>, at: At<'a>) {
        if at.value.is_null() || self.is_over() {
            return;
        }
        let ready = rules.ready();
        self.expressions(ready, &at);
        for branch in &ready.all_of {
            let unchanged = Unchanged { here: None, above: at.unchanged.above };
            let base = at.base.wrapping_add(branch.distance);
            self.node(Rules::Nested(branch), At { base, unchanged, ..at });
        }
        match &at.value.kind {
            Kind::List(items) => self.items(rules, &at, items),
            Kind::Map(_) => self.members(rules, &at),
            _ => {}
        }
    }

    fn items(&mut self, rules: Rules<'a>, at: &At<'a>, items: &'a [Value]) {
        let Some(child) = &at.schema.items else { return };
        let Some((below, base)) = self.below(rules, child, at, Role::Part, Step::Items) else { return };
        for (index, item) in items.iter().enumerate() {
            let old = at.old.and_then(|old| self.correlations.stored_item(at.schema, old, item));
            let unchanged = at.unchanged.below(|here| self.correlations.index(here, index));
            let at = At {
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

    fn members(&mut self, rules: Rules<'a>, at: &At<'a>) {
        let Some(map) = at.value.as_map() else { return };
        let is_correlatable =
            at.schema.extensions.map_type.as_deref().is_none_or(|it| matches!(it, "granular" | "atomic"));
        let old = at.old.filter(|_| is_correlatable);
        if let Some(StructuralOrBool::Structural(child)) = &at.schema.additional_properties
            && let Some((below, base)) = self.below(rules, child, at, Role::Part, Step::Additional)
        {
            for (key, member) in map {
                let at = At {
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
            let Some((below, base)) = self.below(rules, child, at, role, Step::Property(key)) else {
                continue;
            };
            let at = At {
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

    /// The rules below, and where their node starts; none where there are none.
    fn below(
        &self,
        rules: Rules<'a>,
        child: &'a Child<Structural>,
        at: &At<'a>,
        role: Role,
        step: Step<'_>,
    ) -> Option<(Rules<'a>, TextSize)> {
        match rules {
            Rules::Spine(_) => {
                // What CEL cannot see has no rules.
                let is_seen = child.node.evaluates_rules
                    && match role {
                        Role::Part => declared(&child.node, false, KubernetesVersion::NEWEST).is_some(),
                        other => other != Role::Unknown,
                    };
                is_seen.then(|| (Rules::Spine(ready(&child.node, role)), child.base(at.base)))
            }
            Rules::Nested(nested) => {
                let below = match step {
                    Step::Items => nested.items.as_deref(),
                    Step::Additional => nested.additional.as_deref(),
                    Step::Property(name) => nested.properties.get(name),
                }?;
                Some((Rules::Nested(below), at.base.wrapping_add(below.distance)))
            }
        }
    }

    fn step(&mut self, segment: Segment, rules: Rules<'a>, at: At<'a>) {
        self.path.push(segment);
        self.node(rules, at);
        self.path.pop();
    }

    /// The rules of the node itself.
    fn expressions(&mut self, ready: &'a Ready, at: &At<'a>) {
        if ready.is_untyped {
            let detail =
                "rule compiler initialization error: failed to convert to declType for CEL validation rules";
            return self.refuse(at, None, detail.to_owned());
        }
        if ready.own.is_empty() {
            return;
        }
        if self.outcome.budget <= 0 {
            let first = ready.own.first();
            return self.stop(at, first, &format!("validation failed {OUT_OF_BUDGET}"));
        }
        let seen = Seen::new(at, ready.own.iter().any(|rule| rule.uses_old_self));
        for rule in &ready.own {
            match &rule.program {
                None => {}
                Some(Err(problem)) => self.refuse(at, Some(rule), format!("rule compile error: {problem}")),
                Some(Ok(_)) if rule.is_unsure => self.outcome.incomplete = true,
                Some(Ok(program)) => self.rule(rule, program, at, &seen),
            }
            if self.is_over() {
                return;
            }
        }
    }

    fn rule(&mut self, rule: &'a RuleProgram, program: &'a Program, at: &At<'a>, seen: &Seen<'a>) {
        let has_old = at.old.is_some_and(|old| !old.is_null());
        let may_lack_old = rule.optional_old_self && self.on.version.is_at_least(30);
        if rule.uses_old_self && !has_old && !may_lack_old {
            return;
        }
        let engine = Engine::new();
        let evaluation = program.evaluate(&seen.values(rule.optional_old_self), &engine, PER_CALL_LIMIT);
        if engine.is_unsure() || matches!(evaluation.result, Err(EvalError::Panic(_))) {
            self.outcome.incomplete = true;
            return;
        }
        if !self.spend(evaluation.cost) {
            return self.stop(at, Some(rule), &format!("validation failed {OUT_OF_BUDGET}"));
        }
        let words = &rule.words;
        match evaluation.result {
            Ok(CelValue::Bool(true)) => {}
            Ok(_) => self.broken(rule, at, seen),
            Err(error @ EvalError::CostLimit) => {
                let why = "no further validation rules will be run due to call cost exceeds limit for rule";
                self.stop(at, Some(rule), &format!("'{error}': {why}: {words}"));
            }
            Err(error) if error.to_string().starts_with("no such overload") => {
                let why = "call arguments did not match a supported operator, function or macro signature";
                self.refuse(at, Some(rule), format!("'{error}': {why} for rule: {words}"));
            }
            Err(error) => self.refuse(at, Some(rule), format!("{error} evaluating rule: {words}")),
        }
    }

    /// A rule that is not met.
    fn broken(&mut self, rule: &'a RuleProgram, at: &At<'a>, seen: &Seen<'a>) {
        let detail = match &rule.message {
            None => None,
            Some((text, program)) => match self.message(text, program, seen) {
                Ok(message) => message,
                Err(problem) => {
                    let error = self.error(at, Some(rule), ErrorType::Invalid, type_name(at), problem);
                    self.add(rule, at, at_field(error, rule, at));
                    self.outcome.budget = -1;
                    return;
                }
            },
        };
        let is_nested = matches!(&*at.schema.generic.type_name, "object" | "array");
        let bad_value = match rule.reason {
            ErrorType::Forbidden | ErrorType::Required => None,
            _ if !is_nested => Some(shown(at.value)),
            _ if self.on.version.is_at_least(35) => None,
            _ => type_name(at),
        };
        let detail = match rule.reason {
            ErrorType::Duplicate => String::new(),
            _ => detail.unwrap_or_else(|| rule.detail.to_string()),
        };
        let error = self.error(at, Some(rule), rule.reason, bad_value, detail);
        self.add(rule, at, at_field(error, rule, at));
    }

    /// What `messageExpression` gives; nothing where it is of no use. The error ends all.
    fn message(
        &mut self,
        text: &str,
        program: &'a Program,
        seen: &Seen<'a>,
    ) -> Result<Option<String>, String> {
        let engine = Engine::new();
        let evaluation = program.evaluate(&seen.values(false), &engine, PER_CALL_LIMIT);
        if !self.spend(evaluation.cost) {
            return Err(format!("messageExpression evaluation failed {OUT_OF_BUDGET}"));
        }
        match evaluation.result {
            Err(EvalError::CostLimit) => Err(format!(
                "no further validation rules will be run due to call cost exceeds limit for messageExpression: {}",
                quoted(text)
            )),
            Ok(CelValue::String(message)) => {
                let message = message.trim();
                let is_usable =
                    !message.is_empty() && message.len() <= MAX_MESSAGE && !message.contains('\n');
                Ok(is_usable.then(|| message.to_owned()))
            }
            Ok(_) | Err(_) => Ok(None),
        }
    }

    /// Takes `cost` from the budget, if there is as much.
    fn spend(&mut self, cost: u64) -> bool {
        match i64::try_from(cost) {
            Ok(cost) if cost <= self.outcome.budget => {
                self.outcome.budget -= cost;
                true
            }
            _ => false,
        }
    }

    /// Adds the error of a broken rule, or a warning if the value broke it before.
    fn add(&mut self, rule: &RuleProgram, at: &At<'a>, error: ValueError) {
        let nearest = at.unchanged.here.or(at.unchanged.above);
        let is_old = !rule.uses_old_self && nearest.is_some_and(|it| self.correlations.are_equal(it));
        let list = if is_old { &mut self.outcome.warnings } else { &mut self.outcome.errors };
        if list.len() < MAX_ERRORS {
            list.push(error);
        }
    }

    /// Adds an error that shows the type in the place of the value.
    fn refuse(&mut self, at: &At<'a>, rule: Option<&RuleProgram>, detail: String) {
        if self.outcome.errors.len() < MAX_ERRORS {
            let error = self.error(at, rule, ErrorType::Invalid, type_name(at), detail);
            self.outcome.errors.push(error);
        }
    }

    /// The last error.
    fn stop(&mut self, at: &At<'a>, rule: Option<&RuleProgram>, detail: &str) {
        self.refuse(at, rule, detail.to_owned());
        self.outcome.budget = -1;
    }

    fn error(
        &self,
        at: &At<'a>,
        rule: Option<&RuleProgram>,
        error: ErrorType,
        bad_value: Option<String>,
        detail: String,
    ) -> ValueError {
        let range = |rule: &RuleProgram| shifted(rule.range, at.base);
        ValueError {
            error,
            field: crate::customresource::error::field_of(&self.on.prefix, &self.path),
            path: self.path.clone(),
            bad_value,
            detail,
            place: at.value.place.or(at.owner),
            rule: rule.map(|rule| Rule { keyword: Keyword::Validations, range: range(rule) }),
        }
    }
}

const OUT_OF_BUDGET: &str = "due to running out of cost budget, no further validation rules will be run";

/// A step down in a schema.
#[derive(Clone, Copy)]
enum Step<'k> {
    Items,
    Additional,
    Property(&'k str),
}

fn type_name(at: &At<'_>) -> Option<String> {
    Some(quoted(&at.schema.generic.type_name))
}

/// The error where `fieldPath` leads, or as near to it as there is something.
fn at_field(mut error: ValueError, rule: &RuleProgram, at: &At<'_>) -> ValueError {
    let Some(path) = &rule.path else { return error };
    error.field = if error.field == "<nil>" { path.to_string() } else { format!("{}.{path}", error.field) };
    error.path.extend(path.segments());
    let mut value = at.value;
    for segment in path.segments() {
        let Some(below) = segment.key().and_then(|key| value.get(key)) else { break };
        value = below;
    }
    error.place = value.place.or(error.place);
    error
}

/// What the variables of the rules of a node are.
struct Seen<'a> {
    this: Outcome<CelValue<'a>>,
    /// None where no rule of the node asks for it, or there is none.
    old: Option<Outcome<CelValue<'a>>>,
    knows_old: bool,
}

impl<'a> Seen<'a> {
    fn new(at: &At<'a>, knows_old: bool) -> Self {
        let schema = data_schema(at.schema, at.role == Role::Resource);
        let old = at.old.filter(|old| knows_old && !old.is_null());
        Self {
            this: CelValue::of_data(at.value, schema),
            old: old.map(|old| CelValue::of_data(old, schema)),
            knows_old,
        }
    }

    fn values(&self, optional_old_self: bool) -> [Option<Outcome<CelValue<'a>>>; 2] {
        let old = match &self.old {
            old if !optional_old_self => old.clone(),
            _ if !self.knows_old => None,
            None => Some(Ok(CelValue::Optional(None))),
            Some(Ok(old)) => Some(Ok(CelValue::some(old.clone()))),
            Some(Err(error)) => Some(Err(error.clone())),
        };
        [Some(self.this.clone()), old]
    }
}
