//! A custom resource that replaces a stored one (cr-validation §1, §7, §11).

use yaml::Document;

use super::admit::{
    Admission, Request, decode, finalizer_warnings, metadata_of, set, set_namespace, text_of, validate_object,
};
use super::error::ValueError;
use super::objectmeta::{NameRule, validate_names, validate_object_meta_update, validate_unnamed};
use super::value::{Kind, Value};
use super::version::ResourceVersion;
use crate::experimental::feature_gates;
use crate::field_path::FieldPath;
use crate::options::KubernetesVersion;

/// Takes the resource in `document`, which is of `version`, through the steps of an update request that replaces the
/// resource in `stored`. What a client leaves out is filled in as the server does it: uid, creation time, version.
#[must_use]
pub fn admit_update(
    document: Document<'_>,
    stored: Document<'_>,
    version: &ResourceVersion,
    server: KubernetesVersion,
) -> Admission {
    let mut admission = Admission::default();
    admission.warnings.extend(version.warning.clone());
    let Some(mut object) = decode(document, version, server, &mut admission) else { return admission };
    let mut of_stored = Admission::default();
    let Some(mut stored) = decode(stored, version, server, &mut of_stored) else {
        let error = of_stored.decode_error.unwrap_or_default();
        admission.decode_error = Some(format!("old: {error}"));
        return admission;
    };
    // Its text is not the one in which errors have their places.
    stored = stored.unplaced();
    // Before the generation is counted: a field that stays as it is is no change.
    admission.gated = feature_gates::apply(&mut object, Some(&stored), &version.gated);
    prepare_for_update(&mut object, &mut stored, version);
    let request = Request { object: &object, stored: Some(&stored), version, server };
    // What is said of names comes from elsewhere in the server, and rules are evaluated beside it.
    let of_names = validate_names_of(&request);
    validate_metadata(&request, &mut admission);
    validate_object(&request, &mut admission);
    admission.errors.splice(..0, of_names);
    if admission.errors.is_empty() && server.is_at_least(29) {
        admission.warnings.extend(finalizer_warnings(&object, Some(&stored), server));
    }
    admission.object = Some(object);
    admission
}

/// What the server sets and keeps itself.
fn prepare_for_update(object: &mut Value, stored: &mut Value, version: &ResourceVersion) {
    let Some(before) = metadata_of(stored) else { return };
    set_namespace(before, version);
    set(before, "resourceVersion", Kind::String("1".into()));
    let generation = match before.get("generation").map(|member| &member.value.kind) {
        Some(Kind::Int(number)) if *number != 0 => *number,
        _ => 1,
    };
    set(before, "generation", Kind::Int(generation));
    let Some(metadata) = metadata_of(object) else { return };
    set_namespace(metadata, version);
    if text_of(metadata, "resourceVersion").is_empty() {
        set(metadata, "resourceVersion", Kind::String("1".into()));
    }
    for name in ["uid", "creationTimestamp"] {
        if !metadata.contains_key(name)
            && let Some(member) = before.get(name)
        {
            metadata.insert(name.into(), member.clone());
        }
    }
    set(metadata, "generation", Kind::Int(generation));
    if version.has_status {
        keep_status(object, stored);
    }
    if is_changed(object, stored)
        && let Some(metadata) = metadata_of(object)
    {
        set(metadata, "generation", Kind::Int(generation.saturating_add(1)));
    }
}

/// The status has an endpoint of its own.
fn keep_status(object: &mut Value, stored: &Value) {
    let Kind::Map(map) = &mut object.kind else { return };
    match stored.as_map().and_then(|stored| stored.get("status")) {
        Some(status) => map.insert("status".into(), status.clone()),
        None => map.remove("status"),
    };
}

/// Whether something beside the metadata is another.
fn is_changed(object: &Value, stored: &Value) -> bool {
    let rest = |of: &Value| {
        let mut rest = of.clone();
        if let Kind::Map(map) = &mut rest.kind {
            map.remove("metadata");
        }
        rest
    };
    rest(object) != rest(stored)
}

fn validate_names_of(request: &Request<'_>) -> Vec<ValueError> {
    let Some(metadata) = request.object.get("metadata") else { return Vec::new() };
    let names = NameRule::Kept { namespaced: request.version.namespaced };
    let root = FieldPath::root();
    validate_names(metadata, names, &root.child("metadata"), &root, request.server)
}

fn validate_metadata(request: &Request<'_>, admission: &mut Admission) {
    let stored = request.stored.and_then(|stored| stored.get("metadata"));
    let (Some(metadata), Some(stored)) = (request.object.get("metadata"), stored) else { return };
    let root = FieldPath::root();
    admission.errors.extend(validate_unnamed(metadata, &root.child("metadata"), &root, request.server));
    admission.errors.extend(validate_object_meta_update(metadata, stored));
}
