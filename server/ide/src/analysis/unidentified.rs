//! Objects whose `apiVersion`, `kind` or `metadata` is missing or misspelt, although the other fields
//! identify them.
//!
//! Without both keys a text may be anything, so more than the keys must fit: a definition must have fields
//! that only definitions have, a resource must have a name and a known kind.

use api::Code;
use crd::reading::holds_action;
use crd::{FieldPath, Message};
use text::{TextEdit, TextRange};
use yaml::edit::{Editor, NewEntry, Position};
use yaml::{Document, Entry, SyntaxErrorKind, Value, ValueKind};

use crate::analysis::catalog::Catalog;
use crate::analysis::fix::Title;
use crate::analysis::head_slip::{HeadSlip, HeadSlipKind};
use crate::analysis::kind_corrections::DEFINITION;
use crate::analysis::separated;
use crate::analysis::separator::Separator;
use crate::analysis::text_at::text_of;
use crate::analysis::validation_coverage::may_be_defined;
use crate::analysis::values::{key_above, newline, own_entry, raw, string};
use crate::{Finding, Severity};

pub(crate) const API_VERSION: &str = "apiVersion";
pub(crate) const KIND: &str = "kind";
pub(crate) const METADATA: &str = "metadata";
/// The maximum number of keys of an object. Files of other tools have any number.
const MOST_KEYS: usize = 24;
/// The maximum number of missing, wrong or extra letters in a key.
const MOST_SLIPS: usize = 2;
/// The minimum number of these fields in the `spec` of a definition.
const LEAST_FIELDS: usize = 2;
const FIELDS: [&str; 5] = ["group", "names", "versions", "version", "validation"];
/// The fields in `metadata`.
const OF_METADATA: [&str; 7] =
    ["name", "generateName", "namespace", "labels", "annotations", "finalizers", "ownerReferences"];

/// An object with such a slip.
pub(crate) struct UnidentifiedObject<'t> {
    pub(crate) root: Value<'t>,
    pub(crate) slip: Slip<'t>,
    /// The value of the key, if only one is possible.
    pub(crate) intended: Option<String>,
}

pub(crate) enum Slip<'t> {
    /// The key has another spelling.
    Misspelt(&'static str, Entry<'t>),
    /// There is no colon behind the key, or no blank behind the colon.
    Unseparated(Entry<'t>, Separator),
    /// The value is not a string.
    NoText(&'static str, Entry<'t>),
    /// The key is missing; this entry is beside it.
    Missing(&'static str, Entry<'t>),
    /// The fields of `metadata` are below the value of another key, in these lines.
    Headless(TextRange),
    /// The key is indented or after a dash, or its value begins with a special character.
    HeadSlip(HeadSlip),
}

/// The kind of object that its other fields show, to be looked up in the catalog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Evidence {
    /// It is a definition, of `v1beta1` or another version, regardless of the catalog.
    Definition { is_beta: bool },
    /// It has that kind.
    Kind(String),
    /// It has that group.
    Group(String),
    /// It has both.
    Both(String, String),
}

impl Evidence {
    /// The possible values of the other key, at most two; empty if no such objects are known.
    pub(crate) fn possible_values(&self, catalog: &Catalog, from: &str, key: &str) -> Vec<String> {
        let (group, definition) = DEFINITION;
        match self {
            Self::Definition { .. } if key == KIND => vec![definition.to_owned()],
            Self::Definition { is_beta: true } => vec![format!("{group}/v1beta1")],
            Self::Definition { is_beta: false } => vec![format!("{group}/v1")],
            Self::Kind(kind) => {
                let groups = catalog.groups_of(kind, from).filter(|group| may_be_defined(group));
                let version = |group: &str| catalog.served_version(group, kind, from, "").map(str::to_owned);
                groups.take(2).filter_map(|group| Some(format!("{group}/{}", version(group)?))).collect()
            }
            Self::Group(group) => catalog.kinds_of(group, from).take(2).map(str::to_owned).collect(),
            Self::Both(group, kind) if catalog.is_defined_in(group, kind, from) => vec![kind.clone()],
            Self::Both(..) => Vec::new(),
        }
    }

    /// Whether it may refer to a definition of `kind` in `group`.
    pub(crate) fn is_about(&self, group: &str, kind: &str) -> bool {
        match self {
            Self::Definition { .. } => false,
            Self::Kind(name) => name == kind,
            Self::Group(name) => name == group,
            Self::Both(of, name) => (of.as_str(), name.as_str()) == (group, kind),
        }
    }
}

/// The spelling of a key that identifies an object.
enum KeySpelling<'t> {
    Right(Entry<'t>, String),
    Wrong(Slip<'t>),
    Missing,
}

/// A slip, and the evidence of the other fields.
pub(crate) struct Clue<'t> {
    root: Value<'t>,
    slip: Slip<'t>,
    pub(crate) key: &'static str,
    pub(crate) evidence: Evidence,
}

impl<'t> Clue<'t> {
    /// The slip in the fields that identify `document`, if its other fields identify it.
    pub(crate) fn of(document: Document<'t>) -> Option<Self> {
        let root = document.root()?;
        if let Some(slip_in_head) = Self::of_head_slip(document, root) {
            return Some(slip_in_head);
        }
        let mapping = root.as_mapping()?;
        if mapping.entries().take(MOST_KEYS + 1).count() > MOST_KEYS {
            return None;
        }
        if let Some(headless) = Self::of_metadata(document, root) {
            return Some(headless);
        }
        let (key, slip, beside, right) =
            match (key_spelling(document, root, API_VERSION), key_spelling(document, root, KIND)) {
                (KeySpelling::Right(entry, text), KeySpelling::Wrong(slip)) => {
                    (KIND, Some(slip), entry, text)
                }
                (KeySpelling::Right(entry, text), KeySpelling::Missing) => (KIND, None, entry, text),
                (KeySpelling::Wrong(slip), KeySpelling::Right(entry, text)) => {
                    (API_VERSION, Some(slip), entry, text)
                }
                (KeySpelling::Missing, KeySpelling::Right(entry, text)) => (API_VERSION, None, entry, text),
                _ => return None,
            };
        let slip = slip.unwrap_or(Slip::Missing(key, beside));
        let group = || right.split_once('/').map_or("", |(group, _)| group);
        let evidence = match key {
            API_VERSION if right == DEFINITION.1 => definition(root)?,
            KIND if group() == DEFINITION.0 => definition(root)?,
            _ if !has_name(root) => return None,
            API_VERSION => Evidence::Kind(right),
            _ if may_be_defined(group()) => Evidence::Group(group().to_owned()),
            _ => return None,
        };
        Some(Self { root, slip, key, evidence })
    }

    /// The slip in one of the first lines, if the object is identified by its fields after the repair.
    fn of_head_slip(document: Document<'t>, root: Value<'t>) -> Option<Self> {
        let (slip_in_head, tree) = HeadSlip::find(document)?;
        let whole = tree.documents().next()?.root()?;
        let of = |key: &str| string(own_entry(whole, key)?.value());
        let (api_version, kind) = (of(API_VERSION)?, of(KIND)?);
        let (group, _) = api_version.split_once('/')?;
        let evidence = match (group, kind.as_str()) == DEFINITION {
            true => definition(whole)?,
            false if has_name(whole) => Evidence::Both(group.to_owned(), kind),
            false => return None,
        };
        Some(Self { root, slip: Slip::HeadSlip(slip_in_head), key: KIND, evidence })
    }

    /// The lines of `metadata` without that key, which are below the value of `apiVersion` or `kind`.
    fn of_metadata(document: Document<'t>, root: Value<'t>) -> Option<Self> {
        let mut entries = root.as_mapping()?.entries();
        let is_named =
            |entry: &Entry<'_>| entry.key_text().is_some_and(|key| key == API_VERSION || key == KIND);
        let entry = entries.find(|entry| is_named(entry) && entry.value().as_mapping().is_some())?;
        let lines = entry.value().range();
        let mut is_stray = false;
        document.syntax().for_each_error(&mut |error| {
            is_stray |= error.kind == SyntaxErrorKind::Indentation && error.range.start == lines.start;
        });
        let is_field = |entry: Entry<'_>| entry.key_text().is_some_and(|key| OF_METADATA.contains(&&*key));
        if !is_stray
            || own_entry(root, METADATA).is_some()
            || !entry.value().as_mapping()?.entries().all(is_field)
            || !is_named_itself(entry.value())
        {
            return None;
        }
        let own = text_of(document.syntax(), TextRange::new(entry.colon()?.range().end, lines.start));
        let own = own.trim().trim_matches(['"', '\'']).to_owned();
        let of = |key: &str| match entry.key_text()?.as_ref() == key {
            true => Some(own.clone()),
            false => string(own_entry(root, key)?.value()),
        };
        let (api_version, kind) = (of(API_VERSION)?, of(KIND)?);
        let (group, _) = api_version.split_once('/')?;
        let evidence = match (group, kind.as_str()) == DEFINITION {
            true => definition(root)?,
            false => Evidence::Both(group.to_owned(), kind),
        };
        Some(Self { root, slip: Slip::Headless(lines), key: KIND, evidence })
    }
}

impl<'t> UnidentifiedObject<'t> {
    /// Returns the slip in `document` of the source `from`, if the intended object is known. Such a document
    /// is not an object as written.
    pub(crate) fn of(document: Document<'t>, catalog: &Catalog, from: &str) -> Option<Self> {
        let Clue { root, slip, key, evidence } = Clue::of(document)?;
        let possible_values = evidence.possible_values(catalog, from, key);
        let intended = possible_values.first()?.clone();
        if holds_action(document) {
            return None;
        }
        let intended = (possible_values.len() == 1).then_some(intended);
        Some(Self { root, slip, intended })
    }

    pub(crate) fn finding(&self) -> Finding {
        let write = |key: &str, otherwise: &str| match &self.intended {
            Some(intended) => format!("write `{key}: {intended}`"),
            None => otherwise.to_owned(),
        };
        let (range, message) = match &self.slip {
            Slip::Misspelt(key, entry) => {
                let written = entry.key_text().unwrap_or_default();
                let problem = format!("objects have no field `{written}`");
                (entry.key_range(), Message::new(problem).advise(format!("write `{key}`")))
            }
            Slip::Unseparated(entry, separator) => {
                let lacks_colon = || Message::new("a `:` is missing after this key").advise("add `:`");
                (entry.range(), separator.message().unwrap_or_else(lacks_colon))
            }
            Slip::NoText(key, entry) => {
                let is_empty = matches!(entry.value().kind(), ValueKind::Absent);
                let range = if is_empty { entry.key_range() } else { entry.value().range() };
                let problem = if is_empty { "is empty" } else { "must be a string" };
                (range, Message::new(format!("`{key}` {problem}")).advise(write(key, "write its value")))
            }
            Slip::Missing(key, beside) => {
                let message = Message::new(format!("`{key}` is missing")).advise(write(key, "add it"));
                (beside.key_range(), message)
            }
            Slip::Headless(lines) => {
                let problem = "the indentation of this line matches no open block";
                (*lines, Message::new(problem).advise("add `metadata:` above it"))
            }
            Slip::HeadSlip(HeadSlip { key, range, kind: HeadSlipKind::Indented, .. }) => {
                let problem =
                    format!("`{key}` does not begin its line, so YAML reads it as part of another value");
                (*range, Message::new(problem).advise("remove the text before it"))
            }
            Slip::HeadSlip(HeadSlip { key, range, kind: HeadSlipKind::Joined, .. }) => {
                let problem = format!("`{key}` is on the line of another key");
                (*range, Message::new(problem).advise("move it to a separate line"))
            }
            Slip::HeadSlip(HeadSlip { key, range, .. }) => {
                let problem =
                    format!("the value of `{key}` begins with a character that YAML does not read as text");
                (*range, Message::new(problem).advise("remove the character"))
            }
        };
        let is_of_yaml = matches!(self.slip, Slip::Headless(_) | Slip::Unseparated(..) | Slip::HeadSlip(_));
        Finding {
            code: if is_of_yaml { Code::YamlSyntax } else { Code::ResourceUnknownKind },
            // No API server accepts an object without these fields.
            severity: Severity::Error,
            message,
            range,
            field_path: FieldPath::root(),
            api_server: None,
            related: Vec::new(),
        }
    }

    /// The title and the edits of the fix, if only one is possible.
    pub(crate) fn change(&self, document: Document<'t>) -> Option<(Title, Vec<TextEdit>)> {
        let mut editor = Editor::new(document);
        let title = match self.slip {
            Slip::Misspelt(key, entry) => {
                editor.rename(entry, key);
                Title::rename(format_args!("`{}` to `{key}`", entry.key_text()?))
            }
            Slip::Unseparated(entry, _) => {
                let (title, edits) = separated::fix(document, entry.range())?;
                return Some((title.into(), edits));
            }
            Slip::NoText(key, entry) => {
                let intended = self.intended.as_ref()?;
                editor.replace(entry.value(), raw(intended));
                format!("Set `{key}: {intended}`").into()
            }
            Slip::Missing(key, beside) => {
                let intended = self.intended.as_ref()?;
                let position = if key == KIND { Position::After(beside) } else { Position::Start };
                editor.insert(self.root, position, NewEntry::new(key, raw(intended)));
                format!("Add `{key}: {intended}`").into()
            }
            Slip::Headless(lines) => {
                let edit = key_above(document, lines.start, 0, METADATA)?;
                return Some((format!("Add `{METADATA}:` above this line").into(), vec![edit]));
            }
            Slip::HeadSlip(slip @ HeadSlip { key, signs, kind, .. }) => {
                let title = match kind {
                    HeadSlipKind::Indented => format!("Move `{key}` to the start of its line").into(),
                    HeadSlipKind::Joined => format!("Move `{key}` to its own line").into(),
                    HeadSlipKind::Value => {
                        Title::removal(format_args!("the character before the value of `{key}`"))
                    }
                };
                let new = slip.replacement(newline(&document.syntax().text()));
                return Some((title, vec![TextEdit::replace(signs, new)]));
            }
        };
        // The editor may refuse text with syntax errors. There, only the line of the key is changed.
        let edits = editor.finish().ok().or_else(|| self.change_of_line(document));
        Some((title, edits?))
    }

    /// The fix as an edit that is limited to the line of the key.
    fn change_of_line(&self, document: Document<'t>) -> Option<Vec<TextEdit>> {
        let edit = match &self.slip {
            Slip::Misspelt(key, entry) => TextEdit::replace(entry.key_range(), (*key).to_owned()),
            Slip::NoText(_, entry) => {
                TextEdit::replace(entry.value().as_scalar()?.token().range(), self.intended.clone()?)
            }
            Slip::Missing(key, _) => {
                let mapping = self.root.as_mapping().filter(|root| !root.is_flow())?;
                let first = mapping.entries().next()?.range().start;
                let end = newline(&text_of(document.syntax(), TextRange::new(first, document.range().end)));
                let indent = " ".repeat(mapping.column()?);
                TextEdit::insert(first, format!("{key}: {}{end}{indent}", self.intended.as_ref()?))
            }
            Slip::Unseparated(..) | Slip::Headless(_) | Slip::HeadSlip(_) => return None,
        };
        Some(vec![edit])
    }
}

/// The spelling of `key` in the object `root`.
fn key_spelling<'t>(document: Document<'t>, root: Value<'t>, key: &'static str) -> KeySpelling<'t> {
    if let Some(entry) = own_entry(root, key) {
        return match string(entry.value()) {
            Some(text) => KeySpelling::Right(entry, text),
            None => KeySpelling::Wrong(Slip::NoText(key, entry)),
        };
    }
    let slip = |entry: Entry<'t>| {
        let name = entry.key_text()?;
        if entry.colon().is_none() {
            let separator = Separator::at(document, entry.range())?;
            return (separator.name() == Some(key)).then_some(Slip::Unseparated(entry, separator));
        }
        let is_misspelt = name.eq_ignore_ascii_case(key)
            || crd::suggest::slips(&name, key).is_some_and(|slips| slips <= MOST_SLIPS.min(key.len() / 4));
        (is_misspelt && string(entry.value()).is_some()).then_some(Slip::Misspelt(key, entry))
    };
    let mut entries = root.as_mapping().into_iter().flat_map(yaml::Mapping::entries);
    let by_another_name = || {
        let (name, is_value): (_, fn(&str) -> bool) = match key {
            API_VERSION => ("version", |text| text.contains('/')),
            _ => ("type", |text| text.starts_with(|letter: char| letter.is_ascii_uppercase())),
        };
        let entry = own_entry(root, name)?;
        string(entry.value()).is_some_and(|text| is_value(&text)).then_some(Slip::Misspelt(key, entry))
    };
    entries.find_map(slip).or_else(by_another_name).map_or(KeySpelling::Missing, KeySpelling::Wrong)
}

/// Returns the evidence that `root` has fields that only definitions have.
fn definition(root: Value<'_>) -> Option<Evidence> {
    let spec = own_entry(root, "spec")?.value();
    let has_value = |entry: Entry<'_>| !matches!(entry.value().kind(), ValueKind::Absent);
    let has = |field: &&&str| own_entry(spec, field).is_some_and(has_value);
    let count = FIELDS.iter().filter(has).count();
    let is_beta = own_entry(spec, "versions").is_none();
    (count >= LEAST_FIELDS).then_some(Evidence::Definition { is_beta })
}

/// Whether `root` has the name that all objects have.
fn has_name(root: Value<'_>) -> bool {
    own_entry(root, METADATA).is_some_and(|metadata| is_named_itself(metadata.value()))
}

fn is_named_itself(metadata: Value<'_>) -> bool {
    let has = |key: &str| own_entry(metadata, key).is_some_and(|name| string(name.value()).is_some());
    has("name") || has("generateName")
}

#[cfg(test)]
mod tests;
