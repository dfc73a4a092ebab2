//! The lines above definitions and rules: the number of resources, and a link that evaluates a rule.

use ls_types::{CodeLens, Command, Location, Uri};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use text::TextRange;

use super::error::Result;
use super::profile::SHOW_REFERENCES;
use super::{Context, CountedResources, read};

/// A command of clients that understand our arguments.
const SHOW_EVALUATION: &str = "crd-ls.showEvaluation";

/// The maximum number of places in a lens: nobody looks through more. The count includes all of them.
const MOST_PLACES: usize = 2_000;

/// The definition whose resources a lens counts.
#[derive(Debug, Deserialize, Serialize)]
struct ResourceKind {
    /// The document that it is in.
    uri: Uri,
    group: String,
    kind: String,
}

/// The lenses of the text; `None` if it is neither YAML nor JSON.
#[must_use]
pub fn lenses(context: &Context<'_>) -> Option<Vec<CodeLens>> {
    let file = context.file?;
    let converter = context.converter();
    let uri = context.uri;
    let at = |range: TextRange| converter.range(TextRange::empty(range.start));
    let mut lenses = Vec::new();
    if file.settings().resource_lenses {
        lenses.extend(file.defined_kinds().into_iter().map(|defined| {
            let of = ResourceKind { uri: uri.clone(), group: defined.group, kind: defined.kind };
            CodeLens { range: at(defined.range), command: None, data: serde_json::to_value(of).ok() }
        }));
    }
    if file.settings().evaluation_lenses && context.profile.has_commands {
        // One lens evaluates all rules of a definition; separate lenses are only for the rules that cost
        // much.
        let rules = file.rules(TextRange::new(0, u32::MAX));
        let kinds = file.defined_kinds();
        let next_kind = |start: u32| kinds.iter().map(|kind| kind.range.start).find(|next| *next > start);
        let has_rules = |start: u32| {
            let end = next_kind(start).unwrap_or(u32::MAX);
            rules.iter().any(|rule| (start..end).contains(&rule.range.start))
        };
        lenses.extend(kinds.iter().filter(|kind| has_rules(kind.range.start)).map(|kind| {
            let command = Command {
                title: "evaluate rules".to_owned(),
                command: SHOW_EVALUATION.to_owned(),
                arguments: Some(vec![json!(uri)]),
            };
            CodeLens { range: at(kind.range), command: Some(command), data: None }
        }));
        lenses.extend(rules.iter().filter(|rule| rule.is_costly).map(|rule| {
            let range = at(rule.range);
            let command = Command {
                title: "evaluate".to_owned(),
                command: SHOW_EVALUATION.to_owned(),
                arguments: Some(vec![json!(uri), json!(range.start)]),
            };
            CodeLens { range, command: Some(command), data: None }
        }));
    }
    Some(lenses)
}

/// Resolves a lens: counts the resources.
pub(super) fn resolve(context: &Context<'_>, mut lens: CodeLens) -> Result<CodeLens> {
    let of: ResourceKind = read(lens.data.clone().unwrap_or(Value::Null))?;
    let Some(CountedResources { places, with_findings: bad }) =
        context.workspace.resources(&of.group, &of.kind)?
    else {
        let title = "counting resources".to_owned();
        lens.command = Some(Command { title, command: String::new(), arguments: None });
        return Ok(lens);
    };
    let resources = match places.len() {
        0 => "no resources".to_owned(),
        1 => "1 resource".to_owned(),
        count => format!("{count} resources"),
    };
    let title = if bad == 0 { resources } else { format!("{resources}, {bad} with findings") };
    // A client shows nothing without a command; an empty command does nothing.
    let is_link = context.profile.has_commands && !places.is_empty();
    let (command, arguments) = if is_link {
        let shown: Vec<&Location> = places.iter().take(MOST_PLACES).collect();
        (SHOW_REFERENCES.to_owned(), Some(vec![json!(of.uri), json!(lens.range.start), json!(shown)]))
    } else {
        (String::new(), None)
    };
    lens.command = Some(Command { title, command, arguments });
    Ok(lens)
}
