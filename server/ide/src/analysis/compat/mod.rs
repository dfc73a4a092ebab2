//! The changes of definitions, compared with earlier ones.

mod explain;
mod restore;

use std::fmt;

use api::Code;
use crd::compat::{AffectedParty, Change, compare};
pub use crd::compat::{ChangeSeverity, FieldCell, FieldDeclaration, FieldRow, VersionColumn, VersionTable};
use crd::object::{CustomResourceDefinition, definitions};
use crd::reading::holds_action;
use text::TextRange;
use yaml::{Document, Reader, Tree};

use crate::{Finding, Fix, Severity, StoredObjects};

/// An earlier text that documents are compared with, to report breaking changes. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Base {
    stored: StoredObjects,
    /// Whether breaking changes of alpha versions, which promise nothing, are reported as those of other
    /// versions are, not as hints.
    alpha: bool,
}

impl Base {
    /// A base with the definitions of `stored`.
    #[must_use]
    pub const fn new(stored: StoredObjects, alpha: bool) -> Self {
        Self { stored, alpha }
    }

    /// Whether both are identical, not merely equal.
    #[must_use]
    pub fn is_identical(&self, other: &Self) -> bool {
        self.stored.is_identical(&other.stored) && self.alpha == other.alpha
    }

    /// The changes of `document` that break clients or may break them.
    pub(crate) fn findings(&self, document: Document<'_>, cache: &mut crd::Cache) -> Vec<Finding> {
        let changes = self.reported_changes(document, cache);
        let revision = self.stored.revision();
        let severity = |change: &Change| match change.class {
            _ if change.is_alpha() && !self.alpha => Severity::Hint,
            ChangeSeverity::Breaking => Severity::Warning,
            _ => Severity::Information,
        };
        changes
            .into_iter()
            .map(|change| Finding {
                code: change.code,
                severity: severity(&change),
                message: format!("compared with {revision}: {}{}", change.message, affected_parties(&change))
                    .into(),
                range: change.range,
                field_path: change.field_path.clone(),
                api_server: None,
                related: Vec::new(),
            })
            .collect()
    }
}

impl Base {
    /// The fixes that take back the changes at `range`.
    pub(crate) fn fixes(&self, document: Document<'_>, range: TextRange, cache: &mut crd::Cache) -> Vec<Fix> {
        let Some(earlier) = self.stored.replaced_by(document) else { return Vec::new() };
        // After somebody types a value, the cursor is on it rather than on the key.
        let is_at = |change: &Change| {
            let is_on = || explain::is_on(document, change.range, range.start);
            change.range.overlaps(range) || range.is_empty() && is_on()
        };
        let at = self.reported_changes(document, cache).into_iter().filter(is_at);
        at.filter_map(|change| restore::restore(&change, document, earlier, self.stored.revision())).collect()
    }

    /// The changes that are reported while somebody types.
    fn reported_changes(&self, document: Document<'_>, cache: &mut crd::Cache) -> Vec<Change> {
        let Some(earlier) = self.stored.replaced_by(document) else { return Vec::new() };
        if has_errors(document) || StoredObjects::is_same(document, earlier) {
            return Vec::new();
        }
        let mut changes = compare_pairs(earlier, document, |old, new| compare(old, new, cache));
        changes.retain(|change| {
            // The server itself rejects a change of the identity.
            let is_refused = change.code == Code::CompatIdentityChanged;
            // The check of the definition alone reports it.
            let is_lint =
                change.code == Code::CompatConversionLoss && change.class != ChangeSeverity::Breaking;
            change.class != ChangeSeverity::Safe && !is_refused && !is_lint
        });
        changes
    }
}

/// A change between two texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The name of the definition.
    pub definition: String,
    /// The rule, such as `compat/field-removed`.
    pub code: Code,
    /// How much it harms.
    pub class: ChangeSeverity,
    /// Those who are affected.
    pub affects: Vec<&'static str>,
    /// The change.
    pub message: String,
    /// The message without the field, equal for all changes with the same cause.
    pub cause: String,
    /// The version with the change, if it is in a single one.
    pub version: Option<String>,
    /// The field of objects that changes; empty outside of schemas.
    pub object_path: String,
    /// Its range in the new text, in bytes; `None` if the definition was removed.
    pub range: Option<TextRange>,
    /// Its range in the old text, in bytes.
    pub before: Option<TextRange>,
    /// Whether stored values that do not change remain accepted.
    pub ratchets: bool,
    /// Whether it is in an alpha version, which promises nothing.
    pub alpha: bool,
}

/// The definitions in `text` by their names, each with its versions side by side.
#[must_use]
pub fn versions(text: &str) -> Vec<(String, VersionTable)> {
    let tree = Tree::parse(text);
    let mut cache = crd::Cache::default();
    let mut tables = Vec::new();
    for document in tree.documents() {
        let reader = Reader::new(document);
        for definition in definitions(document, &reader) {
            let name = definition.name().map(|name| name.into_owned()).unwrap_or_default();
            tables.push((name, crd::compat::versions(&definition, &mut cache)));
        }
    }
    tables
}

/// The code for a removed definition.
pub const DEFINITION_REMOVED: Code = Code::CompatDefinitionRemoved;

/// A definition that is not compared, because its document cannot be read as YAML.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// The definition's name.
    pub name: String,
    /// Whether the document is a template, from which a tool generates YAML; otherwise it has syntax errors.
    pub is_template: bool,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let why = if self.is_template { "is in a template" } else { "has syntax errors" };
        write!(f, "{} {why} and is not compared", self.name)
    }
}

/// The definitions in `text` that are not compared.
#[must_use]
pub fn unreadable(text: &str) -> Vec<Unreadable> {
    let tree = Tree::parse(text);
    let documents = tree.documents().filter(|document| has_errors(*document));
    let of = |document| {
        let is_template = holds_action(document);
        names(document).into_iter().map(move |name| Unreadable { name, is_template })
    };
    documents.flat_map(of).collect()
}

fn has_errors(document: Document<'_>) -> bool {
    document.syntax().node().flags().errors
}

fn names(document: Document<'_>) -> Vec<String> {
    let reader = Reader::new(document);
    let all = definitions(document, &reader);
    all.iter().filter_map(|definition| Some(definition.name()?.into_owned())).collect()
}

/// All differences between the definitions of the same names in two texts, by definition. Definitions that
/// are [`unreadable`] in one of the texts are omitted.
#[must_use]
pub fn diff(old: &str, new: &str) -> Vec<Difference> {
    let (old, new) = (Tree::parse(old), Tree::parse(new));
    let mut cache = crd::Cache::default();
    let mut differences = Vec::new();
    let unread =
        |tree: &Tree| tree.documents().filter(|document| has_errors(*document)).flat_map(names).collect();
    let unread_before: Vec<String> = unread(&old);
    let mut known: Vec<String> = unread(&new);
    for document in new.documents().filter(|document| !has_errors(*document)) {
        let reader = Reader::new(document);
        for definition in definitions(document, &reader) {
            let Some(name) = definition.name() else { continue };
            known.push(name.to_string());
            if unread_before.iter().any(|unread| *unread == name) {
                continue;
            }
            let changes = old.documents().find_map(|earlier| {
                with_definition(earlier, &name, |before| compare(before, &definition, &mut cache))
            });
            match changes {
                Some(changes) => {
                    differences.extend(changes.into_iter().map(|change| difference(&name, change)))
                }
                None => {
                    let range = definition.value().range();
                    let range = TextRange::empty(range.start);
                    differences.push(definition_difference(
                        &name,
                        ChangeSeverity::Safe,
                        "the definition was added",
                        Some(range),
                    ));
                }
            }
        }
    }
    for document in old.documents().filter(|document| !has_errors(*document)) {
        for name in names(document) {
            if !known.contains(&name) {
                let message = "the definition was removed; deleting it deletes all its objects";
                differences.push(definition_difference(&name, ChangeSeverity::Breaking, message, None));
            }
        }
    }
    differences
}

fn difference(definition: &str, change: Change) -> Difference {
    Difference {
        definition: definition.to_owned(),
        code: change.code,
        class: change.class,
        affects: change.affects.iter().copied().map(AffectedParty::name).collect(),
        alpha: change.is_alpha(),
        message: change.message,
        cause: change.cause,
        version: change.version,
        object_path: change.object_path,
        range: Some(change.range),
        before: change.before,
        ratchets: change.ratchets,
    }
}

fn definition_difference(
    definition: &str,
    class: ChangeSeverity,
    message: &str,
    range: Option<TextRange>,
) -> Difference {
    let affects = if class == ChangeSeverity::Safe {
        &[][..]
    } else {
        &[AffectedParty::StoredObjects, AffectedParty::Writers]
    };
    Difference {
        definition: definition.to_owned(),
        code: if class == ChangeSeverity::Safe { Code::CompatDefinitionAdded } else { DEFINITION_REMOVED },
        class,
        affects: affects.iter().copied().map(AffectedParty::name).collect(),
        message: message.to_owned(),
        cause: message.to_owned(),
        version: None,
        object_path: String::new(),
        range,
        before: None,
        ratchets: false,
        alpha: false,
    }
}

/// Those whom the change affects, as the end of a sentence.
fn affected_parties(change: &Change) -> String {
    let names: Vec<&str> = change.affects.iter().copied().map(AffectedParty::name).collect();
    let ratchets = match change.ratchets && change.affects.contains(&AffectedParty::StoredObjects) {
        true => "; since Kubernetes 1.30, unchanged stored values remain valid",
        false => "",
    };
    match names.split_last() {
        None => String::new(),
        Some((last, [])) => format!(" (affects {last}{ratchets})"),
        Some((last, first)) => format!(" (affects {} and {last}{ratchets})", first.join(", ")),
    }
}

/// The changes that `compare` returns for each pair of definitions with the same name.
fn compare_pairs(
    old: Document<'_>,
    new: Document<'_>,
    mut compare: impl FnMut(&CustomResourceDefinition<'_, '_>, &CustomResourceDefinition<'_, '_>) -> Vec<Change>,
) -> Vec<Change> {
    let reader = Reader::new(new);
    let mut all = Vec::new();
    for definition in definitions(new, &reader) {
        let Some(name) = definition.name() else { continue };
        all.extend(
            with_definition(old, &name, |earlier| compare(earlier, &definition)).into_iter().flatten(),
        );
    }
    all
}

/// The result of `look` for the definition of that name.
fn with_definition<T>(
    document: Document<'_>,
    name: &str,
    look: impl FnOnce(&CustomResourceDefinition<'_, '_>) -> T,
) -> Option<T> {
    let reader = Reader::new(document);
    let all = definitions(document, &reader);
    all.iter().find(|definition| definition.name().is_some_and(|other| other == name)).map(look)
}
