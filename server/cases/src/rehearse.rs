//! The effects on stored objects when another definition replaces theirs.

use api::KubernetesVersion;
use crd::FieldPath;
use crd::customresource::{
    Admission, Endpoint, ResourceVersion, admit_read_update, admit_value, convert_value, read_value,
};
use crd::generate::{Goal, Solver};
use crd::value::{Kind, Value};

use crate::coverage::Coverage;
use crate::definition::Definition;
use crate::generate::missing_cases;

/// The maximum number of objects that are tried for one repair.
const MOST_TRIES: usize = 500;

/// The effects of a new definition on a stored object.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Effects {
    /// Whether it can be stored again.
    pub validity: Validity,
    /// Fields that are dropped when the object is read, or when it is written in the storage version: their
    /// data is lost with the next write.
    pub lost: Vec<String>,
    /// Fields that get a default, with their values.
    pub filled: Vec<(String, String)>,
    /// The version of the object, if the new definition does not serve it.
    pub unserved: Option<String>,
    /// The object as clients read it; `None` if it cannot be read.
    pub read: Option<Value>,
    /// The object as it is stored after a client writes it back unchanged; `None` if the server rejects that.
    pub written: Option<Value>,
}

/// An error that the server reports for an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The field as the server names it.
    pub field: String,
    /// The value as the server prints it; empty if it prints none.
    pub value: String,
    /// The server's text.
    pub message: String,
    /// The text without the value.
    pub reason: String,
}

/// Whether an object can be stored again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Validity {
    /// Valid if it does not change, and as a new object.
    #[default]
    Valid,
    /// Valid as long as its invalid parts do not change.
    Ratcheted(Vec<Violation>),
    /// Invalid, even if it does not change.
    Invalid(Vec<Violation>),
    /// It cannot be read.
    Unreadable(String),
}

/// The effects on `object`, which is stored under `old`, when `new` replaces `old`.
///
/// # Errors
/// Why the effects are unknown.
pub fn effects(
    old: &Definition,
    new: &Definition,
    object: &Value,
    server: KubernetesVersion,
) -> Result<Effects, String> {
    let text = |name| object.get(name).and_then(Value::as_str).unwrap_or_default();
    let (api_version, kind) = (text("apiVersion"), text("kind"));
    let find = |of: &Definition| of.versions.iter().find(|version| version.is_of(api_version, kind)).cloned();
    let before = find(old).ok_or_else(|| format!("the old definition has no version {api_version}"))?;
    let served = find(new).filter(|version| version.served);
    let unserved = served.is_none().then(|| api_version.to_owned());
    let storage = |of: &Definition| of.versions.iter().find(|version| version.storage).cloned();
    let kept = storage(new).ok_or("the new definition has no storage version")?;
    let after = served.unwrap_or_else(|| kept.clone());
    let old_storage = storage(old).unwrap_or_else(|| before.clone());
    let converts = !old_storage.has_webhook && !kept.has_webhook;
    let OldObject { stored: kept_before, read: written } =
        under_old(object, &before, converts.then_some(&old_storage), server)
            .map_err(|error| format!("the old definition cannot read it: {error}"))?;
    // A status that nobody wrote is not stored, although clients read its default.
    let is_without = before.has_status && object.get("status").is_none();
    let stored = |of: Value| if is_without { without_status(of) } else { of };
    // The store has the old storage version, which the new definition reads with its own schema of that version.
    let same = new.versions.iter().find(|version| converts && version.name == old_storage.name);
    let read = match same {
        Some(same) => read_value(stored(kept_before), same, server),
        None => read_value(stored(written.clone()), &after, server),
    };
    let mut effects = Effects { unserved, ..Effects::default() };
    let read = match read.and_then(|read| convert_value(read, &after, server)) {
        Ok(read) => read,
        Err(error) => return Ok(Effects { validity: Validity::Unreadable(error), ..effects }),
    };
    compare(&written, &read, String::new(), &mut effects);
    // The answer to a client that writes the object back unchanged.
    let again = admit_read_update(read.clone(), read.clone(), Endpoint::Object, &after, server);
    if let Some(error) = again.decode_error {
        return Ok(Effects { validity: Validity::Unreadable(error), ..effects });
    }
    // The answer to the creation of the same object, with its status.
    let whole = ResourceVersion { has_status: false, ..after.clone() };
    let fresh = admit_value(read.clone(), &whole, server);
    effects.validity = match (errors(&again), errors(&fresh)) {
        (wrong, _) if !wrong.is_empty() => Validity::Invalid(wrong),
        (_, wrong) if !wrong.is_empty() => Validity::Ratcheted(wrong),
        _ => Validity::Valid,
    };
    if let (true, Some(admitted)) = (again.errors.is_empty(), &again.object) {
        let stored =
            if converts { convert_value(admitted.clone(), &kept, server)? } else { admitted.clone() };
        effects.add_write(&read, admitted, &stored);
        effects.written = Some(stored);
    }
    effects.read = Some(read);
    Ok(effects)
}

/// An object under the old definition.
struct OldObject {
    /// The object in the storage version.
    stored: Value,
    /// The object as clients read it.
    read: Value,
}

/// `object` in the version `requested` of the old definition. The server converts it if there is a `storage`
/// version without a webhook.
fn under_old(
    object: &Value,
    requested: &ResourceVersion,
    storage: Option<&ResourceVersion>,
    server: KubernetesVersion,
) -> Result<OldObject, String> {
    let read = read_value(object.clone(), requested, server)?;
    let Some(storage) = storage else { return Ok(OldObject { stored: read.clone(), read }) };
    let stored = convert_value(read, storage, server)?;
    let read = read_value(stored.clone(), storage, server)?;
    Ok(OldObject { stored, read: convert_value(read, requested, server)? })
}

impl Effects {
    /// Adds the effects of writing back what was `read`: the server admits it as `admitted`, and stores it as `stored`.
    fn add_write(&mut self, read: &Value, admitted: &Value, stored: &Value) {
        let mut of_write = Self::default();
        // Defaults of the written version, and fields that the storage version does not have.
        compare(read, admitted, String::new(), &mut of_write);
        compare(admitted, stored, String::new(), &mut of_write);
        let Self { lost, filled, .. } = of_write;
        // A default of a field that the storage version does not have is neither filled in nor lost.
        let is_filled = |field: &String| filled.iter().any(|(name, _)| name == field);
        self.lost.extend(lost.iter().filter(|field| !is_filled(field)).cloned());
        self.filled.extend(filled.into_iter().filter(|(field, _)| !lost.contains(field)));
    }
}

fn without_status(mut object: Value) -> Value {
    if let Kind::Map(members) = &mut object.kind {
        members.remove("status");
    }
    object
}

/// Objects that a definition accepts, of all served versions: for users without real objects.
#[must_use]
pub fn made_objects(definition: &Definition, server: KubernetesVersion) -> Vec<Value> {
    let served = definition.versions.iter().filter(|version| version.served);
    let made = served.flat_map(|version| missing_cases(&mut Coverage::new(version, server)));
    made.filter(|made| made.errors.is_empty()).map(|made| made.object).collect()
}

/// The changes to an object, as clients read it under `new`, after which it is accepted as a new object;
/// `None` if no repair was found.
#[must_use]
pub fn repair(new: &Definition, read: &Value, server: KubernetesVersion) -> Option<Vec<String>> {
    let text = |name| read.get(name).and_then(Value::as_str).unwrap_or_default();
    let version = new.versions.iter().find(|version| version.is_of(text("apiVersion"), text("kind")))?;
    let whole = ResourceVersion { has_status: false, ..version.clone() };
    // No side has to be covered; only the number of tries is bounded.
    let goal = Goal {
        path: FieldPath::root(),
        rule: None,
        is_met: &|_| true,
        is_wanted: &|_| false,
        reached: &|_| 0,
    };
    let solution = Solver::new(&whole, server).towards(goal, MOST_TRIES).solve(read.clone());
    let mut edits = Vec::new();
    difference(read, &solution.object, String::new(), &mut edits);
    (solution.errors.is_empty() && !edits.is_empty()).then_some(edits)
}

/// The edits that turn one value into another.
fn difference(from: &Value, to: &Value, path: String, edits: &mut Vec<String>) {
    let below = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    match (&from.kind, &to.kind) {
        (Kind::Map(one), Kind::Map(other)) => {
            for (key, member) in one {
                match other.get(key) {
                    Some(kept) => difference(&member.value, &kept.value, below(key), edits),
                    None => edits.push(format!("remove `{}`", below(key))),
                }
            }
            let new = other.iter().filter(|(key, _)| !one.contains_key(*key));
            edits
                .extend(new.map(|(key, member)| format!("add `{}: {}`", below(key), member.value.to_json())));
        }
        (Kind::List(one), Kind::List(other)) if one.len() == other.len() => {
            for (index, (one, other)) in one.iter().zip(other).enumerate() {
                difference(one, other, format!("{path}[{index}]"), edits);
            }
        }
        _ if from == to => {}
        _ => edits.push(format!("set `{path}` to `{}`", to.to_json())),
    }
}

fn errors(admission: &Admission) -> Vec<Violation> {
    let violations = admission.errors.iter().map(|error| {
        let mut answer = error.server_error();
        let message = answer.message();
        let value = std::mem::take(&mut answer.value);
        Violation { field: error.field.clone(), value, message, reason: answer.message() }
    });
    let mut own: Vec<_> =
        violations.filter(|violation| crate::run::own_format::is_of_its_own(&violation.message)).collect();
    own.dedup();
    own
}

/// Records the fields that are missing from `after`, and those that are new.
fn compare(before: &Value, after: &Value, path: String, effects: &mut Effects) {
    let below = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    match (&before.kind, &after.kind) {
        (Kind::Map(one), Kind::Map(other)) => {
            for (key, member) in one {
                if path.is_empty() && matches!(&**key, "metadata" | "apiVersion") {
                    continue;
                }
                match other.get(key) {
                    Some(kept) => compare(&member.value, &kept.value, below(key), effects),
                    None => effects.lost.push(below(key)),
                }
            }
            for (key, member) in other {
                if !(one.contains_key(key) || path.is_empty() && &**key == "metadata") {
                    effects.filled.push((below(key), member.value.to_json().to_string()));
                }
            }
        }
        (Kind::List(one), Kind::List(other)) => {
            for (index, (one, other)) in one.iter().zip(other).enumerate() {
                compare(one, other, format!("{path}[{index}]"), effects);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::suite_values::object_of_text;

    const SERVER: KubernetesVersion = KubernetesVersion::NEWEST;

    /// A definition with these schemas of `spec`, of which the last is that of the storage version.
    fn definition(specs: &[(&str, &str)]) -> Definition {
        let version = |(index, (name, properties)): (usize, &(&str, &str))| {
            format!(
                "  - {{name: {name}, served: true, storage: {}, schema: {{openAPIV3Schema: {{type: object, properties: {{spec: {{type: object, properties: {{{properties}}}}}}}}}}}}}\n",
                index + 1 == specs.len()
            )
        };
        let versions: String = specs.iter().enumerate().map(version).collect();
        let text = format!(
            "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: widgets.example.com}}\nspec:\n  group: example.com\n  scope: Namespaced\n  names: {{plural: widgets, kind: Widget}}\n  versions:\n{versions}"
        );
        Definition::all(&text, SERVER).pop().unwrap()
    }

    fn object(version: &str, spec: &str) -> Value {
        object_of_text(&format!(
            "apiVersion: example.com/{version}\nkind: Widget\nmetadata: {{name: w}}\nspec: {{{spec}}}\n"
        ))
        .unwrap()
    }

    #[test]
    fn fields_that_the_new_storage_version_does_not_have_are_lost() {
        let (both, size) = ("size: {type: integer}, host: {type: string}", "size: {type: integer}");
        let old = definition(&[("v1", both)]);
        let new = definition(&[("v1", both), ("v2", size)]);
        let effects = effects(&old, &new, &object("v1", "size: 1, host: a"), SERVER).unwrap();
        assert_eq!((effects.validity, effects.lost), (Validity::Valid, vec!["spec.host".to_owned()]));
        let written = effects.written.unwrap();
        assert_eq!(written.get("apiVersion").and_then(Value::as_str), Some("example.com/v2"));
    }

    #[test]
    fn defaults_of_the_stored_version_precede_those_of_the_written_version() {
        let of_both = |first: &str, second: &str| {
            definition(&[
                ("v1", &format!("a: {{type: string, default: a1}}, b: {{type: string}}, {first}")),
                ("v2", &format!("a: {{type: string}}, b: {{type: string, default: b2}}, {second}")),
            ])
        };
        let old = of_both("d: {type: string}", "e: {type: string}");
        let new = of_both("d: {type: string, default: d1}", "e: {type: string, default: e2}");
        let effects = effects(&old, &new, &object("v1", ""), SERVER).unwrap();
        let spec = |of: &Option<Value>| of.as_ref().unwrap().get("spec").unwrap().to_json().to_string();
        // As an API server answers and stores it.
        assert_eq!(spec(&effects.read), r#"{"a":"a1","b":"b2"}"#);
        assert_eq!(spec(&effects.written), r#"{"a":"a1","b":"b2"}"#);
        assert_eq!((effects.filled, effects.lost), (Vec::new(), Vec::new()));
    }

    #[test]
    fn a_status_that_was_never_written_is_the_default_of_the_new_definition() {
        let with_default = |status: &str| {
            let text = format!(
                "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: widgets.example.com}}\nspec:\n  group: example.com\n  scope: Namespaced\n  names: {{plural: widgets, kind: Widget}}\n  versions:\n  - {{name: v1, served: true, storage: true, subresources: {{status: {{}}}}, schema: {{openAPIV3Schema: {{type: object, properties: {{spec: {{type: object}}, status: {{type: object, properties: {{phase: {{type: string}}}}, default: {{phase: {status}}}}}}}}}}}}}\n"
            );
            Definition::all(&text, SERVER).pop().unwrap()
        };
        let (old, new) = (with_default("Waiting"), with_default("Pending"));
        let read = |object: &Value| {
            let effects = effects(&old, &new, object, SERVER).unwrap();
            effects.read.unwrap().get("status").unwrap().to_json().to_string()
        };
        assert_eq!(read(&object("v1", "")), r#"{"phase":"Pending"}"#);
        let written = "apiVersion: example.com/v1\nkind: Widget\nstatus: {phase: Waiting}\n";
        assert_eq!(read(&object_of_text(written).unwrap()), r#"{"phase":"Waiting"}"#);
    }

    #[test]
    fn a_repair_makes_the_object_valid() {
        let new = definition(&[("v1", "size: {type: integer, maximum: 5}, host: {type: string}")]);
        let repaired = |spec: &str| repair(&new, &object("v1", spec), SERVER);
        let edits = repaired("size: 9, host: a").unwrap();
        assert!(edits.len() == 1 && edits[0].contains("spec.size"), "{edits:?}");
        assert_eq!(repaired("size: 5"), None);
    }
}
