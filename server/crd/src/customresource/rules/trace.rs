//! Evaluates rules one by one for display, with the values of their subexpressions.

use std::collections::{BTreeSet, HashMap};

use api::{Difference, KubernetesVersion};
use cel::ast::{Ast, ExprId, ExprKind};
use cel::value::Value as CelValue;
use cel::{Environment, PER_CALL_LIMIT};
use text::TextRange;

use super::data::data_schema;
use super::node_rules::Role;
use crate::cel::{Expression, Purpose, detail};
use crate::customresource::correlation::{Correlation, Correlations};
use crate::customresource::version::ResourceVersion;
use crate::field_path::{FieldPath, Segment};
use crate::regexp::Engine;
use crate::schema::structural::{Child, Structural, ValidationRule};
use crate::value::{Kind, Value};

/// The maximum number of values that are kept of a subexpression in a loop.
const MOST_VALUES: usize = 20;
/// The maximum number of evaluations; nobody reads more.
const MOST_EVALUATIONS: usize = 1_000;

/// The rules or the expression to evaluate.
#[derive(Clone, Copy, Debug)]
pub enum Trace<'e> {
    /// All rules of the schema, except those in `allOf`.
    All,
    /// The rule of that number, counted from 1 in the order of [`trace`] with [`Trace::All`].
    Rule(usize),
    /// An expression on the whole resource, of any type.
    Expression(&'e str),
}

/// An expression that was evaluated on one value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TracedExpression {
    /// The number of the rule, from 1; 0 for an expression that is not a rule.
    pub number: usize,
    /// The place of `self`.
    pub path: String,
    /// The expression.
    pub text: String,
    /// The value, or the error; `None` if the expression uses `oldSelf` and there is no stored value.
    pub result: Option<Result<String, String>>,
    /// Whether the server only warns if the rule fails, because the value is the stored one.
    pub ratchets: bool,
    /// The cost of the evaluation, in CEL cost units.
    pub cost: u64,
    /// Its subexpressions, outer ones first, without literals.
    pub parts: Vec<TracedPart>,
}

/// A subexpression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TracedPart {
    /// The range of the subexpression, in bytes of the expression.
    pub range: TextRange,
    /// The number of subexpressions around it.
    pub depth: usize,
    /// Its values or errors in the order of evaluation; only the first if there are many.
    pub values: Vec<Result<String, String>>,
    /// The number of evaluations.
    pub times: usize,
}

/// Evaluates `what` on `object`, a resource of `version`, which is created or replaces `stored`.
///
/// # Errors
/// If the rule does not exist.
pub fn trace(
    object: &Value,
    stored: Option<&Value>,
    version: &ResourceVersion,
    what: Trace<'_>,
    server: KubernetesVersion,
) -> Result<Vec<TracedExpression>, String> {
    let (schema, _) = version.schema();
    let correlations = Correlations::default();
    let mut tracer = Tracer {
        counts: RuleCounts::default(),
        trace: what,
        server,
        correlations: &correlations,
        path: FieldPath::root(),
        traced: Vec::new(),
    };
    let is_same = |stored| correlations.are_equal(Correlation::of_root(object, stored, schema));
    let at = ValueAt {
        schema,
        first: 1,
        role: Role::Resource,
        value: object,
        old: stored,
        is_same: server.has(Difference::Ratcheting) && stored.is_some_and(is_same),
    };
    if let Trace::Expression(text) = what {
        let rule = ValidationRule { rule: text.into(), ..ValidationRule::default() };
        tracer.evaluate(&rule, 0, at);
        return Ok(tracer.traced);
    }
    let count = tracer.counts.of(schema);
    if let Trace::Rule(number) = what
        && !(1..=count).contains(&number)
    {
        return Err(format!("rule {number} does not exist; the schema of {} has {count}", version.kind));
    }
    tracer.node(at);
    Ok(tracer.traced)
}

/// A value that rules are evaluated on.
#[derive(Clone, Copy)]
struct ValueAt<'v> {
    schema: &'v Structural,
    /// The number of the first rule of `schema` or below it.
    first: usize,
    role: Role,
    value: &'v Value,
    /// The stored value in its place, if there is one.
    old: Option<&'v Value>,
    /// Whether it equals the stored value, or is a part of a value that does.
    is_same: bool,
}

/// How many rules a schema has, with those below it. Places with the same text share a schema.
#[derive(Default)]
struct RuleCounts(HashMap<*const Structural, usize>);

/// The numbers of the first rules below a schema.
struct FirstNumbers<'v> {
    properties: HashMap<&'v str, usize>,
    items: usize,
    additional: usize,
}

impl RuleCounts {
    fn of(&mut self, schema: &Structural) -> usize {
        if !schema.has_rules {
            return 0;
        }
        let address = std::ptr::from_ref(schema);
        if let Some(known) = self.0.get(&address) {
            return *known;
        }
        let below = schema.properties.values().chain(&schema.items).chain(schema.additional_schema());
        let below: usize = below.map(|child| self.of(&child.node)).sum();
        let count = schema.validations.len() + below;
        self.0.insert(address, count);
        count
    }

    /// The numbers below `schema`, whose first rule has the number `first`: properties, items, other members.
    fn below<'v>(&mut self, schema: &'v Structural, first: usize) -> FirstNumbers<'v> {
        let mut next = first + schema.validations.len();
        let mut start = |child: &Child<Structural>| {
            let start = next;
            next += self.of(&child.node);
            start
        };
        let properties = schema.properties.iter().map(|(name, child)| (&**name, start(child))).collect();
        let items = schema.items.as_ref().map_or(0, &mut start);
        let additional = schema.additional_schema().map_or(0, start);
        FirstNumbers { properties, items, additional }
    }
}

struct Tracer<'t, 'v> {
    counts: RuleCounts,
    trace: Trace<'t>,
    server: KubernetesVersion,
    correlations: &'t Correlations<'v>,
    path: FieldPath,
    traced: Vec<TracedExpression>,
}

impl<'v> Tracer<'_, 'v> {
    fn node(&mut self, at: ValueAt<'v>) {
        let ValueAt { schema, role, value, old, .. } = at;
        if !schema.has_rules || value.is_null() || role == Role::Unknown {
            return;
        }
        for (number, rule) in (at.first..).zip(&schema.validations) {
            let is_wanted = !matches!(self.trace, Trace::Rule(wanted) if wanted != number);
            if is_wanted && self.traced.len() < MOST_EVALUATIONS {
                self.evaluate(rule, number, at);
            }
        }
        let first = self.counts.below(schema, at.first);
        match &value.kind {
            Kind::List(items) => {
                let Some(child) = &schema.items else { return };
                for (index, item) in items.iter().enumerate() {
                    let old = old.and_then(|old| self.correlations.stored_item(schema, old, item));
                    let schema = (&*child.node, first.items);
                    self.below(Segment::Index(index), schema, Role::Part, (item, old), at);
                }
            }
            Kind::Map(map) => {
                let map_type = schema.extensions.map_type.as_deref();
                let old = old.filter(|_| map_type.is_none_or(|it| matches!(it, "granular" | "atomic")));
                for (key, member) in map {
                    let (segment, child, first, role) = match schema.properties.get(key) {
                        Some(child) => {
                            let first = first.properties.get(&**key).copied().unwrap_or_default();
                            let role = role.of_property(schema, key);
                            (Segment::Name(key.to_string().into()), child, first, role)
                        }
                        None => {
                            let Some(child) = schema.additional_schema() else { continue };
                            (Segment::Key(key.clone()), child, first.additional, Role::Part)
                        }
                    };
                    let old = old.and_then(|old| old.get(key));
                    self.below(segment, (&child.node, first), role, (&member.value, old), at);
                }
            }
            _ => {}
        }
    }

    /// Visits a value below `above`.
    fn below(
        &mut self,
        segment: Segment,
        (schema, first): (&'v Structural, usize),
        role: Role,
        (value, old): (&'v Value, Option<&'v Value>),
        above: ValueAt<'v>,
    ) {
        let is_same = match old {
            Some(old) if self.server.has(Difference::Ratcheting) => {
                self.correlations.are_equal(Correlation::of_root(value, old, schema))
            }
            _ => above.is_same,
        };
        self.path.push(segment);
        self.node(ValueAt { schema, first, role, value, old, is_same });
        self.path.pop();
    }

    fn evaluate(&mut self, rule: &ValidationRule, number: usize, at: ValueAt<'v>) {
        let mut traced = TracedExpression {
            number,
            path: self.path.to_string(),
            text: rule.rule.to_string(),
            result: Some(Err("CEL cannot determine the type of the schema".to_owned())),
            ratchets: false,
            cost: 0,
            parts: Vec::new(),
        };
        if let Some(of) = at.role.declared(at.schema) {
            let expression = Expression {
                text: &rule.rule,
                purpose: Purpose::Rule,
                self_type: &of,
                optional_old_self: rule.optional_old_self == Some(true),
                env: Environment::for_stored_rules(),
            };
            traced.run(&expression, number == 0, at);
        }
        self.traced.push(traced);
    }
}

impl TracedExpression {
    fn run(&mut self, expression: &Expression<'_>, is_of_any_type: bool, at: ValueAt<'_>) {
        let engine = Engine::new();
        let runnable = match is_of_any_type {
            true => expression.program_of_any(&engine),
            false => expression.program(&engine),
        };
        let runnable = match runnable {
            Ok(runnable) => runnable,
            Err(problem) => {
                self.result = Some(Err(detail(expression, &problem)));
                return;
            }
        };
        self.ratchets = at.is_same && !runnable.uses_old_self;
        let data = |value| CelValue::of_data(value, data_schema(at.schema, at.role == Role::Resource));
        let stored = at.old.filter(|old| runnable.uses_old_self && !old.is_null());
        let old = match (stored, expression.optional_old_self) {
            (None, false) if runnable.uses_old_self => {
                self.result = None;
                return;
            }
            (None, false) => None,
            (None, true) => Some(Ok(CelValue::Optional(None))),
            (Some(old), false) => Some(data(old)),
            (Some(old), true) => Some(data(old).map(CelValue::some)),
        };
        let this = data(at.value);
        let mut parts: HashMap<ExprId, TracedPart> = HashMap::new();
        let evaluation =
            runnable.program.observe(&[Some(this), old], &engine, PER_CALL_LIMIT, &mut |expr, outcome| {
                let range = runnable.ast().expr(expr).range;
                let new = || TracedPart { range, depth: 0, values: Vec::new(), times: 0 };
                let part = parts.entry(expr).or_insert_with(new);
                part.times += 1;
                if part.values.len() < MOST_VALUES {
                    part.values
                        .push(outcome.as_ref().map(CelValue::display_text).map_err(ToString::to_string));
                }
            });
        self.cost = evaluation.cost;
        self.result = Some(match evaluation.result {
            _ if engine.is_unsure() => Err("it has a pattern that crd-ls does not evaluate".to_owned()),
            Ok(value) => Ok(value.display_text()),
            Err(error) => Err(error.to_string()),
        });
        self.parts = outline(runnable.ast(), parts);
    }
}

/// The subexpressions in the text, except literals, outer ones first.
fn outline(ast: &Ast, parts: HashMap<ExprId, TracedPart>) -> Vec<TracedPart> {
    let expansions: BTreeSet<ExprId> = ast.macros().iter().map(|call| call.expansion).collect();
    let of_macros: BTreeSet<(u32, u32)> = expansions
        .iter()
        .map(|expansion| ast.expr(*expansion).range)
        .map(|range| (range.start, range.end))
        .collect();
    // The expansion of a macro has the range of its call.
    let is_written = |expr: &ExprId, range: TextRange| {
        (expansions.contains(expr) || !of_macros.contains(&(range.start, range.end)))
            && !matches!(ast.kind(*expr), ExprKind::Literal(_))
    };
    let written = parts.into_iter().filter(|(expr, part)| is_written(expr, part.range));
    let mut parts: Vec<TracedPart> = written.map(|(_, part)| part).collect();
    parts.sort_by_key(|part| (part.range.start, std::cmp::Reverse(part.range.end)));
    let mut open: Vec<TextRange> = Vec::new();
    for part in &mut parts {
        while open.last().is_some_and(|outer| !outer.contains_range(part.range)) {
            open.pop();
        }
        part.depth = open.len();
        open.push(part.range);
    }
    parts
}
