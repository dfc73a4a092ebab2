//! Updates: a custom resource that replaces a stored one.

use api::{Difference, KubernetesVersion};
use yaml::Document;

use super::admit::{
    Admission, Request, convert_object, decode, decode_object, finalizer_warnings, metadata_of, set,
    set_namespace, text_of, validate_object,
};
use super::error::ValueError;
use super::objectmeta::{NameRule, validate_names, validate_object_meta_update, validate_unnamed};
use super::version::ResourceVersion;
use crate::field_path::FieldPath;
use crate::gates;
use crate::value::{Kind, Value};

/// The object that an update replaces.
#[derive(Clone, Copy, Debug)]
pub struct ReplacedObject<'r, 't> {
    /// The document that contains it.
    pub document: Document<'t>,
    /// The version that it was written in, if it differs from the version of the request.
    pub written: Option<&'r ResourceVersion>,
    /// The version that it is stored in, if it differs from the version of the request.
    pub stored: Option<&'r ResourceVersion>,
}

impl<'t> From<Document<'t>> for ReplacedObject<'_, 't> {
    fn from(document: Document<'t>) -> Self {
        Self { document, written: None, stored: None }
    }
}

impl ReplacedObject<'_, '_> {
    /// The object in `version`. The error is the server's text.
    fn read(self, version: &ResourceVersion, server: KubernetesVersion) -> Result<Value, String> {
        // Unknown fields were reported when the object was written.
        let mut ignored = Admission::default();
        let written = decode(self.document, self.written.unwrap_or(version), server, &mut ignored);
        // Errors have their places in the text of the request, not in this one.
        let written = written.ok_or_else(|| ignored.decode_error.unwrap_or_default())?.unplaced();
        let stored = self.stored.unwrap_or(version);
        let kept = convert_value(written, stored, server)?;
        convert_value(read_value(kept, stored, server)?, version, server)
    }
}

/// Runs the resource in `document`, which is of `version`, through the steps of an update request that
/// replaces the resource in `stored`. Fields that the client omits are set as in the server: uid, creation
/// time, version.
#[must_use]
pub fn admit_update<'r, 't>(
    document: Document<'_>,
    stored: impl Into<ReplacedObject<'r, 't>>,
    version: &ResourceVersion,
    server: KubernetesVersion,
) -> Admission {
    let object = |admission: &mut Admission| decode(document, version, server, admission);
    let read = || stored.into().read(version, server);
    admit_update_of(object, read, Endpoint::Object, version, server)
}

/// The part of a resource that a request replaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endpoint {
    /// Everything except the status, if the status has a separate endpoint.
    Object,
    /// The status alone, as the endpoint `/status` does.
    Status,
}

/// Like [`admit_update`], for resources without a text and for either endpoint.
#[must_use]
pub fn admit_value_update(
    object: Value,
    stored: Value,
    endpoint: Endpoint,
    version: &ResourceVersion,
    server: KubernetesVersion,
) -> Admission {
    let read = || {
        // Unknown fields were reported when the object was written.
        let mut ignored = Admission::default();
        let stored = decode_object(stored.unplaced(), version, server, &mut ignored);
        stored.ok_or_else(|| ignored.decode_error.unwrap_or_default())
    };
    let object = |admission: &mut Admission| decode_object(object, version, server, admission);
    admit_update_of(object, read, endpoint, version, server)
}

/// Like [`admit_value_update`], with a `stored` that was already read from the store: it is in `version`,
/// without defaults that only the storage version could have set.
#[must_use]
pub fn admit_read_update(
    object: Value,
    stored: Value,
    endpoint: Endpoint,
    version: &ResourceVersion,
    server: KubernetesVersion,
) -> Admission {
    let object = |admission: &mut Admission| decode_object(object, version, server, admission);
    admit_update_of(object, || Ok(stored), endpoint, version, server)
}

/// Decodes an object, then `read`s the object that it replaces. An object that cannot be decoded has no other
/// errors.
fn admit_update_of(
    object: impl FnOnce(&mut Admission) -> Option<Value>,
    read: impl FnOnce() -> Result<Value, String>,
    endpoint: Endpoint,
    version: &ResourceVersion,
    server: KubernetesVersion,
) -> Admission {
    let mut admission = Admission::default();
    admission.warnings.extend(version.warning.clone());
    let Some(object) = object(&mut admission) else { return admission };
    match read() {
        Ok(stored) => replace(object, stored, endpoint, version, server, &mut admission),
        Err(error) => admission.decode_error = Some(format!("old: {error}")),
    }
    admission
}

/// Converts an object to another version without a webhook: changes `apiVersion`, and drops the fields that
/// the version does not declare. The server sets defaults only in objects that it receives or reads from the
/// store, each time those of their version.
///
/// # Errors
/// Why it cannot be converted, in the server's words.
pub fn convert_value(
    mut object: Value,
    version: &ResourceVersion,
    server: KubernetesVersion,
) -> Result<Value, String> {
    if let Kind::Map(map) = &mut object.kind {
        let api_version = format!("{}/{}", version.group, version.name);
        set(map, "apiVersion", Kind::String(api_version.into()));
    }
    let mut ignored = Admission::default();
    match convert_object(&mut object, version, server, &mut ignored) {
        Some(()) => Ok(object),
        None => Err(ignored.decode_error.unwrap_or_default()),
    }
}

/// A stored object as the server reads it in `version`, in which it is stored: pruned, and with defaults.
///
/// # Errors
/// Why it cannot be read, in the server's words.
pub fn read_value(
    object: Value,
    version: &ResourceVersion,
    server: KubernetesVersion,
) -> Result<Value, String> {
    let mut ignored = Admission::default();
    decode_object(object.unplaced(), version, server, &mut ignored)
        .ok_or_else(|| ignored.decode_error.unwrap_or_default())
}

/// Runs decoded objects through the rest of an update.
fn replace(
    mut object: Value,
    mut stored: Value,
    endpoint: Endpoint,
    version: &ResourceVersion,
    server: KubernetesVersion,
    admission: &mut Admission,
) {
    if endpoint == Endpoint::Status {
        object = with_status_of(&stored, &object);
    }
    // This precedes the change of the generation: a field that keeps its value is not a change.
    admission.gated = gates::apply(&mut object, Some(&stored), &version.gated);
    prepare_for_update(&mut object, &mut stored, endpoint, version);
    let request = Request { object: &object, stored: Some(&stored), version, server };
    // Errors on names come from another part of the server, and do not prevent the evaluation of rules.
    let of_names = validate_names_of(&request);
    validate_metadata(&request, admission);
    validate_object(&request, admission);
    admission.errors.splice(..0, of_names);
    if admission.errors.is_empty() && server.has(Difference::FinalizerWarnings) {
        admission.warnings.extend(finalizer_warnings(&object, Some(&stored), server));
    }
    admission.object = Some(object);
    admission.stored = Some(stored);
}

/// The stored object with the status of `object`.
fn with_status_of(stored: &Value, object: &Value) -> Value {
    let mut replaced = stored.clone();
    if let Kind::Map(map) = &mut replaced.kind {
        match object.as_map().and_then(|object| object.get("status")) {
            Some(status) => map.insert("status".into(), status.clone()),
            None => map.remove("status"),
        };
    }
    replaced
}

/// Sets and keeps the fields that the server manages.
fn prepare_for_update(object: &mut Value, stored: &mut Value, endpoint: Endpoint, version: &ResourceVersion) {
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
    if endpoint == Endpoint::Status {
        return;
    }
    if version.has_status {
        keep_status(object, stored);
    }
    if is_changed(object, stored)
        && let Some(metadata) = metadata_of(object)
    {
        set(metadata, "generation", Kind::Int(generation.saturating_add(1)));
    }
}

/// Keeps the stored status: it has a separate endpoint.
fn keep_status(object: &mut Value, stored: &Value) {
    let Kind::Map(map) = &mut object.kind else { return };
    match stored.as_map().and_then(|stored| stored.get("status")) {
        Some(status) => map.insert("status".into(), status.clone()),
        None => map.remove("status"),
    };
}

/// Whether anything besides the metadata has changed.
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
