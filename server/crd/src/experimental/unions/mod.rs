//! Unions, as proposed for structural schemas: a set of fields of which one is set, and a discriminator that
//! names it.

mod check;
#[cfg(test)]
mod tests;

pub(super) use check::check;

use std::collections::BTreeSet;

use text::TextRange;
use yaml::{Reader, Value};

use super::UNIONS;
use crate::reading::members;
use crate::schema::{Keyword, Schema};

/// An item of `x-kubernetes-unions`, as far as it can be read.
#[derive(Clone, Debug)]
pub struct Union {
    /// The property that names the field that is set.
    pub discriminator: Option<Name>,
    /// The fields, each with its value of the discriminator.
    pub fields: Vec<(Name, Name)>,
}

/// A text with its range, in bytes.
#[derive(Clone, Debug)]
pub struct Name {
    /// The text.
    pub text: String,
    /// The range of the text.
    pub range: TextRange,
}

impl Union {
    /// The unions of a schema node.
    #[must_use]
    pub fn all(schema: &Schema<'_, '_>) -> Vec<Self> {
        let Some(entry) = entry(schema) else { return Vec::new() };
        let list = schema.reader().follow(entry.value()).and_then(Value::as_sequence);
        let items = list.into_iter().flat_map(yaml::Sequence::items);
        items.filter_map(|item| Self::read(item.value(), schema.reader())).collect()
    }

    fn read(value: Value<'_>, reader: &Reader<'_>) -> Option<Self> {
        let mapping = reader.follow(value)?.as_mapping()?;
        let discriminator =
            reader.entry(mapping, "discriminator").and_then(|entry| name(entry.value(), reader));
        let fields =
            reader.entry(mapping, "fields").and_then(|entry| reader.follow(entry.value())?.as_mapping());
        let fields = fields.map(|fields| members(fields, reader).entries).unwrap_or_default();
        let fields = fields.into_iter().filter_map(|(key, entry)| {
            let field = Name { text: key.into_owned(), range: entry.key_range() };
            Some((field, name(entry.value(), reader)?))
        });
        Some(Self { discriminator, fields: fields.collect() })
    }

    /// Whether the value validation of `schema` has the same constraints as this union: one branch of a
    /// `oneOf` for each field, and the values of the discriminator.
    #[must_use]
    pub fn is_unfolded_in(&self, schema: &Schema<'_, '_>) -> bool {
        self.has_branches(schema) && self.has_values(schema)
    }

    /// Whether `oneOf`, here or in a branch of `allOf`, requires one of the fields.
    #[must_use]
    pub fn has_branches(&self, schema: &Schema<'_, '_>) -> bool {
        let fields: BTreeSet<&str> = self.fields.iter().map(|(field, _)| &*field.text).collect();
        let of_all =
            schema.items(Keyword::AllOf).filter_map(|item| Schema::read(item.value(), schema.reader()));
        let asks = |schema: &Schema<'_, '_>| {
            let branches: Option<Vec<String>> =
                schema.items(Keyword::OneOf).map(|item| required_one(schema, item.value())).collect();
            let named = branches.unwrap_or_default();
            named.len() == fields.len() && named.iter().map(String::as_str).collect::<BTreeSet<_>>() == fields
        };
        asks(schema) || of_all.into_iter().any(|branch| asks(&branch))
    }

    /// Whether the `enum` of the discriminator has the values of this union.
    #[must_use]
    pub fn has_values(&self, schema: &Schema<'_, '_>) -> bool {
        let Some(property) = self.discriminator.as_ref().and_then(|name| property(schema, &name.text)) else {
            return false;
        };
        let values: BTreeSet<&str> = self.fields.iter().map(|(_, value)| &*value.text).collect();
        let allowed = allowed(&property);
        allowed.iter().map(String::as_str).collect::<BTreeSet<_>>() == values
    }
}

/// The entry of the keyword in a schema node.
fn entry<'t>(schema: &Schema<'_, 't>) -> Option<yaml::Entry<'t>> {
    schema.unknown().iter().copied().find(|entry| entry.key_text().is_some_and(|key| key == UNIONS))
}

/// The schema of that property.
fn property<'r, 't>(schema: &Schema<'r, 't>, name: &str) -> Option<Schema<'r, 't>> {
    Schema::read(schema.members(Keyword::Properties).get(name)?.value(), schema.reader())
}

/// The strings of its `enum`.
fn allowed(schema: &Schema<'_, '_>) -> Vec<String> {
    let text = |value: Value<'_>| value.as_scalar()?.as_str().map(std::borrow::Cow::into_owned);
    schema.items(Keyword::Enum).filter_map(|item| text(schema.reader().follow(item.value())?)).collect()
}

/// The only field that a branch requires, regardless of its other keywords.
fn required_one(schema: &Schema<'_, '_>, branch: Value<'_>) -> Option<String> {
    let reader = schema.reader();
    let mapping = reader.follow(branch)?.as_mapping()?;
    let required = reader.follow(reader.entry(mapping, "required")?.value())?.as_sequence()?;
    let mut items = required.items();
    let (first, more) = (items.next()?, items.next());
    let name = reader.follow(first.value())?.as_scalar()?.as_str()?.into_owned();
    more.is_none().then_some(name)
}

fn name(value: Value<'_>, reader: &Reader<'_>) -> Option<Name> {
    let followed = reader.follow(value)?;
    let text = followed.as_scalar()?.as_str()?.into_owned();
    Some(Name { text, range: value.range() }).filter(|name| !name.text.is_empty())
}
