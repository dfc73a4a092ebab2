//! Definitions in files that controller-gen wrote: what they say of themselves, and whether they are older than their types.

use std::path::Path;

use go::discover::Call;
use go::edits::changes;
use go::generate::{ANNOTATION, Status};
use go::json::Json;
use go::version::Version;
use ide::{Code, FieldPath, Finding, Message, RuleLevels};
use text::TextRange;
use yaml::{Reader, Tree};

use super::{Generated, Located, json_of};

/// The annotation is among so many bytes at the beginning, behind a header.
pub(crate) const HEAD_BYTES: usize = 4096;

/// What the Go token is to a finding on a definition that is generated of it.
pub(crate) const SOURCE_OF_FINDING: &str = "the Go source of this";

/// What a definition in a file says of the generation that wrote it.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    /// The name of the file that controller-gen writes it to.
    pub(crate) product: String,
    /// The release that wrote it, at most the newest that is imitated.
    pub(crate) version: Version,
}

impl Written {
    /// Reads the only definition in a text; none where controller-gen did not write it, or a release that is not imitated.
    pub(crate) fn read(text: &str) -> Option<Self> {
        if text.matches("\n---").count() > 1 {
            return None;
        }
        // The versions, which are nearly all of a definition, come last.
        let head = text.find("\n  versions:").and_then(|end| text.get(..end));
        let (product, version) = head.and_then(names).or_else(|| names(text))?;
        let version: Version = version.parse().ok()?;
        let version = (version >= Version::OLDEST).then(|| version.min(Version::NEWEST))?;
        Some(Self { product, version })
    }

    /// Whether the file at `path` may be what a call wrote. Under another name and in another folder it is what a later step made.
    pub(crate) fn may_be_of(&self, path: &Path, call: &Call) -> bool {
        let is_named = path.file_name().is_some_and(|name| name.to_str() == Some(&self.product));
        is_named || call.target().as_deref() == path.parent()
    }
}

/// Where a text has the annotation of controller-gen: there the finding on a stale definition is.
pub(crate) fn annotation_in(text: &str) -> Option<TextRange> {
    let start = text.find(ANNOTATION)?;
    Some(TextRange::from_usize(start..start + ANNOTATION.len()))
}

/// Whether a text begins as one that controller-gen wrote.
pub(crate) fn is_written(head: &str) -> bool {
    head.contains(ANNOTATION)
}

/// The name of the file that controller-gen writes the definition in a text to, and the release that wrote it.
fn names(text: &str) -> Option<(String, String)> {
    let tree = Tree::parse(text);
    let document = tree.documents().next()?;
    let (root, reader) = (document.root()?, Reader::new(document));
    let text_at = |path: FieldPath| {
        let value = crd::value_at(root, path.segments(), &reader)?;
        Some(value.as_scalar()?.text().into_owned())
    };
    (text_at(FieldPath::of_names(["kind"]))? == "CustomResourceDefinition").then_some(())?;
    let group = text_at(FieldPath::of_names(["spec", "group"]))?;
    let plural = text_at(FieldPath::of_names(["spec", "names", "plural"]))?;
    let version = text_at(FieldPath::of_names(["metadata", "annotations"]).key(ANNOTATION))?;
    Some((format!("{group}_{plural}.yaml"), version))
}

impl Generated {
    /// The findings on a file with the definition `product`, each with the Go token that it comes from.
    pub(crate) fn leading(&self, product: &str, findings: &[Finding], located: &Located<'_>) -> Vec<Finding> {
        let mut findings = findings.to_vec();
        for finding in &mut findings {
            let origin = self.origin(product, finding);
            let origin = origin.and_then(|(path, range)| located.related(&path, range, SOURCE_OF_FINDING));
            finding.related.extend(origin);
        }
        findings
    }

    /// The finding on a file whose `text` has the definition `product` that is older than its types; none where it is not, or
    /// where that is not known.
    pub(crate) fn stale(&self, product: &str, text: &str, located: &Located<'_>) -> Option<Finding> {
        let is_known = self.outcome.status() == Status::Sound && self.outcome.approximate().next().is_none();
        let generated = self.text_of(product).filter(|_| is_known)?;
        if text.ends_with(generated) {
            return None;
        }
        let (old, new) = (comparable(json_of(text)?), comparable(json_of(generated)?));
        let differences = changes(&old, &new);
        let first = differences.first()?;
        let range = annotation_in(text)?;
        let steps: Vec<&str> = first.path.iter().map(String::as_str).collect();
        let message = Message::new(format!(
            "the file differs from what its Go types generate, first at `{}`",
            text::cut(&steps.join("."))
        ))
        .advise("run `crd-ls generate`, or the command that generates it here");
        let origin = self.origin_of_node(product, &steps);
        let related = origin.and_then(|(path, range)| located.related(&path, range, "the first difference"));
        Some(Finding {
            code: Code::GoStale,
            severity: Code::GoStale.rule().severity,
            message,
            range,
            field_path: FieldPath::root(),
            api_server: None,
            related: related.into_iter().collect(),
        })
    }

    /// The text of a file with the definition `product` once it is generated again: `written` with its header, which is as it was
    /// generated before. None where it was not.
    pub(crate) fn rewritten(&self, product: &str, written: &str, after: &str) -> Option<String> {
        let is_current = comparable(json_of(self.text_of(product)?)?) == comparable(json_of(written)?);
        is_current.then(|| with_header(written, after))
    }
}

/// Adds the finding that a file is stale, where `rules` admit it; whether they do.
pub(crate) fn add_stale(findings: &mut Vec<Finding>, stale: Option<Finding>, rules: &RuleLevels) -> bool {
    let Some(mut stale) = stale else { return false };
    if !rules.admit(&mut stale) {
        return false;
    }
    findings.push(stale);
    findings.sort_by_key(|finding| (finding.range, finding.code));
    true
}

/// A generated text behind the header of a file.
pub(crate) fn with_header(written: &str, generated: &str) -> String {
    // What precedes the document is a header.
    let header = written.find("---\n").and_then(|at| written.get(..at)).unwrap_or("");
    format!("{header}{generated}")
}

/// A definition without descriptions, which projects shorten and remove, and without what others than controller-gen write into it.
fn comparable(definition: Json) -> Json {
    let Json::Map(mut entries) = definition else { return definition };
    entries.retain(|key, _| key == "spec");
    if let Some(Json::Map(spec)) = entries.get_mut("spec") {
        spec.retain(|key, _| !matches!(&**key, "conversion" | "preserveUnknownFields"));
    }
    without_descriptions(Json::Map(entries))
}

fn without_descriptions(json: Json) -> Json {
    match json {
        Json::Map(entries) => {
            let is_kept = |key: &str, value: &Json| key != "description" || !matches!(value, Json::Text(_));
            let entries = entries.into_iter().filter(|(key, value)| is_kept(key, value));
            Json::Map(entries.map(|(key, value)| (key, without_descriptions(value))).collect())
        }
        Json::List(items) => Json::List(items.into_iter().map(without_descriptions).collect()),
        other => other,
    }
}
