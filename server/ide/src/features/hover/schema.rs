//! A short description of the type of a schema.

use std::borrow::Cow;

use crd::reading::is_null;
use crd::schema::Keyword;
use yaml::scalar::ResolvedScalar;
use yaml::{Entry, Mapping, Reader, Scalar, Value, ValueKind};

use crate::analysis::short;

/// The maximum number of entries that are read from a mapping; JSONSchemaProps has 44 fields.
const MOST_ENTRIES: usize = 128;
/// The maximum number of mappings that are read from a list after `<<`.
const MOST_MERGES: usize = 4;
/// The maximum number of nested lists and maps in the name of a type.
const DEEPEST: usize = 8;
/// The maximum number of enum values in a list.
const MOST_VALUES: usize = 12;
/// The maximum number of characters of one name, value or bound.
const LONGEST: usize = 60;

/// The keywords of one schema. Unlike with [`crd::schema::Schema`], the cost of reading one does not depend
/// on the targets of aliases and merges: an outline reads every schema of a file, once for each alias to it.
pub(crate) struct Keywords<'r, 't> {
    reader: &'r Reader<'t>,
    entries: Vec<(Keyword, Entry<'t>)>,
}

impl<'r, 't> Keywords<'r, 't> {
    /// The keywords of the mapping that `value` is or refers to; `None` if it is not a mapping.
    pub(crate) fn read(value: Value<'t>, reader: &'r Reader<'t>) -> Option<Self> {
        let mapping = reader.follow(value)?.as_mapping()?;
        let mut keywords = Self { reader, entries: Vec::new() };
        let merges = keywords.add(mapping);
        for merge in merges.into_iter().filter_map(|merge| reader.follow(merge)) {
            match merge.kind() {
                ValueKind::Mapping(mapping) => keywords.merge(mapping),
                ValueKind::Sequence(list) => {
                    let mappings =
                        list.items().take(MOST_MERGES).filter_map(|item| reader.follow(item.value()));
                    mappings.filter_map(Value::as_mapping).for_each(|mapping| keywords.merge(mapping));
                }
                _ => {}
            }
        }
        Some(keywords)
    }

    /// Adds the entries of `mapping`; the last of duplicates counts. Returns the values that it merges.
    fn add(&mut self, mapping: Mapping<'t>) -> Vec<Value<'t>> {
        let mut merges = Vec::new();
        for entry in mapping.entries().take(MOST_ENTRIES) {
            match keyword(entry) {
                Some(keyword) => {
                    self.entries.retain(|(other, _)| *other != keyword);
                    self.entries.push((keyword, entry));
                }
                None if entry.is_merge() => merges.push(entry.value()),
                None => {}
            }
        }
        merges
    }

    /// Adds the keywords of `mapping` that are not present yet.
    fn merge(&mut self, mapping: Mapping<'t>) {
        let mut merged = Self { reader: self.reader, entries: Vec::new() };
        merged.add(mapping);
        merged.entries.retain(|(keyword, _)| self.entry(*keyword).is_none());
        self.entries.append(&mut merged.entries);
    }

    fn entry(&self, keyword: Keyword) -> Option<Entry<'t>> {
        self.entries.iter().find(|(other, _)| *other == keyword).map(|(_, entry)| *entry)
    }

    /// The value of `keyword`, with aliases followed; `None` if it is absent or null.
    pub(crate) fn get(&self, keyword: Keyword) -> Option<Value<'t>> {
        self.reader.follow(self.entry(keyword)?.value()).filter(|value| !is_null(*value))
    }

    /// The string of `keyword`.
    pub(crate) fn string(&self, keyword: Keyword) -> Option<Cow<'t, str>> {
        self.get(keyword)?.as_scalar()?.as_str()
    }

    /// Whether `keyword` is `true`.
    pub(crate) fn is_true(&self, keyword: Keyword) -> bool {
        self.get(keyword).and_then(Value::as_scalar).is_some_and(|scalar| is_true(scalar))
    }

    /// The strings of the list `keyword`.
    pub(crate) fn strings(&self, keyword: Keyword) -> impl Iterator<Item = Cow<'t, str>> + use<'r, 't> {
        let list = self.get(keyword).and_then(Value::as_sequence);
        let reader = self.reader;
        let items = list.into_iter().flat_map(yaml::Sequence::items);
        items.filter_map(move |item| reader.follow(item.value())?.as_scalar()?.as_str())
    }

    /// The type with its format, or with the type of its items or values, such as `map[string][]integer`;
    /// empty if the schema states no type.
    pub(crate) fn type_name(&self) -> String {
        self.type_name_within(DEEPEST)
    }

    fn type_name_within(&self, deepest: usize) -> String {
        if self.is_true(Keyword::IntOrString) {
            return "int-or-string".to_owned();
        }
        let Some(name) = self.string(Keyword::Type).filter(|name| !name.is_empty()) else {
            let open = self.is_true(Keyword::PreserveUnknownFields);
            return if open { "any".to_owned() } else { String::new() };
        };
        let below = |keyword| match deepest {
            0 => Some("…".to_owned()),
            _ => self.type_below(keyword, deepest - 1).filter(|name| !name.is_empty()),
        };
        match name.as_ref() {
            "array" if self.get(Keyword::Items).is_some() => {
                below(Keyword::Items).map_or_else(|| "array".to_owned(), |item| format!("[]{item}"))
            }
            "object" if self.get(Keyword::AdditionalProperties).is_some() => {
                below(Keyword::AdditionalProperties)
                    .map_or_else(|| "object".to_owned(), |member| format!("map[string]{member}"))
            }
            name => match self.string(Keyword::Format).filter(|format| !format.is_empty()) {
                Some(format) => {
                    format!("{} ({})", short::shorten(name, LONGEST), short::shorten(&format, LONGEST))
                }
                None => short::shorten(name, LONGEST),
            },
        }
    }

    fn type_below(&self, keyword: Keyword, deepest: usize) -> Option<String> {
        let value = self.get(keyword)?;
        if value.as_scalar().is_some_and(is_true) {
            return Some("any".to_owned());
        }
        Self::read(value, self.reader).map(|below| below.type_name_within(deepest))
    }

    /// The type with the limits of its values, such as `integer ≥ 1 and ≤ 65535`; empty if the schema states
    /// neither.
    pub(crate) fn signature(&self) -> String {
        let mut parts = vec![self.type_name()];
        if let Some(values) = self.enumeration() {
            match parts.first_mut() {
                Some(name) if name == "string" || name.is_empty() => *name = values,
                Some(name) => *name = format!("{name}, {values}"),
                None => {}
            }
        }
        let bounds = [
            self.bound(Keyword::Minimum, Keyword::ExclusiveMinimum, ["≥", ">"]),
            self.bound(Keyword::Maximum, Keyword::ExclusiveMaximum, ["≤", "<"]),
            self.literal(Keyword::MultipleOf).map(|factor| format!("multiple of {factor}")),
        ];
        parts.push(bounds.into_iter().flatten().collect::<Vec<_>>().join(" and "));
        for (what, least, most) in [
            ("length", Keyword::MinLength, Keyword::MaxLength),
            ("items", Keyword::MinItems, Keyword::MaxItems),
            ("properties", Keyword::MinProperties, Keyword::MaxProperties),
        ] {
            let limits = [("≥", self.literal(least)), ("≤", self.literal(most))];
            let limits = limits.into_iter().filter_map(|(sign, limit)| Some(format!("{sign} {}", limit?)));
            let limits: Vec<String> = limits.collect();
            if !limits.is_empty() {
                parts.push(format!("{what} {}", limits.join(" and ")));
            }
        }
        parts.retain(|part| !part.is_empty());
        parts.join(" ")
    }

    fn bound(&self, limit: Keyword, exclusive: Keyword, signs: [&str; 2]) -> Option<String> {
        let [inclusive_sign, exclusive_sign] = signs;
        let sign = if self.is_true(exclusive) { exclusive_sign } else { inclusive_sign };
        self.literal(limit).map(|limit| format!("{sign} {limit}"))
    }

    /// A scalar as written.
    fn literal(&self, keyword: Keyword) -> Option<String> {
        let scalar = self.get(keyword)?.as_scalar()?;
        Some(short::shorten(scalar.token().text, LONGEST))
    }

    fn enumeration(&self) -> Option<String> {
        let mut items = self.get(Keyword::Enum)?.as_sequence()?.items();
        let values = items.by_ref().take(MOST_VALUES).map(|item| match item.value().as_scalar() {
            Some(scalar) => match scalar.as_str() {
                Some(text) if !text.is_empty() => short::shorten(&text, LONGEST),
                _ => short::shorten(scalar.token().text, LONGEST),
            },
            None => short::value(item.value(), LONGEST),
        });
        let mut values: Vec<String> = values.collect();
        if items.next().is_some() {
            values.push("…".to_owned());
        }
        (!values.is_empty()).then(|| format!("enum: {}", values.join(", ")))
    }
}

fn keyword(entry: Entry<'_>) -> Option<Keyword> {
    Keyword::parse(&entry.key_text()?)
}

fn is_true(scalar: Scalar<'_>) -> bool {
    matches!(scalar.resolve(), Ok(ResolvedScalar::Bool(true)))
}
