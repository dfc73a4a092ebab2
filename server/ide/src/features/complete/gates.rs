//! Completion in the feature gates of a definition, if that proposal is enabled.

use std::collections::BTreeSet;

use api::{CUSTOM_FEATURE_GATES, FEATURE_GATE, FieldType, GATED_SPEC};
use crd::gates::{FORMS, FeatureGates};
use crd::object::CustomResourceDefinition;
use crd::schema::{Keyword, Schema};
use yaml::ValueKind;

use super::{ProposalDraft, ProposalList, Request, keys};
use crate::analysis::resources::{ResourcePlace, Shape, Target, find};
use crate::features::cel::{CompletionKind, InsertedPiece};

static GATE: FieldType = FieldType::Object(&FEATURE_GATE);

/// The maximum number of proposed paths.
const MOST_PATHS: usize = 500;

/// Proposes keys and values within the gates; none elsewhere.
pub(super) fn complete<'a>(
    request: &Request<'a, '_>,
    definition: &CustomResourceDefinition<'_, 'a>,
    items: &mut ProposalList<'_>,
) -> Option<()> {
    if !request.view.settings.experiments.feature_gates {
        return None;
    }
    let at = request.probe.at;
    let values = FORMS.iter().filter_map(|form| Some((*form, definition.field(&["spec", form])?)));
    let (form, value) = values.into_iter().find(|(_, value)| value.range().touches(at))?;
    let ty = match value.kind() {
        ValueKind::Mapping(_) => FieldType::Object(&CUSTOM_FEATURE_GATES),
        ValueKind::Sequence(_) => FieldType::List(&GATE),
        _ => GATED_SPEC.field(form)?.ty,
    };
    let place = find(value, Shape::Api(ty), at)?;
    let is_path = place.path.segments().iter().any(|step| step.key() == Some("fieldPaths"));
    match place.target {
        Target::Value(path) if is_path && path.as_scalar().is_some() => {
            items.range = request.probe.in_text(path.range());
            paths(definition, items);
        }
        _ => {
            request.place(&place, items);
        }
    }
    Some(())
}

/// Proposes the fields of `spec` for gates.
pub(super) fn forms<'a>(
    request: &Request<'a, '_>,
    place: ResourcePlace<'a, '_>,
    items: &mut ProposalList<'_>,
) {
    let is_of_spec =
        place.path.len() == 2 && place.path.segments().first().is_some_and(|step| step.key() == Some("spec"));
    if let (true, true, Target::Key(holder)) =
        (request.view.settings.experiments.feature_gates, is_of_spec, place.target)
    {
        let place = ResourcePlace { shape: Shape::Api(FieldType::Object(&GATED_SPEC)), ..place };
        keys::at_key(request, &place, holder, items);
    }
}

/// Proposes the fields that the first schema declares and no gate has yet.
fn paths(definition: &CustomResourceDefinition<'_, '_>, items: &mut ProposalList<'_>) {
    let known: BTreeSet<String> =
        FeatureGates::read(definition).fields().into_iter().map(|field| field.path).collect();
    let Some(place) = definition.schemas().into_iter().next() else { return };
    let mut pending = vec![(String::new(), place.value)];
    let mut found = Vec::new();
    while let Some((path, value)) = pending.pop() {
        // Aliases are skipped, as their values may contain themselves.
        let Some(schema) = value.as_mapping().and_then(|_| Schema::read(value, definition.reader())) else {
            continue;
        };
        if found.len() >= MOST_PATHS {
            break;
        }
        for (name, entry) in schema.members(Keyword::Properties).entries {
            let is_head = path.is_empty() && ["metadata", "apiVersion", "kind"].contains(&name.as_ref());
            if !is_head && !name.contains('.') {
                let path = format!("{path}.{name}");
                let of = Schema::read(entry.value(), definition.reader());
                let ty = of.and_then(|schema| schema.string(Keyword::Type).map(std::borrow::Cow::into_owned));
                found.push((path.clone(), ty.unwrap_or_default()));
                pending.push((path, entry.value()));
            }
        }
    }
    found.sort();
    for (path, detail) in found.into_iter().filter(|(path, _)| !known.contains(path)) {
        items.push(ProposalDraft {
            label: path.clone(),
            kind: CompletionKind::Value,
            rank: 0,
            detail,
            documentation: String::new(),
            pieces: vec![InsertedPiece::Text(path.into())],
        });
    }
}
