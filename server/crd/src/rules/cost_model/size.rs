//! The sizes of lists, maps and strings that costs depend on, and the limits of their bounds.

use crate::cel::excess::in_resource;
use crate::field_path::{FieldPath, Segment};
use crate::regexp;
use crate::schema::Keyword;
use crate::schema::structural::Structural;
use crate::value::{Kind, Value};

/// The size of a list, map or string, which a keyword can bound.
#[derive(Clone, Debug)]
pub struct Size {
    /// The path of the schema node from the document's root.
    pub path: FieldPath,
    /// The keyword that bounds it.
    pub keyword: Keyword,
    /// The bound of the node, in elements or characters.
    pub bound: Option<u64>,
    /// The least bound that allows all values in the schema itself: defaults, enumerated values, other
    /// bounds.
    pub least_bound: u64,
    /// A bound that rejects no valid value: the length of the longest string that `pattern` matches, or a
    /// bound in `allOf`.
    pub implied: Option<u64>,
    /// `format` of a string; empty if absent.
    pub format: Box<str>,
    /// `pattern` of a string; empty if absent.
    pub pattern: Box<str>,
}

impl Size {
    /// The size that `keyword` bounds at the node `schema`, whose path is `path`. `bound` is the bound of the node, and
    /// `defaults` are the values of the node in defaults.
    pub(super) fn new(
        path: FieldPath,
        keyword: Keyword,
        bound: Option<i64>,
        schema: &Structural,
        defaults: &[&Value],
    ) -> Self {
        let values = &schema.value_validation;
        let lengths = values.pattern.as_ref().and_then(|pattern| regexp::parse(pattern.as_str()).ok());
        let lengths = lengths.filter(|_| keyword == Keyword::MaxLength).map(|pattern| pattern.lengths());
        let longest = lengths.and_then(|lengths| lengths.max);
        Self {
            keyword,
            bound: bound.map(at_least_zero),
            least_bound: least_bound(schema, keyword, defaults).max(lengths.map_or(0, |lengths| lengths.min)),
            implied: implied(schema, keyword).into_iter().chain(longest).min(),
            format: values.format.clone(),
            pattern: values.pattern.as_ref().map_or_else(Box::default, |pattern| pattern.as_str().into()),
            path,
        }
    }

    /// The node as a path in the resource: `spec.list[*].name`.
    #[must_use]
    pub fn place(&self) -> String {
        let is_root = |segment: &Segment| segment.key() == Some("openAPIV3Schema");
        let below = self.path.segments().iter().position(is_root).map_or(0, |at| at + 1);
        in_resource(self.path.segments().get(below..).unwrap_or_default())
    }

    /// The names of the properties on the path to the node, innermost first.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let segments = self.path.segments();
        segments.windows(2).rev().filter_map(|pair| match pair {
            [Segment::Name(keyword), Segment::Key(name)] if keyword == "properties" => Some(name.as_ref()),
            _ => None,
        })
    }
}

/// The least bound that is compatible with the other keywords of a node, and with the defaults for it.
fn least_bound(schema: &Structural, keyword: Keyword, defaults: &[&Value]) -> u64 {
    let values = &schema.value_validation;
    let own = match keyword {
        Keyword::MaxItems => values.min_items,
        Keyword::MaxProperties => values.min_properties,
        _ => values.min_length,
    };
    let size = |value: &Value| match &value.kind {
        Kind::String(text) => text.chars().count() as u64,
        Kind::List(items) => items.len() as u64,
        Kind::Map(members) => members.len() as u64,
        _ => 0,
    };
    let named = values.enumeration.iter().chain(defaults.iter().copied()).map(size).max();
    own.map_or(0, at_least_zero).max(named.unwrap_or(0))
}

/// The bound in `allOf`, which estimates ignore.
fn implied(schema: &Structural, keyword: Keyword) -> Option<u64> {
    let branches = schema.value_validation.all_of.iter().map(|branch| &branch.node.value_validation);
    let bounds = branches.filter_map(|values| match keyword {
        Keyword::MaxItems => values.max_items,
        Keyword::MaxProperties => values.max_properties,
        _ => values.max_length,
    });
    bounds.min().map(at_least_zero)
}

/// The values that the defaults of a schema have at the node that `path` leads to.
pub(super) fn default_values<'s>(schema: &'s Structural, path: &[Segment]) -> Vec<&'s Value> {
    let mut node = schema;
    let mut values: Vec<&Value> = node.generic.default.iter().collect();
    let mut segments = path.iter();
    while let Some(segment) = segments.next() {
        let child = match segment.key() {
            Some("properties") => {
                let name = segments.next().and_then(Segment::key).unwrap_or_default();
                let of = |value: &&'s Value| match &value.kind {
                    Kind::Map(members) => members.get(name).map(|member| &member.value),
                    _ => None,
                };
                values = values.iter().filter_map(of).collect();
                node.properties.get(name)
            }
            Some("items") => {
                let of = |value: &&'s Value| match &value.kind {
                    Kind::List(items) => items.as_slice(),
                    _ => &[],
                };
                values = values.iter().flat_map(of).collect();
                node.items.as_ref()
            }
            _ => {
                values = values.iter().flat_map(|value| members(value)).collect();
                node.additional_schema()
            }
        };
        let Some(child) = child else { return Vec::new() };
        node = &child.node;
        values.extend(&node.generic.default);
    }
    values
}

fn members(value: &Value) -> impl Iterator<Item = &Value> {
    let members = match &value.kind {
        Kind::Map(members) => Some(members),
        _ => None,
    };
    members.into_iter().flat_map(|members| members.values().map(|member| &member.value))
}

fn at_least_zero(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}
