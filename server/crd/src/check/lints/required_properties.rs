//! Entries of `required` for undeclared properties, which the server prunes before it validates.

use std::borrow::Cow;

use api::Code;
use rustc_hash::FxHashSet;
use yaml::{Item, Value};

use super::super::outcome::{Builder, NodeFinding, Place, name};
use super::super::{Position, Stage};
use crate::field_path::Segment;
use crate::reading::Budget;
use crate::reading::Members;
use crate::report::ErrorType;
use crate::schema::{Keyword, Schema};

/// The code of the lint.
pub(crate) const REQUIRED_UNDEFINED: Code = Code::LintRequiredUndefined;

/// Schemas without these keywords are skipped.
const INTERESTING: u64 =
    Keyword::Required.bit() | Keyword::AllOf.bit() | Keyword::AnyOf.bit() | Keyword::OneOf.bit();

/// The fields that every resource has.
const OF_RESOURCES: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// Checks the properties that `schema`, a node of the spine of type `ty`, and the branches of its junctors require.
pub(super) fn check(
    schema: &Schema<'_, '_>,
    ty: Option<&str>,
    properties: &Members<'_>,
    position: Position,
    budget: &mut Budget,
    out: &mut Builder,
) {
    let keeps = schema.is_true(Keyword::PreserveUnknownFields)
        || schema.get(Keyword::AdditionalProperties).is_some()
            && schema.boolean(Keyword::AdditionalProperties) != Some(false);
    // `required` applies to objects only.
    let is_object = ty.is_none_or(|ty| ty == "object");
    if !schema.has_any(INTERESTING) || keeps || !is_object {
        return;
    }
    let is_resource = position == Position::Root || schema.is_true(Keyword::EmbeddedResource);
    let declared = names(properties);
    let is_defined = |name: &str| declared.contains(name) || is_resource && OF_RESOURCES.contains(&name);
    let mut pending: Vec<(Schema<'_, '_>, bool)> = vec![(schema.clone(), false)];
    while let Some((node, is_branch)) = pending.pop() {
        // The completeness checks report properties that a branch declares and the spine does not.
        let described = if is_branch { node.members(Keyword::Properties) } else { Members::default() };
        let described = names(&described);
        for (index, item) in node.items(Keyword::Required).enumerate() {
            let name = text(&node, item).filter(|name| !is_defined(name));
            if let Some(name) = name.filter(|name| !described.contains(name.as_ref())) {
                report(&name, item, (!is_branch).then_some(index), out);
            }
        }
        for value in Keyword::BRANCHING.into_iter().flat_map(|keyword| node.items(keyword)).map(Item::value) {
            if !budget.spend(1) {
                return;
            }
            pending.extend(Schema::read(value, schema.reader()).map(|branch| (branch, true)));
        }
    }
}

fn names<'m>(members: &'m Members<'_>) -> FxHashSet<&'m str> {
    members.entries.iter().map(|(key, _)| key.as_ref()).collect()
}

/// The name in an entry of `required` of a node.
pub(super) fn text<'t>(node: &Schema<'_, 't>, item: Item<'t>) -> Option<Cow<'t, str>> {
    node.reader().follow(item.value()).and_then(Value::as_scalar)?.as_str()
}

/// `index` is the position in the node's own list.
fn report(required: &str, item: Item<'_>, index: Option<usize>, out: &mut Builder) {
    let place: Place = out.place_of(item.value().range());
    let tail = match index {
        Some(index) => vec![name(Keyword::Required), Segment::Index(index)],
        None => Vec::new(),
    };
    let words =
        format!("`{required}` is required but not declared, so kube-apiserver prunes it before the check");
    let finding = NodeFinding::new(Stage::Lint, REQUIRED_UNDEFINED, ErrorType::Invalid, place, tail, words);
    out.push(finding.advise("declare it, or remove it from `required`"));
}
