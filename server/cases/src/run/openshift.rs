//! Runs a case as the runner of `openshift/api` does: the same requests in the same order, and the same comparison.

use crd::customresource::{Endpoint, ResourceVersion};
use crd::value::{Kind, Value};
use yaml::Json;

use super::compare::compare;
use super::{Failure, Response, Server, metadata, set, set_metadata};
use crate::definition::Definition;
use crate::patch;
use crate::suite::{Case, Object};

/// The field by which the runner detects that the server uses a changed definition.
const SENTINEL: &str = "sentinel";

pub(super) fn run(case: &Case, definition: &Definition, server: &mut Server<'_>) -> Result<(), Failure> {
    match &case.given {
        None => create(case, server),
        Some(given) => update(case, given, definition, server),
    }
}

/// The object with a generated name.
fn with_generated_name(object: &Object) -> Result<Value, Failure> {
    let mut object = object.clone().map_err(Failure::new)?;
    set_metadata(&mut object, "generateName", "test-");
    set_metadata(&mut object, "namespace", "default");
    Ok(object)
}

fn create(case: &Case, server: &mut Server<'_>) -> Result<(), Failure> {
    let object = with_generated_name(&case.object)?;
    let answer = server.create(&object);
    if !case.expected.error.is_empty() {
        return check_error_contains(answer, &case.expected.error);
    }
    let stored = accepted(answer, "the object")?;
    compare_with(case, &stored)
}

fn update(
    case: &Case,
    given: &Object,
    definition: &Definition,
    server: &mut Server<'_>,
) -> Result<(), Failure> {
    let given = with_generated_name(given)?;
    let status = status_of(&given, "initial")?;
    let mut stored = if case.patches.is_empty() {
        store(&given, status, server)?
    } else {
        stored_before(case, &given, status, definition, server)?
    };
    let mut object = with_generated_name(&case.object)?;
    let status = status_of(&object, "updated")?;
    for name in ["name", "namespace", "resourceVersion"] {
        set_metadata(&mut object, name, metadata(&stored, name));
    }
    let answer = server.update(&object, &stored, Endpoint::Object);
    if !case.expected.error.is_empty() {
        return check_error_contains(answer, &case.expected.error);
    }
    stored = accepted(answer, "the update")?;
    if let Some(status) = status {
        let mut object = stored.clone();
        set(&mut object, "status", status);
        let answer = server.update(&object, &stored, Endpoint::Status);
        if !case.expected.status_error.is_empty() {
            return check_error_contains(answer, &case.expected.status_error);
        }
        stored = accepted(answer, "the update of the status")?;
    }
    compare_with(case, &stored)
}

/// Creates the object, and writes its status.
fn store(given: &Value, status: Option<Value>, server: &mut Server<'_>) -> Result<Value, Failure> {
    let stored = accepted(server.create(given), "the initial object")?;
    let Some(status) = status else { return Ok(stored) };
    let mut object = stored.clone();
    set(&mut object, "status", status);
    accepted(server.update(&object, &stored, Endpoint::Status), "the initial status")
}

/// The object as it is stored under the patched definition, after the original definition is restored.
fn stored_before(
    case: &Case,
    given: &Value,
    status: Option<Value>,
    definition: &Definition,
    server: &mut Server<'_>,
) -> Result<Value, Failure> {
    let patched = patch::apply(definition.object.clone(), &case.patches)
        .map_err(|problem| Failure::new(format!("initialCRDPatches: {problem}")))?;
    let version = marked(&patched, "+patched", server)?;
    let mut unseen = |_: &_| {};
    let mut before = Server { version: &version, server: server.server, observe: &mut unseen };
    let mut given = given.clone();
    set(&mut given, SENTINEL, Value::text("+patched"));
    let stored = store(&given, status, &mut before)?;
    // The runner waits until an update succeeds under the restored definition: the object must be valid then.
    let version = marked(&definition.object, "+restored", server)?;
    let mut unseen = |_: &_| {};
    let mut restored = Server { version: &version, server: server.server, observe: &mut unseen };
    let mut object = stored.clone();
    set(&mut object, SENTINEL, Value::text("+restored"));
    let answer = restored.update(&object, &stored, Endpoint::Object);
    accepted(answer, "the initial object, after the patches are reverted,")
}

/// The version of a definition, with a field that distinguishes its states.
fn marked(object: &Json, mark: &str, server: &Server<'_>) -> Result<ResourceVersion, Failure> {
    let mut object = object.clone();
    let name = Json::String(server.version.name.clone());
    let versions = object.get_mut("spec").and_then(|spec| spec.get_mut("versions"));
    if let Some(Json::Array(versions)) = versions {
        let own = versions.iter_mut().find(|version| version.get("name") == Some(&name));
        let schema = own.and_then(|version| version.get_mut("schema"));
        let schema = schema.and_then(|schema| schema.get_mut("openAPIV3Schema"));
        if let Some(Json::Object(properties)) = schema.and_then(|schema| schema.get_mut("properties")) {
            let text = |text: &str| Json::String(text.to_owned());
            let sentinel =
                [("enum".to_owned(), Json::Array(vec![text(mark)])), ("type".to_owned(), text("string"))];
            properties.insert(SENTINEL.to_owned(), Json::Object(sentinel.into()));
        }
    }
    let version = Definition::of_json(&object, server.server)
        .map(|definition| (definition.errors, definition.versions))
        .and_then(|(errors, versions)| {
            Some((errors, versions.into_iter().find(|version| version.name == server.version.name)?))
        });
    match version {
        Some((errors, version)) if errors.is_empty() => Ok(version),
        Some((errors, _)) => Err(Failure::new(format!(
            "initialCRDPatches: the patched definition is rejected: {}",
            errors.join("; ")
        ))),
        None => Err(Failure::new("initialCRDPatches: the patched definition no longer has the version")),
    }
}

fn status_of(object: &Value, what: &str) -> Result<Option<Value>, Failure> {
    match object.get("status") {
        Some(Value { kind: Kind::Null, .. }) => {
            Err(Failure::new(format!("`{what}`: `status` is null; remove it or write an object")))
        }
        status => Ok(status.cloned()),
    }
}

fn accepted(answer: Response, what: &str) -> Result<Value, Failure> {
    answer.stored.map_err(|text| Failure::new(format!("{what} is rejected: {text}")))
}

fn check_error_contains(answer: Response, part: &str) -> Result<(), Failure> {
    match answer.stored {
        Err(text) if text.contains(part) => Ok(()),
        Err(text) => Err(Failure::new(format!(
            "it is rejected for another reason\n  expected: {part}\n  answer:   {text}"
        ))),
        Ok(_) => Err(Failure::new(format!("it is accepted\n  expected: {part}"))),
    }
}

fn compare_with(case: &Case, stored: &Value) -> Result<(), Failure> {
    case.expected.stored.as_ref().map_or(Ok(()), |expected| compare(stored, expected))
}
