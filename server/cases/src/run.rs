//! Runs a case.

mod compare;
mod message;
mod openshift;
pub(crate) mod own_format;

use api::KubernetesVersion;
use crd::customresource::{Admission, Endpoint, ResourceVersion, admit_value, admit_value_update};
use crd::value::{Kind, Map, Member, Place, Value};

use crate::definition::Definition;
use crate::suite::{Case, CaseFormat};

/// Why a case fails.
#[derive(Clone, Debug, Default)]
pub struct Failure {
    /// The difference from the expected answer.
    pub reason: String,
    /// The expected and the actual stored object, if they differ.
    pub stored: Option<Box<(Value, Value)>>,
}

impl Failure {
    fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), stored: None }
    }
}

/// A callback for the answers to the objects of a case.
pub(crate) type Observer<'o> = &'o mut dyn FnMut(&Admission);

/// Runs a case against a version of the definition. `observe` is called with each answer of that version.
///
/// # Errors
/// Why the case fails.
pub fn run(
    case: &Case,
    definition: &Definition,
    version: &ResourceVersion,
    server: KubernetesVersion,
    observe: Observer<'_>,
) -> Result<(), Failure> {
    let mut server = Server { version, server, observe };
    match case.form {
        CaseFormat::OpenShift => openshift::run(case, definition, &mut server),
        CaseFormat::Own => own_format::run(case, &mut server),
    }
}

/// A server with the definition.
pub(crate) struct Server<'s> {
    pub(crate) version: &'s ResourceVersion,
    pub(crate) server: KubernetesVersion,
    pub(crate) observe: Observer<'s>,
}

/// The answer to a request.
pub(crate) struct Response {
    /// The stored object, or the server's text if the object is rejected.
    pub(crate) stored: Result<Value, String>,
    /// The fields and messages of the errors.
    pub(crate) errors: Vec<(String, String)>,
    warnings: Vec<String>,
}

impl Server<'_> {
    fn create(&mut self, object: &Value) -> Response {
        self.answer(object, Endpoint::Object, admit_value)
    }

    fn update(&mut self, object: &Value, stored: &Value, endpoint: Endpoint) -> Response {
        if endpoint == Endpoint::Status && !self.version.has_status {
            return Response::rejected("the server could not find the requested resource");
        }
        self.answer(object, endpoint, |object, version, server| {
            admit_value_update(object, stored.clone(), endpoint, version, server)
        })
    }

    fn answer(
        &mut self,
        object: &Value,
        endpoint: Endpoint,
        admit: impl FnOnce(Value, &ResourceVersion, KubernetesVersion) -> Admission,
    ) -> Response {
        let text = |name| object.get(name).and_then(Value::as_str).unwrap_or_default();
        let (api_version, kind) = (text("apiVersion"), text("kind"));
        if kind.is_empty() || api_version.is_empty() {
            let missing = if kind.is_empty() { "Kind" } else { "apiVersion" };
            return Response::rejected(format!("Object '{missing}' is missing in '{}'", object.to_json()));
        }
        if !self.version.is_of(api_version, kind) {
            return Response::rejected(format!(
                "no matches for kind \"{kind}\" in version \"{api_version}\""
            ));
        }
        let admission = admit(object.clone(), self.version, self.server);
        (self.observe)(&admission);
        Response::of(admission, endpoint, self.version, self.server)
    }
}

impl Response {
    fn rejected(text: impl Into<String>) -> Self {
        let text = text.into();
        Self { stored: Err(text.clone()), errors: vec![(String::new(), text)], warnings: Vec::new() }
    }

    fn of(
        admission: Admission,
        endpoint: Endpoint,
        version: &ResourceVersion,
        server: KubernetesVersion,
    ) -> Self {
        if let Some(text) = admission.decode_error {
            return Self::rejected(text);
        }
        let mut errors: Vec<(String, String)> = Vec::new();
        for error in &admission.errors {
            let answer = match endpoint {
                Endpoint::Object => Some(error.server_error()),
                Endpoint::Status => error.server_error_of_status(),
            };
            let Some(answer) = answer else { continue };
            let message = message::printed(&answer, server);
            // The text of an answer contains each error once.
            if !errors.iter().any(|(_, said)| *said == message) {
                errors.push((answer.field, message));
            }
        }
        let messages: Vec<&str> = errors.iter().map(|(_, message)| message.as_str()).collect();
        let all = match messages.as_slice() {
            [] => None,
            [one] => Some((*one).to_owned()),
            several => Some(format!("[{}]", several.join(", "))),
        };
        let stored = match (all, admission.object) {
            (None, Some(object)) => Ok(object),
            (None, None) => Err("the object cannot be read".to_owned()),
            (Some(all), object) => {
                let metadata = object.as_ref().and_then(|object| object.get("metadata"));
                let name = metadata.and_then(|metadata| metadata.get("name")).and_then(Value::as_str);
                let name = name.unwrap_or_default();
                Err(format!("{}.{} \"{name}\" is invalid: {all}", version.kind, version.group))
            }
        };
        Self { stored, errors, warnings: admission.warnings }
    }
}

/// Sets a member of an object's metadata, which is created if it is missing.
fn set_metadata(object: &mut Value, name: &str, text: &str) {
    let Kind::Map(map) = &mut object.kind else { return };
    let nothing = || Member { key: Place::Nowhere, value: Value::made(Kind::Map(Map::new())) };
    let metadata = map.entry("metadata".into()).or_insert_with(nothing);
    if let Kind::Map(metadata) = &mut metadata.value.kind {
        match text {
            "" => metadata.remove(name),
            text => metadata.insert(name.into(), Member { key: Place::Nowhere, value: Value::text(text) }),
        };
    }
}

/// A text in an object's metadata; empty if it is missing.
fn metadata<'v>(object: &'v Value, name: &str) -> &'v str {
    let metadata = object.get("metadata").and_then(|metadata| metadata.get(name));
    metadata.and_then(Value::as_str).unwrap_or_default()
}

/// Sets a member of an object.
fn set(object: &mut Value, name: &str, value: Value) {
    if let Kind::Map(map) = &mut object.kind {
        map.insert(name.into(), Member { key: Place::Nowhere, value });
    }
}
