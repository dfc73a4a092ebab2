//! The effect of gates on fields of objects that are stored.

use std::collections::BTreeSet;

use text::TextRange;

use crate::gates::{FeatureGates, steps};
use crate::value::{Kind, Member, Place, Value};

/// A field that a gate guards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GatedField {
    /// The path as written, such as `.spec.replicas`.
    pub path: String,
    /// The gate's name.
    pub gate: String,
    /// Whether the gate is on.
    pub on: bool,
    /// A short reason.
    pub reason: String,
    /// The byte range of the gate's name in the definition.
    pub range: TextRange,
}

/// The effect on a gated field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// The gate is off and the field is not stored yet: it is dropped.
    Dropped,
    /// As `Dropped`, but a default set the field, not the request.
    DefaultDropped,
    /// The gate is on and the field is not stored yet: it is stored.
    Set,
    /// The gate is off and the field is stored: the stored value is kept.
    Kept,
    /// The gate is on and the field is stored: it is set to the value of the request.
    Updated,
}

/// A gated field with the effect on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The field.
    pub field: GatedField,
    /// The effect on the field.
    pub action: Action,
}

impl Action {
    /// The displayed name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Dropped => "dropped",
            Self::DefaultDropped => "default dropped",
            Self::Set => "set",
            Self::Kept => "kept as stored",
            Self::Updated => "updated",
        }
    }
}

impl FeatureGates {
    /// The gated fields, ancestors before descendants.
    #[must_use]
    pub fn fields(&self) -> Vec<GatedField> {
        let mut fields = Vec::new();
        for (gate, state) in self.gates.iter().zip(self.states()) {
            for path in gate.field_paths.iter().filter(|path| steps(&path.value).is_ok()) {
                fields.push(GatedField {
                    path: path.value.clone(),
                    gate: gate.title().to_owned(),
                    on: state.on,
                    reason: state.reason_text(),
                    range: gate.name.range,
                });
            }
        }
        fields.sort_by_key(|field| field.path.matches('.').count());
        fields
    }
}

/// Applies the gates to `object`, which is to be stored: a field whose gate is off gets the value in `stored`,
/// or is removed. Returns the effect on each field of `object` and `stored`. A field whose gate is off includes the
/// fields below it.
pub fn apply(object: &mut Value, stored: Option<&Value>, fields: &[GatedField]) -> Vec<Outcome> {
    let mut outcomes = Vec::new();
    let mut off: BTreeSet<Vec<&str>> = BTreeSet::new();
    for field in fields {
        let Ok(steps) = steps(&field.path) else { continue };
        if (1..steps.len()).any(|length| steps.get(..length).is_some_and(|above| off.contains(above))) {
            continue;
        }
        let sent = get(object, &steps);
        let is_default = sent.is_some_and(|sent| matches!(sent.place, Place::Definition(_)));
        let is_sent = sent.is_some();
        let before = stored.and_then(|stored| get(stored, &steps));
        let action = match (before.is_some(), field.on) {
            (false, false) if is_default => Action::DefaultDropped,
            (false, false) => Action::Dropped,
            (false, true) => Action::Set,
            (true, false) => Action::Kept,
            (true, true) => Action::Updated,
        };
        if is_sent || action == Action::Kept || action == Action::Updated {
            outcomes.push(Outcome { field: field.clone(), action });
        }
        if !field.on {
            put(object, &steps, before);
            off.insert(steps);
        }
    }
    outcomes
}

fn get<'v>(value: &'v Value, steps: &[&str]) -> Option<&'v Value> {
    steps.iter().try_fold(value, |value, step| value.get(step))
}

/// Sets or removes the field. A missing parent is not created: removing the parent also removes the field.
fn put(value: &mut Value, steps: &[&str], new: Option<&Value>) {
    let Some((last, above)) = steps.split_last() else { return };
    let mut holder = value;
    for step in above {
        let Kind::Map(map) = &mut holder.kind else { return };
        let Some(member) = map.get_mut(*step) else { return };
        holder = &mut member.value;
    }
    let Kind::Map(map) = &mut holder.kind else { return };
    match new {
        Some(new) => {
            map.entry((*last).into())
                .and_modify(|member| member.value = new.clone())
                .or_insert_with(|| Member { key: new.place, value: new.clone() });
        }
        None => {
            map.remove(*last);
        }
    }
}
