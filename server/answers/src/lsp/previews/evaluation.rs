//! The results of the rules of a definition on the resources of its kind, from the workspace or a generated
//! sample.

use crate::lsp::error::Result;
use ide::Catalog;
use ide::Surroundings;
use ide::preview::{ResourceEvaluation, Trace, TracedExpression, evaluate, samples};
use serde_json::{Value, json};
use text::{TextRange, TextSize};

use super::{MOST_RESOURCES, Preview};
use crate::lsp::convert::source_of;

/// The maximum number of parts of a rule that are shown beside it.
const MOST_PARTS: usize = 12;
/// The longest value that is not cut, in characters.
const LONGEST: usize = 60;

/// The results of an evaluation.
pub(super) struct EvaluatedResources {
    pub(super) kind: String,
    /// Each with the address of the text that contains the resource.
    pub(super) evaluated: Vec<(String, ResourceEvaluation)>,
    /// Whether these are samples, because the workspace has no resource.
    pub(super) is_generated: bool,
}

/// Evaluates the definition at the cursor, or the first one; `None` if the text has none.
pub(super) fn of_definition(preview: &Preview<'_>) -> Result<Option<EvaluatedResources>> {
    let offset = preview.offset.unwrap_or_default();
    let defined = preview.file.defined_kinds();
    let Some(defined) = defined.iter().rfind(|one| one.range.start <= offset).or(defined.first()) else {
        return Ok(None);
    };
    let context = preview.context;
    let source = source_of(context.uri);
    // Only this definition validates, even if there are others for the kind.
    let own = preview.file.definitions(&source, context.buffer);
    let catalog = Catalog::default().with([(source.into(), own)]);
    let evaluated_resources = |uri: &str, text: &str| {
        let surroundings =
            Surroundings { catalog: catalog.clone(), source: uri.into(), stored: None, base: None };
        let all = evaluate(text, Trace::All, &surroundings, preview.settings());
        all.into_iter().map(|one| (uri.to_owned(), one)).collect::<Vec<_>>()
    };
    let mut all = Vec::new();
    for found in context.workspace.texts_with(&defined.kind, &defined.group) {
        if all.len() >= MOST_RESOURCES {
            break;
        }
        let (uri, text) = found?;
        all.extend(evaluated_resources(uri.as_str(), &text));
    }
    let is_generated = all.is_empty();
    if is_generated {
        // An invalid definition has no samples; its findings give the reason.
        let samples = samples(&preview.text, preview.settings()).unwrap_or_else(|_| Vec::new());
        let of_kind = samples.into_iter().filter(|sample| {
            sample.kind == defined.kind && sample.api_version.starts_with(&format!("{}/", defined.group))
        });
        all.extend(of_kind.flat_map(|sample| evaluated_resources("", &sample.yaml)));
    }
    Ok(Some(EvaluatedResources { kind: defined.kind.clone(), evaluated: all, is_generated }))
}

/// The rules of the definition with their places and results.
pub(super) fn answer(preview: &Preview<'_>) -> Result<Value> {
    let Some(evaluated_resources) = of_definition(preview)? else { return Ok(Value::Null) };
    let converter = preview.context.converter();
    let rules = preview.file.rules(TextRange::new(0, TextSize::MAX));
    let of_rule = |rule: &ide::RuleAt| {
        let results: Vec<Value> = evaluated_resources
            .evaluated
            .iter()
            .flat_map(|(uri, evaluated)| {
                let traced = evaluated.rules.iter().flatten().filter(|traced| traced.text == rule.text);
                traced.map(move |traced| result(uri, evaluated, traced))
            })
            .collect();
        json!({ "range": converter.range(rule.range), "rule": rule.text, "results": results })
    };
    let rules: Vec<Value> = rules.iter().map(of_rule).collect();
    Ok(
        json!({ "kind": evaluated_resources.kind, "isGenerated": evaluated_resources.is_generated, "rules": rules }),
    )
}

/// The result of a rule on one value.
fn result(uri: &str, evaluated: &ResourceEvaluation, traced: &TracedExpression) -> Value {
    let (value, error) = match &traced.result {
        Some(Ok(value)) => (Some(cut(value)), None),
        Some(Err(error)) => (None, Some(cut(error))),
        None => (None, None),
    };
    let parts = traced.parts.iter().filter(|part| part.depth > 0).filter_map(|part| {
        let text = traced.text.get(part.range.as_usize())?;
        let values: Vec<String> = part.values.iter().flatten().take(3).map(|value| cut(value)).collect();
        let is_informative =
            !values.is_empty() && !matches!(values.as_slice(), [one] if one == "true" || one == "false");
        is_informative.then(|| json!({ "text": cut(text), "values": values, "times": part.times }))
    });
    let parts: Vec<Value> = parts.take(MOST_PARTS).collect();
    json!({
        "uri": if uri.is_empty() { Value::Null } else { json!(uri) },
        "name": evaluated.name,
        "path": traced.path,
        "value": value,
        "error": error,
        "parts": parts,
    })
}

fn cut(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    text::start(&line, LONGEST).into_owned()
}
