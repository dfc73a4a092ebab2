//! `crd-ls openapi`.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use answers::forms::{PublishedOutput, value};
use ide::preview::{PublishedDefinition, PublishedForm, PublishedVersion, openapi};

use super::input::{UnreadableInput, settings_of, text_of, undecoded};
use super::print::CommandOutput;
use super::walk::{Source, sources};
use crate::args::{OpenapiArgs, PreviewFormat};
use crate::config::Projects;
use crate::previews::published_texts;

/// Shows the published schemas of the definitions that the arguments name.
pub(crate) fn run(args: &OpenapiArgs) -> ExitCode {
    let form = match args {
        OpenapiArgs { v2: true, .. } => PublishedForm::V2,
        OpenapiArgs { skeleton: true, .. } => PublishedForm::Skeleton,
        _ => PublishedForm::V3,
    };
    let projects = Projects::default();
    let (sources, problems) = sources(&args.paths);
    let mut shown = CommandOutput { problems, ..CommandOutput::default() };
    let mut document = args.group_version.as_deref().map(Document::new);
    for source in &sources {
        match published(source, form, args, &projects) {
            Ok(definitions) if definitions.is_empty() && source.named => {
                let path = source.path.display();
                shown.problems.push(format!("{path}: no definition found that kube-apiserver accepts"));
            }
            Ok(definitions) => match &mut document {
                Some(document) => document.add(source, definitions, &mut shown.notes),
                None => definitions.iter().for_each(|one| show(source, one, args.output, &mut shown)),
            },
            Err(unshown) if unshown.is_template => shown.notes.push(unshown.message),
            Err(unshown) => shown.problems.push(unshown.message),
        }
    }
    match document.map(Document::write) {
        Some(Ok(text)) => shown.text = text,
        Some(Err(problem)) => shown.problems.push(problem),
        None => {}
    }
    shown.write()
}

fn published(
    source: &Source,
    form: PublishedForm,
    args: &OpenapiArgs,
    projects: &Projects,
) -> Result<Vec<PublishedDefinition>, UnreadableInput> {
    let text = text_of(source)?;
    let settings = settings_of(source, args.kubernetes_version, projects)?;
    openapi(&text, form, &settings).map_err(|error| undecoded(source, &text, &error))
}

fn show(source: &Source, definition: &PublishedDefinition, format: PreviewFormat, shown: &mut CommandOutput) {
    if format == PreviewFormat::Yaml {
        for text in published_texts(definition) {
            let separator = if shown.text.is_empty() { "" } else { "---\n" };
            shown.text.extend([separator, &text]);
        }
        return;
    }
    for version in &definition.versions {
        shown.json_line(&PublishedOutput::new(&source.path.display().to_string(), &definition.name, version));
    }
}

/// The document of a group and version.
struct Document<'a> {
    group_version: &'a str,
    /// The definitions by name, each with its file.
    definitions: BTreeMap<String, (PathBuf, PublishedDefinition)>,
}

impl<'a> Document<'a> {
    fn new(group_version: &'a str) -> Self {
        Self { group_version, definitions: BTreeMap::new() }
    }

    /// Adds definitions. The last one with a name is used, as if all files were applied in their order.
    fn add(&mut self, source: &Source, definitions: Vec<PublishedDefinition>, notes: &mut Vec<String>) {
        let group = self.group_version.split_once('/').map_or("", |(group, _)| group);
        for definition in definitions.into_iter().filter(|definition| definition.group == group) {
            let name = definition.name.clone();
            if let Some((earlier, _)) =
                self.definitions.insert(name.clone(), (source.path.clone(), definition))
            {
                let (path, earlier) = (source.path.display(), earlier.display());
                notes.push(format!("{name} is defined in {earlier} and in {path}; the latter is used"));
            }
        }
    }

    fn write(self) -> Result<String, String> {
        let name = self.group_version;
        let version = name.split_once('/').map_or("", |(_, version)| version);
        let (mut schemas, mut paths) = (BTreeMap::new(), BTreeMap::new());
        let wanted = |one: &PublishedVersion| one.name == version;
        let all = self.definitions.into_values().flat_map(|(_, definition)| definition.versions);
        for published in all.filter(wanted) {
            let values = |all: BTreeMap<_, _>| all.into_iter().map(|(name, json)| (name, value(&json)));
            schemas.extend(values(published.schemas));
            paths.extend(values(published.paths));
        }
        if schemas.is_empty() {
            return Err(format!("no definition serves {name}; name GROUP/VERSION as in apiVersion"));
        }
        let document = serde_json::json!({
            "openapi": "3.0.0",
            "info": {"title": "Kubernetes CRD Swagger", "version": "v0.1.0"},
            "paths": paths,
            "components": {"schemas": schemas},
        });
        Ok(format!("{document:#}\n"))
    }
}
