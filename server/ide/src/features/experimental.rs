//! Editor features for feature gates on fields, if that experiment is enabled.

#[cfg(test)]
mod tests;

use crd::gates::{FeatureGates, Gate, GateReason, Spanned, State, steps};
use crd::object::{CustomResourceDefinition, definitions};
use crd::schema::{Keyword, Schema};
use text::{TextRange, TextSize};
use yaml::{Reader, Tree};

use crate::analysis::resources::View;
use crate::analysis::text_at::document_at;
use crate::{Definition, Hint, Hover};

/// Hints after the names of gates in `range` that show whether the gate is on.
pub(crate) fn hints(view: View<'_>, range: TextRange) -> Vec<Hint> {
    let mut hints = Vec::new();
    if !view.settings.experiments.feature_gates {
        return hints;
    }
    for document in view.tree.documents().filter(|document| document.range().overlaps(range)) {
        let reader = Reader::new(document);
        for definition in definitions(document, &reader) {
            let gates = FeatureGates::read(&definition);
            for (gate, state) in gates.gates.iter().zip(gates.states()) {
                let offset = gate.name.range.end;
                if range.touches(offset) && !gate.name.value.is_empty() {
                    let label = format!("{} · {}", state.on_or_off(), state.reason_text());
                    hints.push(Hint { offset, label, tooltip: section(gate, &state) });
                }
            }
        }
    }
    hints
}

/// The hover of the gate around `offset` (in bytes): on its name, one of its paths, or a field that
/// determines its state.
pub(crate) fn hover(view: View<'_>, offset: TextSize) -> Option<Hover> {
    with_gate(view, offset, |_, gate, state| {
        let states = [&gate.enabled, &gate.default].into_iter().flatten().map(|written| written.range);
        let stage = gate.stage.iter().map(|stage| stage.range);
        let named = gate.field_paths.iter().map(|path| path.range).chain([gate.name.range]);
        let range = states.chain(stage).chain(named).find(|range| range.touches(offset))?;
        Some(Hover { range, markdown: section(gate, state) })
    })
}

/// The property that the path at `offset` (in bytes) leads to. On the name of a gate, the property of its
/// first path.
pub(crate) fn definition(view: View<'_>, offset: TextSize) -> Option<Definition> {
    with_gate(view, offset, |definition, gate, _| {
        let on_path = gate.field_paths.iter().find(|path| path.range.touches(offset));
        let on_name = || gate.field_paths.first().filter(|_| gate.name.range.touches(offset));
        let path = on_path.or_else(on_name)?;
        let name = if path.range.touches(offset) { path.range } else { gate.name.range };
        Some(Definition { name, target: property(definition, path)?, elsewhere: None })
    })
}

/// Calls `take` with the gate around `offset`.
fn with_gate<T>(
    view: View<'_>,
    offset: TextSize,
    take: impl FnOnce(&CustomResourceDefinition<'_, '_>, &Gate, &State) -> Option<T>,
) -> Option<T> {
    if !view.settings.experiments.feature_gates {
        return None;
    }
    let tree: &Tree = view.tree;
    let document = document_at(tree, offset)?;
    let reader = Reader::new(document);
    let definition =
        definitions(document, &reader).into_iter().find(|one| one.value().range().touches(offset))?;
    let gates = FeatureGates::read(&definition);
    let (at, gate) = gates.gates.iter().enumerate().find(|(_, gate)| gate.range.touches(offset))?;
    take(&definition, gate, gates.states().get(at)?)
}

/// The key of the property in the first schema that declares it.
fn property(definition: &CustomResourceDefinition<'_, '_>, path: &Spanned<String>) -> Option<TextRange> {
    let steps = steps(&path.value).ok()?;
    definition.schemas().into_iter().find_map(|place| {
        let mut schema = Schema::read(place.value, definition.reader())?;
        let mut key = None;
        for step in &steps {
            let entry = schema.members(Keyword::Properties).get(step)?;
            key = Some(entry.key_range());
            schema = Schema::read(entry.value(), definition.reader())?;
        }
        key
    })
}

/// The text of the hover of a gate.
fn section(gate: &Gate, state: &State) -> String {
    let stage = gate.stage.iter().map(|stage| format!(" · {}", stage.value.as_str())).collect::<String>();
    let why = match state.reason {
        GateReason::Enabled | GateReason::Default => format!("`{}`", state.reason_text()),
        _ => state.reason_text(),
    };
    let mut text = format!("**Feature gate `{}`**{stage} · {} ({why})\n\n", gate.title(), state.on_or_off());
    text.push_str(match state.on {
        true => "Its fields are stored as sent.",
        false => "Its fields are removed from new objects; updates keep them in stored objects.",
    });
    let paths: Vec<String> = gate.field_paths.iter().map(|path| format!("`{}`", path.value)).collect();
    if !paths.is_empty() {
        text.push_str(&format!("\n\nGuards {}.", paths.join(", ")));
    }
    text.push_str("\n\nA proposal that kube-apiserver does not implement.");
    text
}
