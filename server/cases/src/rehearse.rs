//! What happens to stored objects when another definition takes the place of theirs.

use api::KubernetesVersion;
use crd::customresource::{Admission, Endpoint, ResourceVersion, admit_value, admit_value_update};
use crd::value::{Kind, Value};

use crate::definition::Definition;

/// What becomes of a stored object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fate {
    /// Whether it can be stored again.
    pub validity: Validity,
    /// Fields that are dropped when it is read: their data is lost with the next write.
    pub lost: Vec<String>,
    /// Fields that defaults fill in, with their values.
    pub filled: Vec<(String, String)>,
    /// The version in which it is written, if the new definition does not serve it.
    pub unserved: Option<String>,
}

/// Whether an object can be stored again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Validity {
    /// As it is, and as a new one.
    #[default]
    Valid,
    /// As long as what is wrong stays as it is: fields and messages.
    Ratcheted(Vec<(String, String)>),
    /// Not even unchanged: fields and messages.
    Invalid(Vec<(String, String)>),
    /// It cannot be read.
    Unreadable(String),
}

/// What becomes of `object`, which is stored under `old`, under `new`.
///
/// # Errors
/// Why nothing can be said of it.
pub fn fate(
    old: &Definition,
    new: &Definition,
    object: &Value,
    server: KubernetesVersion,
) -> Result<Fate, String> {
    let text = |name| object.get(name).and_then(Value::as_str).unwrap_or_default();
    let (api_version, kind) = (text("apiVersion"), text("kind"));
    let find = |of: &Definition| of.versions.iter().find(|version| version.is_of(api_version, kind)).cloned();
    let before = find(old).ok_or_else(|| format!("the old definition has no version {api_version}"))?;
    let served = find(new).filter(|version| version.served);
    let unserved = served.is_none().then(|| api_version.to_owned());
    let after = served.or_else(|| new.versions.iter().find(|version| version.storage).cloned());
    let after = after.ok_or("the new definition has no storage version")?;
    let written = stored(object, &before, server)
        .map_err(|error| format!("the old definition cannot read it: {error}"))?;
    let mut moved = written.clone();
    if let Kind::Map(map) = &mut moved.kind
        && let Some(member) = map.get_mut("apiVersion")
    {
        member.value = Value::text(&format!("{}/{}", after.group, after.name));
    }
    // As somebody who writes it back unchanged.
    let again = admit_value_update(moved.clone(), moved.clone(), Endpoint::Object, &after, server);
    if let Some(error) = again.decode_error {
        return Ok(Fate { validity: Validity::Unreadable(error), unserved, ..Fate::default() });
    }
    // As if it were new, with its status.
    let whole = ResourceVersion { has_status: false, ..after };
    let fresh = admit_value(moved.clone(), &whole, server);
    let validity = match (errors(&again), errors(&fresh)) {
        (wrong, _) if !wrong.is_empty() => Validity::Invalid(wrong),
        (_, wrong) if !wrong.is_empty() => Validity::Ratcheted(wrong),
        _ => Validity::Valid,
    };
    let mut fate = Fate { validity, unserved, ..Fate::default() };
    if let Some(read) = &again.stored {
        compare(&moved, read, String::new(), &mut fate);
    }
    Ok(fate)
}

/// The object as the server holds it.
fn stored(object: &Value, version: &ResourceVersion, server: KubernetesVersion) -> Result<Value, String> {
    let admission = admit_value_update(object.clone(), object.clone(), Endpoint::Object, version, server);
    match (admission.decode_error, admission.stored) {
        (None, Some(stored)) => Ok(stored),
        (error, _) => Err(error.unwrap_or_default()),
    }
}

fn errors(admission: &Admission) -> Vec<(String, String)> {
    let errors = admission.errors.iter().map(|error| (error.field.clone(), error.message()));
    let mut errors: Vec<_> = errors.filter(|(_, message)| crate::run::own::is_of_its_own(message)).collect();
    errors.dedup();
    errors
}

/// Notes what is missing in `after`, and what is new there.
fn compare(before: &Value, after: &Value, path: String, fate: &mut Fate) {
    let below = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    match (&before.kind, &after.kind) {
        (Kind::Map(one), Kind::Map(other)) => {
            for (key, member) in one {
                if path.is_empty() && &**key == "metadata" {
                    continue;
                }
                match other.get(key) {
                    Some(kept) => compare(&member.value, &kept.value, below(key), fate),
                    None => fate.lost.push(below(key)),
                }
            }
            for (key, member) in other {
                if !(one.contains_key(key) || path.is_empty() && &**key == "metadata") {
                    fate.filled.push((below(key), member.value.to_json().to_string()));
                }
            }
        }
        (Kind::List(one), Kind::List(other)) => {
            for (index, (one, other)) in one.iter().zip(other).enumerate() {
                compare(one, other, format!("{path}[{index}]"), fate);
            }
        }
        _ => {}
    }
}
