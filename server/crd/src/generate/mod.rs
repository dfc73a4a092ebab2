//! Generates values that a schema accepts, for evaluating rules, fixes and samples.
//!
//! [`candidates`] generates values of one schema node, [`generate`] does the same with [`Settings`]. A value is
//! accepted if the server would store it in the absence of rules: structure, value validations with their
//! junctors, list types and embedded resources are checked with the code that checks resources. Values have the
//! form that rules read: with defaults, unless the settings ask for the form that a person would write.
//!
//! [`agree`] compares two rules on such values, [`compared`] two texts of a definition.
//!
//! [`Solver`] also finds whole resources that satisfy the rules.
//!
//! The generator walks the schema once and combines a few values of each field: bounds, members of enums,
//! lengths, formats, texts of patterns, and the [`Hints`] from the rules. It is deterministic. A budget of
//! steps makes it terminate on adversarial schemas; the smallest values come first.

mod agree;
mod comparison;
mod hints;
mod lists;
mod node;
mod objects;
mod reads;
mod scalars;
mod solve;
mod texts;
mod value_edits;

#[cfg(test)]
mod comparisons;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod tests;

use api::KubernetesVersion;
use rustc_hash::FxHashSet;
use yaml::Json;

pub use agree::{Agreement, ValueCounts, agree};
pub use comparison::{RuleComparison, compared};
pub use hints::Hints;
pub use solve::{Goal, Solution, Solver, ValueCache};
pub use value_edits::{put, value_at};

use crate::customresource::objectmeta::validate_embedded;
use crate::customresource::{
    SchemaForm, ValidationOptions, admits, fill_defaults, prune_nulls, validate_list_types,
};
use crate::field_path::FieldPath;
use crate::schema::structural::Structural;
use crate::value::{Kind, Value};
use node::Node;

/// The requirements for generated values.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The version of the server that must accept the values.
    pub version: KubernetesVersion,
    /// Whether the schema is that of a whole resource: its values have `apiVersion`, `kind` and `metadata`.
    pub is_resource: bool,
    /// Whether defaults are added, as rules read them; otherwise a value has the form that a person would
    /// write, and the server accepts it after adding defaults.
    pub fills_defaults: bool,
    /// The maximum number of values.
    pub limit: usize,
    /// The budget in steps: a step is a visited schema node, or a value that is validated against one.
    pub steps: usize,
}

impl Settings {
    /// The settings of [`candidates`]: 64 values of a part of a resource with its defaults, within 400,000 steps.
    #[must_use]
    pub fn new(version: KubernetesVersion) -> Self {
        Self { version, is_resource: false, fills_defaults: true, limit: 64, steps: 400_000 }
    }
}

/// Distinct values of a part of a resource that `schema` accepts, the smallest first, at most 64. The list is
/// empty if no value was found, for example because keywords contradict each other. Rules are ignored.
#[must_use]
pub fn candidates(schema: &Structural, hints: &Hints, version: KubernetesVersion) -> Vec<Value> {
    generate(schema, hints, &Settings::new(version))
}

/// Distinct values that `schema` accepts, the smallest first.
#[must_use]
pub fn generate(schema: &Structural, hints: &Hints, settings: &Settings) -> Vec<Value> {
    let mut generator = Generator::new(hints, settings);
    let node = Node::root(schema, settings.is_resource);
    // Half of the budget is reserved for a first value, so that wide schemas have at least one.
    let mut found = generator.with_budget(settings.steps / 2, |generator| generator.values(&node, 1));
    found.extend(generator.values(&node, settings.limit));
    let mut found = distinct(found, settings.limit);
    found.sort_by_cached_key(size);
    found
}

/// The size of a value: the number of its parts and their bytes.
fn size(value: &Value) -> usize {
    match &value.kind {
        Kind::Null | Kind::Bool(_) | Kind::Int(_) | Kind::Float(_) => 1,
        Kind::String(text) => 1 + text.len(),
        Kind::List(items) => 1 + items.iter().map(size).sum::<usize>(),
        Kind::Map(map) => 1 + map.iter().map(|(key, member)| key.len() + size(&member.value)).sum::<usize>(),
    }
}

/// The first `most` distinct values of `values`.
fn distinct(values: Vec<Value>, most: usize) -> Vec<Value> {
    let mut known = FxHashSet::default();
    let is_new = |value: &Value| {
        let mut words = String::new();
        spell(value, &mut words);
        known.insert(words)
    };
    values.into_iter().filter(is_new).take(most).collect()
}

/// Writes `value` in a form that is the same only for equal values; in JSON, `1.0` and `1` may be the same.
fn spell(value: &Value, out: &mut String) {
    match &value.kind {
        Kind::Float(number) => out.extend(["f", &number.to_string()]),
        Kind::List(items) => {
            out.push('[');
            for item in items {
                spell(item, out);
                out.push(',');
            }
            out.push(']');
        }
        Kind::Map(map) => {
            out.push('{');
            for (key, member) in map {
                out.extend([&Json::String(key.to_string()).to_string(), ":"]);
                spell(&member.value, out);
                out.push(',');
            }
            out.push('}');
        }
        _ => out.push_str(&value.to_json().to_string()),
    }
}

/// The generator.
struct Generator<'h> {
    hints: &'h Hints,
    fills_defaults: bool,
    options: ValidationOptions,
    /// The remaining budget.
    steps: usize,
}

impl<'h> Generator<'h> {
    fn new(hints: &'h Hints, settings: &Settings) -> Self {
        let options = ValidationOptions {
            kubernetes_version: settings.version,
            form: SchemaForm::Resource,
            prefix: FieldPath::root(),
        };
        Self { hints, fills_defaults: settings.fills_defaults, options, steps: settings.steps }
    }

    /// The result of `make` with at most `share` steps of the budget.
    fn with_budget<T>(&mut self, share: usize, make: impl FnOnce(&mut Self) -> T) -> T {
        let share = share.min(self.steps);
        let others = self.steps - share;
        self.steps = share;
        let made = make(self);
        self.steps += others;
        made
    }

    /// Subtracts `steps` from the budget and returns whether it is sufficient.
    fn spend(&mut self, steps: usize) -> bool {
        let is_enough = self.steps >= steps;
        self.steps = self.steps.saturating_sub(steps);
        is_enough
    }

    /// At most `most` values of the node, in order of preference.
    fn values(&mut self, node: &Node<'_>, most: usize) -> Vec<Value> {
        if !self.spend(1) {
            return Vec::new();
        }
        let mut found = Vec::new();
        let alternatives = node.alternatives();
        for (index, alternative) in alternatives.iter().enumerate() {
            let left = alternatives.len() - index;
            // Each branch of a junctor gets a share.
            let wanted = most.saturating_sub(found.len()).div_ceil(left);
            let share = self.steps / left;
            if wanted > 0 {
                found.extend(
                    self.with_budget(share, |generator| generator.values_of_alternative(alternative, wanted)),
                );
            }
        }
        if node.is_nullable() && found.len() < most {
            found.extend(self.admitted(Value::made(Kind::Null), node));
        }
        distinct(found, most)
    }

    /// Like `values`, for a node with a fixed choice of junctor branches.
    fn values_of_alternative(&mut self, node: &Node<'_>, most: usize) -> Vec<Value> {
        let fixed = node.fixed_values();
        if !fixed.is_empty() {
            return self.first_admitted(fixed, node, most);
        }
        match node.type_name() {
            "object" => self.objects(node, most),
            "array" => self.lists(node, most),
            _ => {
                let pool = self.scalars(node, most);
                self.first_admitted(pool, node, most)
            }
        }
    }

    fn first_admitted(&mut self, pool: Vec<Value>, node: &Node<'_>, most: usize) -> Vec<Value> {
        let mut found = Vec::new();
        for value in pool {
            if found.len() >= most {
                break;
            }
            if let Some(value) = self.admitted(value, node)
                && !found.contains(&value)
            {
                found.push(value);
            }
        }
        found
    }

    /// The value in the requested form, if the server accepts it.
    fn admitted(&mut self, written: Value, node: &Node<'_>) -> Option<Value> {
        let mut stored = written.clone();
        if let Some(schema) = node.spine {
            prune_nulls(&mut stored, Some(schema));
            fill_defaults(&mut stored, schema, 0);
        }
        if !admits(&stored, node.spine, &node.inherited, &self.options, &mut self.steps) {
            return None;
        }
        if let Some(schema) = node.spine {
            let root = FieldPath::root();
            let is_fine = validate_list_types(&stored, schema, 0, &root).is_empty()
                && validate_embedded(&stored, schema, false, &root, self.options.kubernetes_version)
                    .is_empty();
            if !is_fine {
                return None;
            }
        }
        Some(if self.fills_defaults { stored.unplaced() } else { written })
    }
}
