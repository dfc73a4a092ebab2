//! The parts of junctors that concern a schema node.

use std::collections::BTreeMap;

use crd::FieldPath;
use crd::reading::is_null;
use crd::schema::{Keyword, Schema, TypeName};
use text::TextSize;
use yaml::Reader;

/// A branch, or a part of one, that concerns a node outside of all junctors.
#[derive(Clone, Debug)]
pub(super) struct Occurrence<'r, 't> {
    pub(super) schema: Schema<'r, 't>,
    pub(super) path: FieldPath,
    /// The junctors that contain it, the outermost first.
    pub(super) trail: Vec<JunctorBranch>,
    /// Whether it is a branch on the node itself, rather than a field or item within a branch on a parent.
    pub(super) direct: bool,
    /// The outermost junctor that contains it.
    pub(super) junctor: Keyword,
}

/// A branch of a junctor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct JunctorBranch {
    junctor: Keyword,
    /// The start of the junctor's value, which distinguishes it from others.
    start: TextSize,
    index: usize,
    count: usize,
}

impl<'r, 't> Occurrence<'r, 't> {
    /// A part of the same branch, for a field or item of the node.
    fn part(&self, schema: Schema<'r, 't>, path: FieldPath) -> Self {
        Self { schema, path, direct: false, ..self.clone() }
    }

    /// The properties in it, each with its occurrence.
    pub(super) fn properties(&self, reader: &'r Reader<'t>) -> impl Iterator<Item = (String, Option<Self>)> {
        self.schema.members(Keyword::Properties).entries.into_iter().map(|(name, entry)| {
            let schema = Schema::read(entry.value(), reader);
            let path = || self.path.child("properties").key(&name);
            (name.clone().into_owned(), schema.map(|schema| self.part(schema, path())))
        })
    }

    /// The occurrence for the items.
    pub(super) fn items(&self) -> Option<Self> {
        Some(self.part(self.schema.schema(Keyword::Items)?, self.path.child("items")))
    }

    /// Whether it applies to every valid object.
    pub(super) fn is_unconditional(&self) -> bool {
        cover(&[&self.trail])
    }

    /// Whether it is below a `not`.
    pub(super) fn is_negated(&self) -> bool {
        self.trail.iter().any(|turn| turn.junctor == Keyword::Not)
    }

    /// The type that it names.
    pub(super) fn type_name(&self) -> Option<String> {
        match self.schema.type_name() {
            TypeName::Named(name) => Some(name.into_owned()),
            TypeName::Missing | TypeName::Unreadable => None,
        }
    }
}

/// Whether every valid object matches at least one of `occurrences`.
pub(super) fn covers<'o, 'r, 't>(occurrences: impl IntoIterator<Item = &'o Occurrence<'r, 't>>) -> bool
where
    't: 'r,
    'r: 'o,
{
    let trails: Vec<&[JunctorBranch]> =
        occurrences.into_iter().map(|occurrence| occurrence.trail.as_slice()).collect();
    cover(&trails)
}

fn cover(trails: &[&[JunctorBranch]]) -> bool {
    if trails.iter().any(|trail| trail.is_empty()) {
        return true;
    }
    let mut branches: Vec<(&JunctorBranch, &[JunctorBranch])> =
        trails.iter().filter_map(|trail| trail.split_first()).collect();
    branches.sort_by_key(|(turn, _)| (turn.start, turn.index));
    let mut held: BTreeMap<TextSize, usize> = BTreeMap::new();
    branches.chunk_by(|(one, _), (other, _)| (one.start, one.index) == (other.start, other.index)).any(
        |branches| {
            let Some((turn, _)) = branches.first() else { return false };
            let needed = match turn.junctor {
                Keyword::AllOf => 1,
                Keyword::AnyOf | Keyword::OneOf => turn.count,
                _ => return false,
            };
            let rest: Vec<&[JunctorBranch]> = branches.iter().map(|(_, rest)| *rest).collect();
            if cover(&rest) {
                *held.entry(turn.start).or_default() += 1;
            }
            held.get(&turn.start).is_some_and(|held| *held >= needed)
        },
    )
}

/// All branches of the junctors of `schema`, including nested ones.
pub(super) fn branches<'r, 't>(
    schema: &Schema<'r, 't>,
    path: &FieldPath,
    reader: &'r Reader<'t>,
    into: &mut Vec<Occurrence<'r, 't>>,
) {
    collect(schema, path, None, reader, into);
}

fn collect<'r, 't>(
    schema: &Schema<'r, 't>,
    path: &FieldPath,
    within: Option<&Occurrence<'r, 't>>,
    reader: &'r Reader<'t>,
    into: &mut Vec<Occurrence<'r, 't>>,
) {
    for junctor in [Keyword::AllOf, Keyword::AnyOf, Keyword::OneOf, Keyword::Not] {
        let Some(value) = schema.get(junctor) else { continue };
        let mut found = Vec::new();
        let mut count = 1;
        if junctor == Keyword::Not {
            found.extend(Schema::read(value, reader).map(|schema| (0, schema, path.child("not"))));
        } else {
            count = schema.items(junctor).count();
            for (index, item) in schema.items(junctor).enumerate() {
                let branch = Schema::read(item.value(), reader).filter(|_| !is_null(item.value()));
                found.extend(branch.map(|schema| (index, schema, path.child(junctor.as_str()).index(index))));
            }
        }
        for (index, schema, path) in found {
            let turn = JunctorBranch { junctor, start: value.range().start, index, count };
            let above = within.map(|within| within.trail.as_slice()).unwrap_or_default();
            let occurrence = Occurrence {
                schema: schema.clone(),
                path: path.clone(),
                trail: above.iter().copied().chain([turn]).collect(),
                direct: true,
                junctor: within.map_or(junctor, |within| within.junctor),
            };
            collect(&schema, &path, Some(&occurrence), reader, into);
            into.push(occurrence);
        }
    }
}
