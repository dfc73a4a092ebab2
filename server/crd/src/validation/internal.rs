//! A definition as kube-apiserver validates it: with defaults, and converted to the internal type, which has
//! fields only once if they are the same in all versions.

use std::borrow::Cow;

use api::{Difference, KubernetesVersion};

use super::{columns, subresources};
use crate::object::CustomResourceDefinition;
use crate::object::Node;
use crate::report::ApiVersion;

/// A definition after the server's defaulting and conversion.
pub(super) struct InternalDefinition<'r, 't> {
    pub(super) api_version: ApiVersion,
    pub(super) object: Node<'r, 't>,
    pub(super) spec: Node<'r, 't>,
    pub(super) versions: Vec<Version<'r, 't>>,
    /// `spec.version`.
    pub(super) version: Cow<'t, str>,
    /// The fields that the server moves from all versions to `spec`.
    pub(super) hoists: Hoists,
}

/// The fields of the versions that the server moves to `spec`, because they are the same in all versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hoists {
    pub(super) schemas: bool,
    pub(super) subresources: bool,
    pub(super) columns: bool,
    pub(super) selectable_fields: bool,
}

/// The part of a schema that is present.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SchemaPresence {
    /// Whether `schema` or `validation` is set.
    pub(super) has_holder: bool,
    /// Whether it contains `openAPIV3Schema`.
    pub(super) has_schema: bool,
}

impl SchemaPresence {
    fn of_holder(holder: &Node<'_, '_>) -> Self {
        Self { has_holder: holder.is_set(), has_schema: holder.child("openAPIV3Schema").is_set() }
    }
}

/// An item of `spec.versions`.
pub(super) struct Version<'r, 't> {
    pub(super) node: Node<'r, 't>,
    pub(super) name: Cow<'t, str>,
    pub(super) served: bool,
    pub(super) storage: bool,
    pub(super) schema: Node<'r, 't>,
    pub(super) subresources: Node<'r, 't>,
    pub(super) columns: Node<'r, 't>,
    pub(super) selectable_fields: Node<'r, 't>,
}

/// A value with its path in the server's errors.
pub(super) struct ServerValue<'r, 't> {
    pub(super) node: Node<'r, 't>,
    pub(super) server: String,
    /// The version in which it is written; `None` for a field of `spec` in v1beta1.
    pub(super) index: Option<usize>,
    /// The version in which the server finds it; `None` if the server finds it in `spec`.
    pub(super) server_version: Option<usize>,
}

impl<'r, 't> InternalDefinition<'r, 't> {
    /// Reads `definition`; `hoists_schemas` is `true` if all its versions have the same schema.
    pub(super) fn read(
        definition: &CustomResourceDefinition<'r, 't>,
        hoists_schemas: bool,
        version: KubernetesVersion,
    ) -> Self {
        let object = definition.node();
        let spec = object.child("spec");
        let api_version = definition.api_version();
        let is_v1 = api_version == ApiVersion::V1;
        let mut versions: Vec<Version<'r, 't>> = spec.child("versions").items().map(Version::read).collect();
        let single = spec.child("version");
        if !is_v1 && versions.is_empty() && !single.text().is_empty() {
            versions.push(Version { served: true, storage: true, ..Version::absent(&single) });
        }
        let first = versions.first().map(|first| first.name.clone()).unwrap_or_default();
        let name = Some(single.text()).filter(|name| !is_v1 && !name.is_empty()).unwrap_or(first);
        let hoists = Hoists {
            schemas: is_v1 && hoists_schemas,
            subresources: is_v1 && are_same(&versions, |version| subresources::read(&version.subresources)),
            columns: is_v1 && are_same(&versions, |version| columns::read(&version.columns)),
            selectable_fields: is_v1 && are_same(&versions, Version::selectable_paths),
        };
        let mut internal = Self { api_version, object, spec, versions, version: name, hoists };
        if !version.has(Difference::SelectableFields) {
            internal.drop_selectable_fields();
        }
        internal
    }

    /// Drops the selectable fields: servers before 1.31 do not keep them, unless a feature gate is on.
    fn drop_selectable_fields(&mut self) {
        for version in &mut self.versions {
            version.selectable_fields = version.node.child("");
        }
        self.hoists.selectable_fields = false;
    }

    /// Whether `spec.preserveUnknownFields` is true, which is the default of v1beta1.
    pub(super) fn preserves(&self) -> bool {
        let written = self.spec.child("preserveUnknownFields").boolean();
        written.unwrap_or(self.api_version == ApiVersion::V1Beta1)
    }

    /// Whether `spec.validation` contains a schema.
    pub(super) fn top_level_schema(&self) -> SchemaPresence {
        let node = match self.api_version {
            ApiVersion::V1Beta1 => Some(self.spec.child("validation")),
            ApiVersion::V1 => {
                self.versions.first().filter(|_| self.hoists.schemas).map(|first| first.schema.clone())
            }
        };
        node.map(|node| SchemaPresence::of_holder(&node)).unwrap_or_default()
    }

    /// Whether the version at `index` still has a separate schema.
    pub(super) fn own_schema(&self, index: usize) -> SchemaPresence {
        let version = self.versions.get(index).filter(|_| !self.hoists.schemas);
        version.map(|version| SchemaPresence::of_holder(&version.schema)).unwrap_or_default()
    }

    /// The node that contains the schema that the server uses for `home`.
    pub(super) fn schema_holder(&self, home: &ServerValue<'r, 't>) -> Node<'r, 't> {
        match home.index.and_then(|index| self.versions.get(index)) {
            Some(version) => version.schema.clone(),
            None => self.spec.child("validation"),
        }
    }

    /// The places of the subresources.
    pub(super) fn subresources(&self) -> Vec<ServerValue<'r, 't>> {
        self.homes("subresources", self.hoists.subresources, |version| &version.subresources)
    }

    /// The places of the printer columns.
    pub(super) fn columns(&self) -> Vec<ServerValue<'r, 't>> {
        self.homes("additionalPrinterColumns", self.hoists.columns, |version| &version.columns)
    }

    /// The places of the selectable fields.
    pub(super) fn selectable_fields(&self) -> Vec<ServerValue<'r, 't>> {
        self.homes("selectableFields", self.hoists.selectable_fields, |version| &version.selectable_fields)
    }

    fn homes(
        &self,
        name: &'static str,
        is_hoisted: bool,
        field: impl for<'v> Fn(&'v Version<'r, 't>) -> &'v Node<'r, 't>,
    ) -> Vec<ServerValue<'r, 't>> {
        let top = (self.api_version == ApiVersion::V1Beta1).then(|| self.spec.child(name));
        let top = top.map(|node| ServerValue {
            node,
            server: format!("spec.{name}"),
            index: None,
            server_version: None,
        });
        let own = self.versions.iter().enumerate().map(|(index, version)| ServerValue {
            node: field(version).clone(),
            server: if is_hoisted {
                format!("spec.{name}")
            } else {
                format!("spec.versions[{index}].{name}")
            },
            index: Some(index),
            server_version: (!is_hoisted).then_some(index),
        });
        top.into_iter().chain(own).filter(|home| home.node.is_set()).collect()
    }
}

impl<'r, 't> Version<'r, 't> {
    fn read(node: Node<'r, 't>) -> Self {
        let [name, served, storage, schema, subresources, columns, selectable_fields] = node.children([
            "name",
            "served",
            "storage",
            "schema",
            "subresources",
            "additionalPrinterColumns",
            "selectableFields",
        ]);
        Self {
            name: name.text(),
            served: served.is_true(),
            storage: storage.is_true(),
            schema,
            subresources,
            columns,
            selectable_fields,
            node,
        }
    }

    /// A version of which only the name is set: `spec.version` of v1beta1.
    fn absent(name: &Node<'r, 't>) -> Self {
        let nothing = name.child("");
        Self {
            name: name.text(),
            served: false,
            storage: false,
            schema: nothing.clone(),
            subresources: nothing.clone(),
            columns: nothing.clone(),
            selectable_fields: nothing,
            node: name.clone(),
        }
    }

    pub(super) fn selectable_paths(&self) -> Vec<Cow<'t, str>> {
        self.selectable_fields.items().map(|field| field.child("jsonPath").text()).collect()
    }
}

/// Whether `field` is the same in all versions; true for a single version.
fn are_same<'r, 't, T: PartialEq>(
    versions: &[Version<'r, 't>],
    field: impl Fn(&Version<'r, 't>) -> T,
) -> bool {
    versions.len() < 2 || all_equal(&versions.iter().map(field).collect::<Vec<_>>())
}

/// Whether all values of a list are equal; true for a single value.
pub(super) fn all_equal<T: PartialEq>(values: &[T]) -> bool {
    values.windows(2).all(|pair| matches!(pair, [one, other] if one == other))
}
