//! JSON of previews and other output beside findings, for scripts; names and order are stable.

pub mod cost;
pub mod diff;
pub mod eval;

use std::collections::BTreeMap;

use ide::preview::{PublishedVersion, Sample};
use serde::Serialize;
use serde_json::Value;

/// A sample of a kind.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SampleOutput<'a> {
    api_version: &'a str,
    kind: &'a str,
    yaml: &'a str,
    /// The errors that the server reports for the sample; omitted if there are none.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    unmet: &'a [String],
}

impl<'a> From<&'a Sample> for SampleOutput<'a> {
    fn from(sample: &'a Sample) -> Self {
        let Sample { api_version, kind, yaml, unmet, .. } = sample;
        Self { api_version, kind, yaml, unmet }
    }
}

/// The published schemas of a version.
#[derive(Debug, Serialize)]
pub struct PublishedOutput<'a> {
    file: &'a str,
    name: &'a str,
    version: &'a str,
    model: &'a str,
    schemas: BTreeMap<&'a str, Value>,
}

/// JSON of the model as a value.
#[must_use]
pub fn value(json: &impl ToString) -> Value {
    serde_json::from_str(&json.to_string())
        .unwrap_or_else(|error: serde_json::Error| Value::String(error.to_string()))
}

impl<'a> PublishedOutput<'a> {
    /// The published schemas of a version of the definition called `name`.
    #[must_use]
    pub fn new(file: &'a str, name: &'a str, version: &'a PublishedVersion) -> Self {
        let schemas = version.schemas.iter().map(|(name, schema)| (name.as_str(), value(schema)));
        Self { file, name, version: &version.name, model: &version.model, schemas: schemas.collect() }
    }
}
