//! What the server would store of a resource.

use crd::customresource::{Admission, Kind, Member, Place, Value, admit};
use yaml::{Document, Reader, Tree};

use super::write::{self, below};
use crate::surroundings::objects;
use crate::{Settings, Surroundings};

/// What comes of a request to create a resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredObject {
    /// `apiVersion` and `kind`.
    pub kind: String,
    /// `metadata.name`, as far as there is one.
    pub name: String,
    /// The object with comments on what the server adds, as YAML; none where it refuses the request.
    pub yaml: Option<String>,
    /// The object as JSON, also where it is refused, as far as it can be read.
    pub json: Option<String>,
    /// Paths of what is written and not stored.
    pub dropped: Vec<String>,
    /// Paths of what defaults add.
    pub defaulted: Vec<String>,
    /// Why the request is refused, in the server's words.
    pub errors: Vec<String>,
    /// The server's warnings.
    pub warnings: Vec<String>,
}

/// What would be stored of the resources in `text`, and the kinds that no definition is known of.
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
            let found = surroundings.catalog.judge(&kind, &surroundings.source);
            let versions = found.iter().flat_map(|found| &found.known.versions);
            let mut served = versions.filter(|version| version.served && version.name == kind.version);
            let Some(version) = served.next() else {
                unknown.push(name);
                continue;
            };
            let create = |document: Document<'_>| {
                let written = yaml::decode(document).map(|decoded| Value::from(&decoded.json)).ok();
                StoredObject::new(
                    name,
                    admit(document, version, settings.kubernetes_version),
                    written,
                    settings,
                )
            };
            all.extend(super::with_object(document, index, create));
        }
    }
    (all, unknown)
}

impl StoredObject {
    fn new(kind: String, admission: Admission, written: Option<Value>, settings: &Settings) -> Self {
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
        let (mut dropped, mut added, mut defaulted) = (Vec::new(), Vec::new(), Vec::new());
        let name = |object: &Value| Some(object.get("metadata")?.get("name")?.as_str()?.to_owned());
        let object = admission.object.as_ref();
        if let Some(object) = object {
            if let Some(written) = &written {
                missing(written, object, "", &mut dropped);
                missing(object, written, "", &mut added);
            }
            defaults(object, "", &mut defaulted);
        }
        let name = object.or(written.as_ref()).and_then(name).unwrap_or_default();
        let yaml = object.filter(|_| errors.is_empty()).map(|object| {
            let mut text: String = dropped.iter().map(|path| format!("# dropped: {path}\n")).collect();
            let note = |path: &str, member: &Member| match member.value.place {
                Place::Definition(_) => Some("default"),
                _ => added.iter().any(|added| added == path).then_some("set by the server"),
            };
            text.push_str(&write::lines(object, &note));
            text
        });
        let json = object.map(|object| object.to_json().to_string());
        Self { kind, name, yaml, json, dropped, defaulted, errors, warnings }
    }
}

/// The paths of what `one` has and `other` has not.
fn missing(one: &Value, other: &Value, path: &str, found: &mut Vec<String>) {
    match (&one.kind, &other.kind) {
        (Kind::Map(one), Kind::Map(other)) => {
            for (key, member) in one {
                let path = below(path, key);
                match other.get(key) {
                    Some(other) => missing(&member.value, &other.value, &path, found),
                    None => found.push(path),
                }
            }
        }
        (Kind::List(one), Kind::List(other)) => {
            for (index, (one, other)) in one.iter().zip(other).enumerate() {
                missing(one, other, &format!("{path}[{index}]"), found);
            }
        }
        _ => {}
    }
}

/// The paths of what stands in the definition.
fn defaults(value: &Value, path: &str, found: &mut Vec<String>) {
    match &value.kind {
        Kind::Map(map) => {
            for (key, member) in map {
                let path = below(path, key);
                match member.value.place {
                    Place::Definition(_) => found.push(path),
                    _ => defaults(&member.value, &path, found),
                }
            }
        }
        Kind::List(items) => {
            for (index, item) in items.iter().enumerate() {
                defaults(item, &format!("{path}[{index}]"), found);
            }
        }
        _ => {}
    }
}
