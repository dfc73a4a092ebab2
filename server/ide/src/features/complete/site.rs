//! The position in the schemas of a definition.

use crd::schema::{Keyword, Schema};
use crd::{FieldPath, SchemaSite, Segment};
use yaml::Value;

use super::Request;
use crate::analysis::text_at::definition_at;

/// A node of a schema, whether or not it is written yet.
pub(super) struct Site<'r, 't> {
    /// Its position.
    pub(super) schema_site: SchemaSite,
    /// The node itself, as far as it is written.
    pub(super) schema: Option<Schema<'r, 't>>,
    /// The node that declares its values: itself, or for a node in junctors the corresponding one outside all
    /// of them.
    pub(super) declared: Option<Schema<'r, 't>>,
}

impl<'a> Request<'a, '_> {
    /// The innermost node of a schema on `path`, which starts at the definition around the cursor, and the
    /// rest of `path`.
    pub(super) fn site<'p>(&self, path: &'p [Segment]) -> Option<(Site<'a, 'a>, &'p [Segment])> {
        let definition = definition_at(self.document, self.reader, self.probe.at)?;
        let above = definition.path().len();
        let (schema, mut rest) = definition.schemas().into_iter().find_map(|schema| {
            let rest = path.strip_prefix(schema.path.segments().get(above..)?)?;
            Some((schema, rest))
        })?;
        let root = Schema::read(schema.value, self.reader);
        let at = SchemaSite::root(definition.has_status(schema.version));
        let mut site = Site { schema_site: at, declared: root.clone(), schema: root };
        while let Some((below, behind)) = site.below(rest) {
            (site, rest) = (below, behind);
        }
        Some((site, rest))
    }

    /// The node of the mapping whose key is at `path`.
    pub(super) fn site_of_key<'p>(&self, path: &'p FieldPath) -> Option<(Site<'a, 'a>, &'p [Segment])> {
        self.site(path.segments().split_last()?.1)
    }
}

impl<'r, 't> Site<'r, 't> {
    /// The node at the end of the first steps of `path`, and the other steps.
    fn below<'p>(&self, path: &'p [Segment]) -> Option<(Self, &'p [Segment])> {
        let (first, behind) = path.split_first()?;
        let keyword = Keyword::parse(first.key()?)?;
        let own = self.schema.as_ref();
        let site = |at: SchemaSite, own: Option<Schema<'r, 't>>, declared: Option<Schema<'r, 't>>| {
            let declared = if at.is_in_junctor() { declared } else { own.clone() };
            Site { schema_site: at, schema: own, declared }
        };
        match (keyword, behind) {
            (
                Keyword::Properties
                | Keyword::PatternProperties
                | Keyword::Definitions
                | Keyword::Dependencies,
                [name, behind @ ..],
            ) => {
                let name = name.key()?;
                let at = match keyword {
                    Keyword::Properties => self.schema_site.property(name, own),
                    _ => self.schema_site.below(keyword, None, own),
                };
                let member = own.and_then(|own| member(own, keyword, name));
                let declared = self.declared.as_ref().and_then(|outer| declared_property(outer, name));
                Some((site(at, member, declared), behind))
            }
            (Keyword::AllOf | Keyword::AnyOf | Keyword::OneOf, [Segment::Index(index), behind @ ..]) => {
                let branch = own.and_then(|own| own.items(keyword).nth(*index));
                let branch = branch.and_then(|item| Schema::read(item.value(), own?.reader()));
                let at = self.schema_site.below(keyword, Some(*index), own);
                Some((site(at, branch, self.declared.clone()), behind))
            }
            // The server rejects a list of schemas.
            (Keyword::Items, [Segment::Index(_), ..]) => None,
            (Keyword::Items | Keyword::AdditionalProperties | Keyword::AdditionalItems | Keyword::Not, _) => {
                let at = self.schema_site.below(keyword, None, own);
                let outer = self.declared.as_ref();
                let declared = match keyword {
                    Keyword::Not => outer.cloned(),
                    _ => outer.and_then(|outer| outer.schema(keyword)),
                };
                Some((site(at, own.and_then(|own| own.schema(keyword)), declared), behind))
            }
            _ => None,
        }
    }

    /// The declared properties, each with its schema.
    pub(super) fn declared_properties(&self) -> Vec<(String, Value<'t>)> {
        self.declared.as_ref().map(properties).unwrap_or_default()
    }

    /// The same for the items.
    pub(super) fn declared_properties_of_items(&self) -> Vec<(String, Value<'t>)> {
        let items = self.declared.as_ref().and_then(|declared| declared.schema(Keyword::Items));
        items.as_ref().map(properties).unwrap_or_default()
    }
}

fn properties<'t>(schema: &Schema<'_, 't>) -> Vec<(String, Value<'t>)> {
    let members = schema.members(Keyword::Properties).entries.into_iter();
    members.map(|(name, entry)| (name.into_owned(), entry.value())).collect()
}

fn member<'r, 't>(schema: &Schema<'r, 't>, keyword: Keyword, name: &str) -> Option<Schema<'r, 't>> {
    Schema::read(schema.members(keyword).get(name)?.value(), schema.reader())
}

/// The declaration of the property `name`, which may be a key of a map, in `schema`.
fn declared_property<'r, 't>(schema: &Schema<'r, 't>, name: &str) -> Option<Schema<'r, 't>> {
    member(schema, Keyword::Properties, name).or_else(|| schema.schema(Keyword::AdditionalProperties))
}
