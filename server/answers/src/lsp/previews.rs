//! Previews for editors: commands whose answer is a text.

mod evaluation;

use ide::compat::versions;
use ide::picture::Place;
use ide::preview::{PublishedForm, ResourceEvaluation, Trace, evaluate, openapi, samples, stored};
use ide::{File, LinkTarget, Settings, StoredObjects, Surroundings};
use ls_types::{ExecuteCommandParams, Position};
use serde_json::{Value, json};
use text::TextSize;

use super::Context;
use super::convert::source_of;
use super::error::{Error, Result};
use crate::pages::{FileDefinitions, PageEnvironment, Subject, page};
use crate::previews::{evaluated_text, published_texts, stored_text, versions_text};

/// The commands. Their first argument has the `uri` of an open document, and may have a `position` in it.
pub const COMMANDS: [&str; 13] = [
    "crd-ls.preview.stored",
    "crd-ls.preview.openapi",
    "crd-ls.preview.openapiV2",
    "crd-ls.preview.skeleton",
    "crd-ls.preview.sample",
    "crd-ls.preview.evaluation",
    "crd-ls.preview.versions",
    "crd-ls.preview.generated",
    MODEL,
    EVALUATION,
    EXPLAIN,
    "crd-ls.page.schema",
    "crd-ls.page.cost",
];

/// The data of the pages, for clients that render their own.
const MODEL: &str = "crd-ls.model";
/// The results of rules, with their places.
const EVALUATION: &str = "crd-ls.evaluation";
/// The page of the rule in the argument `code`, as Markdown.
const EXPLAIN: &str = "crd-ls.explain";

/// The separator of YAML documents.
const SEPARATOR: &str = "---\n";
/// The maximum number of resources in a preview: nobody reads more results of a rule.
const MOST_RESOURCES: usize = 50;

/// Answers a command.
///
/// # Errors
///
/// If the command does not exist, its parameters are wrong, or the request is cancelled.
pub fn execute(context: &Context<'_>, params: ExecuteCommandParams) -> Result<Value> {
    let arguments = params.arguments.first().cloned().unwrap_or_default();
    if params.command == EXPLAIN {
        let code = arguments.get("code").and_then(Value::as_str).unwrap_or_default();
        let rule = ide::rule(code).ok_or_else(|| Error::invalid_params(format!("unknown rule {code}")))?;
        return Ok(Value::String(rule.page()));
    }
    if !COMMANDS.contains(&params.command.as_str()) {
        return Err(Error::invalid_params(format!("unknown command {}", params.command)));
    }
    let pictured = || context.subject.map(|subject| of_subject(context, subject));
    match params.command.as_str() {
        MODEL => return Ok(pictured().map_or(Value::Null, |file| json!(file.pictures))),
        "crd-ls.page.schema" => return Ok(paged(pictured(), Subject::Schema)),
        "crd-ls.page.cost" => return Ok(paged(pictured(), Subject::Cost)),
        _ => {}
    }
    let Some(file) = context.file else { return Ok(Value::Null) };
    let offset = position(&arguments).map(|position| context.converter().offset(position));
    let preview = Preview { context, file, offset, text: context.buffer.to_string() };
    let text = match params.command.as_str() {
        EVALUATION => return evaluation::answer(&preview),
        "crd-ls.preview.stored" => preview.stored(),
        "crd-ls.preview.openapi" => preview.openapi(PublishedForm::V3),
        "crd-ls.preview.openapiV2" => preview.openapi(PublishedForm::V2),
        "crd-ls.preview.skeleton" => preview.openapi(PublishedForm::Skeleton),
        "crd-ls.preview.sample" => preview.sample(),
        "crd-ls.preview.evaluation" => preview.evaluation()?,
        "crd-ls.preview.versions" => preview.versions(),
        "crd-ls.preview.generated" => {
            "# Open a Go file to see the definitions that are generated from it.\n".to_owned()
        }
        other => return Err(Error::invalid_params(format!("unknown command {other}"))),
    };
    Ok(Value::String(text))
}

fn name<'c>(context: &Context<'c>) -> &'c str {
    context.uri.as_str().rsplit('/').next().unwrap_or_default()
}

/// The definitions to show.
fn of_subject(context: &Context<'_>, subject: &dyn super::Subject) -> FileDefinitions {
    let converter = context.converter();
    let place = |offset| {
        let Position { line, character } = converter.position(offset);
        Place { line, character }
    };
    FileDefinitions { name: name(context).to_owned(), pictures: subject.pictures(context.buffer, &place) }
}

fn paged(file: Option<FileDefinitions>, subject: Subject) -> Value {
    file.map_or(Value::Null, |file| Value::String(page(&[file], subject, PageEnvironment::InEditor)))
}

struct Preview<'a> {
    context: &'a Context<'a>,
    file: &'a File,
    offset: Option<TextSize>,
    text: String,
}

impl Preview<'_> {
    fn settings(&self) -> &Settings {
        self.file.settings()
    }

    fn surroundings(&self) -> Surroundings {
        let catalog = self.context.catalog.clone();
        Surroundings { catalog, source: source_of(self.context.uri).into(), stored: None, base: None }
    }

    fn name(&self) -> &str {
        name(self.context)
    }

    fn stored(&self) -> String {
        let (objects, unknown) = stored(&self.text, &self.surroundings(), self.settings());
        let mut texts: Vec<String> = objects.iter().map(|object| stored_text(self.name(), object)).collect();
        let unknown = unknown.iter().filter(|kind| !kind.ends_with(" CustomResourceDefinition"));
        texts.extend(unknown.map(|kind| format!("# No definition serves {kind}.\n")));
        if self.settings().experiments.feature_gates {
            texts.extend(self.updated());
        }
        if texts.is_empty() {
            "# This file has no custom resource.\n".to_owned()
        } else {
            texts.join(SEPARATOR)
        }
    }

    /// The stored objects after an update, if the cluster has the resources of HEAD: disabled gates keep
    /// existing values.
    fn updated(&self) -> Vec<String> {
        let Some(before) = self.context.workspace.committed() else { return Vec::new() };
        let surroundings =
            Surroundings { stored: Some(StoredObjects::in_cluster(&before)), ..self.surroundings() };
        let (objects, _) = stored(&self.text, &surroundings, self.settings());
        let gated = objects.iter().filter(|object| !object.gated.is_empty());
        gated
            .map(|object| format!("# Update of the version in HEAD\n{}", stored_text(self.name(), object)))
            .collect()
    }

    /// The text of this file if it has definitions, otherwise of the definition of its first resource.
    fn definition(&self) -> Option<String> {
        if !self.file.defined_kinds().is_empty() {
            return Some(self.text.clone());
        }
        self.file.links().into_iter().find_map(|link| match link.target {
            LinkTarget::Text(elsewhere, _) => Some(elsewhere.text().to_string()),
            LinkTarget::Address(_) => None,
        })
    }

    fn of_definition(&self, texts: impl Fn(&str) -> std::result::Result<Vec<String>, String>) -> String {
        let Some(definition) = self.definition() else {
            return "# This file has neither a definition nor a resource of a known kind.\n".to_owned();
        };
        match texts(&definition) {
            Ok(texts) if texts.is_empty() => "# The definition serves no version.\n".to_owned(),
            Ok(texts) => texts.join(SEPARATOR),
            Err(problem) => format!("# kube-apiserver cannot decode this: {problem}\n"),
        }
    }

    fn openapi(&self, form: PublishedForm) -> String {
        self.of_definition(|text| {
            Ok(openapi(text, form, self.settings())?.iter().flat_map(published_texts).collect())
        })
    }

    fn versions(&self) -> String {
        self.of_definition(|text| {
            Ok(versions(text).iter().map(|(name, table)| versions_text(name, table, false)).collect())
        })
    }

    fn sample(&self) -> String {
        self.of_definition(|text| {
            Ok(samples(text, self.settings())?.into_iter().map(|sample| sample.yaml).collect())
        })
    }

    /// In a definition, the rule at the cursor, or all rules, on the resources of its kind; otherwise all
    /// rules on the resources of this file.
    fn evaluation(&self) -> Result<String> {
        let Some(on) = evaluation::of_definition(self)? else {
            let all = evaluate(&self.text, Trace::All, &self.surroundings(), self.settings());
            return Ok(evaluations_text(&all, None));
        };
        let offset = self.offset.unwrap_or_default();
        let at = text::TextRange::new(offset, offset.saturating_add(1));
        let rule = self.offset.and_then(|_| self.file.rules(at).into_iter().next());
        let rule = rule.map(|rule| rule.text);
        let mut head = rule.as_ref().map(|rule| format!("{}\n\n", rule.trim())).unwrap_or_default();
        if on.is_generated {
            head.push_str(&format!("The workspace has no {}; this is a generated sample.\n\n", on.kind));
        }
        let all: Vec<ResourceEvaluation> = on.evaluated.into_iter().map(|(_, evaluated)| evaluated).collect();
        if all.is_empty() {
            return Ok(format!("{head}The workspace has no {}.\n", on.kind));
        }
        Ok(head + &evaluations_text(&all, rule.as_deref()))
    }
}

/// The results of the rules, or of `rule` only.
fn evaluations_text(all: &[ResourceEvaluation], rule: Option<&str>) -> String {
    let text = |one: &ResourceEvaluation| match &one.rules {
        Ok(rules) => {
            let mut rules = rules.clone();
            rules.retain(|traced| rule.is_none_or(|rule| rule == traced.text));
            evaluated_text(one, &rules)
        }
        Err(problem) => format!("{} {}\n  {problem}\n", one.kind, one.name),
    };
    let texts: Vec<String> = all.iter().take(MOST_RESOURCES).map(text).collect();
    if texts.is_empty() {
        "This file has no custom resource of a known kind.\n".to_owned()
    } else {
        texts.join("\n")
    }
}

/// The `position` in the arguments of a command, if any.
fn position(arguments: &Value) -> Option<Position> {
    serde_json::from_value(arguments.get("position")?.clone()).ok()
}
