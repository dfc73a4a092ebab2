//! The values that repairs try for a node.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::nodes::NodeOnPath;
use super::{Goal, Solver};
use crate::customresource::Admission;
use crate::field_path::{FieldPath, Segment};
use crate::generate::value_edits::{fingerprint, put};
use crate::generate::{Hints, Settings, generate, lists};
use crate::schema::structural::Structural;
use crate::value::Value;

/// The number of values that are tried for one field.
pub(super) const OF_FIELD: usize = 12;
/// The number of values that are tried for a whole node.
pub(super) const OF_NODE: usize = 48;
/// The maximum cost of generating the values of one node, in steps of the generator.
const STEPS: usize = 20_000;
/// The number of values of a part that are repaired because its rules reject them, and the tries for each.
const MOST_REPAIRED: usize = 16;
const TRIES_OF_REPAIR: usize = 60;
/// The number of values of an `enum` that are tried.
const MOST_KINDS: usize = 12;
/// The key of generated values: the address of a schema node, a hash of the hints, and the number of values.
type ValuesKey = (*const Structural, u64, usize);

/// Values generated for schema nodes, which several searches may share.
#[derive(Clone, Debug, Default)]
pub struct ValueCache(Rc<RefCell<FxHashMap<ValuesKey, Rc<[Value]>>>>);

impl<'v> Solver<'v> {
    /// Values for a node. At the root of the search, they may violate the node's rules.
    pub(super) fn values_of(&self, node: NodeOnPath<'v, '_>, hints: &Hints, most: usize) -> Rc<[Value]> {
        if node.depth == 0 {
            self.raw_values(node.schema, hints, most).into()
        } else {
            self.values(node.schema, hints, most)
        }
    }

    /// Values of `schema` in the form that a user would write, first those that its rules accept.
    #[must_use]
    pub fn values(&self, schema: &Structural, hints: &Hints, most: usize) -> Rc<[Value]> {
        let question = (std::ptr::from_ref(schema), hints.fingerprint(), most);
        if let Some(known) = self.value_cache.0.borrow().get(&question) {
            return Rc::clone(known);
        }
        let raw = self.raw_values(schema, hints, most);
        let found: Rc<[Value]> = match schema.has_rules && self.repairs_parts {
            true => {
                let of_kinds = of_kinds(schema, hints, &raw);
                self.accepted_first(
                    schema,
                    of_kinds.into_iter().chain(raw.into_iter().map(|value| (value, None))),
                )
            }
            false => raw,
        }
        .into();
        self.value_cache.0.borrow_mut().insert(question, Rc::clone(&found));
        found
    }

    fn raw_values(&self, schema: &Structural, hints: &Hints, most: usize) -> Vec<Value> {
        let settings =
            Settings { fills_defaults: false, limit: most, steps: STEPS, ..Settings::new(self.server) };
        let mut found = generate(schema, hints, &settings);
        // Objects with members are tried first, because they are more useful.
        found.sort_by_key(|value| value.as_map().is_some_and(|map| map.is_empty()));
        let child = schema.items.as_ref().filter(|child| self.repairs_parts && child.node.has_rules);
        if let Some(child) = child {
            let items = self.values(&child.node, hints, OF_FIELD);
            let lists = lists::of_items(&items, schema, hints);
            found.splice(0..0, lists);
        }
        found
    }

    /// The values that the rules of a part accept, some of them repaired, and then the other values. Each
    /// value may come with the name of a field that a repair must not change.
    fn accepted_first(
        &self,
        schema: &Structural,
        raw: impl Iterator<Item = (Value, Option<Box<str>>)>,
    ) -> Vec<Value> {
        let (mut accepted, mut others, mut known) = (Vec::new(), Vec::new(), FxHashSet::default());
        let mut repaired = 0;
        for (value, kept) in raw {
            let solver = Solver::of_part((schema, 0), self.server).sharing(&self.value_cache);
            if solver.errors(&value).is_empty() {
                accepted.extend(known.insert(fingerprint(&value)).then_some(value));
                continue;
            }
            if repaired < MOST_REPAIRED {
                repaired += 1;
                let of = |value: &Value| kept.as_ref().and_then(|name| value.get(name)).cloned();
                let wanted = of(&value);
                let is_met = |admission: &Admission| admission.object.as_ref().and_then(of) == wanted;
                let path = FieldPath::root();
                let goal = Goal { path, rule: None, is_met: &is_met, is_wanted: &|_| false, reached: &|_| 0 };
                let solution = solver.towards(goal, TRIES_OF_REPAIR).solve(value.clone());
                let is_accepted = solution.errors.is_empty() && known.insert(fingerprint(&solution.object));
                accepted.extend(is_accepted.then_some(solution.object));
            }
            others.push(value);
        }
        accepted.extend(others);
        accepted
    }
}

/// Objects with each value of each `enum` among the fields that the hints read, because such a value decides
/// which other fields an object has. Each has the name of that field.
fn of_kinds(schema: &Structural, hints: &Hints, values: &[Value]) -> Vec<(Value, Option<Box<str>>)> {
    let Some(first) = values.iter().find(|value| value.as_map().is_some()) else { return Vec::new() };
    let fields = schema.properties.iter().filter(|(name, _)| hints.reads(name));
    let kinds = fields.flat_map(|(name, child)| {
        let of = child.node.value_validation.enumeration.iter().take(MOST_KINDS);
        of.map(move |value| (name, value.unplaced()))
    });
    let objects = kinds.filter_map(|(name, value)| {
        Some((put(first, &[Segment::Name(name.to_string().into())], &value)?, Some(name.clone())))
    });
    objects.take(MOST_REPAIRED).collect()
}
