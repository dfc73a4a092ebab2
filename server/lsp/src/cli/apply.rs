//! `crd-ls apply --dry-run`.

use std::path::Path;
use std::process::ExitCode;

use ide::preview::{StoredObject, stored as stored_objects};
use ide::{Catalog, Surroundings};
use serde::Serialize;
use serde_json::value::RawValue;

use super::input::{settings_of, text_of};
use super::known_definitions::{DefinitionRequest, read_definitions, with_stored};
use super::old_objects::StoredState;
use super::print::{CommandOutput, parsed};
use super::walk::{Source, sources};
use crate::args::{ApplyArgs, PreviewFormat};
use crate::config::Projects;
use crate::definitions::source_name;
use crate::opened_files::OpenFunction;
use crate::previews::stored_text;

/// Shows the resources that the arguments name as the server would store them.
pub(crate) fn run(args: &ApplyArgs) -> ExitCode {
    let projects = Projects::default();
    let (sources, problems) = sources(&args.paths);
    let mut shown = CommandOutput { problems, ..CommandOutput::default() };
    let before = match StoredState::read(&args.stored, &args.paths, &mut shown.problems) {
        Ok(before) => before,
        Err(problem) => {
            shown.problems.push(problem);
            return shown.write();
        }
    };
    let texts: Vec<(&Source, Result<String, String>)> =
        sources.iter().map(|source| (source, text_of(source))).collect();
    let stdin = texts.iter().find(|(source, _)| source.is_stdin());
    let stdin = stdin.and_then(|(_, text)| text.as_deref().ok());
    let settle: OpenFunction<'_, ()> = &|_, _, _| None;
    let request = DefinitionRequest {
        sources: &sources,
        paths: &args.paths,
        stdin,
        crds: &args.crds,
        stored_state: &before,
    };
    let known_definitions = read_definitions(&request, &projects, &mut shown.problems, settle);
    let catalog = with_stored(&Catalog::default().with(known_definitions.definitions), &before);
    for (source, text) in texts {
        let applied = text.and_then(|text| {
            let mut settings = settings_of(source, args.kubernetes_version, &projects)?;
            if let Some(validation) = args.field_validation {
                settings.field_validation = validation.into();
            }
            let (catalog, stored) = (catalog.clone(), before.stored_of(source)?);
            let surroundings =
                Surroundings { catalog, source: source_name(&source.path).into(), stored, base: None };
            Ok(stored_objects(&text, &surroundings, &settings))
        });
        match applied {
            Ok((objects, unknown)) => show_objects(source, &objects, &unknown, args.output, &mut shown),
            Err(problem) => shown.problems.push(problem),
        }
    }
    if shown.text.is_empty() && shown.problems.is_empty() {
        shown
            .problems
            .push("no custom resource with a definition found; name definitions with --crd PATH".to_owned());
    }
    shown.write()
}

/// Shows the `objects` of a source, and reports its kinds without a definition.
fn show_objects(
    source: &Source,
    objects: &[StoredObject],
    unknown: &[String],
    format: PreviewFormat,
    shown: &mut CommandOutput,
) {
    objects.iter().for_each(|object| show(&source.path, object, format, shown));
    // A walk also finds unrelated files.
    if !source.is_named {
        return;
    }
    let path = source.path.display();
    if objects.is_empty() && unknown.is_empty() {
        shown.problems.push(format!("{path}: no custom resource found"));
    }
    for kind in unknown.iter().filter(|kind| !kind.ends_with(" CustomResourceDefinition")) {
        shown.problems.push(format!("{path}: no definition serves {kind}; name one with --crd PATH"));
    }
}

fn show(path: &Path, object: &StoredObject, format: PreviewFormat, shown: &mut CommandOutput) {
    shown.bad |= !object.errors.is_empty();
    if format == PreviewFormat::Json {
        return shown.json_line(&Output {
            file: &path.display().to_string(),
            kind: &object.kind,
            name: &object.name,
            accepted: object.errors.is_empty(),
            object: object.json.as_deref().and_then(parsed),
            dropped: &object.dropped,
            defaulted: &object.defaulted,
            gated: object.gated.iter().map(GatedField::of).collect(),
            errors: &object.errors,
            warnings: &object.warnings,
            not_compared: object.not_compared.as_deref(),
        });
    }
    let separator = if shown.text.is_empty() { "" } else { "---\n" };
    shown.text.extend([separator, &stored_text(&path.display().to_string(), object)]);
}

#[derive(Serialize)]
struct Output<'a> {
    file: &'a str,
    kind: &'a str,
    name: &'a str,
    accepted: bool,
    object: Option<Box<RawValue>>,
    dropped: &'a [String],
    defaulted: &'a [String],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    gated: Vec<GatedField<'a>>,
    errors: &'a [String],
    warnings: &'a [String],
    /// The reason why the object is treated as new, although one with that name is stored.
    #[serde(rename = "notCompared", skip_serializing_if = "Option::is_none")]
    not_compared: Option<&'a str>,
}

/// A field that a feature gate guards.
#[derive(Serialize)]
struct GatedField<'a> {
    field: &'a str,
    action: &'a str,
    gate: &'a str,
}

impl<'a> GatedField<'a> {
    fn of(gated: &'a ide::preview::GatedFieldResult) -> Self {
        Self { field: &gated.field, action: gated.action, gate: &gated.gate }
    }
}
