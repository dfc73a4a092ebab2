//! Fields that objects lose between versions without a conversion: the server changes `apiVersion` and drops
//! fields that the schema of the other version does not specify (`pruning.Prune`).

use text::{TextRange, TextSize};

use super::node_paths::{NodePaths, SchemaWalk};
use super::schema::SchemaAt;
use super::unchanged_nodes::UnchangedNodes;
use crate::field_path::FieldPath;
use crate::schema::structural::{Structural, StructuralOrBool};
use crate::schema::{Keyword, TYPES};

/// The maximum number of differences between two schemas.
const MOST: usize = 1_000;

/// The direction of a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Direction {
    /// A field of a served version is not stored.
    ToStorage,
    /// Clients of a served version lose a stored field.
    FromStorage,
    /// Both directions: the types differ.
    Both,
}

/// The kind of loss.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LossKind {
    /// A property with all fields below it.
    Field,
    /// Keys with any name, which `additionalProperties` allows.
    Keys,
    /// Fields that `x-kubernetes-preserve-unknown-fields` keeps.
    Unknown,
    /// Nothing is lost, but each version rejects the other's values: the types of the first and of the other version.
    Type(String, String),
}

/// A difference between two versions.
#[derive(Clone, Debug)]
pub(crate) struct Loss {
    pub(crate) kind: LossKind,
    /// The path of the field in objects, such as `.spec.size`.
    pub(crate) object_path: String,
    /// The byte range of the declaration in the first version, and its path in the document.
    pub(crate) range: TextRange,
    pub(crate) field_path: FieldPath,
    /// The byte range of the nearest node in the other version.
    pub(crate) elsewhere: TextRange,
}

/// The losses of objects with the schema `from`, whose path is `path`, if they are converted to the schema
/// `to`. Pairs of nodes without a loss are `known` from earlier texts.
pub(super) fn losses(
    from: SchemaAt<'_>,
    to: SchemaAt<'_>,
    path: &FieldPath,
    known: &mut UnchangedNodes,
) -> Vec<Loss> {
    let mut walk = LossWalk {
        unchanged: known,
        losses: Vec::new(),
        paths: NodePaths::of_root(path.clone()),
        nearest: to.key,
    };
    walk.node(from, Some(to));
    walk.losses
}

struct LossWalk<'w> {
    unchanged: &'w mut UnchangedNodes,
    losses: Vec<Loss>,
    paths: NodePaths,
    /// The innermost key of the path that the other version has too.
    nearest: TextRange,
}

impl SchemaWalk for LossWalk<'_> {
    fn paths(&mut self) -> &mut NodePaths {
        &mut self.paths
    }
}

impl LossWalk<'_> {
    /// Compares the nodes; without `to`, the other version specifies no field.
    fn node(&mut self, from: SchemaAt<'_>, to: Option<SchemaAt<'_>>) {
        let is_root = self.paths.is_root();
        if self.losses.len() >= MOST || to.is_some_and(|to| self.unchanged.knows(from, to, is_root)) {
            return;
        }
        let count = self.losses.len();
        let above = self.nearest;
        self.nearest = to.map_or(above, |to| to.key);
        if self.types(from, to) {
            self.fields(from, to, is_root);
            self.compare_other_members(from, to);
            self.items(from, to);
        }
        self.nearest = above;
        if let Some(to) = to.filter(|_| self.losses.len() == count) {
            self.unchanged.record(from, to, is_root);
        }
    }

    fn report(&mut self, kind: LossKind, range: TextRange) {
        self.losses.push(Loss {
            kind,
            object_path: self.paths.object.clone(),
            range,
            field_path: self.paths.field.clone(),
            elsewhere: self.nearest,
        });
    }

    /// Whether values may have the same type, so that the children need a comparison.
    fn types(&mut self, from: SchemaAt<'_>, to: Option<SchemaAt<'_>>) -> bool {
        let Some(to) = to else { return true };
        let (own, other) = (type_of(from.schema), type_of(to.schema));
        let is_same = own == other || own.is_empty() || other.is_empty();
        if !is_same {
            self.report(LossKind::Type(own.to_owned(), other.to_owned()), from.key);
        }
        is_same
    }

    fn fields(&mut self, from: SchemaAt<'_>, to: Option<SchemaAt<'_>>, is_root: bool) {
        let is_object = is_root || from.schema.extensions.embedded_resource;
        for (name, child) in &from.schema.properties {
            // Every object has these fields, even if the schema does not declare them.
            if is_object && matches!(&**name, "apiVersion" | "kind" | "metadata") {
                continue;
            }
            let own = from.below(child);
            let step = format!(".{name}");
            self.descend(Keyword::Properties, Some(name), &step, |walk| match specified(to, name) {
                MemberSpecification::As(other) => walk.node(own, other),
                MemberSpecification::Kept => {}
                MemberSpecification::Not => walk.report(LossKind::Field, own.key),
            });
        }
    }

    /// Compares members with any name.
    fn compare_other_members(&mut self, from: SchemaAt<'_>, to: Option<SchemaAt<'_>>) {
        let other = to.map(|to| to.schema);
        let keeps = other.is_some_and(|other| other.extensions.preserve_unknown_fields);
        let specifies_any = other.is_some_and(|other| other.additional_properties.is_some());
        let keyword = |keyword: Keyword| {
            let place = from.schema.places.place_of(keyword, from.base).map_or(from.key, |place| place.key);
            let end = place.start.saturating_add(keyword.as_str().len() as TextSize);
            TextRange { start: place.start, end: end.min(place.end.max(place.start)) }
        };
        if let Some(StructuralOrBool::Structural(child)) = &from.schema.additional_properties {
            let own = from.below(child);
            match (to, other.and_then(|other| other.additional_properties.as_ref())) {
                (Some(to), Some(StructuralOrBool::Structural(child))) => {
                    let other = to.below(child);
                    self.descend(Keyword::AdditionalProperties, None, "[*]", |walk| {
                        walk.node(own, Some(other));
                    });
                }
                (_, Some(_)) => {
                    self.descend(Keyword::AdditionalProperties, None, "[*]", |walk| walk.node(own, None));
                }
                (_, None) if keeps => {}
                (_, None) => self.descend(Keyword::AdditionalProperties, None, "", |walk| {
                    walk.report(LossKind::Keys, keyword(Keyword::AdditionalProperties));
                }),
            }
        }
        if from.schema.extensions.preserve_unknown_fields && !keeps && !specifies_any {
            self.descend(Keyword::PreserveUnknownFields, None, "", |walk| {
                walk.report(LossKind::Unknown, keyword(Keyword::PreserveUnknownFields));
            });
        }
    }

    fn items(&mut self, from: SchemaAt<'_>, to: Option<SchemaAt<'_>>) {
        let Some(child) = &from.schema.items else { return };
        let own = from.below(child);
        let other = to.and_then(|to| Some(to.below(to.schema.items.as_ref()?)));
        let keeps = to.is_some_and(|to| to.schema.extensions.preserve_unknown_fields);
        if other.is_some() || !keeps {
            self.descend(Keyword::Items, None, "[*]", |walk| walk.node(own, other));
        }
    }
}

/// The way in which a schema specifies a member.
enum MemberSpecification<'s> {
    /// The member has this schema; `None` if the member is allowed and no field below it is specified.
    As(Option<SchemaAt<'s>>),
    /// The member is kept unchanged.
    Kept,
    /// The member is dropped.
    Not,
}

fn specified<'s>(by: Option<SchemaAt<'s>>, name: &str) -> MemberSpecification<'s> {
    let Some(by) = by else { return MemberSpecification::Not };
    match (by.schema.properties.get(name), &by.schema.additional_properties) {
        (Some(child), _) | (None, Some(StructuralOrBool::Structural(child))) => {
            MemberSpecification::As(Some(by.below(child)))
        }
        (None, Some(StructuralOrBool::Bool(_))) => MemberSpecification::As(None),
        (None, None) if by.schema.extensions.preserve_unknown_fields => MemberSpecification::Kept,
        (None, None) => MemberSpecification::Not,
    }
}

/// The type of values; empty if any type is allowed, or if the name is not a type, for example while it is
/// being typed.
fn type_of(schema: &Structural) -> &str {
    match &*schema.generic.type_name {
        _ if schema.extensions.int_or_string => "int-or-string",
        name if TYPES.contains(&name) => name,
        _ => "",
    }
}
