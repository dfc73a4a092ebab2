//! Typed views of schemas in YAML, with the values that kube-apiserver's decoder reads.

mod answers;
mod applies;
pub(crate) mod convert;
pub(crate) mod decode;
pub(crate) mod fingerprint;
mod flags;
mod implied_type;
mod keyword;
pub mod path;
mod references;
mod slips;
pub mod structural;
pub(crate) mod texts;
pub(crate) mod zero;

use crate::reading::Members;
use crate::reading::is_null;
use crate::reading::is_unreadable;
use crate::reading::members;
use std::borrow::Cow;

use api::JSON_SCHEMA_PROPS;
use text::{TextRange, TextSize};
use yaml::scalar::ResolvedScalar;
use yaml::{Entry, Reader, Sequence, SyntaxKind, Value};

use crate::suggest::closest;

pub use applies::fits_items;
pub(crate) use flags::Flags;
pub use implied_type::{
    ImpliedType, TYPES, implied, intended_type, is_list_for_object, is_no_resource, is_object_for_list,
};
pub(crate) use implied_type::{assumed, implied_items};
pub use keyword::Keyword;
pub use references::referenced_name;
pub(crate) use references::{ResolvedSchema, is_selectable};
pub use slips::{PatternSlip, pattern_slip};

/// A JSONSchemaProps: the keywords of one schema node. Null reads as the empty schema, as it does in `properties`.
#[derive(Clone, Debug)]
pub struct Schema<'r, 't> {
    reader: &'r Reader<'t>,
    value: Value<'t>,
    /// One entry for each keyword: the last of duplicates.
    entries: Vec<(Keyword, Entry<'t>)>,
    present: u64,
    /// Fields that JSONSchemaProps does not have.
    unknown: Vec<Entry<'t>>,
    unreadable: bool,
}

/// The maximum number of unknown fields of one schema for which corrections are searched; twice the number of
/// keywords.
const MOST_MISSPELT: usize = 100;

/// The type in a schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeName<'t> {
    /// Absent, null or the empty string.
    Missing,
    /// This name.
    Named(Cow<'t, str>),
    /// A value that is not a string.
    Unreadable,
}

impl TypeName<'_> {
    /// Whether it is the type `name`.
    #[must_use]
    pub fn is(&self, name: &str) -> bool {
        matches!(self, Self::Named(found) if found == name)
    }
}

impl<'r, 't> Schema<'r, 't> {
    /// The schema in `value`; `None` if the server's decoder cannot read it as a schema.
    #[must_use]
    pub fn read(value: Value<'t>, reader: &'r Reader<'t>) -> Option<Self> {
        let value = reader.follow(value)?;
        let mut schema =
            Self { reader, value, entries: Vec::new(), present: 0, unknown: Vec::new(), unreadable: false };
        match value.as_mapping() {
            Some(mapping)
                if mapping.syntax().node().flags().unusual
                    && mapping.entries().any(yaml::Entry::is_merge) =>
            {
                schema.unreadable = mapping.entries().any(is_unreadable);
                for (key, entry) in reader.entries(mapping) {
                    schema.insert(&key, entry);
                }
            }
            Some(mapping) => mapping.entries().for_each(|entry| schema.insert_own(entry)),
            None if is_null(value) => {}
            None => return None,
        }
        Some(schema)
    }

    fn insert_own(&mut self, entry: Entry<'t>) {
        let key = entry.key().as_scalar();
        // A plain keyword is read literally: no keyword reads as a number, boolean or null.
        let plain = key.filter(|key| key.token().kind == SyntaxKind::Plain && key.token().text.len() > 1);
        if let Some(keyword) = plain.and_then(|key| Keyword::parse(key.token().text)) {
            return self.insert_keyword(keyword, entry);
        }
        self.unreadable |= is_unreadable(entry);
        if let Some(text) = entry.key_text() {
            self.insert(&text, entry);
        }
    }

    fn insert(&mut self, key: &str, entry: Entry<'t>) {
        match Keyword::parse(key) {
            Some(keyword) => self.insert_keyword(keyword, entry),
            None => self.unknown.push(entry),
        }
    }

    fn insert_keyword(&mut self, keyword: Keyword, entry: Entry<'t>) {
        if self.present & keyword.bit() != 0 {
            self.entries.retain(|(other, _)| *other != keyword);
        }
        self.present |= keyword.bit();
        self.entries.push((keyword, entry));
    }

    /// Reads each unknown field that is spelled almost like a keyword as that keyword, unless the keyword is
    /// present.
    pub(crate) fn with_intended_keywords(mut self) -> Self {
        for (index, entry) in std::mem::take(&mut self.unknown).into_iter().enumerate() {
            let names = JSON_SCHEMA_PROPS.fields.iter().map(|field| field.name);
            let key = entry.key_text().filter(|_| index < MOST_MISSPELT);
            let intended = key.and_then(|key| closest(&key, names));
            match intended.and_then(|(name, _)| Keyword::parse(name)) {
                Some(keyword) if self.present & keyword.bit() == 0 => self.insert_keyword(keyword, entry),
                _ => self.unknown.push(entry),
            }
        }
        self
    }

    /// The value that contains the schema, with aliases followed.
    #[must_use]
    pub fn value(&self) -> Value<'t> {
        self.value
    }

    /// The reader that it was read with.
    #[must_use]
    pub fn reader(&self) -> &'r Reader<'t> {
        self.reader
    }

    /// The start of the schema, in bytes.
    pub(crate) fn start(&self) -> TextSize {
        self.value.node().map_or(self.value.range().start, |node| node.range().start)
    }

    /// The number of entries, known and unknown.
    #[must_use]
    pub fn width(&self) -> usize {
        self.entries.len() + self.unknown.len()
    }

    /// The keywords that are present, including null ones, in the order of the text. Of duplicates, only the
    /// last.
    pub fn entries(&self) -> impl Iterator<Item = (Keyword, Entry<'t>)> {
        self.entries.iter().copied()
    }

    /// The fields that JSONSchemaProps does not have; the decoder skips them.
    #[must_use]
    pub fn unknown(&self) -> &[Entry<'t>] {
        &self.unknown
    }

    /// Whether a key could not be read as a string.
    pub(crate) fn has_unreadable_key(&self) -> bool {
        self.unreadable
    }

    /// Whether one of the `keywords` (their bits) is present.
    pub(crate) fn has_any(&self, keywords: u64) -> bool {
        self.present & keywords != 0
    }

    /// The entry of `keyword`, if it is present.
    #[must_use]
    pub fn entry(&self, keyword: Keyword) -> Option<Entry<'t>> {
        if self.present & keyword.bit() == 0 {
            return None;
        }
        self.entries.iter().find(|(other, _)| *other == keyword).map(|(_, entry)| *entry)
    }

    /// The value of `keyword`, with aliases followed; `None` if it is null, which the decoder reads as
    /// absent.
    #[must_use]
    pub fn get(&self, keyword: Keyword) -> Option<Value<'t>> {
        let value = self.reader.follow(self.entry(keyword)?.value())?;
        (!is_null(value)).then_some(value)
    }

    /// The range of the key of `keyword`.
    #[must_use]
    pub fn key_range(&self, keyword: Keyword) -> Option<TextRange> {
        self.entry(keyword).map(Entry::key_range)
    }

    /// The string of `keyword`; `None` if it is absent, null or not a string.
    #[must_use]
    pub fn string(&self, keyword: Keyword) -> Option<Cow<'t, str>> {
        self.get(keyword)?.as_scalar()?.as_str()
    }

    /// Whether `keyword` is `true`.
    #[must_use]
    pub fn is_true(&self, keyword: Keyword) -> bool {
        self.boolean(keyword) == Some(true)
    }

    /// The boolean of `keyword`; `None` if it is absent, null or not a boolean.
    #[must_use]
    pub fn boolean(&self, keyword: Keyword) -> Option<bool> {
        match self.get(keyword)?.as_scalar()?.resolve() {
            Ok(ResolvedScalar::Bool(value)) => Some(value),
            _ => None,
        }
    }

    /// Its `type`.
    #[must_use]
    pub fn type_name(&self) -> TypeName<'t> {
        let Some(value) = self.get(Keyword::Type) else { return TypeName::Missing };
        match value.as_scalar().and_then(yaml::Scalar::as_str) {
            Some(name) if name.is_empty() => TypeName::Missing,
            Some(name) => TypeName::Named(name),
            None => TypeName::Unreadable,
        }
    }

    /// The members of a map keyword such as `properties`; empty if it is absent or not a mapping.
    #[must_use]
    pub fn members(&self, keyword: Keyword) -> Members<'t> {
        let mapping = self.get(keyword).and_then(Value::as_mapping);
        mapping.map_or_else(Members::default, |mapping| members(mapping, self.reader))
    }

    /// The items of a list keyword such as `anyOf`, aliases not followed; empty if it is not a list.
    pub fn items(&self, keyword: Keyword) -> impl Iterator<Item = yaml::Item<'t>> + use<'t> {
        self.get(keyword).and_then(Value::as_sequence).into_iter().flat_map(Sequence::items)
    }

    /// The schema under `keyword`: for `items`, `additionalProperties` and `not`; `None` unless it is a
    /// mapping.
    #[must_use]
    pub fn schema(&self, keyword: Keyword) -> Option<Self> {
        let value = self.get(keyword)?;
        value.as_mapping().and_then(|_| Self::read(value, self.reader))
    }

    /// The only item of a list under `items`, aliases not followed: repair makes it the schema of all items.
    #[must_use]
    pub fn only_item(&self) -> Option<Value<'t>> {
        let mut schemas = self.items(Keyword::Items);
        schemas.next().filter(|_| schemas.next().is_none()).map(yaml::Item::value)
    }
}
