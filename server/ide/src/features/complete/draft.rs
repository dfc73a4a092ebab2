//! Proposed values for the fields of a definition that is being written.

use super::Request;
use super::names::following;
use super::versions::next_versions;
use crate::analysis::text_at::definition_at;

/// The most likely values of fields, based on the rest of the definition.
#[derive(Debug, Default)]
pub(super) struct Draft {
    values: Vec<(&'static str, &'static str, String)>,
}

/// Names that follow from others: the API type, its field, and the path of the field.
const NAMES: [(&str, &str, &[&str]); 3] = [
    ("CustomResourceDefinitionSpec", "group", &["spec", "group"]),
    ("CustomResourceDefinitionNames", "plural", &["spec", "names", "plural"]),
    ("CustomResourceDefinitionNames", "kind", &["spec", "names", "kind"]),
];

const VERSION: &str = "CustomResourceDefinitionVersion";

impl Draft {
    /// The draft for the definition at the cursor; empty elsewhere.
    pub(super) fn at(request: &Request<'_, '_>) -> Self {
        let Some(definition) = definition_at(request.document, request.reader, request.probe.at) else {
            return Self::default();
        };
        let names = NAMES.into_iter().filter_map(|(object, field, path)| {
            Some((object, field, following(&definition, path).flatten()?))
        });
        let versions = || definition.versions();
        let known: Vec<String> =
            versions().filter_map(|version| Some(version.name()?.into_owned())).collect();
        let is_stored = versions().any(|version| version.is_true("storage"));
        let values = names
            .chain([("CustomResourceDefinitionSpec", "scope", "Namespaced".to_owned())])
            // A new version should be available to clients.
            .chain([(VERSION, "served", "true".to_owned()), (VERSION, "storage", (!is_stored).to_string())])
            .chain(next_versions(&known).into_iter().next().map(|name| (VERSION, "name", name)));
        Self { values: values.collect() }
    }

    /// The value of a field of the API type `object`.
    pub(super) fn value(&self, object: &str, field: &str) -> Option<&str> {
        let mut values = self.values.iter();
        values.find(|(of, name, _)| *of == object && *name == field).map(|(_, _, value)| &**value)
    }
}
