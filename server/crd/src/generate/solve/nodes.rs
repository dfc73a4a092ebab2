//! The schema nodes along a path, and their rules.

use text::TextSize;

use super::{SearchTarget, Solver};
use crate::customresource::ValueError;
use crate::field_path::{FieldPath, Segment};
use crate::generate::Hints;
use crate::schema::Keyword;
use crate::schema::structural::{NestedValueValidation, Structural, ValidationRule};

/// A node along a path.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeOnPath<'s, 'p> {
    pub(super) schema: &'s Structural,
    /// The start of the node, in bytes of the definition.
    base: TextSize,
    /// The number of segments that lead to it.
    pub(super) depth: usize,
    pub(super) path: &'p [Segment],
}

impl<'v> Solver<'v> {
    /// Whether the node is the root of a whole resource, which has a kind and a name.
    pub(super) fn is_head(&self, node: NodeOnPath<'_, '_>) -> bool {
        node.depth == 0 && matches!(self.target, SearchTarget::Resource(_))
    }

    /// The schema nodes along `path`, as far as they are declared, from the root.
    pub(super) fn nodes_on<'p>(&self, path: &'p FieldPath) -> Vec<NodeOnPath<'v, 'p>> {
        let Some((mut schema, mut base)) = self.schema else { return Vec::new() };
        let segments = path.segments();
        let mut nodes = vec![NodeOnPath { schema, base, depth: 0, path: &[] }];
        for (index, segment) in segments.iter().enumerate() {
            let child = match segment {
                Segment::Index(_) => schema.items.as_ref(),
                Segment::Name(name) => schema.properties.get(&**name).or_else(|| schema.additional_schema()),
                Segment::Key(name) => schema.properties.get(name).or_else(|| schema.additional_schema()),
            };
            let Some(child) = child else { break };
            (base, schema) = (child.base(base), &*child.node);
            let path = segments.get(..=index).unwrap_or_default();
            nodes.push(NodeOnPath { schema, base, depth: index + 1, path });
        }
        nodes
    }

    /// The node of the rule that `error` is about, and its rules, that rule first; `None` for other errors.
    pub(super) fn rule_of<'p>(
        &self,
        error: &'p ValueError,
    ) -> Option<(NodeOnPath<'v, 'p>, Vec<&'v ValidationRule>)> {
        let rule = error.rule.filter(|rule| rule.keyword == Keyword::Validations)?;
        // A `fieldPath` leads to a node below the one that has the rule.
        self.nodes_on(&error.path).into_iter().rev().find_map(|node| {
            let mut rules = Vec::new();
            placed_rules(node.schema, node.base, &mut rules);
            let index =
                rules.iter().position(|(one, base)| one.range.wrapping_shifted(*base) == rule.range)?;
            rules.swap(0, index);
            Some((node, rules.into_iter().map(|(rule, _)| rule).collect()))
        })
    }

    /// The hints from the rules along `path`.
    pub(super) fn hints_around(&self, path: &FieldPath) -> Hints {
        let nodes = self.nodes_on(path);
        let rules = nodes.iter().flat_map(|node| &node.schema.validations);
        Hints::of(rules.map(|rule| &*rule.rule))
    }
}

/// The rules of a node and of its `allOf`, each with the start of its node.
fn placed_rules<'s>(schema: &'s Structural, base: TextSize, all: &mut Vec<(&'s ValidationRule, TextSize)>) {
    fn of_branch<'s>(
        nested: &'s NestedValueValidation,
        base: TextSize,
        all: &mut Vec<(&'s ValidationRule, TextSize)>,
    ) {
        all.extend(nested.validations.iter().map(|rule| (rule, base)));
        nested.value_validation.all_of.iter().for_each(|child| of_branch(&child.node, child.base(base), all));
    }
    all.extend(schema.validations.iter().map(|rule| (rule, base)));
    schema.value_validation.all_of.iter().for_each(|child| of_branch(&child.node, child.base(base), all));
}
