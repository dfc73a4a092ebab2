//! The repairs of a rejected object: changes that may correct its first errors.

use std::rc::Rc;

use super::nodes::NodeOnPath;
use super::values::{OF_FIELD, OF_NODE};
use super::{Solution, Solver};
use crate::customresource::ValueError;
use crate::field_path::Segment;
use crate::generate::Hints;
use crate::generate::reads::{Read, fields_read};
use crate::generate::value_edits::{put, put_at, step, value_at, without_value};
use crate::schema::structural::ValidationRule;
use crate::value::Value;

impl<'v> Solver<'v> {
    /// Objects that may not have one of the first errors of `of`, the most likely first. Each error has two
    /// stages, so that the objects of the second are created only if needed.
    pub(super) fn repairs(&self, of: &Solution, stage: usize) -> Option<Vec<Value>> {
        let error = of.errors.iter().take(4).nth(stage / 2)?;
        let mut all = Vec::new();
        match (self.rule_of(error), stage % 2) {
            (Some((node, rules)), 0) => self.repairs_of_rule(&of.object, node, &rules, &mut all),
            (Some((node, rules)), _) => self.further_repairs_of_rule(&of.object, node, &rules, &mut all),
            (None, 0) => self.repairs_of_value(&of.object, error, &mut all),
            (None, _) => {}
        }
        Some(all)
    }

    fn repairs_of_value(&self, object: &Value, error: &ValueError, all: &mut Vec<Value>) {
        let nodes = self.nodes_on(&error.path);
        let hints = self.hints_around(&error.path);
        for (above, node) in nodes.iter().rev().take(2).enumerate() {
            // The root is replaced only if the error is at the root.
            if node.depth == 0 && above > 0 {
                continue;
            }
            let path = error.path.segments().get(..node.depth).unwrap_or_default();
            if self.is_head(*node) {
                self.vary_members(object, &hints, *node, all);
                continue;
            }
            for value in self.values_of(*node, &hints, OF_FIELD).iter() {
                all.extend(put_at(object, path, value));
            }
            all.extend(without_value(object, path));
            self.vary_members(object, &hints, *node, all);
        }
    }

    /// Removes each member of the object at the path of `node`, and adds each declared member that is
    /// missing.
    fn vary_members(&self, object: &Value, hints: &Hints, node: NodeOnPath<'v, '_>, all: &mut Vec<Value>) {
        let Some(map) = value_at(object, node.path).and_then(Value::as_map) else { return };
        let is_head = |name: &str| self.is_head(node) && is_head(name);
        for name in map.keys().filter(|name| !is_head(name)) {
            all.extend(without_value(object, &step(node.path, Segment::Name(name.to_string().into()))));
        }
        for (name, child) in &node.schema.properties {
            if map.contains_key(name) || is_head(name) {
                continue;
            }
            let path = step(node.path, Segment::Name(name.to_string().into()));
            for value in self.values(&child.node, hints, 2).iter() {
                all.extend(put(object, &path, value));
            }
        }
    }

    /// The fields that the first of `rules`, the failed one, reads, with values for them; the other rules of
    /// the node must also be satisfied.
    fn repair_inputs(
        &self,
        object: &Value,
        node: NodeOnPath<'v, '_>,
        rules: &[&'v ValidationRule],
    ) -> RepairInputs<'v> {
        let own = Hints::of(rules.iter().take(1).map(|rule| &*rule.rule));
        let hints = Hints::of(rules.iter().map(|rule| &*rule.rule));
        let mut read = Vec::new();
        fields_read(object, node.schema, node.path, &own, 0, &mut read);
        let values_of = |field: &Read<'v>| {
            let is_whole = field.path.len() == node.depth;
            if is_whole {
                self.values_of(node, &hints, OF_FIELD)
            } else {
                self.values(field.schema, &hints, OF_FIELD)
            }
        };
        let values = read.iter().map(values_of).collect();
        RepairInputs { own_hints: own, hints, read, values }
    }

    fn repairs_of_rule(
        &self,
        object: &Value,
        node: NodeOnPath<'v, '_>,
        rules: &[&'v ValidationRule],
        all: &mut Vec<Value>,
    ) {
        let RepairInputs { own_hints: own, read, values, .. } = self.repair_inputs(object, node, rules);
        if self.is_head(node) && own.reads("name") {
            let path = [Segment::Name("metadata".into()), Segment::Name("name".into())];
            for text in own.texts() {
                all.extend(put(object, &path, &Value::text(text)));
            }
        }
        for index in 0..OF_FIELD {
            for (field, values) in read.iter().zip(&values) {
                if index == 1 {
                    all.extend(without_value(object, &field.path));
                }
                if let Some(value) = values.get(index) {
                    all.extend(put(object, &field.path, value));
                }
            }
        }
        for field in &read {
            for other in read.iter().filter(|other| other.path != field.path) {
                if let Some(value) = value_at(object, &other.path) {
                    all.extend(put(object, &field.path, value));
                }
            }
        }
    }

    /// Repairs for rules that no change of a single field satisfies.
    fn further_repairs_of_rule(
        &self,
        object: &Value,
        node: NodeOnPath<'v, '_>,
        rules: &[&'v ValidationRule],
        all: &mut Vec<Value>,
    ) {
        let RepairInputs { hints, read, values, .. } = self.repair_inputs(object, node, rules);
        // Two fields at a time, for a field that requires another one.
        for (index, (one, values_of_one)) in read.iter().zip(&values).enumerate() {
            for (other, values_of_other) in read.iter().zip(&values).skip(index + 1) {
                for value in values_of_one.iter().take(3) {
                    let Some(object) = put(object, &one.path, value) else { continue };
                    all.extend(without_value(&object, &other.path));
                    let others = values_of_other.iter().take(3);
                    all.extend(others.filter_map(|value| put(&object, &other.path, value)));
                }
                let gone = without_value(object, &one.path);
                let others = values_of_other.iter().take(3);
                all.extend(others.filter_map(|value| put(gone.as_ref()?, &other.path, value)));
            }
        }
        if !self.is_head(node) {
            let target = self.values_of(node, &hints, OF_NODE);
            all.extend(target.iter().filter_map(|value| put_at(object, node.path, value)));
            all.extend(without_value(object, node.path));
        }
    }
}

/// The inputs for repairs of a failed rule.
struct RepairInputs<'s> {
    /// The hints from the rule itself.
    own_hints: Hints,
    /// The hints from all rules of the node.
    hints: Hints,
    read: Vec<Read<'s>>,
    /// The values for each field that is read.
    values: Vec<Rc<[Value]>>,
}

fn is_head(name: &str) -> bool {
    matches!(name, "apiVersion" | "kind" | "metadata")
}
