//! The fate of an object, as JSON.

use serde_json::{Value, json};

use cases::rehearse::{Effects, Validity, Violation};

/// One object of the output.
pub(super) fn line(place: &str, name: &str, effects: &Effects) -> Value {
    let error = |field: &str, message: &str| json!({"field": field, "message": message});
    let all = |violations: &[Violation]| {
        violations.iter().map(|violation| error(&violation.field, &violation.message)).collect()
    };
    let (validity, errors): (_, Vec<Value>) = match &effects.validity {
        Validity::Valid => ("valid", Vec::new()),
        Validity::Ratcheted(violations) => ("ratcheted", all(violations)),
        Validity::Invalid(violations) => ("invalid", all(violations)),
        Validity::Unreadable(problem) => ("unreadable", vec![error("", problem)]),
    };
    let filled = effects.filled.iter().map(|(field, value)| {
        // A value that is not JSON is shown unchanged.
        let value = serde_json::from_str(value).unwrap_or_else(|_| Value::from(value.as_str()));
        json!({"field": field, "value": value})
    });
    json!({
        "place": place,
        "object": name,
        "validity": validity,
        "errors": errors,
        "lost": effects.lost,
        "defaults": filled.collect::<Vec<_>>(),
        "unservedVersion": effects.unserved,
    })
}
