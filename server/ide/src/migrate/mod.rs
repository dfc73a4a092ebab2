//! Migrates definitions of `apiextensions.k8s.io/v1beta1`, which no server supports any more, to v1.
//!
//! A document goes through several steps, each on the result of the one before: fields that v1beta1 has once
//! for all versions move into each version ([`restructure`]); fields are renamed ([`v1_names`]); safe fixes make
//! the schemas structural, as v1 requires; and marks preserve unknown fields where necessary ([`open`]). The
//! result must not have errors that the definition did not have.

pub(crate) mod comments;
mod duplicates;
mod open;
mod patches;
mod restructure;
mod v1_names;
mod v1beta1_form;

use std::collections::BTreeSet;
use std::fmt;

use api::Code;
use crd::ApiVersion;
use crd::object::{CustomResourceDefinition, definitions};
use crd::reading::holds_action;
use text::{TextEdit, TextSize, compose};
use yaml::edit::EditError;
use yaml::{Document, Reader, Tree};

use comments::Notes;

pub(crate) use v1beta1_form::is_bumped;

use crate::analysis::inputs::DocumentInputs;
use crate::{File, Finding, Fix, RuleLevels, Settings, Severity, Surroundings};

/// The maximum number of rounds of safe fixes.
const MOST_ROUNDS: usize = 10;

/// The handling of fields that a schema does not declare. Before v1, they were stored unless the definition
/// requested pruning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnknownFields {
    /// They are stored as before: each object of the schema is marked accordingly.
    Keep,
    /// They are pruned, except if a schema declares no fields at all.
    Drop,
}

/// The definitions of a document, migrated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Migration {
    /// Their names.
    pub names: Vec<String>,
    /// The edits, in bytes of the original text, sorted and without overlap.
    pub edits: Vec<TextEdit>,
    /// Notes on the result for a person, one sentence each.
    pub notes: Vec<String>,
    /// Whether unknown fields were kept before, so that the user can choose.
    pub kept_unknown_fields: bool,
    /// The number of errors that existed before and remain.
    pub remaining_errors: usize,
}

/// The reason why a document is not migrated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It contains actions of a text template.
    Template,
    /// It has syntax errors.
    Syntax,
    /// A part has no equivalent in v1.
    Unclear(&'static str),
    /// A field for all versions contradicts the same field in each version.
    Twice {
        /// The field of `spec`.
        shared: &'static str,
        /// The field of each version.
        key: String,
    },
    /// It is a patch of the given definition of v1beta1.
    Patch(String),
    /// The edit builder cannot make the edits without loss.
    Edit(EditError),
    /// It would have new errors, with these messages.
    Errors(Vec<String>),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Template => f.write_str("it contains template actions; render it first"),
            Self::Syntax => f.write_str("it has syntax errors; fix them first"),
            Self::Unclear(what) => f.write_str(what),
            Self::Twice { shared, key } => {
                write!(
                    f,
                    "`spec` has `{shared}`, and each version has its own `{key}`; remove one of them first"
                )
            }
            Self::Patch(of) => {
                write!(f, "it patches {of}; rewrite it for `apiextensions.k8s.io/v1`")
            }
            Self::Edit(EditError::Anchor) => {
                f.write_str("the text to move contains anchors, aliases or tags; expand them first")
            }
            Self::Edit(error) => error.fmt(f),
            Self::Errors(messages) => {
                write!(f, "the result would have new errors: {}", messages.join("; "))
            }
        }
    }
}

impl From<EditError> for Refusal {
    fn from(error: EditError) -> Self {
        Self::Edit(error)
    }
}

/// A document during its migration.
struct MigrationState {
    /// The original text of the document.
    original: String,
    text: String,
    /// The edits from the original text, which has `length` bytes, to `text`.
    edits: Vec<TextEdit>,
    length: TextSize,
    settings: Settings,
    surroundings: Surroundings,
}

impl MigrationState {
    fn with_edits(mut self, edits: &[TextEdit]) -> Self {
        self.apply(edits);
        self
    }

    fn apply(&mut self, edits: &[TextEdit]) {
        self.edits = compose(&self.edits, edits, self.length);
        self.text = text::applied(&self.text, 0, edits);
    }

    /// Applies the edits that `step` makes for the current document.
    fn step<T>(
        &mut self,
        step: impl FnOnce(Document<'_>, &Reader<'_>) -> Result<(Vec<TextEdit>, T), Refusal>,
    ) -> Result<T, Refusal> {
        let tree = Tree::parse(&self.text);
        let Some(document) = tree.documents().next() else {
            return Err(Refusal::Unclear("it would be empty"));
        };
        let (edits, result) = step(document, &Reader::new(document))?;
        self.apply(&edits);
        Ok(result)
    }

    fn file(&self) -> File {
        File::with_surroundings(&self.text, &self.settings, self.surroundings.clone())
    }

    fn comments(&self) -> Notes {
        Tree::parse(&self.text).documents().next().map(Notes::of).unwrap_or_default()
    }

    fn make_safe_fixes(&mut self) {
        for _ in 0..MOST_ROUNDS {
            let edits = self.file().fix_all();
            if edits.is_empty() {
                return;
            }
            self.apply(&edits);
        }
    }

    /// Applies the suggestion for a finding that exists only in v1. Returns whether there was one.
    fn approve(&mut self) -> bool {
        let file = self.file();
        let Some(finding) = file.findings().iter().find(|finding| finding.code == Code::ApprovalMissing)
        else {
            return false;
        };
        let is_of = |fix: &Fix| fix.repairs.iter().any(|(code, _)| *code == finding.code);
        let fix = file.fixes(finding.range).into_iter().find(is_of);
        fix.inspect(|fix| self.apply(&fix.edits)).is_some()
    }
}

/// The migration of the definitions of v1beta1 in `document`; `None` if there are none.
pub(crate) fn migrate(
    document: Document<'_>,
    DocumentInputs { settings, surroundings }: DocumentInputs<'_>,
    unknown: UnknownFields,
) -> Option<Result<Migration, Refusal>> {
    let document_alone = document.alone();
    let reader = Reader::new(document_alone);
    let patched = patches::patched_name(document_alone, &reader);
    let all = definitions(document_alone, &reader);
    let policies: Vec<Option<bool>> =
        all.iter().map(|one| (is_beta(one) || is_bumped(one)).then(|| !one.prunes())).collect();
    let ours = || all.iter().zip(&policies).filter(|(_, policy)| policy.is_some());
    if patched.is_none() && ours().next().is_none() {
        return None;
    }
    if holds_action(document_alone) {
        return Some(Err(Refusal::Template));
    }
    if document_alone.syntax().node().flags().errors {
        return Some(Err(Refusal::Syntax));
    }
    if let Some(patched) = patched {
        return Some(Err(Refusal::Patch(patched)));
    }
    let names = ours().map(|(one, _)| one.name().unwrap_or_default().into_owned()).collect();
    let text = document.syntax().text();
    // The migration must not cause findings that the user disabled, either.
    let settings = Settings { rules: RuleLevels::default(), syntax_errors: true, ..settings.clone() };
    let surroundings = Surroundings { stored: None, base: None, ..surroundings.clone() };
    let length = text.len() as TextSize;
    let state =
        MigrationState { original: text.clone(), text, edits: Vec::new(), length, settings, surroundings };
    let renamed = v1beta1_form::named_as_written(document_alone, &all);
    let state = renamed.map(|edits| state.with_edits(&edits)).map_err(Refusal::from);
    Some(state.and_then(|state| state.run(names, &policies, unknown, document.range().start)))
}

impl MigrationState {
    fn run(
        mut self,
        names: Vec<String>,
        policies: &[Option<bool>],
        unknown: UnknownFields,
        start: TextSize,
    ) -> Result<Migration, Refusal> {
        let kept = policies.contains(&Some(true));
        let before = errors(&self.file());
        let comments = self.comments();
        let twice = self.step(duplicates::step)?;
        let mut notes: Vec<String> = duplicates::note(&twice).into_iter().collect();
        notes.extend(self.step(|document, reader| restructure::step(document, reader, policies))?);
        self.step(v1_names::step)?;
        self.make_safe_fixes();
        if self.approve() {
            notes.push(
                "the group belongs to the Kubernetes community; v1 requires the annotation \
                 `api-approved.kubernetes.io`, which is now set to `unapproved`"
                    .to_owned(),
            );
        }
        let marked = self.step(|document, reader| {
            open::step(document, reader, policies, unknown).map_err(Refusal::from)
        })?;
        notes.extend(marked.notes(kept, unknown));
        let after = errors(&self.file());
        let known: BTreeSet<Code> = before.iter().map(|finding| finding.code).collect();
        let new_errors: Vec<String> = after
            .iter()
            .filter(|finding| !known.contains(&finding.code))
            .map(|finding| format!("{}: {}", finding.field_path, finding.message))
            .collect();
        if !new_errors.is_empty() {
            return Err(Refusal::Errors(new_errors));
        }
        if !comments.are_within(&self.comments()) {
            return Err(Refusal::Edit(EditError::Comment));
        }
        let original = self.original;
        let changes = |edit: &TextEdit| original.get(edit.range.as_usize()) != Some(edit.new_text.as_str());
        let shifted = |edit: TextEdit| TextEdit::replace(edit.range.shifted(start), edit.new_text);
        let edits = self.edits.into_iter().filter(changes).map(shifted).collect();
        Ok(Migration { names, edits, notes, kept_unknown_fields: kept, remaining_errors: after.len() })
    }
}

/// Whether `definition` is a complete definition of v1beta1.
fn is_beta(definition: &CustomResourceDefinition<'_, '_>) -> bool {
    definition.api_version() == ApiVersion::V1Beta1 && !definition.is_partial()
}

fn errors(file: &File) -> Vec<Finding> {
    file.findings().iter().filter(|finding| finding.severity == Severity::Error).cloned().collect()
}
