//! A node of a schema with all known constraints of its values.

use std::collections::BTreeSet;

use crate::schema::structural::{
    Child, NestedOrBool, NestedValueValidation, Structural, StructuralOrBool, ValueValidation,
};
use crate::value::Value;

/// The maximum number of ways through the junctors of one node.
const MOST_ALTERNATIVES: usize = 12;

/// A node of the spine, and the value validations that apply to the same values.
#[derive(Clone, Debug, Default)]
pub(super) struct Node<'s> {
    /// `None` below `x-kubernetes-preserve-unknown-fields`, and for properties that only a junctor declares.
    pub(super) spine: Option<&'s Structural>,
    /// Branches of junctors of this node or its ancestors, which also apply to the values.
    pub(super) inherited: Vec<&'s NestedValueValidation>,
    /// These and other branches of the node, which one way through its junctors satisfies: they help to find
    /// values. They need no separate check, because the node is checked.
    satisfied: Vec<&'s NestedValueValidation>,
    /// Whether the values are whole resources.
    pub(super) is_resource: bool,
    /// The names of the key fields of list items.
    pub(super) keys: &'s [Box<str>],
}

impl<'s> Node<'s> {
    pub(super) fn root(schema: &'s Structural, is_resource: bool) -> Self {
        Self {
            spine: Some(schema),
            is_resource: is_resource || schema.extensions.embedded_resource,
            ..Self::default()
        }
    }

    /// The node once for each way through its junctors; each way satisfies one branch of each junctor.
    pub(super) fn alternatives(&self) -> Vec<Self> {
        let mut own = Self { satisfied: Vec::new(), ..self.clone() };
        own.satisfy_all_of();
        let mut alternatives = vec![own];
        let mut depth = 0;
        // Branches may have junctors themselves, which the next iteration processes.
        while depth < 4 {
            let mut is_done = true;
            let mut next = Vec::new();
            for alternative in alternatives {
                let choice = alternative
                    .choices()
                    .into_iter()
                    .find(|branches| !alternative.satisfies_one_of(branches));
                let Some(branches) = choice.filter(|_| next.len() < MOST_ALTERNATIVES) else {
                    next.push(alternative);
                    continue;
                };
                is_done = false;
                for branch in branches.iter().take(MOST_ALTERNATIVES) {
                    let mut alternative = alternative.clone();
                    alternative.satisfied.push(&branch.node);
                    alternative.satisfy_all_of();
                    next.push(alternative);
                }
            }
            alternatives = next;
            if is_done {
                break;
            }
            depth += 1;
        }
        alternatives.truncate(MOST_ALTERNATIVES);
        alternatives
    }

    fn choices(&self) -> Vec<&'s [Child<NestedValueValidation>]> {
        let of = |validation: &'s ValueValidation| [&validation.one_of[..], &validation.any_of[..]];
        self.validations().flat_map(of).filter(|branches| !branches.is_empty()).collect()
    }

    fn satisfies_one_of(&self, branches: &[Child<NestedValueValidation>]) -> bool {
        branches
            .iter()
            .any(|branch| self.satisfied.iter().any(|satisfied| std::ptr::eq(*satisfied, &*branch.node)))
    }

    fn satisfy_all_of(&mut self) {
        let mut pending: Vec<&NestedValueValidation> = Vec::new();
        let of = |validation: &'s ValueValidation| validation.all_of.iter().map(|branch| &*branch.node);
        pending.extend(self.validations().flat_map(of));
        while let Some(branch) = pending.pop() {
            if !self.satisfied.iter().any(|satisfied| std::ptr::eq(*satisfied, branch)) {
                self.satisfied.push(branch);
                pending.extend(of(&branch.value_validation));
            }
        }
    }

    /// All validations that apply to the values.
    pub(super) fn validations(&self) -> impl Iterator<Item = &'s ValueValidation> {
        let spine = self.spine.map(|schema| &*schema.value_validation);
        let nested = self.nested().map(|nested| &*nested.value_validation);
        spine.into_iter().chain(nested)
    }

    fn nested(&self) -> impl Iterator<Item = &'s NestedValueValidation> {
        self.inherited.clone().into_iter().chain(self.satisfied.clone())
    }

    pub(super) fn type_name(&self) -> &'s str {
        let spine = self.spine.map(|schema| &*schema.generic.type_name);
        let nested = self.nested().map(|nested| &*nested.forbidden_generics.type_name);
        let named = spine.into_iter().chain(nested).find(|name| !name.is_empty());
        let is_object = self.is_resource || self.spine.is_some_and(|schema| !schema.properties.is_empty());
        named.unwrap_or(if is_object { "object" } else { "" })
    }

    pub(super) fn is_nullable(&self) -> bool {
        self.spine.is_some_and(|schema| schema.generic.nullable)
    }

    pub(super) fn is_int_or_string(&self) -> bool {
        self.spine.is_some_and(|schema| schema.extensions.int_or_string)
            || self.nested().any(|nested| nested.forbidden_extensions.int_or_string)
    }

    /// The values of the shortest `enum`, if there is one.
    pub(super) fn fixed_values(&self) -> Vec<Value> {
        let all = self.validations().map(|validation| &validation.enumeration);
        let shortest = all.filter(|values| !values.is_empty()).min_by_key(|values| values.len());
        shortest.into_iter().flatten().map(Value::unplaced).collect()
    }

    /// The names of required properties.
    pub(super) fn required(&self) -> BTreeSet<&'s str> {
        self.validations().flat_map(|validation| &validation.required).map(|(name, _)| &**name).collect()
    }

    /// The names of declared properties, alphabetically.
    pub(super) fn names(&self) -> BTreeSet<&'s str> {
        let spine = self.spine.into_iter().flat_map(|schema| schema.properties.keys());
        let nested = self.nested().filter(|_| self.takes_others());
        let nested = nested.flat_map(|nested| nested.properties.keys());
        spine.chain(nested).map(|name| &**name).collect()
    }

    /// Whether the server keeps members that the spine does not declare.
    pub(super) fn takes_others(&self) -> bool {
        self.spine.is_none_or(|schema| {
            schema.extensions.preserve_unknown_fields
                || !matches!(schema.additional_properties, None | Some(StructuralOrBool::Bool(false)))
        })
    }

    /// The node of a member.
    pub(super) fn member(&self, name: &str) -> Self {
        let spine =
            self.spine.and_then(|schema| schema.properties.get(name).or_else(|| schema.additional_schema()));
        let nested = |nested: &'s NestedValueValidation| {
            let additional = || match &nested.additional_properties {
                Some(NestedOrBool::Nested(child)) => Some(child),
                _ => None,
            };
            nested.properties.get(name).or_else(additional).map(|child| &*child.node)
        };
        self.below(spine.map(|child| &*child.node), nested, &[])
    }

    /// The node of the items of a list.
    pub(super) fn items(&self) -> Self {
        let spine = self.spine.and_then(|schema| schema.items.as_ref());
        let keys = self.spine.map_or(&[][..], |schema| &schema.extensions.list_map_keys);
        let nested = |nested: &'s NestedValueValidation| nested.items.as_ref().map(|child| &*child.node);
        self.below(spine.map(|child| &*child.node), nested, keys)
    }

    fn below(
        &self,
        spine: Option<&'s Structural>,
        step: impl Fn(&'s NestedValueValidation) -> Option<&'s NestedValueValidation>,
        keys: &'s [Box<str>],
    ) -> Self {
        let is_resource = spine.is_some_and(|schema| schema.extensions.embedded_resource);
        Self {
            spine,
            inherited: self.nested().filter_map(step).collect(),
            satisfied: Vec::new(),
            is_resource,
            keys,
        }
    }

    /// The bounds of a size: the largest minimum and the smallest maximum of all validations.
    pub(super) fn bounds(
        &self,
        least: fn(&ValueValidation) -> Option<i64>,
        most: fn(&ValueValidation) -> Option<i64>,
    ) -> (usize, usize) {
        let size = |bound: i64| usize::try_from(bound.max(0)).unwrap_or(usize::MAX);
        let lower = self.validations().filter_map(least).map(size).max().unwrap_or(0);
        let upper = self.validations().filter_map(most).map(size).min().unwrap_or(usize::MAX);
        (lower, upper)
    }
}
