//! A custom resource on its way through kube-apiserver, from the request to what is stored (cr-validation §1).

use yaml::{Document, Reader};

use super::decode::{Text, ValueDecoder};
use super::default::{fill_defaults, prune_nulls};
use super::error::ValueError;
use super::listtype::validate_list_types;
use super::objectmeta::{
    NameRule, coerce, decode_error, normalized, unknown_fields, validate_embedded, validate_object_meta,
};
use super::prune::prune;
use super::scale::validate_scale;
use super::validate::{SchemaForm, ValidationOptions, validate};
use super::value::{Kind, Map, Member, Place, Value};
use super::version::ResourceVersion;
use crate::check::Budget;
use crate::field_path::FieldPath;
use crate::options::KubernetesVersion;
use crate::report::ErrorType;
use crate::schema::structural::Structural;

/// What the server makes of a resource that is created.
#[derive(Debug, Default)]
pub struct Admission {
    /// Why it cannot be read at all, in the server's words.
    pub decode_error: Option<String>,
    /// Unknown and duplicate fields: errors, warnings or nothing, by the request's `fieldValidation`.
    pub strict_errors: Vec<StrictError>,
    /// The server's warnings.
    pub warnings: Vec<String>,
    /// What is wrong with it. Rules in CEL are not among them.
    pub errors: Vec<ValueError>,
    /// The object as it would be stored, if it can be read; what the server adds by itself (times, uid) is left out.
    pub object: Option<Value>,
    /// Whether rules in CEL are still to be evaluated on the object.
    pub awaits_rules: bool,
    /// Whether it was too much work to look at all.
    pub incomplete: bool,
}

/// An error of strict decoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrictError {
    /// The server's text.
    pub text: String,
    /// The key that is unknown, if it is one in the text.
    pub key: Place,
}

/// Takes the resource in `document`, which is of `version`, through the steps of a create request.
#[must_use]
pub fn admit(document: Document<'_>, version: &ResourceVersion, server: KubernetesVersion) -> Admission {
    let mut admission = Admission::default();
    admission.warnings.extend(version.warning.clone());
    let decoded = match yaml::decode(document) {
        Ok(decoded) => decoded,
        Err(error) => {
            admission.decode_error = Some(error.to_string());
            return admission;
        }
    };
    if let Some(text) = decoded.strict_error_of_part(document) {
        admission.strict_errors.push(StrictError { text, key: Place::Nowhere });
    }
    let Some(mut object) = read(document) else { return admission };
    let empty = Structural::default();
    let (schema, base) = match &version.schema {
        Some((schema, base)) => (&**schema, *base),
        None => (&empty, 0),
    };
    if let Err(error) = bring_into_shape(&mut object, schema, version.prunes, &mut admission) {
        admission.decode_error = Some(error);
        return admission;
    }
    fill_defaults(&mut object, schema, base);
    prepare_for_create(&mut object, version);
    validate_create(&object, schema, base, version, server, &mut admission);
    if admission.errors.is_empty() && server.is_at_least(29) {
        admission.warnings.extend(finalizer_warnings(&object, server));
    }
    admission.object = Some(object);
    admission
}

/// The value of the document.
fn read(document: Document<'_>) -> Option<Value> {
    let reader = Reader::new(document);
    let mut budget = Budget::new(document.syntax().node().flags().aliases);
    let mut decoder = ValueDecoder { reader: &reader, budget: &mut budget, text: Text::Resource, base: 0 };
    Some(decoder.value(document.root()?)).filter(|object| object.as_map().is_some())
}

/// Drops what is unknown and null, and rewrites metadata, here and in embedded resources. The error is the server's
/// text.
fn bring_into_shape(
    object: &mut Value,
    schema: &Structural,
    prunes: bool,
    admission: &mut Admission,
) -> Result<(), String> {
    let metadata = object.get("metadata").cloned();
    if let Some(error) = metadata.as_ref().and_then(decode_error) {
        return Err(error);
    }
    let unknown = |path: String, key| StrictError { text: format!("unknown field \"{path}\""), key };
    let of_metadata = metadata.iter().flat_map(|metadata| unknown_fields(metadata, "metadata"));
    admission.strict_errors.extend(of_metadata.map(|path| unknown(path, Place::Nowhere)));
    if prunes {
        let pruned = prune(object, schema, true).into_iter();
        admission.strict_errors.extend(pruned.map(|pruned| unknown(pruned.path, pruned.key)));
        prune_nulls(object, Some(schema));
    }
    let embedded = coerce(object, schema, false, &FieldPath::root()).map_err(|error| error.message())?;
    admission.strict_errors.extend(embedded.into_iter().map(|path| unknown(path, Place::Nowhere)));
    if let (Kind::Map(map), Some(metadata)) = (&mut object.kind, &metadata) {
        let key = map.get("metadata").map(|member| member.key).unwrap_or_default();
        map.insert("metadata".into(), Member { key, value: normalized(metadata) });
    }
    Ok(())
}

/// What the server sets and clears itself. A generated name ends in `xxxxx` here.
fn prepare_for_create(object: &mut Value, version: &ResourceVersion) {
    let Kind::Map(map) = &mut object.kind else { return };
    if version.has_status {
        map.remove("status");
    }
    let nothing = || Member { key: Place::Nowhere, value: Value::made(Kind::Map(Map::new())) };
    let metadata = map.entry("metadata".into()).or_insert_with(nothing);
    let Kind::Map(metadata) = &mut metadata.value.kind else { return };
    let made = ["creationTimestamp", "uid", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink"];
    made.into_iter().for_each(|name| {
        metadata.remove(name);
    });
    let text = |metadata: &Map, name| {
        metadata.get(name).and_then(|member| member.value.as_str()).unwrap_or_default().to_owned()
    };
    let mut set = |name: &str, kind| {
        metadata.insert(name.into(), Member { key: Place::Nowhere, value: Value::made(kind) });
    };
    set("generation", Kind::Int(1));
    let prefix = text(metadata, "generateName");
    if text(metadata, "name").is_empty() && !prefix.is_empty() {
        let name = Value::text(&format!("{prefix}xxxxx"));
        metadata.insert("name".into(), Member { key: Place::Nowhere, value: name });
    }
    if !version.namespaced {
        metadata.remove("namespace");
    } else if text(metadata, "namespace").is_empty() {
        let namespace = Value::text("default");
        metadata.insert("namespace".into(), Member { key: Place::Nowhere, value: namespace });
    }
}

fn validate_create(
    object: &Value,
    schema: &Structural,
    base: text::TextSize,
    version: &ResourceVersion,
    server: KubernetesVersion,
    admission: &mut Admission,
) {
    let root = FieldPath::root();
    let errors = &mut admission.errors;
    if let Some(metadata) = object.get("metadata") {
        let names = NameRule::Subdomain { namespaced: version.namespaced };
        let path = root.child("metadata");
        errors.extend(validate_object_meta(metadata, names, &path, &root, server));
    }
    let options = ValidationOptions {
        kubernetes_version: server,
        form: SchemaForm::Resource,
        prefix: FieldPath::root(),
    };
    let verdict = validate(object, schema, base, &options);
    admission.incomplete = verdict.incomplete;
    errors.extend(verdict.errors);
    if let Some(scale) = &version.scale {
        errors.extend(validate_scale(object, scale));
    }
    errors.extend(validate_embedded(object, schema, false, &root, server));
    errors.extend(validate_list_types(object, schema, base, &root));
    if !schema.has_rules {
        return;
    }
    match errors.iter().any(|error| is_blocking(error.error)) {
        true => errors.push(rules_not_checked()),
        false => admission.awaits_rules = true,
    }
}

/// Whether rules are not evaluated beside an error of that type.
fn is_blocking(error: ErrorType) -> bool {
    use ErrorType::{NotSupported, Required, TooLong, TooMany, TypeInvalid};
    matches!(error, NotSupported | Required | TooLong | TooMany | TypeInvalid)
}

fn rules_not_checked() -> ValueError {
    ValueError {
        error: ErrorType::Invalid,
        field: "<nil>".to_owned(),
        path: FieldPath::root(),
        bad_value: Some("null".to_owned()),
        detail: "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation".to_owned(),
        place: Place::Nowhere,
        rule: None,
    }
}

/// Warnings of finalizers that others may use, too.
fn finalizer_warnings(object: &Value, server: KubernetesVersion) -> Vec<String> {
    let finalizers = object.get("metadata").and_then(|metadata| metadata.get("finalizers"));
    let items = finalizers.and_then(Value::as_list).unwrap_or_default();
    let mut names: Vec<&str> = items.iter().filter_map(Value::as_str).collect();
    names.sort_unstable();
    names.dedup();
    names.retain(|name| {
        !name.contains('/') && !matches!(*name, "orphan" | "foregroundDeletion" | "kubernetes")
    });
    let warning = |name: &str| {
        let path = if name.contains('.') && server.is_at_least(32) { " including a path (/)" } else { "" };
        let quoted = super::value::quoted(name);
        format!(
            "metadata.finalizers: {quoted}: prefer a domain-qualified finalizer name{path} to avoid accidental conflicts with other finalizer writers"
        )
    };
    names.into_iter().map(warning).collect()
}
