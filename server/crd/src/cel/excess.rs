//! The causes of a rule's high cost: unbounded lists, maps and strings.

use std::fmt::Write;

use cel::{DeclKind, DeclType, Estimate};
use text::{TextRange, TextSize};

use super::walk::RuleNode;
use crate::cel::SchemaNode;
use crate::field_path::{FieldPath, Segment};
use crate::schema::Keyword;
use crate::schema::structural::Structural;

/// An unbounded value that the cost estimate of a rule depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnboundedValue {
    /// The schema node, as the user wrote it, from the document's root.
    pub path: FieldPath,
    /// The keyword that would bound it.
    pub keyword: Keyword,
    /// The key that holds the node, in bytes.
    pub range: TextRange,
    /// Whether a branch of `allOf` has the keyword; estimates do not read these branches.
    pub is_in_all_of: bool,
}

impl UnboundedValue {
    /// The node as a path of the resource: `spec.list[*].name`; `self` for the whole resource.
    #[must_use]
    pub fn place(&self) -> String {
        let schema = self.path.segments().iter().position(|segment| segment.key() == Some("openAPIV3Schema"));
        let below = schema.map_or(0, |at| at + 1);
        in_resource(self.path.segments().get(below..).unwrap_or_default())
    }

    /// The problem with the node.
    #[must_use]
    pub fn problem(&self) -> String {
        let (place, keyword) = (self.place(), self.keyword.as_str());
        match self.is_in_all_of {
            true => format!("cost estimates ignore `{keyword}` in `allOf` of `{place}`"),
            false => format!("`{place}` has no `{keyword}`"),
        }
    }

    /// Where to set the keyword.
    pub(crate) fn target(&self) -> String {
        let outside = if self.is_in_all_of { " outside `allOf`" } else { "" };
        format!("`{}`{outside}", self.place())
    }
}

/// The unbounded nodes around `node`, and those whose sizes `estimates` depend on, without duplicates. `root`
/// is the path of `openAPIV3Schema`.
pub(crate) fn unbounded(
    node: &RuleNode<'_, '_>,
    estimates: &[Estimate],
    root: &FieldPath,
) -> Vec<UnboundedValue> {
    let mut found: Vec<UnboundedValue> = Vec::new();
    let mut add = |one: UnboundedValue| {
        if !found.contains(&one) {
            found.push(one);
        }
    };
    for around in node.unbounded {
        let mut path = root.clone();
        path.extend(node.path.segments().get(..around.depth).unwrap_or_default());
        let is_list = &*around.schema.generic.type_name == "array";
        let keyword = if is_list { Keyword::MaxItems } else { Keyword::MaxProperties };
        let is_in_all_of = is_in_all_of(around.schema, keyword);
        add(UnboundedValue { path, keyword, range: around.key, is_in_all_of });
    }
    let Ok(of) = &node.schema_type else { return found };
    for size in estimates.iter().flat_map(|estimate| &estimate.sizes) {
        let path = root.join(node.path.segments());
        follow(node.schema, node.base, &of.decl_type, &size.path, path).into_iter().for_each(&mut add);
    }
    found
}

/// The node that `steps` lead to from the node at `path`, of type `of`, if it is unbounded. The node of the
/// rule itself has no key here: the key of its keyword `type` is used instead.
fn follow(
    schema: &Structural,
    base: TextSize,
    of: &DeclType,
    steps: &[String],
    mut path: FieldPath,
) -> Option<UnboundedValue> {
    let node = reach(SchemaNode::new(schema, base, of), steps, &mut path)?;
    let range = node.key.or_else(|| schema.places.place_of(Keyword::Type, base).map(|place| place.key))?;
    let (keyword, bound) = bound(&node)?;
    let is_in_all_of = is_in_all_of(node.schema, keyword);
    bound.is_none().then_some(UnboundedValue { path, keyword, range, is_in_all_of })
}

/// Whether a branch of `allOf` of `schema` has the bound `keyword`.
fn is_in_all_of(schema: &Structural, keyword: Keyword) -> bool {
    schema.value_validation.all_of.iter().any(|branch| {
        let values = &branch.node.value_validation;
        let bound = match keyword {
            Keyword::MaxItems => values.max_items,
            Keyword::MaxProperties => values.max_properties,
            _ => values.max_length,
        };
        bound.is_some()
    })
}

/// The node that `steps` lead to from `node`; the steps are appended to `path`.
pub(crate) fn reach<'s>(
    node: SchemaNode<'s>,
    steps: &[String],
    path: &mut FieldPath,
) -> Option<SchemaNode<'s>> {
    steps.iter().try_fold(node, |node, step| {
        let below = match step.as_str() {
            "@items" | "@values" => node.element()?,
            field => node.field(field)?,
        };
        match (step.as_str(), node.decl_type.field(step)) {
            ("@items", _) => path.push_name(Keyword::Items.as_str()),
            ("@values", _) => path.push_name(Keyword::AdditionalProperties.as_str()),
            (_, field) => {
                path.push_name(Keyword::Properties.as_str());
                path.push_key(&field?.property);
            }
        }
        Some(below)
    })
}

/// The keyword that bounds the size of the values of `node`, and its bound if set; `None` for values without
/// a size, or with a size that follows from something else.
pub(crate) fn bound(node: &SchemaNode<'_>) -> Option<(Keyword, Option<i64>)> {
    let values = &node.schema.value_validation;
    match node.decl_type.kind {
        DeclKind::List(_) => Some((Keyword::MaxItems, values.max_items)),
        DeclKind::Map(_) => Some((Keyword::MaxProperties, values.max_properties)),
        DeclKind::String if values.max_length.is_none() && !values.enumeration.is_empty() => None,
        DeclKind::String | DeclKind::Bytes | DeclKind::Dyn => Some((Keyword::MaxLength, values.max_length)),
        _ => None,
    }
}

/// Converts a path in a schema to a path in the resource: `spec.list[*].name`; `self` for the whole resource.
pub(crate) fn in_resource(path: &[Segment]) -> String {
    let mut out = String::new();
    let mut segments = path.iter();
    while let Some(segment) = segments.next() {
        match segment.key() {
            Some("properties") => {
                let name = segments.next().and_then(Segment::key).unwrap_or_default();
                let dot = if out.is_empty() { "" } else { "." };
                // Writing to a String cannot fail.
                let _ = write!(out, "{dot}{name}");
            }
            Some("items" | "additionalProperties") => out.push_str("[*]"),
            _ => {}
        }
    }
    if out.is_empty() { "self".to_owned() } else { out }
}
