//! The additions of enabled proposals to a published schema: unions as value validations, and the feature gates
//! of fields.

use std::collections::BTreeSet;

use yaml::Json;

use super::{Object, array, member, object, text};
use crate::experimental::{Experiments, UNIONS};
use crate::gates::{FeatureGates, steps};

/// The extension that names the gate of a field.
const GATE: &str = "x-kubernetes-feature-gate";

/// The parts of a definition that enabled proposals define.
#[derive(Default)]
pub(super) struct EnabledProposals {
    has_unions: bool,
    /// The path of each gated field, with the published data of its gate.
    gates: Vec<(Vec<String>, Json)>,
}

impl EnabledProposals {
    pub(super) fn of(gates: impl FnOnce() -> FeatureGates, experiments: Experiments) -> Self {
        let gates = if experiments.feature_gates { gate_data(&gates()) } else { Vec::new() };
        Self { has_unions: experiments.unions, gates }
    }

    /// Adds the proposals' parts to `published`, which is built from `schema`; value validations only if
    /// `has_validations`.
    pub(super) fn add(&self, schema: &Object, published: &mut Object, has_validations: bool) {
        if self.has_unions {
            add_unions(schema, published, has_validations);
        }
        for (steps, gate) in &self.gates {
            if let Some(field) = field(published, steps) {
                field.insert(GATE.to_owned(), gate.clone());
            }
        }
    }
}

/// The published data of each gated field.
fn gate_data(gates: &FeatureGates) -> Vec<(Vec<String>, Json)> {
    let mut gate_data = Vec::new();
    for (gate, state) in gates.gates.iter().zip(gates.states()) {
        let mut info = Object::from([
            ("name".to_owned(), string(&gate.name.value)),
            ("enabled".to_owned(), Json::Bool(state.on)),
        ]);
        let texts = [
            ("preRelease", gate.stage.as_ref().map(|stage| stage.value.as_str())),
            ("component", gates.component.as_deref()),
            ("deprecatedWarning", gate.warning.as_deref()),
        ];
        for (name, value) in texts {
            info.extend(value.map(|value| (name.to_owned(), string(value))));
        }
        for path in &gate.field_paths {
            let Ok(steps) = steps(&path.value) else { continue };
            gate_data.push((steps.into_iter().map(str::to_owned).collect(), Json::Object(info.clone())));
        }
    }
    gate_data
}

/// The schema of the field at `steps`.
fn field<'o>(schema: &'o mut Object, steps: &[String]) -> Option<&'o mut Object> {
    steps.iter().try_fold(schema, |schema, step| below(below(schema, "properties")?, step))
}

fn below<'o>(object: &'o mut Object, name: &str) -> Option<&'o mut Object> {
    match object.get_mut(name) {
        Some(Json::Object(below)) => Some(below),
        _ => None,
    }
}

fn add_unions(schema: &Object, published: &mut Object, has_validations: bool) {
    for keyword in ["items", "additionalProperties"] {
        if let (Some(schema), Some(published)) = (object(member(schema, keyword)), below(published, keyword))
        {
            add_unions(schema, published, has_validations);
        }
    }
    if let (Some(schemas), Some(published)) =
        (object(member(schema, "properties")), below(published, "properties"))
    {
        for (name, schema) in schemas {
            if let (Some(schema), Some(published)) = (object(Some(schema)), below(published, name)) {
                add_unions(schema, published, has_validations);
            }
        }
    }
    let Some(unions) = member(schema, UNIONS) else { return };
    published.insert(UNIONS.to_owned(), unions.clone());
    for union in array(schema, UNIONS).iter().filter_map(|union| object(Some(union))) {
        if has_validations {
            unfold(union, published);
        }
    }
}

/// Adds value validations that express `union`, unless the schema already has them.
fn unfold(union: &Object, published: &mut Object) {
    let Some(fields) = object(member(union, "fields")).filter(|fields| !fields.is_empty()) else { return };
    let names: BTreeSet<&str> = fields.keys().map(String::as_str).collect();
    let is_covered = |schema: &Object| required_of_branches(schema) == Some(names.clone());
    let of_all = || array(published, "allOf").iter().filter_map(|branch| object(Some(branch)));
    if !is_covered(published) && !of_all().any(is_covered) {
        let branch = |name: &String| object_with("required", Json::Array(vec![string(name)]));
        let branches = Json::Array(fields.keys().map(branch).collect());
        and(published, "oneOf", branches);
    }
    let discriminator = text(union, "discriminator");
    let values: BTreeSet<&str> = fields.values().filter_map(Json::as_str).collect();
    if discriminator.is_empty() || values.is_empty() {
        return;
    }
    let listed = Json::Array(values.iter().map(|value| string(value)).collect());
    let Some(property) = field(published, std::slice::from_ref(&discriminator)) else { return };
    let own = array(property, "enum");
    if own.iter().filter_map(Json::as_str).collect::<BTreeSet<_>>() != values || own.len() != values.len() {
        and(property, "enum", listed);
    }
}

/// Adds `keyword` to `schema`, or a branch of `allOf` with `keyword` if the schema already has it.
fn and(schema: &mut Object, keyword: &str, value: Json) {
    if !schema.contains_key(keyword) {
        schema.insert(keyword.to_owned(), value);
        return;
    }
    let mut branches = array(schema, "allOf").to_vec();
    branches.push(object_with(keyword, value));
    schema.insert("allOf".to_owned(), Json::Array(branches));
}

/// The fields that the branches of `oneOf` require, if each branch requires one field and has no other keyword.
fn required_of_branches(schema: &Object) -> Option<BTreeSet<&str>> {
    let branches = array(schema, "oneOf");
    let names = branches.iter().map(|branch| {
        let branch = object(Some(branch)).filter(|branch| branch.len() == 1)?;
        match array(branch, "required") {
            [name] => name.as_str(),
            _ => None,
        }
    });
    names.collect()
}

fn object_with(keyword: &str, value: Json) -> Json {
    Json::Object(Object::from([(keyword.to_owned(), value)]))
}

fn string(text: &str) -> Json {
    Json::String(text.to_owned())
}
