//! Samples of a kind with comments, generated from its published schema so that the server accepts them.

mod lines;
mod minimal;
#[cfg(test)]
mod tests;
mod view;

use crd::customresource::ResourceVersion;
use crd::generate::{Solution, Solver};
use crd::object::definitions;
use crd::publish::{PublishedDefinition, PublishedForm, PublishedVersion};
use crd::value::Value;
use yaml::{Json, Reader, Tree};

use crate::Settings;
use lines::{Line, Writer};
use minimal::minimal;
use view::View;

/// A sample of one version of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// `GROUP/VERSION`
    pub api_version: String,
    /// The kind.
    pub kind: String,
    /// The name of the definition, `PLURAL.GROUP`.
    pub definition: String,
    /// The sample: the required fields, and the others as comments. If `unmet` is not empty, comments at its
    /// start say so.
    pub yaml: String,
    /// The reasons why the server rejects the sample, one sentence for each error; empty if it accepts the
    /// sample.
    pub unmet: Vec<String>,
}

/// Samples of all served versions of the kinds that `text` defines.
///
/// # Errors
/// The server's message if it cannot read a definition.
pub fn samples(text: &str, settings: &Settings) -> Result<Vec<Sample>, String> {
    Ok(written_samples(text, settings)?.into_iter().map(|(sample, _)| sample).collect())
}

/// The samples, each with its lines without the comments at its start.
fn written_samples(text: &str, settings: &Settings) -> Result<Vec<(Sample, Vec<Line>)>, String> {
    let tree = Tree::parse(text);
    let mut cache = crd::Cache::default();
    let mut all = Vec::new();
    for document in tree.documents() {
        let published = crd::publish::published(
            document.alone(),
            PublishedForm::V3,
            &settings.options(),
            settings.experiments,
            &mut cache,
        )?;
        if published.is_empty() {
            continue;
        }
        let reader = Reader::new(document);
        let definitions = definitions(document, &reader);
        let versions: Vec<ResourceVersion> =
            definitions.iter().flat_map(|one| ResourceVersion::all(one, &reader, &mut cache)).collect();
        for definition in &published {
            for version in &definition.versions {
                all.extend(sample(definition, version, &versions, settings));
            }
        }
    }
    Ok(all)
}

fn sample(
    of: &PublishedDefinition,
    version: &PublishedVersion,
    versions: &[ResourceVersion],
    settings: &Settings,
) -> Option<(Sample, Vec<Line>)> {
    let Json::Object(schema) = version.schemas.get(&version.model)? else { return None };
    let kind = version.model.rsplit('.').next().unwrap_or_default().to_owned();
    let group = &*of.group;
    let api_version = format!("{group}/{}", version.name);
    let validator =
        versions.iter().find(|one| (&*one.group, &*one.name, &*one.kind) == (group, &*version.name, &*kind));
    let root = View::new(schema);
    let start = start(&root, &api_version, &kind);
    let mut solver = validator.map(|validator| Solver::new(validator, settings.kubernetes_version));
    let solution = match &mut solver {
        Some(solver) => solver.solve(start),
        None => Solution { object: start, errors: Vec::new() },
    };
    let unmet: Vec<String> = solution.errors.iter().map(|error| error.message()).collect();
    let mut yaml = String::new();
    for error in &unmet {
        yaml.push_str(&format!("# No valid sample was found: {}\n", error.replace('\n', " ")));
    }
    let lines = Writer::new(solver, solution.object).lines(&root);
    yaml.extend(lines.iter().map(|line| line.with_comments() + "\n"));
    Some((Sample { api_version, kind, definition: of.name.clone(), yaml, unmet }, lines))
}

/// The resource that the search for a sample starts from: `spec` and the required fields, with minimal
/// values.
fn start(root: &View<'_>, api_version: &str, kind: &str) -> Value {
    let text = |text: &str| Json::String(text.to_owned());
    let name = [("name".to_owned(), text("sample"))];
    let mut members = vec![
        ("apiVersion".to_owned(), text(api_version)),
        ("kind".to_owned(), text(kind)),
        ("metadata".to_owned(), Json::Object(name.into_iter().collect())),
    ];
    for name in root.names() {
        let is_shown = name == "spec" || root.requires(name);
        if is_shown && !matches!(name, "apiVersion" | "kind" | "metadata") {
            members.push((name.to_owned(), minimal(&root.property(name))));
        }
    }
    Value::from(&Json::Object(members.into_iter().collect()))
}
