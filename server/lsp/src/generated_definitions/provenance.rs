//! Definitions in files that controller-gen wrote: their statements about their generation, and whether they are older than their
//! types.

use std::iter;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use go::discover::Call;
use go::edits::changes;
use go::generate::{ANNOTATION, Status};
use go::json::Json;
use go::version::Version;
use ide::{Code, FieldPath, Finding, Message, RuleLevels, Severity};
use text::{TextRange, TextSize};
use yaml::{Reader, Tree};

use super::{GeneratedDefinitions, GoLocator, json_of};

/// The annotation is within this number of bytes from the beginning, after a header.
pub(crate) const HEAD_BYTES: usize = 4096;

/// The properties of the generation that wrote a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Provenance {
    /// The name of the file to which controller-gen writes it.
    pub(crate) product: String,
    pub(crate) group: String,
    /// The release that wrote it, at most the newest that is imitated.
    pub(crate) version: Version,
    /// The index of its document in the file.
    pub(crate) document: usize,
    /// The number of documents in the file.
    pub(crate) documents: usize,
}

impl Provenance {
    /// Reads the definitions in a text that controller-gen wrote, except those of releases that are not imitated.
    pub(crate) fn all(text: &str) -> Vec<Self> {
        let documents = documents(text);
        let count = documents.len();
        let read = |(number, bytes): (usize, Range<usize>)| {
            let document = text.get(bytes).filter(|document| document.contains(ANNOTATION))?;
            // The versions, which are nearly all of a definition, come last.
            let head = document.find("\n  versions:").and_then(|end| document.get(..end));
            let names = head.and_then(names).or_else(|| names(document))?;
            let version: Version = names.version.parse().ok()?;
            let version = (version >= Version::OLDEST).then(|| version.min(Version::NEWEST))?;
            let product = format!("{}_{}.yaml", names.group, names.plural);
            Some(Self { product, group: names.group, version, document: number, documents: count })
        };
        documents.into_iter().enumerate().filter_map(read).collect()
    }

    /// The result of the call that generates the definition in the file at `path`, and whether the file is a copy, which may
    /// be older. The call is one of the `calls` that write there, or otherwise the only one of the `declared` calls that
    /// generates the definition. `makes` returns the result of a call if the call generates the definition.
    pub(crate) fn regenerate<T>(
        &self,
        path: &Path,
        calls: &[Call],
        declared: impl FnOnce() -> Arc<[Call]>,
        mut makes: impl FnMut(&Call) -> Option<T>,
    ) -> Option<(T, bool)> {
        let found = calls.iter().filter(|call| self.may_be_of(path, call)).find_map(&mut makes);
        if let Some(made) = found {
            return Some((made, false));
        }
        let declared = declared();
        let mut found = declared.iter().filter_map(|call| {
            let is_copy =
                self.documents != 1 || !self.is_named(path) || call.target().as_deref() != path.parent();
            Some((makes(call)?, is_copy))
        });
        let only = found.next()?;
        found.next().is_none().then_some(only)
    }

    /// Whether a call may have written the file at `path`. If both its name and its folder differ, a later step wrote it.
    fn may_be_of(&self, path: &Path, call: &Call) -> bool {
        self.documents == 1 && (self.is_named(path) || call.target().as_deref() == path.parent())
    }

    /// Whether the file at `path` has the name that controller-gen gives it.
    fn is_named(&self, path: &Path) -> bool {
        path.file_name().is_some_and(|name| name.to_str() == Some(&self.product))
    }
}

/// The byte ranges of the documents of a text. A header and the document after it are one range.
pub(crate) fn documents(text: &str) -> Vec<Range<usize>> {
    let marks: Vec<usize> = text.match_indices("\n---").map(|(at, _)| at + 1).collect();
    if marks.len() <= 1 {
        return iter::once(0..text.len()).collect();
    }
    let starts = || iter::once(0).chain(marks.iter().copied());
    starts().zip(starts().skip(1).chain([text.len()])).map(|(start, end)| start..end).collect()
}

/// The range of controller-gen's annotation in a text, at which a stale definition is reported.
pub(crate) fn annotation_in(text: &str) -> Option<TextRange> {
    let start = text.find(ANNOTATION)?;
    Some(TextRange::from_usize(start..start + ANNOTATION.len()))
}

/// Whether the beginning of a text shows that controller-gen wrote it.
pub(crate) fn is_written(head: &str) -> bool {
    head.contains(ANNOTATION)
}

/// The index of the document at an offset.
pub(crate) fn document_at(documents: &[Range<usize>], at: TextSize) -> usize {
    documents.partition_point(|bytes| bytes.start <= at as usize).saturating_sub(1)
}

/// The names that a definition states.
struct Names {
    group: String,
    plural: String,
    /// The release that wrote it.
    version: String,
}

fn names(text: &str) -> Option<Names> {
    let tree = Tree::parse(text);
    let document = tree.documents().next()?;
    let (root, reader) = (document.root()?, Reader::new(document));
    let text_at = |path: FieldPath| {
        let value = crd::value_at(root, path.segments(), &reader)?;
        Some(value.as_scalar()?.text().into_owned())
    };
    (text_at(FieldPath::of_names(["kind"]))? == "CustomResourceDefinition").then_some(())?;
    Some(Names {
        group: text_at(FieldPath::of_names(["spec", "group"]))?,
        plural: text_at(FieldPath::of_names(["spec", "names", "plural"]))?,
        version: text_at(FieldPath::of_names(["metadata", "annotations"]).key(ANNOTATION))?,
    })
}

impl GeneratedDefinitions {
    /// The finding on a file whose `text` has a definition `product` that is older than its types; `None` if it is not older,
    /// or if that is not known.
    pub(crate) fn stale(&self, product: &str, text: &str, located: &GoLocator<'_>) -> Option<Finding> {
        let is_known = self.outcome.status() == Status::Sound && self.outcome.approximate().next().is_none();
        let generated = self.text_of(product).filter(|_| is_known)?;
        if text.ends_with(generated) {
            return None;
        }
        let (old, new) = (json_of(text)?, json_of(generated)?);
        let is_as_written = is_as_written(text) && !has_more_metadata(&old, &new);
        let (old, new) = (comparable(old), comparable(new));
        let differences = changes(&old, &new);
        let first = differences.first()?;
        let range = annotation_in(text)?;
        let steps: Vec<&str> = first.path.iter().map(String::as_str).collect();
        let differs = format!(
            "the file differs from what its Go types generate, first at `{}`",
            text::cut(&steps.join("."))
        );
        let (severity, message) = match is_as_written {
            true => {
                let advice = "run `crd-ls generate`, or the command that generates it here";
                (Code::GoStale.rule().severity, Message::new(differs).advise(advice))
            }
            false => {
                let message = Message::new(format!("{differs}, and another program has rewritten it"));
                (Severity::Hint, message.advise("run the command that generates it here"))
            }
        };
        let origin = self.origin_of_node(product, &steps);
        let related = origin.and_then(|(path, range)| located.related(&path, range, "the first difference"));
        Some(Finding {
            code: Code::GoStale,
            severity,
            message,
            range,
            field_path: FieldPath::root(),
            api_server: None,
            related: related.into_iter().collect(),
        })
    }

    /// The text of a file after the definition `product` is generated again: `after` with the header and the end of `written`.
    /// `None` if `written` does not have the definition as it was generated before.
    pub(crate) fn rewritten(&self, product: &str, written: &str, after: &str) -> Option<String> {
        let is_current = comparable(json_of(self.text_of(product)?)?) == comparable(json_of(written)?);
        is_current.then(|| with_surroundings(written, after))
    }
}

/// Whether a text has the form in which controller-gen writes definitions: below `---`, with lists in the column of their key.
/// Programs that change a definition afterwards, such as `kubectl patch` and `yq`, may write another form.
fn is_as_written(text: &str) -> bool {
    text.lines().any(|line| line.trim_end() == "---") && !text.contains("\n  versions:\n    - ")
}

/// Whether a definition has annotations or labels that are not generated, so that another program has changed it.
fn has_more_metadata(definition: &Json, generated: &Json) -> bool {
    ["annotations", "labels"].into_iter().any(|name| {
        let entries = |json| entry(entry(json, "metadata")?, name);
        let Some(Json::Map(all)) = entries(definition) else { return false };
        all.keys().any(|key| entries(generated).and_then(|generated| entry(generated, key)).is_none())
    })
}

/// Whether a generated definition has as many versions as one that controller-gen wrote: those of packages with errors are
/// missing.
pub(crate) fn has_all_versions(generated: &str, written: &str) -> bool {
    let count = |text: &str| match entry(entry(&json_of(text)?, "spec")?, "versions")? {
        Json::List(versions) => Some(versions.len()),
        _ => None,
    };
    count(generated) >= count(written)
}

/// The release of controller-gen that a definition names.
fn annotation_of(definition: &Json) -> Option<&str> {
    let annotations = entry(entry(definition, "metadata")?, "annotations")?;
    match entry(annotations, ANNOTATION)? {
        Json::Text(release) => Some(release),
        _ => None,
    }
}

fn entry<'j>(json: &'j Json, key: &str) -> Option<&'j Json> {
    match json {
        Json::Map(entries) => entries.get(key),
        _ => None,
    }
}

/// Adds the finding that a file is stale if `rules` admit it. Returns whether they do.
pub(crate) fn add_stale(findings: &mut Vec<Finding>, stale: Option<Finding>, rules: &RuleLevels) -> bool {
    let Some(mut stale) = stale else { return false };
    if !rules.admit(&mut stale) {
        return false;
    }
    findings.push(stale);
    findings.sort_by_key(|finding| (finding.range, finding.code));
    true
}

/// A generated text between the header of a file and the lines of a template at its end.
pub(crate) fn with_surroundings(written: &str, generated: &str) -> String {
    // The header is the text before the document.
    let header = written.find("---\n").and_then(|at| written.get(..at)).unwrap_or("");
    let end = written.get(within_template(written).end..).unwrap_or("");
    format!("{header}{generated}{end}")
}

/// The range of a text between lines of a template, such as `{{- if .Values.crds }}` and `{{- end }}`.
fn within_template(text: &str) -> Range<usize> {
    let is_blank = |line: &&str| line.trim().is_empty();
    let is_comment = |line: &&str| line.starts_with('#');
    let is_template = |line: &str| line.starts_with("{{") && line.trim_end().ends_with("}}");
    let (mut start, mut end, mut at) = (0, text.len(), 0);
    let lines = text.split_inclusive('\n');
    for line in lines.clone().take_while(|line| is_template(line) || is_blank(line) || is_comment(line)) {
        at += line.len();
        start = if is_template(line) { at } else { start };
    }
    at = text.len();
    for line in lines.rev().take_while(|line| is_template(line) || is_blank(line)) {
        at -= line.len();
        end = if is_template(line) { at } else { end };
    }
    start..end.max(start)
}

/// The relation of a file to the definition that is generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Freshness {
    /// It has the same content.
    Current,
    /// It has other content.
    Stale,
    /// It has other content, and another program has rewritten it.
    Rewritten,
    /// It has other content, and no release of controller-gen wrote it.
    Unreleased,
}

impl Freshness {
    /// The relation of a file with `text` to the definition `generated`.
    pub(crate) fn of(text: &str, generated: &str) -> Self {
        if text == generated {
            return Self::Current;
        }
        let text = text.get(within_template(text)).unwrap_or(text);
        let (Some(old), Some(new)) = (json_of(text), json_of(generated)) else { return Self::Stale };
        if old == new {
            return Self::Current;
        }
        // controller-gen always writes its annotation.
        let release = match annotation_of(&old) {
            Some(release) if is_as_written(text) && !has_more_metadata(&old, &new) => release,
            _ => return Self::Rewritten,
        };
        match release.parse::<Version>() {
            Ok(_) => Self::Stale,
            Err(_) => Self::Unreleased,
        }
    }
}

/// Whether a text is the definition that is generated, except for descriptions and for fields that other programs write.
pub(crate) fn is_same_definition(text: &str, generated: &str) -> bool {
    let name = |json: &Json| entry(json, "metadata").and_then(|metadata| entry(metadata, "name")).cloned();
    let (Some(one), Some(other)) = (json_of(text), json_of(generated)) else { return false };
    name(&one) == name(&other) && comparable(one) == comparable(other)
}

/// A definition without descriptions, which projects shorten or remove, and without the fields that other programs than
/// controller-gen write.
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
