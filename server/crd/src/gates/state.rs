//! The states of gates, with their reasons.

use std::collections::BTreeMap;

use crate::gates::{FeatureGates, Gate, Stage, steps};

/// The state of a gate, with its reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// Whether it is on.
    pub on: bool,
    /// The reason.
    pub reason: GateReason,
}

/// The reason why a gate is on or off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GateReason {
    /// It is stable.
    Stable,
    /// `enabled` is set.
    Enabled,
    /// `enabled` is not set, but `default` is.
    Default,
    /// Neither is set, so a gate of this stage is off; `None` if the stage is unknown.
    Stage(Option<Stage>),
    /// A gate that is off guards a field above one of its fields.
    Parent {
        /// The field above, as written.
        path: String,
        /// The gate.
        gate: String,
    },
}

impl State {
    /// `on` or `off`.
    #[must_use]
    pub fn on_or_off(&self) -> &'static str {
        if self.on { "on" } else { "off" }
    }

    /// The reason in a few words.
    #[must_use]
    pub fn reason_text(&self) -> String {
        let on = self.on;
        match &self.reason {
            GateReason::Stable => "stable".to_owned(),
            GateReason::Enabled => format!("enabled: {on}"),
            GateReason::Default => format!("default: {on}"),
            GateReason::Stage(Some(stage)) => {
                format!("{}, neither enabled nor default is set", stage.as_str())
            }
            GateReason::Stage(None) => "neither enabled nor default is set".to_owned(),
            GateReason::Parent { path, gate } => format!("{gate} of {path} is off"),
        }
    }
}

impl Gate {
    /// The state by the gate's own fields.
    fn own_state(&self) -> State {
        let stage = self.stage.as_ref().map(|stage| stage.value);
        let from = |written: &super::Spanned<bool>, reason| State { on: written.value, reason };
        match (stage, &self.enabled, &self.default) {
            (Some(Stage::Stable), ..) => State { on: true, reason: GateReason::Stable },
            (_, Some(enabled), _) => from(enabled, GateReason::Enabled),
            (_, None, Some(default)) => from(default, GateReason::Default),
            (stage, None, None) => State { on: false, reason: GateReason::Stage(stage) },
        }
    }
}

impl FeatureGates {
    /// The states of the gates, in their order. A gate is off if a gate that is off guards a field above one
    /// of its fields.
    #[must_use]
    pub fn states(&self) -> Vec<State> {
        let mut states: Vec<State> = self.gates.iter().map(Gate::own_state).collect();
        let below = self.below();
        let mut pending: Vec<usize> =
            states.iter().enumerate().filter(|(_, state)| !state.on).map(|(at, _)| at).collect();
        while let Some(parent) = pending.pop() {
            for (path, child) in below.get(&parent).into_iter().flatten() {
                let Some(state) = states.get_mut(*child).filter(|state| state.on) else { continue };
                let gate = self.gates.get(parent).map(|gate| gate.title().to_owned()).unwrap_or_default();
                *state = State { on: false, reason: GateReason::Parent { path: (*path).to_owned(), gate } };
                pending.push(*child);
            }
        }
        states
    }

    /// For each gate, the gates that guard a field below one of its fields, with that field of it. Paths are
    /// compared by steps: `.spec.foo` is not above `.spec.foobar`.
    fn below(&self) -> BTreeMap<usize, Vec<(&str, usize)>> {
        let mut guards: BTreeMap<Vec<&str>, (&str, usize)> = BTreeMap::new();
        for (at, gate) in self.gates.iter().enumerate() {
            for path in &gate.field_paths {
                if let Ok(steps) = steps(&path.value) {
                    guards.entry(steps).or_insert((&path.value, at));
                }
            }
        }
        let mut below: BTreeMap<usize, Vec<(&str, usize)>> = BTreeMap::new();
        for (child, gate) in self.gates.iter().enumerate() {
            for path in &gate.field_paths {
                // An invalid path is a separate error.
                let Ok(steps) = steps(&path.value) else { continue };
                let above = (1..steps.len()).filter_map(|length| guards.get(steps.get(..length)?));
                for (path, parent) in above.filter(|(_, parent)| *parent != child) {
                    below.entry(*parent).or_default().push((path, child));
                }
            }
        }
        below
    }
}
