//! Whether the types that a CEL rule or the names of keys and fields depend on are known although the definition lacks others.

use std::collections::BTreeSet;

use super::{has_failed, has_known_types, nodes_along};
use crate::generate::Outcome;
use crate::schema::{MISSING, Schema};

impl Outcome {
    /// Whether the rule at `path` reads only known types. A field with a missing type does not exist for CEL, so a rule that
    /// names the field cannot be judged; a rule that does not name it has the same errors with and without it.
    #[must_use]
    pub fn are_types_of_rule_known(&self, product: &str, path: &[&str]) -> bool {
        let ["spec", "versions", index, "schema", "openAPIV3Schema", rest @ ..] = path else { return false };
        let [node @ .., "x-kubernetes-validations", number, _] = rest else { return false };
        let file = self.files.iter().find(|file| file.name == product);
        let version = file.zip(index.parse::<usize>().ok());
        let Some(version) = version.and_then(|(file, index)| file.definition.versions.get(index)) else {
            return false;
        };
        let Some(schema) = nodes_along(&version.schema, node).last() else { return false };
        let rule = number.parse::<usize>().ok().and_then(|number| schema.rules.get(number));
        rule.is_some_and(|rule| {
            !nodes_along(&version.schema, node).any(is_missing)
                && !has_failed(&version.schema, node)
                && reads_known_types(schema, &[&rule.rule, &rule.message_expression])
        })
    }
}

/// Whether the keyword at `path` names only fields of known types: keys of a list, or the path of a rule's field.
pub(super) fn reads_only_known(schema: &Schema, path: &[&str]) -> bool {
    let is_known = |node: &[&str]| !nodes_along(schema, node).any(is_missing);
    match path {
        [node @ .., "x-kubernetes-list-map-keys"] | [node @ .., "x-kubernetes-list-map-keys", _] => {
            let items = nodes_along(schema, node).last().and_then(|list| list.items.as_deref());
            is_known(node) && items.is_some_and(|items| !lacks_type(items))
        }
        [node @ .., "x-kubernetes-validations", number, "fieldPath"] => {
            let owner = nodes_along(schema, node).last();
            let rule = owner.and_then(|owner| Some((owner, owner.rules.get(number.parse::<usize>().ok()?)?)));
            is_known(node) && rule.is_some_and(|(owner, rule)| has_known_types(owner, &rule.field_path))
        }
        _ => false,
    }
}

fn is_missing(schema: &Schema) -> bool {
    schema.causes.iter().any(|cause| cause.keyword == MISSING)
}

/// Whether expressions on a node name no field with a missing type.
fn reads_known_types(schema: &Schema, expressions: &[&str]) -> bool {
    let mut names = BTreeSet::new();
    if lacks_type(schema) || !collect_unknown(schema, &mut names) {
        return false;
    }
    let is_sign = |sign: char| !sign.is_alphanumeric() && sign != '_';
    let mut words = expressions.iter().flat_map(|text| text.split(is_sign));
    // CEL writes the keyword `in` as `__in__`.
    !words.any(|word| names.contains(word) || names.contains(word.trim_matches('_')))
}

/// Whether the type of a node, of its elements or of a part that is merged into it is missing.
fn lacks_type(schema: &Schema) -> bool {
    let elements = schema.items.as_deref().into_iter().chain(schema.additional());
    is_missing(schema) || elements.chain(&schema.all_of).chain(&schema.any_of).any(lacks_type)
}

/// Collects the names of fields with a missing type, at a node and below it. False if an expression may read such a field
/// without its name: CEL writes names with other signs differently, and a merged part has unknown names.
fn collect_unknown<'s>(schema: &'s Schema, names: &mut BTreeSet<&'s str>) -> bool {
    schema.properties.iter().all(|(name, inner)| {
        if !lacks_type(inner) {
            return true;
        }
        names.insert(name);
        name.chars().all(|sign| sign.is_alphanumeric() || sign == '_')
    }) && schema.inner().all(|inner| collect_unknown(inner, names))
}
