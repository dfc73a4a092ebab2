//! Schemas of properties without the line of their name: their keywords are among the names of properties, or
//! continue the schema above, where they are duplicates.

use api::{Code, JSON_SCHEMA_PROPS};
use crd::Message;
use text::{TextRange, TextSize};
use yaml::{Document, Entry, Mapping, SyntaxErrorKind, Value};

use crate::Finding;
use crate::analysis::text_at::{text_of, values_to};
use crate::analysis::values::{entry_at, own_entry};

pub(crate) const PROPERTIES: &str = "properties";
/// The maximum number of findings of one document that are checked.
const MOST: usize = 20;
/// The maximum number of bytes before a key that are searched for the start of its line.
const LINE: TextSize = 1_000;

/// Such a schema.
pub(crate) struct UnnamedSchema<'t> {
    /// The schema whose property it should be.
    pub(crate) owner: Value<'t>,
    /// The properties of that schema.
    pub(crate) properties: Value<'t>,
    /// The first keyword of the schema without a name.
    pub(crate) first: Entry<'t>,
    /// The column of the missing name.
    pub(crate) column: usize,
    /// Whether no other explanation is possible, such as a keyword that was written twice.
    pub(crate) is_certain: bool,
}

impl<'t> UnnamedSchema<'t> {
    /// Returns the schema whose first keyword has `finding`.
    pub(crate) fn of(document: Document<'t>, finding: &Finding) -> Option<Self> {
        match finding.code {
            Code::YamlDuplicateKey => Self::behind_another(document, finding.range),
            Code::DecodeType => Self::among_names(document, finding.range),
            _ => None,
        }
    }

    /// A schema that continues the schema of the property above.
    fn behind_another(document: Document<'t>, key: TextRange) -> Option<Self> {
        let (holder, first) = entry_at(document, key)?;
        let above: Vec<Value<'t>> = values_to(document, key.start + 1).collect();
        let at = above.iter().rposition(|value| value.range() == holder.range())?;
        let owner = *above.get(at.checked_sub(2)?)?;
        let properties = own_entry(owner, PROPERTIES)?.value();
        let (outer, inner) = (block(properties)?, block(holder)?);
        let column = outer.column()?;
        let is_within = above.get(at - 1)?.range() == properties.range();
        if !is_within || column >= inner.column()? {
            return None;
        }
        let duplicate = first;
        let first = beginning(inner, duplicate);
        let start = first.range().start;
        let mut earlier = inner.entries().take_while(|entry| entry.range().start < start);
        let own: Vec<Entry<'t>> = inner.entries().skip_while(|entry| entry.range().start < start).collect();
        let is_first = earlier.all(|entry| !is_duplicate(inner, entry));
        let are_keywords = own.iter().all(|entry| is_keyword(*entry));
        (is_first && are_keywords).then_some(Self {
            owner,
            properties,
            first,
            column,
            is_certain: is_certain(inner, &own, duplicate),
        })
    }

    /// A schema that is the first entry among the names of properties.
    fn among_names(document: Document<'t>, key: TextRange) -> Option<Self> {
        let mut above: Vec<Value<'t>> = values_to(document, key.start + 1).collect();
        let at = above.iter().rposition(|value| {
            block(*value).is_some_and(|mapping| mapping.column().is_some() && starts_with(mapping, key))
        })?;
        above.truncate(at + 1);
        let (properties, owner) = (above.pop()?, above.pop()?);
        let mapping = properties.as_mapping()?;
        let first = mapping.entries().next()?;
        let is_properties =
            own_entry(owner, PROPERTIES).is_some_and(|entry| entry.value().range() == properties.range());
        if !is_properties || !is_keyword(first) {
            return None;
        }
        let (outer, own) = (block(owner)?.column()?, mapping.column()?);
        // In a text with errors, a block may start to the left of the block around it.
        let indentation = own.checked_sub(outer)?;
        let mut behind = None;
        document.syntax().for_each_error(&mut |error| {
            if error.kind == SyntaxErrorKind::Indentation && error.range.start > key.start {
                behind = behind.or(Some(error.range.start));
            }
        });
        let behind = behind.filter(|start| properties.range().touches(*start));
        let column = match behind {
            Some(start) => column_of(document, start)?,
            // The name was indented half as much.
            None if indentation.is_multiple_of(2) => outer + indentation / 2,
            None => return None,
        };
        let is_between = outer < column && column < own;
        is_between.then_some(Self { owner, properties, first, column, is_certain: true })
    }
}

/// Explains findings that follow from a missing name by that name.
pub(crate) fn explain(document: Document<'_>, findings: &mut [Finding]) {
    let ours = findings.iter_mut().filter(|finding| {
        let is_type = finding.code == Code::DecodeType && is_keyword_as_property(finding);
        is_type || finding.code == Code::YamlDuplicateKey
    });
    for finding in ours.take(MOST) {
        let Some(unheaded) = UnnamedSchema::of(document, finding).filter(|unheaded| unheaded.is_certain)
        else {
            continue;
        };
        let key = unheaded.first.key_text().unwrap_or_default();
        let problem = match finding.code {
            Code::YamlDuplicateKey => format!("a second schema begins at `{key}`"),
            _ => format!("`{key}` is where the name of a property belongs"),
        };
        let message = Message::new(problem).advise("add the name of its property above this line");
        finding.message = Message { note: std::mem::take(&mut finding.message.note), ..message };
        finding.range = unheaded.first.key_range();
    }
}

/// Whether `finding` is about a keyword in place of a property.
pub(crate) fn is_keyword_as_property(finding: &Finding) -> bool {
    let keyword = finding.field_path.segments().last().and_then(|last| last.key());
    keyword.is_some_and(|keyword| JSON_SCHEMA_PROPS.field(keyword).is_some())
}

/// The first keyword of the schema with `duplicate`: if the keywords of each schema are sorted, the first one
/// out of order.
fn beginning<'t>(mapping: Mapping<'t>, duplicate: Entry<'t>) -> Entry<'t> {
    let before = mapping.entries().take_while(|entry| entry.range().start <= duplicate.range().start);
    let before: Vec<Entry<'t>> = before.collect();
    let is_descent = |pair: &&[Entry<'t>]| matches!(pair, [one, next] if next.key_text() < one.key_text());
    let mut descents = before.windows(2).filter(is_descent);
    match (descents.next(), descents.next()) {
        (Some([_, next]), None) if is_above(mapping, duplicate, *next) => *next,
        _ => duplicate,
    }
}

/// Whether the key of `entry` also occurs before `first`.
fn is_above(mapping: Mapping<'_>, entry: Entry<'_>, first: Entry<'_>) -> bool {
    let key = entry.key_text();
    let mut above = mapping.entries().take_while(|other| other.range().start < first.range().start);
    key.is_some() && above.any(|other| other.key_text() == key)
}

/// Whether the keywords of `own` are certainly a schema. `duplicate` is the first duplicate among them. A
/// single duplicate keyword may have been written twice.
fn is_certain(mapping: Mapping<'_>, own: &[Entry<'_>], duplicate: Entry<'_>) -> bool {
    let Some(first) = own.first() else { return false };
    let again = own.iter().filter(|entry| is_above(mapping, **entry, *first)).count();
    again > 1 || first.range() != duplicate.range()
}

fn block(value: Value<'_>) -> Option<Mapping<'_>> {
    value.as_mapping().filter(|mapping| !mapping.is_flow())
}

fn starts_with(mapping: Mapping<'_>, at: TextRange) -> bool {
    mapping.entries().next().is_some_and(|first| first.range().contains_range(at))
}

fn is_keyword(entry: Entry<'_>) -> bool {
    entry.key_text().is_some_and(|key| JSON_SCHEMA_PROPS.field(&key).is_some())
}

fn is_duplicate(mapping: Mapping<'_>, entry: Entry<'_>) -> bool {
    is_above(mapping, entry, entry)
}

/// The column of the line that starts at `start`.
fn column_of(document: Document<'_>, start: TextSize) -> Option<usize> {
    let before = text_of(document.syntax(), TextRange::new(start.saturating_sub(LINE), start));
    let indent = before.get(before.rfind('\n')? + 1..)?;
    indent.bytes().all(|byte| byte == b' ').then_some(indent.len())
}
