//! The feature gates of definitions, with their states.

use crd::gates::{FeatureGates, Gate, State};
use crd::object::definitions;
use yaml::{Reader, Tree};

/// The gates of a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefinitionGates {
    /// The definition's `metadata.name`.
    pub name: String,
    /// The component that has the gates, if it is declared.
    pub component: Option<String>,
    /// The gates in the order of the text.
    pub gates: Vec<GateState>,
}

/// A gate, with its state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GateState {
    /// Its name.
    pub name: String,
    /// `alpha`, `beta`, `stable` or `deprecated`; empty if it cannot be read.
    pub stage: &'static str,
    /// `enabled`, if it is set.
    pub enabled: Option<bool>,
    /// `default`, if it is set.
    pub default: Option<bool>,
    /// Whether it is on.
    pub on: bool,
    /// The reason in a few words.
    pub why: String,
    /// The paths of the fields that it guards.
    pub paths: Vec<String>,
}

/// The gates of the definitions in `text`. Definitions without gates are omitted.
#[must_use]
pub fn gates(text: &str) -> Vec<DefinitionGates> {
    let tree = Tree::parse(text);
    let mut all = Vec::new();
    for document in tree.documents() {
        let reader = Reader::new(document);
        for definition in definitions(document, &reader) {
            let gates = FeatureGates::read(&definition);
            if gates.is_empty() {
                continue;
            }
            let one = |(gate, state): (&Gate, _)| state_of(gate, state);
            all.push(DefinitionGates {
                name: definition.name().unwrap_or_default().into_owned(),
                component: gates.component.clone(),
                gates: gates.gates.iter().zip(gates.states()).map(one).collect(),
            });
        }
    }
    all
}

fn state_of(gate: &Gate, state: State) -> GateState {
    GateState {
        name: gate.title().to_owned(),
        stage: gate.stage.as_ref().map(|stage| stage.value.as_str()).unwrap_or_default(),
        enabled: gate.enabled.as_ref().map(|enabled| enabled.value),
        default: gate.default.as_ref().map(|default| default.value),
        on: state.on,
        why: state.reason_text(),
        paths: gate.field_paths.iter().map(|path| path.value.clone()).collect(),
    }
}
