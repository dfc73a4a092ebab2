//! What of a text was judged, and what was left alone, with the reason.

mod kinds;
pub(crate) mod placeholders;
mod stand_ins;

use crate::analysis::objects::{Object, objects};
use crd::Origin;
pub(crate) use stand_ins::silence;
use text::{TextRange, TextSize};
use yaml::{Document, Reader, Sequence, Value, ValueKind};

use crate::analysis::judged::placeholders::{Form, form_of};
use crate::analysis::kinds::Kind;
use crate::analysis::test_files;

/// What was judged of a text, and what was not. Equal texts in equal surroundings have equal ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Judged {
    /// How many definitions were judged.
    pub definitions: usize,
    /// How many rules these have in `x-kubernetes-validations`.
    pub rules: usize,
    /// Where the resources begin that were judged by their definitions, in bytes.
    pub resources: Vec<TextSize>,
    /// The objects that were not judged, or not in whole, by place.
    pub not_judged: Vec<NotJudged>,
}

/// An object that was not judged, or not in whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotJudged {
    /// Where it stands, in bytes; of one that is judged but for a placeholder, where that stands.
    pub range: TextRange,
    /// Its `apiVersion`; empty where it cannot be read.
    pub api_version: String,
    /// Its `kind`; empty where it cannot be read.
    pub kind: String,
    /// Why it was left alone.
    pub reason: Reason,
}

impl NotJudged {
    pub(crate) fn shifted(&self, by: TextSize) -> Self {
        Self { range: self.range.shifted(by), ..self.clone() }
    }
}

/// Why an object was left alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// Nobody defines its kind.
    NoDefinition,
    /// Its definition does not serve the version that it names.
    UnknownVersion,
    /// It is a text template, which is no object before a tool fills it in.
    Template,
    /// It is merged into another object.
    Patch,
    /// A test compares it with what a cluster holds, or expects it to be refused.
    Test,
    /// A value stands in for another one; the rest is judged.
    Placeholder,
    /// It cannot be read.
    Unreadable,
    /// We do not judge its kind: one of Kubernetes, or the settings of a tool.
    UnsupportedKind,
}

impl Reason {
    /// All of them, those that matter most first.
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

    /// Its name, as our JSON has it.
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

    /// Whether a check that relies on every object being judged fails for it.
    #[must_use]
    pub const fn is_gap(self) -> bool {
        matches!(self, Self::NoDefinition | Self::UnknownVersion | Self::Unreadable)
    }
}

impl Judged {
    /// Notes that of the first object in `document` the placeholder at `range` was left alone.
    pub(crate) fn in_part(&mut self, document: Document<'_>, range: TextRange, form: Form) {
        let objects = objects(document, &Reader::new(document));
        let left = objects.first().map(|object| NotJudged { range, ..object.left(form.reason()) });
        self.not_judged.extend(left);
    }

    /// Takes what was judged of a document that starts at `start`.
    pub(crate) fn add(&mut self, document: &Self, start: TextSize) {
        self.definitions += document.definitions;
        self.rules += document.rules;
        self.resources.extend(document.resources.iter().map(|at| at + start));
        self.not_judged.extend(document.not_judged.iter().map(|one| one.shifted(start)));
    }
}

impl Object<'_> {
    pub(crate) fn left(&self, reason: Reason) -> NotJudged {
        NotJudged {
            range: self.value.range(),
            api_version: self.api_version.clone(),
            kind: self.kind.kind.clone(),
            reason,
        }
    }

    /// That a placeholder says what it is, as a reason to leave it alone.
    pub(crate) fn stands_in(&self) -> Option<Reason> {
        let forms = [&self.api_version, &self.kind.kind].map(|text| form_of(text, false));
        forms.into_iter().flatten().min().map(Form::reason)
    }

    /// Why an object is left alone that stands in `document` and that no definition is known of.
    pub(crate) fn unknown(&self, document: Document<'_>) -> Reason {
        let Kind { group, kind, .. } = &self.kind;
        if let Some(reason) = self.stands_in() {
            reason
        } else if kind.is_empty() || self.api_version.is_empty() || !document.refusals().is_empty() {
            Reason::Unreadable
        } else if kind == "CustomResourceDefinition" && group == "apiextensions.k8s.io" {
            Reason::UnknownVersion
        } else if test_files::GROUPS.contains(&group.as_str()) {
            Reason::Test
        } else if kinds::is_built_in(group) || kinds::has_no_definition(group, kind) {
            Reason::UnsupportedKind
        } else {
            Reason::NoDefinition
        }
    }
}

/// Whether objects of `group` may have a CustomResourceDefinition, as far as the name of the group tells.
#[must_use]
pub fn may_be_defined(group: &str) -> bool {
    let is_of_others = kinds::is_built_in(group) || kinds::has_no_definition(group, "");
    !group.is_empty() && !is_of_others && !test_files::GROUPS.contains(&group)
}

/// The objects in `document`, all left alone.
pub(crate) fn left(document: Document<'_>, reason: Reason) -> Judged {
    let objects = objects(document, &Reader::new(document));
    let not_judged: Vec<NotJudged> = objects.iter().map(|object| object.left(reason)).collect();
    if not_judged.is_empty() {
        return unread(document, reason);
    }
    Judged { not_judged, ..Judged::default() }
}

/// What is known of a document that no object can be read from: where syntax errors are the cause, and lines begin as
/// those of an object do, that one is left alone.
pub(crate) fn unread(document: Document<'_>, reason: Reason) -> Judged {
    let mut judged = Judged::default();
    if document.syntax().node().flags().errors {
        let text = document.syntax().text();
        let has = |key: &str| text.lines().any(|line| line.trim_start().starts_with(key));
        if has("apiVersion:") && has("kind:") {
            let range = document.root().map_or(document.range(), Value::range);
            let (api_version, kind) = (String::new(), String::new());
            judged.not_judged.push(NotJudged { range, api_version, kind, reason });
        }
    }
    judged
}

/// What was judged of a document with definitions that is of that `origin`.
pub(crate) fn of_definitions(document: Document<'_>, origin: Origin) -> Judged {
    match origin {
        Origin::Whole => {
            let definitions = crd::object::definitions(document, &Reader::new(document)).len();
            Judged { definitions, ..Judged::default() }
        }
        Origin::Patch => left(document, Reason::Patch),
        Origin::Template => left(document, Reason::Template),
    }
}

/// How many rules the schemas in `document` have. Aliases are not followed, so that none counts twice.
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
