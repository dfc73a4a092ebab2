//! Functions on texts: the commands of the program with JSON output, and the texts that they write.

use answers::analyse::fix_all;
use answers::forms::cost::{DefinitionOutput, first_line};
use answers::forms::diff::ChangeOutput;
use answers::forms::eval::EvaluatedOutput;
use answers::forms::{PublishedOutput, SampleOutput};
use answers::limits::{MAX_BYTES, too_large};
use answers::previews::{evaluated_text, published_texts, stored_text, versions_text};
use answers::report::{Coverage, Report, ReportForm};
use answers::{json, settings};
use ide::compat::{self, versions};
use ide::preview::{self, Trace};
use ide::{Catalog, Definitions, FieldValidation, File, Settings, Severity, Surroundings};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use text::TextBuffer;

/// A text and its name.
#[derive(Debug, Deserialize)]
struct NamedText {
    #[serde(default = "unnamed")]
    path: String,
    text: String,
}

fn unnamed() -> String {
    "text.yaml".to_owned()
}

/// The settings, as on the command line.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Choices {
    kubernetes_version: Option<String>,
    field_validation: Option<String>,
}

impl Choices {
    fn settings(&self) -> Result<Settings, String> {
        let mut settings = Settings::default();
        if let Some(version) = &self.kubernetes_version {
            settings.kubernetes_version = settings::parse_version(version)?;
        }
        settings.field_validation = match self.field_validation.as_deref() {
            None | Some("strict") => FieldValidation::Strict,
            Some("warn") => FieldValidation::Warn,
            Some("ignore") => FieldValidation::Ignore,
            Some(other) => return Err(format!("`fieldValidation` is strict, warn or ignore, not {other}")),
        };
        // One location is enough, as in a report of the command line.
        settings.reports_each_rival = false;
        Ok(settings)
    }
}

#[derive(Debug, Deserialize)]
struct Check {
    files: Vec<NamedText>,
    /// Definitions that validate resources, but are not checked themselves.
    #[serde(default)]
    definitions: Vec<NamedText>,
    #[serde(flatten)]
    choices: Choices,
}

#[derive(Debug, Deserialize)]
struct OnDefinition {
    definition: NamedText,
    #[serde(flatten)]
    choices: Choices,
    /// `v3`, `v2` or `skeleton`.
    #[serde(default)]
    form: Option<String>,
}

#[derive(Debug, Deserialize)]
struct OnResource {
    definition: NamedText,
    resource: NamedText,
    #[serde(default)]
    expression: Option<String>,
    #[serde(flatten)]
    choices: Choices,
}

#[derive(Debug, Deserialize)]
struct Pair {
    old: NamedText,
    new: NamedText,
}

/// Answers `method`; the error is a text for people.
pub(crate) fn answer(method: &str, params: &str) -> Result<String, String> {
    match method {
        "version" => to_json(&json!({
            "version": env!("CARGO_PKG_VERSION"),
            "oldest": format!("1.{}", ide::KubernetesVersion::OLDEST.minor),
            "newest": format!("1.{}", ide::KubernetesVersion::NEWEST.minor),
            "default": format!("1.{}", ide::KubernetesVersion::default().minor),
        })),
        "check" => check(&read(params)?),
        "fix" => fix(&read(params)?),
        "sample" => sample(&read(params)?),
        "openapi" => openapi(&read(params)?),
        "cost" => cost(&read(params)?),
        "versions" => to_json(&versions_of(&read(params)?)),
        "eval" => eval(&read(params)?),
        "stored" => stored(&read(params)?),
        "diff" => diff(&read(params)?),
        "explain" => explain(&read(params)?),
        other => Err(format!("there is no method `{other}`")),
    }
}

fn read<'p, P: Deserialize<'p>>(params: &'p str) -> Result<P, String> {
    serde_json::from_str(params).map_err(|error| format!("wrong parameters: {error}"))
}

fn to_json(value: &impl Serialize) -> Result<String, String> {
    serde_json::to_string(value).map_err(|error| error.to_string())
}

/// The catalog of the definitions in `files`.
fn catalog<'f>(files: impl Iterator<Item = &'f NamedText>) -> Catalog {
    let known = files.map(|file| {
        let found = Definitions::read(&file.path, &file.text, Definitions::load_kept(&file.text));
        (file.path.as_str().into(), found)
    });
    Catalog::default().with(known.collect::<Vec<_>>())
}

fn analysed(file: &NamedText, catalog: &Catalog, settings: &Settings) -> File {
    let source = file.path.as_str().into();
    let surroundings = Surroundings { catalog: catalog.clone(), source, stored: None, base: None };
    File::with_surroundings(&file.text, settings, surroundings)
}

/// The output of `crd-ls check --output json`.
fn check(of: &Check) -> Result<String, String> {
    let settings = of.choices.settings()?;
    let catalog = catalog(of.definitions.iter().chain(&of.files));
    let report = |file: &NamedText| {
        if file.text.len() > MAX_BYTES {
            return Report::unanalysed(file.path.clone(), "", vec![too_large(Severity::Error)]);
        }
        let analysed = analysed(file, &catalog, &settings);
        let coverage = Coverage::of(&analysed, &|| file.text.clone());
        Report::analysed(
            file.path.clone(),
            TextBuffer::new(&file.text).into(),
            &analysed,
            coverage,
            ReportForm::COMPLETE,
        )
    };
    let reports: Vec<Report> = of.files.iter().map(report).collect();
    let mut out = Vec::new();
    json::write(&reports, &mut out).map_err(|error| error.to_string())?;
    String::from_utf8(out).map_err(|error| error.to_string())
}

/// The texts with all safe fixes.
fn fix(of: &Check) -> Result<String, String> {
    let settings = of.choices.settings()?;
    let catalog = catalog(of.definitions.iter().chain(&of.files));
    let fixed = of.files.iter().map(|file| {
        let buffer = TextBuffer::new(&file.text);
        let fixed = fix_all(&analysed(file, &catalog, &settings), &buffer);
        json!({
            "path": file.path,
            "text": fixed.buffer.to_string(),
            "changed": fixed.buffer != buffer,
            "isCut": fixed.is_cut,
        })
    });
    to_json(&json!({ "files": fixed.collect::<Vec<_>>() }))
}

fn undecoded(path: &str) -> impl Fn(String) -> String {
    move |error| format!("{path}: kube-apiserver cannot decode this: {error}; `check` shows where")
}

fn sample(of: &OnDefinition) -> Result<String, String> {
    let settings = of.choices.settings()?;
    let samples = preview::samples(&of.definition.text, &settings).map_err(undecoded(&of.definition.path))?;
    to_json(&samples.iter().map(SampleOutput::from).collect::<Vec<_>>())
}

/// The published schemas of a definition: in the JSON format of the command `openapi`, and as YAML.
#[derive(Serialize)]
struct PublishedDefinition<'p> {
    name: &'p str,
    versions: Vec<PublishedOutput<'p>>,
    yaml: String,
}

fn openapi(of: &OnDefinition) -> Result<String, String> {
    let form = match of.form.as_deref() {
        None | Some("v3") => preview::PublishedForm::V3,
        Some("v2") => preview::PublishedForm::V2,
        Some("skeleton") => preview::PublishedForm::Skeleton,
        Some(other) => return Err(format!("`form` is v3, v2 or skeleton, not {other}")),
    };
    let settings = of.choices.settings()?;
    let published =
        preview::openapi(&of.definition.text, form, &settings).map_err(undecoded(&of.definition.path))?;
    let all = published.iter().map(|one| {
        let path = &of.definition.path;
        let versions: Vec<_> =
            one.versions.iter().map(|version| PublishedOutput::new(path, &one.name, version)).collect();
        PublishedDefinition { name: &one.name, versions, yaml: published_texts(one).join("---\n") }
    });
    to_json(&all.collect::<Vec<_>>())
}

fn cost(of: &OnDefinition) -> Result<String, String> {
    let settings = of.choices.settings()?;
    let buffer = TextBuffer::new(&of.definition.text);
    let file = File::new(&of.definition.text, &settings);
    let costs = file.costs();
    let all = costs.iter().flat_map(|document| {
        let line = first_line(&buffer, document.start);
        let priced = document.definitions.iter();
        priced.map(move |one| DefinitionOutput::new(&of.definition.path, document.index, line, one))
    });
    to_json(&all.collect::<Vec<_>>())
}

fn versions_of(of: &OnDefinition) -> Vec<Value> {
    let tables = versions(&of.definition.text);
    let tables_as_json =
        tables.iter().map(|(name, table)| json!({ "name": name, "text": versions_text(name, table, false) }));
    tables_as_json.collect()
}

fn surroundings(of: &OnResource) -> Result<Surroundings, String> {
    let NamedText { path, text } = &of.definition;
    let Some(definitions) = Definitions::read(path, text, Definitions::load_kept(text)) else {
        return Err(format!("{path}: no definition found"));
    };
    let catalog = Catalog::default().with([(path.as_str().into(), Some(definitions))]);
    Ok(Surroundings { catalog, source: of.resource.path.as_str().into(), stored: None, base: None })
}

fn eval(of: &OnResource) -> Result<String, String> {
    let settings = of.choices.settings()?;
    let surroundings = surroundings(of)?;
    let what = of.expression.as_deref().map_or(Trace::All, Trace::Expression);
    let all = preview::evaluate(&of.resource.text, what, &surroundings, &settings);
    if all.is_empty() {
        return Err(format!(
            "{}: no resource has a kind that {} defines",
            of.resource.path, of.definition.path
        ));
    }
    let evaluations = all.iter().map(|one| match &one.rules {
        Ok(rules) => {
            Evaluation::Done { evaluated: EvaluatedOutput::new(one, rules), text: evaluated_text(one, rules) }
        }
        Err(problem) => Evaluation::Failed { problem: format!("{} {}: {problem}", one.kind, one.name) },
    });
    to_json(&evaluations.collect::<Vec<_>>())
}

/// The results of the rules for one object: in the JSON format of the command `eval`, and for people.
#[derive(Serialize)]
#[serde(untagged)]
enum Evaluation<'e> {
    Done { evaluated: EvaluatedOutput<'e>, text: String },
    Failed { problem: String },
}

fn stored(of: &OnResource) -> Result<String, String> {
    let settings = of.choices.settings()?;
    let (objects, unknown) = preview::stored(&of.resource.text, &surroundings(of)?, &settings);
    let texts = objects.iter().map(|object| {
        json!({ "kind": object.kind, "name": object.name, "text": stored_text(&of.resource.path, object) })
    });
    to_json(&json!({ "objects": texts.collect::<Vec<_>>(), "unknown": unknown }))
}

fn diff(of: &Pair) -> Result<String, String> {
    let (old, new) = (TextBuffer::new(&of.old.text), TextBuffer::new(&of.new.text));
    for file in [&of.old, &of.new] {
        if let Some(unreadable) = compat::unreadable(&file.text).first() {
            return Err(format!("{}: {unreadable}", file.path));
        }
    }
    let differences = compat::diff(&of.old.text, &of.new.text);
    let change = |one| ChangeOutput::new(one, (&of.new.path, &new), (&of.old.path, &old));
    to_json(&differences.iter().map(change).collect::<Vec<_>>())
}

/// The page of a rule.
fn explain(of: &Value) -> Result<String, String> {
    let code = of.get("code").and_then(Value::as_str).unwrap_or_default();
    let rule = ide::rule(code).ok_or_else(|| format!("there is no rule `{code}`"))?;
    to_json(&rule.page())
}
