//! What becomes of an object, as JSON.

use serde_json::{Value, json};

use super::{Fate, Validity};

/// One object of the output.
pub(super) fn line(place: &str, name: &str, fate: &Fate) -> Value {
    let unreadable = |text: &String| vec![(String::new(), text.clone())];
    let (validity, errors) = match &fate.validity {
        Validity::Valid => ("valid", Vec::new()),
        Validity::Ratcheted(errors) => ("ratcheted", errors.clone()),
        Validity::Invalid(errors) => ("invalid", errors.clone()),
        Validity::Unreadable(error) => ("unreadable", unreadable(error)),
    };
    let errors = errors.iter().map(|(field, message)| json!({"field": field, "message": message}));
    let filled = fate.filled.iter().map(|(field, value)| {
        // What is no JSON is shown as it is.
        let value = serde_json::from_str(value).unwrap_or_else(|_| Value::from(value.as_str()));
        json!({"field": field, "value": value})
    });
    json!({
        "place": place,
        "object": name,
        "validity": validity,
        "errors": errors.collect::<Vec<_>>(),
        "lost": fate.lost,
        "defaults": filled.collect::<Vec<_>>(),
        "unservedVersion": fate.unserved,
    })
}
