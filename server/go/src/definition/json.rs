//! Definitions in the form of the API.

use std::collections::BTreeMap;

use super::{DefinedVersion, Definition, Names};
use crate::json::Json;

impl Definition {
    /// The definition as JSON, in the form of apiextensions.k8s.io/v1.
    #[must_use]
    pub fn to_json(&self, preserve_unknown_fields: Option<bool>) -> Json {
        let mut metadata = BTreeMap::new();
        let texts = |texts: &BTreeMap<String, String>| {
            Json::Map(texts.iter().map(|(key, value)| (key.clone(), Json::text(value))).collect())
        };
        for (key, value) in [("annotations", &self.annotations), ("labels", &self.labels)] {
            if !value.is_empty() {
                metadata.insert(key.to_owned(), texts(value));
            }
        }
        if !self.name.is_empty() {
            metadata.insert("name".to_owned(), Json::text(&self.name));
        }
        let versions = match self.versions.as_slice() {
            [] => Json::Null,
            versions => Json::List(versions.iter().map(DefinedVersion::to_json).collect()),
        };
        let mut spec = BTreeMap::new();
        for (key, value) in [
            ("group", Json::text(&self.group)),
            ("names", self.names.to_json()),
            ("scope", Json::text(&self.scope)),
            ("versions", versions),
        ] {
            spec.insert(key.to_owned(), value);
        }
        if let Some(flag) = preserve_unknown_fields {
            spec.insert("preserveUnknownFields".to_owned(), Json::Bool(flag));
        }
        Json::map([
            ("apiVersion", Json::text("apiextensions.k8s.io/v1")),
            ("kind", Json::text("CustomResourceDefinition")),
            ("metadata", Json::Map(metadata)),
            ("spec", Json::Map(spec)),
        ])
    }
}

impl Names {
    fn to_json(&self) -> Json {
        let mut out = BTreeMap::new();
        out.insert("kind".to_owned(), Json::text(&self.kind));
        out.insert("plural".to_owned(), Json::text(&self.plural));
        for (key, text) in [("listKind", &self.list_kind), ("singular", &self.singular)] {
            if !text.is_empty() {
                out.insert(key.to_owned(), Json::text(text));
            }
        }
        for (key, texts) in [("shortNames", &self.short_names), ("categories", &self.categories)] {
            if !texts.is_empty() {
                out.insert(key.to_owned(), Json::List(texts.iter().map(|text| Json::text(text)).collect()));
            }
        }
        Json::Map(out)
    }
}

impl DefinedVersion {
    fn to_json(&self) -> Json {
        let mut out = BTreeMap::new();
        let mut put = |key: &str, value: Json| {
            out.insert(key.to_owned(), value);
        };
        put("name", Json::text(&self.name));
        put("served", Json::Bool(self.served));
        put("storage", Json::Bool(self.storage));
        if self.deprecated {
            put("deprecated", Json::Bool(true));
        }
        if let Some(warning) = &self.deprecation_warning {
            put("deprecationWarning", Json::text(warning));
        }
        put("schema", Json::map([("openAPIV3Schema", self.schema.to_json())]));
        if let Some(subresources) = &self.subresources {
            let mut value = BTreeMap::new();
            if subresources.status {
                value.insert("status".to_owned(), Json::Map(BTreeMap::new()));
            }
            if let Some((spec, status, selector)) = &subresources.scale {
                let mut scale = BTreeMap::new();
                scale.insert("specReplicasPath".to_owned(), Json::text(spec));
                scale.insert("statusReplicasPath".to_owned(), Json::text(status));
                if let Some(selector) = selector {
                    scale.insert("labelSelectorPath".to_owned(), Json::text(selector));
                }
                value.insert("scale".to_owned(), Json::Map(scale));
            }
            put("subresources", Json::Map(value));
        }
        if !self.columns.is_empty() {
            put(
                "additionalPrinterColumns",
                Json::List(self.columns.iter().map(|(column, _)| Json::Map(column.clone())).collect()),
            );
        }
        if !self.selectable.is_empty() {
            let fields = self.selectable.iter().map(|(path, _)| Json::map([("jsonPath", Json::text(path))]));
            put("selectableFields", Json::List(fields.collect()));
        }
        Json::Map(out)
    }
}
