//! What the branches of junctors say of a schema node.

use crd::FieldPath;
use crd::schema::{Keyword, Schema, TypeName, is_null};
use yaml::Reader;

/// A branch, or a part of one, that speaks of a node outside of all junctors.
#[derive(Clone, Debug)]
pub(super) struct Occurrence<'r, 't> {
    pub(super) schema: Schema<'r, 't>,
    pub(super) path: FieldPath,
    /// It holds for every object: only `allOf` stands between.
    pub(super) unconditional: bool,
    /// It stands below a `not`.
    pub(super) negated: bool,
    /// The outermost junctor that it stands in.
    pub(super) junctor: Keyword,
}

impl<'r, 't> Occurrence<'r, 't> {
    /// The same branch's word on a part of the node.
    fn part(&self, schema: Schema<'r, 't>, path: FieldPath) -> Self {
        Self { schema, path, ..self.clone() }
    }

    /// What it says of the property `name`.
    pub(super) fn property(&self, name: &str, reader: &'r Reader<'t>) -> Option<Self> {
        let entry = self.schema.members(Keyword::Properties).get(name)?;
        let schema = Schema::read(entry.value(), reader)?;
        Some(self.part(schema, self.path.child("properties").key(name)))
    }

    /// What it says of the items.
    pub(super) fn items(&self) -> Option<Self> {
        Some(self.part(self.schema.schema(Keyword::Items)?, self.path.child("items")))
    }

    /// The type that it names.
    pub(super) fn type_name(&self) -> Option<String> {
        match self.schema.type_name() {
            TypeName::Named(name) => Some(name.into_owned()),
            TypeName::Missing | TypeName::Unreadable => None,
        }
    }
}

/// All branches of the junctors of `schema`, those within branches too.
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
        if junctor == Keyword::Not {
            found.extend(Schema::read(value, reader).map(|schema| (schema, path.child("not"))));
        } else {
            for (index, item) in schema.items(junctor).enumerate() {
                let branch = Schema::read(item.value(), reader).filter(|_| !is_null(item.value()));
                found.extend(branch.map(|schema| (schema, path.child(junctor.as_str()).index(index))));
            }
        }
        for (schema, path) in found {
            let occurrence = Occurrence {
                schema: schema.clone(),
                path: path.clone(),
                unconditional: junctor == Keyword::AllOf && within.is_none_or(|within| within.unconditional),
                negated: junctor == Keyword::Not || within.is_some_and(|within| within.negated),
                junctor: within.map_or(junctor, |within| within.junctor),
            };
            collect(&schema, &path, Some(&occurrence), reader, into);
            into.push(occurrence);
        }
    }
}
