//! `crd-ls apply --dry-run`.

use std::path::Path;
use std::process::ExitCode;

use ide::preview::{StoredObject, stored};
use ide::{Catalog, Surroundings};
use serde::Serialize;
use serde_json::value::RawValue;

use super::check::{learn, settings_of, text_of};
use super::print::{Shown, parsed};
use super::walk::{Source, sources};
use super::{ApplyArgs, PreviewFormat};
use crate::config::Projects;
use crate::definitions::source_name;
use crate::previews::stored_text;

/// Shows what the server would store of the resources that the arguments name.
pub(crate) fn run(args: &ApplyArgs) -> ExitCode {
    let projects = Projects::default();
    let (sources, problems) = sources(&args.paths);
    let mut shown = Shown { problems, ..Shown::default() };
    let texts: Vec<(&Source, Result<String, String>)> =
        sources.iter().map(|source| (source, text_of(source))).collect();
    let stdin = texts.iter().find(|(source, _)| source.is_stdin());
    let stdin = stdin.and_then(|(_, text)| text.as_deref().ok());
    let learned = learn(&sources, stdin, &args.crds, &projects, &mut shown.problems);
    let catalog = Catalog::default().with(learned.definitions);
    for (source, text) in &texts {
        let settings = settings_of(source, args.kubernetes_version, &projects);
        let (text, settings) = match (text, settings) {
            (Ok(text), Ok(settings)) => (text, settings),
            (Err(problem), _) => {
                shown.problems.push(problem.clone());
                continue;
            }
            (_, Err(problem)) => {
                shown.problems.push(problem);
                continue;
            }
        };
        let surroundings = Surroundings {
            catalog: catalog.clone(),
            source: source_name(&source.path).into(),
            stored: None,
            base: None,
        };
        let (objects, unknown) = stored(text, &surroundings, &settings);
        objects.iter().for_each(|object| show(&source.path, object, args.output, &mut shown));
        // A walk comes upon much else.
        if !source.named {
            continue;
        }
        let path = source.path.display();
        if objects.is_empty() && unknown.is_empty() {
            shown.problems.push(format!("{path}: there is no custom resource in it"));
        }
        for kind in unknown.iter().filter(|kind| !kind.ends_with(" CustomResourceDefinition")) {
            shown.problems.push(format!("{path}: no definition serves {kind}; name one with --crd PATH"));
        }
    }
    shown.write()
}

fn show(path: &Path, object: &StoredObject, format: PreviewFormat, shown: &mut Shown) {
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
            errors: &object.errors,
            warnings: &object.warnings,
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
    errors: &'a [String],
    warnings: &'a [String],
}
