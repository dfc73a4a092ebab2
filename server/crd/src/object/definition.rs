//! One CustomResourceDefinition.

use std::borrow::Cow;

use api::{CUSTOM_RESOURCE_DEFINITION_V1, CUSTOM_RESOURCE_DEFINITION_V1BETA1, ObjectType};
use text::{Shortcut, TextRange};
use yaml::scalar::ResolvedScalar;
use yaml::{Mapping, NodeRef, Reader, Value};

use super::{api_version, member};
use crate::cache::Cache;
use crate::field_path::FieldPath;
use crate::object::Node;
use crate::reading::Budget;
use crate::report::ApiVersion;
use crate::schema::fingerprint::Fingerprinter;

/// The number of levels of schemas that are compared before the rest: nearly all schemas that differ do so
/// there.
const TOP_LEVELS: u32 = 3;

/// The scope that `written` means: v1beta1 has a default.
pub(crate) fn scope_of(written: &str, api_version: ApiVersion) -> &str {
    match (written, api_version) {
        ("", ApiVersion::V1Beta1) => "Namespaced",
        _ => written,
    }
}

/// A CustomResourceDefinition as it is written.
#[derive(Clone, Debug)]
pub struct CustomResourceDefinition<'r, 't> {
    reader: &'r Reader<'t>,
    value: Value<'t>,
    mapping: Mapping<'t>,
    api_version: ApiVersion,
    path: FieldPath,
}

/// An item of `spec.versions`.
#[derive(Clone, Copy, Debug)]
pub struct Version<'r, 't> {
    reader: &'r Reader<'t>,
    /// Its index in the list.
    pub index: usize,
    /// The item, with aliases followed.
    pub value: Value<'t>,
}

/// A place that holds an `openAPIV3Schema`.
#[derive(Clone, Debug)]
pub struct SchemaPlace<'t> {
    /// The index in `spec.versions`; `None` for `spec.validation` of v1beta1.
    pub version: Option<usize>,
    /// The path as the user wrote it, from the document's root.
    pub path: FieldPath,
    /// The schema; never null. Aliases are not followed.
    pub value: Value<'t>,
    /// The key `openAPIV3Schema`.
    pub key: TextRange,
}

impl<'r, 't> CustomResourceDefinition<'r, 't> {
    /// Reads the definition in `value`, if it is one. `path` leads to it from the document's root.
    pub(crate) fn read(value: Value<'t>, path: FieldPath, reader: &'r Reader<'t>) -> Option<Self> {
        let mapping = value.as_mapping()?;
        let api_version = api_version(mapping, reader)?;
        Some(Self { reader, value, mapping, api_version, path })
    }

    /// The version of the API that it is written in.
    #[must_use]
    pub fn api_version(&self) -> ApiVersion {
        self.api_version
    }

    /// The type that declares the fields of the definition.
    #[must_use]
    pub fn object_type(&self) -> &'static ObjectType {
        match self.api_version {
            ApiVersion::V1 => &CUSTOM_RESOURCE_DEFINITION_V1,
            ApiVersion::V1Beta1 => &CUSTOM_RESOURCE_DEFINITION_V1BETA1,
        }
    }

    /// The reader that it was read with.
    #[must_use]
    pub fn reader(&self) -> &'r Reader<'t> {
        self.reader
    }

    /// The object.
    #[must_use]
    pub fn value(&self) -> Value<'t> {
        self.value
    }

    /// Its `metadata.name`.
    #[must_use]
    pub fn name(&self) -> Option<Cow<'t, str>> {
        self.field(&["metadata", "name"])?.as_scalar()?.as_str()
    }

    /// The path from the document's root; not empty for an item of a list.
    #[must_use]
    pub fn path(&self) -> &FieldPath {
        &self.path
    }

    /// The object with its place, for checks field by field.
    pub(crate) fn node(&self) -> Node<'r, 't> {
        Node::root(self.value, self.path.clone(), self.reader)
    }

    /// The value of that field, with aliases followed; `None` if it is absent or null.
    #[must_use]
    pub fn field(&self, names: &[&str]) -> Option<Value<'t>> {
        let (last, first) = names.split_last()?;
        let mut mapping = self.mapping;
        for name in first {
            mapping = member(mapping, name, self.reader)?.as_mapping()?;
        }
        member(mapping, last, self.reader)
    }

    /// The versions, in the order of the text.
    pub fn versions(&self) -> impl Iterator<Item = Version<'r, 't>> + use<'r, 't> {
        let reader = self.reader;
        let versions = self.field(&["spec", "versions"]).and_then(Value::as_sequence);
        let items = versions.into_iter().flat_map(yaml::Sequence::items).enumerate();
        items.filter_map(move |(index, item)| {
            Some(Version { reader, index, value: reader.follow(item.value())? })
        })
    }

    /// Whether it looks like a part of a definition, such as a kustomize patch: at least two of the three
    /// parts that every definition has are missing.
    #[must_use]
    pub fn is_partial(&self) -> bool {
        self.missing_parts().len() >= 2
    }

    /// The missing ones of the three parts that every definition has, as users name them.
    #[must_use]
    pub fn missing_parts(&self) -> Vec<&'static str> {
        let has = |names: &[&str]| self.field(names).is_some();
        let versions = has(&["spec", "versions"]) || has(&["spec", "version"]);
        let parts = [
            ("`spec.group`", has(&["spec", "group"])),
            ("`spec.names`", has(&["spec", "names"])),
            ("`spec.versions`", versions),
        ];
        parts.into_iter().filter(|(_, is_there)| !is_there).map(|(part, _)| part).collect()
    }

    /// Whether its objects are namespaced, as those of v1beta1 are by default.
    #[must_use]
    pub fn is_namespaced(&self) -> bool {
        let scope = self.field(&["spec", "scope"]).and_then(|scope| scope.as_scalar()?.as_str());
        scope_of(&scope.unwrap_or_default(), self.api_version) == "Namespaced"
    }

    /// Whether undeclared fields are dropped; v1beta1 must enable that.
    #[must_use]
    pub fn prunes(&self) -> bool {
        let preserves = self.field(&["spec", "preserveUnknownFields"]).and_then(Value::as_scalar);
        match preserves.map(yaml::Scalar::resolve) {
            Some(Ok(ResolvedScalar::Bool(preserves))) => !preserves,
            _ => self.api_version == ApiVersion::V1,
        }
    }

    /// Whether the status subresource is enabled for the schema of `version` (`None`: `spec.validation`), as
    /// the server determines it.
    #[must_use]
    pub fn has_status(&self, version: Option<usize>) -> bool {
        let has_subresources = |version: &Version<'_, '_>| version.member("subresources").is_some();
        let top = self.api_version == ApiVersion::V1Beta1
            && self.field(&["spec", "subresources", "status"]).is_some();
        let Some(index) = version else {
            return top || self.versions().any(|version| version.has_status());
        };
        if !self.versions().any(|version| has_subresources(&version)) {
            return top;
        }
        // If several versions have the same name, the server reads the first.
        let name = self.versions().find(|version| version.index == index).and_then(|version| version.name());
        self.versions().find(|version| version.name() == name).is_some_and(|version| version.has_status())
    }

    /// All places of schemas: first `spec.validation` of v1beta1, then the versions.
    #[must_use]
    pub fn schemas(&self) -> Vec<SchemaPlace<'t>> {
        let mut schemas = Vec::new();
        if self.api_version == ApiVersion::V1Beta1 {
            let validation = self.field(&["spec", "validation"]).and_then(Value::as_mapping);
            let path = FieldPath::of_names(["spec", "validation"]);
            schemas.extend(validation.and_then(|holder| self.schema_in(holder, None, &path)));
        }
        for version in self.versions() {
            let path = FieldPath::of_names(["spec", "versions"]).index(version.index).child("schema");
            let holder = version.member("schema").and_then(Value::as_mapping);
            schemas.extend(holder.and_then(|holder| self.schema_in(holder, Some(version.index), &path)));
        }
        schemas
    }

    fn schema_in(
        &self,
        holder: Mapping<'t>,
        version: Option<usize>,
        path: &FieldPath,
    ) -> Option<SchemaPlace<'t>> {
        member(holder, "openAPIV3Schema", self.reader)?;
        let entry = self.reader.entry(holder, "openAPIV3Schema")?;
        let path = self.path.join(path.child("openAPIV3Schema").segments());
        Some(SchemaPlace { version, path, value: entry.value(), key: entry.key_range() })
    }

    /// Whether all versions have the same `schema`; true for a single version. The server moves these schemas
    /// of v1 to `spec.validation` before it validates.
    pub(crate) fn has_same_schemas(&self, cache: &mut Cache, budget: &mut Budget) -> bool {
        let holders: Vec<Option<Value<'t>>> =
            self.versions().map(|version| version.member("schema")).collect();
        if holders.len() < 2 {
            return true;
        }
        let schemas: Vec<Option<Option<Value<'t>>>> = holders
            .into_iter()
            .map(|holder| holder.map(|holder| member(holder.as_mapping()?, "openAPIV3Schema", self.reader)))
            .collect();
        let mut are_same = |levels, cache: &mut Cache| {
            let mut fingerprinter =
                Fingerprinter { reader: self.reader, cache, budget: &mut *budget, levels };
            let mut hashes = schemas
                .iter()
                .map(|schema| schema.map(|schema| schema.map(|schema| fingerprinter.schema(schema))));
            let first = hashes.next();
            hashes.all(|hash| Some(hash) == first)
        };
        if !Shortcut::SameSchemas.is_on() {
            return are_same(None, cache);
        }
        if !are_same(Some(TOP_LEVELS), cache) {
            return false;
        }
        let nodes: Vec<_> =
            schemas.iter().filter_map(|schema| (*schema)??.node()).map(NodeRef::node).collect();
        // Comparing existing hashes is cheaper than comparing the whole text.
        let is_new = nodes.iter().all(|node| cache.fingerprint(node).is_none() && !node.flags().aliases);
        let is_one_text = is_new
            && nodes.len() == schemas.len()
            && nodes.windows(2).all(|pair| matches!(pair, [one, other] if one.same_as(other)));
        is_one_text || are_same(None, cache)
    }

    /// The path of the schema at `place` in the server's errors.
    pub(crate) fn server_path(place: &SchemaPlace<'_>, hoisted: bool) -> FieldPath {
        match place.version {
            Some(index) if !hoisted => FieldPath::of_names(["spec", "versions"])
                .index(index)
                .child("schema")
                .child("openAPIV3Schema"),
            _ => FieldPath::of_names(["spec", "validation", "openAPIV3Schema"]),
        }
    }
}

impl<'t> Version<'_, 't> {
    /// The value of that field, with aliases followed; `None` if it is absent or null.
    #[must_use]
    pub fn member(&self, name: &str) -> Option<Value<'t>> {
        member(self.value.as_mapping()?, name, self.reader)
    }

    /// Whether that field, such as `served` or `storage`, is `true`.
    #[must_use]
    pub fn is_true(&self, name: &str) -> bool {
        let scalar = self.member(name).and_then(Value::as_scalar);
        matches!(scalar.map(yaml::Scalar::resolve), Some(Ok(ResolvedScalar::Bool(true))))
    }

    /// Whether it has the status subresource.
    #[must_use]
    pub fn has_status(&self) -> bool {
        let subresources = self.member("subresources").and_then(Value::as_mapping);
        subresources.and_then(|subresources| member(subresources, "status", self.reader)).is_some()
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> Option<Cow<'t, str>> {
        self.member("name")?.as_scalar()?.as_str()
    }
}
