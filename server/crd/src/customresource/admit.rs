//! The processing of a custom resource in kube-apiserver, from the request to the stored object.

use api::{Difference, KubernetesVersion};
use text::TextSize;
use yaml::{Document, Reader};

use super::correlation::{Correlation, Correlations};
use super::default::{fill_defaults, prune_nulls};
use super::error::{Facts, NOT_CHECKED, ValueError};
use super::listtype::validate_list_types;
use super::objectmeta::{
    NameRule, coerce, decode_error, normalized, readable, unknown_fields, validate_embedded,
    validate_object_meta,
};
use super::prune::prune;
use super::rules::{BUDGET, RulesOn, evaluate};
use super::scale::validate_scale;
use super::validate::{SchemaForm, ValidationOptions, validate_changes};
use super::version::{ResourceVersion, Scale};
use crate::field_path::FieldPath;
use crate::gates;
use crate::gates::Outcome;
use crate::reading::Budget;
use crate::report::ErrorType;
use crate::schema::structural::Structural;
use crate::value::{Kind, Map, Member, Place, Value};
use crate::value::{Text, ValueDecoder};

/// The server's result for a resource that is created.
#[derive(Debug, Default)]
pub struct Admission {
    /// The error in the server's words, if the resource cannot be decoded.
    pub decode_error: Option<String>,
    /// The value that cannot be decoded, if it is known.
    pub unreadable: Option<Box<ValueError>>,
    /// The server's result for the rest of the resource after the decoding error is fixed, if the error is in
    /// the syntax or only in the metadata. The server itself stops at the error.
    pub after_decode_error: Option<Box<Admission>>,
    /// Unknown and duplicate fields: errors, warnings or nothing, by the request's `fieldValidation`.
    pub strict_errors: Vec<StrictError>,
    /// The server's warnings.
    pub warnings: Vec<String>,
    /// The validation errors.
    pub errors: Vec<ValueError>,
    /// The outcomes for the fields that feature gates guard.
    pub gated: Vec<Outcome>,
    /// The object as it would be stored, if it can be decoded, without the fields that the server adds
    /// (times, uid).
    pub object: Option<Value>,
    /// The object that an update replaces, as the server compares it: pruned, with defaults, and in the version of the
    /// request.
    pub stored: Option<Value>,
    /// Whether the resource was too large to examine completely, or a rule could not be evaluated.
    pub incomplete: bool,
    /// Whether there are further validation errors, which are not kept.
    pub is_cut: bool,
}

/// An error of strict decoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrictError {
    /// The server's text.
    pub text: String,
    /// The key of the unknown field, if it is in the text.
    pub key: Place,
}

/// Runs the resource in `document`, which is of `version`, through the steps of a create request.
#[must_use]
pub fn admit(document: Document<'_>, version: &ResourceVersion, server: KubernetesVersion) -> Admission {
    let mut admission = Admission::default();
    admission.warnings.extend(version.warning.clone());
    let Some(object) = decode(document, version, server, &mut admission) else {
        admission.after_decode_error = after_decode_error(document, version, server).map(Box::new);
        return admission;
    };
    admit_object(object, version, server, &mut admission);
    admission
}

/// Like [`admit`], for a resource without a text.
#[must_use]
pub fn admit_value(object: Value, version: &ResourceVersion, server: KubernetesVersion) -> Admission {
    let mut admission = Admission::default();
    if let Some(object) = decode_object(object, version, server, &mut admission) {
        admit_object(object, version, server, &mut admission);
    }
    admission
}

fn admit_object(
    mut object: Value,
    version: &ResourceVersion,
    server: KubernetesVersion,
    admission: &mut Admission,
) {
    admission.gated = gates::apply(&mut object, None, &version.gated);
    prepare_for_create(&mut object, version);
    let request = Request { object: &object, stored: None, version, server };
    validate_metadata_to_create(&request, admission);
    validate_object(&request, admission);
    if admission.errors.is_empty() && server.has(Difference::FinalizerWarnings) {
        admission.warnings.extend(finalizer_warnings(&object, None, server));
    }
    admission.object = Some(object);
}

/// The result for the rest of a resource that has syntax errors, or whose metadata does not decode; `None` if
/// anything else cannot be decoded.
fn after_decode_error(
    document: Document<'_>,
    version: &ResourceVersion,
    server: KubernetesVersion,
) -> Option<Admission> {
    let has_syntax_errors = document.syntax().node().flags().errors;
    if !has_syntax_errors {
        yaml::decode(document).ok()?;
    }
    let mut object = read(document)?;
    match object.get("metadata").filter(|metadata| decode_error(metadata).is_some()) {
        Some(metadata) => {
            let metadata = readable(metadata)?;
            let Kind::Map(map) = &mut object.kind else { return None };
            map.get_mut("metadata")?.value = metadata;
        }
        None if has_syntax_errors => {}
        None => return None,
    }
    let mut admission = Admission::default();
    let object = decode_object(object, version, server, &mut admission)?;
    admit_object(object, version, server, &mut admission);
    Some(admission)
}

/// Decodes a resource, and converts it to the form in which it is validated; `None` if it cannot be decoded.
pub(super) fn decode(
    document: Document<'_>,
    version: &ResourceVersion,
    server: KubernetesVersion,
    admission: &mut Admission,
) -> Option<Value> {
    if !yaml::decodes_strictly(document) {
        let decoded = match yaml::decode(document) {
            Ok(decoded) => decoded,
            Err(error) => {
                admission.decode_error = Some(error.to_string());
                return None;
            }
        };
        if let Some(text) = decoded.strict_error_of_part(document) {
            admission.strict_errors.push(StrictError { text, key: Place::Nowhere });
        }
    }
    decode_object(read(document)?, version, server, admission)
}

pub(super) fn decode_object(
    mut object: Value,
    version: &ResourceVersion,
    server: KubernetesVersion,
    admission: &mut Admission,
) -> Option<Value> {
    convert_object(&mut object, version, server, admission)?;
    let (schema, base) = version.schema();
    fill_defaults(&mut object, schema, base);
    Some(object)
}

/// Converts an object to a version, as a conversion without a webhook does: no defaults are set.
pub(super) fn convert_object(
    object: &mut Value,
    version: &ResourceVersion,
    server: KubernetesVersion,
    admission: &mut Admission,
) -> Option<()> {
    let (schema, _) = version.schema();
    if let Err((text, error)) = prune_and_coerce(object, schema, version.prunes, server, admission) {
        admission.decode_error = Some(text);
        admission.unreadable = Some(error);
        return None;
    }
    let Kind::Map(map) = &mut object.kind else { return None };
    let nothing = || Member { key: Place::Nowhere, value: Value::made(Kind::Map(Map::new())) };
    map.entry("metadata".into()).or_insert_with(nothing);
    Some(())
}

/// The value of the document.
fn read(document: Document<'_>) -> Option<Value> {
    let reader = Reader::new(document);
    let mut budget = Budget::new(document.syntax().node().flags().aliases);
    let mut decoder = ValueDecoder { reader: &reader, budget: &mut budget, text: Text::Resource, base: 0 };
    Some(decoder.value(document.root()?)).filter(|object| object.as_map().is_some())
}

/// Drops unknown fields and nulls, and rewrites metadata, here and in embedded resources. The error is the
/// server's text.
fn prune_and_coerce(
    object: &mut Value,
    schema: &Structural,
    prunes: bool,
    server: KubernetesVersion,
    admission: &mut Admission,
) -> Result<(), (String, Box<ValueError>)> {
    let metadata = object.get("metadata").cloned();
    if let Some(unreadable) = metadata.as_ref().and_then(decode_error) {
        let error = ValueError {
            error: ErrorType::Invalid,
            field: unreadable.path.to_string(),
            path: unreadable.path,
            bad_value: None,
            detail: unreadable.text.clone(),
            place: unreadable.place,
            rule: None,
            facts: Facts::message(unreadable.message),
        };
        return Err((unreadable.text, Box::new(error)));
    }
    let unknown = |path: String, key| StrictError { text: format!("unknown field \"{path}\""), key };
    let of_metadata = metadata.iter().flat_map(|metadata| unknown_fields(metadata, "metadata"));
    admission.strict_errors.extend(of_metadata.map(|path| unknown(path, Place::Nowhere)));
    if prunes {
        let pruned = prune(object, schema, true).into_iter();
        admission.strict_errors.extend(pruned.map(|pruned| unknown(pruned.path, pruned.key)));
        prune_nulls(object, Some(schema));
    }
    let embedded = coerce(object, schema, false, &FieldPath::root(), server)
        .map_err(|error| (error.message(), error))?;
    admission.strict_errors.extend(embedded.into_iter().map(|path| unknown(path, Place::Nowhere)));
    if let (Kind::Map(map), Some(metadata)) = (&mut object.kind, &metadata) {
        let key = map.get("metadata").map(|member| member.key).unwrap_or_default();
        map.insert("metadata".into(), Member { key, value: normalized(metadata) });
    }
    Ok(())
}

/// Sets and clears the fields that the server manages. A generated name ends in `xxxxx` here.
fn prepare_for_create(object: &mut Value, version: &ResourceVersion) {
    if let (true, Kind::Map(map)) = (version.has_status, &mut object.kind) {
        map.remove("status");
    }
    let Some(metadata) = metadata_of(object) else { return };
    let made = ["creationTimestamp", "uid", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink"];
    made.into_iter().for_each(|name| {
        metadata.remove(name);
    });
    set(metadata, "generation", Kind::Int(1));
    let prefix = text_of(metadata, "generateName").to_owned();
    if text_of(metadata, "name").is_empty() && !prefix.is_empty() {
        set(metadata, "name", Kind::String(format!("{prefix}xxxxx").into()));
    }
    set_namespace(metadata, version);
}

/// The metadata of an object that was decoded.
pub(super) fn metadata_of(object: &mut Value) -> Option<&mut Map> {
    let Kind::Map(map) = &mut object.kind else { return None };
    match &mut map.get_mut("metadata")?.value.kind {
        Kind::Map(metadata) => Some(metadata),
        _ => None,
    }
}

/// The string of that name; empty if there is none.
pub(super) fn text_of<'m>(map: &'m Map, name: &str) -> &'m str {
    map.get(name).and_then(|member| member.value.as_str()).unwrap_or_default()
}

/// Sets a field that has no place in a text.
pub(super) fn set(map: &mut Map, name: &str, kind: Kind) {
    map.insert(name.into(), Member { key: Place::Nowhere, value: Value::made(kind) });
}

/// Sets the namespace of the request, which is `default` if the object has none.
pub(super) fn set_namespace(metadata: &mut Map, version: &ResourceVersion) {
    if !version.namespaced {
        metadata.remove("namespace");
    } else if text_of(metadata, "namespace").is_empty() {
        set(metadata, "namespace", Kind::String("default".into()));
    }
}

/// An object that is to be stored.
pub(super) struct Request<'a> {
    pub(super) object: &'a Value,
    /// The object that it replaces.
    pub(super) stored: Option<&'a Value>,
    pub(super) version: &'a ResourceVersion,
    pub(super) server: KubernetesVersion,
}

fn validate_metadata_to_create(request: &Request<'_>, admission: &mut Admission) {
    let Some(metadata) = request.object.get("metadata") else { return };
    let names = NameRule::Subdomain { namespaced: request.version.namespaced };
    let root = FieldPath::root();
    let path = root.child("metadata");
    admission.errors.extend(validate_object_meta(metadata, names, &path, &root, request.server));
}

/// Runs a value of a part of a resource, which `schema` describes from `base`, through the same steps. The
/// result does not depend on the rest of the resource, apart from the rules of nodes above.
#[must_use]
pub fn admit_part(
    mut value: Value,
    (schema, base): (&Structural, TextSize),
    server: KubernetesVersion,
) -> Admission {
    prune_nulls(&mut value, Some(schema));
    fill_defaults(&mut value, schema, base);
    let mut admission = Admission::default();
    let on = ValidationInput {
        value: &value,
        stored: None,
        schema,
        base,
        scale: None,
        is_resource: false,
        server,
    };
    validate_value(&on, &mut admission);
    admission.object = Some(value);
    admission
}

/// Validates everything but the metadata, in the server's order.
pub(super) fn validate_object(request: &Request<'_>, admission: &mut Admission) {
    let Request { object, stored, version, server } = *request;
    let ((schema, base), scale) = (version.schema(), version.scale.as_ref());
    let on = ValidationInput { value: object, stored, schema, base, scale, is_resource: true, server };
    validate_value(&on, admission);
}

/// A value to validate by a schema.
struct ValidationInput<'a> {
    value: &'a Value,
    /// The value that it replaces.
    stored: Option<&'a Value>,
    schema: &'a Structural,
    base: TextSize,
    scale: Option<&'a Scale>,
    is_resource: bool,
    server: KubernetesVersion,
}

fn validate_value(on: &ValidationInput<'_>, admission: &mut Admission) {
    let ValidationInput { value: object, stored, schema, base, scale, is_resource, server } = *on;
    let root = FieldPath::root();
    let correlations = Correlations::default();
    let ratchets = server.has(Difference::Ratcheting);
    let correlation = stored.filter(|_| ratchets);
    let correlation = correlation.map(|stored| Correlation::of_root(object, stored, schema));
    let options = ValidationOptions {
        kubernetes_version: server,
        form: SchemaForm::Resource,
        prefix: FieldPath::root(),
    };
    let unchanged = correlation.map(|correlation| (correlation, &correlations));
    let verdict = validate_changes(object, schema, base, &options, unchanged);
    admission.incomplete = verdict.incomplete;
    admission.is_cut = verdict.is_cut;
    let errors = &mut admission.errors;
    errors.extend(verdict.errors);
    if let Some(scale) = scale {
        errors.extend(validate_scale(object, scale));
    }
    errors.extend(validate_embedded(object, schema, false, &root, server));
    if stored.is_none_or(|stored| validate_list_types(stored, schema, base, &root).is_empty()) {
        errors.extend(validate_list_types(object, schema, base, &root));
    }
    if !schema.has_rules {
        return;
    }
    if errors.iter().any(|error| is_blocking(error.error)) {
        errors.push(rules_not_checked());
        return;
    }
    let rules = RulesOn {
        schema,
        base,
        is_resource,
        value: object,
        old: stored,
        ratchets,
        prefix: root,
        version: server,
        budget: BUDGET,
    };
    let evaluation = evaluate(&rules, &correlations);
    errors.extend(evaluation.errors);
    admission.incomplete |= evaluation.incomplete;
    admission.warnings.extend(evaluation.warnings.iter().map(ValueError::message));
}

/// Whether the server does not evaluate rules if there is an error of that type.
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
        detail: format!("{NOT_CHECKED}; correct the existing errors to complete validation"),
        place: Place::Nowhere,
        rule: None,
        facts: None,
    }
}

/// Warnings about finalizers that others may also use; for an update, only about those that it adds.
pub(super) fn finalizer_warnings(
    object: &Value,
    stored: Option<&Value>,
    server: KubernetesVersion,
) -> Vec<String> {
    let mut names = finalizers(object);
    let before = stored.map(finalizers).unwrap_or_default();
    names.retain(|name| !before.contains(name));
    names.sort_unstable();
    names.dedup();
    names.retain(|name| {
        !name.contains('/') && !matches!(*name, "orphan" | "foregroundDeletion" | "kubernetes")
    });
    let warning = |name: &str| {
        let path = if name.contains('.') && server.has(Difference::FinalizerPaths) {
            " including a path (/)"
        } else {
            ""
        };
        let quoted = crate::value::quoted(name);
        format!(
            "metadata.finalizers: {quoted}: prefer a domain-qualified finalizer name{path} to avoid accidental conflicts with other finalizer writers"
        )
    };
    names.into_iter().map(warning).collect()
}

/// The names of the finalizers of an object.
pub(super) fn finalizers(object: &Value) -> Vec<&str> {
    let finalizers = object.get("metadata").and_then(|metadata| metadata.get("finalizers"));
    finalizers.and_then(Value::as_list).unwrap_or_default().iter().filter_map(Value::as_str).collect()
}
