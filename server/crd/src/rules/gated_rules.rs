//! Rules that read fields that no new object has because their feature gate is off.

use cel::presence::{CheckedAst, unguarded_each};
use text::TextRange;

use crate::cache::Cache;
use crate::cel::DeclaredTypes;
use crate::cel::rule::{CheckedRule, RuleContext};
use crate::cel::stored_expressions::StoredTexts;
use crate::cel::walk::{RuleNode, walk};
use crate::check::Walker;
use crate::object::SchemaPlace;
use crate::reading::Budget;
use crate::schema::Flags;
use crate::schema::Keyword;
use crate::schema::structural::structural;
use crate::{FieldPath, Options, Segment};

/// A place where a rule reads a hidden field, so that the rule fails.
#[derive(Clone, Debug)]
pub(crate) struct HiddenRead {
    /// The byte range, in the document, of the field's name in the rule.
    pub(crate) range: TextRange,
    /// The rule's path in the definition.
    pub(crate) path: FieldPath,
    /// The path of the field in the resource.
    pub(crate) field: Vec<String>,
    /// The expression that reads the field, as written in the rule.
    pub(crate) expression: String,
}

/// The reads of fields that `is_hidden` selects, in rules of the schema at `place`, if no condition checks the
/// presence of the field. Rules of hidden fields and their descendants are not evaluated.
pub(crate) fn hidden_reads(
    place: &SchemaPlace<'_>,
    reader: &yaml::Reader<'_>,
    is_hidden: &dyn Fn(&[String]) -> bool,
    options: &Options,
    cache: &mut Cache,
) -> Vec<HiddenRead> {
    let budget = &mut Budget::new(true);
    let outcome = Walker { reader, options, cache, budget }.walk(place.value);
    if outcome.flags.contains(Flags::UNCONVERTIBLE | Flags::UNDECODABLE) {
        return Vec::new();
    }
    let Some((schema, base)) = structural(place.value, reader, cache) else { return Vec::new() };
    let none = StoredTexts::default();
    let context = RuleContext { stored_texts: &none, version: options.kubernetes_version };
    let mut found = Vec::new();
    walk(&schema, base, place.key, options.kubernetes_version, &mut |node| {
        let Some(own) = fields(node.path) else { return };
        if (1..=own.len()).any(|length| own.get(..length).is_some_and(is_hidden)) {
            return;
        }
        found.extend(reads_of_node(node, &own, is_hidden, context, cache).into_iter().map(|mut read| {
            read.path = place.path.join(read.path.segments());
            read
        }));
    });
    found
}

/// The hidden reads in rules of `node`, which is at `own` in the resource; paths start at the root of the schema.
fn reads_of_node(
    node: &RuleNode<'_, '_>,
    own: &[String],
    is_hidden: &dyn Fn(&[String]) -> bool,
    context: RuleContext<'_>,
    cache: &mut Cache,
) -> Vec<HiddenRead> {
    let Ok(of) = &node.schema_type else { return Vec::new() };
    let types = DeclaredTypes::new(&of.decl_type);
    let hidden_field = |owner: &str, field: &str| {
        let path = field_of(&types, own, owner, field)?;
        is_hidden(&path).then_some(path)
    };
    let rules: Vec<_> = node.schema.validations.iter().enumerate().collect();
    let checked_rules: Vec<_> =
        rules.iter().map(|(_, rule)| CheckedRule::new(rule, of, 1, context, cache)).collect();
    let inspected: Vec<_> = checked_rules
        .iter()
        .map(|checked_rule| checked_rule.rule.1.problem.is_none().then(|| checked_rule.rule.0.inspect()))
        .collect();
    let trees: Vec<Option<CheckedAst<'_>>> =
        inspected.iter().map(|one| one.as_ref().map(|one| (&one.ast, &one.checked))).collect();
    let mut reads = Vec::new();
    for (at, one) in unguarded_each(&trees, &|owner, field| hidden_field(owner, field).is_some()) {
        let Some((index, rule)) = rules.get(at) else { continue };
        let Some(scalar) = &rule.rule_place else { continue };
        let Some(field) = one.owner.as_deref().and_then(|owner| hidden_field(owner, &one.field)) else {
            continue;
        };
        let path = node.path.child(Keyword::Validations.as_str()).index(*index).child("rule");
        let written = rule.rule.get(one.range.as_usize()).unwrap_or_default().to_owned();
        reads.push(HiddenRead {
            range: scalar.range_of(one.name, node.base),
            path,
            field,
            expression: written,
        });
    }
    reads
}

/// The path in the resource of the node at `path`; `None` if it contains a list or a map, below which gates do
/// not apply.
fn fields(path: &FieldPath) -> Option<Vec<String>> {
    let steps = path.segments().chunks(2).map(|pair| match pair {
        [Segment::Name(keyword), Segment::Key(name)] if keyword == Keyword::Properties.as_str() => {
            Some(name.to_string())
        }
        _ => None,
    });
    steps.collect()
}

/// The path in the resource of `field` of the type `owner`, seen from a rule at `own`.
fn field_of(types: &DeclaredTypes<'_>, own: &[String], owner: &str, field: &str) -> Option<Vec<String>> {
    let mut path = own.to_vec();
    let ends: Vec<usize> = owner.match_indices('.').map(|(at, _)| at).chain([owner.len()]).collect();
    for pair in ends.windows(2) {
        let &[start, end] = pair else { continue };
        let (outer, step) = (owner.get(..start)?, owner.get(start + 1..end)?);
        path.push(types.declared(outer)?.field(step)?.property.to_string());
    }
    path.push(types.declared(owner)?.field(field)?.property.to_string());
    Some(path)
}
