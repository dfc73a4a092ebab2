//! The object that the server would store for a resource.

use crd::gates::{Action, Outcome};
use crd::value::{Kind, Member, Place, Value};
use yaml::{Document, Reader, Tree};

use crate::analysis::kinds::objects;
use crate::analysis::resources::AdmissionResult;
use crate::features::preview::write::{self, below};
use crate::{Settings, Surroundings};

/// The result of a request to create or update a resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredObject {
    /// `apiVersion` and `kind`.
    pub kind: String,
    /// `metadata.name`; empty if there is none.
    pub name: String,
    /// The object with comments on additions by the server, as YAML; `None` if the server rejects the request.
    pub yaml: Option<String>,
    /// The object as JSON, even if the server rejects it; `None` if it cannot be read.
    pub json: Option<String>,
    /// Paths of values that are written but not stored.
    pub dropped: Vec<String>,
    /// Paths of values that defaults add.
    pub defaulted: Vec<String>,
    /// The results for the fields that feature gates guard.
    pub gated: Vec<GatedFieldResult>,
    /// Why the server rejects the request, as it reports it.
    pub errors: Vec<String>,
    /// The server's warnings.
    pub warnings: Vec<String>,
    /// Why the object is treated as new, although an object with that name is stored.
    pub not_compared: Option<String>,
}

/// The result for a field that a feature gate guards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GatedFieldResult {
    /// The field, such as `spec.replicas`.
    pub field: String,
    /// `dropped`, `default dropped`, `set`, `kept as stored` or `updated`.
    pub action: &'static str,
    /// The gate, its state and the reason.
    pub gate: String,
}

/// Returns the objects that would be stored for the resources in `text`, and the kinds without a known
/// definition. Resources that the surroundings have as stored are updated, the others are created.
#[must_use]
pub fn stored(
    text: &str,
    surroundings: &Surroundings,
    settings: &Settings,
) -> (Vec<StoredObject>, Vec<String>) {
    let tree = Tree::parse(text);
    let (mut all, mut unknown) = (Vec::new(), Vec::new());
    for document in tree.documents() {
        let reader = Reader::new(document);
        for (index, _, kind) in objects(document, &reader) {
            let name = format!("{}/{} {}", kind.group, kind.version, kind.kind);
            let found = surroundings.catalog.validating_definition(&kind, &surroundings.source);
            let version =
                found.as_ref().and_then(|found| found.definition.served(&kind.version, settings.experiments));
            let (Some(found), Some(version)) = (&found, version) else {
                unknown.push(name);
                continue;
            };
            let versions = (&*version, found.definition.versions.as_slice());
            let request = |document: Document<'_>| {
                let written = yaml::decode(document).map(|decoded| Value::from(&decoded.json)).ok();
                let admitted = AdmissionResult::of(document, &kind, versions, surroundings, settings);
                StoredObject::new(name, admitted, written, settings)
            };
            all.extend(super::with_object(document, index, request));
        }
    }
    (all, unknown)
}

impl GatedFieldResult {
    fn new(outcome: Outcome) -> Self {
        let field = outcome.field;
        let word = if field.on { "on" } else { "off" };
        Self {
            field: field.path.trim_start_matches('.').to_owned(),
            action: outcome.action.as_str(),
            gate: format!("feature gate {} is {word} ({})", field.gate, field.reason),
        }
    }
}

impl StoredObject {
    fn new(kind: String, admitted: AdmissionResult, written: Option<Value>, settings: &Settings) -> Self {
        let AdmissionResult { admission, not_compared } = admitted;
        let mut errors: Vec<String> = admission.decode_error.into_iter().collect();
        let mut warnings = admission.warnings;
        let strict = admission.strict_errors.into_iter().map(|error| error.text);
        match settings.field_validation {
            crate::FieldValidation::Strict => {
                errors.extend(strict.map(|text| format!("strict decoding error: {text}")))
            }
            crate::FieldValidation::Warn => warnings.extend(strict),
            crate::FieldValidation::Ignore => {}
        }
        errors.extend(admission.errors.iter().map(|error| error.message()));
        let gated: Vec<GatedFieldResult> = admission.gated.into_iter().map(GatedFieldResult::new).collect();
        let (mut dropped, mut added, mut defaulted) = (Vec::new(), Vec::new(), Vec::new());
        let name = |object: &Value| Some(object.get("metadata")?.get("name")?.as_str()?.to_owned());
        let object = admission.object.as_ref();
        if let Some(object) = object {
            if let Some(written) = &written {
                dropped_paths(written, object, "", &mut dropped);
                dropped_paths(object, written, "", &mut added);
            }
            defaulted_paths(object, "", &mut defaulted);
        }
        let name = object.or(written.as_ref()).and_then(name).unwrap_or_default();
        let yaml = object.filter(|_| errors.is_empty()).map(|object| {
            let line = |path: &String| match gated.iter().find(|gated| gated.field == *path) {
                Some(gated) => format!("# dropped: {path} ({})\n", gated.gate),
                None => format!("# dropped: {path}\n"),
            };
            let mut text: String = dropped.iter().map(line).collect();
            let of_defaults = gated.iter().filter(|gated| gated.action == Action::DefaultDropped.as_str());
            text.extend(
                of_defaults.map(|gated| format!("# default dropped: {} ({})\n", gated.field, gated.gate)),
            );
            let kept = gated.iter().filter(|gated| gated.action == Action::Kept.as_str());
            text.extend(kept.map(|gated| format!("# kept as stored: {} ({})\n", gated.field, gated.gate)));
            let note = |path: &str, member: &Member| match member.value.place {
                Place::Definition(_) => Some("default"),
                _ => added.iter().any(|added| added == path).then_some("set by the server"),
            };
            text.push_str(&write::lines(object, &note));
            text
        });
        let json = object.map(|object| object.to_json().to_string());
        Self { kind, name, yaml, json, dropped, defaulted, gated, errors, warnings, not_compared }
    }
}

/// The paths of values that `one` has and `other` has not.
fn dropped_paths(one: &Value, other: &Value, path: &str, found: &mut Vec<String>) {
    match (&one.kind, &other.kind) {
        (Kind::Map(one), Kind::Map(other)) => {
            for (key, member) in one {
                let path = below(path, key);
                match other.get(key) {
                    Some(other) => dropped_paths(&member.value, &other.value, &path, found),
                    None => found.push(path),
                }
            }
        }
        (Kind::List(one), Kind::List(other)) => {
            for (index, (one, other)) in one.iter().zip(other).enumerate() {
                dropped_paths(one, other, &format!("{path}[{index}]"), found);
            }
        }
        _ => {}
    }
}

/// The paths of values that come from the definition.
fn defaulted_paths(value: &Value, path: &str, found: &mut Vec<String>) {
    match &value.kind {
        Kind::Map(map) => {
            for (key, member) in map {
                let path = below(path, key);
                match member.value.place {
                    Place::Definition(_) => found.push(path),
                    _ => defaulted_paths(&member.value, &path, found),
                }
            }
        }
        Kind::List(items) => {
            for (index, item) in items.iter().enumerate() {
                defaulted_paths(item, &format!("{path}[{index}]"), found);
            }
        }
        _ => {}
    }
}
