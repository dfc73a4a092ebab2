//! Generates objects: required fields, and combinations of the other fields.

use std::collections::BTreeMap;

use super::Generator;
use super::node::Node;
use super::scalars::object;
use crate::value::{Kind, Map, Member, Place, Value};

/// The maximum number of members that are added to reach a bound.
const MOST_MEMBERS: usize = 64;
/// The maximum number of fields that are varied together.
const MOST_VARIED: usize = 12;
/// The number of values of each field that are combined with those of another field.
const COMBINED: usize = 6;
/// The maximum number of tried combinations for each requested value.
const TRIES: usize = 8;

/// A field and its values.
struct Field<'s> {
    name: &'s str,
    is_required: bool,
    values: Vec<Value>,
}

impl Generator<'_> {
    /// At most `most` objects: the smallest, the fullest, then with and without each field, with each value of
    /// it and with combinations of two fields. Fields in the hints come first.
    pub(super) fn objects(&mut self, node: &Node<'_>, most: usize) -> Vec<Value> {
        let required = node.required();
        let mut base = self.resource_fields(node);
        for name in &required {
            if base.contains_key(*name) {
                continue;
            }
            if let Some(value) = self.values(&node.member(name), 1).pop() {
                put(&mut base, name, value);
            }
        }
        let mut found = ObjectSearch { node, most, objects: Vec::new(), tries: most.saturating_mul(TRIES) };
        self.fill_up(node, &mut base);
        found.try_one(self, &base);
        if found.is_done(self) {
            return found.objects;
        }
        let fields = self.fields(node, &base, most);
        if found.objects.is_empty() {
            self.with_one_more(&base, &fields, &mut found);
            if most == 1 {
                return found.objects;
            }
        }
        self.vary(&base, &fields, &mut found);
        found.objects
    }

    /// The fields of every resource.
    fn resource_fields(&mut self, node: &Node<'_>) -> Map {
        let mut map = Map::new();
        if node.is_resource {
            put(&mut map, "apiVersion", Value::text("v1"));
            put(&mut map, "kind", Value::text("ConfigMap"));
            put(&mut map, "metadata", object([("name", Value::text("example"))]));
            for name in ["apiVersion", "kind"] {
                if node.names().contains(name)
                    && let Some(value) = self.values(&node.member(name), 1).pop()
                {
                    put(&mut map, name, value);
                }
            }
        }
        map
    }

    /// Adds members until the object has the minimum number.
    fn fill_up(&mut self, node: &Node<'_>, base: &mut Map) {
        let (least, _) = node.bounds(|of| of.min_properties, |_| None);
        if base.len() >= least {
            return;
        }
        for name in node.names() {
            if base.len() >= least || self.steps == 0 {
                return;
            }
            if !base.contains_key(name)
                && let Some(value) = self.values(&node.member(name), 1).pop()
            {
                put(base, name, value);
            }
        }
        if !node.takes_others() {
            return;
        }
        for index in base.len()..least.min(MOST_MEMBERS) {
            let name = if index == 0 { "example".to_owned() } else { format!("example{index}") };
            if let Some(value) = self.values(&node.member(&name), 1).pop() {
                put(base, &name, value);
            }
        }
    }

    /// The varied fields, each with its values, the most important fields first.
    fn fields<'s>(&mut self, node: &Node<'s>, base: &Map, most: usize) -> Vec<Field<'s>> {
        let required = node.required();
        let hints = self.hints;
        let is_head = |name: &str| node.is_resource && matches!(name, "apiVersion" | "kind" | "metadata");
        let mut names: Vec<&str> = node.names().into_iter().filter(|name| !is_head(name)).collect();
        let rank = |name: &str| {
            let matters = hints.reads(name) || node.keys.iter().any(|key| **key == *name);
            // Fields that a junctor names determine the satisfied branch.
            let is_named = node.validations().any(|of| of.required.iter().any(|(one, _)| **one == *name));
            (!matters, !is_named)
        };
        names.sort_by_key(|name| rank(name));
        let count = names.len();
        let mut fields = Vec::new();
        for (index, name) in names.into_iter().enumerate() {
            if index >= most.max(MOST_VARIED) {
                break;
            }
            let matters = !rank(name).0;
            let wanted = match (matters, hints.is_empty()) {
                _ if most == 1 => 1,
                (true, _) => most.div_ceil(2).max(4),
                (false, true) => most.div_ceil(4).clamp(2, 16),
                // A field that no rule reads matters only by its presence.
                (false, false) => 2,
            };
            let share = self.steps / (count - index).min(8);
            let below = node.member(name);
            let values = self.with_budget(share, |generator| generator.values(&below, wanted));
            let is_required = required.contains(name) && base.contains_key(name);
            if !values.is_empty() {
                fields.push(Field { name, is_required, values });
            }
        }
        fields
    }

    /// Tries objects with one more member than `base`.
    fn with_one_more(&mut self, base: &Map, fields: &[Field<'_>], found: &mut ObjectSearch<'_, '_>) {
        for field in fields.iter().filter(|field| !base.contains_key(field.name)) {
            if found.is_done(self) {
                return;
            }
            let Some(value) = field.values.first() else { continue };
            found.try_one(self, &with_member(base, field.name, value));
        }
    }

    fn vary(&mut self, base: &Map, fields: &[Field<'_>], found: &mut ObjectSearch<'_, '_>) {
        let full = fields.iter().fold(base.clone(), |map, field| match field.values.first() {
            Some(value) if !map.contains_key(field.name) => with_member(&map, field.name, value),
            _ => map,
        });
        found.try_one(self, &full);
        self.singly(base, fields, found);
        self.members_of_maps(base, found);
        // All fields except one.
        for field in fields.iter().filter(|field| !field.is_required) {
            if found.is_done(self) {
                return;
            }
            let mut map = full.clone();
            map.remove(field.name);
            found.try_one(self, &map);
        }
        self.in_pairs(base, fields, found);
        self.at_random(base, fields, found);
    }

    /// Each field alone with each of its values: first the first value of each field, then the second.
    fn singly(&mut self, base: &Map, fields: &[Field<'_>], found: &mut ObjectSearch<'_, '_>) {
        let longest = fields.iter().map(|field| field.values.len()).max().unwrap_or(0);
        // Half of the requested number is reserved for combinations.
        let limit = found.objects.len() + found.most.saturating_sub(found.objects.len()).div_ceil(2);
        for index in 0..longest {
            for field in fields {
                if found.is_done(self) || found.objects.len() >= limit {
                    return;
                }
                if let Some(value) = field.values.get(index) {
                    found.try_one(self, &with_member(base, field.name, value));
                }
            }
        }
    }

    fn in_pairs(&mut self, base: &Map, fields: &[Field<'_>], found: &mut ObjectSearch<'_, '_>) {
        let varied = fields.get(..MOST_VARIED.min(fields.len())).unwrap_or_default();
        for total in 0..2 * COMBINED {
            for (index, one) in varied.iter().enumerate() {
                for other in varied.iter().skip(index + 1) {
                    for at in 0..=total.min(COMBINED) {
                        if found.is_done(self) {
                            return;
                        }
                        let pair = (one.values.get(at), other.values.get(total - at));
                        if let (Some(a), Some(b)) = pair {
                            let map = with_member(&with_member(base, one.name, a), other.name, b);
                            found.try_one(self, &map);
                        }
                    }
                }
            }
        }
    }

    /// Pseudo-random combinations of all varied fields, from a fixed sequence.
    fn at_random(&mut self, base: &Map, fields: &[Field<'_>], found: &mut ObjectSearch<'_, '_>) {
        let varied = fields.get(..MOST_VARIED.min(fields.len())).unwrap_or_default();
        if varied.len() < 2 {
            return;
        }
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        while !found.is_done(self) {
            let mut map = base.clone();
            for field in varied {
                // Knuth's constants; the high bits are the most random.
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let choices = field.values.len() + usize::from(!field.is_required);
                let choice = (state >> 33) as usize % choices.max(1);
                match field.values.get(choice) {
                    Some(value) => put(&mut map, field.name, value.clone()),
                    None => {
                        map.remove(field.name);
                    }
                }
            }
            found.try_one(self, &map);
        }
    }

    /// Members of maps, which no property declares.
    fn members_of_maps(&mut self, base: &Map, found: &mut ObjectSearch<'_, '_>) {
        let node = found.node;
        if !node.takes_others() {
            return;
        }
        let hints = self.hints;
        let declared = node.names();
        let hinted = hints.texts.iter().chain(&hints.names).map(|name| &**name);
        let names =
            ["example", "other"].into_iter().chain(hinted.take(24)).filter(|name| !declared.contains(name));
        let names: Vec<&str> = names.collect();
        let mut known: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
        let wanted = found.most.div_ceil(4).max(2);
        for (index, name) in names.iter().enumerate() {
            let share = self.steps / (names.len() - index + 1);
            let below = node.member(name);
            let values = self.with_budget(share, |generator| generator.values(&below, wanted));
            known.insert(name, values);
        }
        for name in &names {
            for value in known.get(name).into_iter().flatten() {
                if found.is_done(self) {
                    return;
                }
                found.try_one(self, &with_member(base, name, value));
            }
        }
        let first = |name: &str| known.get(name).and_then(|values| values.first());
        let mut all = base.clone();
        for name in &names {
            if let Some(value) = first(name) {
                put(&mut all, name, value.clone());
                found.try_one(self, &all);
            }
        }
    }
}

/// The objects found so far.
struct ObjectSearch<'n, 's> {
    node: &'n Node<'s>,
    most: usize,
    objects: Vec<Value>,
    tries: usize,
}

impl ObjectSearch<'_, '_> {
    fn is_done(&self, generator: &Generator<'_>) -> bool {
        self.objects.len() >= self.most || self.tries == 0 || generator.steps == 0
    }

    fn try_one(&mut self, generator: &mut Generator<'_>, map: &Map) {
        if self.is_done(generator) {
            return;
        }
        self.tries -= 1;
        let value = generator.admitted(Value::made(Kind::Map(map.clone())), self.node);
        self.objects.extend(value.filter(|value| !self.objects.contains(value)));
    }
}

fn put(map: &mut Map, name: &str, value: Value) {
    map.insert(name.into(), Member { key: Place::Nowhere, value });
}

fn with_member(map: &Map, name: &str, value: &Value) -> Map {
    let mut map = map.clone();
    put(&mut map, name, value.clone());
    map
}
