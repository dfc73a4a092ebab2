//! The objects of a text that were validated, and those that were not, with the reason.

mod definition_placeholders;
mod kinds;
pub(crate) mod placeholders;

use crate::analysis::objects::{Object, objects};
use crd::Completeness;
pub(crate) use definition_placeholders::silence;
use text::{TextRange, TextSize};
use yaml::{Document, Reader, Sequence, Value, ValueKind};

use crate::analysis::kinds::Kind;
use crate::analysis::test_files;
use crate::analysis::validation_coverage::placeholders::{PlaceholderForm, form_of};

/// The objects of a text that were validated, and those that were not. Equal for equal texts in equal surroundings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ValidationCoverage {
    /// The number of validated definitions.
    pub definitions: usize,
    /// The number of their rules in `x-kubernetes-validations`.
    pub rules: usize,
    /// The starts of the resources that were validated by their definitions, in bytes.
    pub resources: Vec<TextSize>,
    /// The objects that were not validated, or not completely, by position.
    pub not_judged: Vec<NotJudged>,
}

/// An object that was not validated, or not completely.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotJudged {
    /// The range of the object, in bytes. If only a placeholder was not validated, its range.
    pub range: TextRange,
    /// Its `apiVersion`; empty if it cannot be read.
    pub api_version: String,
    /// Its `kind`; empty if it cannot be read.
    pub kind: String,
    /// Why it was not validated.
    pub reason: UnvalidatedReason,
}

impl NotJudged {
    pub(crate) fn shifted(&self, by: TextSize) -> Self {
        Self { range: self.range.shifted(by), ..self.clone() }
    }
}

/// Why an object was not validated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UnvalidatedReason {
    /// No definition of its kind is known.
    NoDefinition,
    /// Its definition does not serve the version that it names.
    UnknownVersion,
    /// It is a text template, which is no object before a tool fills it in.
    Template,
    /// It is a patch for another object.
    Patch,
    /// A test compares it with an object of a cluster, or expects an error.
    Test,
    /// It has a placeholder for a value; the rest is validated.
    Placeholder,
    /// It cannot be read.
    Unreadable,
    /// crd-ls does not validate its kind: a built-in kind of Kubernetes, or the settings of a tool.
    UnsupportedKind,
}

impl UnvalidatedReason {
    /// All reasons, most important first.
    pub const ALL: [Self; 8] = [
        Self::NoDefinition,
        Self::UnknownVersion,
        Self::Unreadable,
        Self::Template,
        Self::Placeholder,
        Self::Patch,
        Self::Test,
        Self::UnsupportedKind,
    ];

    /// Its name in the JSON output.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NoDefinition => "no-definition",
            Self::UnknownVersion => "unknown-version",
            Self::Template => "template",
            Self::Patch => "patch",
            Self::Test => "test",
            Self::Placeholder => "placeholder",
            Self::Unreadable => "unreadable",
            Self::UnsupportedKind => "unsupported-kind",
        }
    }

    /// Whether a check that requires the validation of every object fails because of it.
    #[must_use]
    pub const fn is_gap(self) -> bool {
        matches!(self, Self::NoDefinition | Self::UnknownVersion | Self::Unreadable)
    }
}

impl ValidationCoverage {
    /// Notes that the placeholder at `range` in the first object of `document` was not validated.
    pub(crate) fn add_placeholder(
        &mut self,
        document: Document<'_>,
        range: TextRange,
        form: PlaceholderForm,
    ) {
        let objects = objects(document, &Reader::new(document));
        let not_judged =
            objects.first().map(|object| NotJudged { range, ..object.not_judged(form.reason()) });
        self.not_judged.extend(not_judged);
    }

    /// Adds the counts of a document that starts at `start`.
    pub(crate) fn add(&mut self, document: &Self, start: TextSize) {
        self.definitions += document.definitions;
        self.rules += document.rules;
        self.resources.extend(document.resources.iter().map(|at| at + start));
        self.not_judged.extend(document.not_judged.iter().map(|one| one.shifted(start)));
    }
}

impl Object<'_> {
    pub(crate) fn not_judged(&self, reason: UnvalidatedReason) -> NotJudged {
        NotJudged {
            range: self.value.range(),
            api_version: self.api_version.clone(),
            kind: self.kind.kind.clone(),
            reason,
        }
    }

    /// The reason if the `apiVersion` or the `kind` is a placeholder.
    pub(crate) fn placeholder_reason(&self) -> Option<UnvalidatedReason> {
        let forms = [&self.api_version, &self.kind.kind].map(|text| form_of(text, false));
        forms.into_iter().flatten().min().map(PlaceholderForm::reason)
    }

    /// Why an object in `document` without a known definition is not validated.
    pub(crate) fn reason_if_unknown(&self, document: Document<'_>) -> UnvalidatedReason {
        let Kind { group, kind, .. } = &self.kind;
        if let Some(reason) = self.placeholder_reason() {
            reason
        } else if kind.is_empty() || self.api_version.is_empty() || !document.refusals().is_empty() {
            UnvalidatedReason::Unreadable
        } else if kind == "CustomResourceDefinition" && group == "apiextensions.k8s.io" {
            UnvalidatedReason::UnknownVersion
        } else if test_files::GROUPS.contains(&group.as_str()) {
            UnvalidatedReason::Test
        } else if kinds::is_built_in(group) || kinds::has_no_definition(group, kind) {
            UnvalidatedReason::UnsupportedKind
        } else {
            UnvalidatedReason::NoDefinition
        }
    }
}

/// Returns whether objects of `group` may have a CustomResourceDefinition, judging by the name of the group alone.
#[must_use]
pub fn may_be_defined(group: &str) -> bool {
    let is_of_others = kinds::is_built_in(group) || kinds::has_no_definition(group, "");
    !group.is_empty() && !is_of_others && !test_files::GROUPS.contains(&group)
}

/// All objects in `document`, as not validated.
pub(crate) fn all_not_judged(document: Document<'_>, reason: UnvalidatedReason) -> ValidationCoverage {
    let objects = objects(document, &Reader::new(document));
    let not_judged: Vec<NotJudged> = objects.iter().map(|object| object.not_judged(reason)).collect();
    if not_judged.is_empty() {
        return unread(document, reason);
    }
    ValidationCoverage { not_judged, ..ValidationCoverage::default() }
}

/// The result for a document without readable objects: if it has syntax errors and lines as in an object, one
/// object is counted as not validated.
pub(crate) fn unread(document: Document<'_>, reason: UnvalidatedReason) -> ValidationCoverage {
    let mut coverage = ValidationCoverage::default();
    if document.syntax().node().flags().errors {
        let text = document.syntax().text();
        let has = |key: &str| text.lines().any(|line| line.trim_start().starts_with(key));
        if has("apiVersion:") && has("kind:") {
            let range = document.root().map_or(document.range(), Value::range);
            let (api_version, kind) = (String::new(), String::new());
            coverage.not_judged.push(NotJudged { range, api_version, kind, reason });
        }
    }
    coverage
}

/// The result for a document with definitions that has that `origin`.
pub(crate) fn of_definitions(document: Document<'_>, origin: Completeness) -> ValidationCoverage {
    match origin {
        Completeness::Whole => {
            let definitions = crd::object::definitions(document, &Reader::new(document)).len();
            ValidationCoverage { definitions, ..ValidationCoverage::default() }
        }
        Completeness::Patch => all_not_judged(document, UnvalidatedReason::Patch),
        Completeness::Template => all_not_judged(document, UnvalidatedReason::Template),
    }
}

/// The number of rules in the schemas of `document`. Aliases are not followed, so that no rule counts twice.
pub(crate) fn count_rules(document: Document<'_>) -> usize {
    let mut count = 0;
    let mut pending: Vec<Value<'_>> = document.root().into_iter().collect();
    while let Some(value) = pending.pop() {
        match value.kind() {
            ValueKind::Mapping(mapping) => {
                for entry in mapping.entries() {
                    let value = entry.value();
                    let rules = value
                        .as_sequence()
                        .filter(|_| entry.key_text().is_some_and(|key| key == "x-kubernetes-validations"));
                    match rules {
                        Some(rules) => count += rules.items().count(),
                        None => pending.push(value),
                    }
                }
            }
            ValueKind::Sequence(sequence) => {
                pending.extend(Sequence::items(sequence).map(|item| item.value()))
            }
            ValueKind::Scalar(_) | ValueKind::Alias(_) | ValueKind::Absent => {}
        }
    }
    count
}
