//! Runs a case in our own format.

use crd::customresource::{Endpoint, NOT_CHECKED};
use crd::value::Value;

use super::compare::compare;
use super::{Failure, Response, Server, metadata, set, set_metadata};
use crate::suite::{Case, ExpectedError, Object};

/// Whether a message reports a separate error, rather than rules that were skipped because of other errors.
pub(crate) fn is_of_its_own(message: &str) -> bool {
    !message.contains(NOT_CHECKED)
}

pub(super) fn run(case: &Case, server: &mut Server<'_>) -> Result<(), Failure> {
    let object = completed(&case.object, server)?;
    let given = case.given.as_ref().map(|given| completed(given, server)).transpose()?;
    check_answer(case, answer(given.as_ref(), object, server)?)
}

/// The answer to the creation of an object, or to the replacement of a given object by it.
pub(crate) fn answer(
    given: Option<&Value>,
    mut object: Value,
    server: &mut Server<'_>,
) -> Result<Response, Failure> {
    let Some(given) = given else { return Ok(server.create(&object)) };
    let stored = stored(given, server)?;
    for name in ["name", "namespace"] {
        set_metadata(&mut object, name, metadata(&stored, name));
    }
    let answer = server.update(&object, &stored, Endpoint::Object);
    let (Ok(stored), Some(status), true) = (&answer.stored, object.get("status"), server.version.has_status)
    else {
        return Ok(answer);
    };
    // The status has a separate endpoint, so it takes a second request.
    let mut replaced = stored.clone();
    set(&mut replaced, "status", status.clone());
    let mut second = server.update(&replaced, stored, Endpoint::Status);
    second.warnings.splice(..0, answer.warnings);
    Ok(second)
}

/// The object with missing names added.
fn completed(object: &Object, server: &Server<'_>) -> Result<Value, Failure> {
    let mut object = object.clone().map_err(Failure::new)?;
    let version = server.version;
    for (name, text) in
        [("apiVersion", format!("{}/{}", version.group, version.name)), ("kind", version.kind.clone())]
    {
        if object.get(name).is_none() {
            set(&mut object, name, Value::text(&text));
        }
    }
    if metadata(&object, "name").is_empty() && metadata(&object, "generateName").is_empty() {
        set_metadata(&mut object, "name", "test");
    }
    Ok(object)
}

/// Stores the given object with its status.
fn stored(given: &Value, server: &mut Server<'_>) -> Result<Value, Failure> {
    let rejected = |text| Failure::new(format!("`given` is rejected: {text}"));
    let stored = server.create(given).stored.map_err(rejected)?;
    let Some(status) = given.get("status").filter(|_| server.version.has_status) else { return Ok(stored) };
    let mut object = stored.clone();
    set(&mut object, "status", status.clone());
    server.update(&object, &stored, Endpoint::Status).stored.map_err(rejected)
}

fn check_answer(case: &Case, answer: Response) -> Result<(), Failure> {
    let expected = &case.expected;
    let is_accepted = expected.accepted.unwrap_or(expected.errors.is_empty());
    match (&answer.stored, is_accepted) {
        (Ok(_), false) => return Err(Failure::new("it is accepted, but `expect` says that it is rejected")),
        (Err(text), true) => return Err(Failure::new(format!("it is rejected: {text}"))),
        _ => {}
    }
    errors(&expected.errors, &answer.errors)?;
    for part in &expected.warnings {
        if !answer.warnings.iter().any(|warning| warning.contains(part)) {
            let all = if answer.warnings.is_empty() { "none".to_owned() } else { answer.warnings.join("; ") };
            return Err(Failure::new(format!("a warning is missing\n  expected: {part}\n  warnings: {all}")));
        }
    }
    match (&answer.stored, &expected.stored) {
        (Ok(stored), Some(wanted)) => compare(stored, wanted),
        _ => Ok(()),
    }
}

/// Checks that each expected error occurs, and no other error.
fn errors(expected: &[ExpectedError], answer: &[(String, String)]) -> Result<(), Failure> {
    if expected.is_empty() {
        return Ok(());
    }
    let is_it = |wanted: &ExpectedError, (field, message): &(String, String)| {
        wanted.field.as_ref().is_none_or(|wanted| wanted == field) && message.contains(&wanted.text)
    };
    let list = |lines: Vec<&str>| lines.iter().map(|line| format!("\n  {line}")).collect::<String>();
    let all = || list(answer.iter().map(|(_, message)| message.as_str()).collect());
    for wanted in expected {
        if !answer.iter().any(|error| is_it(wanted, error)) {
            let field = wanted.field.as_ref().map(|field| format!("{field}: ")).unwrap_or_default();
            return Err(Failure::new(format!(
                "an error is missing\n  expected: {field}{}\nthe answer has:{}",
                wanted.text,
                all()
            )));
        }
    }
    let others = answer.iter().filter(|error| !expected.iter().any(|wanted| is_it(wanted, error)));
    let others = others.map(|(_, message)| message.as_str());
    let others: Vec<&str> = others.filter(|message| is_of_its_own(message)).collect();
    match others.is_empty() {
        true => Ok(()),
        false => Err(Failure::new(format!("`expect.errors` does not have:{}", list(others)))),
    }
}
