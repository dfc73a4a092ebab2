//! The properties of one version of a definition.

use std::cmp::Ordering;
use std::sync::{Arc, LazyLock};

use text::TextSize;
use yaml::scalar::ResolvedScalar;
use yaml::{Mapping, Reader, Value};

use super::precedence::by_precedence;
use crate::cache::Cache;
use crate::gates::GatedField;
use crate::object::{CustomResourceDefinition, Version};
use crate::reading::is_null;
use crate::schema::structural::{Structural, structural};

/// A version of a custom resource.
#[derive(Clone, Debug)]
pub struct ResourceVersion {
    /// `spec.group`.
    pub group: String,
    /// The version's name.
    pub name: String,
    /// `spec.names.kind`.
    pub kind: String,
    /// Whether resources have a namespace.
    pub namespaced: bool,
    /// Whether the server answers requests for it.
    pub served: bool,
    /// Whether objects are stored in it.
    pub storage: bool,
    /// Whether a webhook converts objects from and to other versions; otherwise, only `apiVersion` changes.
    pub has_webhook: bool,
    /// Whether fields that the schema does not declare are dropped.
    pub prunes: bool,
    /// The schema, and its start in the definition, in bytes.
    pub schema: Option<(Arc<Structural>, TextSize)>,
    /// Whether `status` has a separate endpoint.
    pub has_status: bool,
    /// The paths of the scale endpoint.
    pub scale: Option<Scale>,
    /// The server's warning about a deprecated version.
    pub warning: Option<String>,
    /// The fields that feature gates guard; empty unless that proposal is enabled.
    pub gated: Vec<GatedField>,
}

/// `subresources.scale`: paths such as `.spec.replicas`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scale {
    /// `specReplicasPath`.
    pub spec_replicas: String,
    /// `statusReplicasPath`.
    pub status_replicas: String,
    /// `labelSelectorPath`.
    pub label_selector: Option<String>,
}

impl ResourceVersion {
    /// All versions of `definition`, including those that are not served. Missing fields are empty.
    #[must_use]
    pub fn all<'t>(
        definition: &CustomResourceDefinition<'_, 't>,
        reader: &Reader<'t>,
        cache: &mut Cache,
    ) -> Vec<Self> {
        let Some(object) = definition.value().as_mapping() else { return Vec::new() };
        let view = View { reader };
        let spec = view.map(object, "spec");
        let text = |holder: Option<Mapping<'t>>, name| {
            holder.and_then(|holder| view.text(holder, name)).unwrap_or_default()
        };
        let group = text(spec, "group");
        let kind = text(spec.and_then(|spec| view.map(spec, "names")), "kind");
        let conversion = spec.and_then(|spec| view.map(spec, "conversion"));
        let has_webhook = text(conversion, "strategy") == "Webhook";
        let schemas = definition.schemas();
        let one = |version: Version<'_, 't>| {
            let own = version.value.as_mapping()?;
            let place = schemas.iter().find(|place| place.version == Some(version.index));
            let place = place.or_else(|| schemas.iter().find(|place| place.version.is_none()));
            let subresources = view
                .map(own, "subresources")
                .or_else(|| spec.and_then(|spec| view.map(spec, "subresources")));
            let scale = subresources.and_then(|subresources| view.map(subresources, "scale"));
            Some(Self {
                group: group.clone(),
                name: text(Some(own), "name"),
                kind: kind.clone(),
                namespaced: definition.is_namespaced(),
                served: view.is_true(own, "served"),
                storage: view.is_true(own, "storage"),
                has_webhook,
                prunes: definition.prunes(),
                schema: place.and_then(|place| structural(place.value, reader, cache)),
                has_status: subresources.is_some_and(|holder| view.map(holder, "status").is_some()),
                scale: scale.map(|scale| Scale {
                    spec_replicas: text(Some(scale), "specReplicasPath"),
                    status_replicas: text(Some(scale), "statusReplicasPath"),
                    label_selector: view.text(scale, "labelSelectorPath"),
                }),
                warning: None,
                gated: Vec::new(),
            })
        };
        let mut versions: Vec<Self> = definition.versions().filter_map(one).collect();
        let deprecated: Vec<(bool, Option<String>)> = definition
            .versions()
            .filter_map(|version| version.value.as_mapping())
            .map(|own| (view.is_true(own, "deprecated"), view.text(own, "deprecationWarning")))
            .collect();
        let fresh: Vec<String> = versions
            .iter()
            .zip(&deprecated)
            .filter(|(version, (deprecated, _))| version.served && !deprecated)
            .map(|(version, _)| version.name.clone())
            .collect();
        for (version, (deprecated, text)) in versions.iter_mut().zip(deprecated) {
            if deprecated {
                version.warning = Some(text.unwrap_or_else(|| version.deprecation(&fresh)));
            }
        }
        versions
    }

    /// Whether a resource with these fields is of this version.
    #[must_use]
    pub fn is_of(&self, api_version: &str, kind: &str) -> bool {
        self.kind == kind && api_version.split_once('/') == Some((&self.group, &self.name))
    }

    /// The schema, and its start; an empty schema if there is none.
    #[must_use]
    pub fn schema(&self) -> (&Structural, TextSize) {
        static NOTHING: LazyLock<Structural> = LazyLock::new(Structural::default);
        self.schema.as_ref().map_or((&NOTHING, 0), |(schema, base)| (&**schema, *base))
    }

    /// The server's default warning: it names the newest of the `fresh` versions that is newer than this one.
    fn deprecation(&self, fresh: &[String]) -> String {
        let Self { group, name, kind, .. } = self;
        let newest = fresh.iter().min_by(|one, other| by_precedence(one, other));
        let newer = newest.filter(|newest| by_precedence(newest, name) == Ordering::Less);
        let hint = newer.map(|newer| format!("; use {group}/{newer} {kind}")).unwrap_or_default();
        format!("{group}/{name} {kind} is deprecated{hint}")
    }
}

/// Reads fields as the decoder does: follows aliases, and treats null as absent.
struct View<'r, 't> {
    reader: &'r Reader<'t>,
}

impl<'t> View<'_, 't> {
    fn value(&self, holder: Mapping<'t>, name: &str) -> Option<Value<'t>> {
        let value = self.reader.follow(self.reader.entry(holder, name)?.value())?;
        (!is_null(value)).then_some(value)
    }

    fn map(&self, holder: Mapping<'t>, name: &str) -> Option<Mapping<'t>> {
        self.value(holder, name)?.as_mapping()
    }

    fn text(&self, holder: Mapping<'t>, name: &str) -> Option<String> {
        self.value(holder, name)?.as_scalar()?.as_str().map(|text| text.into_owned())
    }

    fn is_true(&self, holder: Mapping<'t>, name: &str) -> bool {
        let scalar = self.value(holder, name).and_then(Value::as_scalar);
        matches!(scalar.map(yaml::Scalar::resolve), Some(Ok(ResolvedScalar::Bool(true))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_of_v1beta1_without_scope_is_namespaced() {
        let of = |api: &str, scope: &str| {
            let text = format!(
                "apiVersion: apiextensions.k8s.io/{api}\nkind: CustomResourceDefinition\nspec:\n  {scope}\n  \
                 versions: [{{name: v1}}]\n"
            );
            let tree = yaml::Tree::parse(&text);
            let all = tree.documents().flat_map(|document| {
                let reader = Reader::new(document);
                let definitions = crate::object::definitions(document, &reader);
                let versions =
                    definitions.iter().map(|one| ResourceVersion::all(one, &reader, &mut Cache::default()));
                versions.flatten().map(|version| version.namespaced).collect::<Vec<_>>()
            });
            all.collect::<Vec<_>>()
        };
        for (api, scope, expected) in [
            ("v1beta1", "group: a.b", true),
            ("v1beta1", "scope: ''", true),
            ("v1beta1", "scope: Cluster", false),
            ("v1", "group: a.b", false),
            ("v1", "scope: Namespaced", true),
        ] {
            assert_eq!(of(api, scope), [expected], "{api} {scope}");
        }
    }
}
