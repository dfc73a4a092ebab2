//! Rules evaluated one by one for people, with the values of what they are made of.

use std::collections::{BTreeSet, HashMap};

use cel::ast::{Ast, ExprId, ExprKind};
use cel::value::Value as CelValue;
use cel::{Environment, PER_CALL_LIMIT};
use text::TextRange;

use super::data::data_schema;
use super::ready::Role;
use crate::cel::{Expression, Purpose, detail};
use crate::customresource::value::{Kind, Value};
use crate::customresource::version::ResourceVersion;
use crate::field_path::{FieldPath, Segment};
use crate::regexp::Engine;
use crate::schema::structural::{Structural, StructuralOrBool, ValidationRule};

/// Of a sub-expression in a loop so many values are kept.
const MOST_VALUES: usize = 20;
/// More evaluations than this nobody reads.
const MOST_EVALUATIONS: usize = 1_000;

/// What is to be evaluated.
#[derive(Clone, Copy, Debug)]
pub enum Trace<'e> {
    /// All rules of the schema, but for those in `allOf`.
    All,
    /// The rule of that number, counted from 1 in the order in which [`trace`] gives all of them.
    Rule(usize),
    /// An expression on the whole resource, of any type.
    Expression(&'e str),
}

/// An expression that was evaluated on one value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Traced {
    /// The number of the rule, from 1; 0 for an expression that is none.
    pub number: usize,
    /// The place of `self`.
    pub path: String,
    /// The expression.
    pub text: String,
    /// Its value, or why there is none; nothing where it has `oldSelf`, which only an update has.
    pub result: Option<Result<String, String>>,
    /// What it cost, in CEL cost units.
    pub cost: u64,
    /// What it is made of, from the outside to the inside; literals are left out.
    pub parts: Vec<TracedPart>,
}

/// A part of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TracedPart {
    /// Where it stands, in bytes of the expression.
    pub range: TextRange,
    /// How many parts it stands in.
    pub depth: usize,
    /// Its values in the order of time, or why there were none; of many only the first.
    pub values: Vec<Result<String, String>>,
    /// How often it was evaluated.
    pub times: usize,
}

/// Evaluates on `object`, which is created as a resource of `version`.
///
/// # Errors
/// Where there is no such rule.
pub fn trace(object: &Value, version: &ResourceVersion, what: Trace<'_>) -> Result<Vec<Traced>, String> {
    let (schema, _) = version.schema();
    let mut tracer = Tracer { numbers: HashMap::new(), what, path: FieldPath::root(), traced: Vec::new() };
    if let Trace::Expression(text) = what {
        let rule = ValidationRule { rule: text.into(), ..ValidationRule::default() };
        tracer.evaluate(&rule, 0, schema, Role::Resource, object);
        return Ok(tracer.traced);
    }
    tracer.count(schema);
    let count = tracer.numbers.len();
    if let Trace::Rule(number) = what
        && !(1..=count).contains(&number)
    {
        return Err(format!("there is no rule {number}; the schema of {} has {count}", version.kind));
    }
    tracer.node(schema, Role::Resource, object);
    Ok(tracer.traced)
}

struct Tracer<'t> {
    /// The numbers of rules, by their address.
    numbers: HashMap<*const ValidationRule, usize>,
    what: Trace<'t>,
    path: FieldPath,
    traced: Vec<Traced>,
}

impl Tracer<'_> {
    fn count(&mut self, schema: &Structural) {
        for rule in &schema.validations {
            let next = self.numbers.len() + 1;
            self.numbers.entry(std::ptr::from_ref(rule)).or_insert(next);
        }
        let additional = match &schema.additional_properties {
            Some(StructuralOrBool::Structural(child)) => Some(child),
            _ => None,
        };
        let below = schema.properties.values().chain(&schema.items).chain(additional);
        below.filter(|child| child.node.has_rules).for_each(|child| self.count(&child.node));
    }

    fn node(&mut self, schema: &Structural, role: Role, value: &Value) {
        if !schema.has_rules || value.is_null() || role == Role::Unknown {
            return;
        }
        for rule in &schema.validations {
            let number = self.numbers.get(&std::ptr::from_ref(rule)).copied().unwrap_or_default();
            let is_wanted = !matches!(self.what, Trace::Rule(wanted) if wanted != number);
            if is_wanted && self.traced.len() < MOST_EVALUATIONS {
                self.evaluate(rule, number, schema, role, value);
            }
        }
        match &value.kind {
            Kind::List(items) => {
                let Some(child) = &schema.items else { return };
                for (index, item) in items.iter().enumerate() {
                    self.path.push(Segment::Index(index));
                    self.node(&child.node, Role::Part, item);
                    self.path.pop();
                }
            }
            Kind::Map(map) => {
                for (key, member) in map {
                    let (child, role) = match (schema.properties.get(key), &schema.additional_properties) {
                        (Some(child), _) => {
                            self.path.push(Segment::Name(key.to_string().into()));
                            (child, role.of_property(schema, key))
                        }
                        (None, Some(StructuralOrBool::Structural(child))) => {
                            self.path.push(Segment::Key(key.clone()));
                            (child, Role::Part)
                        }
                        _ => continue,
                    };
                    self.node(&child.node, role, &member.value);
                    self.path.pop();
                }
            }
            _ => {}
        }
    }

    fn evaluate(
        &mut self,
        rule: &ValidationRule,
        number: usize,
        schema: &Structural,
        role: Role,
        value: &Value,
    ) {
        let mut traced = Traced {
            number,
            path: self.path.to_string(),
            text: rule.rule.to_string(),
            result: Some(Err("the schema has no type that CEL knows".to_owned())),
            cost: 0,
            parts: Vec::new(),
        };
        if let Some(of) = role.declared(schema) {
            let expression = Expression {
                text: &rule.rule,
                purpose: Purpose::Rule,
                of: &of,
                optional_old_self: rule.optional_old_self == Some(true),
                env: Environment::for_stored_rules(),
            };
            traced.run(&expression, number == 0, schema, role, value);
        }
        self.traced.push(traced);
    }
}

impl Traced {
    fn run(
        &mut self,
        expression: &Expression<'_>,
        is_of_any_type: bool,
        schema: &Structural,
        role: Role,
        value: &Value,
    ) {
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
        if runnable.uses_old_self && !expression.optional_old_self {
            self.result = None;
            return;
        }
        let this = CelValue::of_data(value, data_schema(schema, role == Role::Resource));
        let old = expression.optional_old_self.then(|| Ok(CelValue::Optional(None)));
        let mut parts: HashMap<ExprId, TracedPart> = HashMap::new();
        let evaluation =
            runnable.program.observe(&[Some(this), old], &engine, PER_CALL_LIMIT, &mut |expr, outcome| {
                let range = runnable.ast().expr(expr).range;
                let new = || TracedPart { range, depth: 0, values: Vec::new(), times: 0 };
                let part = parts.entry(expr).or_insert_with(new);
                part.times += 1;
                if part.values.len() < MOST_VALUES {
                    part.values.push(outcome.as_ref().map(CelValue::shown).map_err(ToString::to_string));
                }
            });
        self.cost = evaluation.cost;
        self.result = Some(match evaluation.result {
            _ if engine.is_unsure() => Err("it has a pattern that is not run here".to_owned()),
            Ok(value) => Ok(value.shown()),
            Err(error) => Err(error.to_string()),
        });
        self.parts = outline(runnable.ast(), parts);
    }
}

/// The parts that a person wrote, but for literals, from the outside to the inside.
fn outline(ast: &Ast, parts: HashMap<ExprId, TracedPart>) -> Vec<TracedPart> {
    let expansions: BTreeSet<ExprId> = ast.macros().iter().map(|call| call.expansion).collect();
    let of_macros: BTreeSet<(u32, u32)> = expansions
        .iter()
        .map(|expansion| ast.expr(*expansion).range)
        .map(|range| (range.start, range.end))
        .collect();
    // What a macro is made of has the range of its call.
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
